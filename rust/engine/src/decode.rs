//! Bytes of a file → text for the parser, with a way back from text offsets to file offsets.
//!
//! The text has no byte-order mark, no NUL (it ends the input for many scanners) and no lone carriage return, which
//! counts as a line end. Where the file is UTF-8, every other byte keeps its distance from the start.

use mmcg_facts::{Problem, ProblemCode, Span};

/// How an offset in the text becomes one in the file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Map {
    /// A constant is added.
    Shift(u32),
    /// Each character was one byte.
    SingleByte,
    /// Each character was one or two units of two bytes, after a byte-order mark.
    Utf16,
}

/// A decoded file.
#[derive(Debug)]
pub struct Decoded {
    /// The text.
    pub text: String,
    /// What had to be guessed or replaced.
    pub problem: Option<Problem>,
    map: Map,
}

/// Decodes a file: UTF-8, UTF-16 with a byte-order mark, else Windows-1252. `None` for encodings that are not
/// supported (UTF-32).
pub fn decode(bytes: Vec<u8>) -> Option<Decoded> {
    if bytes.starts_with(b"\xff\xfe\0\0") || bytes.starts_with(b"\0\0\xfe\xff") {
        return None;
    }
    let mut decoded = match bytes.get(..2) {
        Some(b"\xff\xfe") => utf16(&bytes, encoding_rs::UTF_16LE),
        Some(b"\xfe\xff") => utf16(&bytes, encoding_rs::UTF_16BE),
        _ => match String::from_utf8(bytes) {
            Ok(text) => Decoded { text, problem: None, map: Map::Shift(0) },
            Err(error) => not_utf8(error.into_bytes()),
        },
    };
    if decoded.text.starts_with('\u{feff}') {
        decoded.text.drain(..3);
        decoded.map = Map::Shift(3);
    }
    decoded.text = plain_line_ends(decoded.text);
    Some(decoded)
}

/// Decodes without changing line ends or NULs: what a file says, for showing it to people.
pub fn decode_verbatim(bytes: &[u8]) -> String {
    match bytes.get(..2) {
        Some(b"\xff\xfe") => utf16(bytes, encoding_rs::UTF_16LE).text,
        Some(b"\xfe\xff") => utf16(bytes, encoding_rs::UTF_16BE).text,
        _ => match std::str::from_utf8(bytes) {
            Ok(text) => text.to_owned(),
            Err(_) => not_utf8(bytes.to_vec()).text,
        },
    }
}

fn utf16(bytes: &[u8], encoding: &'static encoding_rs::Encoding) -> Decoded {
    let (text, broken) = encoding.decode_without_bom_handling(&bytes[2..]);
    let problem = broken.then(|| problem("the file is not valid UTF-16; some characters were replaced".to_owned()));
    Decoded { text: text.into_owned(), problem, map: Map::Utf16 }
}

/// A file that is UTF-8 but for a few bytes keeps its characters; one without any valid multi-byte character, or
/// with more broken than valid ones, is read as Windows-1252, of which Latin-1 is a part.
fn not_utf8(bytes: Vec<u8>) -> Decoded {
    let (mut valid, mut invalid) = (0usize, 0usize);
    for chunk in bytes.utf8_chunks() {
        valid += chunk.valid().bytes().filter(|&b| b >= 0xc0).count();
        invalid += chunk.invalid().len();
    }
    if valid > invalid {
        let line = first_invalid_line(&bytes);
        let text = with_replacements(bytes);
        let message = format!("the file is not valid UTF-8; {invalid} bytes were replaced");
        let problem = Problem { line, ..problem(message) };
        return Decoded { text, problem: Some(problem), map: Map::Shift(0) };
    }
    let line = first_invalid_line(&bytes);
    let (text, _) = encoding_rs::WINDOWS_1252.decode_without_bom_handling(&bytes);
    let problem = Problem { line, ..problem("the file is not UTF-8; it was read as Windows-1252".to_owned()) };
    Decoded { text: text.into_owned(), problem: Some(problem), map: Map::SingleByte }
}

/// One `?` a byte, so that offsets stay.
fn with_replacements(mut bytes: Vec<u8>) -> String {
    let mut holes = Vec::new();
    let mut at = 0;
    for chunk in bytes.utf8_chunks() {
        at += chunk.valid().len();
        holes.push(at..at + chunk.invalid().len());
        at += chunk.invalid().len();
    }
    for hole in holes {
        bytes[hole].fill(b'?');
    }
    String::from_utf8(bytes).expect("invalid bytes were replaced")
}

fn first_invalid_line(bytes: &[u8]) -> u32 {
    let valid = std::str::from_utf8(bytes).map_or_else(|error| error.valid_up_to(), str::len);
    1 + bytes[..valid].iter().filter(|&&b| b == b'\n').count() as u32
}

