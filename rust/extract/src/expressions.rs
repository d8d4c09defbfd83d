//! Values of expressions: what a node makes of the values inside it.

use crate::build::{Build, EMPTY, FILE, NONE, UNKNOWN};
use crate::tree::{mark, Nodes, Shift};
use mmcg_facts::{
    Arg, CollectionKind, Expr, ExprId, LiteralKind, MemberBind, NameId, Place, ReceiverKind, Return, ScopeKind, Site,
    SiteFlags, SiteId, SymbolFlags, UseKind,
};
use mmcg_lang::{Role, Rule, Wrap};
use std::ops::Range;

/// Longest text of a literal that is kept.
const LITERAL_MAX: usize = 100;

impl<'a> Build<'a> {
    pub(crate) fn leave_expression(&mut self, node: u32, rule: &'a Rule, alone: ExprId) -> ExprId {
        match rule.role {
            Role::Name => self.name_value(node, rule),
            Role::Receiver => {
                let scope = self.context().scope;
                self.made(Expr::Receiver(receiver(&rule.kind), scope), node)
            }
            Role::Member => self.member_value(node, rule),
            Role::Call => self.call_value(node, rule),
            Role::Element => self.element_value(node, rule),
            Role::New => self.new_value(node, rule),
            Role::Literal => self.literal_value(node, rule),
            Role::Collection | Role::Comprehension => self.collection_value(node, rule),
            Role::Index => self.index_value(node, rule),
            Role::Raise => self.raise_value(node, rule),
            Role::Slice => UNKNOWN,
            Role::Operator => self.operator_value(node, rule),
            Role::Choice => self.choice_value(node, rule),
            Role::Cast => {
                let (value, declared) = (self.value_at(node, &rule.value), self.value_at(node, &rule.type_));
                self.made(Expr::Cast(value, declared), node)
            }
            Role::Deref if rule.wrap == Wrap::OfType => self.wrapped(node, rule, alone, Expr::OfType),
            Role::Deref if rule.wrap == Wrap::Element => self.wrapped(node, rule, alone, Expr::Element),
            Role::Deref => self.wrapped(node, rule, alone, Expr::Deref),
            Role::Await => self.wrapped(node, rule, alone, Expr::Await),
            Role::Argument | Role::Pair | Role::Spread if !rule.value.is_empty() => {
                match self.tree.first(node, &rule.value) {
                    Some(value) => self.value(value),
                    None => alone,
                }
            }
            Role::Tokens => NONE,
            _ => alone,
        }
    }

    fn wrapped(&mut self, node: u32, rule: &Rule, alone: ExprId, wrap: fn(ExprId) -> Expr) -> ExprId {
        let value = if rule.value.is_empty() { alone } else { self.value_at(node, &rule.value) };
        if let (Role::Await, Some(Expr::Name { name, .. })) = (rule.role, self.facts.exprs.get(value.index())) {
            // An awaited import is the module itself.
            if self.facts.names.get(*name).contains('(') {
                return value;
            }
        }
        self.made(wrap(if value == NONE { UNKNOWN } else { value }), node)
    }

    pub(crate) fn name_value(&mut self, node: u32, rule: &Rule) -> ExprId {
        let text = self.text(node);
        let scope = self.context().scope;
        if let Some(&kind) = self.tables.receivers.get(text) {
            return self.made(Expr::Receiver(kind, scope), node);
        }
        let used = if rule.in_type { UseKind::Type } else { UseKind::Read };
        if !rule.split.is_empty() && text.contains(rule.split.as_str()) {
            return self.split_name(node, rule, used);
        }
        let name = self.own_name(node, rule);
        let place = self.place(node, used);
        let value = self.expr(Expr::Name { name, scope, path: rule.path }, place);
        if rule.kind == "call" {
            // A call without arguments, unless something declares the name: known at the end.
            let call = self.expr(Expr::Deref(value), place.with_use(UseKind::None));
            let symbol = self.context().symbol;
            self.bare_calls.push((call, symbol));
            return call;
        }
        value
    }

