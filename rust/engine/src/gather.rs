//! A tree that is not on disk, such as a commit's: its files are handed over in parts, and give the same graph as a
//! folder that holds them.

use crate::cache::FactsCache;
use crate::error::Error;
use crate::facts::{facts_of_bytes, Indexed};
use crate::manifests::{is_manifest, manifest};
use crate::options::MAX_MANIFEST_BYTES;
use crate::pool::pool;
use crate::progress::Progress;
use crate::run::{resolved, Clock, Run};
use crate::skip::{Reason, Skipped};
use crate::tables::Table;
use mmcg_resolve::modules::Manifest;
use rayon::ThreadPool;

/// Files handed over so far. Only their facts are kept, not their bytes.
pub struct Gathering {
    cache: Box<dyn FactsCache + Send>,
    pool: ThreadPool,
    clock: Clock,
    indexed: Vec<Indexed>,
    manifests: Vec<Manifest>,
    skipped: Vec<Skipped>,
}

impl Gathering {
    /// Nothing yet.
    pub fn new(threads: usize, cache: Box<dyn FactsCache + Send>) -> Result<Self, Error> {
        Ok(Self {
            cache,
            pool: pool(threads)?,
            clock: Clock::start(),
            indexed: Vec::new(),
            manifests: Vec::new(),
            skipped: Vec::new(),
        })
    }

    /// Takes more files, by their paths from the root with `/`.
    pub fn add(&mut self, files: Vec<(String, Vec<u8>)>) -> Result<(), Error> {
        for (path, bytes) in files.iter().filter(|(path, _)| is_manifest(path)) {
            if bytes.len() as u64 > MAX_MANIFEST_BYTES {
                self.skipped.push(Skipped { path: path.clone(), reason: Reason::TooLarge });
            } else {
                self.manifests.push(manifest(path.clone(), bytes));
            }
        }
        let (indexed, skipped) = facts_of_bytes(&files, &self.pool, &*self.cache, &Progress::default())?;
        self.indexed.extend(indexed);
        self.skipped.extend(skipped);
        Ok(())
    }

    /// The graph of all files.
    pub fn finish(mut self) -> Result<Run, Error> {
        // A cache that cannot be written only makes the next run slower.
        let _ = self.cache.save();
        self.indexed.sort_by(|a, b| a.record.path.cmp(&b.record.path));
        self.manifests.sort_by(|a, b| a.path.cmp(&b.path));
        self.skipped.sort_unstable();
        self.skipped.dedup();
        self.clock.end_of("extract");
        let progress = Progress::default();
        let mut tables = Vec::new();
        let mut give = |table: Table| table.collect(&mut tables);
        let (pool, clock) = (&self.pool, &mut self.clock);
        let mut summary = resolved(self.indexed, self.manifests, &self.skipped, pool, &progress, clock, &mut give)?;
        summary.skipped = self.skipped;
        summary.seconds = self.clock.start.elapsed().as_secs_f64();
        summary.timings = self.clock.timings;
        Ok(Run { summary, tables })
    }
}
