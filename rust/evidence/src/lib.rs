//! What a file holds that is evidence for or against a claim: tests, assertions and whether they can fail, marks that
//! keep tests from counting, suppressions of other tools, numbers with names, calls.
//!
//! Asked for the few files that an audit looks at, not for every file of an index: nothing of it is part of the facts.
//! Pure, like extraction. What a language calls its tests and assertions is in `grammars/<language>/evidence.toml`.

mod assertions;
mod data;
mod found;
mod locals;
mod macros;
mod marks;
mod numbers;
mod source;
mod suppressions;
mod truth;
mod units;

pub use found::{Assertion, At, Call, Evidence, Mark, Number, Suppression, Unit};

use data::Data;
use mmcg_extract::Extractor;
use mmcg_lang::Language;
use source::View;
use std::collections::HashMap;
use std::sync::{Mutex, OnceLock};

/// Everything in a file that is evidence.
pub fn evidence(text: &str, path: &str, language: &'static Language) -> Evidence {
    let mut found = Evidence {
        language: language.name.to_owned(),
        known: matches!(data::read(language.name), Ok(Some(_))),
        test_path: language.is_test_path(path),
        ..Evidence::default()
    };
    let Some(tables) = language.tables() else { return found };
    let data = data_of(language);
    let mut extractor = Extractor::default();
    let facts = extractor.extract(text, language);
    found.registered = data.registered;
    found.broken = facts.problems.iter().any(|p| p.code == mmcg_facts::ProblemCode::SyntaxError);
    let tree = extractor.tree();
    if tree.nodes.is_empty() {
        return found;
    }
    let view = View { text, tree, tables, data, facts: &facts, end: tree.get(0).next, attributes: Vec::new() };
    let attributes = view.find_attributes();
    let view = View { attributes, ..view };
    macros::find(&view, &mut found);
    units::find(&view, found.test_path, &mut found);
    assertions::find(&view, &mut found);
    marks::find(&view, &mut found);
    suppressions::find(&view, &mut found);
    numbers::find(&view, &mut found);
    if !found.test_path && !found.units.iter().any(|u| u.test) {
        // What tests are compared and followed by is of no use elsewhere, and is most of all that is found.
        found.calls.clear();
        found.units.iter_mut().for_each(|u| u.text.clear());
    }
    found
}

/// What is wrong with a language's evidence data: nothing, one hopes. For tests.
pub fn check(language: &Language) -> Vec<String> {
    data::compile(language).1
}

fn data_of(language: &'static Language) -> &'static Data {
    static KNOWN: OnceLock<Mutex<HashMap<&'static str, &'static Data>>> = OnceLock::new();
    let known = KNOWN.get_or_init(Mutex::default);
    let mut known = known.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    // Languages are few and live as long as the process.
    known.entry(language.name).or_insert_with(|| Box::leak(Box::new(data::compile(language).0)))
}
