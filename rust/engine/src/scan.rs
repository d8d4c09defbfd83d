//! Is the index still true? The same walk as indexing, and nothing is opened.

use crate::error::Error;
use crate::summary::missing;
use crate::walk::{canonical_root, nanoseconds, walk, Found, Walked};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// What one walk found: whether an index is still true is told by it, and a new one is made from it.
#[derive(Debug)]
pub struct Look {
    /// The root without links.
    pub root: PathBuf,
    /// All that was found.
    pub walked: Walked,
}

impl Look {
    /// Walks a folder.
    pub fn at(root: &Path, threads: usize) -> Result<Self, Error> {
        let root = canonical_root(root)?;
        let walked = walk(&root, threads);
        Ok(Self { root, walked })
    }

    /// See `fingerprint_of`.
    pub fn fingerprint(&self) -> String {
        fingerprint_of(&self.walked)
    }

    /// When the last change of a file was that counts for the fingerprint, in nanoseconds since 1970. Times that are yet
    /// to come do not count.
    pub fn latest_ns(&self) -> i64 {
        let now = nanoseconds(SystemTime::now());
        let time = |file: &Found| if file.mark.ctime_ns != 0 { file.mark.ctime_ns } else { file.mtime_ns };
        let times = self.walked.sources.iter().chain(&self.walked.manifests).map(time);
        times.filter(|time| *time <= now).max().unwrap_or_default()
    }

    /// Files of languages of which no parser is at hand, by language.
    pub fn missing(&self) -> BTreeMap<String, usize> {
        missing(&self.walked)
    }
}

/// All files that an index of `root` would read, in path order.
pub fn scan(root: &Path, threads: usize) -> Result<Vec<Found>, Error> {
    Ok(walk(&canonical_root(root)?, threads).sources)
}

/// The fingerprint of a walk: a short text that changes whenever a file that matters to the index appears, goes, or changes its size or any time,
/// those included that are left out of the index or only configure imports. Times that were set back are seen by the
/// one that no program can set.
pub fn fingerprint_of(walked: &Walked) -> String {
    let mut hasher = blake3::Hasher::new();
    for file in walked.sources.iter().chain(&walked.manifests) {
        hasher.update(file.path.as_bytes());
        // No path has a NUL, so no two lists read the same.
        hasher.update(&[0]);
        hasher.update(&file.size.to_le_bytes());
        hasher.update(&file.mtime_ns.to_le_bytes());
        hasher.update(&file.mark.ctime_ns.to_le_bytes());
        hasher.update(&file.mark.inode.to_le_bytes());
    }
    let mut hex = hasher.finalize().to_hex().to_string();
    hex.truncate(32);
    hex
}
