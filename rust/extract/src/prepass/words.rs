//! Macros that stand for attributes: words for which a declaration has no room.
//!
//! A declaration names at most one type and one thing: `static int __init setup(void)` and `API Status Open(` have one
//! word too many, and of these words the ones that look like macros go.

use super::{Kind, Token, PATH};
use mmcg_lang::{PreWord, Preprocess};
use rustc_hash::FxHashSet;

/// What a word is to a declaration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Word {
    Qualifier,
    Type,
    Tag,
    Control,
    /// A name that looks like a macro.
    Macro,
    /// A name that the file defines as nothing or as an attribute.
    Nothing,
    /// Any other name, and what is no word.
    Name,
}

struct Scan<'a> {
    source: &'a str,
    tokens: &'a [Token],
    rules: &'a Preprocess,
    /// What each token is: all are asked for several times.
    words: Vec<Word>,
}

/// Blanks attribute-like macros. `gone`: token ranges that are blank already.
pub(super) fn blank(
    source: &str,
    tokens: &[Token],
    gone: &[(usize, usize)],
    rules: &Preprocess,
    blanks: &mut Vec<(usize, usize)>,
) {
    let nothing = defined_as_nothing(source, tokens, rules);
    let words = tokens.iter().map(|token| word(source, *token, rules, &nothing)).collect();
    let scan = Scan { source, tokens, rules, words };
    let mut skip = gone.iter().copied().peekable();
    let mut at = 0;
    let mut run: Vec<usize> = Vec::new();
    // For each open parenthesis whether it may be a parameter list.
    let mut parens: Vec<bool> = Vec::new();
    let mut after_parameters = false;
    while at < tokens.len() {
        while skip.next_if(|&(_, to)| to <= at).is_some() {}
        if let Some(&(from, to)) = skip.peek() {
            if from <= at {
                at = to;
                continue;
            }
        }
        let token = tokens[at];
        match token.kind {
            Kind::Word => {
                run.clear();
                let end = scan.run(at, &mut run);
                if let Some(next) = scan.lone_macro(&run, end).or_else(|| scan.bare_macro(&run, end)) {
                    blanks.push((token.start as usize, tokens[next - 1].end as usize));
                    at = next;
                    continue;
                }
                blanks.extend(scan.texts_of_definition(&run, end));
                if after_parameters {
                    scan.after_parameters(&run, end, blanks);
                } else {
                    scan.declaration(&run, end, blanks);
                }
                let last = run.last().map_or(Word::Name, |&w| scan.word(w));
                // What follows a parenthesis that opens here decides itself by this word.
                if end < tokens.len() && tokens[end].kind == Kind::Mark(b'(') {
                    parens.push(!matches!(last, Word::Control) && !after_parameters);
                    at = end + 1;
                    after_parameters = false;
                    continue;
                }
                after_parameters &=
                    run.iter().all(|&w| matches!(scan.word(w), Word::Qualifier | Word::Macro | Word::Nothing));
                at = end;
                continue;
            }
            Kind::Mark(b'(') => {
                parens.push(false);
                after_parameters = false;
            }
            Kind::Mark(b')') => after_parameters = parens.pop().unwrap_or(false),
            Kind::Directive => {}
            _ => after_parameters = false,
        }
        at += 1;
    }
}

/// Names that `#define` makes nothing, or an attribute.
fn defined_as_nothing<'a>(source: &'a str, tokens: &[Token], rules: &Preprocess) -> FxHashSet<&'a str> {
    let mut names = FxHashSet::default();
    let (mut guard, mut first) = (None, true);
    for token in tokens.iter().filter(|t| t.kind == Kind::Directive) {
        let line = source.get(token.start as usize + 1..token.end as usize).unwrap_or("").trim_start();
        if let Some(rest) = line.strip_prefix("ifndef") {
            guard = first.then(|| rest.trim());
            first = false;
            continue;
        }
        let Some(rest) = line.strip_prefix("define") else { continue };
        let rest = rest.trim_start();
        let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
        let (name, value) = rest.split_at(end);
        if name.is_empty() || value.starts_with('(') || guard == Some(name) {
            continue;
        }
        let value = value.trim_start();
        let comment = value.starts_with("//") || value.starts_with("/*");
        if value.trim().is_empty() || comment || rules.attributes.iter().any(|a| value.starts_with(a.as_str())) {
            names.insert(name);
        }
    }
    names
}

