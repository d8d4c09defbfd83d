//! Definitions: symbols, their scopes and what becomes known of them when their inside is done.

use crate::build::{Build, Context, PendingBind, EMPTY, FILE, MODULE, NONE, UNKNOWN};
use crate::params::PendingParam;
use crate::tree::{mark, Nodes};
use mmcg_facts::{
    Base, Bind, Expr, ExprId, Extension, NameId, Param, ParamKind, ReceiverKind, Return, ScopeId, ScopeKind, SiteFlags,
    SymbolFlags, SymbolId, SymbolKind, UseKind, What,
};
use mmcg_lang::{Declares, Head, Role, Rule};

/// A name given to a function or class by what is around it (`const f = () => …`).
#[derive(Clone, Copy, Debug)]
pub struct Given {
    /// The node that holds the name, if there is one.
    pub name_node: u32,
    /// The name.
    pub name: NameId,
    /// The whole definition.
    pub outer: u32,
    /// The kind that it has, if not by its own rule.
    pub kind: Option<SymbolKind>,
    /// The scope that declares the name; `None` for members of objects.
    pub scope: Option<ScopeId>,
    /// The container and its qualified name.
    pub container: Option<SymbolId>,
    /// See `container`.
    pub prefix: NameId,
    /// The type it is a member of: a node.
    pub owner: Option<u32>,
    /// Properties.
    pub flags: SymbolFlags,
}

/// A definition whose inside is being walked.
#[derive(Debug, Default)]
pub struct Definition {
    pub symbol: Option<SymbolId>,
    pub scope: Option<ScopeId>,
    pub params: Vec<PendingParam>,
    pub decorators: Nodes,
    pub bases: Vec<(u32, mmcg_facts::BaseKind)>,
    /// The type around is a base, too.
    pub around: Option<mmcg_facts::BaseKind>,
    pub bounds: Vec<(u32, u32)>,
    pub owner: Option<u32>,
    pub extension: Option<usize>,
    /// Variables of a file, namespace or type that a declaration declares.
    pub variables: Vec<SymbolId>,
    /// Declarators of a declaration.
    pub parts: Vec<crate::declare::Part>,
    /// Nodes of names that are declared once their value is known.
    pub late: Vec<u32>,
    /// Named results: name, and the node of the type.
    pub results: Vec<(NameId, u32)>,
}

impl<'a> Build<'a> {
    pub(crate) fn enter_function(&mut self, node: u32, rule: &'a Rule) -> Option<Definition> {
        let given = self.given.remove(&node).or_else(|| self.own_given(node, rule));
        Some(self.define_function(node, rule, given))
    }

    pub(crate) fn enter_lambda(&mut self, node: u32, rule: &'a Rule) -> Option<Definition> {
        let given = self.given.remove(&node);
        if given.is_some() {
            self.mark_at(node, &rule.name, mark::TARGET);
        }
        let given = given.or_else(|| {
            // A named function expression: its name is known inside only.
            self.own_given(node, rule).map(|g| Given { scope: None, ..g })
        });
        Some(self.define_function(node, rule, given))
    }