fn problem(message: String) -> Problem {
    Problem { code: ProblemCode::Encoding, line: 1, message }
}

/// Lone carriage returns become line feeds and NULs become spaces; both are one byte before and after.
fn plain_line_ends(text: String) -> String {
    if !text.bytes().any(|b| b == b'\r' || b == 0) {
        return text;
    }
    let mut bytes = text.into_bytes();
    for i in 0..bytes.len() {
        match bytes[i] {
            b'\r' if bytes.get(i + 1) != Some(&b'\n') => bytes[i] = b'\n',
            0 => bytes[i] = b' ',
            _ => {}
        }
    }
    String::from_utf8(bytes).expect("single bytes were replaced by single bytes")
}

impl Decoded {
    /// Rewrites spans of the text to spans of the file.
    pub fn to_file<'a>(&self, spans: impl Iterator<Item = &'a mut Span>) {
        match self.map {
            Map::Shift(0) => {}
            Map::Shift(by) => spans.for_each(|span| {
                span.start += by;
                span.end += by;
            }),
            Map::SingleByte => self.by_characters(spans, 0, |_| 1),
            Map::Utf16 => self.by_characters(spans, 2, |c| 2 * c.len_utf16()),
        }
    }

    /// One pass over the text serves all offsets, in their order.
    fn by_characters<'a>(&self, spans: impl Iterator<Item = &'a mut Span>, start: u32, width: impl Fn(char) -> usize) {
        let mut offsets: Vec<&'a mut u32> = Vec::new();
        for span in spans {
            offsets.push(&mut span.start);
            offsets.push(&mut span.end);
        }
        offsets.sort_by_key(|offset| **offset);
        let mut offsets = offsets.into_iter().peekable();
        let mut file = start;
        for (at, c) in self.text.char_indices() {
            while let Some(offset) = offsets.next_if(|offset| **offset as usize <= at) {
                *offset = file;
            }
            file += width(c) as u32;
        }
        offsets.for_each(|offset| *offset = file);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file_span(bytes: &[u8], needle: &str) -> (u32, u32) {
        let decoded = decode(bytes.to_vec()).unwrap();
        let start = decoded.text.find(needle).unwrap() as u32;
        let mut span = Span { start, end: start + needle.len() as u32, line: 1, end_line: 1 };
        decoded.to_file(std::iter::once(&mut span));
        (span.start, span.end)
    }

    #[test]
    fn a_byte_order_mark_shifts_offsets_only() {
        let decoded = decode(b"\xef\xbb\xbfdef".to_vec()).unwrap();
        assert_eq!((decoded.text.as_str(), decoded.problem.is_none()), ("def", true));
        assert_eq!(file_span(b"\xef\xbb\xbfx = 1", "1"), (7, 8));
    }

    #[test]
    fn line_ends() {
        assert_eq!(decode(b"a\rb\r\nc\nd\r".to_vec()).unwrap().text, "a\nb\r\nc\nd\n");
        assert_eq!(decode(b"/* \0 */".to_vec()).unwrap().text, "/*   */");
    }

    #[test]
    fn utf16_both_ways() {
        let text = "é = '𝄞'; b";
        let le: Vec<u8> = [0xff, 0xfe].into_iter().chain(text.encode_utf16().flat_map(u16::to_le_bytes)).collect();
        let be: Vec<u8> = [0xfe, 0xff].into_iter().chain(text.encode_utf16().flat_map(u16::to_be_bytes)).collect();
        assert_eq!(decode(le.clone()).unwrap().text, text);
        assert_eq!(decode(be).unwrap().text, text);
        assert_eq!(file_span(&le, "b"), (2 + 2 * 10, 2 + 2 * 11));
    }

    #[test]
    fn latin1_is_read_and_told() {
        let decoded = decode(b"x = 1\n# caf\xe9 au lait\ny = 2".to_vec()).unwrap();
        assert_eq!(decoded.text, "x = 1\n# café au lait\ny = 2");
        assert_eq!(decoded.problem.as_ref().map(|p| p.line), Some(2));
        assert_eq!(file_span(b"# caf\xe9\ny", "y"), (7, 8));
    }

    #[test]
    fn one_bad_byte_does_not_spoil_the_others() {
        let decoded = decode(b"# \xc3\xa9\xc3\xa9\n# \xff \xc3\xa8 \xc3".to_vec()).unwrap();
        assert_eq!(decoded.text, "# éé\n# ? è ?");
        assert!(decoded.problem.unwrap().message.contains("2 bytes"));
    }

    #[test]
    fn utf32_is_not_supported() {
        assert!(decode(b"\xff\xfe\0\0a\0\0\0".to_vec()).is_none());
    }
}