    /// A path written as one name (`\A\b`): its head, which is the separator itself where the path is absolute, and
    /// members of it.
    fn split_name(&mut self, node: u32, rule: &Rule, used: UseKind) -> ExprId {
        let text: String = self.text(node).split_whitespace().collect();
        let split = rule.split.as_str();
        let (head, rest) = match text.strip_prefix(split) {
            Some(rest) => (split, rest),
            None => text.split_once(split).unwrap_or((&text, "")),
        };
        let (scope, around) = (self.context().scope, self.place(node, UseKind::None));
        let last = self.tree.named(node).last().unwrap_or(node);
        let place = self.place(last, used);
        let name = self.name(head);
        let mut object = self.expr(Expr::Name { name, scope, path: true }, around);
        let mut parts = rest.split(split).peekable();
        while let Some(part) = parts.next() {
            let name = self.name(part);
            let place = if parts.peek().is_some() { around } else { place };
            object = self.expr(Expr::Member { object, name, path: true }, place);
        }
        object
    }

    /// The name of a member, as the target of an assignment that of its setter.
    fn used_name(&mut self, node: u32, name_node: u32, rule: &Rule) -> NameId {
        let name = self.member_name(name_node, rule);
        if rule.writes.is_empty() || !self.tree.get(node).has(mark::TARGET) {
            return name;
        }
        let text = format!("{}{}", self.facts.names.get(name), rule.writes);
        self.name(&text)
    }

    fn member_value(&mut self, node: u32, rule: &Rule) -> ExprId {
        let object = match rule.kind.as_str() {
            "this" if rule.object.is_empty() => {
                let scope = self.context().scope;
                self.made(Expr::Receiver(ReceiverKind::This, scope), node)
            }
            _ => self.value_at(node, &rule.object),
        };
        let object = match self.some_value(self.tree.first(node, &rule.receiver)) {
            // `Base.super`: the object at hand seen as the named type.
            Some(receiver) => self.made(Expr::Cast(receiver, object), node),
            None => object,
        };
        let Some(mut name_node) = self.tree.first(node, &rule.name) else { return object };
        if rule.path {
            self.as_path(object);
        }
        let mut object = object;
        if rule.kind == "deref" && object != UNKNOWN {
            object = self.made(Expr::Deref(object), node);
        }
        let nested = self.rule(name_node).is_some_and(|r| r.role == Role::Member && r.path);
        if nested && !rule.path {
            // `object.Base::member`: the path alone says which.
            return self.rule(name_node).map_or(UNKNOWN, |inner| self.path_value(name_node, inner));
        }
        if nested {
            return self.path_value(node, rule);
        }
        let mut generic = None;
        if let Some(inner) = self.rule(name_node).filter(|r| r.role == Role::Index) {
            generic = self.some_value(Some(name_node));
            name_node = self.tree.first(name_node, &inner.object).unwrap_or(name_node);
        }
        let name = self.used_name(node, name_node, rule);
        let written = self.tree.get(node).has(mark::TARGET);
        let used = if written {
            UseKind::Write
        } else if rule.in_type {
            UseKind::Type
        } else {
            UseKind::Read
        };
        let place = self.place(name_node, used);
        if object == UNKNOWN && !rule.object.is_empty() && self.tree.first(node, &rule.object).is_none() {
            // A path that starts at the root (`::name`) or a member of something left out.
            let scope = if rule.path { FILE } else { self.context().scope };
            return self.expr(Expr::Name { name, scope, path: rule.path && rule.in_type }, place);
        }
        let member = self.expr(Expr::Member { object, name, path: rule.path }, place);
        match generic.map(|g| self.facts.expr(g)) {
            // The arguments of a generic type stay.
            Some(Expr::Index { args, count, .. }) => self.made(Expr::Index { object: member, args, count }, node),
            _ => member,
        }
    }

    /// The head of a path is no value.
    pub(crate) fn as_path(&mut self, object: ExprId) {
        if let Expr::Name { path, .. } = &mut self.facts.exprs[object.index()] {
            *path = true;
        }
    }

    /// The arguments below a node, appended to the facts.
    fn arguments(&mut self, nodes: &Nodes) -> (Range<u32>, bool) {
        let mut args: smallvec::SmallVec<[Arg; 8]> = smallvec::SmallVec::new();
        for &node in nodes {
            let single = self.rule(node).is_some_and(|r| r.role != Role::Transparent);
            let children: Nodes = if single { smallvec::smallvec![node] } else { self.tree.named(node).collect() };
            for child in children {
                // A lifetime among the arguments of a type is no type.
                if self.types > 0 && self.rule(child).is_some_and(|r| r.role == Role::Skip) {
                    continue;
                }
                args.push(self.argument(child));
            }
        }
        let start = self.facts.args.len() as u32;
        let spread = args.iter().any(|a| a.spread);
        self.facts.args.extend(args);
        (start..self.facts.args.len() as u32, spread)
    }

