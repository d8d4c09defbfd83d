//! Variables and assignments, also destructured ones.

use crate::build::{Build, Context, PendingBind, EMPTY, FILE, MODULE, NONE, UNKNOWN};
use crate::define::{Definition, Given};
use crate::tree::{mark, Nodes};
use mmcg_facts::{
    Arg, Bind, CollectionKind, Export, Expr, ExprId, LiteralKind, MemberBind, NameId, ReceiverKind, ScopeId, ScopeKind,
    SiteFlags, SymbolFlags, SymbolKind, UseKind, What,
};
use mmcg_lang::{Declares, Late, Role, Rule, Wrap};

impl<'a> Build<'a> {
    pub(crate) fn enter_assign(&mut self, node: u32, rule: &'a Rule) -> Option<Definition> {
        let targets = self.tree.every(node, &rule.target);
        let value = self.tree.first(node, &rule.value);
        if rule.scoped {
            // The value does not see what is declared.
            if let Some(value) = value.filter(|&v| v > node) {
                self.switch(value, self.context());
            }
            self.enter_block(node, true);
        }
        self.mark_at(node, &rule.type_, mark::TYPE);
        if let ([target], Some(value), true) = (&targets[..], value, rule.names_functions) {
            if self.name_function(node, *target, value, rule) {
                return None;
            }
        }
        let mut names = Vec::new();
        for &target in &targets {
            if !rule.reads.is_empty() {
                names.push(target);
            } else if rule.symbol_kind.is_some() && self.is_pattern_constant(target) && self.tree.is_leaf(target) {
                // What is defined is no constant of a pattern.
                self.tree.mark(target, mark::TARGET);
                names.push(target);
            } else {
                self.pattern_targets(target, &mut names);
            }
        }
        if rule.declares == Declares::None {
            return None;
        }
        let mut definition = Definition::default();
        if rule.late != Late::No
            && matches!(self.scope_kind(self.context().scope), ScopeKind::Function | ScopeKind::Block)
        {
            definition.late = names;
            return Some(definition);
        }
        for name_node in names {
            self.declare_target(node, name_node, rule, &mut definition);
        }
        if let (Some(value), &[symbol]) = (value, &definition.variables[..]) {
            self.enter_value(value, symbol, rule);
        }
        Some(definition)
    }

    /// Whether a variable of a name is declared already, or something that cannot stand beside one.
    fn is_taken(&self, scope: ScopeId, name: NameId) -> bool {
        match self.declared.get(&(scope, name)) {
            Some(What::Symbol(symbol)) if self.tables.resolution.functions_apart => {
                !self.facts.symbol(*symbol).kind.is_callable()
            }
            known => known.is_some(),
        }
    }

    fn declare_target(&mut self, node: u32, name_node: u32, rule: &'a Rule, definition: &mut Definition) {
        let context = self.context();
        let name = self.own_name(name_node, rule);
        let mut scope = self.declaring_scope(name, rule.declares, context.scope);
        if rule.declares == Declares::Shadow && self.declared.contains_key(&(scope, name)) {
            // From here to the end of what is around, another variable of that name.
            scope = self.new_scope(ScopeKind::Block, context.scope, context.symbol);
            self.contexts.push(Context { scope, ..context });
        }
        if self.is_taken(scope, name) || self.is_ignored(name) {
            return;
        }
        let kind = match self.scope_kind(scope) {
            ScopeKind::Class | ScopeKind::Extension => {
                rule.member_kind.or(rule.symbol_kind).unwrap_or(SymbolKind::Field)
            }
            _ if self.tables.constants.iter().any(|p| p.matches(self.facts.names.get(name))) => SymbolKind::Constant,
            _ => rule.symbol_kind.unwrap_or(SymbolKind::Variable),
        };
        let shared = !matches!(self.scope_kind(scope), ScopeKind::Function | ScopeKind::Block);
        if !shared || rule.local || scope != self.without_blocks(context.scope) {
            self.declare_variable(scope, name);
            return;
        }
        let given = Given {
            name_node,
            name,
            outer: self.outermost(node),
            kind: Some(kind),
            scope: Some(scope),
            container: context.container,
            prefix: context.prefix,
            owner: None,
            flags: SymbolFlags::default(),
        };
        let symbol = self.add_symbol(node, rule, given, kind, definition);
        self.declare(scope, name, What::Symbol(symbol));
        definition.variables.push(symbol);
    }

