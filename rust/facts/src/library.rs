//! What the library of a language hands on: signatures in a small form of their own.
//!
//! `0(#0, _) -> list[$0()]` reads: the first argument is called with what the receiver's first type argument stands for
//! and something unknown; a list of what it gives comes back. Terms:
//!
//! | term | stands for |
//! |---|---|
//! | `this` | the receiver |
//! | `$0` | the first argument |
//! | `$each` | each argument by position |
//! | `#0` | what the first type argument of the receiver's type stands for: elements of a list, keys of a table |
//! | `<0>` | the first type argument that is written at the call |
//! | `x#0` | the same of `x` |
//! | `x*` | an element of `x` |
//! | `x()` | what a call of `x` gives |
//! | `x^` | what `x` gives when it is awaited |
//! | `x!` | an object of the class `x` |
//! | `x?` | the class of `x` |
//! | `(x, y)` | a tuple |
//! | `list[x]` | an object of a type of the library; without arguments any name |
//! | `x \| y` | one of them |
//! | `_` | unknown |

use serde::Deserialize;
use std::collections::BTreeMap;

/// A term; children are indexes into `Library::terms`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Term {
    /// `_`
    Unknown,
    /// `this`
    This,
    /// `$n`
    Argument(u8),
    /// `$each`
    Each,
    /// `x#n`; `#n` is `this#n`
    Parameter(u16, u8),
    /// `<n>`
    Written(u8),
    /// `x*`
    Element(u16),
    /// `x()`
    Result(u16),
    /// `x^`
    Awaited(u16),
    /// `x!`
    Object(u16),
    /// `x?`
    Class(u16),
    /// `x | y`
    Any(Vec<u16>),
    /// `(x, y)`
    Tuple(Vec<u16>),
    /// `Name[x]`
    Type(String, Vec<u16>),
}

/// Which argument is called.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Slot {
    /// By position.
    Position(u32),
    /// By name.
    Name(String),
}

/// What a function or member of the library does with functions that it is given, and what it gives.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Signature {
    /// Arguments that are called, with what.
    pub calls: Vec<(Slot, Vec<u16>)>,
    /// The result.
    pub gives: u16,
}

/// What is known of the library of a language.
#[derive(Clone, PartialEq, Debug, Default, Deserialize)]
#[serde(try_from = "RawLibrary")]
pub struct Library {
    /// Terms of all signatures.
    pub terms: Vec<Term>,
    /// Functions and types that are called, by dotted name; `name/2` where two arguments are given.
    pub functions: BTreeMap<String, Signature>,
    /// Members by `kind.name`, also with the number of arguments; `kind.()` is a call of the object, `kind.*` any member.
    pub members: BTreeMap<String, Signature>,
    /// Names of types → their kind, where it has another name.
    pub kinds: BTreeMap<String, String>,
    /// Kind of a list's literal and of a sequence that the language's own form declares.
    pub list: String,
    /// Kind of a tuple.
    pub tuple: String,
    /// Kind of a literal of keys and values.
    pub map: String,
    /// Kind of what a generator gives.
    pub generator: String,
    /// A kind whose members objects have that stand for it where the language lets them (`Promise`).
    pub lifted: String,
    /// Types whose values are the classes that they are given.
    pub class_types: Vec<String>,
    /// Modules whose types are of the library.
    pub modules: Vec<String>,
    /// Types that stand for the class around (`Self`).
    pub self_types: Vec<String>,
    /// Functions whose results are type variables (`TypeVar`).
    pub type_variables: Vec<String>,
    /// The argument that says what such a variable can stand for.
    pub bound: String,
}

/// The form in `language.toml`.
#[derive(Deserialize, Default)]
#[serde(default, deny_unknown_fields)]
struct RawLibrary {
    functions: BTreeMap<String, String>,
    members: BTreeMap<String, String>,
    kinds: BTreeMap<String, Vec<String>>,
    list: String,
    tuple: String,
    map: String,
    generator: String,
    lifted: String,
    class_types: Vec<String>,
    self_types: Vec<String>,
    type_variables: Vec<String>,
    bound: String,
    modules: Vec<String>,
}