    fn argument(&mut self, node: u32) -> Arg {
        let value = self.some_value(Some(node)).unwrap_or(UNKNOWN);
        let Some(rule) = self.rule(node) else { return Arg { name: None, value, spread: false } };
        match rule.role {
            Role::Argument => {
                let name = self.tree.first(node, &rule.name).map(|n| self.own_name(n, rule));
                let inner = self.tree.first(node, &rule.value);
                let spread = rule.kind == "spread"
                    || inner.and_then(|n| self.rule(n)).is_some_and(|r| r.role == Role::Spread)
                    || self.tree.named(node).any(|n| self.rule(n).is_some_and(|r| r.role == Role::Spread));
                Arg { name, value, spread }
            }
            Role::Pair if rule.wrap == Wrap::OfType => {
                let value = self.value_at(node, &rule.value);
                let value = self.made(Expr::OfType(value), node);
                Arg { name: self.key(node, rule), value, spread: false }
            }
            Role::Pair => Arg { name: self.key(node, rule), value, spread: false },
            Role::Parameter => Arg { name: None, value: self.value_at(node, &rule.type_), spread: false },
            Role::Spread => Arg { name: None, value, spread: true },
            Role::Name if rule.kind == "shorthand" => {
                Arg { name: Some(self.own_name(node, rule)), value, spread: false }
            }
            Role::Function => {
                let name = self.tree.first(node, &rule.name).map(|n| self.own_name(n, rule));
                Arg { name, value, spread: false }
            }
            _ => Arg { name: None, value, spread: false },
        }
    }

    /// The key of a pair, where it is written out.
    pub(crate) fn key(&mut self, node: u32, rule: &Rule) -> Option<NameId> {
        let key = self.tree.first(node, if rule.key.is_empty() { &rule.name } else { &rule.key })?;
        if let Some(value) = self.some_value(Some(key)) {
            return match self.facts.expr(value) {
                Expr::Literal(..) => self.literal_key(value),
                Expr::Name { name, .. } if rule.key.is_empty() => Some(name),
                _ => None,
            };
        }
        (self.tree.is_leaf(key)).then(|| self.own_name(key, rule))
    }

    /// The name that stands for a literal as a key.
    pub(crate) fn literal_key(&mut self, value: ExprId) -> Option<NameId> {
        match self.facts.expr(value) {
            Expr::Literal(LiteralKind::Integer, name) if self.tables.resolution.typed_keys && name != EMPTY => {
                let text = format!("#{}", self.facts.names.get(name));
                Some(self.name(&text))
            }
            Expr::Literal(_, name) if name != EMPTY => Some(name),
            _ => None,
        }
    }

