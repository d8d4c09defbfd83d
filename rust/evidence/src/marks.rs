//! Marks that keep tests from running or from counting.

use crate::found::{At, Evidence, Mark};
use crate::source::{split, View};
use crate::truth;
use crate::units::{attribute_text, written_texts};
use mmcg_lang::Role;

/// Finds all marks. Units must have been found.
pub fn find(view: &View<'_>, found: &mut Evidence) {
    for node in view.everywhere() {
        let data = view.data;
        if data.attributes.has(view.tree.get(node).kind) {
            if let Some((_, kind)) = data.mark_attributes.get(&attribute_text(view, node)) {
                let kind = if kind == "conditional" && holds_always(view, node) { "skip" } else { kind };
                let target = symbol_around(view, node);
                found.marks.push(mark(view, node, kind, target));
            }
            continue;
        }
        if let Some(call) = view.call(node) {
            let head = view.head(call);
            let named = unit_at(found, view.at(node)).is_some();
            if let Some((_, kind)) = data.mark_tests.get(&head).filter(|_| named) {
                found.marks.push(mark(view, node, kind, view.at(node)));
            } else if let Some((_, kind)) = data.mark_calls.get(&head) {
                let unit = unit_around(found, view.at(node));
                let kind = if in_condition(view, node, unit) { "conditional" } else { kind };
                found.marks.push(mark(view, node, kind, unit));
            }
            if named {
                for operand in view.operands(call.arguments) {
                    let text: String = operand.iter().take(40).map(|t| t.text).collect();
                    if let Some((_, kind)) = data.mark_arguments.get(&text) {
                        let target = unit_at(found, view.at(node)).unwrap_or(view.at(node));
                        found.marks.push(mark(view, node, kind, target));
                    }
                }
            }
            continue;
        }
        if view.is(node, Role::Assign) || view.is(node, Role::Variable) {
            let tokens = view.some_tokens(node, 60, u32::MAX);
            let text: String = tokens.iter().map(|t| t.text).collect();
            if let Some((_, kind)) = data.mark_assignments.get(&text) {
                let target = symbol_around(view, node);
                found.marks.push(mark(view, node, kind, target));
            }
        }
    }
    for unit in found.units.iter().filter(|u| u.test) {
        if let Some((name, kind)) = unit.path.iter().find_map(|n| Some((n, view.data.mark_names.get(n)?.1))) {
            let text = name.clone();
            found.marks.push(Mark { at: unit.at, kind: kind.clone(), text, target: unit.at });
        }
        for text in written_texts(view, unit) {
            if let Some((_, kind)) = view.data.mark_arguments.get(text) {
                let text = text.to_owned();
                found.marks.push(Mark { at: unit.at, kind: kind.clone(), text, target: unit.at });
            }
        }
    }
}

fn mark(view: &View<'_>, node: u32, kind: &str, target: At) -> Mark {
    let mut text = view.normal(node);
    if text.len() > 200 {
        let mut end = 200;
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        text.truncate(end);
    }
    Mark { at: view.at(node), kind: kind.to_owned(), text, target }
}

/// Whether the first argument of an attribute is true on every run.
fn holds_always(view: &View<'_>, node: u32) -> bool {
    let tokens = view.tokens(node);
    let Some(open) = tokens.iter().position(|t| t.text == "(") else { return false };
    let inside = &tokens[open + 1..tokens.len().saturating_sub(1).max(open + 1)];
    truth::always(split(inside, &[","])[0], false)
}

/// The whole definition around an attribute, or the file.
fn symbol_around(view: &View<'_>, node: u32) -> At {
    view.symbol_of(node).map_or(view.at(0), |symbol| view.whole(symbol))
}

fn unit_around(found: &Evidence, at: At) -> At {
    let around = found.units.iter().filter(|u| u.at.holds(&at));
    around.min_by_key(|u| u.at.end - u.at.start).map_or(at, |u| u.at)
}

fn unit_at(found: &Evidence, at: At) -> Option<At> {
    found.units.iter().find(|u| u.kind != "function" && u.at.start == at.start).map(|u| u.at)
}

/// Whether a condition stands around a node, within a place.
fn in_condition(view: &View<'_>, node: u32, within: At) -> bool {
    let Some(field) = view.tables.parser.field_id_for_name("condition") else { return false };
    view.around(node)
        .take_while(|&n| within.holds(&view.at(n)))
        .any(|n| view.tree.children(n).any(|c| view.tree.get(c).field == field.get()))
}
