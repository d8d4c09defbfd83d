//! The one place where the engine meets the language registry, the extractor and the resolver.

use mmcg_facts::{FileFacts, LanguageRules, Problem, ProblemCode, Symbol, SymbolFlags};
use mmcg_resolve::modules::Manifest;
use mmcg_resolve::FileInput;
use rustc_hash::FxHashMap;
use std::sync::{Arc, OnceLock};

pub use mmcg_extract::Extractor;
pub use mmcg_lang::Language;

/// All languages that have a parser.
pub fn languages() -> impl Iterator<Item = &'static Language> {
    mmcg_lang::all().iter().filter(|language| language.available())
}

/// All languages that are described, with a parser at hand or not.
pub fn all_languages() -> impl Iterator<Item = &'static Language> {
    mmcg_lang::all().iter()
}

/// Whether a file of this name may be of a language; decides which files are opened at all.
pub fn is_known(path: &str) -> bool {
    Language::is_source(path)
}

/// The language of a file.
pub fn language_for(path: &str, text: &str) -> Option<&'static Language> {
    Language::for_path(path, text).filter(|language| language.tables().is_some())
}

/// The language of a file that no parser is at hand for.
pub fn missing_language(path: &str) -> Option<&'static Language> {
    Language::missing_for(path)
}

/// What the resolver must know of a language.
pub fn rules(language: &'static Language) -> &'static LanguageRules {
    static NONE: OnceLock<LanguageRules> = OnceLock::new();
    match language.tables() {
        Some(tables) => &tables.resolution,
        None => NONE.get_or_init(LanguageRules::default),
    }
}

/// The facts of a file whose extraction failed: its module and the reason.
pub fn failed_facts(text: &str, message: String) -> FileFacts {
    let mut facts = mmcg_extract::empty(text);
    facts.problems.push(Problem { code: ProblemCode::Internal, line: 1, message });
    facts
}

/// Whether a symbol is a test. A name alone makes one only where the language keeps its tests; what is marked as a
/// test is one anywhere.
pub fn is_test(language: &'static Language, path: &str, symbol: &Symbol) -> bool {
    symbol.flags.has(SymbolFlags::TEST)
        && (symbol.flags.has(SymbolFlags::TEST_BY_MARK)
            || language.tables().is_none_or(|tables| tables.tests.paths.is_empty())
            || language.is_test_path(path))
}

/// Parses texts and throws the trees away: what any indexer must at least do. One a thread.
#[derive(Default)]
pub struct BareParser {
    parsers: Vec<(&'static str, tree_sitter::Parser)>,
}

impl BareParser {
    /// Parses a text; whether that gave a tree.
    pub fn parse(&mut self, text: &str, language: &'static Language) -> bool {
        let known = self.parsers.iter().position(|(name, _)| *name == language.name);
        let index = match (known, language.parser()) {
            (Some(index), _) => index,
            (None, Some(grammar)) => {
                let mut parser = tree_sitter::Parser::new();
                if parser.set_language(&grammar).is_err() {
                    return false;
                }
                self.parsers.push((language.name, parser));
                self.parsers.len() - 1
            }
            (None, None) => return false,
        };
        self.parsers[index].1.parse(text, None).is_some()
    }
}

/// A file's language and facts.
pub struct Input {
    /// The language.
    pub language: &'static Language,
    /// The facts.
    pub facts: FileFacts,
}

pub use mmcg_resolve::{Edge, ImportRow, Resolution};

/// Resolves files in path order; the facts come back with names of one table.
pub fn resolve(files: Vec<(String, Input)>, manifests: Vec<Manifest>) -> (Vec<Input>, Resolution) {
    let languages: Vec<&'static Language> = files.iter().map(|(_, input)| input.language).collect();
    let mut shared: FxHashMap<&'static str, Arc<LanguageRules>> = FxHashMap::default();
    let inputs = files
        .into_iter()
        .map(|(path, input)| {
            let rules = shared.entry(input.language.name).or_insert_with(|| Arc::new(rules(input.language).clone()));
            let test = input.language.is_test_path(&path);
            FileInput { path, rules: Arc::clone(rules), test, facts: input.facts }
        })
        .collect();
    let (facts, resolution) = mmcg_resolve::resolve(inputs, manifests);
    let inputs = languages.into_iter().zip(facts).map(|(language, facts)| Input { language, facts }).collect();
    (inputs, resolution)
}
