//! The one place where the engine meets the language registry, the extractor and the resolver.

use mmcg_facts::{BaseKind, Confidence, FileFacts, LanguageRules, Place, Rule, SiteId, UseKind};
use mmcg_resolve::modules::{FileId, Project};

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

/// A call site's target, or its lack.
pub struct Edge {
    /// The file of the call.
    pub file: FileId,
    /// The call site.
    pub site: SiteId,
    /// The symbol that is called.
    pub target: Option<u32>,
    /// What is called outside of the project.
    pub external: Option<String>,
    /// How it was found.
    pub rule: Rule,
    /// How sure that is.
    pub confidence: Confidence,
}

/// A use of a symbol that is no call.
pub struct Reference {
    /// The file of the use.
    pub file: FileId,
    /// The symbol whose code uses it.
    pub source: u32,
    /// The used symbol.
    pub target: u32,
    /// Where.
    pub place: Place,
    /// How it is used.
    pub used: UseKind,
    /// How it was found.
    pub rule: Rule,
    /// How sure that is.
    pub confidence: Confidence,
}

/// A file that an import leads to, or what it names outside.
pub struct ImportLink {
    /// The importing file.
    pub file: FileId,
    /// Index into its `FileFacts::imports`.
    pub import: u32,
    /// The file it leads to.
    pub target: Option<FileId>,
    /// The package outside of the project.
    pub external: Option<String>,
}

/// A base of a type.
pub struct BaseLink {
    /// The type.
    pub symbol: u32,
    /// Its base, if it is in the project.
    pub base: Option<u32>,
    /// The base's name as written.
    pub name: String,
    /// How it is named.
    pub kind: BaseKind,
    /// The line of the base's name.
    pub line: u32,
    /// How it was found.
    pub rule: Rule,
    /// How sure that is.
    pub confidence: Confidence,
}

/// What the resolver answers. Symbols are numbered in (file, symbol) order.
#[derive(Default)]
pub struct Resolution {
    /// At least one edge a call site.
    pub edges: Vec<Edge>,
    /// Other uses.
    pub references: Vec<Reference>,
    /// At least one link an import.
    pub imports: Vec<ImportLink>,
    /// Bases.
    pub bases: Vec<BaseLink>,
    /// Methods and the members that they override.
    pub overrides: Vec<(u32, u32)>,
}

/// Resolves all files; `facts` are in parallel with `project.files`.
pub fn resolve(_facts: &[FileFacts], _project: &Project) -> Resolution {
    Resolution::default()
}