    /// The name that a definition has by itself.
    fn own_given(&mut self, node: u32, rule: &'a Rule) -> Option<Given> {
        let context = self.context();
        let found = self.tree.first(node, &rule.name);
        let (name_node, name) = match found {
            Some(name_node) => {
                let inner = if rule.last_name { self.last_leaf(name_node) } else { name_node };
                let own = self.own_name(inner, rule);
                let name = if rule.prefix.is_empty() {
                    own
                } else {
                    let text = format!("{}{}", rule.prefix, self.facts.names.get(own));
                    self.name(&text)
                };
                (inner, name)
            }
            None if !rule.method.is_empty() => {
                let text = match self.tree.first(node, &rule.operator) {
                    Some(operator) => format!("{}{}", rule.method, self.text(operator)),
                    None if rule.method == "<type>" => {
                        let container = context.container?;
                        self.facts.names.get(self.facts.symbol(container).name).to_owned()
                    }
                    None => rule.method.clone(),
                };
                (node, self.name(&text))
            }
            None => return None,
        };
        if found.is_some() {
            self.tree.mark(name_node, mark::DONE | mark::TARGET);
        }
        if rule.declares == Declares::File {
            let (scope, container, prefix) = (Some(FILE), None, EMPTY);
            let (outer, flags) = (self.outermost(node), SymbolFlags::default());
            return Some(Given { name_node, name, outer, kind: None, scope, container, prefix, owner: None, flags });
        }
        let parent = self.tree.get(node).parent;
        let in_object = parent != u32::MAX && self.rule(parent).is_some_and(|r| r.role == Role::Collection);
        Some(Given {
            name_node,
            name,
            outer: self.outermost(node),
            kind: in_object.then_some(if context.container.is_some() {
                SymbolKind::Method
            } else {
                SymbolKind::Function
            }),
            scope: (!in_object).then_some(context.scope),
            container: context.container,
            prefix: context.prefix,
            owner: self.tree.first(node, &rule.owner).filter(|&o| self.owner_text(o, name_node) != Some(String::new())),
            flags: SymbolFlags::default(),
        })
    }

    /// Where a definition's name is the end of a path (`A::B::f`), the path before it: `A.B`.
    pub(crate) fn owner_text(&self, owner: u32, name_node: u32) -> Option<String> {
        let (path, name) = (self.tree.get(owner), self.tree.get(name_node));
        if !(owner <= name_node && name_node < path.next) {
            return None;
        }
        let text = self.source.get(path.start as usize..name.start as usize).unwrap_or_default();
        let mut plain = String::new();
        let mut depth = 0;
        for c in text.chars() {
            match c {
                '<' => depth += 1,
                '>' => depth -= 1,
                c if depth == 0 && !c.is_whitespace() => plain.push(c),
                _ => {}
            }
        }
        let plain = plain.trim_matches(|c| matches!(c, ':' | '.' | '\\' | '~' | '*' | '&' | '('));
        Some(plain.replace("::", "."))
    }

    /// The value of such a path.
    fn owner_value(&mut self, text: &str, node: u32) -> ExprId {
        let (place, scope) = (self.place(node, UseKind::Type), self.context().scope);
        let mut parts = text.split('.').peekable();
        let first = parts.next().unwrap_or_default();
        let name = self.name(first);
        let mut value = self.expr(Expr::Name { name, scope, path: parts.peek().is_some() }, place);
        for part in parts {
            let name = self.name(part);
            value = self.expr(Expr::Member { object: value, name, path: true }, place);
        }
        value
    }

    /// The last leaf of a qualified name.
    fn last_leaf(&self, node: u32) -> u32 {
        let mut at = node;
        while let Some(last) = self.tree.named(at).last() {
            at = last;
        }
        at
    }

    /// The outermost node that belongs to a definition (decorated, exported, with template parameters).
    pub(crate) fn outermost(&self, node: u32) -> u32 {
        let mut outer = node;
        loop {
            let parent = self.tree.get(outer).parent;
            if parent == u32::MAX || !self.tables.wrappers[self.tree.get(parent).kind as usize] {
                return outer;
            }
            let lone = self.tables.lone_wrappers[self.tree.get(parent).kind as usize];
            if lone && self.tree.named(parent).nth(1).is_some() {
                return outer;
            }
            outer = parent;
        }
    }

    fn define_function(&mut self, node: u32, rule: &'a Rule, given: Option<Given>) -> Definition {
        self.define_function_at(node, rule, given, None)
    }

    /// The context of a definition's head with its type parameters.
    pub(crate) fn generic_head(&mut self, node: u32, rule: &'a Rule, around: Context) -> Context {
        self.type_parameters(node, rule, &mut Definition::default(), around, around.symbol)
    }