    /// Declares names from here on: in a new scope for the rest of the block where they hide something, so that their
    /// own values and what stands before still mean what is hidden.
    fn declare_late(&mut self, nodes: &[u32], value: Option<u32>, rule: &'a Rule) {
        let context = self.context();
        let mut names: smallvec::SmallVec<[NameId; 4]> = smallvec::SmallVec::new();
        let mut hides = false;
        for &node in nodes {
            let name = self.own_name(node, rule);
            let fresh = rule.late == Late::Fresh && self.block_scope(name, context.scope).is_some();
            if fresh || self.is_ignored(name) {
                continue;
            }
            hides |= self.is_visible(name, context.scope) || value.is_some_and(|v| self.mentions(v, self.text(node)));
            names.push(name);
        }
        let mut scope = context.scope;
        if hides {
            scope = self.new_scope(ScopeKind::Block, scope, context.symbol);
            self.contexts.push(Context { scope, ..context });
        }
        for name in names {
            self.declare_variable(scope, name);
        }
    }

    fn is_visible(&self, name: NameId, mut scope: ScopeId) -> bool {
        loop {
            if self.declared.contains_key(&(scope, name)) {
                return true;
            }
            match self.facts.scopes[scope.index()].parent {
                Some(parent) => scope = parent,
                None => return false,
            }
        }
    }

    fn mentions(&self, node: u32, text: &str) -> bool {
        (node..self.tree.get(node).next).any(|n| self.tree.is_leaf(n) && self.text(n) == text)
    }

    /// A constant's value: lambdas in it belong to the constant, methods of an object literal are its members.
    fn enter_value(&mut self, value: u32, symbol: mmcg_facts::SymbolId, rule: &'a Rule) {
        let mut context = self.context();
        let object = self.is_object(value);
        if object {
            self.tree.mark(value, mark::GIVEN_NAME);
            context.container = Some(symbol);
            context.prefix = self.facts.symbol(symbol).qualified;
        }
        if rule.owns_lambdas && context.symbol == MODULE {
            context.constant = Some(symbol);
        }
        if object || context.constant.is_some() {
            self.switch(value, context);
        }
    }

    fn is_object(&self, node: u32) -> bool {
        self.rule(node).is_some_and(|r| r.role == Role::Collection && r.kind == "map")
    }

    /// `const f = () => …`: the function is the symbol, not the variable.
    fn name_function(&mut self, node: u32, target: u32, value: u32, rule: &'a Rule) -> bool {
        let context = self.context();
        let Some(target_rule) = self.rule(target) else {
            // Members of classes are named by plain tokens.
            return self.is_named_value(value) && self.tree.is_leaf(target) && {
                let member = self.scope_kind(context.scope) == ScopeKind::Class;
                let kind = member.then_some(SymbolKind::Method);
                self.give(node, target, value, kind, Some(context.scope), rule);
                true
            };
        };
        if target_rule.role == Role::Member {
            return self.name_member_function(node, target, value, target_rule, rule);
        }
        if !self.is_named_value(value) || !matches!(target_rule.role, Role::Name) {
            return false;
        }
        let name = self.own_name(target, rule);
        let scope = match rule.declares {
            Declares::None => return false,
            declares => self.declaring_scope(name, declares, context.scope),
        };
        if self.declared.contains_key(&(scope, name)) {
            return false;
        }
        let member = self.scope_kind(scope) == ScopeKind::Class;
        self.give(node, target, value, member.then_some(SymbolKind::Method), Some(scope), rule);
        true
    }

