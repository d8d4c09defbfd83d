//! Values of types and what containers of them hold.

use crate::lookup::Bound;
use crate::modules::FileId;
use crate::program::Sym;
use crate::resolver::Resolver;
use crate::solve::Question;
use crate::values::{How, Value, ValueSet};
use mmcg_facts::{Arg, CollectionKind, Expr, ExprId, LiteralKind, NameId, SymbolKind};

impl Resolver<'_> {
    /// Objects of the type that an expression names.
    pub(crate) fn instances(&mut self, file: FileId, expr: ExprId) -> ValueSet {
        if self.depth > 200 {
            return ValueSet::unknown();
        }
        self.depth += 1;
        let found = self.instances_unguarded(file, expr);
        self.depth -= 1;
        found
    }

    fn instances_unguarded(&mut self, file: FileId, expr: ExprId) -> ValueSet {
        match self.program.expr(file, expr) {
            Expr::Literal(LiteralKind::Null, _) => ValueSet::default(),
            Expr::Choice(a, b) => {
                let mut all = self.instances(file, a);
                let other = self.instances(file, b);
                all.join(&other);
                if all.len() > 1 {
                    all.weaken(How::Flow)
                } else {
                    all
                }
            }
            Expr::Deref(of) | Expr::Await(of) | Expr::OfType(of) => self.instances(file, of),
            Expr::Index { object, args, count } => self.instances_of_generic(file, expr, object, args, count),
            Expr::Collection { kind, args, count } => match kind {
                CollectionKind::Tuple if count == 1 => {
                    let only = self.args(file, args, count)[0].value;
                    self.instances(file, only)
                }
                CollectionKind::Tuple => ValueSet::one(Value::TypeTuple(file, expr), How::Declared),
                CollectionKind::List | CollectionKind::Map => match self.args(file, args, count).last() {
                    // A structure without a name.
                    Some(last) if last.name.is_some() => ValueSet::one(Value::Collection(file, expr), How::Declared),
                    // Functions: what is assigned tells more than their type.
                    Some(last) if matches!(self.program.expr(file, last.value), Expr::Unknown | Expr::Lambda(_)) => {
                        ValueSet::unknown()
                    }
                    Some(_) if kind == CollectionKind::Map => ValueSet::one(Value::Generic(file, expr), How::Declared),
                    Some(last) => ValueSet::one(Value::Sequence(file, last.value), How::Declared),
                    None => ValueSet::unknown(),
                },
            },
            Expr::Name { .. } | Expr::Member { .. } | Expr::Receiver(..) | Expr::Symbol(_) => {
                let found = self.type_bounds(file, expr);
                if let Some(own) = self.own_type(file, expr, &found) {
                    return ValueSet::one(Value::Instance(own), How::Declared);
                }
                if found.is_empty() {
                    return self.foreign_instance(file, expr);
                }
                let mut all = ValueSet::default();
                for bound in found {
                    let values = self.instances_of_bound(bound);
                    all.join(&values);
                }
                all
            }
            _ => ValueSet::unknown(),
        }
    }

    /// A type that no declaration names is the language's own or a library's.
    fn foreign_instance(&mut self, file: FileId, expr: ExprId) -> ValueSet {
        match self.program.expr(file, expr) {
            Expr::Name { name, .. } => {
                let text = self.program.text(name).to_owned();
                ValueSet::one(Value::External(self.external(&text)), How::Declared)
            }
            // Of a path that leads out of the project the last name says which type it is.
            Expr::Member { name, .. } if self.is_linked(file) => {
                let text = self.program.text(name).to_owned();
                ValueSet::one(Value::External(self.external(&text)), How::Declared)
            }
            _ => ValueSet::unknown(),
        }
    }

    fn instances_of_bound(&mut self, bound: Bound) -> ValueSet {
        match bound {
            Bound::Symbol(sym) => {
                let sym = self.through_aliases(sym);
                let symbol = self.program.symbol(sym);
                match symbol.kind {
                    // A function's type says nothing about which function.
                    SymbolKind::Type if symbol.flags.has(mmcg_facts::SymbolFlags::CALLABLE_VALUE) => {
                        ValueSet::unknown()
                    }
                    SymbolKind::Type => match symbol.value {
                        // An alias of a union, a function type or a generic type.
                        // Aliases that lead to each other would be followed without end.
                        Some(_) if self.generics.is_empty() => self.ask(Question::Alias(sym)),
                        Some(value) => self.alias_value(sym, self.program.file_of(sym), value),
                        // An abstract or associated type.
                        None => ValueSet::one(Value::Instance(self.types.whole(sym)), How::Declared),
                    },
                    kind if kind.is_type() => ValueSet::one(Value::Instance(self.types.whole(sym)), How::Declared),
                    // A variant with fields of its own, named in a pattern.
                    SymbolKind::Variant if self.members_by_owner.contains_key(&sym) => {
                        ValueSet::one(Value::Instance(sym), How::Declared)
                    }
                    SymbolKind::Variant => match self.types.owner_of(sym) {
                        Some(owner) => ValueSet::one(Value::Instance(owner), How::Declared),
                        None => ValueSet::unknown(),
                    },
                    SymbolKind::Variable | SymbolKind::Constant => match self.variable_instances(sym) {
                        Some(given) => given,
                        None => {
                            let values = self.symbol_value(sym, None);
                            self.made_of(&values)
                        }
                    },
                    _ => ValueSet::unknown(),
                }
            }
            Bound::Variable(..) | Bound::Expr(..) => {
                let values = self.bound_value(bound);
                self.made_of(&values)
            }
            Bound::External(external) => ValueSet::one(Value::External(external), How::Declared),
            Bound::TypeParam(file, index) => match self.type_argument(file, index) {
                Some(found) => found,
                None => match self.program.file(file).facts.type_params[index as usize].1 {
                    Some(bound) => self.instances(file, bound),
                    None => ValueSet::unknown(),
                },
            },
            _ => ValueSet::unknown(),
        }
    }

    /// Objects of the classes in a set (a variable used as a type).
    pub(crate) fn made_of(&mut self, values: &ValueSet) -> ValueSet {
        let mut all = ValueSet::as_open_as(values);
        for (value, _) in values.iter() {
            match value {
                Value::Symbol(sym) if self.program.symbol(sym).kind.is_type() => {
                    all.add(Value::Instance(self.types.whole(sym)), How::Declared);
                }
                Value::External(external) => all.add(Value::External(external), How::Declared),
                _ => all.open = true,
            }
        }
        all
    }

    fn instances_of_generic(&mut self, file: FileId, expr: ExprId, object: ExprId, args: u32, count: u32) -> ValueSet {
        let rules = self.program.file(file).rules.clone();
        let text = self.wrapper_name(file, object).unwrap_or("").to_owned();
        let text = text.as_str();
        let given = self.args(file, args, count).to_vec();
        let found = self.type_bounds(file, expr);
        // An alias of a container keeps the container's name and its arguments (`type Result<T> = …`).
        let alias = |b: &Bound| matches!(b, Bound::Symbol(s) if self.program.symbol(*s).kind == SymbolKind::Type);
        let named_alike = rules.element_types.contains_key(text) && found.iter().all(alias);
        let inside = !named_alike && found.iter().any(|b| matches!(b, Bound::Symbol(_)));
        if !inside {
            if rules.union_types.iter().any(|union| union == text) {
                let mut all = ValueSet::default();
                for arg in &given {
                    let found = self.instances(file, arg.value);
                    all.join(&found);
                }
                return if all.len() > 1 { all.weaken(How::Flow) } else { all };
            }
            if let Some(classes) = self.classes(file, text, &given) {
                return classes;
            }
            if let Some(arg) = rules.transparent_types.get(text).and_then(|index| given.get(*index)) {
                let value = arg.value;
                return self.instances(file, value);
            }
            return ValueSet::one(Value::Generic(file, expr), How::Declared);
        }
        if let [Bound::Symbol(sym)] = found[..] {
            if let Some(values) = self.alias_with_arguments(file, sym, &given) {
                return values;
            }
        }
        let mut all = ValueSet::default();
        for bound in found {
            let values = self.instances_of_bound(bound);
            for (value, how) in values.iter() {
                match value {
                    Value::Instance(sym) if rules.generic_types => all.add(self.applied(file, sym, &given), how),
                    _ => all.add(value, how),
                }
            }
            all.open |= values.open;
        }
        all
    }

    /// The last name of a dotted type.
    pub(crate) fn last_name(&self, file: FileId, expr: ExprId) -> Option<NameId> {
        match self.program.expr(file, expr) {
            Expr::Name { name, .. } | Expr::Member { name, .. } => Some(name),
            Expr::Index { object, .. } | Expr::Deref(object) => self.last_name(file, object),
            _ => None,
        }
    }

    pub(crate) fn args(&self, file: FileId, args: u32, count: u32) -> &[Arg] {
        &self.program.file(file).facts.args[args as usize..(args + count) as usize]
    }

    /// What values give when they are followed like pointers.
    pub(crate) fn followed(&mut self, values: ValueSet) -> ValueSet {
        if !values.iter().any(|(v, _)| matches!(v, Value::Generic(..))) {
            return values;
        }
        let mut all = ValueSet::as_open_as(&values);
        for (value, how) in values.iter() {
            match self.held_type(value, false) {
                Some((file, held)) => {
                    let found = self.instances(file, held);
                    all.join(&found);
                }
                None => all.add(value, how),
            }
        }
        all
    }

    /// The type argument that says what an object of a type with arguments holds.
    fn held_type(&self, value: Value, elements: bool) -> Option<(FileId, ExprId)> {
        let Value::Generic(file, expr) = value else { return None };
        let Expr::Index { object, args, count } = self.program.expr(file, expr) else { return None };
        let rules = &self.program.file(file).rules;
        let text = self.wrapper_name(file, object)?;
        let index = rules.pointer_types.get(text).or_else(|| rules.element_types.get(text).filter(|_| elements))?;
        self.args(file, args, count).get(*index).map(|arg| (file, arg.value))
    }

    /// `pointer.get()`, `list.front()`: what is held.
    pub(crate) fn held_by_wrapper(&mut self, file: FileId, callee: ExprId) -> ValueSet {
        let mut all = ValueSet::default();
        let Expr::Member { object, name, .. } = self.program.expr(file, callee) else { return all };
        let rules = &self.program.file(file).rules;
        if rules.pointer_members.is_empty() || !rules.pointer_members.iter().any(|m| m == self.program.text(name)) {
            return all;
        }
        let objects = self.eval(file, object);
        for (value, _) in objects.iter() {
            if let Some((home, held)) = self.held_type(value, true) {
                let found = self.instances(home, held);
                all.join(&found);
            }
        }
        all
    }

    /// One element of the iterated values.
    pub(crate) fn elements(&mut self, values: &ValueSet) -> ValueSet {
        let mut all = ValueSet::as_open_as(values);
        for (value, how) in values.iter() {
            let found = match value {
                Value::Sequence(file, of) => self.instances(file, of),
                Value::Generic(..) if self.pointed(value).is_some() => {
                    let inner = self.pointed(value).unwrap_or_default();
                    self.elements(&inner)
                }
                Value::Generic(file, expr) | Value::Elements(file, expr) => self.generic_element(file, expr),
                Value::Holding(file, of) => self.eval(file, of),
                Value::Yields(sym) => self.ask(Question::Yields(sym)),
                Value::Results(sym) => self.returns(sym, None),
                Value::Collection(file, expr) => {
                    let mut found = self.collection_elements(file, expr);
                    let written = self.written_elements(file, expr);
                    found.join(&written);
                    found
                }
                Value::Items(file, from, to) => self.elements_of_items(file, from, to),
                Value::Library(file, site, term) => self.library_elements(file, site, term),
                Value::Instance(_) | Value::Applied(_) => self.object_elements(value, how),
                _ => ValueSet::unknown(),
            };
            all.join(&found);
        }
        all
    }

    /// One element of an object of the project's.
    fn object_elements(&mut self, value: Value, how: How) -> ValueSet {
        let Value::Instance(sym) = self.plain(value) else { return ValueSet::unknown() };
        if let Some((home, layout)) = self.layout(sym) {
            let inner = self.instances(home, layout);
            return self.elements(&inner);
        }
        let rules = self.program.file(self.program.file_of(sym)).rules.clone();
        if rules.generic_types {
            let found = self.inherited_elements(value);
            if !found.is_empty() || rules.iterated_members.is_empty() {
                return found;
            }
        }
        let mut at = ValueSet::one(value, how);
        let has = |this: &mut Self, first: Option<&String>| {
            first.and_then(|first| this.program.name(first)).is_some_and(|name| !this.members(sym, name).is_empty())
        };
        let waits = !has(self, rules.iterated_members.first()) && has(self, rules.async_iterated_members.first());
        for wanted in if waits { &rules.async_iterated_members } else { &rules.iterated_members } {
            at = self.results_of_member(&at, wanted);
        }
        if !rules.iterated_members.is_empty() && at.iter().all(|(v, _)| v == value) {
            return ValueSet::unknown();
        }
        let holds = at.iter().any(|(v, _)| matches!(v, Value::Yields(_) | Value::Sequence(..) | Value::Generic(..)));
        if holds {
            return self.elements(&at);
        }
        at
    }

    /// What a member without arguments gives on each of several objects; objects without it stay as they are.
    fn results_of_member(&mut self, objects: &ValueSet, member: &str) -> ValueSet {
        let Some(name) = self.program.name(member) else {
            return objects.clone();
        };
        let mut all = ValueSet::as_open_as(objects);
        for (value, how) in objects.iter() {
            let members = match self.plain(value) {
                Value::Instance(sym) => self.members(sym, name),
                _ => Default::default(),
            };
            if members.is_empty() {
                all.add(value, how);
            }
            for sym in members {
                let found = self.returns(sym, Some(value));
                all.join(&found);
            }
        }
        all
    }

    /// A type of its own that is laid out like another one: that one.
    pub(crate) fn layout(&self, sym: Sym) -> Option<(FileId, ExprId)> {
        let symbol = self.program.symbol(sym);
        let declared = symbol.declared.filter(|_| symbol.kind == SymbolKind::Type && symbol.value.is_none())?;
        Some((self.program.file_of(sym), declared))
    }

    /// What the iterated values are indexed by.
    pub(crate) fn keys(&mut self, values: &ValueSet) -> ValueSet {
        let mut all = ValueSet::as_open_as(values);
        for (value, _) in values.iter() {
            let found = match value {
                Value::Sequence(..) => ValueSet::one(Value::Literal(LiteralKind::Integer), How::Declared),
                Value::Generic(file, expr) => match self.program.expr(file, expr) {
                    Expr::Collection { args, count, .. } if count > 0 => {
                        let first = self.args(file, args, count)[0].value;
                        self.instances(file, first)
                    }
                    _ => ValueSet::unknown(),
                },
                Value::Instance(sym) => match self.layout(sym) {
                    Some((home, layout)) => {
                        let inner = self.instances(home, layout);
                        self.keys(&inner)
                    }
                    None => ValueSet::unknown(),
                },
                _ => ValueSet::unknown(),
            };
            all.join(&found);
        }
        all
    }

    pub(crate) fn generic_element(&mut self, file: FileId, expr: ExprId) -> ValueSet {
        if let Expr::Collection { args, count, .. } = self.program.expr(file, expr) {
            return match self.args(file, args, count).last().copied() {
                Some(last) => self.instances(file, last.value),
                None => ValueSet::unknown(),
            };
        }
        let Expr::Index { object, args, count } = self.program.expr(file, expr) else {
            return ValueSet::unknown();
        };
        let rules = self.program.file(file).rules.clone();
        let text = self.last_name(file, object).map_or("", |name| self.program.text(name));
        if rules.pair_types.iter().any(|pair| pair == text) && count >= 2 {
            return ValueSet::one(Value::TypeTuple(file, expr), How::Declared);
        }
        let index = rules.element_types.get(text).copied();
        match index.and_then(|index| self.args(file, args, count).get(index).copied()) {
            Some(arg) => self.instances(file, arg.value),
            None => ValueSet::unknown(),
        }
    }

    fn collection_elements(&mut self, file: FileId, expr: ExprId) -> ValueSet {
        let Expr::Collection { kind, args, count } = self.program.expr(file, expr) else {
            return ValueSet::unknown();
        };
        if kind == CollectionKind::Map || count > 64 {
            return ValueSet::unknown();
        }
        self.elements_of_items(file, args, args + count)
    }

    fn elements_of_items(&mut self, file: FileId, from: u32, to: u32) -> ValueSet {
        self.ask(Question::Elements(file, from, to))
    }

    pub(crate) fn any_item(&mut self, file: FileId, from: u32, to: u32) -> ValueSet {
        let mut all = ValueSet::default();
        for arg in self.args(file, from, to - from).to_vec() {
            let found = self.eval(file, arg.value);
            if arg.spread {
                let inner = self.elements(&found);
                all.join(&inner);
            } else {
                all.join(&found);
            }
        }
        all.weaken(How::Flow)
    }

    pub(crate) fn eval_index(&mut self, file: FileId, expr: ExprId, object: ExprId, args: u32, count: u32) -> ValueSet {
        if let Some(types) = self.types_of_arity(file, expr) {
            return types;
        }
        let objects = self.eval(file, object);
        let key = self.args(file, args, count).first().copied();
        let mut all = ValueSet::as_open_as(&objects);
        for (value, how) in objects.iter() {
            let found = match self.plain(value) {
                // `Foo[int]` is still Foo.
                Value::Symbol(_) => ValueSet::one(value, how),
                Value::Collection(home, literal) => {
                    self.collection_item(home, literal, file, expr, key.map(|k| k.value))
                }
                Value::Items(home, from, to) => self.item_of_items(home, from, to, file, key.map(|k| k.value)),
                Value::Generic(..) if self.pointed(value).is_some() => {
                    let inner = self.pointed(value).unwrap_or_default();
                    let mut all = ValueSet::default();
                    for (value, _) in inner.iter() {
                        let found = match value {
                            Value::Sequence(..) | Value::Generic(..) => self.mapped_element(file, value),
                            _ => ValueSet::unknown(),
                        };
                        all.join(&found);
                    }
                    all
                }
                Value::Generic(home, tuple) if self.is_tuple_type(home, tuple) => {
                    match self.literal_position(file, key) {
                        Some(position) => self.tuple_item(home, tuple, position),
                        None => ValueSet::unknown(),
                    }
                }
                Value::Sequence(..) | Value::Generic(..) => self.mapped_element(file, value),
                Value::Holding(..) => self.held(value),
                Value::TypeTuple(home, tuple) => match self.literal_position(file, key) {
                    Some(position) => self.tuple_item(home, tuple, position),
                    None => ValueSet::unknown(),
                },
                Value::Pair(home, site, term) => match self.literal_position(file, key) {
                    Some(position) => self.pair_item(home, site, term, position),
                    None => ValueSet::unknown(),
                },
                Value::Library(home, site, term) => match self.literal_position(file, key) {
                    Some(position) => self.library_at(home, site, term, position),
                    None => self.library_under_key(home, site, term),
                },
                Value::Instance(sym) if self.layout(sym).is_some() => {
                    let (home, layout) = self.layout(sym).expect("it has one");
                    let inner = self.instances(home, layout);
                    self.elements(&inner)
                }
                Value::Instance(sym) => {
                    let rules = self.program.file(self.program.file_of(sym)).rules.clone();
                    let mut found = ValueSet::default();
                    for wanted in &rules.index_members {
                        let Some(name) = self.program.name(wanted) else {
                            continue;
                        };
                        for member in self.members(sym, name) {
                            let result = self.returns(member, Some(value));
                            found.join(&result);
                        }
                    }
                    let pointer = rules.pointer_index && (found.is_empty() || self.is_pointer(file, object));
                    if pointer {
                        ValueSet::one(value, how)
                    } else {
                        found
                    }
                }
                _ => ValueSet::unknown(),
            };
            all.join(&found);
        }
        if all.is_empty() {
            all.open = true;
        }
        all
    }

    /// The number that a key is.
    fn literal_position(&self, file: FileId, key: Option<Arg>) -> Option<i32> {
        match self.program.expr(file, key?.value) {
            Expr::Literal(LiteralKind::Integer, text) => self.program.text(text).parse().ok(),
            _ => None,
        }
    }

    /// Whether a type with arguments is that of a tuple, each item with a type of its own (`tuple[int, Row]`).
    fn is_tuple_type(&self, file: FileId, expr: ExprId) -> bool {
        let Expr::Index { object, args, count } = self.program.expr(file, expr) else { return false };
        let library = &self.program.file(file).rules.library;
        let kind = self.last_name(file, object).map_or("", |name| library.kind(self.program.text(name)));
        let rest = self.args(file, args, count).last().map(|arg| self.program.expr(file, arg.value));
        !kind.is_empty() && kind == library.tuple && !matches!(rest, Some(Expr::Literal(LiteralKind::Other, _)))
    }

    /// The value under a key: the last type argument for maps, the element otherwise.
    fn mapped_element(&mut self, _: FileId, value: Value) -> ValueSet {
        if let Value::Generic(file, expr) = value {
            if let Expr::Index { args, count, .. } = self.program.expr(file, expr) {
                if count == 2 {
                    let last = self.args(file, args, count)[1].value;
                    return self.instances(file, last);
                }
            }
        }
        self.elements(&ValueSet::one(value, How::Declared))
    }

    /// The argument under a literal key; under any other key all of them.
    pub(crate) fn item_of_items(
        &mut self,
        home: FileId,
        from: u32,
        to: u32,
        file: FileId,
        key: Option<ExprId>,
    ) -> ValueSet {
        let keys = key.map(|key| self.keys_of(file, key, 0)).unwrap_or_default();
        if keys.is_empty() {
            return self.elements_of_items(home, from, to);
        }
        let mut all = ValueSet::default();
        for key in keys {
            let found = match self.position(key.text) {
                Some(at) => self.argument(home, from, to, usize::try_from(at).ok(), None),
                None => self.argument(home, from, to, None, key.name),
            };
            all.join(&found);
        }
        all
    }

    /// The values between two positions of a row.
    pub(crate) fn eval_part(&mut self, file: FileId, of: ExprId, from: i32, to: i32) -> ValueSet {
        let values = self.eval(file, of);
        let mut all = ValueSet::as_open_as(&values);
        for (value, how) in values.iter() {
            match (value, self.items(value)) {
                (_, Some((home, start, end))) => {
                    let items = self.args(home, start, end - start);
                    let clip = |at: i32| {
                        let count = items.len() as i32;
                        (if at < 0 { at.saturating_add(count) } else { at }).clamp(0, count) as u32
                    };
                    let (from, to) = (clip(from), clip(to));
                    if items.iter().any(|item| item.spread || item.name.is_some()) || from >= to {
                        all.open = true;
                    } else {
                        all.add(Value::Items(home, start + from, start + to), How::Flow);
                    }
                }
                (Value::Instance(sym), None) if self.layout(sym).is_none() => {
                    let program = self.program;
                    let rules = &program.file(program.file_of(sym)).rules;
                    for name in rules.index_members.iter().filter_map(|name| program.name(name)) {
                        for member in self.members(sym, name) {
                            let found = self.returns(member, Some(value));
                            all.join(&found);
                        }
                    }
                    all.open = true;
                }
                (Value::TypeTuple(..), None) => all.open = true,
                _ => all.add(value, how),
            }
        }
        all
    }

    pub(crate) fn eval_item(&mut self, file: FileId, of: ExprId, position: i32) -> ValueSet {
        if let Expr::Cast(value, named) = self.program.expr(file, of) {
            if !self.program.file(file).rules.foreign_variants.is_empty() {
                return match u32::try_from(position) {
                    Ok(position) => self.pattern_item(file, value, named, position),
                    Err(_) => ValueSet::unknown(),
                };
            }
        }
        let values = self.eval(file, of);
        let mut all = ValueSet::as_open_as(&values);
        for (value, _) in values.iter() {
            let found = match value {
                Value::TypeTuple(home, tuple) => self.tuple_item(home, tuple, position),
                Value::Generic(home, tuple) if self.is_tuple_type(home, tuple) => {
                    self.tuple_item(home, tuple, position)
                }
                Value::Sequence(..) | Value::Generic(..) | Value::Yields(_) => {
                    self.elements(&ValueSet::one(value, How::Flow))
                }
                Value::Collection(home, literal) => match self.program.expr(home, literal) {
                    Expr::Collection { kind, args, count } if kind != CollectionKind::Map => {
                        let items = self.args(home, args, count);
                        match counted(items, position).copied() {
                            Some(item) if !items.iter().any(|i| i.spread) => self.eval(home, item.value),
                            _ => ValueSet::unknown(),
                        }
                    }
                    _ => ValueSet::unknown(),
                },
                Value::Items(home, from, to) => self.argument(home, from, to, usize::try_from(position).ok(), None),
                Value::Library(home, site, term) => self.library_item(home, site, term, position),
                Value::Pair(home, site, term) => self.pair_item(home, site, term, position),
                // One value where several were expected: the first stands for it (`v := f()`).
                Value::Instance(_) if position == 0 && values.len() == 1 => values.clone(),
                _ => ValueSet::unknown(),
            };
            all.join(&found);
        }
        all
    }

    fn tuple_item(&mut self, file: FileId, tuple: ExprId, position: i32) -> ValueSet {
        let (Expr::Collection { args, count, .. } | Expr::Index { args, count, .. }) = self.program.expr(file, tuple)
        else {
            return ValueSet::unknown();
        };
        match counted(self.args(file, args, count), position).copied() {
            Some(item) => self.instances(file, item.value),
            None => ValueSet::unknown(),
        }
    }

    pub(crate) fn eval_entered(&mut self, file: FileId, of: ExprId) -> ValueSet {
        let values = self.eval(file, of);
        let mut all = ValueSet::as_open_as(&values);
        for (value, how) in values.iter() {
            match value {
                // A generator used as a context manager gives what it yields.
                Value::Yields(sym) => {
                    let found = self.ask(Question::Yields(sym));
                    all.join(&found);
                }
                Value::Instance(sym) => {
                    let rules = self.program.file(self.program.file_of(sym)).rules.clone();
                    let names: Vec<NameId> =
                        rules.entered_members.iter().filter_map(|n| self.program.name(n)).collect();
                    let members = names.iter().map(|name| self.members(sym, *name)).find(|m| !m.is_empty());
                    match members {
                        None => all.add(value, how),
                        Some(members) => {
                            for member in members {
                                let found = self.returns(member, Some(value));
                                all.join(&found);
                            }
                        }
                    }
                }
                other => all.add(other, how),
            }
        }
        all
    }
}

/// The item at a position, from the end where it is negative.
fn counted(items: &[Arg], position: i32) -> Option<&Arg> {
    let at = if position < 0 { position.checked_add(items.len() as i32)? } else { position };
    usize::try_from(at).ok().and_then(|at| items.get(at))
}