    /// Defines a function; `head`: where the type parameters are known already.
    pub(crate) fn define_function_at(
        &mut self,
        node: u32,
        rule: &'a Rule,
        given: Option<Given>,
        head: Option<Context>,
    ) -> Definition {
        let around = self.context();
        let mut definition = Definition::default();
        let mut kind = SymbolKind::Function;
        if let Some(given) = given {
            let member = match given.scope {
                Some(scope) => matches!(self.scope_kind(scope), ScopeKind::Class | ScopeKind::Extension),
                None => given.kind == Some(SymbolKind::Method),
            };
            kind = given.kind.or(rule.symbol_kind).unwrap_or(SymbolKind::Function);
            if (member || given.owner.is_some()) && kind == SymbolKind::Function {
                kind = rule.member_kind.unwrap_or(SymbolKind::Method);
                if self.is_constructor(given, rule) {
                    kind = SymbolKind::Constructor;
                }
            }
            let symbol = self.add_symbol(node, rule, given, kind, &mut definition);
            definition.owner = given.owner;
            self.trailing_marks(node, rule, symbol);
            match given.owner.map(|o| (o, self.owner_text(o, given.name_node))) {
                Some((owner, Some(text))) => {
                    self.tree.mark(owner, mark::DONE);
                    definition.owner = None;
                    let value = self.owner_value(&text, owner);
                    self.facts.symbols[symbol.index()].owner = Some(value);
                }
                Some((owner, None)) => self.tree.mark(owner, mark::TYPE),
                None => {}
            }
            // What is called as a macro has no name among functions.
            let macro_only = rule.site.has(SiteFlags::MACRO) && kind == SymbolKind::Macro;
            if let (Some(scope), None, false) = (given.scope, given.owner, macro_only) {
                self.declare(scope, given.name, What::Symbol(symbol));
            }
        }
        let owner = match definition.symbol {
            Some(symbol) => symbol,
            None => match around.constant {
                Some(constant) if around.symbol == MODULE => constant,
                _ => around.symbol,
            },
        };
        let head = match head {
            Some(head) => head,
            None => self.type_parameters(node, rule, &mut definition, around, owner),
        };
        let scope = self.new_scope(ScopeKind::Function, head.scope, owner);
        definition.scope = Some(scope);
        let mut inside = Context { scope, symbol: owner, function: scope, constant: None, ..head };
        if let Some(symbol) = definition.symbol {
            inside.container = Some(symbol);
            inside.prefix = self.facts.symbol(symbol).qualified;
            self.facts.symbols[symbol.index()].body = Some(scope);
            if let Some(Given { scope: None, name, .. }) = given {
                if rule.role == Role::Lambda && given.is_some_and(|g| g.name_node > node) {
                    self.declare(scope, name, What::Symbol(symbol));
                }
            }
        } else {
            inside.constant = around.constant;
        }
        let flags = definition.symbol.map_or(SymbolFlags::default(), |s| self.facts.symbol(s).flags);
        let start = self.facts.params.len() as u32;
        for at in self.tree.all(node, &rule.receiver) {
            self.receiver_parameters(at, scope, &mut definition);
        }
        let parameters = self.tree.every(node, &rule.parameters);
        let method = definition.symbol.is_some() && kind != SymbolKind::Function;
        for &at in &parameters {
            self.parameters(at, scope, flags, method, &mut definition);
        }
        // Parameters of function types that are types alone.
        for (index, &at) in self.tree.all(node, &rule.items).iter().enumerate() {
            let name = self.name(&index.to_string());
            self.positional_field(name, at, scope, &mut definition);
        }
        if parameters.is_empty() && !rule.implicit.is_empty() {
            // A parameter that need not be written: Kotlin's `it`.
            let (name, index) = (self.name(&rule.implicit), self.facts.params.len() as u32);
            let (kind, declared, default) = (ParamKind::Normal, None, None);
            self.facts.params.push(Param { name, kind, required: false, field: false, declared, default });
            self.declare(scope, name, What::Param(index));
        }
        if let Some(symbol) = definition.symbol {
            self.facts.symbols[symbol.index()].params = start..self.facts.params.len() as u32;
        }
        let returns = self.mark_at(node, &rule.returns, mark::TYPE);
        if let Some(list) = returns {
            self.result_names(list, scope, &mut definition);
        }
        let outside = rule.head == Head::Outside;
        for at in parameters.into_iter().chain(returns) {
            match (outside, head.scope == around.scope) {
                (true, true) => {}
                (true, false) => self.switch(at, Context { scope: head.scope, ..around }),
                (false, _) => self.switch(at, inside),
            }
        }
        for at in self.tree.every(node, &rule.body) {
            self.switch(at, inside);
        }
        definition
    }