    /// `exports.f = function () …`, `Shape.prototype.area = function () …`.
    fn name_member_function(
        &mut self,
        node: u32,
        target: u32,
        value: u32,
        target_rule: &'a Rule,
        rule: &'a Rule,
    ) -> bool {
        if self.tables.export_whole.iter().any(|w| w == self.text(target)) && self.is_object(value) {
            self.tree.mark(value, mark::GIVEN_NAME);
            return false;
        }
        if !self.is_named_value(value) {
            return false;
        }
        let Some(object) = self.tree.first(target, &target_rule.object) else { return false };
        let Some(name) = self.tree.first(target, &target_rule.name) else { return false };
        let text = self.text(object);
        if self.tables.export_objects.iter().any(|o| o == text) && !self.is_whole_export(target) {
            self.give(node, name, value, None, None, rule);
        } else if self.is_whole_export(target)
            && self.tree.first(value, &self.rule(value).expect("it is named").name).is_none()
        {
            // The module is the function, which has no other name.
            self.give(node, name, value, None, None, rule);
        } else if let Some(owner) = text.strip_suffix(".prototype").filter(|o| !o.contains('.')) {
            self.give(node, name, value, Some(SymbolKind::Method), None, rule);
            let (prefix, owner_name) = (self.context().prefix, owner.to_owned());
            let prefix = self.join(prefix, &owner_name);
            let owner = match self.tables.resolution.constructor_functions {
                true => self.rule(object).and_then(|r| self.tree.first(object, &r.object)),
                false => None,
            };
            if let Some(given) = self.given.get_mut(&value) {
                given.prefix = prefix;
                given.owner = owner;
            }
        } else if self.tables.resolution.constructor_functions && self.is_function_or_class(text) {
            self.give(node, name, value, Some(SymbolKind::Method), None, rule);
            let (prefix, owner_name) = (self.context().prefix, text.to_owned());
            let prefix = self.join(prefix, &owner_name);
            if let Some(given) = self.given.get_mut(&value) {
                given.prefix = prefix;
                given.owner = Some(object);
                given.flags = SymbolFlags::STATIC;
            }
        }
        // The assignment itself stays a fact.
        false
    }

    fn is_whole_export(&self, target: u32) -> bool {
        self.tables.export_whole.iter().any(|w| w == self.text(target))
    }

    /// Whether a value is a function or class that takes the name given to it.
    fn is_named_value(&self, value: u32) -> bool {
        self.rule(value).is_some_and(|r| {
            r.role == Role::Lambda || r.role == Role::Class && self.tree.first(value, &r.name).is_none()
        })
    }

    fn give(
        &mut self,
        node: u32,
        name: u32,
        value: u32,
        kind: Option<SymbolKind>,
        scope: Option<ScopeId>,
        rule: &'a Rule,
    ) {
        let context = self.context();
        let text = self.own_name(name, rule);
        self.tree.mark(name, mark::TARGET);
        self.tree.mark(value, mark::GIVEN_NAME);
        let given = Given {
            name_node: name,
            name: text,
            outer: self.outermost(node),
            kind,
            scope,
            container: context.container,
            prefix: context.prefix,
            owner: None,
            flags: SymbolFlags::default(),
        };
        self.given.insert(value, given);
    }

    /// `tick: () => …` in an object that has a name.
    pub(crate) fn enter_pair(&mut self, node: u32, rule: &'a Rule) {
        let parent = self.tree.get(node).parent;
        if parent == u32::MAX || !self.tree.get(parent).has(mark::GIVEN_NAME) {
            return;
        }
        let (Some(key), Some(value)) = (self.tree.first(node, &rule.key), self.tree.first(node, &rule.value)) else {
            return;
        };
        if self.tree.is_leaf(key) && self.is_named_value(value) {
            let kind = if self.context().container.is_some() { SymbolKind::Method } else { SymbolKind::Function };
            self.give(node, key, value, Some(kind), None, rule);
        }
    }

    pub(crate) fn bind(
        &mut self,
        node: u32,
        name: NameId,
        value: Option<ExprId>,
        declared: Option<ExprId>,
        declares: Declares,
        scope: ScopeId,
    ) {
        let place = self.place(node, UseKind::Write);
        let lookup = declares == Declares::None;
        if self.is_ignored(name) {
            return;
        }
        let scope = match declares {
            Declares::None => scope,
            Declares::Block => self.block_scope(name, scope).unwrap_or(scope),
            _ => self.declaring_scope(name, declares, scope),
        };
        let value = value.filter(|&v| v != UNKNOWN);
        self.binds.push(PendingBind { bind: Bind { scope, name, value, declared, place }, lookup });
    }

    /// Notes the type that is declared for a function that is a variable's value.
    fn keep_declared(&mut self, value: Option<ExprId>, declared: Option<ExprId>, node: u32) {
        let (Some(value), Some(_)) = (value.filter(|&v| v != UNKNOWN && v != NONE), declared) else { return };
        if let Expr::Symbol(symbol) = self.facts.exprs[value.index()] {
            let (name, scope) = (self.facts.symbol(symbol).name, self.facts.symbol(symbol).scope);
            let bind = Bind { scope, name, value: Some(value), declared, place: self.place(node, UseKind::None) };
            self.binds.push(PendingBind { bind, lookup: false });
        }
    }