    fn call_value(&mut self, node: u32, rule: &'a Rule) -> ExprId {
        let callee = if rule.callee.is_empty() {
            match (self.tree.first(node, &rule.object), self.tree.first(node, &rule.name)) {
                _ if rule.object.is_empty() && rule.name.is_empty() && !rule.kind.is_empty() => {
                    let scope = self.context().scope;
                    self.made(Expr::Receiver(receiver(&rule.kind), scope), node)
                }
                (Some(_), Some(_)) => self.member_value(node, rule),
                (None, Some(name)) if rule.kind == "own" => self.own_member(name, rule),
                (None, Some(name)) => {
                    let (name, scope) = (name, self.context().scope);
                    let place = self.place(name, UseKind::Read);
                    let name = self.own_name(name, rule);
                    self.expr(Expr::Name { name, scope, path: rule.path }, place)
                }
                _ => self.value_at(node, &rule.object),
            }
        } else {
            self.value_at(node, &rule.callee)
        };
        let callee = match self.facts.expr(callee) {
            Expr::Narrow(of, _) => of,
            _ => callee,
        };
        let callee = if rule.method.is_empty() {
            callee
        } else {
            let name = match rule.method.as_str() {
                "<function>" => self.facts.symbol(self.context().symbol).name,
                method => self.name(method),
            };
            let place = self.place(node, UseKind::None);
            self.expr(Expr::Member { object: callee, name, path: false }, place)
        };
        if let Expr::Name { name, scope, .. } = self.facts.expr(callee) {
            if let Some(&kind) = self.tables.receiver_calls.get(self.facts.names.get(name)) {
                self.use_as(callee, UseKind::None);
                let receiver = self.made(Expr::Receiver(kind, scope), node);
                // `super(C, self)`: behind C in the order of the object's bases.
                let list = self.tree.all(node, &rule.arguments);
                let first = list.first().and_then(|&list| self.tree.named(list).next());
                let first = first.map_or(NONE, |first| self.value(first));
                let named = first != NONE && matches!(self.facts.expr(first), Expr::Name { .. } | Expr::Member { .. });
                return if named { self.made(Expr::Cast(receiver, first), node) } else { receiver };
            }
            if self.tables.tests.calls.iter().any(|c| c == self.facts.names.get(name)) {
                self.facts.symbols[0].flags.set(SymbolFlags::TEST);
            }
        }
        let type_args = self.type_arguments(node, rule);
        let mut nodes = self.tree.all(node, &rule.arguments);
        nodes.extend(self.tree.all(node, &rule.block));
        let mut flags = rule.site;
        if matches!(self.facts.expr(callee), Expr::Receiver(ReceiverKind::Super | ReceiverKind::This, _)) {
            flags.set(SiteFlags::DELEGATE);
        }
        self.site(node, callee, &nodes, type_args, flags)
    }

    fn type_arguments(&mut self, node: u32, rule: &Rule) -> Range<u32> {
        let nodes = self.tree.all(node, &rule.type_arguments);
        if nodes.is_empty() {
            let end = self.facts.args.len() as u32;
            return end..end;
        }
        self.arguments(&nodes).0
    }

    /// A call site with its arguments, and its value.
    pub(crate) fn site(
        &mut self,
        node: u32,
        callee: ExprId,
        arguments: &Nodes,
        type_args: Range<u32>,
        mut flags: SiteFlags,
    ) -> ExprId {
        let (args, spread) = self.arguments(arguments);
        if spread {
            flags.set(SiteFlags::SPREAD);
        }
        if self.in_macro > 0 {
            flags.set(SiteFlags::IN_MACRO);
        }
        if self.standing().aside {
            flags.set(SiteFlags::ASIDE);
        }
        let (name, place) = self.called(callee, node);
        self.use_as(callee, UseKind::Call);
        let context = self.context();
        let (symbol, scope) = (context.symbol, context.scope);
        self.facts.sites.push(Site { callee, name, symbol, scope, args, type_args, flags, place });
        let site = SiteId::from(self.facts.sites.len() - 1);
        self.made(Expr::Call(site), node)
    }

    /// The name that a callee is called by, and where it stands.
    fn called(&mut self, mut callee: ExprId, node: u32) -> (NameId, Place) {
        loop {
            match self.facts.expr(callee) {
                Expr::Name { name, .. } | Expr::Member { name, .. } => {
                    return (name, self.facts.places[callee.index()].with_use(UseKind::Call));
                }
                Expr::Receiver(kind, _) => {
                    let name = match kind {
                        ReceiverKind::This => "this",
                        ReceiverKind::Super => "super",
                        ReceiverKind::SelfType => "self",
                        ReceiverKind::StaticType => "static",
                    };
                    // As it is written, where the language has a word of its own for it.
                    let written = self.tables.receivers.iter().filter(|(_, k)| **k == kind).map(|(w, _)| w.as_str());
                    let name = written.min().unwrap_or(name);
                    return (self.name(name), self.facts.places[callee.index()].with_use(UseKind::Call));
                }
                Expr::Index { object, .. } | Expr::Deref(object) | Expr::Cast(object, _) | Expr::Narrow(object, _) => {
                    callee = object
                }
                Expr::Await(object) => callee = object,
                _ => return (EMPTY, self.place(node, UseKind::Call)),
            }
        }
    }

