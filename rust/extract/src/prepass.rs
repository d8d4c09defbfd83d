//! Before the parser reads a language with a preprocessor: text that only the preprocessor could make sense of is blanked
//! out with spaces, so that every other token keeps its place.
//!
//! Blanked are: branches that are never compiled (`#if 0`), all branches but the first where a branch opens a brace that it
//! does not close, and macros that stand for attributes: words that a declaration has no room for.

mod branches;
mod words;

use mmcg_lang::Preprocess;
use std::borrow::Cow;

/// The source as the parser shall see it: the same length, the same lines.
pub fn prepared<'a>(source: &'a str, rules: &Preprocess) -> Cow<'a, str> {
    let mut blanks: Vec<(usize, usize)> = Vec::new();
    let tokens = tokens(source.as_bytes());
    let directives = branches::directives(source.as_bytes(), &tokens);
    let dead = branches::blank(source.as_bytes(), &tokens, &directives, &mut blanks);
    words::blank(source, &tokens, &dead, rules, &mut blanks);
    if blanks.is_empty() {
        return Cow::Borrowed(source);
    }
    let mut text = source.as_bytes().to_vec();
    for (start, end) in blanks {
        for byte in &mut text[start..end] {
            if *byte != b'\n' && *byte != b'\r' {
                *byte = b' ';
            }
        }
    }
    // Whole tokens and lines are blanked, so that no character is cut.
    String::from_utf8(text).map_or(Cow::Borrowed(source), Cow::Owned)
}

/// What a token is, as far as the pre-pass needs it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// A name or keyword.
    Word,
    /// A number, string or character.
    Literal,
    /// One character of punctuation, or `::`.
    Mark(u8),
    /// A directive: from `#` to the end of its line, continued lines included.
    Directive,
}

/// One token.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    pub kind: Kind,
    pub start: u32,
    pub end: u32,
}

/// The tokens of a text; comments are left out.
fn tokens(text: &[u8]) -> Vec<Token> {
    let mut found = Vec::with_capacity(text.len() / 4);
    let (mut at, mut line_begins) = (0, true);
    while at < text.len() {
        let byte = text[at];
        let start = at;
        let kind = match byte {
            b'\n' => {
                line_begins = true;
                at += 1;
                continue;
            }
            b' ' | b'\t' | b'\r' | 0x0b | 0x0c => {
                at += 1;
                continue;
            }
            b'\\' if matches!(text.get(at + 1), Some(b'\n' | b'\r')) => {
                at += 2;
                continue;
            }
            b'/' if text.get(at + 1) == Some(&b'/') => {
                at = line_end(text, at);
                continue;
            }
            b'/' if text.get(at + 1) == Some(&b'*') => {
                at = find(text, at + 2, b"*/").map_or(text.len(), |end| end + 2);
                continue;
            }
            b'#' if line_begins => {
                at = directive_end(text, at);
                Kind::Directive
            }
            b'"' => {
                at = quoted(text, at, b'"');
                Kind::Literal
            }
            b'\'' => {
                at = quoted(text, at, b'\'');
                Kind::Literal
            }
            b'0'..=b'9' => {
                while at < text.len() && (is_word(text[at]) || matches!(text[at], b'.' | b'\'')) {
                    at += 1;
                }
                Kind::Literal
            }
            _ if is_word(byte) => {
                while at < text.len() && is_word(text[at]) {
                    at += 1;
                }
                let raw = text.get(at) == Some(&b'"') && text[at - 1] == b'R' && at - start <= 3;
                if raw {
                    at = raw_string(text, at);
                    Kind::Literal
                } else {
                    Kind::Word
                }
            }
            b':' if text.get(at + 1) == Some(&b':') => {
                at += 2;
                Kind::Mark(b'~' + 1)
            }
            _ => {
                at += 1;
                Kind::Mark(byte)
            }
        };
        line_begins = false;
        found.push(Token { kind, start: start as u32, end: at as u32 });
    }
    found
}

/// The mark that stands for `::`.
pub(crate) const PATH: Kind = Kind::Mark(b'~' + 1);

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || byte >= 0x80
}

fn line_end(text: &[u8], from: usize) -> usize {
    let mut at = from;
    while at < text.len() && text[at] != b'\n' {
        // A line ends with a backslash: it goes on.
        at += if text[at] == b'\\' && at + 1 < text.len() { 2 } else { 1 };
    }
    at.min(text.len())
}

/// The end of a directive: its line with continued ones, but not into a comment that goes on below.
fn directive_end(text: &[u8], from: usize) -> usize {
    let mut at = from;
    while at < text.len() && text[at] != b'\n' {
        match text[at] {
            b'\\' if text.get(at + 1) == Some(&b'\r') => at += 3,
            b'\\' => at += 2,
            b'/' if text.get(at + 1) == Some(&b'/') => return line_end(text, at),
            b'/' if text.get(at + 1) == Some(&b'*') => match find(text, at + 2, b"*/") {
                Some(end) => at = end + 2,
                None => return text.len(),
            },
            _ => at += 1,
        }
    }
    at.min(text.len())
}

fn quoted(text: &[u8], from: usize, quote: u8) -> usize {
    let mut at = from + 1;
    while at < text.len() {
        match text[at] {
            b'\\' => at += 2,
            b'\n' => return at,
            byte if byte == quote => return at + 1,
            _ => at += 1,
        }
    }
    text.len()
}

/// `R"mark( … )mark"`, from its quote.
fn raw_string(text: &[u8], from: usize) -> usize {
    let Some(open) = text[from..].iter().take(20).position(|&b| b == b'(') else { return from + 1 };
    let mut close = vec![b')'];
    close.extend_from_slice(&text[from + 1..from + open]);
    close.push(b'"');
    find(text, from + open, &close).map_or(text.len(), |end| end + close.len())
}

fn find(text: &[u8], from: usize, wanted: &[u8]) -> Option<usize> {
    if from >= text.len() {
        return None;
    }
    text[from..].windows(wanted.len()).position(|w| w == wanted).map(|i| from + i)
}

#[cfg(test)]
mod tests;