    pub(crate) fn bind_member(&mut self, node: u32, rule: &'a Rule, value: Option<ExprId>, declared: Option<ExprId>) {
        let object = match rule.kind.as_str() {
            "this" if rule.object.is_empty() => {
                let scope = self.context().scope;
                self.made(Expr::Receiver(ReceiverKind::This, scope), node)
            }
            _ => self.value_at(node, &rule.object),
        };
        let name_node = self.tree.first(node, &rule.name);
        let (name, place) = match (rule.role, name_node) {
            (Role::Member, Some(name)) => (self.member_name(name, rule), self.place(name, UseKind::Write)),
            _ => {
                let key = self.tree.first(node, &rule.arguments).and_then(|k| {
                    let only: Nodes =
                        if self.rule(k).is_some() { smallvec::smallvec![k] } else { self.tree.named(k).collect() };
                    self.some_value(only.first().copied())
                });
                let name = key.and_then(|key| self.literal_key(key)).unwrap_or(EMPTY);
                (name, self.place(node, UseKind::None))
            }
        };
        let symbol = self.context().symbol;
        let value = value.filter(|&v| v != UNKNOWN);
        self.facts.member_binds.push(MemberBind { object, name, value, declared, symbol, place });
    }

    pub(crate) fn leave_assign(&mut self, node: u32, rule: &'a Rule, definition: Option<Box<Definition>>) -> ExprId {
        let value_node = self.tree.first(node, &rule.value);
        let plain = self.some_value(value_node);
        let declared = self.some_value(self.tree.first(node, &rule.type_));
        let targets = self.tree.every(node, &rule.target);
        let declared = declared.or_else(|| match targets[..] {
            [target] => self.documented_variable(node, self.text(target)),
            _ => None,
        });
        if let Some(late) = definition.as_ref().map(|d| &d.late[..]).filter(|l| !l.is_empty()) {
            self.declare_late(late, value_node, rule);
        }
        if let (Some(value), true) = (value_node, rule.names_functions) {
            let named = self.tree.get(value).has(mark::GIVEN_NAME) && !self.is_object(value);
            let member = targets.first().and_then(|&t| self.rule(t)).is_some_and(|r| r.role == Role::Member);
            if named && !member {
                // The function is what the name stands for; nothing is assigned. A type that is declared for it stays.
                self.keep_declared(plain, declared, node);
                return plain.unwrap_or(NONE);
            }
        }
        if !rule.reads.is_empty() {
            return self.accessors(&targets, rule, definition);
        }
        let value = plain.filter(|&v| v != UNKNOWN).map(|value| match rule.wrap {
            Wrap::Plain => value,
            Wrap::Element => self.made(Expr::Element(value), node),
            Wrap::Entered => self.made(Expr::Entered(value), node),
            Wrap::OfType => self.made(Expr::OfType(value), node),
            Wrap::Unknown => UNKNOWN,
            Wrap::Range => self.ranged(node, &targets, value),
        });
        if let (Some(iterated), Wrap::Element, false) = (plain, rule.wrap, rule.method.is_empty()) {
            self.iteration(iterated, value_node.unwrap_or(node), rule);
        }
        let scope = self.context().scope;
        // A key to what is declared: not an object of that type, but one that holds it.
        let held = self.keys > 0 && matches!(self.scope_kind(scope), ScopeKind::Function | ScopeKind::Block);
        let (value, declared) = match declared {
            Some(of) if held => (None, Some(self.list_of(of, node))),
            _ => (value, declared),
        };
        for (index, &target) in targets.iter().enumerate() {
            let value = match value {
                Some(value) if rule.each && targets.len() > 1 => {
                    Some(self.made(Expr::Item(value, index as i32), target))
                }
                value => value,
            };
            self.assign(target, rule, value, declared, scope);
        }
        if let Some(definition) = definition {
            let decorators = self.decorator_values(&definition.decorators);
            let single = definition.variables.len() == 1;
            for &symbol in &definition.variables {
                let entry = &mut self.facts.symbols[symbol.index()];
                entry.declared = declared;
                entry.value = value.filter(|_| single);
                entry.decorators = decorators.clone();
            }
        }
        if !rule.operator.is_empty() {
            self.augmented(node, rule, &targets, plain);
        }
        for method in &rule.runs {
            self.implicit_call(value_node.unwrap_or(node), plain, method);
        }
        if let &[target] = &targets[..] {
            self.exported_value(target, plain);
            self.public_names(target, rule, value_node);
        }
        if let Some(body) = self.tree.first(node, &rule.body) {
            return self.value(body);
        }
        plain.unwrap_or(NONE)
    }

