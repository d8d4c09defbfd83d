//! One run from a folder to tables.

use crate::cache::{FactsCache, NoCache};
use crate::core_api::{self, Input};
use crate::error::Error;
use crate::facts::{facts_of, Indexed};
use crate::graph::Graph;
use crate::guard::guarded;
use crate::manifests;
use crate::options::Options;
use crate::pool::pool;
use crate::progress::Progress;
use crate::scan::fingerprint_of;
use crate::skip::Skipped;
use crate::summary::{missing, notices, Summary};
use crate::tables::{tables, Table};
use crate::walk::{canonical_root, walk};
use mmcg_resolve::modules::Manifest;
use rayon::ThreadPool;
use std::time::Instant;

/// The result of a run.
#[derive(Debug)]
pub struct Run {
    /// Numbers and messages.
    pub summary: Summary,
    /// The graph.
    pub tables: Vec<Table>,
}

/// Measures phases one after the other.
pub(crate) struct Clock {
    pub(crate) start: Instant,
    phase: Instant,
    pub(crate) timings: Vec<(&'static str, f64)>,
}

impl Clock {
    pub(crate) fn start() -> Self {
        let now = Instant::now();
        Self { start: now, phase: now, timings: Vec::new() }
    }

    pub(crate) fn end_of(&mut self, phase: &'static str) {
        self.timings.push((phase, self.phase.elapsed().as_secs_f64()));
        self.phase = Instant::now();
    }
}

/// Indexes a folder.
pub fn index(options: &Options, cache: &dyn FactsCache, progress: &Progress) -> Result<Run, Error> {
    let mut clock = Clock::start();
    let root = canonical_root(&options.root)?;
    let walked = walk(&root, options.threads());
    let (manifests, left_out) = manifests::read(&root, &walked.manifests);
    clock.end_of("walk");

    let pool = pool(options.threads())?;
    let (indexed, mut skipped) = facts_of(&root, &walked.sources, &pool, cache, progress)?;
    skipped.extend_from_slice(&walked.skipped);
    skipped.extend(left_out);
    skipped.sort_unstable();
    // A manifest may be source too.
    skipped.dedup();
    let saved = cache.save();
    clock.end_of("extract");

    let reused = indexed.iter().filter(|file| file.reused).count();
    let (mut summary, tables) = match resolved(indexed, manifests, &skipped, &pool, progress, &mut clock) {
        // Facts that were kept may be what it stumbled over.
        Err(Error::Internal(_)) if reused > 0 => return index(options, &NoCache, progress),
        other => other?,
    };
    summary.root = root.to_string_lossy().into_owned();
    summary.fingerprint = fingerprint_of(&walked);
    summary.missing = missing(&walked);
    summary.notices = notices(&walked, summary.files);
    if let Err(error) = saved {
        summary.notices.push(format!("the cache of facts could not be written, so the next run is slower: {error}"));
    }
    summary.skipped = skipped;
    summary.seconds = clock.start.elapsed().as_secs_f64();
    summary.timings = clock.timings;
    Ok(Run { summary, tables })
}

/// From the facts of all files, in path order, to the tables. The summary lacks what only the walk knows.
pub(crate) fn resolved(
    indexed: Vec<Indexed>,
    manifests: Vec<Manifest>,
    skipped: &[Skipped],
    pool: &ThreadPool,
    progress: &Progress,
    clock: &mut Clock,
) -> Result<(Summary, Vec<Table>), Error> {
    let reused = indexed.iter().filter(|file| file.reused).count();
    let (files, inputs): (Vec<_>, Vec<_>) = indexed
        .into_iter()
        .map(|file| {
            let input = Input { language: file.record.language, facts: file.facts };
            (file.record.clone(), (file.record.path, input))
        })
        .unzip();
    let (inputs, resolution) = guarded(|| core_api::resolve(inputs, manifests)).map_err(Error::Internal)?;
    if progress.is_cancelled() {
        return Err(Error::Cancelled);
    }
    clock.end_of("resolve");

    let graph = Graph::new(files, inputs, resolution);
    let mut summary = Summary::of(&graph);
    let tables = pool.install(|| guarded(|| tables(graph, skipped))).map_err(Error::Internal)?;
    clock.end_of("tables");
    summary.reused = reused;
    summary.parsed = summary.files - reused;
    Ok((summary, tables))
}
