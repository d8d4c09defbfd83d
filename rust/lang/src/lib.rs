//! Languages as data: each folder in `grammars/` becomes a `Language` with tables indexed by node kind.
//!
//! `docs/adding-a-language.md` describes the vocabulary of `language.toml`.

mod compile;
mod data;
mod pattern;
mod rule;
mod select;

pub use data::{Declares, Head, LanguageData, Late, NameFlags, RawRule, Role, Wrap};
pub use pattern::Pattern;
pub use rule::{
    BaseRule, CommentRule, Declarators, Flags, Narrowing, PreWord, Preprocess, Rule, Tables, TestMeaning, TestRules,
    TypeTest,
};
pub use select::{Path, Selector, Step};

use std::sync::OnceLock;

type Link = fn() -> tree_sitter::Language;

/// A language: what its files are called, its parser and its tables.
pub struct Language {
    /// Its name (`python`).
    pub name: &'static str,
    /// Languages of one family see each other's symbols.
    pub family: &'static str,
    /// Extensions of its files, without the dot.
    pub extensions: &'static [&'static str],
    /// Whole names of its files.
    pub file_names: &'static [&'static str],
    /// Texts of which one decides for this language where several claim the extension.
    pub markers: &'static [&'static str],
    extends: &'static str,
    data: &'static str,
    linked: Option<Link>,
    attached: OnceLock<tree_sitter::Language>,
    tables: OnceLock<Option<Tables>>,
}

include!(concat!(env!("OUT_DIR"), "/registry.rs"));

/// All languages, by name.
pub fn all() -> &'static [Language] {
    &ENTRIES
}

impl std::fmt::Debug for Language {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Language").field(&self.name).finish()
    }
}

impl Language {
    /// The language of a name.
    pub fn by_name(name: &str) -> Option<&'static Self> {
        ENTRIES.iter().find(|l| l.name == name)
    }

    /// The language of a file, by its path; where several claim it, by its content. Languages without a parser at hand
    /// are left out.
    pub fn for_path(path: &str, content: &str) -> Option<&'static Self> {
        let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
        let claims = || ENTRIES.iter().filter(|l| l.claims(name) && l.available());
        claims()
            .find(|l| l.markers.iter().any(|m| content.contains(m)))
            .or_else(|| claims().find(|l| l.markers.is_empty()))
            .or_else(|| claims().next())
    }

    /// Whether a file of this path may be of some language, with a parser at hand or not: a cheap test before reading it.
    pub fn is_source(path: &str) -> bool {
        let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
        ENTRIES.iter().any(|l| l.claims(name))
    }

    /// The language of a file for which no parser is at hand.
    pub fn missing_for(path: &str) -> Option<&'static Self> {
        let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
        let mut claims = ENTRIES.iter().filter(|l| l.claims(name)).peekable();
        let first = *claims.peek()?;
        claims.all(|l| !l.available()).then_some(first)
    }

    fn claims(&self, name: &str) -> bool {
        self.file_names.contains(&name)
            || self.extensions.iter().any(|e| {
                name.len() > e.len()
                    && name.is_char_boundary(name.len() - e.len())
                    && name[name.len() - e.len()..].eq_ignore_ascii_case(e)
                    && name.as_bytes()[name.len() - e.len() - 1] == b'.'
            })
    }

    /// Whether its parser is compiled in.
    pub fn linked(&self) -> bool {
        self.linked.is_some()
    }

    /// Whether its parser is compiled in or attached.
    pub fn available(&self) -> bool {
        self.linked.is_some() || self.attached.get().is_some()
    }

    /// Gives a language without a compiled-in parser the parser to use; the first one stays.
    pub fn attach(&self, parser: tree_sitter::Language) {
        let _ = self.attached.set(parser);
    }

    /// Its parser.
    pub fn parser(&self) -> Option<tree_sitter::Language> {
        self.linked.map(|link| link()).or_else(|| self.attached.get().cloned())
    }

    /// Its tables; `None` without a parser or with unreadable data.
    pub fn tables(&self) -> Option<&Tables> {
        if !self.available() {
            return None;
        }
        self.tables
            .get_or_init(|| {
                let parser = self.parser()?;
                let data = self.read_data().ok()?;
                Some(compile::compile(&data, parser).0)
            })
            .as_ref()
    }

    /// What is wrong with its data: nothing, one hopes. For tests.
    pub fn check(&self) -> Vec<String> {
        let data = match self.read_data() {
            Ok(data) => data,
            Err(error) => return vec![error],
        };
        match self.parser() {
            Some(parser) => compile::compile(&data, parser).1,
            None => Vec::new(),
        }
    }

    /// The language's data with what it inherits.
    pub fn read_data(&self) -> Result<LanguageData, String> {
        let own: toml::Table = self.data.parse().map_err(|e| format!("{}: {e}", self.name))?;
        let mut chain = vec![own];
        let mut extends = self.extends;
        while !extends.is_empty() && chain.len() < 8 {
            let base = Self::by_name(extends).ok_or_else(|| format!("{}: extends unknown `{extends}`", self.name))?;
            chain.push(base.data.parse().map_err(|e| format!("{}: {e}", base.name))?);
            extends = base.extends;
        }
        let own_nodes: Vec<String> =
            chain[0].get("nodes").and_then(|n| n.as_table()).map(|n| n.keys().cloned().collect()).unwrap_or_default();
        let mut merged = chain.pop().unwrap_or_default();
        while let Some(over) = chain.pop() {
            merge(&mut merged, over, 0);
        }
        let mut data: LanguageData = merged.try_into().map_err(|e| format!("{}: {e}", self.name))?;
        data.own_nodes = own_nodes;
        Ok(data)
    }

    /// Whether a path is that of a test file.
    pub fn is_test_path(&self, path: &str) -> bool {
        self.tables().is_some_and(|t| t.tests.paths.iter().any(|p| p.matches_path(path)))
    }
}

/// Lays `over` on `base`: tables are merged down to rules, which are replaced whole.
fn merge(base: &mut toml::Table, over: toml::Table, depth: usize) {
    for (key, value) in over {
        match (base.get_mut(&key), value) {
            (Some(toml::Value::Table(below)), toml::Value::Table(above)) if depth == 0 => {
                merge(below, above, depth + 1)
            }
            (_, value) => {
                base.insert(key, value);
            }
        }
    }
}
