//! Where facts of unchanged files come from. The facts of a file depend on its content, its language and the version
//! of the extractor only; so that is the key, and any file with the same key may share them.

mod disk;
mod ledger;
mod segment;

pub use disk::DiskCache;

use crate::core_api::Language;
use crate::facts::FileRecord;
use crate::walk::Found;
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

    /// The hash and language of a file that is as it was when it was last read; only if that is sure.
    fn unread(&self, found: &Found) -> Option<(&str, &'static Language)>;

    /// Makes what was put known to later runs; for one that does not look at all files.
    fn keep(&self) -> io::Result<()>;

    /// Whether so much was kept that a run should look at all files and save.
    fn is_full(&self) -> bool;

    /// Makes what was put known to later runs, and forgets what this one did not get; called once, when all is done.
    fn save(&self) -> io::Result<()>;

    /// Makes known to later runs what the files were that this one read.
    fn note(&self, records: &[&FileRecord]) -> io::Result<()>;
}

/// Knows nothing and keeps nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoCache;

impl FactsCache for NoCache {
    fn get(&self, _key: Key<'_>) -> Option<FileFacts> {
        None
    }

    fn put(&self, _key: Key<'_>, _facts: &FileFacts) {}

    fn unread(&self, _found: &Found) -> Option<(&str, &'static Language)> {
        None
    }

    fn keep(&self) -> io::Result<()> {
        Ok(())
    }

    fn is_full(&self) -> bool {
        true
    }

    fn save(&self) -> io::Result<()> {
        Ok(())
    }

    fn note(&self, _records: &[&FileRecord]) -> io::Result<()> {
        Ok(())
    }
}
