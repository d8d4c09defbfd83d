//! Is the index still true? The same walk as indexing, and nothing is opened.

use crate::error::Error;
use crate::walk::{canonical_root, walk, Found, Walked};
use std::path::Path;

/// All files that an index of `root` would read, in path order.
pub fn scan(root: &Path, threads: usize) -> Result<Vec<Found>, Error> {
    Ok(walk(&canonical_root(root)?, threads).sources)
}

/// A short text that changes whenever a file that matters to the index appears, goes, or changes its size or time,
/// those included that are left out of the index or only configure imports.
pub fn fingerprint(root: &Path, threads: usize) -> Result<String, Error> {
    Ok(fingerprint_of(&walk(&canonical_root(root)?, threads)))
}

/// The fingerprint of a walk.
pub fn fingerprint_of(walked: &Walked) -> String {
    let mut hasher = blake3::Hasher::new();
    for file in walked.sources.iter().chain(&walked.manifests) {
        hasher.update(file.path.as_bytes());
        // No path has a NUL, so no two lists read the same.
        hasher.update(&[0]);
        hasher.update(&file.size.to_le_bytes());
        hasher.update(&file.mtime_ns.to_le_bytes());
    }
    let mut hex = hasher.finalize().to_hex().to_string();
    hex.truncate(32);
    hex
}
