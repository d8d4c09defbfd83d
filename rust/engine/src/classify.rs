//! Is this text that people wrote? Only bytes are looked at, so the answer is the same on every machine.

use crate::skip::Reason;

/// How much of the start decides whether a file is text.
const HEAD: usize = 8 << 10;

/// A file below this size is indexed even if it is one line; a small file costs nothing.
const MINIFIED_FROM: usize = 64 << 10;

/// The same where the name itself says `.min.`.
const MARKED_MINIFIED_FROM: usize = 1 << 10;

/// Nobody writes lines of code longer than this.
const LONG_LINE: usize = 1_000;

/// Why the content should be left out, if it should. `bytes` is the whole file.
pub fn classify(path: &str, bytes: &[u8]) -> Option<Reason> {
    let utf16 = bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff");
    if utf16 {
        return None;
    }
    if is_binary(&bytes[..bytes.len().min(HEAD)]) {
        return Some(Reason::Binary);
    }
    is_minified(path, bytes).then_some(Reason::Minified)
}

/// Control characters that text does not have make up more than a twentieth. Stray ones (a NUL in a comment) stay
/// below that; compressed or random bytes have twice as many.
fn is_binary(head: &[u8]) -> bool {
    let controls = head.iter().filter(|&&b| b < 0x20 && !matches!(b, 0x08..=0x0d | 0x1a | 0x1b)).count();
    controls > 4 && controls * 20 > head.len()
}

/// Nearly all bytes stand in very long lines, and these are dense with the punctuation of code. Long lines of data
/// (an embedded image, a table) are not: the code beside them is worth having. Nor are lines of hardly anything but
/// punctuation, which test how deep a parser goes.
fn is_minified(path: &str, bytes: &[u8]) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let from = if name.contains(".min.") { MARKED_MINIFIED_FROM } else { MINIFIED_FROM };
    if bytes.len() < from {
        return false;
    }
    let (mut long, mut punctuation) = (0usize, 0usize);
    for line in bytes.split(|&b| b == b'\n' || b == b'\r') {
        if line.len() > LONG_LINE {
            long += line.len();
            punctuation += line.iter().filter(|b| matches!(b, b'(' | b')' | b'{' | b'}' | b';' | b'=')).count();
        }
    }
    long * 5 > bytes.len() * 4 && punctuation * 25 > long && punctuation * 2 < long
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_nul_in_a_comment_is_text() {
        assert_eq!(classify("a.c", b"/* a\0b */ int f(void) { return 1; }\n"), None);
    }

    #[test]
    fn random_bytes_are_binary() {
        let bytes: Vec<u8> = (0..4096u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
        assert_eq!(classify("a.java", &bytes), Some(Reason::Binary));
    }

    #[test]
    fn a_bundle_is_minified_and_a_table_is_not() {
        let bundle = "function f(a){return a=g(a)};".repeat(4_000);
        assert_eq!(classify("a.js", bundle.as_bytes()), Some(Reason::Minified));
        let table = format!("const rows = '{}';\nfunction f() {{}}\n", "ab,cd;".repeat(20_000).replace(';', "/"));
        assert_eq!(classify("a.js", table.as_bytes()), None);
    }

    #[test]
    fn a_small_file_with_a_long_line_is_indexed_unless_it_is_marked() {
        let small = "function f(a){return a=g(a)};".repeat(200);
        assert_eq!(classify("a.js", small.as_bytes()), None);
        assert_eq!(classify("lib/a.min.js", small.as_bytes()), Some(Reason::Minified));
    }
}