    /// Results that have names are variables.
    fn result_names(&mut self, list: u32, scope: ScopeId, definition: &mut Definition) {
        for item in self.tree.named(list).collect::<Nodes>() {
            let Some(rule) = self.rule(item).filter(|r| r.role == Role::Parameter) else { continue };
            let Some(declared) = self.tree.first(item, &rule.type_) else { continue };
            for name_node in self.tree.all(item, &rule.name) {
                self.tree.mark(name_node, mark::TARGET);
                let name = self.own_name(name_node, rule);
                if !self.is_ignored(name) {
                    self.declare_variable(scope, name);
                    definition.results.push((name, declared));
                }
            }
        }
    }

    fn is_constructor(&self, given: Given, rule: &Rule) -> bool {
        if rule.flags.kind.is_some() {
            return false;
        }
        let name = self.facts.names.get(given.name);
        let outside = given.owner.map(|o| self.owner_text(o, given.name_node).unwrap_or_else(|| self.type_name(o)));
        let around = outside.as_deref().unwrap_or_else(|| self.facts.names.get(given.prefix));
        let own = around.rsplit('.').next().unwrap_or_default();
        self.tables.constructors.iter().any(|c| if c == "<type>" { name == own } else { c == name })
    }

    /// Declares type parameters in a scope around the definition's own. Returns the context of the head.
    fn type_parameters(
        &mut self,
        node: u32,
        rule: &'a Rule,
        definition: &mut Definition,
        around: Context,
        owner: SymbolId,
    ) -> Context {
        let nodes = self.tree.all(node, &rule.type_parameters);
        if nodes.is_empty() {
            return around;
        }
        let scope = self.new_scope(ScopeKind::Block, around.scope, owner);
        let head = Context { scope, ..around };
        let start = self.facts.type_params.len() as u32;
        for at in nodes {
            let single = self.rule(at).is_some_and(|r| r.role == Role::TypeParameter);
            let items: Nodes = if single { smallvec::smallvec![at] } else { self.tree.named(at).collect() };
            for item in items {
                // A node that only says that a type stands in it.
                let item = match self.rule(item) {
                    None => self.tree.named(item).next().unwrap_or(item),
                    Some(_) => item,
                };
                let Some(rule) = self.rule(item) else { continue };
                let mut names = match rule.role {
                    Role::TypeParameter => self.tree.all(item, &rule.name),
                    Role::Name => Nodes::new(),
                    _ => continue,
                };
                if names.is_empty() {
                    names.push(item);
                }
                let bound = self.mark_at(item, &rule.type_, mark::TYPE);
                for name in names {
                    self.tree.mark(name, mark::TARGET);
                    let text = self.own_name(name, rule);
                    let index = self.facts.type_params.len() as u32;
                    self.facts.type_params.push((text, None));
                    self.declare(scope, text, What::TypeParam(index));
                    definition.bounds.extend(bound.map(|bound| (index, bound)));
                }
            }
            self.switch(at, head);
        }
        // Bounds that stand behind: `where T: Bound`.
        for at in self.tree.all(node, &rule.constraints) {
            let Some(rule) = self.rule(at) else { continue };
            let (Some(of), Some(bound)) = (self.tree.first(at, &rule.key), self.tree.first(at, &rule.value)) else {
                continue;
            };
            self.tree.mark(bound, mark::TYPE);
            let name = self.node_name(of);
            let known = self.facts.type_params[start as usize..].iter().position(|(n, _)| *n == name);
            definition.bounds.extend(known.map(|index| (start + index as u32, bound)));
        }
        // Everything behind sees them: bounds, bases, types of results.
        let last = self.tree.first(node, &rule.type_parameters).unwrap_or(node);
        for child in self.tree.children(node).filter(|&c| c > last).collect::<Nodes>() {
            if self.tree.get(child).has(mark::NAMED) {
                self.switch(child, head);
            }
        }
        if let Some(symbol) = definition.symbol {
            self.facts.symbols[symbol.index()].type_params = start..self.facts.type_params.len() as u32;
        }
        head
    }

