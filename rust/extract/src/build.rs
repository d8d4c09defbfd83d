//! The facts under construction: names, scopes, declarations and expressions.

use crate::columns::Columns;
use crate::tree::{mark, Tree};
use mmcg_facts::{
    Bind, Decl, Expr, ExprId, FileFacts, LiteralKind, NameId, Place, Scope, ScopeId, ScopeKind, Span, SymbolId,
    UseKind, What,
};
use mmcg_lang::{Declares, Rule, Selector, Tables};
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use std::hash::Hasher;

/// No value.
pub const NONE: ExprId = ExprId(u32::MAX);
/// The expression that says nothing.
pub const UNKNOWN: ExprId = ExprId(0);
/// The empty name.
pub const EMPTY: NameId = NameId(0);
/// The file's scope.
pub const FILE: ScopeId = ScopeId(0);
/// The file's own symbol.
pub const MODULE: SymbolId = SymbolId(0);

/// Where the walk is.
#[derive(Clone, Copy, Debug)]
pub struct Context {
    /// The scope in which names are looked up.
    pub scope: ScopeId,
    /// The nearest named function or module: whom calls belong to.
    pub symbol: SymbolId,
    /// The lexical container of symbols.
    pub container: Option<SymbolId>,
    /// The qualified name of the container.
    pub prefix: NameId,
    /// The scope of the nearest function or lambda.
    pub function: ScopeId,
    /// The constant that lambdas belong to.
    pub constant: Option<SymbolId>,
    /// Whether what is declared here is known to the file only.
    pub local: bool,
    /// The node that this is the context of; it ends with it.
    pub node: u32,
}

/// An assignment whose scope may have to be looked up at the end.
pub struct PendingBind {
    /// The assignment.
    pub bind: Bind,
    /// Whether its scope is where it is written, not where the name is declared.
    pub lookup: bool,
}

/// Everything that the walk reads and makes.
pub struct Build<'a> {
    pub source: &'a str,
    pub columns: Columns,
    /// Whether the parser could not place some of the text.
    pub broken: bool,
    /// The nodes that are definitions, and whether they are only the bodies of such.
    pub bodies: Vec<(u32, SymbolId, bool)>,
    pub tables: &'a Tables,
    pub tree: &'a mut Tree,
    pub values: &'a mut Vec<ExprId>,
    pub facts: FileFacts,
    pub binds: Vec<PendingBind>,
    pub contexts: Vec<Context>,
    pub switches: FxHashMap<u32, Context>,
    pub given: FxHashMap<u32, crate::define::Given>,
    pub declared: FxHashMap<(ScopeId, NameId), What>,
    pub redirects: FxHashMap<(ScopeId, NameId), ScopeId>,
    /// Local variables and parameters of the language's own types.
    pub plain: FxHashSet<(ScopeId, NameId)>,
    pub bare_calls: Vec<(ExprId, SymbolId)>,
    pub parse: &'a mut dyn FnMut(&str) -> Option<tree_sitter::Tree>,
    pub types: u32,
    pub in_macro: u32,
    /// What conditions have said of types, and where.
    pub narrowed: Vec<crate::narrow::Narrowed>,
    /// Nesting of macros whose items are left out of the ordinary build.
    pub aside: u32,
    /// Branches of conditions around the code at hand.
    pub branches: Vec<crate::groups::Branch>,
    /// Nesting of macros whose variables are keys to what they are declared to hold.
    pub keys: u32,
    interned: FxHashMap<u64, NameId>,
    literals: [ExprId; 7],
}

impl<'a> Build<'a> {
    pub fn new(
        source: &'a str,
        tables: &'a Tables,
        tree: &'a mut Tree,
        values: &'a mut Vec<ExprId>,
        parse: &'a mut dyn FnMut(&str) -> Option<tree_sitter::Tree>,
        facts: FileFacts,
    ) -> Self {
        let mut build = Self {
            source,
            columns: Columns::new(source),
            broken: false,
            bodies: Vec::new(),
            tables,
            tree,
            values,
            facts,
            binds: Vec::new(),
            contexts: Vec::new(),
            switches: FxHashMap::default(),
            given: FxHashMap::default(),
            declared: FxHashMap::default(),
            redirects: FxHashMap::default(),
            plain: FxHashSet::default(),
            bare_calls: Vec::new(),
            parse,
            types: 0,
            in_macro: 0,
            narrowed: Vec::new(),
            aside: 0,
            branches: Vec::new(),
            keys: 0,
            interned: FxHashMap::default(),
            literals: [NONE; 7],
        };
        build.name("");
        build.expr(Expr::Unknown, Place::new(1, 1, UseKind::None));
        build.facts.scopes.push(Scope { kind: ScopeKind::File, parent: None, symbol: MODULE });
        build
    }

