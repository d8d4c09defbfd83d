//! What a run tells about itself.

use crate::core_api::missing_language;
use crate::graph::Graph;
use crate::skip::Skipped;
use crate::walk::Walked;
use mmcg_facts::{Confidence, Problem};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Numbers and messages of a run.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// The indexed folder.
    pub root: String,
    /// The state of the folder that was indexed; see `scan::fingerprint`.
    pub fingerprint: String,
    /// All that was read: two runs of the same version with the same content have the same rows but for files' times.
    pub content: String,
    /// Indexed files.
    pub files: usize,
    /// Of these, those that were parsed in this run.
    pub parsed: usize,
    /// Of these, those whose facts were known.
    pub reused: usize,
    /// Symbols.
    pub symbols: usize,
    /// Call sites.
    pub call_sites: usize,
    /// Edges by confidence.
    pub edges: Vec<(&'static str, usize)>,
    /// Files by language.
    pub languages: BTreeMap<String, usize>,
    /// Files by language of which no parser is at hand.
    pub missing: BTreeMap<String, usize>,
    /// Files that were left out.
    pub skipped: Vec<Skipped>,
    /// What went wrong, with the paths of the files.
    pub problems: Vec<(String, Problem)>,
    /// Sentences for people.
    pub notices: Vec<String>,
    /// Time on the clock for all.
    pub seconds: f64,
    /// Time on the clock by phase.
    pub timings: Vec<(&'static str, f64)>,
}

const CONFIDENCES: [Confidence; 5] =
    [Confidence::Exact, Confidence::Inferred, Confidence::Possible, Confidence::External, Confidence::Unresolved];

impl Summary {
    /// Counts a graph.
    pub fn of(graph: &Graph) -> Self {
        let mut edges = [0; CONFIDENCES.len()];
        for edge in &graph.resolution.edges {
            edges[edge.confidence as usize] += 1;
        }
        let mut languages = BTreeMap::new();
        for file in &graph.files {
            *languages.entry(file.language.name.to_owned()).or_default() += 1;
        }
        Self {
            files: graph.files.len(),
            symbols: graph.symbol_count(),
            call_sites: graph.call_site_count(),
            edges: CONFIDENCES.iter().map(|c| (c.as_str(), edges[*c as usize])).collect(),
            languages,
            problems: graph.problems().into_iter().map(|(path, p)| (path.to_owned(), p.clone())).collect(),
            ..Self::default()
        }
    }
}

/// Files of languages without a parser at hand, by language.
pub fn missing(walked: &Walked) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for language in walked.sources.iter().filter_map(|file| missing_language(&file.path)) {
        *counts.entry(language.name.to_owned()).or_default() += 1;
    }
    counts
}

/// What must be said if nothing was indexed: an empty answer looks like a success.
pub fn notices(walked: &Walked, files: usize) -> Vec<String> {
    if files > 0 {
        return Vec::new();
    }
    let mut notice = "no supported source files".to_owned();
    if !walked.other_suffixes.is_empty() {
        notice.push_str("; the suffixes that were seen: ");
        notice.push_str(&suffixes(&walked.other_suffixes));
    } else if walked.sources.is_empty() {
        notice.push_str("; the folder has no files, or all of them are ignored");
    }
    vec![notice]
}

/// The most frequent suffixes.
fn suffixes(counts: &FxHashMap<String, u32>) -> String {
    const SHOWN: usize = 12;
    let mut sorted: Vec<(&String, &u32)> = counts.iter().collect();
    sorted.sort_by_key(|&(suffix, count)| (std::cmp::Reverse(*count), suffix));
    let mut parts: Vec<String> = sorted
        .iter()
        .take(SHOWN)
        .map(|(suffix, count)| format!("{} ({count})", if suffix.is_empty() { "none" } else { suffix }))
        .collect();
    if sorted.len() > SHOWN {
        parts.push(format!("{} more", sorted.len() - SHOWN));
    }
    parts.join(", ")
}