    fn element_value(&mut self, node: u32, rule: &'a Rule) -> ExprId {
        let Some(callee) = self.tree.first(node, &rule.callee) else { return NONE };
        let text = self.text(callee);
        let value = self.value(callee);
        if value == NONE
            || !(text.contains('.') || text.starts_with(|c: char| c.is_uppercase() || c == '_' || c == '$'))
        {
            self.use_as(value, UseKind::None);
            return UNKNOWN;
        }
        let mut nodes = Nodes::new();
        for at in self.tree.every(node, &rule.arguments) {
            nodes.push(at);
        }
        let end = self.facts.args.len() as u32;
        let flags = SiteFlags(rule.site.0 | SiteFlags::ELEMENT.0);
        self.site(node, value, &nodes, end..end, flags)
    }

    fn new_value(&mut self, node: u32, rule: &'a Rule) -> ExprId {
        let callee = if rule.method == "<type>" {
            // The type around: an enum's constant.
            let scope = self.context().scope;
            self.made(Expr::Receiver(ReceiverKind::SelfType, scope), node)
        } else if rule.object.is_empty() {
            self.value_at(node, &rule.type_)
        } else {
            self.inner_type(node, rule)
        };
        let type_args = self.type_arguments(node, rule);
        let mut nodes = self.tree.all(node, &rule.arguments);
        nodes.extend(self.tree.all(node, &rule.block));
        let flags = SiteFlags(rule.site.0 | SiteFlags::NEW.0);
        let value = self.site(node, callee, &nodes, type_args, flags);
        for member in self.tree.all(node, &rule.members) {
            self.initialised_member(member, value);
        }
        if rule.field {
            self.set_fields(callee, node);
        }
        value
    }

    /// `outer.new Inner()`: the type is a member of the object's.
    fn inner_type(&mut self, node: u32, rule: &Rule) -> ExprId {
        let (object, named) = (self.value_at(node, &rule.object), self.value_at(node, &rule.type_));
        let mut inner = named;
        while let Expr::Index { object, .. } = self.facts.expr(inner) {
            inner = object;
        }
        let Expr::Name { name, .. } = self.facts.expr(inner) else { return named };
        let place = self.facts.places[inner.index()];
        self.expr(Expr::Member { object, name, path: false }, place)
    }

    /// `new C { name = value }`.
    fn initialised_member(&mut self, node: u32, object: ExprId) {
        let Some(rule) = self.rule(node).filter(|r| r.role == Role::Argument) else { return };
        let Some(name_node) = self.tree.first(node, &rule.name) else { return };
        let (name, place) = (self.own_name(name_node, rule), self.place(name_node, UseKind::Write));
        self.expr(Expr::Member { object, name, path: false }, place);
        let value = self.some_value(self.tree.first(node, &rule.value)).filter(|&v| v != UNKNOWN);
        let symbol = self.context().symbol;
        self.facts.member_binds.push(MemberBind { object, name, value, declared: None, symbol, place });
    }

    /// What is given by name sets the fields of what was just constructed.
    fn set_fields(&mut self, callee: ExprId, node: u32) {
        let site = self.facts.sites.last().expect("just made");
        let (args, symbol) = (site.args.clone(), site.symbol);
        let named = |a: &&Arg| a.name.is_some() && a.value != UNKNOWN;
        let named: smallvec::SmallVec<[Arg; 8]> =
            self.facts.args[args.start as usize..args.end as usize].iter().filter(named).copied().collect();
        if named.is_empty() {
            return;
        }
        let object = self.made(Expr::OfType(callee), node);
        for Arg { name, value, .. } in named {
            let place = self.facts.places[value.index()].with_use(UseKind::None);
            let (name, value, declared) = (name.unwrap_or(EMPTY), Some(value), None);
            self.facts.member_binds.push(MemberBind { object, name, value, declared, symbol, place });
        }
    }

