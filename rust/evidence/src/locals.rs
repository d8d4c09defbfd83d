//! Variables of a test that are given one value and used in assertions only.

use crate::found::At;
use crate::source::{bare, Token, View};
use crate::truth::constant;

/// How many names a value is followed through.
const STEPS: usize = 3;

/// In code of more nodes nothing is looked for.
const LARGEST: usize = 20_000;

/// Operands with more tokens are taken as they are.
const LONGEST: usize = 24;

/// An operand in which variables that have one plain value are replaced by it.
///
/// A variable that anything but an assertion touches may change, and stands for itself.
pub fn value<'a>(view: &View<'a>, operand: &[Token<'a>], unit: Option<At>, assertions: &[At]) -> Vec<Token<'a>> {
    let Some(unit) = unit.filter(|_| operand.len() <= LONGEST) else { return operand.to_vec() };
    let mut found = Vec::new();
    for (at, token) in operand.iter().enumerate() {
        let next = operand.get(at + 1).map_or("", |t| t.text);
        let before = at.checked_sub(1).map_or("", |i| operand[i].text);
        let part =
            matches!(next, "(" | "." | "[" | "::" | "->" | "=" | "{") || matches!(before, "." | "::" | "->" | "?.");
        match part {
            true => found.push(*token),
            false => found.extend(plain(view, *token, unit, assertions)),
        }
    }
    found
}

fn plain<'a>(view: &View<'a>, token: Token<'a>, unit: At, assertions: &[At]) -> Vec<Token<'a>> {
    let mut tokens = vec![token];
    for _ in 0..STEPS {
        let [one] = tokens[..] else { break };
        let word = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
        if one.literal || !one.text.chars().all(word) {
            break;
        }
        // A value that is worked out is no name for another.
        match only_value(view, one.text, unit, assertions) {
            Some(value) if bare(&value).len() == 1 || constant(&value) => tokens = bare(&value).to_vec(),
            _ => break,
        }
    }
    tokens
}

fn only_value<'a>(view: &View<'a>, name: &str, unit: At, assertions: &[At]) -> Option<Vec<Token<'a>>> {
    let nodes = &view.tree.nodes[..view.end as usize];
    let first = nodes.partition_point(|n| n.start < unit.start) as u32;
    if nodes.partition_point(|n| n.start < unit.end) > first as usize + LARGEST {
        return None;
    }
    let mut value = None;
    let mut last = u32::MAX;
    for node in first..view.end {
        let at = view.at(node);
        if at.start >= unit.end {
            break;
        }
        // A name may be a node with a node inside.
        if at.start == last || view.of(node) != name {
            continue;
        }
        last = at.start;
        if let Some(given) = definition(view, node, name) {
            if value.replace(given).is_some() {
                return None;
            }
        } else if !assertions.iter().any(|a| a.holds(&at)) {
            return None;
        }
    }
    value
}

/// What a definition at this node gives the name.
fn definition<'a>(view: &View<'a>, node: u32, name: &str) -> Option<Vec<Token<'a>>> {
    for around in view.around(node).take(3) {
        let tokens = view.tokens(around);
        let at = tokens.iter().position(|t| t.text == name && t.node >= node)?;
        let Some(equal) = tokens.get(at + 1) else { continue };
        if !matches!(equal.text, "=" | ":=") || at > 3 {
            continue;
        }
        let rest = &tokens[at + 2..];
        let rest = rest.strip_suffix(&[Token { text: ";", literal: false, node: 0 }][..]).unwrap_or(rest);
        let rest = match rest {
            [inside @ .., last] if last.text == ";" => inside,
            _ => rest,
        };
        return Some(rest.to_vec());
    }
    None
}