    /// `x += y`: a member of what `x` was before is called.
    fn augmented(&mut self, node: u32, rule: &Rule, targets: &Nodes, value: Option<ExprId>) {
        let (&[target], Some(operator)) = (&targets[..], self.tree.first(node, &rule.operator)) else { return };
        let Some(method) = self.tables.operators.get(self.text(operator)) else { return };
        let object = match self.rule(target) {
            Some(of) if of.role == Role::Name => {
                let (name, scope) = (self.own_name(target, of), self.context().scope);
                self.made(Expr::Name { name, scope, path: false }, target)
            }
            _ => self.value(target),
        };
        if object == NONE || object == UNKNOWN {
            return;
        }
        if let Some(of) = self.rule(target).filter(|of| of.role == Role::Index && !of.method.is_empty()) {
            // What is there is read first.
            let container = self.value_at(target, &of.object);
            self.implicit_call(target, Some(container), &of.method);
        }
        let name = self.name(method);
        let place = self.place(operator, UseKind::None);
        let callee = self.expr(Expr::Member { object, name, path: false }, place);
        let start = self.facts.args.len() as u32;
        self.site(node, callee, &Nodes::new(), start..start, SiteFlags::OPERATOR);
        if let Some(value) = value {
            self.facts.args.push(Arg { name: None, value, spread: false });
            let site = self.facts.sites.last_mut().expect("just made");
            site.args = start..start + 1;
        }
    }

    /// `for i := range value`, `for i, x := range value`.
    fn ranged(&mut self, node: u32, targets: &[u32], value: ExprId) -> ExprId {
        let key = self.made(Expr::Key(value), node);
        let count = match targets {
            &[target] => self.rule(target).map_or(1, |r| self.pattern_items(target, r).len()),
            _ => targets.len(),
        };
        if count < 2 {
            return key;
        }
        let element = self.made(Expr::Element(value), node);
        let args = self.facts.args.len() as u32;
        let arg = |value| Arg { name: None, value, spread: false };
        self.facts.args.extend([arg(key), arg(element)]);
        self.made(Expr::Collection { kind: CollectionKind::Tuple, args, count: 2 }, node)
    }

    /// Fields that stand for members of a like name (`attr_reader :a` for `@a`).
    fn accessors(&mut self, targets: &Nodes, rule: &'a Rule, definition: Option<Box<Definition>>) -> ExprId {
        let scope = self.context().scope;
        for (&target, symbol) in targets.iter().zip(definition.into_iter().flat_map(|d| d.variables)) {
            let own = self.own_name(target, rule);
            let text = format!("{}{}", rule.reads, self.facts.names.get(own));
            let name = self.name(&text);
            let object = self.made(Expr::Receiver(ReceiverKind::This, scope), target);
            let value = self.made(Expr::Member { object, name, path: false }, target);
            self.facts.symbols[symbol.index()].value = Some(value);
        }
        NONE
    }

    fn assign(&mut self, target: u32, rule: &'a Rule, value: Option<ExprId>, declared: Option<ExprId>, scope: ScopeId) {
        let mut target = target;
        let mut target_rule = self.rule(target);
        if let Some(list) = target_rule.filter(|r| r.role == Role::Collection && r.default_item) {
            if let [only] = self.pattern_items(target, list)[..] {
                target = only;
                target_rule = self.rule(only);
            }
        }
        match target_rule.map(|r| r.role) {
            Some(Role::Name) | None if self.tree.is_leaf(target) => {
                let name = self.own_name(target, rule);
                self.bind(target, name, value, declared, rule.declares, scope);
            }
            Some(Role::Name) => {
                let name = self.own_name(target, rule);
                self.bind(target, name, value, declared, rule.declares, scope);
            }
            Some(Role::Member | Role::Index) => {
                self.bind_member(target, target_rule.expect("it has a role"), value, declared);
            }
            None if declared.is_some() && self.tables.declarators.field != 0 => {
                // `const Book& b : books`
                match self.shape(target).name.filter(|&n| self.tree.is_leaf(n)) {
                    Some(name_node) => {
                        let name = self.own_name(name_node, rule);
                        self.bind(name_node, name, value, declared, rule.declares, scope);
                    }
                    None => self.bind_pattern(target, value.unwrap_or(UNKNOWN), rule.declares, scope),
                }
            }
            _ => self.bind_pattern(target, value.unwrap_or(UNKNOWN), rule.declares, scope),
        }
    }

