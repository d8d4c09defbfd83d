//! Types that only documentation gives: `@param Cart $cart`, `@return Cart[]`, `@var Cart`; `@param {Cart} cart`.

use crate::build::{Build, FILE, NONE};
use mmcg_facts::{Arg, CollectionKind, Expr, ExprId, Import, ImportKind, UseKind, What};
use mmcg_lang::Role;

/// Documented types longer than this are not read.
const LONGEST: usize = 200;

impl<'a> Build<'a> {
    /// Gives a function's parameters and result the types that its documentation names, where the code names none.
    pub(crate) fn documented_function(&mut self, node: u32, symbol: mmcg_facts::SymbolId) {
        let tables = self.tables;
        if tables.docs.return_tags.is_empty() && tables.docs.parameter_tags.is_empty() {
            return;
        }
        let Some(text) = self.documenting(self.naming(node)) else { return };
        if self.facts.symbol(symbol).declared.is_none() {
            let declared =
                tagged(text, &tables.docs.return_tags).find_map(|rest| self.type_of(first_type(rest).0, node));
            self.facts.symbols[symbol.index()].declared = declared;
        }
        for index in self.facts.symbol(symbol).params.clone() {
            let param = self.facts.params[index as usize];
            if param.declared.is_some() {
                continue;
            }
            let name = self.facts.names.get(param.name).to_owned();
            let declared = tagged(text, &tables.docs.parameter_tags).find_map(|rest| {
                let (written, after) = first_type(rest);
                let called = plain_name(after.split_whitespace().next()?);
                (called == name).then(|| self.type_of(written, node))?
            });
            self.facts.params[index as usize].declared = declared;
        }
    }

    /// The type that documentation gives to the variable of a declaration or assignment.
    pub(crate) fn documented_variable(&mut self, node: u32, name: &str) -> Option<ExprId> {
        let tables = self.tables;
        if tables.docs.type_tags.is_empty() {
            return None;
        }
        let text = self.documenting(node)?;
        tagged(text, &tables.docs.type_tags).find_map(|rest| {
            let (written, after) = first_type(rest);
            let called = after.split_whitespace().next().filter(|word| starts_like(word, name));
            if called.is_some_and(|called| called != name) {
                return None;
            }
            self.type_of(written, node)
        })
    }

    /// What gives a function that is written as a value its name: its documentation stands before that.
    fn naming(&self, node: u32) -> u32 {
        let naming = |rule: &mmcg_lang::Rule| matches!(rule.role, Role::Variable | Role::Assign | Role::Pair);
        let lambda = self.rule(node).is_some_and(|rule| rule.role == Role::Lambda);
        let parent = self.tree.get(node).parent;
        if lambda && parent != u32::MAX && self.rule(parent).is_some_and(naming) {
            parent
        } else {
            node
        }
    }