    pub(crate) fn enter_class(&mut self, node: u32, rule: &'a Rule) -> Option<Definition> {
        let given = self.given.remove(&node).or_else(|| self.own_given(node, rule));
        let around = self.context();
        let given = match given {
            Some(given) => given,
            None => Given {
                name_node: node,
                name: self.name("<anonymous>"),
                outer: node,
                kind: None,
                scope: None,
                container: around.container,
                prefix: around.prefix,
                owner: None,
                flags: SymbolFlags::default(),
            },
        };
        let mut definition = Definition::default();
        let kind = rule.symbol_kind.unwrap_or(SymbolKind::Class);
        let symbol = self.add_symbol(node, rule, given, kind, &mut definition);
        if let Some((owner, Some(text))) = given.owner.map(|o| (o, self.owner_text(o, given.name_node))) {
            // A nested type that is defined outside: its owner's member, known by its path.
            self.tree.mark(owner, mark::DONE);
            let value = self.owner_value(&text, owner);
            self.facts.symbols[symbol.index()].owner = Some(value);
        } else if let Some(scope) = given.scope {
            self.declare(scope, given.name, What::Symbol(symbol));
        }
        let head = self.type_parameters(node, rule, &mut definition, around, around.symbol);
        let scope = self.new_scope(ScopeKind::Class, head.scope, symbol);
        self.facts.symbols[symbol.index()].body = Some(scope);
        definition.scope = Some(scope);
        self.find_bases(node, rule, &mut definition);
        self.mark_at(node, &rule.value, mark::TYPE);
        self.mark_at(node, &rule.returns, mark::TYPE);
        let prefix = self.facts.symbol(symbol).qualified;
        let inside = Context { scope, container: Some(symbol), prefix, constant: None, ..head };
        // The parameters of a primary constructor are parameters of the class and may be fields.
        let parameters = self.tree.every(node, &rule.parameters);
        if !parameters.is_empty() {
            let start = self.facts.params.len() as u32;
            for at in parameters {
                self.parameters(at, scope, SymbolFlags::default(), false, &mut definition);
                self.switch(at, inside);
            }
            self.facts.symbols[symbol.index()].params = start..self.facts.params.len() as u32;
        }
        // Fields without names are called by their position.
        let positional = self.tree.all(node, &rule.items);
        if !positional.is_empty() {
            let start = self.facts.params.len() as u32;
            for (index, &at) in positional.iter().enumerate() {
                let name = self.name(&index.to_string());
                self.positional_field(name, at, scope, &mut definition);
                self.switch(at, Context { scope: head.scope, ..inside });
            }
            self.facts.symbols[symbol.index()].params = start..self.facts.params.len() as u32;
        }
        for at in self.tree.every(node, &rule.body) {
            self.switch(at, inside);
        }
        Some(definition)
    }