    fn literal_value(&mut self, node: u32, rule: &Rule) -> ExprId {
        let kind = match rule.kind.as_str() {
            "string" | "text" => LiteralKind::String,
            "integer" => LiteralKind::Integer,
            "float" => LiteralKind::Float,
            "boolean" => LiteralKind::Boolean,
            "null" => LiteralKind::Null,
            // Of a kind alone: texts are not kept.
            "symbol" => return self.literal(LiteralKind::Character, EMPTY, node),
            "amount" if self.text(node).len() > 3 => {
                let float = self.text(node).contains('.') && !self.text(node).starts_with("0x");
                return self.literal(if float { LiteralKind::Float } else { LiteralKind::Integer }, EMPTY, node);
            }
            "amount" => LiteralKind::Integer,
            "character" => LiteralKind::Character,
            "number" if self.text(node).contains(['.', 'e', 'E']) && !self.text(node).starts_with("0x") => {
                LiteralKind::Float
            }
            "number" => LiteralKind::Integer,
            _ => LiteralKind::Other,
        };
        if rule.kind == "text" || !matches!(kind, LiteralKind::String | LiteralKind::Integer | LiteralKind::Character) {
            return self.literal(kind, EMPTY, node);
        }
        let text = if kind == LiteralKind::Integer { self.text(node) } else { unquoted(self.text(node)) };
        if text.len() > LITERAL_MAX || text.contains('\n') {
            return self.literal(kind, EMPTY, node);
        }
        if kind == LiteralKind::String && self.types > 0 && self.tables.types_in_strings {
            if let Some(name) = self.type_in_string(text, node) {
                return name;
            }
        }
        let name = self.name(text);
        self.literal(kind, name, node)
    }

    /// A type written as a string: `"shop.Cart"`.
    fn type_in_string(&mut self, text: &str, node: u32) -> Option<ExprId> {
        let word = |part: &str| {
            !part.is_empty()
                && part.chars().all(|c| c.is_alphanumeric() || c == '_')
                && !part.starts_with(|c: char| c.is_ascii_digit())
        };
        let text = text.trim();
        if !text.split('.').all(word) {
            return self.type_as_source(text, node);
        }
        let place = self.place(node, UseKind::Type);
        let place = Place::new(place.line, place.column() + 1, UseKind::Type);
        let scope = self.context().scope;
        let mut parts = text.split('.');
        let name = self.name(parts.next()?);
        let mut value = self.expr(Expr::Name { name, scope, path: false }, place);
        for part in parts {
            let name = self.name(part);
            value = self.expr(Expr::Member { object: value, name, path: false }, place);
        }
        Some(value)
    }

    /// A type in a string that is more than a name, read as source.
    fn type_as_source(&mut self, text: &str, node: u32) -> Option<ExprId> {
        let before = &self.tables.type_prefix;
        let quoted = self.text(node);
        let plain = quoted.len() == text.len() + 2 && quoted[1..].starts_with(text);
        if before.is_empty() || !plain || !text.contains(['[', '|']) {
            return None;
        }
        let parsed = (self.parse)(&format!("{before}{text}"))?;
        if parsed.root_node().has_error() {
            return None;
        }
        let this = *self.tree.get(node);
        let (prefix, start, end) = (before.len() as u32, this.start + 1, this.end - 1);
        let shift = Shift { prefix, start, end, row: this.row, column: this.column + 1 };
        let root = self.tree.append(&parsed, self.tables, shift);
        self.values.resize(self.tree.nodes.len(), NONE);
        let inside = |n: &u32| self.tree.get(*n).marks & (mark::NAMED | mark::WRAPPING) == mark::NAMED;
        let at = (root + 1..self.tree.nodes.len() as u32).find(inside)?;
        self.walk(at);
        Some(self.value(at)).filter(|value| *value != NONE && *value != UNKNOWN)
    }

    fn collection_value(&mut self, node: u32, rule: &'a Rule) -> ExprId {
        let kind = match rule.kind.as_str() {
            "tuple" => CollectionKind::Tuple,
            "map" => CollectionKind::Map,
            _ => CollectionKind::List,
        };
        let items: Nodes =
            if rule.items.is_empty() { self.tree.named(node).collect() } else { self.tree.all(node, &rule.items) };
        if let (CollectionKind::Tuple, [only], true) = (kind, &items[..], rule.default_item) {
            // A list in form only: `return a`.
            match self.rule(*only).filter(|r| r.role == Role::Parameter) {
                None => return self.some_value(Some(*only)).unwrap_or(UNKNOWN),
                Some(rule) if self.tree.all(*only, &rule.name).len() < 2 => return self.value_at(*only, &rule.type_),
                Some(_) => {}
            }
        }
        let mut args: smallvec::SmallVec<[Arg; 8]> = smallvec::SmallVec::new();
        for item in items {
            let arg = self.argument(item);
            args.push(arg);
            // `(a, b int)` are two, `{ a, b int }` too.
            let Some(rule) = self.rule(item) else { continue };
            if rule.role == Role::Parameter || rule.role == Role::Pair && rule.wrap == Wrap::OfType {
                for name in self.tree.all(item, &rule.name).into_iter().skip(1) {
                    let name = arg.name.map(|_| self.own_name(name, rule));
                    args.push(Arg { name, ..arg });
                }
            }
        }
        if rule.callables_only && args.iter().all(|a| self.holds_nothing(a.value)) {
            return UNKNOWN;
        }
        let first = self.facts.args.len() as u32;
        let count = args.len() as u32;
        self.facts.args.extend(args);
        self.made(Expr::Collection { kind, args: first, count }, node)
    }