fn word(source: &str, token: Token, rules: &Preprocess, nothing: &FxHashSet<&str>) -> Word {
    if token.kind != Kind::Word {
        return Word::Name;
    }
    let text = source.get(token.start as usize..token.end as usize).unwrap_or("");
    let listed = rules.words.get(text);
    match listed {
        Some(PreWord::Qualifier) => Word::Qualifier,
        Some(PreWord::Type) => Word::Type,
        Some(PreWord::Tag) => Word::Tag,
        Some(PreWord::Control) => Word::Control,
        _ if nothing.contains(text) => Word::Nothing,
        None if text.len() > 2 && rules.macros.iter().any(|pattern| pattern.matches(text)) => Word::Macro,
        _ => Word::Name,
    }
}

impl Scan<'_> {
    fn text(&self, token: usize) -> &str {
        let t = self.tokens[token];
        self.source.get(t.start as usize..t.end as usize).unwrap_or("")
    }

    fn kind(&self, token: usize) -> Option<Kind> {
        self.tokens.get(token).map(|t| t.kind)
    }

    fn word(&self, token: usize) -> Word {
        self.words[token]
    }

    /// The words from a token on that nothing separates; paths and template arguments count as their first word.
    fn run(&self, from: usize, run: &mut Vec<usize>) -> usize {
        let mut at = from;
        while self.kind(at) == Some(Kind::Word) {
            run.push(at);
            at += 1;
            loop {
                if self.kind(at) == Some(PATH) && self.kind(at + 1) == Some(Kind::Word) {
                    at += 2;
                } else if self.kind(at) == Some(Kind::Mark(b'<')) && self.rules.angles {
                    match self.angles(at) {
                        Some(end) => at = end,
                        None => break,
                    }
                } else {
                    break;
                }
            }
            // `class API [[nodiscard]] Name {`
            if let Some(end) = self.bracketed_attribute(at).filter(|_| run.iter().any(|&w| self.word(w) == Word::Tag)) {
                at = end;
            }
            // An attribute's own arguments belong to it.
            if self.kind(at) == Some(Kind::Mark(b'(')) && self.attribute_with_arguments(*run.last().expect("pushed")) {
                match self.closing(at).filter(|&end| self.kind(end) == Some(Kind::Word)) {
                    Some(end) => at = end,
                    None => break,
                }
            }
        }
        at
    }

    /// The token after `[[…]]`, where a word follows it.
    fn bracketed_attribute(&self, from: usize) -> Option<usize> {
        let bracket = |at: usize, byte: u8| self.kind(at) == Some(Kind::Mark(byte));
        if !bracket(from, b'[') || !bracket(from + 1, b'[') {
            return None;
        }
        let end = (from + 2..from + 32).find(|&at| bracket(at, b']') && bracket(at + 1, b']'))? + 2;
        (self.kind(end) == Some(Kind::Word)).then_some(end)
    }

    fn attribute_with_arguments(&self, token: usize) -> bool {
        matches!(self.word(token), Word::Macro) || self.rules.attributes.iter().any(|a| a == self.text(token))
    }

    /// The token after template arguments that begin here.
    fn angles(&self, from: usize) -> Option<usize> {
        let mut depth = 0;
        for at in from..(from + 64).min(self.tokens.len()) {
            match self.tokens[at].kind {
                Kind::Mark(b'<') => depth += 1,
                Kind::Mark(b'>') => {
                    depth -= 1;
                    if depth == 0 {
                        return Some(at + 1);
                    }
                }
                Kind::Word | Kind::Literal | Kind::Mark(b',' | b'*' | b'&' | b'(' | b')' | b'[' | b']' | b'.') => {}
                kind if kind == PATH => {}
                _ => return None,
            }
        }
        None
    }

    /// The token after the parenthesis that closes the one here.
    fn closing(&self, from: usize) -> Option<usize> {
        let mut depth = 0;
        for at in from..(from + 256).min(self.tokens.len()) {
            match self.tokens[at].kind {
                Kind::Mark(b'(') => depth += 1,
                Kind::Mark(b')') => {
                    depth -= 1;
                    if depth == 0 {
                        return Some(at + 1);
                    }
                }
                Kind::Mark(b';' | b'{' | b'}') | Kind::Directive => return None,
                _ => {}
            }
        }
        None
    }

    /// `DEFINE_FLAG(int, size)` on lines of its own, with nothing that ends it: the token after it.
    fn lone_macro(&self, run: &[usize], end: usize) -> Option<usize> {
        let &[word] = run else { return None };
        if self.word(word) != Word::Macro || self.kind(end) != Some(Kind::Mark(b'(')) {
            return None;
        }
        let text = self.source.as_bytes();
        let begins = |at: usize| self.tokens[at].start == 0 || text[self.tokens[at].start as usize - 1] == b'\n';
        let ends = word == 0 || matches!(self.kind(word - 1), Some(Kind::Mark(b';' | b'}' | b')') | Kind::Directive));
        let after = self.closing(end).filter(|_| ends && begins(word))?;
        let fits = matches!(self.kind(after), Some(Kind::Word)) && begins(after);
        (fits && self.word(after) != Word::Control).then_some(after)
    }

    /// `TEST_CASE("a text") {` at the beginning of a line: what stands in the parentheses of a macro that defines a
    /// function, where no list of parameters can stand there.
    fn texts_of_definition(&self, run: &[usize], end: usize) -> Option<(usize, usize)> {
        let &[word] = run else { return None };
        if !self.rules.angles || self.word(word) != Word::Macro || self.kind(end + 1) != Some(Kind::Literal) {
            return None;
        }
        let first = self.tokens[word].start as usize;
        let begins = first == 0 || self.source.as_bytes()[first - 1] == b'\n';
        let after = self.closing(end).filter(|&at| begins && self.kind(at) == Some(Kind::Mark(b'{')))?;
        Some((self.tokens[end].end as usize, self.tokens[after - 1].start as usize))
    }

    /// `BEGIN_NAMESPACE` on a line of its own, before a line that begins with a keyword, a directive or nothing more:
    /// the token after it.
    fn bare_macro(&self, run: &[usize], end: usize) -> Option<usize> {
        let (&word, next) = (run.first()?, run.get(1).copied().unwrap_or(end));
        let opens = || run.len() > 1 && self.rules.openers.iter().any(|opener| opener == self.text(next));
        let whole = next == word + 1
            || self.kind(word + 1) == Some(Kind::Mark(b'(')) && opens() && self.closing(word + 1) == Some(next);
        if !matches!(self.word(word), Word::Macro | Word::Nothing) || !whole {
            return None;
        }
        let begins = |at: usize| {
            let before = self.source[..self.tokens[at].start as usize].trim_end_matches([' ', '\t']);
            before.is_empty() || before.ends_with('\n')
        };
        if !begins(word) {
            return None;
        }
        match self.kind(next) {
            // `PRIVATE_UNLESS_TESTED:` among the members of a class.
            Some(Kind::Mark(b':')) if self.rules.angles && (next + 1 == self.tokens.len() || begins(next + 1)) => {
                let ends = matches!(self.kind(word.checked_sub(1)?), Some(Kind::Mark(b';' | b'}' | b'{' | b':')));
                ends.then_some(next + 1)
            }
            Some(Kind::Word) => {
                let mut later = run[1..].iter().map(|&w| self.word(w));
                let control = later.find(|w| !matches!(w, Word::Macro | Word::Nothing)) == Some(Word::Control);
                (control && begins(next)).then_some(next)
            }
            Some(Kind::Directive) | None => {
                let ends = matches!(self.kind(word.checked_sub(1)?), Some(Kind::Mark(b';' | b'}')));
                ends.then_some(next)
            }
            _ => None,
        }
    }

    fn drop(&self, token: usize, blanks: &mut Vec<(usize, usize)>) {
        let t = self.tokens[token];
        let mut end = t.end as usize;
        if self.kind(token + 1) == Some(Kind::Mark(b'(')) {
            if let Some(after) = self.closing(token + 1) {
                end = self.tokens[after - 1].end as usize;
            }
        }
        blanks.push((t.start as usize, end));
    }

    /// Words of a declaration, up to `end`.
    fn declaration(&self, run: &[usize], end: usize, blanks: &mut Vec<(usize, usize)>) {
        let words: Vec<Word> = run.iter().map(|&w| self.word(w)).collect();
        if words.contains(&Word::Control) {
            return;
        }
        let after = self.kind(end);
        let mut left: Vec<usize> = Vec::with_capacity(run.len());
        for (index, &word) in words.iter().enumerate() {
            // A name that is defined as nothing goes unless it is all there is.
            let called = index + 1 == words.len() && after == Some(Kind::Mark(b'('));
            if word == Word::Nothing && (run.len() > 1 || after == Some(Kind::Mark(b'*'))) && !called {
                self.drop(run[index], blanks);
            } else {
                left.push(index);
            }
        }
        let names = |left: &[usize]| {
            left.iter().filter(|&&i| matches!(words[i], Word::Name | Word::Macro | Word::Nothing)).count()
        };
        let typed = left.iter().any(|&i| words[i] == Word::Type);
        let tagged = left.iter().any(|&i| words[i] == Word::Tag);
        // A type and a name; a pointer's name comes after its star.
        let pointer = matches!(after, Some(Kind::Mark(b'*' | b'&')));
        let body = tagged && matches!(after, Some(Kind::Mark(b'{' | b':')));
        // What stands behind a pointer's star is its name.
        let named = run[0] > 0 && matches!(self.kind(run[0] - 1), Some(Kind::Mark(b'*' | b'&')));
        let mut room = if pointer || body || named { 1 } else { 2 };
        if typed {
            room -= 1;
        }
        if left.last().is_some_and(|&i| words[i] == Word::Type) && after == Some(Kind::Mark(b'(')) {
            // `API int (name)(void)`: the name stands in the parentheses.
            room = 0;
        }
        if tagged && !typed && body && after == Some(Kind::Mark(b':')) && !self.rules.angles {
            // A bit field of an enumeration type.
            room = 2;
        }
        // `int x GUARDED_BY(mutex);`
        if let (Some(&last), Some(Kind::Mark(b'('))) = (left.last(), after) {
            let field = self.closing(end).is_some_and(|c| matches!(self.kind(c), Some(Kind::Mark(b';' | b'='))));
            if field && words[last] == Word::Macro && names(&left) > room {
                self.drop(run[last], blanks);
                return;
            }
        }
        // `class API Name;`
        let announced = left.len() == 3 && words[left[1]] == Word::Macro && self.text(run[left[0]]) == "class";
        if announced && after == Some(Kind::Mark(b';')) {
            self.drop(run[left[1]], blanks);
            return;
        }
        let mut excess = names(&left).saturating_sub(room);
        let mut position = 0;
        while excess > 0 && position < left.len() {
            let index = left[position];
            let is_last = position + 1 == left.len();
            if words[index] == Word::Macro && !(is_last && (body || !pointer)) {
                self.drop(run[index], blanks);
                excess -= 1;
            }
            position += 1;
        }
        if excess > 0 && body {
            // `class api Name {`: no tag has two names.
            let extra: Vec<usize> = left.iter().copied().filter(|&i| words[i] == Word::Name).collect();
            if extra.len() == 2 {
                self.drop(run[extra[0]], blanks);
            }
        }
    }

    /// Words after a parameter list.
    fn after_parameters(&self, run: &[usize], end: usize, blanks: &mut Vec<(usize, usize)>) {
        let close = match self.kind(end) {
            Some(Kind::Mark(b'(')) => self.closing(end),
            _ => Some(end),
        };
        let ends = close.is_some_and(|c| matches!(self.kind(c), Some(Kind::Mark(b'{' | b';' | b'=' | b':' | b','))));
        if !ends {
            return;
        }
        for &token in run {
            if matches!(self.word(token), Word::Macro | Word::Nothing) {
                self.drop(token, blanks);
            }
        }
    }
}
