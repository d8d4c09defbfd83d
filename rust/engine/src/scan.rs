//! Is the index still true? The same walk as indexing, and nothing is opened.

use crate::error::Error;
use crate::walk::{canonical_root, walk, Found};
use std::path::Path;

/// All files that an index of `root` would read, in path order.
pub fn scan(root: &Path, threads: usize) -> Result<Vec<Found>, Error> {
    Ok(walk(&canonical_root(root)?, threads).sources)
}