    /// Whether a value cannot lead to a function.
    fn holds_nothing(&self, value: ExprId) -> bool {
        matches!(self.facts.expr(value), Expr::Unknown | Expr::Literal(..))
    }

    fn index_value(&mut self, node: u32, rule: &'a Rule) -> ExprId {
        let object = self.value_at(node, &rule.object);
        let nodes = self.tree.all(node, &rule.arguments);
        if rule.method == "call" {
            return object;
        }
        let written = !rule.writes.is_empty() && self.tree.get(node).has(mark::TARGET);
        let method = if written { &rule.writes } else { &rule.method };
        let own = rule.writes.is_empty() || !self.is_of_language(object);
        if !method.is_empty() && self.types == 0 && object != UNKNOWN && own && !self.is_plain(object) {
            // The language calls a method.
            let name = self.name(method);
            let place = self.place(node, UseKind::None);
            let callee = self.expr(Expr::Member { object, name, path: false }, place);
            let end = self.facts.args.len() as u32;
            self.site(node, callee, &nodes, end..end, SiteFlags(rule.site.0 | SiteFlags::OPERATOR.0));
        }
        if let (&[only], 0) = (&nodes[..], self.types) {
            if self.rule(only).is_some_and(|r| r.role == Role::Slice) && object != UNKNOWN {
                return self.slice_value(object, only);
            }
        }
        let (args, _) = self.arguments(&nodes);
        self.made(Expr::Index { object, args: args.start, count: args.end - args.start }, node)
    }

    fn operator_value(&mut self, node: u32, rule: &'a Rule) -> ExprId {
        let Some(operator) = self.tree.first(node, &rule.operator) else { return UNKNOWN };
        let tables = self.tables;
        let known = tables.operators.get(self.text(operator)).filter(|_| rule.method.is_empty());
        let Some(method) = known.or((!rule.method.is_empty()).then_some(&rule.method)) else { return UNKNOWN };
        let left = self.value_at(node, &rule.left);
        let operand = |e| matches!(e, Expr::Literal(..));
        if left == UNKNOWN && self.tree.first(node, &rule.right).is_none() || operand(self.facts.expr(left)) {
            return UNKNOWN;
        }
        if self.is_plain(left) || rule.constructs && left == UNKNOWN {
            return UNKNOWN;
        }
        if !rule.writes.is_empty() && (left == UNKNOWN || self.is_of_language(left)) {
            return UNKNOWN;
        }
        let name = self.name(method);
        let place = self.place(operator, UseKind::None);
        let callee = self.expr(Expr::Member { object: left, name, path: false }, place);
        let nodes = self.tree.all(node, &rule.right);
        let end = self.facts.args.len() as u32;
        let flags = SiteFlags(rule.site.0 | SiteFlags::OPERATOR.0);
        let value = if nodes.len() == 1 {
            let arg =
                Arg { name: None, value: self.some_value(nodes.first().copied()).unwrap_or(UNKNOWN), spread: false };
            let value = self.site(node, callee, &Nodes::new(), end..end, flags);
            self.facts.args.push(arg);
            let site = self.facts.sites.last_mut().expect("just made");
            site.args = self.facts.args.len() as u32 - 1..self.facts.args.len() as u32;
            value
        } else {
            self.site(node, callee, &nodes, end..end, flags)
        };
        if rule.wrap == Wrap::Unknown {
            UNKNOWN
        } else {
            value
        }
    }