    fn find_bases(&mut self, node: u32, rule: &'a Rule, definition: &mut Definition) {
        for base in &rule.bases {
            if base.around {
                definition.around = Some(base.kind);
                continue;
            }
            for at in self.tree.all(node, &base.at) {
                let list = self.rule(at).is_none_or(|r| r.role == Role::Transparent);
                let items: Nodes = if list && !self.tree.is_leaf(at) {
                    self.tree.named(at).collect()
                } else {
                    smallvec::smallvec![at]
                };
                for item in items {
                    let named = self.rule(item).is_some_and(|r| {
                        matches!(r.role, Role::Pair | Role::Spread)
                            || r.role == Role::Argument && self.tree.first(item, &r.name).is_some()
                    });
                    let meta = &self.tables.resolution.metaclass_argument;
                    let given = self.rule(item).filter(|_| named && !meta.is_empty());
                    let given = given.filter(|r| self.tree.first(item, &r.name).is_some_and(|n| self.text(n) == meta));
                    if let Some(value) = given.and_then(|r| self.tree.first(item, &r.value)) {
                        definition.bases.push((value, mmcg_facts::BaseKind::Meta));
                    }
                    if !named {
                        self.tree.mark(item, mark::INHERIT);
                        definition.bases.push((item, base.kind));
                    }
                }
            }
        }
    }

    pub(crate) fn enter_namespace(&mut self, node: u32, rule: &'a Rule) -> Option<Definition> {
        let Some(given) = self.own_given(node, rule) else {
            // Without a name: its members are known to the file as if it were not there.
            if rule.flags.set.has(SymbolFlags::FILE_LOCAL) {
                let context = Context { local: true, ..self.context() };
                for at in self.tree.every(node, &rule.body) {
                    self.switch(at, context);
                }
            }
            return None;
        };
        let mut definition = Definition::default();
        let symbol = self.add_symbol(node, rule, given, SymbolKind::Namespace, &mut definition);
        let around = self.context();
        self.declare(around.scope, given.name, What::Symbol(symbol));
        let scope = self.new_scope(ScopeKind::Namespace, around.scope, symbol);
        self.facts.symbols[symbol.index()].body = Some(scope);
        let prefix = self.facts.symbol(symbol).qualified;
        for at in self.tree.every(node, &rule.body) {
            self.switch(at, Context { scope, container: Some(symbol), prefix, ..around });
        }
        Some(definition)
    }

    pub(crate) fn enter_extension(&mut self, node: u32, rule: &'a Rule) -> Option<Definition> {
        let target = self.mark_at(node, &rule.target, mark::TYPE)?;
        self.mark_at(node, &rule.interface, mark::INHERIT);
        let mut definition = Definition::default();
        let around = self.context();
        let head = self.type_parameters(node, rule, &mut definition, around, around.symbol);
        let scope = self.new_scope(ScopeKind::Extension, head.scope, around.symbol);
        definition.scope = Some(scope);
        definition.extension = Some(self.facts.extensions.len());
        self.facts.extensions.push(Extension { scope, target: UNKNOWN, interface: None });
        let name = self.type_name(target);
        let prefix = self.join(around.prefix, &name);
        let inside = Context { scope, prefix, ..head };
        for at in self.tree.every(node, &rule.body) {
            self.switch(at, inside);
        }
        Some(definition)
    }

    /// A type's plain name: no arguments, pointers or references.
    pub(crate) fn type_name(&self, node: u32) -> String {
        if self.is_path(node) {
            let segments = self.path_segments(node);
            let names: Vec<String> = segments.iter().map(|&s| self.type_name(s)).collect();
            return names.join(".");
        }
        let mut at = node;
        loop {
            let inner = match self.rule(at) {
                None => self.tree.named(at).last(),
                Some(rule) => match rule.role {
                    Role::Index => self.tree.first(at, &rule.object),
                    Role::Deref if !rule.value.is_empty() => self.tree.first(at, &rule.value),
                    Role::Deref | Role::Transparent => self.tree.named(at).last(),
                    Role::Parameter => self.tree.first(at, &rule.type_),
                    _ => None,
                },
            };
            match inner {
                Some(inner) => at = inner,
                None => break,
            }
        }
        let text = self.text(at);
        text.split('<').next().unwrap_or(text).trim().replace("::", ".").replace('\\', ".")
    }

