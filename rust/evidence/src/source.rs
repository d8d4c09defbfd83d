//! A file's tree with its language's tables: tokens, calls, places.

use crate::data::Data;
use crate::found::At;
use mmcg_extract::tree::{mark, Tree};
use mmcg_facts::{FileFacts, Symbol};
use mmcg_lang::{Role, Tables};

/// A leaf of the tree, or a whole literal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token<'a> {
    /// Its text.
    pub text: &'a str,
    /// Whether it is a value by itself.
    pub literal: bool,
    /// Its node.
    pub node: u32,
}

/// A call: what is called, and the node of its arguments.
#[derive(Clone, Copy, Debug)]
pub struct Call {
    /// The call.
    pub node: u32,
    /// Its arguments with their brackets.
    pub arguments: u32,
}

/// Most tokens of a head: longer chains are none of a test.
const HEAD: usize = 1_000;

/// A file.
pub struct View<'a> {
    /// Its text.
    pub text: &'a str,
    /// Its tree.
    pub tree: &'a Tree,
    /// Its language's tables.
    pub tables: &'a Tables,
    /// Its language's evidence data.
    pub data: &'a Data,
    /// Its facts.
    pub facts: &'a FileFacts,
    /// The node of the whole file; what was parsed apart lies behind it.
    pub end: u32,
    /// The attributes with where the definitions end that they belong to.
    pub attributes: Vec<(u32, u32)>,
}

