//! Directives that keep other tools from telling what they find.

use crate::found::{Evidence, Suppression};
use crate::source::View;
use crate::units::attribute_text;

/// Finds all suppressions.
pub fn find(view: &View<'_>, found: &mut Evidence) {
    for node in view.inside(0) {
        let kind = view.tree.get(node).kind;
        if view.tree.is_comment(node) {
            comment(view, node, found);
        }
        if view.data.attributes.has(kind) {
            let text = attribute_text(view, node);
            if let Some((pattern, tools)) = view.data.quiet_attributes.get(&text) {
                add(view, node, form_of(pattern), &text, tools, found);
            }
        } else if view.data.directives.has(kind) {
            let text = words(view.of(node));
            if let Some((pattern, tools)) = view.data.quiet_texts.get(&text) {
                add(view, node, form_of(pattern), &text, tools, found);
            }
        } else if let Some(call) = view.call(node) {
            let head = view.head(call);
            let text: String = view.some_tokens(node, 60, u32::MAX).iter().map(|t| t.text).collect();
            let text = if text.starts_with(&head) { text } else { head };
            if let Some((pattern, tools)) = view.data.quiet_calls.get(&text) {
                add(view, node, form_of(pattern), &text, tools, found);
            }
        }
    }
}

/// A comment may hold several directives, one a line or one after the other.
fn comment(view: &View<'_>, node: u32, found: &mut Evidence) {
    for line in view.of(node).lines() {
        let line = line
            .trim()
            .trim_start_matches(['/', '*', '#', '!', '-', '<', ';', '%'])
            .trim_end_matches("*/")
            .trim_end_matches("-->");
        for part in line.split(" #").flat_map(|p| p.split("//")) {
            let part = words(part.trim_start_matches('#'));
            if part.is_empty() {
                continue;
            }
            let fits = view.data.comments.iter().filter(|(text, anywhere, _)| begins(&part, text, *anywhere));
            if let Some((form, _, tools)) = fits.max_by_key(|(text, _, _)| text.len()) {
                let text = match part.to_lowercase().find(&form.to_lowercase()) {
                    Some(at) if part.is_char_boundary(at) => part[at..].to_owned(),
                    _ => part.clone(),
                };
                add(view, node, form, &text, tools, found);
            }
        }
    }
}

/// Whether a comment's words begin with a directive that ends there, or hold it.
fn begins(part: &str, directive: &str, anywhere: bool) -> bool {
    let (part, directive) = (part.to_lowercase(), directive.to_lowercase());
    let ends = |rest: &str| !rest.starts_with(|c: char| c.is_alphanumeric());
    match anywhere {
        false => part.strip_prefix(&directive).is_some_and(ends),
        true => part.match_indices(&directive).any(|(at, _)| {
            let alone = !part[..at].ends_with(|c: char| c.is_alphanumeric());
            alone && ends(&part[at + directive.len()..])
        }),
    }
}

fn form_of(pattern: &str) -> &str {
    pattern.trim_end_matches('*').trim_end_matches('(')
}

fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn add(view: &View<'_>, node: u32, form: &str, text: &str, tools: &[String], found: &mut Evidence) {
    let at = view.at(node);
    found.suppressions.push(Suppression {
        at,
        form: form.to_owned(),
        text: text.to_owned(),
        tools: tools.to_vec(),
        expecting: view.data.expecting.iter().any(|e| e == form),
        symbol: symbol_of(view, node),
        // The symbol says where an attribute belongs.
        target: if view.tree.is_comment(node) { target(view, node) } else { String::new() },
    });
}

/// The symbol that a directive stands in, or before.
fn symbol_of(view: &View<'_>, node: u32) -> String {
    let symbol = match view.data.attributes.has(view.tree.get(node).kind) {
        true => view.symbol_of(node),
        false => view.inner_symbol(view.tree.get(node).start),
    };
    symbol.map(|s| view.facts.names.get(s.qualified).to_owned()).unwrap_or_default()
}

/// The code on the same line, or else that of the next line with code.
fn target(view: &View<'_>, node: u32) -> String {
    let this = view.tree.get(node);
    let line_of = |row: u32, from: u32| {
        let nodes = &view.tree.nodes[..view.end as usize];
        let leaf = |i: &u32| view.tree.is_leaf(*i) && !view.tree.is_comment(*i);
        let first = nodes.partition_point(|n| n.start < from) as u32;
        let row_of = (first..view.end).take_while(|&i| view.tree.get(i).row <= row);
        let texts: Vec<&str> =
            row_of.filter(leaf).filter(|&i| view.tree.get(i).row == row).map(|i| view.of(i)).collect();
        texts.join(" ")
    };
    let start = view.text[..this.start as usize].rfind('\n').map_or(0, |i| i as u32 + 1);
    let same = line_of(this.row, start);
    if !same.is_empty() && view.tree.is_comment(node) {
        return same;
    }
    let after = (this.next..view.end).find(|&i| {
        let n = view.tree.get(i);
        n.row > this.end_row && view.tree.is_leaf(i) && !view.tree.is_comment(i)
    });
    after.map(|i| line_of(view.tree.get(i).row, view.tree.get(i).start)).unwrap_or_default()
}