    /// A qualified name.
    pub(crate) fn join(&mut self, prefix: NameId, name: &str) -> NameId {
        let name = name.replace("::", ".").replace('\\', ".");
        if prefix == EMPTY {
            return self.name(&name);
        }
        let text = format!("{}.{name}", self.facts.names.get(prefix));
        self.name(&text)
    }

    pub(crate) fn leave_definition(
        &mut self,
        node: u32,
        rule: &'a Rule,
        definition: Option<Box<Definition>>,
    ) -> ExprId {
        let Some(definition) = definition else { return NONE };
        self.fill_parameters(&definition);
        for &(index, bound) in &definition.bounds {
            let Some(bound_value) = self.some_value(Some(bound)) else { continue };
            let value = match self.facts.type_params[index as usize].1 {
                Some(known) => self.made(Expr::Choice(known, bound_value), bound),
                None => bound_value,
            };
            self.facts.type_params[index as usize].1 = Some(value);
        }
        for &(name, declared) in &definition.results {
            let declared = self.some_value(Some(declared));
            if let (Some(scope), Some(_)) = (definition.scope, declared) {
                let place = self.place(node, UseKind::None);
                let bind = Bind { scope, name, value: None, declared, place };
                self.binds.push(PendingBind { bind, lookup: false });
            }
        }
        for &(base, kind) in &definition.bases {
            if let (Some(symbol), Some(base)) = (definition.symbol, self.some_value(Some(base))) {
                self.facts.bases.push(Base { symbol, kind, base });
            }
        }
        if let (Some(symbol), Some(kind)) = (definition.symbol, definition.around) {
            let scope = self.facts.symbol(symbol).scope;
            let base = self.made(Expr::Receiver(ReceiverKind::SelfType, scope), node);
            self.facts.bases.push(Base { symbol, kind, base });
        }
        if let Some(extension) = definition.extension {
            self.facts.extensions[extension].target = self.value_at(node, &rule.target);
            self.facts.extensions[extension].interface = self.some_value(self.tree.first(node, &rule.interface));
        }
        if matches!(rule.role, Role::Function | Role::Lambda) {
            if let Some(scope) = definition.scope {
                self.returned_body(node, rule, scope);
            }
        }
        if let (Some(callee), Role::Function) = (self.tree.first(node, &rule.callee), rule.role) {
            self.defining_macro(callee, rule);
        }
        if let Some(symbol) = definition.symbol {
            let decorators = self.decorator_values(&definition.decorators);
            let returns = self.some_value(self.tree.first(node, &rule.returns));
            let value = self.some_value(self.tree.first(node, &rule.value));
            let owner = self.some_value(definition.owner);
            let applied = self.apply_decorators(&definition.decorators, symbol);
            let entry = &mut self.facts.symbols[symbol.index()];
            entry.decorators = decorators;
            entry.value = entry.value.or(applied);
            entry.declared = returns.or(entry.declared);
            entry.value = value.or(entry.value);
            entry.owner = owner.or(entry.owner);
            if matches!(rule.role, Role::Function) {
                self.documented_function(node, symbol);
            }
        }
        match (definition.symbol, definition.scope, rule.role) {
            (_, _, Role::Namespace | Role::Extension) => NONE,
            (Some(symbol), _, _) => self.made(Expr::Symbol(symbol), node),
            (None, Some(scope), Role::Lambda) => self.made(Expr::Lambda(scope), node),
            _ => NONE,
        }
    }

