//! What is found in a file.

use serde::Serialize;

/// A place: lines count from 1, bytes from 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct At {
    /// First line.
    pub line: u32,
    /// Last line.
    pub end_line: u32,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl At {
    /// Whether another place lies inside.
    pub fn holds(&self, other: &Self) -> bool {
        self.start <= other.start && other.end <= self.end
    }
}

/// A piece of code that can be a test or hold assertions for one.
#[derive(Clone, Debug, Serialize)]
pub struct Unit {
    /// Where it is, attributes included.
    pub at: At,
    /// `function`, `call`, `block`, `macro`, or `group` for what only holds tests.
    pub kind: &'static str,
    /// Whether it is a test by its name, its mark or the way it is made.
    pub test: bool,
    /// Its own name.
    pub name: String,
    /// Names of what it stands in, then its own.
    pub path: Vec<String>,
    /// The qualified name of the symbol that it is or stands in.
    pub symbol: String,
    /// Its tokens, without layout and comments.
    pub text: String,
}

/// Something that fails a test if it does not hold.
#[derive(Clone, Debug, Serialize)]
pub struct Assertion {
    /// Where it is.
    pub at: At,
    /// What is called or written.
    pub form: String,
    /// Its tokens.
    pub text: String,
    /// Why it cannot fail; empty where it can.
    pub vacuous: String,
    /// How much it says: 0 nothing, 1 little (is there, is true), 2 a part or a bound, 3 a value or a failure.
    pub strength: u8,
    /// Fails by the way only.
    pub implicit: bool,
}

/// A mark that keeps a test from running or from counting, or others from running.
#[derive(Clone, Debug, Serialize)]
pub struct Mark {
    /// Where it is.
    pub at: At,
    /// `skip`, `conditional`, `expected_failure`, `only`, `todo`.
    pub kind: String,
    /// Its tokens.
    pub text: String,
    /// The code that it belongs to: of the definition below, or its own.
    pub target: At,
}

/// Something that keeps a tool from telling what it finds.
#[derive(Clone, Debug, Serialize)]
pub struct Suppression {
    /// Where it is.
    pub at: At,
    /// The word that does it.
    pub form: String,
    /// The whole directive.
    pub text: String,
    /// The tools that obey it.
    pub tools: Vec<String>,
    /// Whether it fails where there is nothing to suppress.
    pub expecting: bool,
    /// The qualified name of the symbol that it stands in or belongs to.
    pub symbol: String,
    /// Tokens of the line that it belongs to.
    pub target: String,
}

/// A number with a name.
#[derive(Clone, Debug, Serialize)]
pub struct Number {
    /// Where it is.
    pub at: At,
    /// What stands before it: `LIMIT =`, `size >`.
    pub name: String,
    /// As written.
    pub value: String,
    /// The qualified name of the symbol that it stands in.
    pub symbol: String,
}

/// A call.
#[derive(Clone, Debug, Serialize)]
pub struct Call {
    /// Where it is.
    pub at: At,
    /// What is called, with what stands in brackets left out.
    pub head: String,
    /// Its last name.
    pub name: String,
}

/// All that is found in a file.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Evidence {
    /// The language's name.
    pub language: String,
    /// Whether it is said what the language calls its tests and assertions.
    pub known: bool,
    /// Whether the path is one of tests.
    pub test_path: bool,
    /// Whether functions are tests only where something names them.
    pub registered: bool,
    /// Whether the parser could not place all of the text.
    pub broken: bool,
    /// In source order, outer ones first.
    pub units: Vec<Unit>,
    /// In source order.
    pub assertions: Vec<Assertion>,
    /// In source order.
    pub marks: Vec<Mark>,
    /// In source order.
    pub suppressions: Vec<Suppression>,
    /// In source order.
    pub numbers: Vec<Number>,
    /// In source order.
    pub calls: Vec<Call>,
}
