//! Found files → facts, in parallel. What goes wrong with a file stays with that file.

use crate::cache::{FactsCache, Key};
use crate::core_api::{self, failed_facts, Extractor, Language};
use crate::error::Error;
use crate::guard::guarded;
use crate::layout::{Before, MAX_FILES};
use crate::pool::for_each_file;
use crate::progress::Progress;
use crate::read::{self, Source};
use crate::skip::{Reason, Skipped};
use crate::walk::{Found, Mark};
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
    /// What else was known of the file when it was read.
    pub mark: Mark,
}

/// An indexed file.
#[derive(Clone)]
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
    /// Its facts are not loaded yet.
    Unread(Box<FileRecord>),
    Skipped(Skipped),
    /// The name suggested a language, the content is of none.
    NotSource,
}

/// All files of a run. Those that changed have been read; the facts of the others are loaded when it is known that they
/// are needed.
pub struct Files {
    outcomes: Vec<Outcome>,
    /// The places of files whose facts are not loaded yet, and what was found there.
    waiting: Vec<(usize, Found)>,
}

impl Files {
    /// Reads what is not known from earlier runs; in the order of `found`.
    pub fn read(
        root: &Path,
        found: &[Found],
        pool: &ThreadPool,
        cache: &dyn FactsCache,
        progress: &Progress,
    ) -> Result<Self, Error> {
        progress.start(found.len());
        let (mut unread, mut waiting) = (Vec::new(), Vec::new());
        for (place, file) in found.iter().enumerate() {
            let known = cache.unread(file).filter(|_| core_api::missing_language(&file.path).is_none());
            match known {
                Some(_) => waiting.push((place, file.clone())),
                None => unread.push(file.clone()),
            }
        }
        let read = for_each_file(
            pool,
            &unread,
            |file| file.size,
            progress,
            Extractor::default,
            |extractor, file| one(&file.path, extractor, cache, || read::read(root, file)),
        )?;
        let mut read = read.into_iter();
        let mut next = waiting.iter().map(|(place, _)| *place).peekable();
        let mut outcomes = Vec::with_capacity(found.len());
        for (place, file) in found.iter().enumerate() {
            let outcome = if next.next_if_eq(&place).is_some() { unread_outcome(file, cache) } else { read.next() };
            outcomes.push(outcome.unwrap_or(Outcome::NotSource));
        }
        Ok(Self { outcomes, waiting })
    }

    /// What was left out.
    pub fn skipped(&self) -> Vec<Skipped> {
        let skipped = self.outcomes.iter().filter_map(|outcome| match outcome {
            Outcome::Skipped(file) => Some(file.clone()),
            _ => None,
        });
        skipped.collect()
    }

    /// What is known of the files without their facts, in order.
    pub fn records(&self) -> Vec<&FileRecord> {
        let records = self.outcomes.iter().filter_map(|outcome| match outcome {
            Outcome::Indexed(file) => Some(&file.record),
            Outcome::Unread(record) => Some(&**record),
            _ => None,
        });
        records.collect()
    }

    /// The facts of the files at which `before` has another hash, if all of them can be had without reading.
    pub fn changed(&self, before: &[Before], cache: &dyn FactsCache) -> Option<Vec<Indexed>> {
        let files = self.outcomes.iter().filter(|outcome| matches!(outcome, Outcome::Indexed(_) | Outcome::Unread(_)));
        let mut changed = Vec::new();
        for (outcome, (_, hash, _)) in files.zip(before) {
            match outcome {
                Outcome::Indexed(file) if file.record.hash != *hash => changed.push((**file).clone()),
                Outcome::Unread(record) if record.hash != *hash => {
                    let facts = cache.get(key(record))?;
                    changed.push(Indexed { record: (**record).clone(), facts, reused: true });
                }
                _ => {}
            }
            if changed.len() > MAX_FILES {
                return None;
            }
        }
        Some(changed)
    }

    /// All files with their facts, in order, and what turned out to be left out after all.
    pub fn load(
        mut self,
        root: &Path,
        pool: &ThreadPool,
        cache: &dyn FactsCache,
        progress: &Progress,
    ) -> Result<(Vec<Indexed>, Vec<Skipped>), Error> {
        let loaded = for_each_file(
            pool,
            &self.waiting,
            |(_, file)| file.size,
            progress,
            Extractor::default,
            |extractor, (place, file)| match &self.outcomes[*place] {
                Outcome::Unread(record) => match cache.get(key(record)) {
                    Some(facts) => {
                        Outcome::Indexed(Box::new(Indexed { record: (**record).clone(), facts, reused: true }))
                    }
                    // The cache lost them.
                    None => one(&file.path, extractor, cache, || read::read(root, file)),
                },
                _ => Outcome::NotSource,
            },
        )?;
        for ((place, _), outcome) in self.waiting.iter().zip(loaded) {
            self.outcomes[*place] = outcome;
        }
        Ok(sorted_out(self.outcomes))
    }
}

/// Facts of files whose bytes are at hand, in their order.
pub fn facts_of_bytes(
    files: &[(String, Vec<u8>)],
    pool: &ThreadPool,
    cache: &dyn FactsCache,
    progress: &Progress,
) -> Result<(Vec<Indexed>, Vec<Skipped>), Error> {
    let size = |file: &(String, Vec<u8>)| file.1.len() as u64;
    let outcomes = for_each_file(pool, files, size, progress, Extractor::default, |extractor, (path, bytes)| {
        one(path, extractor, cache, || read::understood(path, bytes.clone(), 0, Mark::default()))
    })?;
    Ok(sorted_out(outcomes))
}

fn sorted_out(outcomes: Vec<Outcome>) -> (Vec<Indexed>, Vec<Skipped>) {
    let (mut indexed, mut skipped) = (Vec::with_capacity(outcomes.len()), Vec::new());
    for outcome in outcomes {
        match outcome {
            Outcome::Indexed(file) => indexed.push(*file),
            Outcome::Skipped(file) => skipped.push(file),
            Outcome::Unread(_) | Outcome::NotSource => {}
        }
    }
    (indexed, skipped)
}

fn unread_outcome(found: &Found, cache: &dyn FactsCache) -> Option<Outcome> {
    let (hash, language) = cache.unread(found)?;
    let Found { path, size, mtime_ns, mark } = found.clone();
    Some(Outcome::Unread(Box::new(FileRecord { path, language, size, hash: hash.to_owned(), mtime_ns, mark })))
}

fn key(record: &FileRecord) -> Key<'_> {
    Key { hash: &record.hash, language: record.language.name }
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
    let Source { size, mtime_ns, mark, hash, .. } = source;
    let record = FileRecord { path: path.to_owned(), language, size, hash, mtime_ns, mark };
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
