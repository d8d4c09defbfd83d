//! Where facts of unchanged files come from. The facts of a file depend on its content, its language and the version
//! of the extractor only; so that is the key, and any file with the same key may share them.

mod disk;
mod segment;

pub use disk::DiskCache;

use mmcg_facts::FileFacts;
use std::io;

/// What facts depend on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Key<'a> {
    /// The content's hash, as in the files table.
    pub hash: &'a str,
    /// The language's name.
    pub language: &'a str,
}

/// A store of facts of this version of the extractor and the grammars.
pub trait FactsCache: Sync {
    /// The facts of a key, if they are known.
    fn get(&self, key: Key<'_>) -> Option<FileFacts>;

    /// Offers facts that were just extracted.
    fn put(&self, key: Key<'_>, facts: &FileFacts);

    /// Makes what was put known to later runs; called once, when all files are done.
    fn save(&self) -> io::Result<()>;
}

/// Knows nothing and keeps nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoCache;

impl FactsCache for NoCache {
    fn get(&self, _key: Key<'_>) -> Option<FileFacts> {
        None
    }

    fn put(&self, _key: Key<'_>, _facts: &FileFacts) {}

    fn save(&self) -> io::Result<()> {
        Ok(())
    }
}
