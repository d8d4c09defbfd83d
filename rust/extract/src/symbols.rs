//! Symbols: names, properties, signatures, documentation.

use crate::build::Build;
use crate::define::{Definition, Given};
use crate::tree::{mark, Nodes};
use crate::{conditions, text};
use mmcg_facts::{ScopeKind, Symbol, SymbolFlags, SymbolId, SymbolKind, TextId, UseKind, Visibility};
use mmcg_lang::{Flags, Role, Rule};

/// Longest signature.
const SIGNATURE_MAX: usize = 300;
/// Longest documentation.
const DOC_MAX: usize = 2_000;

impl<'a> Build<'a> {
    pub(crate) fn add_symbol(
        &mut self,
        node: u32,
        rule: &'a Rule,
        given: Given,
        kind: SymbolKind,
        definition: &mut Definition,
    ) -> SymbolId {
        let context = self.context();
        let outer = given.outer;
        let decorators = self.decorator_nodes(node, outer);
        let said = self.said(node, outer, rule, given, kind, &decorators);
        let own = self.facts.names.get(given.name).to_owned();
        let qualified = match given.owner {
            Some(owner) => {
                let path = self.owner_text(owner, given.name_node);
                let owner = path.unwrap_or_else(|| self.type_name(owner));
                let prefix = self.join(given.prefix, &owner);
                self.join(prefix, &own)
            }
            None => self.join(given.prefix, &own),
        };
        let signature = self.signature(node, outer, rule, &decorators);
        let decoration = self.decoration(&decorators);
        let doc = self.documentation(node, outer);
        let id = SymbolId::from(self.facts.symbols.len());
        let place = self.place(given.name_node, UseKind::None);
        self.bodies.push((node, id, false));
        let mut span = self.span(outer);
        if let Some(body) = self.tree.first(node, &rule.body) {
            let inside = self.span(body);
            if inside.end > span.end {
                // The body stands behind the head, not in it.
                (span.end, span.end_line) = (inside.end, inside.end_line);
                self.bodies.push((body, id, true));
            }
        }
        self.facts.symbols.push(Symbol {
            name: given.name,
            qualified,
            // `const f = () => …` is a function, whatever `const` says.
            kind: said.kind.filter(|k| k.is_callable() || !kind.is_callable()).unwrap_or(kind),
            container: given.container,
            scope: given.scope.unwrap_or(context.scope),
            body: None,
            owner: None,
            span,
            place,
            params: 0..0,
            declared: None,
            value: None,
            type_params: 0..0,
            decorators: 0..0,
            decoration,
            flags: said.set,
            visibility: said.visibility.unwrap_or(Visibility::Public),
            signature,
            doc,
            body_hash: 0,
        });
        definition.symbol = Some(id);
        definition.decorators = decorators;
        id
    }

    fn decorator_nodes(&self, node: u32, outer: u32) -> Nodes {
        let mut found = Nodes::new();
        if self.tables.decorators.is_empty() {
            return found;
        }
        let mut at = node;
        loop {
            for selector in &self.tables.decorators {
                for decorator in self.tree.all(at, selector) {
                    if !found.contains(&decorator) {
                        found.push(decorator);
                    }
                }
            }
            if at == outer {
                found.sort_unstable();
                return found;
            }
            at = self.tree.get(at).parent;
        }
    }

    /// What modifiers, decorators, the name and the surroundings say about a symbol.
    fn said(
        &mut self,
        node: u32,
        outer: u32,
        rule: &Rule,
        given: Given,
        kind: SymbolKind,
        decorators: &Nodes,
    ) -> Flags {
        let tables = self.tables;
        let name = self.facts.names.get(given.name);
        let member = given.container.is_some_and(|c| self.facts.symbol(c).kind.is_type());
        let mut said = rule.flags;
        said.set.set(given.flags);
        if self.standing().aside {
            said.set.set(SymbolFlags::ASIDE);
        }
        if self.is_conditional() {
            said.set.set(SymbolFlags::CONDITIONAL);
        }
        if self.keys > 0 {
            said.set.set(SymbolFlags::HELD);
        }
        let shared = given.scope.is_some_and(|s| matches!(self.scope_kind(s), ScopeKind::File | ScopeKind::Namespace));
        if shared && self.context().local {
            said.set.set(SymbolFlags::FILE_LOCAL);
        }
        let default = if member { tables.member_visibility } else { tables.visibility };
        let by_name = tables.visible_names.iter().find(|(p, _)| p.matches(name)).map(|(_, v)| *v);
        let rule_visibility = said.visibility.take();
        said.visibility = rule_visibility.or(by_name).or(Some(default));
        for (pattern, flags) in &tables.name_flags {
            if member && pattern.matches(name) {
                merge(&mut said, *flags);
            }
        }
        let tests = &tables.tests;
        let patterns = match kind {
            SymbolKind::Class => &tests.classes,
            _ if member => &tests.methods,
            _ => &tests.functions,
        };
        let callable = kind.is_callable() || kind.is_type();
        let mut test = callable && patterns.iter().any(|p| p.matches(name));
        for &decorator in decorators.iter() {
            let text = decorator_text(self.text(decorator));
            let last = text.rsplit(['.', ':', '\\']).next().unwrap_or(text);
            for (pattern, flags) in &tables.decorator_flags {
                if pattern.matches(last) || pattern.matches(text) {
                    merge(&mut said, *flags);
                }
            }
            if tables.condition_decorators.iter().any(|c| c == text) && self.is_aside(self.text(decorator)) {
                said.set.set(SymbolFlags::ASIDE);
            }
            if tests.decorators.iter().any(|p| p.matches(last) || p.matches(text)) {
                said.set.set(SymbolFlags::TEST_BY_MARK);
                test = true;
            }
        }
        if test {
            said.set.set(SymbolFlags::TEST);
        }
        let mut at = node;
        loop {
            self.modifiers(at, given.name_node, &mut said);
            let kind = self.tree.get(at).kind as usize;
            if at != node && tables.exported_by[kind] {
                said.set.set(SymbolFlags::EXPORTED);
                if !tables.default_token.is_empty()
                    && self.tree.children(at).any(|c| self.text(c) == tables.default_token)
                {
                    said.set.set(SymbolFlags::DEFAULT_EXPORT);
                }
            }
            if at == outer {
                return said;
            }
            let parent = self.tree.get(at).parent;
            if parent == u32::MAX {
                return said;
            }
            at = parent;
        }
    }

