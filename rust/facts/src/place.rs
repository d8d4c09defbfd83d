//! Where something stands in its file, and how a name is used there.

/// How an expression's name is used at its place; what `query references` prints as kind.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, serde::Serialize, serde::Deserialize)]
#[repr(u8)]
pub enum UseKind {
    /// Not a use of its own (a made-up expression, a declaration's own name).
    None,
    /// Its value is read.
    Read,
    /// It is assigned to.
    Write,
    /// It is called or constructed.
    Call,
    /// It names a type.
    Type,
    /// It is imported or re-exported.
    Import,
    /// It is a base of a class.
    Inherit,
}

/// A token's line (from 1), column (from 1, in characters) and use, in eight bytes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, serde::Serialize, serde::Deserialize)]
pub struct Place {
    /// Line, from 1.
    pub line: u32,
    column_and_use: u32,
}

impl Place {
    /// A place; columns beyond 2^28 - 1 saturate.
    pub fn new(line: u32, column: u32, used: UseKind) -> Self {
        Self { line, column_and_use: column.min((1 << 28) - 1) << 4 | used as u32 }
    }

    /// Column from 1, counted in characters.
    pub fn column(self) -> u32 {
        self.column_and_use >> 4
    }

    /// How the name is used here.
    pub fn used(self) -> UseKind {
        match self.column_and_use & 15 {
            1 => UseKind::Read,
            2 => UseKind::Write,
            3 => UseKind::Call,
            4 => UseKind::Type,
            5 => UseKind::Import,
            6 => UseKind::Inherit,
            _ => UseKind::None,
        }
    }

    /// The same place with another use.
    pub fn with_use(self, used: UseKind) -> Self {
        Self { column_and_use: self.column_and_use & !15 | used as u32, ..self }
    }
}

/// A range of the file: bytes (end exclusive) and lines (from 1, end inclusive).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, serde::Serialize, serde::Deserialize)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
    /// First line.
    pub line: u32,
    /// Last line.
    pub end_line: u32,
}
