//! Conditions of builds: does a file or a definition belong to the ordinary build?

use mmcg_lang::Pattern;

/// Deeper nested conditions hold.
const DEPTH_MAX: u32 = 40;

/// Whether a condition holds where exactly what the patterns fit is given. Understands `!a && (b || c)` as well as
/// `all(a, not(any(b, c = "d")))`; what it cannot read holds.
pub fn holds(text: &str, given: &[Pattern]) -> bool {
    let mut reader = Reader { rest: text.trim(), given, depth: 0 };
    match reader.any() {
        Some(held) if reader.rest.trim().is_empty() => held,
        _ => true,
    }
}

struct Reader<'t> {
    rest: &'t str,
    given: &'t [Pattern],
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

    fn any(&mut self) -> Option<bool> {
        let mut held = self.all()?;
        while self.take("||") {
            held |= self.all()?;
        }
        Some(held)
    }

    fn all(&mut self) -> Option<bool> {
        let mut held = self.one()?;
        while self.take("&&") {
            held &= self.one()?;
        }
        Some(held)
    }

    fn one(&mut self) -> Option<bool> {
        self.depth += 1;
        if self.depth > DEPTH_MAX {
            return None;
        }
        let held = self.one_unguarded();
        self.depth -= 1;
        held
    }

    fn one_unguarded(&mut self) -> Option<bool> {
        if self.take("!") {
            return self.one().map(|held| !held);
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
            return match word {
                "all" => Some(parts.iter().all(|p| *p)),
                "any" => Some(parts.iter().any(|p| *p)),
                "not" => parts.first().map(|p| !p),
                _ => None,
            };
        }
        if self.take("=") && !self.rest.is_empty() {
            self.take("\"");
            let end = self.rest.find('"')?;
            let text = format!("{word}={}", &self.rest[..end]);
            self.rest = &self.rest[end + 1..];
            return Some(self.given.iter().any(|p| p.matches(&text)));
        }
        Some(self.given.iter().any(|p| p.matches(word)))
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
}