    /// `exports.f = …`, `module.exports = …`.
    fn exported_value(&mut self, target: u32, value: Option<ExprId>) {
        let (Some(value), Some(rule)) = (value, self.rule(target)) else { return };
        if self.tables.export_objects.is_empty() {
            return;
        }
        if self.is_whole_export(target) {
            let mut whole = true;
            if let Expr::Collection { kind: CollectionKind::Map, args, count } = self.facts.expr(value) {
                whole = false;
                for index in args..args + count {
                    let arg = self.facts.args[index as usize];
                    match arg.name {
                        Some(name) => self.facts.exports.push(Export { name, value: arg.value }),
                        None => whole = true,
                    }
                }
            }
            if whole {
                self.facts.exports.push(Export { name: EMPTY, value });
            }
        } else if rule.role == Role::Member {
            let (object, name) = (self.tree.first(target, &rule.object), self.tree.first(target, &rule.name));
            if let (Some(object), Some(name)) = (object, name) {
                if self.tables.export_objects.iter().any(|o| o == self.text(object)) {
                    let name = self.own_name(name, rule);
                    self.facts.exports.push(Export { name, value });
                }
            }
        }
    }

    /// `__all__ = ["a", "b"]`, also added to.
    fn public_names(&mut self, target: u32, rule: &Rule, value: Option<u32>) {
        if self.tables.public_list.is_empty()
            || self.context().scope != FILE
            || self.text(target) != self.tables.public_list
        {
            return;
        }
        let Some(value) = value else { return };
        let mut names = self.facts.public_names.take().filter(|_| rule.declares != Declares::None).unwrap_or_default();
        for at in value..self.tree.get(value).next {
            let id = self.value(at);
            if id != NONE && self.rule(at).is_some_and(|r| r.role == Role::Literal) {
                if let Expr::Literal(LiteralKind::String, name) = self.facts.expr(id) {
                    names.push(name);
                }
            }
        }
        self.facts.public_names = Some(names);
    }

    /// `global x`, `nonlocal x`.
    pub(crate) fn enter_outer_names(&mut self, node: u32, rule: &'a Rule) {
        let context = self.context();
        let scope = self.without_blocks(context.scope);
        for at in self.tree.named(node).collect::<Nodes>() {
            let name = self.node_name(at);
            let target = if rule.kind == "file" { FILE } else { self.enclosing(scope, name) };
            if target != scope {
                self.redirects.insert((scope, name), target);
                if target == FILE {
                    self.declare_variable(FILE, name);
                }
            }
        }
    }

    /// The nearest function around that declares a name, else the nearest one.
    fn enclosing(&self, scope: ScopeId, name: NameId) -> ScopeId {
        let parents =
            std::iter::successors(self.facts.scopes[scope.index()].parent, |s| self.facts.scopes[s.index()].parent);
        let functions: Vec<ScopeId> = parents.filter(|&s| self.scope_kind(s) == ScopeKind::Function).collect();
        let declares = functions.iter().find(|&&s| self.declared.contains_key(&(s, name)));
        declares.or(functions.first()).copied().unwrap_or(scope)
    }

    /// Whether a child, or one in wrappers, declares names.
    fn declares_inside(&self, node: u32, depth: u32) -> bool {
        self.tree.children(node).any(|child| {
            let kind = self.tree.get(child).kind as usize;
            self.tables.declaring.get(kind).copied().unwrap_or(false)
                || depth > 1 && self.tables.wrappers[kind] && self.declares_inside(child, depth - 1)
        })
    }

    /// A block becomes a scope if something in it declares names for it.
    pub(crate) fn enter_block(&mut self, node: u32, always: bool) {
        if self.tree.get(node).has(mark::SWITCH) {
            return;
        }
        if always || self.declares_inside(node, 3) {
            let mut context = self.context();
            context.scope = self.new_scope(ScopeKind::Block, context.scope, context.symbol);
            context.node = node;
            self.contexts.push(context);
        }
    }
}
