//! Declarations whose names stand inside declarators: `struct node *next, (*run)(int), table[3] = { … };`.

use crate::build::{Build, Context, NONE, UNKNOWN};
use crate::define::{Definition, Given};
use crate::tree::{mark, Nodes};
use mmcg_facts::{Expr, ExprId, ScopeId, ScopeKind, SiteFlags, SymbolFlags, SymbolId, SymbolKind, UseKind, What};
use mmcg_lang::{Declares, Role, Rule};

/// What a declarator makes of the type before it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Shape {
    /// The node that names what is declared.
    pub name: Option<u32>,
    /// A function is declared.
    pub function: bool,
    /// A pointer to a function, or an array of such.
    pub callable: bool,
    /// A pointer or array.
    pub pointer: bool,
    /// Something else than the type alone: a reference.
    pub wrapped: bool,
}

/// One declarator whose values are known when the declaration ends.
#[derive(Debug)]
pub struct Part {
    declarator: u32,
    shape: Shape,
    symbol: Option<SymbolId>,
    /// The parameters and scope of a prototype.
    function: Option<Box<Definition>>,
    /// Arguments of a construction that looks like a prototype.
    arguments: Option<Nodes>,
    scope: ScopeId,
}

impl<'a> Build<'a> {
    /// Takes a declarator apart.
    pub(crate) fn shape(&self, declarator: u32) -> Shape {
        let rules = &self.tables.declarators;
        let has = |set: &[bool], kind: u16| set.get(kind as usize).copied().unwrap_or(false);
        let mut shape = Shape::default();
        let (mut at, mut last_is_function, mut functions) = (declarator, false, 0);
        loop {
            let kind = self.tree.get(at).kind;
            let next = self.tree.children(at).find(|&c| self.tree.get(c).field == rules.field);
            let Some(next) = next.or_else(|| self.tree.inside(at)) else { break };
            if has(&rules.functions, kind) {
                functions += 1;
                last_is_function = true;
            } else if has(&rules.pointers, kind) {
                shape.pointer = true;
                last_is_function = false;
            } else if has(&self.tables.through, kind) && !has(&rules.brackets, kind) {
                shape.wrapped = true;
                last_is_function = false;
            }
            at = next;
        }
        let kind = self.tree.get(at).kind;
        let nameless =
            [&rules.functions, &rules.pointers, &self.tables.through, &rules.brackets].iter().any(|s| has(s, kind));
        if nameless {
            shape.callable = functions > 0 || has(&rules.functions, kind);
            return shape;
        }
        shape.name = Some(at);
        shape.function = last_is_function;
        shape.callable = functions > 0 && !last_is_function;
        shape
    }

    pub(crate) fn enter_declaration(&mut self, node: u32, rule: &'a Rule) -> Option<Definition> {
        let context = self.context();
        let type_node = self.mark_at(node, &rule.type_, mark::TYPE);
        let mut all = Definition::default();
        let mut head = None;
        let aliases = rule.symbol_kind == Some(SymbolKind::Type);
        let local = matches!(self.scope_kind(context.scope), ScopeKind::Function | ScopeKind::Block);
        for declarator in self.tree.every(node, &rule.target) {
            let shape = self.shape(declarator);
            let Some(name_node) = shape.name else { continue };
            let mut part =
                Part { declarator, shape, symbol: None, function: None, arguments: None, scope: context.scope };
            match self.rule(name_node).map(|r| r.role) {
                // `int C::count = 0;` declares nothing new.
                Some(Role::Member) => {
                    self.tree.mark(name_node, mark::DONE);
                    continue;
                }
                Some(Role::Collection) => {
                    let mut names = Vec::new();
                    self.pattern_targets(name_node, &mut names);
                    for name in names {
                        let name = self.node_name(name);
                        self.declare_variable(context.scope, name);
                    }
                    all.parts.push(part);
                    continue;
                }
                _ => {}
            }
            self.tree.mark(name_node, mark::DONE | mark::TARGET);
            if shape.function && !aliases {
                if !local {
                    let at = *head.get_or_insert_with(|| self.generic_head(node, rule, context));
                    part.function = Some(Box::new(self.prototype(node, declarator, name_node, rule, at)));
                    all.parts.push(part);
                    continue;
                }
                match rule.constructs.then(|| self.as_arguments(declarator, rule)).flatten() {
                    Some(arguments) => part.arguments = Some(arguments),
                    // Declared elsewhere: nothing is hidden here.
                    None => continue,
                }
            }
            let name = self.own_name(name_node, rule);
            if local && !aliases {
                if type_node.and_then(|t| self.rule(t)).is_some_and(|r| r.kind == "builtin") {
                    self.plain.insert((context.scope, name));
                }
                self.declare_variable(context.scope, name);
            } else if !(aliases && self.names_itself(type_node, name_node)
                || self.only_announced(node, declarator, rule))
            {
                part.symbol = Some(self.declared_symbol(node, name_node, rule, shape, context));
            }
            all.parts.push(part);
        }
        Some(all)
    }

