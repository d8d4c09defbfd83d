//! The pieces of code that can be tests: functions, and calls or macros with a name and a body.

use crate::found::{At, Call as FoundCall, Evidence, Unit};
use crate::source::{Token, View};
use mmcg_facts::{Symbol, SymbolFlags, SymbolKind};
use mmcg_lang::Role;

/// Longest text of a unit that is given out whole.
const LONGEST: usize = 40_000;

/// Longest text of all units together.
const ALL: usize = 30_000_000;

/// Finds all units and calls.
pub fn find(view: &View<'_>, test_path: bool, found: &mut Evidence) {
    functions(view, test_path, &mut found.units);
    for node in view.everywhere() {
        let Some(call) = view.call(node) else { continue };
        let head = view.head(call);
        let made = named_call(view, node, call.arguments, &head);
        found.units.extend(made.or_else(|| made_by_macro(view, node, call.arguments, &head)));
        found.calls.push(FoundCall { at: view.at(node), name: last_name(&head).to_owned(), head });
    }
    let mut room = ALL;
    for unit in &mut found.units {
        // Units in units in units: their texts add up.
        room = room.saturating_sub(unit.text.len());
        if room == 0 {
            unit.text.clear();
        }
    }
    found.units.sort_by_key(|u| (u.at.start, std::cmp::Reverse(u.at.end)));
    let mut around: Vec<usize> = Vec::new();
    for index in 0..found.units.len() {
        let at = found.units[index].at;
        around.retain(|&a| found.units[a].at.holds(&at));
        let parent = around.iter().rev().find(|&&a| found.units[a].kind != "function" || found.units[a].test);
        let above = parent.map(|&a| found.units[a].path.clone()).unwrap_or_default();
        let unit = &mut found.units[index];
        if unit.path.is_empty() {
            unit.path = above;
            unit.path.push(unit.name.clone());
        }
        around.push(index);
    }
}

/// The last name of a head.
pub fn last_name(head: &str) -> &str {
    let head = head.trim_end_matches(['(', ')', '[', ']', '!', '?', '"', '`']);
    head.rsplit(['.', ':', '>', ' ', '?', '(', ')', '\\']).next().unwrap_or(head)
}

fn functions(view: &View<'_>, test_path: bool, units: &mut Vec<Unit>) {
    let by_name = test_path || view.tables.tests.paths.is_empty();
    for symbol in view.facts.symbols.iter().skip(1) {
        let callable = symbol.kind.is_callable() && !matches!(symbol.kind, SymbolKind::Macro | SymbolKind::Prototype);
        if !callable || symbol.body_hash == 0 {
            continue;
        }
        let names = &view.facts.names;
        let (name, qualified) = (names.get(symbol.name), names.get(symbol.qualified));
        let at = view.whole(symbol);
        let flagged = symbol.flags.has(SymbolFlags::TEST) && (by_name || !symbol.decorators.is_empty());
        let mut unit = Unit {
            at,
            kind: "function",
            test: flagged || marked(view, at) || documented(view, symbol),
            name: name.to_owned(),
            path: qualified.split('.').map(str::to_owned).collect(),
            symbol: qualified.to_owned(),
            text: text_of(view, at),
        };
        if view.data.test_macros.fits(name) {
            let signature = view.facts.texts.get(symbol.signature);
            let inside = signature.split_once('(').and_then(|(_, rest)| rest.rsplit_once(')'));
            let parts: Vec<&str> = inside.map_or(Vec::new(), |(inside, _)| inside.split(',').map(str::trim).collect());
            unit.kind = "macro";
            unit.test = true;
            unit.name = parts.last().copied().unwrap_or(name).to_owned();
            unit.path = parts.iter().map(|&p| p.to_owned()).collect();
        } else if let Some(text) = written_texts(view, &unit).first() {
            unit.kind = "block";
            unit.test = true;
            unit.name = text[1..text.len() - 1].to_owned();
            unit.path.clear();
        }
        units.push(unit);
    }
}

/// The texts that a block which is a definition to the grammar is given: `TEST_CASE("a name", "[tags]") {`. They are no
/// part of its tree, for which they are no parameters.
pub fn written_texts<'a>(view: &View<'a>, unit: &Unit) -> Vec<&'a str> {
    let whole = view.text.get(unit.at.start as usize..unit.at.end as usize).unwrap_or_default();
    let own = |head: &str| unit.symbol.rsplit('.').next() == Some(head) && view.data.test_blocks.fits(head);
    let Some((_, mut rest)) = whole.split_once('(').filter(|(head, _)| own(head.trim())) else { return Vec::new() };
    let mut texts = Vec::new();
    while let Some(next) = rest.find(['"', ')', '{']).filter(|&at| rest[at..].starts_with('"')) {
        let escaped = |at: usize| rest[next + 1..at].bytes().rev().take_while(|&b| b == b'\\').count() % 2 == 1;
        let end = rest[next + 1..].match_indices('"').map(|(at, _)| next + 1 + at).find(|&at| !escaped(at));
        let Some(end) = end else { break };
        texts.push(&rest[next..=end]);
        rest = &rest[end + 1..];
    }
    texts
}

/// Whether a definition's documentation says that it is a test.
fn documented(view: &View<'_>, symbol: &Symbol) -> bool {
    let doc = symbol.doc.map_or("", |doc| view.facts.texts.get(doc));
    doc.lines().any(|line| view.data.test_docs.iter().any(|word| line.trim() == word))
}

