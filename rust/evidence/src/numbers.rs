//! Numbers with names: limits and thresholds of scripts that check something.

use crate::found::{Evidence, Number};
use crate::source::{join, View};
use mmcg_lang::Role;

/// Most tokens of a name.
const NAME: usize = 12;

/// Most numbers of a file: those with more are tables, not limits.
const MOST: usize = 2_000;

/// Finds all numbers that something is set to or compared with.
pub fn find(view: &View<'_>, found: &mut Evidence) {
    let roles = [Role::Assign, Role::Variable, Role::Argument, Role::Pair, Role::Operator, Role::Parameter];
    for node in view.inside(0) {
        let text = view.of(node);
        let plain = text.starts_with(|c: char| c.is_ascii_digit()) && view.is(node, Role::Literal);
        if !plain {
            continue;
        }
        if found.numbers.len() >= MOST {
            break;
        }
        for around in view.around(node).take(3) {
            // Comparisons have no role in grammars that chain them; they are told by their operator.
            let tokens = view.some_tokens(around, NAME + 1, u32::MAX);
            let Some(at) = tokens.iter().position(|t| t.node == node) else { continue };
            let whole_name = |open: &str, close: &str| {
                let count = |word: &str| tokens[..at].iter().filter(|t| t.text == word).count();
                count(open) == count(close)
            };
            if !(whole_name("(", ")") && whole_name("[", "]") && whole_name("{", "}")) {
                break;
            }
            let named = (1..=NAME).contains(&at)
                && matches!(tokens[at - 1].text, "=" | ":" | ":=" | "=>" | "<" | ">" | "<=" | ">=" | "==");
            let whole =
                roles.iter().any(|&role| view.is(around, role)) || matches!(tokens[0].text, "const" | "let" | "var");
            if named || (whole && at > 0 && at <= NAME) {
                found.numbers.push(Number {
                    at: view.at(node),
                    name: keys_around(view, around) + &join(&tokens[..at]),
                    value: text.to_owned(),
                    symbol: view.symbol_at(view.tree.get(node).start),
                });
                break;
            }
        }
    }
}

/// The keys that lead to a pair in a literal, each with a point behind it.
fn keys_around(view: &View<'_>, node: u32) -> String {
    if !view.is(node, Role::Pair) {
        return String::new();
    }
    let pairs: Vec<u32> = view.around(node).take(12).filter(|&n| view.is(n, Role::Pair)).take(4).collect();
    let key = |&n: &u32| view.some_tokens(n, 1, u32::MAX).first().map_or(String::new(), |t| format!("{}.", t.text));
    pairs.iter().rev().map(key).collect()
}
