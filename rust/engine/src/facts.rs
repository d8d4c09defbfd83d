//! Found files → facts, in parallel. What goes wrong with a file stays with that file.

use crate::cache::{FactsCache, Key};
use crate::core_api::{self, failed_facts, Extractor, Language};
use crate::error::Error;
use crate::guard::guarded;
use crate::pool::for_each;
use crate::progress::Progress;
use crate::read::{self, Source};
use crate::skip::{Reason, Skipped};
use crate::walk::Found;
use mmcg_facts::FileFacts;
use rayon::ThreadPool;
use std::path::Path;

/// What the index keeps of a file beside its facts.
#[derive(Clone, Debug)]
pub struct FileRecord {
    /// Path from the root, with `/`.
    pub path: String,
    /// Its language.
    pub language: &'static Language,
    /// Size in bytes.
    pub size: u64,
    /// Hash of the bytes, in hexadecimal digits.
    pub hash: String,
    /// Time of change in nanoseconds since 1970.
    pub mtime_ns: i64,
}

/// An indexed file.
pub struct Indexed {
    /// What is known without parsing.
    pub record: FileRecord,
    /// What it says.
    pub facts: FileFacts,
    /// Whether the facts came from the cache.
    pub reused: bool,
}

enum Outcome {
    Indexed(Box<Indexed>),
    Skipped(Skipped),
    /// The name suggested a language, the content is of none.
    NotSource,
}

/// Facts of all files, in the order of `found`.
pub fn facts_of(
    root: &Path,
    found: &[Found],
    pool: &ThreadPool,
    cache: &dyn FactsCache,
    progress: &Progress,
) -> Result<(Vec<Indexed>, Vec<Skipped>), Error> {
    let outcomes = for_each(pool, found, |file| file.size, progress, Extractor::default, |extractor, file| {
        one(&file.path, extractor, cache, || read::read(root, file))
    })?;
    Ok(sorted_out(outcomes))
}

/// Facts of files whose bytes are at hand, in their order.
pub fn facts_of_bytes(
    files: &[(String, Vec<u8>)],
    pool: &ThreadPool,
    cache: &dyn FactsCache,
    progress: &Progress,
) -> Result<(Vec<Indexed>, Vec<Skipped>), Error> {
    let size = |file: &(String, Vec<u8>)| file.1.len() as u64;
    let outcomes = for_each(pool, files, size, progress, Extractor::default, |extractor, (path, bytes)| {
        one(path, extractor, cache, || read::understood(path, bytes.clone(), 0))
    })?;
    Ok(sorted_out(outcomes))
}

fn sorted_out(outcomes: Vec<Outcome>) -> (Vec<Indexed>, Vec<Skipped>) {
    let (mut indexed, mut skipped) = (Vec::with_capacity(outcomes.len()), Vec::new());
    for outcome in outcomes {
        match outcome {
            Outcome::Indexed(file) => indexed.push(*file),
            Outcome::Skipped(file) => skipped.push(file),
            Outcome::NotSource => {}
        }
    }
    (indexed, skipped)
}

fn one(
    path: &str,
    extractor: &mut Extractor,
    cache: &dyn FactsCache,
    read: impl FnOnce() -> Result<Source, Reason>,
) -> Outcome {
    if core_api::missing_language(path).is_some() {
        return Outcome::NotSource;
    }
    let source = match read() {
        Ok(source) => source,
        Err(reason) => return Outcome::Skipped(Skipped { path: path.to_owned(), reason }),
    };
    let Some(language) = core_api::language_for(path, &source.decoded.text) else { return Outcome::NotSource };
    let key = Key { hash: &source.hash, language: language.name };
    let (facts, reused) = match cache.get(key) {
        Some(facts) => (facts, true),
        None => {
            let facts = extract(&source, language, extractor);
            cache.put(key, &facts);
            (facts, false)
        }
    };
    let Source { size, mtime_ns, hash, .. } = source;
    let record = FileRecord { path: path.to_owned(), language, size, hash, mtime_ns };
    Outcome::Indexed(Box::new(Indexed { record, facts, reused }))
}

fn extract(source: &Source, language: &'static Language, extractor: &mut Extractor) -> FileFacts {
    let text = source.decoded.text.as_str();
    let mut facts = guarded(|| extractor.extract(text, language)).unwrap_or_else(|message| {
        // Its state may be broken.
        *extractor = Extractor::default();
        failed_facts(text, format!("the file could not be analysed: {message}"))
    });
    source.decoded.to_file(facts.symbols.iter_mut().map(|symbol| &mut symbol.span));
    facts.problems.extend(source.decoded.problem.clone());
    facts
}
