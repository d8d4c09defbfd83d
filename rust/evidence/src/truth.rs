//! What an expression's tokens say for certain: that it is true, or the same on every run.
//!
//! Only what is plain from the tokens counts: a value that cannot be told is one that can differ.

use crate::source::{bare, join, split, Token};

const OR: &[&str] = &["||", "or", "??"];
const AND: &[&str] = &["&&", "and"];
const NOT: &[&str] = &["!", "not"];
const SAME: &[&str] = &["==", "===", "is", "<=", ">=", "<=>"];
const JOINING: &[&str] = &["and", "or", "not", "is", "in"];
const FALSE: &[&str] = &["false", "none", "null", "nil", "nullptr", "undefined", "0", "0.0", "\"\"", "''", "``"];

/// Whether the tokens are a value that is written down.
pub fn constant(tokens: &[Token<'_>]) -> bool {
    let function = split(tokens, &["=>", "->", "|", "?"]).len() > 1 || tokens.first().is_some_and(|t| t.text == "||");
    let word = |t: &Token<'_>| t.text.starts_with(|c: char| c.is_alphanumeric() || c == '_' || c == '$' || c == '@');
    !tokens.is_empty() && !function && tokens.iter().all(|t| t.literal || !word(t) || JOINING.contains(&t.text))
}

/// Whether the tokens are true on every run.
pub fn always(tokens: &[Token<'_>], tuples: bool) -> bool {
    let inner = bare(tokens);
    if inner.is_empty() {
        return false;
    }
    if tuples && inner.len() < tokens.len() && split(inner, &[","]).len() > 1 {
        return true;
    }
    let any = split(inner, OR);
    if any.len() > 1 {
        return any.iter().any(|side| always(side, tuples)) || opposites(&any);
    }
    let all = split(inner, AND);
    if all.len() > 1 {
        return all.iter().all(|side| always(side, tuples));
    }
    match inner {
        [one] => one.literal && !FALSE.contains(&one.text.to_lowercase().as_str()),
        [not, rest @ ..] if NOT.contains(&not.text) => never(rest),
        [open, inside @ .., close] if tuples && open.text == "[" && close.text == "]" => !inside.is_empty(),
        _ => compared(inner),
    }
}

/// Whether the tokens are false on every run.
pub fn never(tokens: &[Token<'_>]) -> bool {
    let inner = bare(tokens);
    match inner {
        [one] => one.literal && FALSE.contains(&one.text.to_lowercase().as_str()),
        [not, rest @ ..] if NOT.contains(&not.text) => always(rest, false),
        _ => {
            let sides = split(inner, &["!=", "!=="]);
            sides.len() == 2 && same(sides[0], sides[1])
        }
    }
}

fn compared(tokens: &[Token<'_>]) -> bool {
    let sides = split(tokens, SAME);
    if sides.len() != 2 || split(tokens, &["not", "!"]).len() > 1 {
        return false;
    }
    let (left, right) = (sides[0], sides[1]);
    if left.is_empty() || right.is_empty() {
        return false;
    }
    let operator = tokens[left.len()].text;
    same(left, right)
        || (constant(left) && constant(right))
        || (operator == ">=" && is_length(left) && is_zero(right))
        || (operator == "<=" && is_zero(left) && is_length(right))
}

/// Whether two operands are the same value for certain: the same tokens, and nothing in them runs.
pub fn same(left: &[Token<'_>], right: &[Token<'_>]) -> bool {
    let (left, right) = (bare(left), bare(right));
    !left.is_empty()
        && left.len() == right.len()
        && left.iter().zip(right).all(|(a, b)| a.text == b.text)
        && !left.iter().any(|t| matches!(t.text, "(" | "await" | "++" | "--" | "?" | "=>" | "yield"))
}

fn opposites(sides: &[&[Token<'_>]]) -> bool {
    let plain = |side: &[Token<'_>]| {
        let side = bare(side);
        match side {
            [not, rest @ ..] if NOT.contains(&not.text) => (join(bare(rest)), true),
            _ => match split(side, &["==", "===", "is", "!=", "!=="])[..] {
                [left, right] if !left.is_empty() => {
                    let operator = side[left.len()].text;
                    let (negated, right) = match right {
                        [not, rest @ ..] if not.text == "not" => (true, rest),
                        right => (operator.starts_with('!'), right),
                    };
                    (format!("{} = {}", join(left), join(right)), negated)
                }
                _ => (join(side), false),
            },
        }
    };
    let all: Vec<(String, bool)> = sides.iter().map(|side| plain(side)).collect();
    all.iter().any(|(text, negated)| !negated && all.contains(&(text.clone(), true)))
}

/// Whether the tokens are the length of something.
pub fn is_length(tokens: &[Token<'_>]) -> bool {
    let words = ["len", "length", "size", "count", "Count", "Length", "strlen", "sizeof", "Len"];
    let tokens = bare(tokens);
    let last = tokens.iter().rev().find(|t| !matches!(t.text, "(" | ")")).map_or("", |t| t.text);
    let first = tokens.first().map_or("", |t| t.text);
    let second = tokens.get(1).map_or("", |t| t.text);
    words.contains(&last) || (words.contains(&first) && second == "(" && split(tokens, &["-", "+"]).len() == 1)
}

/// Whether the tokens are the number zero.
pub fn is_zero(tokens: &[Token<'_>]) -> bool {
    matches!(bare(tokens), [one] if one.text == "0")
}

/// How much an expression that must be true says: 3 where it compares with a value, 2 with some of them, 1 else.
pub fn strength(tokens: &[Token<'_>]) -> u8 {
    let tokens = bare(tokens);
    if split(tokens, AND).len() > 1 {
        return split(tokens, AND).iter().map(|side| strength(side)).max().unwrap_or(1);
    }
    if split(tokens, OR).len() > 1 {
        return split(tokens, OR).iter().map(|side| strength(side)).min().unwrap_or(1);
    }
    if split(tokens, &["in", "<", ">", "<=", ">=", "=~"]).len() == 2 && split(tokens, &["not"]).len() == 1 {
        return 2;
    }
    let sides = split(tokens, &["==", "===", "is", "equals"]);
    let against_nothing = |side: &[Token<'_>]| {
        let side = bare(side);
        matches!(side, [one] if FALSE[1..6].contains(&one.text.to_lowercase().as_str()))
            || side.first().is_some_and(|t| t.text == "not")
    };
    match sides[..] {
        [_, right] if !against_nothing(right) => 3,
        // Nothing but the missing value will do.
        [_, right] if right.first().is_some_and(|t| t.text != "not") => 3,
        _ => 1,
    }
}