    /// `extern int level;`: the definition is elsewhere.
    fn only_announced(&self, node: u32, declarator: u32, rule: &Rule) -> bool {
        !rule.optional.is_empty()
            && self.tree.first(declarator, &rule.value).is_none()
            && self.tree.first(node, &rule.optional).is_some_and(|n| self.text(n) == "extern")
    }

    /// Whether an alias only repeats the type's own name, or gives a type without a name its name.
    fn names_itself(&self, type_node: Option<u32>, name_node: u32) -> bool {
        let Some(type_node) = type_node else { return false };
        match self.rule(type_node).filter(|r| r.role == Role::Class) {
            Some(class) => self
                .tree
                .first(type_node, &class.name)
                .is_some_and(|own| own == name_node || self.text(own) == self.text(name_node)),
            None => self.type_name(type_node) == self.text(name_node),
        }
    }

    fn declared_symbol(
        &mut self,
        node: u32,
        name_node: u32,
        rule: &'a Rule,
        shape: Shape,
        context: Context,
    ) -> SymbolId {
        let name = self.own_name(name_node, rule);
        let kind = match self.scope_kind(context.scope) {
            _ if rule.symbol_kind == Some(SymbolKind::Type) => SymbolKind::Type,
            ScopeKind::Class | ScopeKind::Extension => rule.member_kind.unwrap_or(SymbolKind::Field),
            _ if self.tables.constants.iter().any(|p| p.matches(self.facts.names.get(name))) => SymbolKind::Constant,
            _ => rule.symbol_kind.unwrap_or(SymbolKind::Variable),
        };
        let given = Given {
            name_node,
            name,
            outer: self.outermost(node),
            kind: Some(kind),
            scope: Some(context.scope),
            container: context.container,
            prefix: context.prefix,
            owner: None,
            flags: if shape.callable || shape.function { SymbolFlags::CALLABLE_VALUE } else { SymbolFlags::default() },
        };
        let mut definition = Definition::default();
        let symbol = self.add_symbol(node, rule, given, kind, &mut definition);
        self.declare(context.scope, name, What::Symbol(symbol));
        symbol
    }

    fn prototype(&mut self, node: u32, declarator: u32, name_node: u32, rule: &'a Rule, head: Context) -> Definition {
        let context = self.context();
        let inner =
            self.rule(name_node).filter(|r| r.role == Role::Index).and_then(|r| self.tree.first(name_node, &r.object));
        let name_node = inner.unwrap_or(name_node);
        let name = self.own_name(name_node, rule);
        let given = Given {
            name_node,
            name,
            outer: self.outermost(node),
            kind: Some(SymbolKind::Prototype),
            scope: Some(context.scope),
            container: context.container,
            prefix: context.prefix,
            owner: None,
            flags: SymbolFlags::default(),
        };
        self.define_function_at(declarator, rule, Some(given), Some(head))
    }

    /// `C c(a);` looks like a prototype whose parameter types are names of values.
    fn as_arguments(&self, declarator: u32, rule: &Rule) -> Option<Nodes> {
        let list = self.tree.first(declarator, &rule.parameters)?;
        let mut arguments = Nodes::new();
        for item in self.tree.named(list) {
            let parameter = self.rule(item).filter(|r| r.role == Role::Parameter)?;
            let only: Nodes = self.tree.named(item).collect();
            let type_node = self.tree.first(item, &parameter.type_)?;
            let plain = self
                .rule(type_node)
                .is_some_and(|r| matches!(r.role, Role::Name | Role::Member) && r.kind != "builtin");
            if only.len() != 1 || !plain {
                return None;
            }
            arguments.push(type_node);
        }
        (!arguments.is_empty()).then_some(arguments)
    }