    /// A local variable of one of the language's own types.
    fn is_plain(&self, value: ExprId) -> bool {
        if self.plain.is_empty() {
            return false;
        }
        match self.facts.expr(value) {
            Expr::Name { name, scope, .. } => {
                self.declaring(scope, name).is_some_and(|declaring| self.plain.contains(&(declaring, name)))
            }
            Expr::Deref(of) | Expr::Index { object: of, .. } => self.is_plain(of),
            Expr::Cast(_, to) => matches!(self.facts.expr(to), Expr::Unknown),
            _ => false,
        }
    }

    pub(crate) fn choice_value(&mut self, node: u32, rule: &Rule) -> ExprId {
        let nodes: Nodes = if rule.left.is_empty() {
            if rule.items.is_empty() {
                self.tree.named(node).collect()
            } else {
                self.tree.every(node, &rule.items)
            }
        } else {
            let mut both = self.tree.all(node, &rule.left);
            both.extend(self.tree.all(node, &rule.right));
            both
        };
        let mut value = NONE;
        for node in nodes {
            // A lifetime among bounds is no type.
            if self.types > 0 && self.value(node) == NONE {
                continue;
            }
            let next = self.some_value(Some(node)).unwrap_or(UNKNOWN);
            value = if value == NONE { next } else { self.made(Expr::Choice(value, next), node) };
        }
        value
    }

    pub(crate) fn leave_return(&mut self, node: u32, rule: &Rule, alone: ExprId) -> ExprId {
        let value = if rule.value.is_empty() { alone } else { self.value_at(node, &rule.value) };
        let yielded = rule.role == Role::Yield;
        let value = match rule.wrap {
            Wrap::Element if value != NONE && value != UNKNOWN => self.made(Expr::Element(value), node),
            _ => value,
        };
        let context = self.context();
        let scope = context.function;
        if self.scope_kind(scope) == ScopeKind::Function {
            if value != NONE && value != UNKNOWN {
                self.facts.returns.push(Return { scope, value, yielded });
            }
            if yielded {
                let symbol = self.facts.scopes[scope.index()].symbol;
                if self.facts.symbols[symbol.index()].body == Some(scope) {
                    self.facts.symbols[symbol.index()].flags.set(SymbolFlags::GENERATOR);
                }
            }
        }
        if yielded {
            UNKNOWN
        } else {
            NONE
        }
    }

    pub(crate) fn leave_decorator(&mut self, node: u32, rule: &Rule, alone: ExprId) -> ExprId {
        let value = if rule.value.is_empty() { alone } else { self.value_at(node, &rule.value) };
        if value == NONE || value == UNKNOWN {
            return UNKNOWN;
        }
        let end = self.facts.args.len() as u32;
        let arguments = self.tree.all(node, &rule.arguments);
        let at = self.tree.named(node).next().unwrap_or(node);
        self.site(at, value, &arguments, end..end, SiteFlags(rule.site.0 | SiteFlags::DECORATOR.0));
        value
    }

    /// The body of an anonymous class has scopes of its own.
    pub(crate) fn enter_new(&mut self, node: u32, rule: &Rule) {
        if let Some(body) = self.tree.first(node, &rule.body) {
            let mut context = self.context();
            context.scope = self.new_scope(ScopeKind::Class, context.scope, context.symbol);
            self.switch(body, context);
        }
        self.mark_at(node, &rule.name, mark::TARGET);
    }
}

pub fn receiver(word: &str) -> ReceiverKind {
    match word {
        "super" => ReceiverKind::Super,
        "self_type" => ReceiverKind::SelfType,
        "static_type" => ReceiverKind::StaticType,
        _ => ReceiverKind::This,
    }
}

/// The inside of a quoted text, prefixes and quotes removed.
pub fn unquoted(text: &str) -> &str {
    let start = text.find(['"', '\'', '`', '<']).unwrap_or(0);
    let text = &text[start..];
    for quote in ["\"\"\"", "'''", "\"", "'", "`"] {
        if let Some(inner) = text.strip_prefix(quote) {
            return inner.strip_suffix(quote).unwrap_or(inner);
        }
    }
    if let Some(inner) = text.strip_prefix('<') {
        return inner.strip_suffix('>').unwrap_or(inner);
    }
    text
}