    /// Modifiers that stand behind a function's name.
    pub(crate) fn trailing_marks(&mut self, node: u32, rule: &Rule, symbol: SymbolId) {
        for at in self.tree.every(node, &rule.marks) {
            if let Some(flags) = self.tables.modifiers.get(self.text(at)) {
                self.facts.symbols[symbol.index()].flags.set(flags.set);
            }
        }
    }

    /// Whether the condition in a decorator's parentheses leaves its definition out.
    fn is_aside(&self, decorator: &str) -> bool {
        let inner = decorator.split_once('(').and_then(|(_, rest)| rest.rsplit_once(')'));
        inner.is_some_and(|(condition, _)| !conditions::holds(condition, &self.tables.given))
    }

    /// Whether a decorator of a node leaves it out.
    pub(crate) fn decorated_aside(&self, node: u32) -> bool {
        self.decorator_nodes(node, node).iter().any(|&decorator| {
            let text = decorator_text(self.text(decorator));
            self.tables.condition_decorators.iter().any(|c| c == text) && self.is_aside(self.text(decorator))
        })
    }

    /// Whether a condition at the top of the file leaves it out.
    fn file_is_aside(&self, root: u32) -> bool {
        let word = self.tables.condition_comment.as_str();
        let mut comments = self.tree.children(root).take_while(|&c| self.tree.is_comment(c));
        let condition = |c| self.text(c).strip_prefix(word);
        !word.is_empty() && comments.find_map(condition).is_some_and(|c| !conditions::holds(c, &self.tables.given))
    }

    /// Modifiers among the tokens before the name.
    fn modifiers(&self, node: u32, name: u32, said: &mut Flags) {
        let tables = self.tables;
        if tables.modifiers.is_empty() {
            return;
        }
        for child in self.tree.children(node) {
            let this = self.tree.get(child);
            if child <= name && name < this.next && !this.has(mark::ERROR) {
                break;
            }
            if tables.modifier_groups[this.kind as usize] {
                for inner in child + 1..this.next {
                    if let Some(flags) = tables.modifiers.get(self.text(inner)) {
                        merge(said, *flags);
                    }
                }
                if !self.tree.is_leaf(child) && !tables.modifiers.contains_key(self.text(child)) {
                    continue;
                }
            }
            let word = !this.has(mark::NAMED) || tables.modifier_groups[this.kind as usize];
            if word && this.end - this.start <= 24 {
                if let Some(flags) = tables.modifiers.get(self.text(child)) {
                    merge(said, *flags);
                }
            }
        }
    }

    /// One line that says how a symbol is declared, without comments.
    ///
    /// Attributes that stand before the declaration, not in it, are put in front, as those in it are part of its text.
    fn signature(&mut self, node: u32, outer: u32, rule: &Rule, decorators: &Nodes) -> TextId {
        let start = if self.is_decorated(outer) { node } else { outer };
        let start = self.tree.get(start).start as usize;
        let mut end = self.tree.get(node).end as usize;
        for body in self.tree.every(node, &rule.body) {
            if self.tree.get(body).start as usize > start {
                end = end.min(self.tree.get(body).start as usize);
            }
        }
        let mut source = String::new();
        for &decorator in decorators {
            // The others are kept beside the signature.
            if !self.is_run(decorator) && (self.tree.get(decorator).end as usize) <= start {
                source.push_str(self.text(decorator));
                source.push(' ');
            }
        }
        source.push_str(&self.without_comments(node, outer, start..end));
        let line = text::one_line(&source, SIGNATURE_MAX);
        let line = line.trim_end_matches(|c: char| c.is_whitespace() || matches!(c, '{' | ':' | '=' | ';' | ','));
        let line = line.strip_suffix("=>").or_else(|| line.strip_suffix("= >")).unwrap_or(line).trim_end();
        let line = line.strip_suffix("=").unwrap_or(line).trim_end();
        self.facts.texts.push(line)
    }

