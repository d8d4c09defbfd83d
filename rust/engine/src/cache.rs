//! Where facts of unchanged files come from. The facts of a file depend on its content, its language and the version
//! of the extractor only; so that is the key, and any file with the same key may share them.

use mmcg_facts::FileFacts;

/// What facts depend on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Key<'a> {
    /// The content's hash, as in the files table.
    pub hash: &'a str,
    /// The language's name.
    pub language: &'a str,
}

/// A store of facts; `mmcg_facts::FACTS_VERSION` is its own business to check.
pub trait FactsCache: Sync {
    /// The facts of a key, if they are known.
    fn get(&self, key: Key<'_>) -> Option<FileFacts>;

    /// Offers facts that were just extracted.
    fn put(&self, key: Key<'_>, facts: &FileFacts);
}

/// Knows nothing and keeps nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoCache;

impl FactsCache for NoCache {
    fn get(&self, _key: Key<'_>) -> Option<FileFacts> {
        None
    }

    fn put(&self, _key: Key<'_>, _facts: &FileFacts) {}
}