impl<'a> View<'a> {
    /// The text of a node.
    pub fn of(&self, node: u32) -> &'a str {
        let this = self.tree.get(node);
        self.text.get(this.start as usize..this.end as usize).unwrap_or_default()
    }

    /// The place of a node.
    pub fn at(&self, node: u32) -> At {
        let this = self.tree.get(node);
        At { line: this.row + 1, end_line: this.end_row + 1, start: this.start, end: this.end }
    }

    /// The node around.
    pub fn parent(&self, node: u32) -> Option<u32> {
        Some(self.tree.get(node).parent).filter(|&p| p != u32::MAX)
    }

    /// The nodes around, the nearest first.
    pub fn around(&self, node: u32) -> impl Iterator<Item = u32> + '_ {
        std::iter::successors(self.parent(node), |&n| self.parent(n))
    }

    /// Whether a node can have a role.
    pub fn is(&self, node: u32, role: Role) -> bool {
        let rules = self.tables.rules_of(self.tree.get(node).kind);
        rules.iter().any(|r| r.role == role && (!r.conditional() || self.tree.fits(node, r, self.text)))
    }

    /// The nodes of a subtree, itself first.
    pub fn inside(&self, node: u32) -> std::ops::Range<u32> {
        node..self.tree.get(node).next
    }

    /// All nodes, with those of what was parsed apart: of the arguments of macros.
    pub fn everywhere(&self) -> std::ops::Range<u32> {
        0..self.tree.nodes.len() as u32
    }

    /// The call that a node is.
    pub fn call(&self, node: u32) -> Option<Call> {
        if !self.is(node, Role::Call) || self.tree.is_leaf(node) {
            return None;
        }
        let open = |c: &u32| self.of(*c).starts_with(['(', '[', '{', '`']);
        let start = self.tree.get(node).start;
        let named = self.tree.children(node).find(|&c| self.are_arguments(c));
        let arguments = named.or_else(|| self.tree.children(node).filter(open).last());
        let arguments = arguments.filter(|&c| self.tree.get(c).start > start)?;
        Some(Call { node, arguments })
    }

    /// Whether a node's kind says that it holds a call's arguments, with or without brackets.
    pub fn are_arguments(&self, node: u32) -> bool {
        self.data.arguments.has(self.tree.get(node).kind)
    }

    /// What a call calls, with what stands in brackets left out and without layout: `expect().not.toBe`.
    pub fn head(&self, call: Call) -> String {
        let end = self.tree.get(call.arguments).start;
        self.head_between(self.tree.get(call.node).start, end, call.node)
    }

    /// The head of the tokens of a node between two bytes.
    pub fn head_between(&self, start: u32, end: u32, node: u32) -> String {
        let mut head = String::new();
        let mut depth = 0_usize;
        for token in self.walk_tokens(node, HEAD, end, true) {
            let at = self.tree.get(token.node);
            if at.start < start {
                continue;
            }
            let text = token.text;
            match text {
                "(" | "[" | "{" => {
                    if depth == 0 {
                        head.push_str(text);
                    }
                    depth += 1;
                }
                ")" | "]" | "}" => {
                    depth = depth.saturating_sub(1);
                    if depth == 0 {
                        head.push_str(text);
                    }
                }
                _ if depth > 0 => {}
                _ if token.literal || text.starts_with(['"', '\'', '`']) => head.push_str("\"\""),
                _ => {
                    let glued = head.ends_with(|c: char| c.is_alphanumeric() || c == '_');
                    if glued && text.starts_with(|c: char| c.is_alphanumeric() || c == '_') {
                        head.push(' ');
                    }
                    head.push_str(text);
                }
            }
        }
        head
    }

    /// The tokens of a node: its leaves without comments; literals are whole.
    pub fn tokens(&self, node: u32) -> Vec<Token<'a>> {
        self.some_tokens(node, usize::MAX, u32::MAX)
    }

    /// The first tokens of a node, at most so many, and none that begins at a byte or behind it.
    pub fn some_tokens(&self, node: u32, most: usize, before: u32) -> Vec<Token<'a>> {
        self.walk_tokens(node, most, before, false)
    }

    fn walk_tokens(&self, node: u32, most: usize, before: u32, without_types: bool) -> Vec<Token<'a>> {
        let mut found = Vec::new();
        let mut at = node;
        let end = self.tree.get(node).next;
        while at < end && found.len() < most {
            let this = self.tree.get(at);
            if this.start >= before {
                break;
            }
            if this.has(mark::COMMENT) || (without_types && self.data.type_arguments.has(this.kind)) {
                at = this.next;
                continue;
            }
            let whole = self.is(at, Role::Literal);
            let leaf = this.next == at + 1;
            // A name may be made of a mark and a word.
            let name = this.next == at + 3 && this.end - this.start < 100 && self.is(at, Role::Name);
            if leaf || name || (whole && !self.has_parts(at)) {
                let text = self.of(at);
                if !text.trim().is_empty() {
                    let literal = whole || self.data.constants.iter().any(|c| c == text);
                    found.push(Token { text: text.trim(), literal, node: at });
                }
                at = this.next;
                continue;
            }
            at += 1;
        }
        found
    }

    /// Whether a literal has values of its own inside.
    fn has_parts(&self, node: u32) -> bool {
        let end = self.tree.get(node).next;
        (node + 1..end).any(|n| {
            [Role::Name, Role::Call, Role::Member, Role::Receiver, Role::Index].iter().any(|&role| self.is(n, role))
        })
    }

    /// The tokens of a node as one text, with a blank between.
    pub fn normal(&self, node: u32) -> String {
        join(&self.tokens(node))
    }

    /// The arguments of a call, each as tokens.
    pub fn operands(&self, arguments: u32) -> Vec<Vec<Token<'a>>> {
        let tokens = self.tokens(arguments);
        let bare = self.are_arguments(arguments) && tokens.first().is_some_and(|t| t.text != "(");
        let inside = match tokens.len() {
            _ if bare => &tokens[..],
            0 | 1 => &[][..],
            n => &tokens[1..n - 1],
        };
        split(inside, &[","]).into_iter().filter(|part| !part.is_empty()).map(<[_]>::to_vec).collect()
    }

    /// The innermost symbol around a byte.
    pub fn inner_symbol(&self, byte: u32) -> Option<&'a Symbol> {
        let symbols = self.facts.symbols.iter().skip(1);
        let around = symbols.filter(|s| s.span.start <= byte && byte < s.span.end);
        around.min_by_key(|s| s.span.end - s.span.start)
    }

    /// The symbol that an attribute belongs to: the one whose head it stands in, or that it stands before.
    pub fn symbol_of(&self, attribute: u32) -> Option<&'a Symbol> {
        let here = self.tree.get(attribute);
        let inner = self.inner_symbol(here.start);
        let next = self.following(attribute);
        let symbols = self.facts.symbols.iter().skip(1);
        let before = next.and_then(|n| symbols.clone().filter(|s| s.span.start == n).max_by_key(|s| s.span.end));
        before.or_else(|| inner.filter(|s| s.span.end > here.end))
    }

    /// Every attribute with where the definition ends that it belongs to.
    pub fn find_attributes(&self) -> Vec<(u32, u32)> {
        let all = self.inside(0).filter(|&n| self.data.attributes.has(self.tree.get(n).kind));
        all.filter_map(|n| Some((n, self.symbol_of(n)?.span.end))).collect()
    }

    /// Where the sibling behind an attribute starts, other attributes passed over.
    fn following(&self, attribute: u32) -> Option<u32> {
        let parent = self.parent(attribute)?;
        let kind = |n: u32| self.tree.get(n).kind;
        let after = self.tree.named(parent).filter(|&n| n > attribute);
        let next = after.into_iter().find(|&n| !self.data.attributes.has(kind(n)))?;
        let between = self.tree.get(next).start - self.tree.get(attribute).end;
        // An attribute of the file stands first, and apart.
        let own = self.of(attribute).starts_with("#!");
        (between < 4000 && !own).then_some(self.tree.get(next).start)
    }

    /// A symbol's place with the attributes before it.
    pub fn whole(&self, symbol: &Symbol) -> At {
        let span = symbol.span;
        let mut at = At { line: span.line, end_line: span.end_line, start: span.start, end: span.end };
        let nodes = &self.tree.nodes[..self.end as usize];
        let first = nodes.partition_point(|n| n.start < span.start) as u32;
        let mut node = (first..self.end.min(first + 64))
            .find(|&n| self.tree.get(n).start == span.start && self.tree.get(n).end == span.end);
        while let Some(before) = node.and_then(|n| self.tree.before(n)) {
            if !self.data.attributes.has(self.tree.get(before).kind) || self.of(before).starts_with("#!") {
                break;
            }
            (at.line, at.start) = (self.tree.get(before).row + 1, self.tree.get(before).start);
            node = Some(before);
        }
        at
    }

    /// Whether a node stands for itself, its value unused.
    pub fn is_statement(&self, node: u32) -> bool {
        let mut at = node;
        for around in self.around(node) {
            let (this, inner) = (self.tree.get(around), self.tree.get(at));
            let used = [Role::Call, Role::Member, Role::Operator, Role::Argument, Role::Return]
                .iter()
                .any(|&r| self.is(around, r));
            if self.is(around, Role::Await) {
                at = around;
                continue;
            }
            return !used
                && ((this.start == inner.start && this.end - inner.end <= 1) || self.of(around).starts_with('{'));
        }
        false
    }

    /// The qualified name of the innermost symbol around a byte; empty outside all of them.
    pub fn symbol_at(&self, byte: u32) -> String {
        let name = |s: &Symbol| self.facts.names.get(s.qualified).to_owned();
        self.inner_symbol(byte).map(name).unwrap_or_default()
    }
}

