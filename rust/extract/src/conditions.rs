//! Conditions of builds: does a file or a definition belong to the ordinary build?

use mmcg_lang::Pattern;

/// Deeper nested conditions hold.
const DEPTH_MAX: u32 = 40;

/// Whether a condition holds where exactly what the patterns fit is given. Understands `!a && (b || c)` as well as
/// `all(a, not(any(b, c = "d")))` and `defined(a)`; what it cannot read holds.
pub fn holds(text: &str, given: &[Pattern]) -> bool {
    read(text, given, None).unwrap_or(true)
}

/// Whether a condition holds where some things are given, some never are, and of all others it is not known.
pub fn known(text: &str, given: &[Pattern], never: &[Pattern]) -> Option<bool> {
    read(text, given, Some(never))
}

fn read(text: &str, given: &[Pattern], never: Option<&[Pattern]>) -> Option<bool> {
    let mut reader = Reader { rest: text.trim(), given, never, depth: 0 };
    let held = reader.any()?;
    held.known.filter(|_| reader.rest.trim().is_empty())
}

/// What is known of a part of a condition that could be read.
#[derive(Clone, Copy)]
struct Held {
    known: Option<bool>,
}

impl Held {
    fn not(self) -> Self {
        Self { known: self.known.map(|known| !known) }
    }

    /// Both, where `either` is false: one that does not hold decides; either, where it is true: one that holds does.
    fn with(self, other: Self, either: bool) -> Self {
        let known = match (self.known, other.known) {
            (Some(a), _) if a == either => Some(either),
            (_, Some(b)) if b == either => Some(either),
            (Some(_), Some(_)) => Some(!either),
            _ => None,
        };
        Self { known }
    }
}

struct Reader<'t> {
    rest: &'t str,
    given: &'t [Pattern],
    /// Where there is such a list, what neither list has is unknown; else it is not given.
    never: Option<&'t [Pattern]>,
    depth: u32,
}

impl<'t> Reader<'t> {
    fn take(&mut self, token: &str) -> bool {
        self.rest = self.rest.trim_start();
        match self.rest.strip_prefix(token) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn word(&mut self) -> &'t str {
        self.rest = self.rest.trim_start();
        let end = self.rest.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '.' | ':' | '-')));
        let (word, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        self.rest = rest;
        word
    }

    fn given(&self, text: &str) -> Held {
        let fits = |patterns: &[Pattern]| patterns.iter().any(|p| p.matches(text));
        let known = match self.never {
            _ if fits(self.given) => Some(true),
            Some(never) if !fits(never) => None,
            _ => Some(false),
        };
        Held { known }
    }

    fn any(&mut self) -> Option<Held> {
        let mut held = self.all()?;
        while self.take("||") {
            held = held.with(self.all()?, true);
        }
        Some(held)
    }

    fn all(&mut self) -> Option<Held> {
        let mut held = self.one()?;
        while self.take("&&") {
            held = held.with(self.one()?, false);
        }
        Some(held)
    }

    fn one(&mut self) -> Option<Held> {
        self.depth += 1;
        if self.depth > DEPTH_MAX {
            return None;
        }
        let held = self.one_unguarded();
        self.depth -= 1;
        held
    }

    fn one_unguarded(&mut self) -> Option<Held> {
        if self.take("!") {
            return self.one().map(Held::not);
        }
        if self.take("(") {
            let held = self.any()?;
            return self.take(")").then_some(held);
        }
        let word = self.word();
        if word.is_empty() {
            return None;
        }
        if self.take("(") {
            let mut parts = Vec::new();
            while !self.take(")") {
                parts.push(self.any()?);
                self.take(",");
            }
            let all = |either: bool| parts.iter().fold(Held { known: Some(!either) }, |a, b| a.with(*b, either));
            return match word {
                "all" => Some(all(false)),
                "any" => Some(all(true)),
                "not" => parts.first().map(|p| p.not()),
                "defined" => parts.first().copied(),
                _ => None,
            };
        }
        if word == "defined" {
            let name = self.word();
            return (!name.is_empty()).then(|| self.given(name));
        }
        if self.take("=") && !self.rest.is_empty() {
            self.take("\"");
            let end = self.rest.find('"')?;
            let text = format!("{word}={}", &self.rest[..end]);
            self.rest = &self.rest[end + 1..];
            return Some(self.given(&text));
        }
        Some(self.given(word))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ways_of_writing() {
        let given = [Pattern::new("linux"), Pattern::new("go1.*"), Pattern::new("feature=*")];
        for (text, held) in [
            ("linux", true),
            ("!linux", false),
            ("go1.20 && !(windows || darwin)", true),
            ("windows || linux && go1.18", true),
            ("any(windows, all(linux, feature = \"net\"))", true),
            ("all(not(linux), feature = \"net\")", false),
            ("not(target_os = \"wasi\")", true),
            ("what is this (", true),
            ("", true),
        ] {
            assert_eq!(holds(text, &given), held, "{text}");
        }
        assert!(holds(&"(".repeat(5000), &given));
    }

    #[test]
    fn what_neither_list_has_is_unknown() {
        let (given, never) = ([Pattern::new("__linux__")], [Pattern::new("_WIN32"), Pattern::new("__APPLE__")]);
        for (text, known) in [
            ("__linux__", Some(true)),
            ("defined(_WIN32) || defined(__APPLE__)", Some(false)),
            ("defined _WIN32 && defined(HAVE_IT)", Some(false)),
            ("!defined(_WIN32)", Some(true)),
            ("defined(__linux__) || defined(HAVE_IT)", Some(true)),
            ("defined(HAVE_IT)", None),
            ("defined(_WIN32) || defined(HAVE_IT)", None),
            ("__GNUC__ >= 4", None),
        ] {
            assert_eq!(super::known(text, &given, &never), known, "{text}");
        }
    }
}
