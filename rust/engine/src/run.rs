//! One run from a folder to tables.

use crate::cache::FactsCache;
use crate::core_api::{self, Input, Resolution};
use crate::error::Error;
use crate::facts::{FileRecord, Files, Indexed};
use crate::graph::Graph;
use crate::guard::guarded;
use crate::layout::{self, Before, Relaid};
use crate::manifests;
use crate::options::Options;
use crate::pool::pool;
use crate::progress::Progress;
use crate::scan::Look;
use crate::skip::Skipped;
use crate::summary::{notices, Summary};
use crate::tables::{self, Give, Table};
use mmcg_facts::Texts;
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

/// What a run that hands over its tables one by one came to.
#[derive(Debug)]
pub enum Outcome {
    /// All tables were handed over.
    Made(Box<Summary>),
    /// Everything says what it said in the run whose `Summary::content` was given; no table was handed over. The times of
    /// the files as they are now: only those may differ.
    Same(Times),
    /// Some files were laid out anew; all edges are as they were.
    Relaid {
        /// The new `Summary::content`.
        content: String,
        /// Files that were parsed.
        parsed: usize,
        /// The times of the files as they are now.
        times: Times,
        /// What is to be written anew.
        relaid: Relaid,
    },
}

/// Paths, and when each file was modified, in nanoseconds since 1970.
pub type Times = Vec<(String, i64)>;

/// What an earlier run came to, of the same version.
#[derive(Clone, Debug)]
pub struct Known {
    /// Its `Summary::content`.
    pub content: String,
    /// Its files, in path order.
    pub files: Vec<Before>,
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
    let look = Look::at(&options.root, options.threads())?;
    let mut tables = Vec::new();
    match hand_over(&look, options.threads(), cache, progress, None, &mut |table| table.collect(&mut tables))? {
        Outcome::Made(summary) => Ok(Run { summary: *summary, tables }),
        _ => Err(Error::Internal("no earlier run was given".to_owned())),
    }
}

/// Indexes what a walk found. Each table, or each part of a long one, is handed over as soon as it is there, so that it can be
/// stored while the next ones are made; those that need no resolution come before it.
///
/// `known` is an earlier run: if nothing says anything else, nothing is resolved.
pub fn hand_over(
    look: &Look,
    threads: usize,
    cache: &dyn FactsCache,
    progress: &Progress,
    known: Option<&Known>,
    give: &mut Give<'_>,
) -> Result<Outcome, Error> {
    let mut clock = Clock::start();
    let walked = &look.walked;
    let (manifests, left_out) = manifests::read(&look.root, &walked.manifests);
    let pool = pool(threads)?;
    let files = Files::read(&look.root, &walked.sources, &pool, cache, progress)?;
    let all_skipped = |more: Vec<Skipped>| {
        let mut skipped: Vec<Skipped> =
            more.into_iter().chain(walked.skipped.clone()).chain(left_out.clone()).collect();
        skipped.sort_unstable();
        // A manifest may be source too.
        skipped.dedup();
        skipped
    };
    clock.end_of("read");
    if let Some(known) = known {
        let records = files.records();
        let content = content(&records, &all_skipped(files.skipped()), &manifests);
        if !records.is_empty() && content == known.content {
            // What cannot be noted is read again.
            let _ = cache.note(&records);
            return Ok(Outcome::Same(times(&records)));
        }
        if around(&content) == around(&known.content) && !cache.is_full() {
            let changed = files.changed(&known.files, cache);
            let relaid = changed.as_ref().and_then(|changed| layout::relaid(&known.files, &records, changed, cache));
            if let (Some(changed), Some(relaid)) = (changed, relaid) {
                let _ = cache.keep().and_then(|()| cache.note(&records));
                let parsed = changed.iter().filter(|file| !file.reused).count();
                return Ok(Outcome::Relaid { content, parsed, times: times(&records), relaid });
            }
        }
    }

    let (indexed, skipped) = files.load(&look.root, &pool, cache, progress)?;
    let skipped = all_skipped(skipped);
    let records: Vec<&FileRecord> = indexed.iter().map(|file| &file.record).collect();
    let saved = cache.save().and_then(|()| cache.note(&records));
    let content = content(&records, &skipped, &manifests);
    clock.end_of("extract");

    let mut summary = resolved(indexed, manifests, &skipped, &pool, progress, &mut clock, give)?;
    summary.root = look.root.to_string_lossy().into_owned();
    summary.fingerprint = look.fingerprint();
    summary.content = content;
    summary.missing = look.missing();
    summary.notices = notices(walked, summary.files);
    if let Err(error) = saved {
        summary.notices.push(format!("the cache of facts could not be written, so the next run is slower: {error}"));
    }
    summary.skipped = skipped;
    summary.seconds = clock.start.elapsed().as_secs_f64();
    summary.timings = clock.timings;
    Ok(Outcome::Made(Box::new(summary)))
}

