//! Objects of generic types outside the project (`Option<T>`, `Arc<T>`): what their members give, and what they hold.

use crate::calls::Targets;
use crate::lookup::{Bound, Bounds, Where};
use crate::modules::FileId;
use crate::program::Sym;
use crate::receivers::Received;
use crate::resolver::Resolver;
use crate::solve::Question;
use crate::values::{How, Value, ValueSet};
use mmcg_facts::{Expr, ExprId, NameId, ReceiverKind, Rule, ScopeId, ScopeKind, Site, SiteFlags, SymbolKind};
use rustc_hash::FxHashMap;

impl Resolver<'_> {
    /// What the object of a wrapper outside the project holds (`unwrap()` of an `Option<T>`).
    pub(crate) fn held(&mut self, value: Value) -> ValueSet {
        match value {
            Value::Sequence(file, of) => self.instances(file, of),
            Value::Generic(file, expr) => {
                let Expr::Index { object, args, count } = self.program.expr(file, expr) else {
                    return self.elements(&ValueSet::one(value, How::Declared));
                };
                let rules = &self.program.file(file).rules;
                let name = self.wrapper_name(file, object).unwrap_or("");
                match rules.element_types.get(name).and_then(|i| self.args(file, args, count).get(*i)).map(|a| a.value)
                {
                    Some(of) => self.instances(file, of),
                    None => ValueSet::unknown(),
                }
            }
            // An iterator of the project's has more members than it declares.
            Value::Instance(_) | Value::Applied(_) => self.elements(&ValueSet::one(value, How::Declared)),
            Value::Holding(file, of) => self.eval(file, of),
            _ => ValueSet::unknown(),
        }
    }

    /// What a call of a function of the language's own or of a library gives, where the data says so: one of its
    /// arguments (`Arc::new(x)`), something that holds it (`Some(x)`), or what it holds (`ready!(x)`).
    pub(crate) fn passed_on(&mut self, file: FileId, site: &Site) -> Option<ValueSet> {
        let program = self.program;
        let rules = &program.file(file).rules;
        if rules.passing_functions.is_empty() && rules.holding_functions.is_empty() {
            return None;
        }
        let text = match program.expr(file, site.callee) {
            Expr::Name { name, .. } => program.text(name).to_owned(),
            Expr::Member { object, name, .. } => match self.last_name(file, object) {
                Some(of) => format!("{}.{}", program.text(of), program.text(name)),
                None => return None,
            },
            _ => return None,
        };
        let args = self.args(file, site.args.start, site.args.end - site.args.start);
        if site.flags.has(SiteFlags::MACRO) {
            let arg = args.first()?.value;
            if rules.list_macros.contains(&text) {
                let several = matches!(program.expr(file, arg), Expr::Collection { .. });
                let list = if several { Value::Collection(file, arg) } else { Value::Holding(file, arg) };
                return Some(ValueSet::one(list, How::Named));
            }
            if !rules.inner_macros.contains(&text) {
                return None;
            }
            let values = self.eval(file, arg);
            let mut all = ValueSet::as_open_as(&values);
            for (value, _) in values.iter() {
                let held = self.held(value);
                all.join(&held);
            }
            return Some(all);
        }
        let passing = rules.passing_functions.get(&text).and_then(|index| args.get(*index));
        let holding = args.first().filter(|_| rules.holding_functions.contains(&text));
        let (Some(arg), passes) = (passing.or(holding), passing.is_some()) else { return None };
        let arg = arg.value;
        // What the project declares under that name means that.
        let own = match program.expr(file, site.callee) {
            Expr::Name { name, scope, path } => self.lookup(file, scope, name, path).at != Where::Builtin,
            Expr::Member { object, .. } => self.type_bounds(file, object).iter().any(|b| matches!(b, Bound::Symbol(_))),
            _ => true,
        };
        match (own, passes) {
            (true, _) => None,
            (false, true) => Some(self.eval(file, arg)),
            (false, false) => Some(ValueSet::one(Value::Holding(file, arg), How::Declared)),
        }
    }

    /// Whether an object's members that are not found are those of all iterators.
    fn iterates(&mut self, value: Value, name: NameId) -> bool {
        let Value::Instance(sym) = self.plain(value) else { return false };
        let rules = self.program.file(self.program.file_of(sym)).rules.clone();
        let mut wanted = rules.iterated_members.iter().filter_map(|wanted| self.program.name(wanted));
        let iterates = wanted.any(|wanted| !self.members(sym, wanted).is_empty());
        iterates && self.members(sym, name).is_empty()
    }

    /// What a function given to a member of a foreign container is called with.
    pub(crate) fn given_to_callback(&mut self, file: FileId, callee: ExprId) -> Option<ValueSet> {
        let Expr::Member { object, name, .. } = self.program.expr(file, callee) else { return None };
        let text = self.program.text(name);
        let rules = &self.program.file(file).rules;
        let subject = self.is_subject_function(file, name);
        if !subject && !rules.callback_members.iter().any(|m| m == text) {
            return None;
        }
        let objects = self.eval(file, object);
        let mut all = ValueSet::default();
        if subject {
            for (value, how) in objects.iter() {
                if matches!(self.plain(value), Value::Instance(sym) if self.members(sym, name).is_empty()) {
                    all.add(value, how.max(How::Declared));
                }
            }
        }
        for (value, _) in objects.iter() {
            let foreign = matches!(value, Value::Generic(..) | Value::Sequence(..) | Value::Holding(..));
            if foreign || self.iterates(value, name) {
                let held = self.held(value);
                all.join(&held);
            }
        }
        (!all.is_empty()).then_some(all)
    }

    /// What a member from outside gives that calls a lambda: the lambda's result, or a container of it.
    pub(crate) fn callback_result(&mut self, file: FileId, site: &Site) -> Option<ValueSet> {
        let program = self.program;
        let rules = &program.file(file).rules;
        let Expr::Member { object, name, .. } = program.expr(file, site.callee) else { return None };
        let text = program.text(name);
        let maps = rules.mapping_members.iter().any(|m| m == text);
        if !maps && !rules.returning_members.iter().any(|m| m == text) {
            return None;
        }
        let args = self.args(file, site.args.start, site.args.end - site.args.start);
        let Expr::Lambda(scope) = program.expr(file, args.last()?.value) else { return None };
        let objects = self.eval(file, object);
        let own = |this: &mut Self, value| matches!(this.plain(value), Value::Instance(sym) if !this.members(sym, name).is_empty());
        for (value, _) in objects.iter() {
            if own(self, value) {
                return None;
            }
        }
        if !maps {
            let found = self.ask(Question::LambdaReturns(file, scope));
            return (!found.is_empty()).then_some(found);
        }
        let returned = program.file(file).facts.returned(scope).first()?.value;
        Some(ValueSet::one(Value::Holding(file, returned), How::Declared))
    }

    /// What a member of an object of a foreign type gives when called, where the language's data says so.
    pub(crate) fn wrapped_result(&mut self, file: FileId, value: Value, name: NameId) -> Option<ValueSet> {
        let program = self.program;
        let rules = &program.file(file).rules;
        if rules.same_members.is_empty() {
            return None;
        }
        let text = program.text(name);
        if let Value::Symbol(sym) | Value::Instance(sym) = self.plain(value) {
            let own = rules.own_type_members.iter().any(|m| m == text);
            let of_type = program.symbol(sym).kind.is_type();
            if own && of_type && self.members(sym, name).is_empty() {
                let given = if matches!(value, Value::Symbol(_)) { Value::Instance(sym) } else { value };
                return Some(ValueSet::one(given, How::Declared));
            }
        }
        let foreign = matches!(value, Value::Generic(..) | Value::Sequence(..) | Value::Holding(..));
        if !foreign && !self.iterates(value, name) {
            return None;
        }
        if let Some(inner) = self.dereferenced(value, name) {
            let mut all = ValueSet::as_open_as(&inner);
            for (value, _) in inner.iter() {
                let given = self.wrapped_result(file, value, name)?;
                all.join(&given);
            }
            return Some(all);
        }
        let whole = match value {
            Value::Generic(home, expr) => self.wrapper_name(home, expr).unwrap_or(""),
            Value::Sequence(..) => "Vec",
            _ => "",
        };
        let inner = |m: &String| m == text || m.split_once('.').is_some_and(|(of, m)| of == whole && m == text);
        if rules.inner_members.iter().any(inner) {
            let mut held = self.held(value);
            if rules.same_members.iter().any(inner) {
                // A guard, or a result that holds one.
                held.add(value, How::Declared);
            }
            return Some(held);
        }
        if let Value::Generic(home, expr) = value {
            if rules.second_members.iter().any(inner) {
                return Some(self.type_argument_of(home, expr, 1));
            }
        }
        rules.same_members.iter().any(inner).then(|| ValueSet::one(value, How::Declared))
    }

    /// What a pointer-like object points to.
    pub(crate) fn pointed(&mut self, value: Value) -> Option<ValueSet> {
        let Value::Generic(file, expr) = value else { return None };
        let Expr::Index { object, args, count } = self.program.expr(file, expr) else { return None };
        let rules = &self.program.file(file).rules;
        if rules.deref_types.is_empty() {
            return None;
        }
        let wrapper = self.wrapper_name(file, object)?;
        let index = *rules.deref_types.get(wrapper)?;
        let of = self.args(file, args, count).get(index)?.value;
        let found = self.instances(file, of);
        (!found.is_empty()).then_some(found)
    }

    /// What a member of a pointer-like object is looked up in, unless it is the pointer's own.
    pub(crate) fn dereferenced(&mut self, value: Value, name: NameId) -> Option<ValueSet> {
        let Value::Generic(file, expr) = value else { return None };
        let Expr::Index { object, args, count } = self.program.expr(file, expr) else { return None };
        let rules = &self.program.file(file).rules;
        let wrapper = self.wrapper_name(file, object)?;
        let index = *rules.deref_types.get(wrapper)?;
        let text = self.program.text(name);
        let own = |m: &String| m == text || m.split_once('.').is_some_and(|(of, m)| of == wrapper && m == text);
        if rules.wrapper_members.iter().any(own) {
            return None;
        }
        let of = self.args(file, args, count).get(index)?.value;
        let found = self.instances(file, of);
        (!found.is_empty()).then_some(found)
    }

    /// The n-th part of a value that a pattern names a type or variant for (`Some(x)`, `Shape::Ring(r)`).
    pub(crate) fn pattern_item(&mut self, file: FileId, value: ExprId, named: ExprId, position: u32) -> ValueSet {
        let field = self.program.name(&position.to_string());
        for bound in self.type_bounds(file, named) {
            let Bound::Symbol(sym) = bound else { continue };
            let sym = self.through_aliases(sym);
            let found = field.and_then(|field| self.types.field_params.get(&(sym, field)).copied());
            return match found {
                Some(field) => self.bound_value(field),
                None => ValueSet::unknown(),
            };
        }
        let rules = self.program.file(file).rules.clone();
        let text = self.last_name(file, named).map_or("", |name| self.program.text(name));
        let Some(&argument) = rules.foreign_variants.get(text) else { return ValueSet::unknown() };
        let values = self.eval(file, value);
        let mut all = ValueSet::as_open_as(&values);
        for (value, _) in values.iter() {
            let found = match value {
                _ if position > 0 => ValueSet::unknown(),
                // Of a container asked for one of its elements.
                _ if argument == 0 => self.held(value),
                Value::Generic(home, expr) => self.type_argument_of(home, expr, argument),
                _ => ValueSet::unknown(),
            };
            all.join(&found);
        }
        all
    }

    /// `self.name()` in members for a type that is not in the project: what stands beside, or the interface's own.
    pub(crate) fn extension_targets(
        &mut self,
        file: FileId,
        object: ExprId,
        name: NameId,
        targets: &mut Targets,
    ) -> bool {
        let mut object = self.program.expr(file, object);
        let mut follows = 0;
        while let Expr::Deref(of) = object {
            object = self.program.expr(file, of);
            follows += 1;
        }
        let Expr::Receiver(ReceiverKind::This | ReceiverKind::SelfType, scope) = object else { return false };
        let facts = &self.program.file(file).facts;
        if facts.extensions.is_empty() || self.type_around(file, scope).is_some() {
            return false;
        }
        let around = std::iter::successors(Some(scope), |at| facts.scopes[at.index()].parent);
        let Some(at) = around.into_iter().find(|at| facts.scopes[at.index()].kind == ScopeKind::Extension) else {
            return false;
        };
        // `**self` is what the type gives access to: no more than the interface is known of it.
        let own = if follows > 1 { Bounds::new() } else { self.declared(file, at, name, false) };
        let mut found: Vec<Sym> =
            own.iter().filter_map(|b| if let Bound::Symbol(s) = b { Some(*s) } else { None }).collect();
        if found.is_empty() {
            let interface = facts.extensions.iter().find(|e| e.scope == at).and_then(|e| e.interface);
            for of in interface.map(|i| self.owner_types(file, i)).unwrap_or_default() {
                found.extend(self.members(of, name));
            }
        }
        found.retain(|sym| self.program.symbol(*sym).kind.is_callable());
        let around = self.program.function_around(file, scope).map(|(_, symbol)| self.program.sym(file, symbol));
        if follows == 0 && found.iter().any(|sym| Some(*sym) == around) {
            // A member that only called itself would never end: the type has one of its own of that name.
            targets.external.push((self.program.text(name).into(), Rule::External));
            return true;
        }
        found.iter().for_each(|sym| targets.add(*sym, Rule::SelfMember));
        !found.is_empty()
    }

    /// The object at hand in members for a type that is not in the project, or for every type with a bound: what the
    /// target is known to be, and the interface that is implemented.
    pub(crate) fn extension_object(&mut self, file: FileId, scope: ScopeId) -> ValueSet {
        let facts = &self.program.file(file).facts;
        let mut next = Some(scope);
        while let Some(at) = next {
            let current = facts.scopes[at.index()];
            if current.kind == ScopeKind::Extension {
                let Some(extension) = facts.extensions.iter().find(|e| e.scope == at) else { break };
                let mut all = self.instances(file, extension.target);
                if let Some(interface) = extension.interface {
                    let interface = self.instances(file, interface);
                    all.join(&interface);
                }
                let mut own = ValueSet::as_open_as(&all);
                all.iter()
                    .filter(|(v, _)| matches!(v, Value::Instance(_) | Value::Applied(_)))
                    .for_each(|(v, _)| own.add(v, How::Own));
                return own;
            }
            next = current.parent;
        }
        ValueSet::unknown()
    }

    /// Members that an interface has for every type with its bound (`impl<T: Bound> Trait for T`).
    pub(crate) fn blanket_members(&mut self, sym: Sym, name: NameId) -> Vec<Sym> {
        let Some(all) = self.types.blankets.get(&name).cloned() else { return Vec::new() };
        let order = self.order(sym);
        let mut found = Vec::new();
        for (member, file, bound) in all {
            let wanted = match bound {
                Some(bound) => self.instances(file, bound),
                None => ValueSet::unknown(),
            };
            // A bound of which nothing is known (`F: Fn(A) -> B`) is none that a type of the project meets.
            let known = !wanted.is_empty() && !wanted.open;
            let fits = bound.is_none() || known && wanted.iter().all(|(want, _)| self.meets(&order, want));
            if fits && !found.contains(&member) {
                found.push(member);
            }
        }
        found
    }

    /// Whether a type meets a bound: by what it implements, or, of interfaces from outside, as nearly all types do.
    fn meets(&self, order: &[Sym], bound: Value) -> bool {
        let external = match self.plain(bound) {
            Value::Instance(of) => return order.contains(&of),
            Value::External(external) => external,
            Value::Generic(..) => return false,
            _ => return true,
        };
        let text = self.externals.text(external);
        let last = text.rsplit(['.', ':']).next().unwrap_or(text);
        order.iter().any(|sym| {
            let implied = &self.program.file(self.program.file_of(*sym)).rules.implied_bounds;
            let bases = self.types.bases.get(sym);
            let mut outside = bases.into_iter().flatten().filter(|base| base.target.is_none());
            let named = |base: &crate::types::BaseRef| {
                self.last_name(base.file, base.expr).is_some_and(|name| self.program.text(name) == last)
            };
            implied.iter().any(|known| known == last) || outside.any(named)
        })
    }

    /// `Trait::method(object)`: the object's own implementation.
    pub(crate) fn implemented(
        &mut self,
        file: FileId,
        site: &Site,
        value: Value,
        name: NameId,
        members: &mut Vec<Received>,
    ) {
        let Value::Symbol(of) = value else { return };
        if self.types.implementing.is_empty() || self.program.symbol(of).kind != SymbolKind::Trait {
            return;
        }
        let Some(first) = self.args(file, site.args.start, site.args.end - site.args.start).first().copied() else {
            return;
        };
        let objects = self.eval(file, first.value);
        for (object, _) in objects.iter() {
            let Value::Instance(object) = self.plain(object) else { continue };
            let own = self.types.members.get(&(object, name)).cloned().unwrap_or_default();
            let own: Vec<Sym> = own.into_iter().filter(|sym| self.types.implementing.get(sym) == Some(&of)).collect();
            if !own.is_empty() {
                members.clear();
                members.extend(own.into_iter().map(|sym| (Bound::Symbol(sym), Some((value, How::Named)))));
            }
        }
    }

    /// Notes which members stand in implementations of interfaces.
    pub(crate) fn index_implementing(&mut self) {
        let program = self.program;
        for (index, file) in program.files.iter().enumerate() {
            let id = FileId(index as u32);
            let mut interfaces: FxHashMap<ScopeId, Sym> = FxHashMap::default();
            for extension in &file.facts.extensions {
                let Some(interface) = extension.interface else { continue };
                // Of an interface outside the project it only counts that there is one.
                let of = self.owner_types(id, interface).first().copied().unwrap_or(Sym(u32::MAX));
                interfaces.insert(extension.scope, of);
            }
            if interfaces.is_empty() {
                continue;
            }
            for (local, symbol) in file.facts.symbols.iter().enumerate() {
                if let Some(of) = interfaces.get(&symbol.scope) {
                    self.types.implementing.insert(Sym(file.first + local as u32), *of);
                }
            }
        }
    }

    /// The blanket implementations of the program, by the names of the members that they give.
    pub(crate) fn index_blankets(&mut self) {
        let program = self.program;
        for (index, file) in program.files.iter().enumerate() {
            let id = FileId(index as u32);
            for extension in &file.facts.extensions {
                let Some(interface) = extension.interface else { continue };
                let target = self.type_bounds(id, extension.target);
                let Some(&Bound::TypeParam(home, param)) = target.first() else { continue };
                let bound = program.file(home).facts.type_params[param as usize].1;
                let mut members: Vec<Sym> = Vec::new();
                let own = file.facts.symbols.iter().enumerate().filter(|(_, s)| s.scope == extension.scope);
                members.extend(own.map(|(local, _)| Sym(file.first + local as u32)));
                for of in self.owner_types(id, interface) {
                    let inherited = self.members_by_owner.get(&of).cloned().unwrap_or_default();
                    for sym in inherited {
                        let symbol = program.symbol(sym);
                        if symbol.body.is_some() && !members.iter().any(|m| program.symbol(*m).name == symbol.name) {
                            members.push(sym);
                        }
                    }
                }
                for sym in members {
                    let symbol = program.symbol(sym);
                    if symbol.kind == SymbolKind::Method {
                        self.types.blankets.entry(symbol.name).or_default().push((sym, id, bound));
                    }
                }
            }
        }
    }
}