/// Tokens as one text.
pub fn join(tokens: &[Token<'_>]) -> String {
    tokens.iter().map(|t| t.text).collect::<Vec<_>>().join(" ")
}

/// Splits tokens where one of the words stands outside all brackets.
pub fn split<'t, 'a>(tokens: &'t [Token<'a>], words: &[&str]) -> Vec<&'t [Token<'a>]> {
    let mut parts = Vec::new();
    let (mut depth, mut from) = (0_usize, 0);
    for (at, token) in tokens.iter().enumerate() {
        match token.text {
            "(" | "[" | "{" | "#{" | "${" => depth += 1,
            ")" | "]" | "}" => depth = depth.saturating_sub(1),
            word if depth == 0 && words.contains(&word) => {
                parts.push(&tokens[from..at]);
                from = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&tokens[from..]);
    parts
}

/// Tokens without brackets around all of them.
pub fn bare<'t, 'a>(mut tokens: &'t [Token<'a>]) -> &'t [Token<'a>] {
    while let [first, inside @ .., last] = tokens {
        if first.text != "(" || last.text != ")" || !closed(inside) {
            break;
        }
        tokens = inside;
    }
    tokens
}

fn closed(tokens: &[Token<'_>]) -> bool {
    let mut depth = 0_i32;
    for token in tokens {
        depth += match token.text {
            "(" => 1,
            ")" => -1,
            _ => 0,
        };
        if depth < 0 {
            return false;
        }
    }
    depth == 0
}