/// Whether an attribute at the head of a definition makes it a test.
fn marked(view: &View<'_>, at: At) -> bool {
    // Those of a definition end where it does; its own start first.
    let own = view.attributes.iter().filter(|&&(node, end)| end == at.end && at.holds(&view.at(node)));
    own.into_iter().any(|&(node, _)| view.data.test_attributes.fits(&attribute_text(view, node)))
}

/// An attribute's text without its marks and blanks.
pub fn attribute_text(view: &View<'_>, node: u32) -> String {
    let text: String = view.tokens(node).iter().map(|t| t.text).collect();
    let text = text.trim_start_matches(|c: char| !c.is_alphanumeric() && c != '_');
    match text.matches('[').count() < text.matches(']').count() {
        true => text.trim_end_matches(']').to_owned(),
        false => text.to_owned(),
    }
}

/// The tokens of a place as one text, cut where it gets too long.
pub fn text_of(view: &View<'_>, at: At) -> String {
    let nodes = view.tree.nodes.get(..view.end as usize).unwrap_or_default();
    let mut text = String::new();
    let mut node = nodes.partition_point(|n| n.start < at.start) as u32;
    while node < view.end && view.tree.get(node).start < at.end {
        let this = view.tree.get(node);
        if this.end > at.end {
            node += 1;
            continue;
        }
        for token in view.tokens(node) {
            if text.len() > LONGEST {
                return text;
            }
            if !text.is_empty() {
                text.push(' ');
            }
            text.push_str(token.text);
        }
        node = this.next;
    }
    text
}

/// The test that a macro makes which a project has for its tests: `run_test!(name, |input| { … });` among definitions.
fn made_by_macro(view: &View<'_>, node: u32, arguments: u32, head: &str) -> Option<Unit> {
    let at = view.at(node);
    let around = view.inner_symbol(at.start);
    let among_definitions = around.is_none_or(|s| matches!(s.kind, SymbolKind::Module | SymbolKind::Namespace));
    if !view.data.test_named.fits(head) || !among_definitions {
        return None;
    }
    let operands = view.operands(arguments);
    let [name] = operands.first()?[..] else { return None };
    let word = name.text.chars().all(|c| c.is_alphanumeric() || c == '_');
    if !word || name.literal || operands.len() < 2 {
        return None;
    }
    let symbol = view.symbol_at(at.start);
    let path = symbol.split('.').filter(|part| !part.is_empty() && *part != "<module>").chain([name.text]);
    Some(Unit {
        at,
        kind: "macro",
        test: true,
        name: name.text.to_owned(),
        path: path.map(str::to_owned).collect(),
        symbol: symbol.clone(),
        text: text_of(view, at),
    })
}

/// The test or group that a call makes.
fn named_call(view: &View<'_>, node: u32, arguments: u32, head: &str) -> Option<Unit> {
    let data = view.data;
    let group = data.test_groups.fits(head);
    let block = data.test_blocks.fits(head);
    let bare = view.are_arguments(arguments);
    if !(group || block || data.test_calls.fits(head)) || !(bare || view.of(arguments).starts_with('(')) {
        return None;
    }
    let operands = view.operands(arguments);
    let first = operands.first()?;
    let literal = first[0].literal || first[0].text.starts_with(['"', '\'', '`']);
    // Where arguments need no brackets, the body stands behind them.
    let function = view
        .inside(if bare { node } else { arguments })
        .any(|n| view.is(n, Role::Lambda) || view.is(n, Role::Function));
    if !(block || function || literal && operands.len() <= 2) {
        return None;
    }
    let mut at = view.at(node);
    if block {
        at = with_block(view, node)?;
    }
    Some(Unit {
        at,
        kind: match (group, block) {
            (true, _) => "group",
            (_, true) => "block",
            _ => "call",
        },
        test: !group,
        name: unquoted(view, first),
        path: Vec::new(),
        symbol: view.symbol_at(at.start),
        text: text_of(view, at),
    })
}

/// The place of a call together with the block behind it.
fn with_block(view: &View<'_>, node: u32) -> Option<At> {
    let mut at = view.at(node);
    let this = view.tree.get(node);
    let is_block = |n: &u32| view.of(*n).starts_with('{');
    let after = |n: u32| {
        let parent = view.parent(n)?;
        let next = view.tree.get(n).next;
        view.tree.children(parent).find(|&c| c >= next && view.tree.get(c).start >= this.end && is_block(&c))
    };
    let block = std::iter::once(node).chain(view.around(node)).take(4).find_map(after)?;
    let end = view.at(block);
    // Anything but punctuation between them: the block belongs to something else.
    let between = view.text.get(at.end as usize..end.start as usize)?;
    if between.contains(|c: char| c.is_alphanumeric()) {
        return None;
    }
    at.end = end.end;
    at.end_line = end.end_line;
    Some(at)
}

/// The text of a string, or the tokens of what is no string.
pub fn unquoted(view: &View<'_>, tokens: &[Token<'_>]) -> String {
    let (Some(first), Some(last)) = (tokens.first(), tokens.last()) else { return String::new() };
    let (start, end) = (view.tree.get(first.node).start, view.tree.get(last.node).end);
    let text = view.text.get(start as usize..end as usize).unwrap_or_default();
    // Prefixes such as those of raw strings say nothing about the name.
    let text = match text.find(['"', '\'', '`']) {
        Some(at) if at < 3 => &text[at..],
        _ => text,
    };
    for quote in ["\"\"\"", "'''", "\"", "'", "`"] {
        let inner = text.strip_prefix(quote).and_then(|t| t.strip_suffix(quote));
        if let Some(inner) = inner {
            return inner.replace("\\\"", "\"").replace("\\'", "'");
        }
    }
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