    /// Whether a decorator is more than a note for the compiler.
    fn is_run(&self, decorator: u32) -> bool {
        self.rule(decorator).is_some_and(|r| r.role != Role::Skip)
    }

    /// The texts of decorators, one a line.
    fn decoration(&mut self, decorators: &Nodes) -> Option<TextId> {
        let mut lines = Vec::new();
        for &decorator in decorators.iter().filter(|&&d| self.is_run(d)) {
            let this = self.tree.get(decorator);
            let text = self.without_comments(decorator, decorator, this.start as usize..this.end as usize);
            let text = text::one_line(text.trim_start_matches('@'), SIGNATURE_MAX);
            if !text.is_empty() {
                lines.push(text);
            }
        }
        (!lines.is_empty()).then(|| self.facts.texts.push(&lines.join("\n")))
    }

    /// A part of a declaration's text; each comment in it is a blank.
    fn without_comments(&self, node: u32, outer: u32, part: std::ops::Range<usize>) -> String {
        let mut text = String::with_capacity(part.len());
        let mut at = part.start;
        for inside in outer..self.tree.get(node).next {
            let this = self.tree.get(inside);
            if this.start as usize >= part.end || text.len() > SIGNATURE_MAX * 16 {
                break;
            }
            if self.tree.is_comment(inside) && this.start as usize >= at {
                text.push_str(self.source.get(at..this.start as usize).unwrap_or_default());
                text.push(' ');
                at = (this.end as usize).min(part.end);
            }
        }
        text.push_str(self.source.get(at..part.end).unwrap_or_default());
        text
    }

    /// Whether a wrapper begins with decorators: its text is no good begin of a signature.
    fn is_decorated(&self, outer: u32) -> bool {
        self.tables.decorators.iter().any(|s| self.tree.first(outer, s).is_some())
    }

    fn documentation(&mut self, node: u32, outer: u32) -> Option<TextId> {
        let tables = self.tables;
        let docs = &tables.docs;
        if let Some(inside) = self.tree.first(node, &docs.inside) {
            let text = text::dedent(crate::expressions::unquoted(self.text(inside)), DOC_MAX);
            return (!text.is_empty()).then(|| self.facts.texts.push(&text));
        }
        if docs.comments.is_empty() {
            return None;
        }
        // Comments that end right above the definition, the nearest run of them.
        let mut line = self.tree.get(outer).row;
        let mut comments = Nodes::new();
        for at in self.tree.all_before(outer) {
            let this = self.tree.get(at);
            if docs.between.contains(&this.kind) {
                line = this.row;
                continue;
            }
            let text = self.text(at);
            let end = this.row + text.trim_end().bytes().filter(|&b| b == b'\n').count() as u32;
            let fits = docs.starts.is_empty() || docs.starts.iter().any(|s| text.starts_with(s.as_str()));
            if !docs.comments.contains(&this.kind) || !fits || end + 1 < line {
                break;
            }
            comments.push(at);
            line = this.row;
            if text.starts_with("/*") {
                break;
            }
        }
        if comments.is_empty() {
            return None;
        }
        comments.reverse();
        let texts: Vec<&str> = comments.iter().map(|&c| self.text(c)).collect();
        let text = text::uncommented(&texts, DOC_MAX);
        (!text.is_empty()).then(|| self.facts.texts.push(&text))
    }

    /// The symbol of the file's own code.
    pub(crate) fn add_module(&mut self, root: u32) {
        let doc = self.tree.first(root, &self.tables.docs.module).map(|n| {
            let text = text::dedent(crate::expressions::unquoted(self.text(n)), DOC_MAX);
            self.facts.texts.push(&text)
        });
        let name = self.name("<module>");
        let aside = self.file_is_aside(root);
        let signature = self.facts.texts.push("");
        self.facts.symbols.push(Symbol {
            name,
            qualified: name,
            kind: SymbolKind::Module,
            container: None,
            scope: crate::build::FILE,
            body: Some(crate::build::FILE),
            owner: None,
            span: mmcg_facts::Span::default(),
            place: mmcg_facts::Place::new(1, 1, UseKind::None),
            params: 0..0,
            declared: None,
            value: None,
            type_params: 0..0,
            decorators: 0..0,
            decoration: None,
            flags: if aside { SymbolFlags::ASIDE } else { SymbolFlags::default() },
            visibility: Visibility::Public,
            signature,
            doc,
            body_hash: 0,
        });
    }
}

fn merge(said: &mut Flags, more: Flags) {
    said.set.set(more.set);
    said.visibility = more.visibility.or(said.visibility);
    said.kind = more.kind.or(said.kind);
}

/// The name in `@a.b(…)`, `#[a(…)]`, `[A(…)]`.
fn decorator_text(text: &str) -> &str {
    let text = text.trim_start_matches(['@', '#', '!', '[', ' ']);
    let end = text.find(|c: char| c.is_whitespace() || matches!(c, '(' | ']' | '<' | '=' | ',')).unwrap_or(text.len());
    &text[..end]
}