    /// The comment right before a definition or statement.
    fn documenting(&self, node: u32) -> Option<&'a str> {
        let mut at = self.outermost(node);
        loop {
            let before = at.checked_sub(1)?;
            if self.tree.is_comment(before) {
                let text = self.text(before);
                let starts = &self.tables.docs.starts;
                return starts.iter().any(|s| text.starts_with(s.as_str())).then_some(text);
            }
            // The first part of a statement stands behind the statement's comment.
            if before != self.tree.get(at).parent {
                return None;
            }
            at = before;
        }
    }

    /// A type as documentation writes it; `None` if it says nothing of use.
    fn type_of(&mut self, text: &str, node: u32) -> Option<ExprId> {
        if text.len() > LONGEST {
            return None;
        }
        let mut found = NONE;
        for part in split_outside(text, '|') {
            let part = part.trim().trim_start_matches(['?', '!', '.']).trim_end_matches('=');
            let Some(value) = self.one_type(part, node) else { continue };
            found = if found == NONE { value } else { self.made(Expr::Choice(found, value), node) };
        }
        (found != NONE).then_some(found)
    }

    fn one_type(&mut self, text: &str, node: u32) -> Option<ExprId> {
        if let Some(element) = text.strip_suffix("[]") {
            let element = self.type_of(element.trim_matches(['(', ')']), node)?;
            return Some(self.list_of(element, node));
        }
        if let Some(inner) = text.strip_prefix('(').and_then(|t| t.strip_suffix(')')).filter(|_| self.braced()) {
            return self.type_of(inner, node);
        }
        if text.starts_with("import(") {
            let (module, member) = imported_type(text)?;
            let alias = text.split('<').next().unwrap_or(text);
            self.documented_import(node, module, member, alias);
            let place = self.place(node, UseKind::None);
            let name = self.name(alias);
            return Some(self.expr(Expr::Name { name, scope: FILE, path: true }, place));
        }
        if let Some((name, args)) = text.strip_suffix('>').and_then(|t| t.split_once('<')).filter(|_| self.braced()) {
            return self.applied_type(name.trim_end_matches('.'), args, node);
        }
        if let Some((name, args)) = text.strip_suffix('>').and_then(|t| t.split_once('<')) {
            let last = split_outside(args, ',').last()?.trim();
            let element = self.type_of(last, node);
            if !self.tables.resolution.element_types.contains_key(name) && !is_plain_word(name) {
                return self.named_type(name, node);
            }
            return element.map(|element| self.list_of(element, node));
        }
        self.named_type(text, node)
    }

    /// Whether documentation writes types in braces, and as the language writes them.
    fn braced(&self) -> bool {
        !self.tables.docs.import_tags.is_empty()
    }

    /// A type with arguments.
    fn applied_type(&mut self, name: &str, args: &str, node: u32) -> Option<ExprId> {
        let object = self.named_type(name, node)?;
        let given: Vec<ExprId> = split_outside(args, ',')
            .map(|arg| self.type_of(arg.trim(), node).unwrap_or(crate::build::UNKNOWN))
            .collect();
        let (args, count) = (self.facts.args.len() as u32, given.len() as u32);
        self.facts.args.extend(given.into_iter().map(|value| Arg { name: None, value, spread: false }));
        Some(self.made(Expr::Index { object, args, count }, node))
    }

    /// Imports that only documentation names: `@import { Cart } from "./cart"`, `@typedef {import("./cart").Cart} Cart`.
    pub(crate) fn documented_imports(&mut self) {
        if !self.braced() {
            return;
        }
        for node in 0..self.tree.nodes.len() as u32 {
            if !self.tree.is_comment(node) {
                continue;
            }
            let text = self.text(node);
            if !text.starts_with("/**") {
                continue;
            }
            for tag in &self.tables.docs.import_tags {
                for rest in text.split(tag.as_str()).skip(1).filter(|rest| rest.starts_with([' ', '\t', '{'])) {
                    let rest = rest.trim_start();
                    match rest.strip_prefix("{import(") {
                        Some(_) => {
                            let (written, after) = first_type(rest);
                            let Some(alias) = after.split_whitespace().next() else { continue };
                            let alias = alias.trim_end_matches("*/");
                            if let Some((module, member)) = imported_type(written) {
                                self.documented_import(node, module, member, alias);
                            }
                        }
                        None => self.import_clause(node, rest),
                    }
                }
            }
        }
    }

    /// `Cart, { Row, Row as Line } from "./cart"`.
    fn import_clause(&mut self, node: u32, text: &str) {
        let Some((names, from)) = text.split_once("from") else { return };
        let from = from.trim_start();
        let Some(quote) = from.chars().next().filter(|c| matches!(c, '"' | '\'')) else { return };
        let Some(module) = from[1..].split(quote).next().filter(|m| !m.is_empty() && m.len() <= LONGEST) else {
            return;
        };
        if names.len() > 10 * LONGEST || names.contains(['@', '(', ';']) {
            return;
        }
        let mut braced = false;
        for part in names.split(',') {
            braced |= part.contains('{');
            let mut words = part
                .split(|c: char| c.is_whitespace() || matches!(c, '{' | '}'))
                .filter(|w| !w.is_empty() && *w != "*");
            let (Some(first), second) = (words.next(), words.next()) else { continue };
            match (braced, second) {
                (true, Some("as")) => self.documented_import(node, module, Some(first), words.next().unwrap_or(first)),
                (true, _) => self.documented_import(node, module, Some(first), first),
                (false, Some(alias)) if first == "as" => self.documented_import(node, module, None, alias),
                (false, _) => self.documented_import(node, module, Some("default"), first),
            }
        }
    }

    fn documented_import(&mut self, node: u32, module: &str, member: Option<&str>, alias: &str) {
        // A name of the language's own stays what it is for the code.
        if self.tables.resolution.builtins.iter().any(|builtin| builtin == alias) {
            return;
        }
        let place = self.place(node, UseKind::Import);
        let alias = self.name(alias);
        if self.declared.contains_key(&(FILE, alias)) {
            return;
        }
        let kind = match member {
            None => ImportKind::Module,
            Some("default") => ImportKind::Default,
            Some(_) => ImportKind::Member,
        };
        let (module, name) = (self.name(module), self.name(member.filter(|m| *m != "default").unwrap_or("")));
        let index = self.facts.imports.len() as u32;
        let (exported, aside) = (false, false);
        self.facts.imports.push(Import { scope: FILE, kind, module, name, alias, exported, space: 0, aside, place });
        self.declare(FILE, alias, What::Import(index));
    }

    pub(crate) fn list_of(&mut self, element: ExprId, node: u32) -> ExprId {
        let first = self.facts.args.len() as u32;
        self.facts.args.push(Arg { name: None, value: element, spread: false });
        self.made(Expr::Collection { kind: CollectionKind::List, args: first, count: 1 }, node)
    }

    fn named_type(&mut self, text: &str, node: u32) -> Option<ExprId> {
        let scope = self.context().scope;
        if let Some(&kind) = self.tables.receivers.get(text) {
            return Some(self.made(Expr::Receiver(kind, scope), node));
        }
        let separator = self.tables.resolution.separator.clone();
        let word = |part: &str| {
            part.starts_with(|c: char| c.is_alphabetic() || c == '_')
                && part.chars().all(|c| c.is_alphanumeric() || c == '_')
        };
        let absolute = text.strip_prefix(separator.as_str());
        let rest = absolute.unwrap_or(text);
        let plain = is_plain_word(rest) && absolute.is_none();
        if plain || separator.is_empty() || !rest.split(separator.as_str()).all(word) {
            return None;
        }
        let place = self.place(node, UseKind::None);
        let mut parts = rest.split(separator.as_str());
        let head = if absolute.is_some() { separator.as_str() } else { parts.next()? };
        let name = self.name(head);
        let mut value = self.expr(Expr::Name { name, scope, path: true }, place);
        for part in parts {
            let name = self.name(part);
            value = self.expr(Expr::Member { object: value, name, path: true }, place);
        }
        Some(value)
    }
}