    /// `HOOK(on_wake) { … }`: the macro that writes the head is called by the code around.
    fn defining_macro(&mut self, callee: u32, rule: &Rule) {
        let scope = self.context().scope;
        let (name, place) = (self.node_name(callee), self.place(callee, UseKind::Read));
        let callee_value = self.expr(Expr::Name { name, scope, path: false }, place);
        let end = self.facts.args.len() as u32;
        self.site(callee, callee_value, &Nodes::new(), end..end, rule.site);
    }

    pub(crate) fn decorator_values(&mut self, nodes: &Nodes) -> std::ops::Range<u32> {
        let start = self.facts.decorators.len() as u32;
        for &node in nodes {
            if let Some(value) = self.some_value(Some(node)) {
                self.facts.decorators.push(value);
            }
        }
        start..self.facts.decorators.len() as u32
    }

    /// A body that is an expression is what the function gives back.
    fn returned_body(&mut self, node: u32, rule: &Rule, scope: ScopeId) {
        let found = if rule.value_last {
            self.tree.all(node, &rule.body).last().copied()
        } else {
            self.tree.first(node, &rule.body)
        };
        let Some(body) = found else { return };
        let block = self.rule(body).is_some_and(|r| matches!(r.role, Role::Block | Role::Statements) && !r.value_last);
        let value = self.value(body);
        if !block && value != NONE && value != UNKNOWN {
            self.facts.returns.push(Return { scope, value, yielded: false });
        }
    }

    /// `where T : Base`.
    pub(crate) fn leave_bound(&mut self, node: u32, rule: &Rule) -> ExprId {
        let (Some(name), Some(bound)) =
            (self.tree.first(node, &rule.name), self.some_value(self.tree.first(node, &rule.type_)))
        else {
            return NONE;
        };
        let name = self.own_name(name, rule);
        let mut scope = Some(self.context().scope);
        while let Some(at) = scope {
            if let Some(What::TypeParam(index)) = self.declared.get(&(at, name)) {
                let entry = &mut self.facts.type_params[*index as usize];
                entry.1 = entry.1.or(Some(bound));
                break;
            }
            scope = self.facts.scopes[at.index()].parent;
        }
        NONE
    }

    /// A base given inside the body; with a `target`, the type also has a field of that name.
    pub(crate) fn enter_base(&mut self, node: u32, rule: &'a Rule) -> Option<Definition> {
        for base in &rule.bases {
            for at in self.tree.all(node, &base.at) {
                self.tree.mark(at, mark::INHERIT);
            }
        }
        let target = self.tree.first(node, &rule.target)?;
        let context = self.context();
        let given = Given {
            name_node: target,
            name: self.own_name(target, rule),
            outer: node,
            kind: None,
            scope: Some(context.scope),
            container: context.container,
            prefix: context.prefix,
            owner: None,
            flags: SymbolFlags::default(),
        };
        let mut definition = Definition::default();
        let symbol = self.add_symbol(node, rule, given, SymbolKind::Field, &mut definition);
        self.declare(context.scope, given.name, What::Symbol(symbol));
        Some(definition)
    }

    pub(crate) fn leave_base(&mut self, node: u32, rule: &Rule, definition: Option<Box<Definition>>) -> ExprId {
        let Some(symbol) = self.context().container else { return NONE };
        if let Some(field) = definition.and_then(|d| d.symbol) {
            let declared = rule.bases.first().and_then(|b| self.some_value(self.tree.first(node, &b.at)));
            self.facts.symbols[field.index()].declared = declared;
        }
        for base in &rule.bases {
            for at in self.tree.all(node, &base.at) {
                if let Some(value) = self.some_value(Some(at)) {
                    self.use_as(value, UseKind::Inherit);
                    self.facts.bases.push(Base { symbol, kind: base.kind, base: value });
                }
            }
        }
        NONE
    }
}
