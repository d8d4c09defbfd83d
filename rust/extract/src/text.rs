//! Texts made of source: one-line signatures, documentation, and a hash of tokens.

/// Whitespace collapsed, at most `max` characters.
pub fn one_line(source: &str, max: usize) -> String {
    let mut line = String::with_capacity(source.len().min(max + 4));
    let mut count = 0;
    for word in source.split_whitespace() {
        if !line.is_empty() {
            line.push(' ');
            count += 1;
        }
        for c in word.chars() {
            if count >= max {
                line.push('…');
                return line;
            }
            line.push(c);
            count += 1;
        }
    }
    line
}

/// A text without the indentation that its lines share; at most `max` bytes.
pub fn dedent(source: &str, max: usize) -> String {
    let mut lines: Vec<&str> = source.lines().map(str::trim_end).collect();
    let indent = |line: &&str| line.len() - line.trim_start().len();
    let shared = lines.iter().skip(1).filter(|l| !l.is_empty()).map(indent).min().unwrap_or(0);
    for (index, line) in lines.iter_mut().enumerate() {
        *line = if index == 0 { line.trim_start() } else { line.get(shared..).unwrap_or(line.trim_start()) };
    }
    cut(lines.join("\n").trim(), max)
}

/// Comments without their marks.
pub fn uncommented(comments: &[&str], max: usize) -> String {
    let mut lines: Vec<&str> = Vec::new();
    for comment in comments {
        let block = comment.starts_with("/*");
        let body = comment.trim_end().strip_suffix("*/").unwrap_or(comment);
        for line in body.lines() {
            let line = line.trim();
            let line = if block {
                line.trim_start_matches(['/', '*', '!'])
            } else {
                line.trim_start_matches(['/', '#', '-', '!'])
            };
            lines.push(line.strip_prefix(' ').unwrap_or(line).trim_end());
        }
    }
    cut(lines.join("\n").trim(), max)
}

/// A called name in a text, and how many arguments it is given.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TextCall {
    /// First byte of the name.
    pub start: usize,
    /// One past its last byte.
    pub end: usize,
    /// Number of arguments.
    pub arguments: usize,
}

/// Names right before a parenthesis that no member access leads to; strings and comments are passed over.
pub fn calls(text: &str) -> Vec<TextCall> {
    let bytes = text.as_bytes();
    let word = |b: u8| b.is_ascii_alphanumeric() || b == b'_';
    let mut found: Vec<TextCall> = Vec::new();
    // For each open parenthesis: the call it belongs to, and whether something stands in it.
    let mut open: Vec<(Option<usize>, bool)> = Vec::new();
    let (mut at, mut before) = (0, b' ');
    while at < bytes.len() {
        let byte = bytes[at];
        let start = at;
        if word(byte) {
            while at < bytes.len() && word(bytes[at]) {
                at += 1;
            }
            let mut next = at;
            while bytes.get(next).is_some_and(u8::is_ascii_whitespace) {
                next += 1;
            }
            if let Some(around) = open.last_mut() {
                around.1 = true;
            }
            if bytes.get(next) == Some(&b'(') && !byte.is_ascii_digit() && !matches!(before, b'.' | b'>' | b':' | b'#')
            {
                open.push((Some(found.len()), false));
                found.push(TextCall { start, end: at, arguments: 0 });
                at = next + 1;
                before = b'(';
                continue;
            }
            before = b'a';
            continue;
        }
        match byte {
            b'"' | b'\'' => {
                at += 1;
                while at < bytes.len() && bytes[at] != byte {
                    at += 1 + usize::from(bytes[at] == b'\\');
                }
            }
            b'/' if bytes.get(at + 1) == Some(&b'*') => {
                at = text.get(at..).and_then(|t| t.find("*/")).map_or(bytes.len(), |i| at + i + 2);
                continue;
            }
            b'/' if bytes.get(at + 1) == Some(&b'/') => break,
            b'(' => open.push((None, false)),
            b')' => {
                if let Some((Some(call), filled)) = open.pop() {
                    found[call].arguments += usize::from(filled);
                }
            }
            b',' => {
                if let Some((Some(call), _)) = open.last() {
                    found[*call].arguments += 1;
                }
            }
            _ => {}
        }
        if !byte.is_ascii_whitespace() && byte != b'\\' {
            before = byte;
            if let (Some(around), true) = (open.last_mut(), !matches!(byte, b'(' | b',')) {
                around.1 = true;
            }
        }
        at += 1;
    }
    found
}

fn cut(text: &str, max: usize) -> String {
    let mut end = text.len().min(max);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text[..end].to_owned()
}

/// A fast 64-bit hash of a sequence of tokens, the same in every version and on every machine.
pub struct TokenHash(u64);

impl Default for TokenHash {
    fn default() -> Self {
        Self(0x9e37_79b9_7f4a_7c15)
    }
}

impl TokenHash {
    /// Adds a token.
    pub fn add(&mut self, token: &[u8]) {
        let mut rest = token;
        while let Some((word, after)) = rest.split_first_chunk::<8>() {
            self.mix(u64::from_le_bytes(*word));
            rest = after;
        }
        self.mix(last_bytes(rest) ^ (token.len() as u64) << 56);
    }

    /// Adds the hash of several tokens.
    pub fn add_hash(&mut self, hash: u64) {
        self.mix(hash);
    }

    fn mix(&mut self, word: u64) {
        let product = u128::from(self.0 ^ word ^ 0xa076_1d64_78bd_642f) * 0xe703_7ed1_a0b4_28db;
        self.0 = (product as u64 ^ (product >> 64) as u64).rotate_left(23).wrapping_add(word);
    }

    /// The hash; never 0.
    pub fn finish(mut self) -> u64 {
        self.mix(0x8ebc_6af0_9c88_c6e3);
        self.0.max(1)
    }
}

/// Up to seven bytes as one number; together with their number, no others give the same.
fn last_bytes(bytes: &[u8]) -> u64 {
    if let (Some(first), Some(last)) = (bytes.first_chunk::<4>(), bytes.last_chunk::<4>()) {
        return u64::from(u32::from_le_bytes(*first)) | u64::from(u32::from_le_bytes(*last)) << 24;
    }
    match *bytes {
        [a, b, c] => u64::from(a) | u64::from(b) << 8 | u64::from(c) << 16,
        [a, b] => u64::from(a) | u64::from(b) << 8,
        [a] => u64::from(a),
        _ => 0,
    }
}
