//! The one place where the engine meets the language registry, the extractor and the resolver.

use crate::facts::FileRecord;
use mmcg_facts::{FileFacts, LanguageRules};
use mmcg_resolve::modules::Manifest;
use mmcg_resolve::FileInput;
use std::sync::Arc;

/// A language (stand-in until the registry is merged).
#[derive(Debug)]
pub struct Language {
    name: &'static str,
    suffixes: &'static [&'static str],
}

static LANGUAGES: &[Language] = &[
    Language { name: "python", suffixes: &[".py", ".pyi"] },
    Language { name: "javascript", suffixes: &[".js", ".jsx", ".mjs"] },
    Language { name: "typescript", suffixes: &[".ts", ".tsx"] },
    Language { name: "go", suffixes: &[".go"] },
    Language { name: "java", suffixes: &[".java"] },
    Language { name: "c", suffixes: &[".c", ".h"] },
    Language { name: "rust", suffixes: &[".rs"] },
];

impl Language {
    /// Its name.
    pub fn name(&self) -> &str {
        self.name
    }

    /// Languages of one family see each other's symbols.
    pub fn family(&self) -> &str {
        self.name
    }

    /// What the resolver must know of it.
    pub fn rules(&self) -> &LanguageRules {
        static RULES: std::sync::OnceLock<LanguageRules> = std::sync::OnceLock::new();
        RULES.get_or_init(LanguageRules::default)
    }

    /// The same, to keep.
    pub fn shared_rules(&self) -> Arc<LanguageRules> {
        Arc::new(self.rules().clone())
    }

    /// Suffixes of its files.
    pub fn suffixes(&self) -> &[&str] {
        self.suffixes
    }

    /// Parses and throws the tree away: what any indexer must at least do.
    pub fn parse_only(&self, text: &str) -> bool {
        !text.is_empty()
    }
}

/// All languages.
pub fn languages() -> impl Iterator<Item = &'static Language> {
    LANGUAGES.iter()
}

/// Whether a file of this name may be of a language; decides which files are opened at all.
pub fn is_known(path: &str) -> bool {
    language_for(path, &[]).is_some()
}

/// The language of a file; `head` is the start of its text.
pub fn language_for(path: &str, _head: &[u8]) -> Option<&'static Language> {
    LANGUAGES.iter().find(|language| language.suffixes.iter().any(|suffix| path.ends_with(suffix)))
}

/// Extracts facts, one file after the other; one a thread.
#[derive(Default)]
pub struct Extractor {}

impl Extractor {
    /// The facts of a file.
    pub fn extract(&mut self, text: &str, _language: &'static Language) -> FileFacts {
        crate::bare::bare_facts(text)
    }
}

pub use mmcg_resolve::{Edge, ImportRow, Resolution};

/// Resolves files in path order; the facts come back with names of one table.
pub fn resolve(files: &[FileRecord], facts: Vec<FileFacts>, manifests: Vec<Manifest>) -> (Vec<FileFacts>, Resolution) {
    let inputs = files
        .iter()
        .zip(facts)
        .map(|(file, facts)| FileInput { path: file.path.clone(), rules: file.language.shared_rules(), facts })
        .collect();
    mmcg_resolve::resolve(inputs, manifests)
}
