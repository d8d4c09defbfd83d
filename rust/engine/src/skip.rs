//! Files that are left out, each with its reason.

/// Why a file with a known suffix is not indexed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Reason {
    /// Its first bytes are no text.
    Binary,
    /// It is larger than `options::MAX_FILE_BYTES`.
    TooLarge,
    /// It is the output of a minifier.
    Minified,
    /// It cannot be opened, or its name is not UTF-8.
    Unreadable,
    /// Its encoding is not supported.
    Undecodable,
}

impl Reason {
    /// The word used in SQL, JSON and text.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Binary => "binary",
            Self::TooLarge => "too_large",
            Self::Minified => "minified",
            Self::Unreadable => "unreadable",
            Self::Undecodable => "undecodable",
        }
    }
}

/// A file that was left out.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Skipped {
    /// Path from the root, with `/`; replacement characters where the name is not UTF-8.
    pub path: String,
    /// Why.
    pub reason: Reason,
}