impl TryFrom<RawLibrary> for Library {
    type Error = String;

    fn try_from(raw: RawLibrary) -> Result<Self, String> {
        let mut terms = Vec::new();
        let mut read = |all: BTreeMap<String, String>| -> Result<BTreeMap<String, Signature>, String> {
            let mut found = BTreeMap::new();
            for (names, text) in all {
                let signature = Reader { text: &text, at: 0, terms: &mut terms }
                    .signature()
                    .map_err(|what| format!("`{names}`: `{text}`: {what}"))?;
                // `list.pop|copy`: several that are alike.
                let (head, tails) = match names.rsplit_once('.') {
                    Some((head, tails)) => (format!("{head}."), tails),
                    None => (String::new(), names.as_str()),
                };
                for tail in tails.split('|') {
                    found.insert(format!("{head}{tail}"), signature.clone());
                }
            }
            Ok(found)
        };
        let functions = read(raw.functions)?;
        let members = read(raw.members)?;
        let kinds = raw.kinds.into_iter().flat_map(|(kind, names)| names.into_iter().map(move |n| (n, kind.clone())));
        Ok(Self {
            functions,
            members,
            kinds: kinds.collect(),
            terms,
            list: raw.list,
            tuple: raw.tuple,
            map: raw.map,
            generator: raw.generator,
            lifted: raw.lifted,
            class_types: raw.class_types,
            self_types: raw.self_types,
            type_variables: raw.type_variables,
            bound: raw.bound,
            modules: raw.modules,
        })
    }
}

impl Library {
    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        self.functions.is_empty() && self.members.is_empty()
    }

    /// The kind of a type.
    pub fn kind<'a>(&'a self, name: &'a str) -> &'a str {
        self.kinds.get(name).map_or(name, String::as_str)
    }

    /// A function that is called with a number of arguments.
    pub fn function(&self, name: &str, count: usize) -> Option<&Signature> {
        find(&self.functions, name, count)
    }

    /// A member of a kind that is called with a number of arguments.
    pub fn member(&self, kind: &str, name: &str, count: usize) -> Option<&Signature> {
        find(&self.members, &format!("{kind}.{name}"), count)
    }

    /// Names after which it is worth asking for a function or member: the last ones of all.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let keys = self.functions.keys().chain(self.members.keys());
        keys.map(|key| key.split('/').next().unwrap_or(key)).map(|key| key.rsplit('.').next().unwrap_or(key))
    }
}

fn find<'a>(all: &'a BTreeMap<String, Signature>, name: &str, count: usize) -> Option<&'a Signature> {
    all.get(&format!("{name}/{count}")).or_else(|| all.get(name))
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    terms: &'a mut Vec<Term>,
}