/// What follows each of some tags, one a line.
fn tagged<'t>(text: &'t str, tags: &'t [String]) -> impl Iterator<Item = &'t str> {
    text.lines().filter_map(move |line| {
        let line = line.trim_start_matches(['/', '*', '#', ' ', '\t']);
        tags.iter().find_map(|tag| line.strip_prefix(tag.as_str()).filter(|rest| rest.starts_with([' ', '\t'])))
    })
}

/// A parameter's name in its tag: `$name`, `...name`, `[name=default]`.
fn plain_name(word: &str) -> &str {
    let word = word.trim_start_matches(['.', '&', '[']);
    word.split(['=', ']']).next().unwrap_or(word)
}

/// The module and the member of `import("./module").Member`.
fn imported_type(text: &str) -> Option<(&str, Option<&str>)> {
    let (module, rest) = text.strip_prefix("import(")?.split_once(')')?;
    let module = module.trim().trim_matches(['"', '\'']);
    let member = rest.split('<').next().unwrap_or(rest).trim().trim_start_matches('.');
    let word = member.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '$');
    (word && !module.is_empty()).then_some((module, Some(member).filter(|m| !m.is_empty())))
}

/// The first word, with everything in brackets in it, without the braces that may be around it, and the rest.
fn first_type(text: &str) -> (&str, &str) {
    let text = text.trim_start();
    let mut depth = 0;
    let end = text.find(|c: char| {
        match c {
            '<' | '(' | '{' | '[' => depth += 1,
            '>' | ')' | '}' | ']' => depth -= 1,
            _ => {}
        }
        depth <= 0 && c.is_whitespace()
    });
    let (word, rest) = text.split_at(end.unwrap_or(text.len()));
    (word.strip_prefix('{').and_then(|w| w.strip_suffix('}')).unwrap_or(word).trim_end_matches("*/"), rest)
}

/// Splits at a character that is in no brackets.
fn split_outside(text: &str, at: char) -> impl Iterator<Item = &str> {
    let mut depth = 0;
    text.split(move |c: char| {
        match c {
            '<' | '(' | '{' => depth += 1,
            '>' | ')' | '}' => depth -= 1,
            _ => {}
        }
        depth == 0 && c == at
    })
}

/// Types of the language itself are written small.
fn is_plain_word(text: &str) -> bool {
    text.starts_with(|c: char| c.is_lowercase())
}

/// Whether a word is a variable's name rather than a description.
fn starts_like(word: &str, name: &str) -> bool {
    let first = name.chars().next().filter(|c| !c.is_alphabetic());
    first.is_some_and(|first| word.starts_with(first))
}
