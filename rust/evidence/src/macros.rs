//! What the macros of a file check: their text is tokens, which become code where they are called.

use crate::found::{Assertion, Evidence, Unit};
use crate::source::View;
use crate::units::{last_name, text_of};
use mmcg_facts::SymbolKind;

/// Most of a macro's text that is looked at.
const LONGEST: usize = 40_000;

/// Makes each macro a unit, with an assertion where its text holds one. Whether that one can fail, its arguments decide.
pub fn find(view: &View<'_>, found: &mut Evidence) {
    for symbol in view.facts.symbols.iter().filter(|s| s.kind == SymbolKind::Macro) {
        let (name, qualified) = (view.facts.names.get(symbol.name), view.facts.names.get(symbol.qualified));
        let at = view.whole(symbol);
        let text = view.text.get(at.start as usize..at.end as usize).unwrap_or_default();
        // Its own name and parameters stand before its text.
        let text = text.split_once(name).map_or("", |(_, rest)| rest);
        let shorter = text.char_indices().nth(LONGEST).map_or(text, |(end, _)| &text[..end]);
        if let Some(head) = heads(shorter).find(|head| asserts(view, head)) {
            found.assertions.push(Assertion {
                at,
                form: head.clone(),
                text: head,
                strength: 1,
                vacuous: String::new(),
                implicit: false,
            });
        }
        found.units.push(Unit {
            at,
            kind: "function",
            test: false,
            name: name.to_owned(),
            path: qualified.split('.').map(str::to_owned).collect(),
            symbol: qualified.to_owned(),
            text: text_of(view, at),
        });
    }
}

fn asserts(view: &View<'_>, head: &str) -> bool {
    let data = view.data;
    data.fails.fits(head) || data.calls.fits(head) || (head.contains('.') && data.methods.fits(last_name(head)))
}

/// What a text calls: names and paths before a bracket, with the mark of a macro.
fn heads(text: &str) -> impl Iterator<Item = String> + '_ {
    let part = |c: char| c.is_alphanumeric() || matches!(c, '_' | ':' | '.' | '$');
    text.match_indices(['(', '[', '{']).filter_map(move |(at, _)| {
        let before = text[..at].trim_end();
        let plain = match before.strip_suffix('!') {
            Some(plain) => plain,
            None if text[at..].starts_with('(') => before,
            None => return None,
        };
        let start = plain.char_indices().rev().take_while(|&(_, c)| part(c)).last()?.0;
        let head = before[start..].trim_start_matches("$crate").trim_start_matches([':', '.', '$']);
        (!head.is_empty()).then(|| head.to_owned())
    })
}