    pub fn context(&self) -> Context {
        *self.contexts.last().expect("the file's context stays")
    }

    /// Interns a name.
    pub fn name(&mut self, text: &str) -> NameId {
        let mut hasher = FxHasher::default();
        hasher.write(text.as_bytes());
        hasher.write_usize(text.len());
        let mut hash = hasher.finish();
        loop {
            match self.interned.get(&hash) {
                Some(&id) if self.facts.names.get(id) == text => return id,
                Some(_) => hash = hash.wrapping_add(1),
                None => {
                    let id = std::sync::Arc::make_mut(&mut self.facts.names).push(text);
                    self.interned.insert(hash, id);
                    return id;
                }
            }
        }
    }

    /// The text of a node.
    pub fn text(&self, node: u32) -> &'a str {
        let n = self.tree.get(node);
        self.source.get(n.start as usize..n.end as usize).unwrap_or("")
    }

    /// Interns the text of a node.
    pub fn node_name(&mut self, node: u32) -> NameId {
        let text = self.text(node);
        self.name(text)
    }

    /// Interns the text of a node that names a definition.
    pub fn own_name(&mut self, node: u32, rule: &Rule) -> NameId {
        let mut text = self.text(node);
        if !rule.strip.is_empty() {
            text = text.trim_matches(|c| rule.strip.contains(c));
        }
        if text.bytes().any(|b| b <= b' ' || b >= 0x80) && text.contains(char::is_whitespace) {
            let joined: String = text.split_whitespace().collect();
            return self.name(&joined);
        }
        self.name(text)
    }

    /// Interns the text of a node that names a member, with what the language leaves out there (PHP's `$`).
    pub fn member_name(&mut self, node: u32, rule: &Rule) -> NameId {
        let own = self.own_name(node, rule);
        if rule.prefix.is_empty() {
            return own;
        }
        let text = format!("{}{}", rule.prefix, self.facts.names.get(own));
        self.name(&text)
    }

    pub fn place(&self, node: u32, used: UseKind) -> Place {
        let n = self.tree.get(node);
        let column = self.columns.in_characters(self.source, n.start.saturating_sub(n.column), n.start);
        Place::new(n.row + 1, column + 1, used)
    }

    /// The range from one node to the end of another.
    pub fn span(&self, node: u32) -> Span {
        let n = self.tree.get(node);
        let trailing = u32::from(self.text(node).ends_with('\n'));
        Span { start: n.start, end: n.end, line: n.row + 1, end_line: n.end_row + 1 - trailing }
    }

    pub fn expr(&mut self, expr: Expr, place: Place) -> ExprId {
        self.facts.exprs.push(expr);
        self.facts.places.push(place);
        ExprId::from(self.facts.exprs.len() - 1)
    }

    /// An expression made up by the extractor.
    pub fn made(&mut self, expr: Expr, node: u32) -> ExprId {
        let place = self.place(node, UseKind::None);
        self.expr(expr, place)
    }

    /// A literal; those without a text are shared.
    pub fn literal(&mut self, kind: LiteralKind, text: NameId, node: u32) -> ExprId {
        if text != EMPTY {
            return self.made(Expr::Literal(kind, text), node);
        }
        if self.literals[kind as usize] == NONE {
            self.literals[kind as usize] = self.made(Expr::Literal(kind, text), node);
        }
        self.literals[kind as usize]
    }

    pub fn use_as(&mut self, expr: ExprId, used: UseKind) {
        if expr != NONE {
            let place = &mut self.facts.places[expr.index()];
            if place.used() != UseKind::None {
                *place = place.with_use(used);
            }
        }
    }

    pub fn value(&self, node: u32) -> ExprId {
        self.values[node as usize]
    }

    /// The value of a node, if it has one.
    pub fn some_value(&self, node: Option<u32>) -> Option<ExprId> {
        node.map(|n| self.value(n)).filter(|&v| v != NONE)
    }

    pub fn value_at(&self, node: u32, selector: &Selector) -> ExprId {
        self.some_value(self.tree.first(node, selector)).unwrap_or(UNKNOWN)
    }

    /// Gives a node's names the meaning of types.
    pub fn mark_at(&mut self, node: u32, selector: &Selector, marks: u16) -> Option<u32> {
        let found = self.tree.first(node, selector)?;
        self.tree.mark(found, marks);
        Some(found)
    }

    pub fn new_scope(&mut self, kind: ScopeKind, parent: ScopeId, symbol: SymbolId) -> ScopeId {
        self.facts.scopes.push(Scope { kind, parent: Some(parent), symbol });
        ScopeId::from(self.facts.scopes.len() - 1)
    }

    /// From `node` on, and inside it, another context holds.
    pub fn switch(&mut self, node: u32, mut context: Context) {
        context.node = node;
        self.tree.mark(node, mark::SWITCH);
        self.switches.insert(node, context);
    }

    pub fn scope_kind(&self, scope: ScopeId) -> ScopeKind {
        self.facts.scopes[scope.index()].kind
    }

    /// The nearest scope that is no block.
    pub fn without_blocks(&self, mut scope: ScopeId) -> ScopeId {
        while self.scope_kind(scope) == ScopeKind::Block {
            scope = self.facts.scopes[scope.index()].parent.unwrap_or(FILE);
        }
        scope
    }

    /// The scope that a declaration puts a name in.
    pub fn declaring_scope(&self, name: NameId, declares: Declares, scope: ScopeId) -> ScopeId {
        let scope = match declares {
            Declares::None | Declares::Block | Declares::Shadow => scope,
            Declares::Function => self.without_blocks(scope),
            Declares::File => FILE,
        };
        self.redirects.get(&(scope, name)).copied().unwrap_or(scope)
    }

    pub fn declare(&mut self, scope: ScopeId, name: NameId, what: What) {
        self.declared.entry((scope, name)).or_insert(what);
        self.facts.decls.push(Decl { scope, name, what });
    }

    /// Whether a name means that nothing is declared.
    pub fn is_ignored(&self, name: NameId) -> bool {
        let ignored = &self.tables.ignored;
        !ignored.is_empty() && ignored.iter().any(|i| i == self.facts.names.get(name))
    }

    /// The scope of the block at hand that declares a name: a block has several where declarations hide earlier ones.
    pub fn block_scope(&self, name: NameId, scope: ScopeId) -> Option<ScopeId> {
        let node = self.contexts.iter().rev().find(|c| c.scope == scope)?.node;
        let block = self.contexts.iter().rev().skip_while(|c| c.scope != scope).take_while(|c| c.node == node);
        block.map(|c| c.scope).find(|&s| self.declared.contains_key(&(s, name)))
    }

    /// Declares a variable unless the name is declared in that scope already.
    pub fn declare_variable(&mut self, scope: ScopeId, name: NameId) {
        if !self.declared.contains_key(&(scope, name)) {
            self.declare(scope, name, What::Variable);
        }
    }

    /// The rule that holds for a node.
    pub fn rule(&self, node: u32) -> Option<&'a Rule> {
        let tables = self.tables;
        let rules = tables.rules_of(self.tree.get(node).kind);
        match rules {
            [] => None,
            [rule] if !rule.conditional() => Some(rule),
            rules => rules.iter().find(|r| self.holds(node, r)),
        }
    }

    fn holds(&self, node: u32, rule: &Rule) -> bool {
        self.tree.fits(node, rule, self.source)
            && (rule.scope.is_empty() || rule.scope.iter().any(|s| self.in_scope(s)))
    }

    fn in_scope(&self, word: &str) -> bool {
        let scope = self.context().scope;
        match (word, self.scope_kind(self.without_blocks(scope))) {
            ("block", _) => self.scope_kind(scope) == ScopeKind::Block,
            ("file", ScopeKind::File) | ("namespace", ScopeKind::Namespace) | ("function", ScopeKind::Function) => true,
            ("class", kind) => matches!(kind, ScopeKind::Class | ScopeKind::Extension),
            ("extension", ScopeKind::Extension) => true,
            _ => false,
        }
    }
}
