//! What a run may be told from outside, and the limits that keep it bounded.

use std::path::PathBuf;

/// Files larger than this are left out as `too_large`. Register headers of kernels reach more than ten megabytes and
/// are real source, so the limit is above them.
pub const MAX_FILE_BYTES: u64 = 16 << 20;

/// Manifests larger than this are not read.
pub const MAX_MANIFEST_BYTES: u64 = 1 << 20;

/// Stack of each worker. Extraction does not recurse, but parsers and their scanners are foreign code.
pub const WORKER_STACK_BYTES: usize = 64 << 20;

/// Rows of a record batch.
pub const BATCH_ROWS: usize = 1 << 15;

/// Rows of a table that are made before the first of them are given away: they are stored while the next are made.
pub const PART_ROWS: usize = 4 * BATCH_ROWS;

/// What to index and how.
#[derive(Clone, Debug)]
pub struct Options {
    /// The folder to index.
    pub root: PathBuf,
    /// Worker threads; all processors if `None`.
    pub jobs: Option<usize>,
}

impl Options {
    /// Options for a folder, all else by default.
    pub fn new(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into(), jobs: None }
    }

    /// The number of worker threads, at least one.
    pub fn threads(&self) -> usize {
        self.jobs.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from)).max(1)
    }
}