impl Reader<'_> {
    fn signature(mut self) -> Result<Signature, String> {
        let mut calls = Vec::new();
        let arrow = self.text.find("->");
        while self.peek().is_some() && arrow.is_some_and(|arrow| self.at < arrow) && !self.take("->") {
            let word = self.word();
            let slot = word.parse().map_or(Slot::Name(word.clone()), Slot::Position);
            if word.is_empty() || !self.take("(") {
                return Err("an argument and what it is called with was expected".to_owned());
            }
            calls.push((slot, self.list(")")?));
            if self.take("->") {
                break;
            }
        }
        let gives = self.any()?;
        match self.peek() {
            None => Ok(Signature { calls, gives }),
            Some(c) => Err(format!("`{c}` was not expected")),
        }
    }

    fn any(&mut self) -> Result<u16, String> {
        let mut all = vec![self.postfixed()?];
        while self.take("|") {
            all.push(self.postfixed()?);
        }
        match all.len() {
            1 => Ok(all[0]),
            _ => self.made(Term::Any(all)),
        }
    }

    fn postfixed(&mut self) -> Result<u16, String> {
        let mut at = self.plain()?;
        loop {
            let term = if self.take("#") {
                let word = self.word();
                Term::Parameter(at, word.parse().map_err(|_| format!("`{word}` is no number"))?)
            } else if self.take("()") {
                Term::Result(at)
            } else if self.take("*") {
                Term::Element(at)
            } else if self.take("^") {
                Term::Awaited(at)
            } else if self.take("!") {
                Term::Object(at)
            } else if self.take("?") {
                Term::Class(at)
            } else {
                return Ok(at);
            };
            at = self.made(term)?;
        }
    }

    fn plain(&mut self) -> Result<u16, String> {
        if self.take("(") {
            let parts = self.list(")")?;
            return self.made(Term::Tuple(parts));
        }
        let number = |word: String| word.parse().map_err(|_| format!("`{word}` is no number"));
        if self.text[self.at..].starts_with('#') {
            return self.made(Term::This);
        }
        if self.take("<") {
            let word = self.word();
            let term = Term::Written(number(word)?);
            return if self.take(">") { self.made(term) } else { Err("`>` was expected".to_owned()) };
        }
        if self.take("$") {
            return match self.word().as_str() {
                "each" => self.made(Term::Each),
                word => self.made(Term::Argument(number(word.to_owned())?)),
            };
        }
        match self.word().as_str() {
            "" => Err("a term was expected".to_owned()),
            "_" => self.made(Term::Unknown),
            "this" => self.made(Term::This),
            name => {
                let parts = if self.take("[") { self.list("]")? } else { Vec::new() };
                self.made(Term::Type(name.to_owned(), parts))
            }
        }
    }

    fn list(&mut self, end: &str) -> Result<Vec<u16>, String> {
        let mut all = Vec::new();
        while !self.take(end) {
            all.push(self.any()?);
            self.take(",");
            if self.peek().is_none() {
                return Err(format!("`{end}` was expected"));
            }
        }
        Ok(all)
    }

    fn made(&mut self, term: Term) -> Result<u16, String> {
        let at = self.terms.iter().position(|known| *known == term).unwrap_or_else(|| {
            self.terms.push(term);
            self.terms.len() - 1
        });
        u16::try_from(at).map_err(|_| "there are too many terms".to_owned())
    }

    fn peek(&mut self) -> Option<char> {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
        self.text[self.at..].chars().next()
    }

    fn take(&mut self, token: &str) -> bool {
        self.peek();
        let taken = self.text[self.at..].starts_with(token);
        self.at += if taken { token.len() } else { 0 };
        taken
    }

    fn word(&mut self) -> String {
        self.peek();
        let rest = &self.text[self.at..];
        let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '.')).unwrap_or(rest.len());
        self.at += end;
        rest[..end].to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn library(members: &[(&str, &str)]) -> Result<Library, String> {
        let members = members.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect();
        Library::try_from(RawLibrary { members, ..RawLibrary::default() })
    }

    #[test]
    fn a_signature_says_what_is_called_and_what_comes_back() {
        let all = library(&[("list.map|each", "0(#0, _) key(this*) -> list[$0()]")]).expect("well formed");
        let found = all.member("list", "each", 1).expect("one of the names");
        let slots: Vec<_> = found.calls.iter().map(|(slot, with)| (slot.clone(), with.len())).collect();
        assert_eq!(slots, [(Slot::Position(0), 2), (Slot::Name("key".to_owned()), 1)]);
        let Term::Type(name, parts) = &all.terms[found.gives as usize] else { panic!("a type") };
        assert_eq!(name, "list");
        assert!(matches!(all.terms[parts[0] as usize], Term::Result(_)));
    }

    #[test]
    fn the_number_of_arguments_comes_first() {
        let all = library(&[("dict.pop", "#1 | $1"), ("dict.pop/1", "#1")]).expect("well formed");
        assert_ne!(all.member("dict", "pop", 1), all.member("dict", "pop", 2));
    }

    #[test]
    fn what_is_malformed_is_named() {
        for text in ["list[", "0(#0", "$x", "#0 $1", "", "(->"] {
            let error = library(&[("list.f", text)]).expect_err(text);
            assert!(error.contains("list.f"), "{error}");
        }
    }
}