    pub(crate) fn leave_declaration(
        &mut self,
        node: u32,
        rule: &'a Rule,
        definition: Option<Box<Definition>>,
    ) -> ExprId {
        let Some(definition) = definition else { return NONE };
        let type_node = self.tree.first(node, &rule.type_);
        let type_value = self.some_value(type_node);
        let mut single = NONE;
        let several = definition.parts.len() > 1;
        for part in definition.parts {
            if let Some(function) = &part.function {
                self.fill_parameters(function);
                if let Some(symbol) = function.symbol {
                    self.facts.symbols[symbol.index()].declared = type_value;
                }
                continue;
            }
            let value = self.declared_value(node, &part, rule, type_node, type_value);
            single = if several { NONE } else { value.unwrap_or(NONE) };
            let declared = match type_value {
                Some(_) if part.shape.callable || part.shape.function && part.arguments.is_none() => None,
                Some(value) if part.shape.pointer => Some(self.made(Expr::Deref(value), part.declarator)),
                other => other,
            };
            let name_node = part.shape.name.expect("parts have names");
            if let Some(symbol) = part.symbol {
                let entry = &mut self.facts.symbols[symbol.index()];
                if entry.kind == SymbolKind::Type {
                    entry.value = declared;
                    continue;
                }
                entry.declared = declared;
                entry.value = value;
                if entry.kind == SymbolKind::Field || declared.is_some() {
                    continue;
                }
            }
            match self.rule(name_node).map(|r| r.role) {
                Some(Role::Collection) => {
                    self.bind_pattern(name_node, value.unwrap_or(UNKNOWN), Declares::Block, part.scope);
                }
                _ => {
                    let name = self.own_name(name_node, rule);
                    self.bind(name_node, name, value, declared, Declares::Block, part.scope);
                }
            }
        }
        single
    }

    /// The value that a declarator is given; a construction becomes a call site.
    fn declared_value(
        &mut self,
        node: u32,
        part: &Part,
        rule: &'a Rule,
        type_node: Option<u32>,
        type_value: Option<ExprId>,
    ) -> Option<ExprId> {
        let value_node = self.tree.first(part.declarator, &rule.value).or_else(|| self.tree.first(node, &rule.default));
        let shape = part.shape;
        let class = type_node.and_then(|t| self.rule(t)).is_some_and(|r| r.kind != "builtin");
        let named = type_value
            .filter(|&v| matches!(self.facts.expr(v), Expr::Name { .. } | Expr::Member { .. } | Expr::Index { .. }));
        let constructible = rule.constructs && class && !shape.pointer && !shape.wrapped && !shape.callable;
        let field = part.symbol.is_some_and(|s| self.facts.symbol(s).kind == SymbolKind::Field);
        let listed = value_node.is_some_and(|v| self.is_argument_list(v));
        let Some(callee) = named.filter(|_| constructible && (listed || value_node.is_none() && !field)) else {
            return self.some_value(value_node);
        };
        let arguments: Nodes = match (&part.arguments, value_node) {
            (Some(arguments), _) => arguments.clone(),
            (None, Some(list)) => self.tree.named(list).collect(),
            (None, None) => Nodes::new(),
        };
        let mut flags = SiteFlags(SiteFlags::NEW.0);
        if value_node.is_none() || listed {
            // There is an edge only where there is a constructor.
            flags.set(SiteFlags::OPERATOR);
        }
        let end = self.facts.args.len() as u32;
        let site = self.site(node, callee, &arguments, end..end, flags);
        self.use_as(callee, UseKind::Type);
        let _ = site;
        None
    }

    /// `(a, b)` or `{ a, b }` after a declared name.
    fn is_argument_list(&self, node: u32) -> bool {
        self.rule(node).is_none_or(|r| r.role == Role::Collection) && !self.tree.is_leaf(node) && {
            let first = self.tree.children(node).next();
            first.is_some_and(|c| matches!(self.text(c), "(" | "{")) && self.tree.get(node).has(mark::NAMED)
        }
    }
}
