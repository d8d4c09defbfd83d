//! Small patterns over names and paths.

/// A pattern: `test_*`, `*Test`, `*.setter`, `[A-Z]*` for a first upper-case letter, `<upper>` for `ALL_CAPS`.
#[derive(Clone, Debug)]
pub enum Pattern {
    /// The whole text.
    Exact(String),
    /// Text with `*` for anything.
    Glob(Vec<String>),
    /// Starts with an upper-case letter.
    Capital,
    /// Upper-case letters, digits and underscores.
    Upper,
}

impl Pattern {
    /// Reads a pattern.
    pub fn new(text: &str) -> Self {
        match text {
            "[A-Z]*" => Self::Capital,
            "<upper>" => Self::Upper,
            _ if text.contains('*') => Self::Glob(text.split('*').map(str::to_owned).collect()),
            _ => Self::Exact(text.to_owned()),
        }
    }

    /// Whether a text fits.
    pub fn matches(&self, text: &str) -> bool {
        match self {
            Self::Exact(exact) => exact == text,
            Self::Capital => text.chars().next().is_some_and(char::is_uppercase),
            Self::Upper => {
                text.bytes().any(|b| b.is_ascii_uppercase())
                    && text.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'_')
            }
            Self::Glob(parts) => glob(parts, text),
        }
    }

    /// Whether a path fits: the whole, its last name, or any tail that starts at a `/`.
    pub fn matches_path(&self, path: &str) -> bool {
        self.matches(path) || path.char_indices().any(|(i, c)| c == '/' && self.matches(&path[i + 1..]))
    }
}

fn glob(parts: &[String], text: &str) -> bool {
    let (first, rest) = parts.split_first().expect("split gives at least one part");
    let Some(mut text) = text.strip_prefix(first.as_str()) else { return false };
    let Some((last, middle)) = rest.split_last() else { return text.is_empty() };
    for part in middle {
        match text.find(part.as_str()) {
            Some(at) => text = &text[at + part.len()..],
            None => return false,
        }
    }
    text.ends_with(last.as_str())
}