/// From the facts of all files, in path order, to the tables. The summary lacks what only the walk knows.
pub(crate) fn resolved(
    indexed: Vec<Indexed>,
    manifests: Vec<Manifest>,
    skipped: &[Skipped],
    pool: &ThreadPool,
    progress: &Progress,
    clock: &mut Clock,
    give: &mut Give<'_>,
) -> Result<Summary, Error> {
    let reused = indexed.iter().filter(|file| file.reused).count();
    let (files, inputs): (Vec<_>, Vec<_>) = indexed
        .into_iter()
        .map(|file| {
            let input = Input { language: file.record.language, facts: file.facts };
            (file.record, input)
        })
        .unzip();
    let mut give = |table: Table| {
        if !progress.is_cancelled() {
            give(table);
        }
    };
    let graph = Graph::new(files, inputs, Resolution::default());
    pool.install(|| guarded(|| tables::of_facts(&graph, skipped, &mut give))).map_err(Error::Internal)?;
    clock.end_of("facts");

    let Graph { files, mut inputs, .. } = graph;
    // Signatures and docs are in the tables now, and nobody else asks for them.
    inputs.iter_mut().for_each(|input| input.facts.texts = Texts::default());
    let inputs = files.iter().map(|file| file.path.clone()).zip(inputs).collect();
    let (inputs, resolution) = match guarded(|| core_api::resolve(inputs, manifests)) {
        Ok(resolved) => resolved,
        // Facts that were kept may be what it stumbled over.
        Err(message) if reused > 0 => return Err(Error::Kept(message)),
        Err(message) => return Err(Error::Internal(message)),
    };
    if progress.is_cancelled() {
        return Err(Error::Cancelled);
    }
    clock.end_of("resolve");

    let graph = Graph::new(files, inputs, resolution);
    let mut summary = Summary::of(&graph);
    pool.install(|| guarded(|| tables::of_edges(graph, &mut give))).map_err(Error::Internal)?;
    clock.end_of("tables");
    summary.reused = reused;
    summary.parsed = summary.files - reused;
    Ok(summary)
}

fn times(files: &[&FileRecord]) -> Times {
    files.iter().map(|file| (file.path.clone(), file.mtime_ns)).collect()
}

/// The part of a content that is not about files.
fn around(content: &str) -> &str {
    content.rsplit('-').next().unwrap_or_default()
}

/// A text that is the same only for the same rows of all tables but for files' times: all that a run reads goes into it.
/// First comes what is of the files, then what is of all else.
fn content(files: &[&FileRecord], skipped: &[Skipped], manifests: &[Manifest]) -> String {
    let files = files.iter().flat_map(|file| [file.path.as_str(), &file.hash, file.language.name]);
    let skipped = skipped.iter().flat_map(|file| [file.path.as_str(), file.reason.as_str()]);
    let manifests = manifests.iter().flat_map(|manifest| [manifest.path.as_str(), &manifest.text]);
    format!("{}-{}", digest(files), digest(skipped.chain(["manifests"]).chain(manifests)))
}

fn digest<'a>(texts: impl Iterator<Item = &'a str>) -> String {
    let mut hasher = blake3::Hasher::new();
    for text in texts {
        hasher.update(&(text.len() as u64).to_le_bytes());
        hasher.update(text.as_bytes());
    }
    let mut hex = hasher.finalize().to_hex().to_string();
    hex.truncate(32);
    hex
}
