//! Columns by name. Strings that repeat are dictionary-encoded: they are smaller and quicker to build and to store.

use arrow_array::builder::{StringBuilder, StringDictionaryBuilder};
use arrow_array::types::UInt32Type;
use arrow_array::{
    ArrayRef, BooleanArray, DictionaryArray, Int64Array, RecordBatch, StringArray, UInt16Array, UInt32Array,
    UInt64Array, UInt8Array,
};
use rustc_hash::FxHashMap;
use std::hash::Hash;
use std::sync::Arc;

/// The columns of a batch, in order.
#[derive(Default)]
pub struct Columns(Vec<(&'static str, ArrayRef, bool)>);

impl Columns {
    /// No columns yet.
    pub fn new() -> Self {
        Self::default()
    }

    fn with(mut self, name: &'static str, nullable: bool, array: ArrayRef) -> Self {
        self.0.push((name, array, nullable));
        self
    }

    /// The finished batch.
    pub fn into_batch(self) -> RecordBatch {
        RecordBatch::try_from_iter_with_nullable(self.0).expect("columns of one batch come from the same rows")
    }

    /// Numbers.
    pub fn u32(self, name: &'static str, values: impl Iterator<Item = u32>) -> Self {
        self.with(name, false, Arc::new(UInt32Array::from_iter_values(values)))
    }

    /// Numbers, some missing.
    pub fn maybe_u32(self, name: &'static str, values: impl Iterator<Item = Option<u32>>) -> Self {
        self.with(name, true, Arc::new(values.collect::<UInt32Array>()))
    }

    /// Small numbers.
    pub fn u16(self, name: &'static str, values: impl Iterator<Item = u16>) -> Self {
        self.with(name, false, Arc::new(UInt16Array::from_iter_values(values)))
    }

    /// Small numbers, some missing.
    pub fn maybe_u16(self, name: &'static str, values: impl Iterator<Item = Option<u16>>) -> Self {
        self.with(name, true, Arc::new(values.collect::<UInt16Array>()))
    }

    /// Large numbers.
    pub fn u64(self, name: &'static str, values: impl Iterator<Item = u64>) -> Self {
        self.with(name, false, Arc::new(UInt64Array::from_iter_values(values)))
    }

    /// Large numbers with a sign.
    pub fn i64(self, name: &'static str, values: impl Iterator<Item = i64>) -> Self {
        self.with(name, false, Arc::new(Int64Array::from_iter_values(values)))
    }

    /// Yes or no.
    pub fn bool(self, name: &'static str, values: impl Iterator<Item = bool>) -> Self {
        self.with(name, false, Arc::new(values.map(Some).collect::<BooleanArray>()))
    }

    /// Texts that differ.
    pub fn text(self, name: &'static str, values: impl Iterator<Item = impl AsRef<str>>) -> Self {
        let mut builder = StringBuilder::new();
        values.for_each(|value| builder.append_value(value));
        self.with(name, false, Arc::new(builder.finish()))
    }

    /// Texts that differ, some missing.
    pub fn maybe_text(self, name: &'static str, values: impl Iterator<Item = Option<impl AsRef<str>>>) -> Self {
        let mut builder = StringBuilder::new();
        values.for_each(|value| builder.append_option(value));
        self.with(name, true, Arc::new(builder.finish()))
    }

    /// Texts that repeat.
    pub fn repeated(self, name: &'static str, values: impl Iterator<Item = impl AsRef<str>>) -> Self {
        let mut builder = StringDictionaryBuilder::<UInt32Type>::new();
        values.for_each(|value| builder.append_value(value));
        self.with(name, false, Arc::new(builder.finish()))
    }

    /// Texts that repeat, some missing.
    pub fn maybe_repeated(self, name: &'static str, values: impl Iterator<Item = Option<impl AsRef<str>>>) -> Self {
        let mut builder = StringDictionaryBuilder::<UInt32Type>::new();
        values.for_each(|value| builder.append_option(value));
        self.with(name, true, Arc::new(builder.finish()))
    }

    /// Texts that ids stand for: a text is made and looked at once for each id, not for each row.
    pub fn numbered<I: Copy + Eq + Hash, T: AsRef<str>>(
        self,
        name: &'static str,
        ids: impl Iterator<Item = I>,
        text: impl Fn(I) -> T,
    ) -> Self {
        self.by_id(name, false, ids.map(Some), text)
    }

    /// Such texts, some missing.
    pub fn maybe_numbered<I: Copy + Eq + Hash, T: AsRef<str>>(
        self,
        name: &'static str,
        ids: impl Iterator<Item = Option<I>>,
        text: impl Fn(I) -> T,
    ) -> Self {
        self.by_id(name, true, ids, text)
    }

    fn by_id<I: Copy + Eq + Hash, T: AsRef<str>>(
        self,
        name: &'static str,
        nullable: bool,
        ids: impl Iterator<Item = Option<I>>,
        text: impl Fn(I) -> T,
    ) -> Self {
        let mut known: FxHashMap<I, u32> = FxHashMap::default();
        let mut texts = StringBuilder::new();
        let keys = ids.map(|id| {
            id.map(|id| {
                let next = known.len() as u32;
                *known.entry(id).or_insert_with(|| {
                    texts.append_value(text(id));
                    next
                })
            })
        });
        let keys: UInt32Array = keys.collect();
        self.with(name, nullable, Arc::new(DictionaryArray::new(keys, Arc::new(texts.finish()))))
    }

    /// Words of a small closed set: they are told apart by address, which costs less than hashing their letters.
    pub fn word(self, name: &'static str, values: impl Iterator<Item = &'static str>) -> Self {
        self.words(name, false, values.map(Some))
    }

    /// Such words, some missing.
    pub fn maybe_word(self, name: &'static str, values: impl Iterator<Item = Option<&'static str>>) -> Self {
        self.words(name, true, values)
    }

    fn words(self, name: &'static str, nullable: bool, values: impl Iterator<Item = Option<&'static str>>) -> Self {
        let mut known: FxHashMap<*const u8, u8> = FxHashMap::default();
        let mut words: Vec<&'static str> = Vec::new();
        let keys = values.map(|word| {
            word.map(|word| {
                *known.entry(word.as_ptr()).or_insert_with(|| {
                    words.push(word);
                    u8::try_from(words.len() - 1).expect("a closed set of words is small")
                })
            })
        });
        let keys: UInt8Array = keys.collect();
        let dictionary = DictionaryArray::new(keys, Arc::new(StringArray::from_iter_values(words)));
        self.with(name, nullable, Arc::new(dictionary))
    }
}
