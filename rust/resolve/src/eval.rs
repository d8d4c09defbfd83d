//! Phase 3: what can an expression be? Declared types first, then flow.

use crate::lookup::{Bound, Bounds, Where};
use crate::modules::FileId;
use crate::program::Sym;
use crate::resolver::Resolver;
use crate::solve::{Question, Step};
use crate::values::{How, Value, ValueSet};
use mmcg_facts::{
    Expr, ExprId, LiteralKind, NameId, ParamKind, ReceiverKind, ScopeId, SiteId, SymbolFlags, SymbolKind,
};

/// Expressions nest at most so deep; deeper ones are unknown.
const DEPTH: usize = 600;
/// Where that many expressions have led to each other without a question in between, the rest is asked: entries of tables
/// that are made of each other's entries are looked at once each, and not once for each way that leads to them.
const UNASKED: usize = 8;

impl Resolver<'_> {
    /// What an expression can be.
    pub fn eval(&mut self, file: FileId, expr: ExprId) -> ValueSet {
        if self.depth > DEPTH {
            self.solver.asked += 1;
            return ValueSet::unknown();
        }
        self.depth += 1;
        let found = match self.depth > self.asked_at + UNASKED && self.generics.is_empty() && self.leads_on(file, expr)
        {
            true => self.ask(Question::Expression(file, expr)),
            false => self.eval_unguarded(file, expr),
        };
        self.depth -= 1;
        found
    }

    fn leads_on(&self, file: FileId, expr: ExprId) -> bool {
        matches!(self.program.expr(file, expr), Expr::Call(_) | Expr::Member { .. } | Expr::Index { .. })
    }

    fn eval_unguarded(&mut self, file: FileId, expr: ExprId) -> ValueSet {
        match self.program.expr(file, expr) {
            Expr::Unknown => ValueSet::unknown(),
            Expr::Literal(LiteralKind::Null, _) => ValueSet::default(),
            Expr::Literal(kind, _) => ValueSet::one(Value::Literal(kind), How::Declared),
            Expr::Name { name, scope, path } => {
                let found = self.lookup(file, scope, name, path);
                if found.bounds.is_empty() {
                    // A type of the language itself has members, too.
                    if found.at == Where::Builtin && !self.program.file(file).rules.conversions.is_empty() {
                        let text = self.program.text(name).to_owned();
                        return ValueSet::one(Value::External(self.external(&text)), How::Named);
                    }
                    return ValueSet::unknown();
                }
                match self.value_in_order(file, expr, scope, &found.bounds) {
                    Some(values) => values,
                    None => {
                        let bounds = self.of_arity(file, found.bounds, 0);
                        self.values_of(bounds)
                    }
                }
            }
            Expr::Receiver(kind, scope) => self.eval_receiver(file, kind, scope),
            Expr::Member { object, name, .. } => {
                let objects = self.eval(file, object);
                let mut members = self.members_of_values(file, &objects, name);
                self.apart(file, &mut members, false);
                let mut all = ValueSet::as_open_as(&objects);
                for (bound, receiver) in members {
                    let how = match receiver {
                        Some((_, how)) => how,
                        None => How::Named,
                    };
                    let known = match (bound, receiver) {
                        (Bound::External(_), Some((value, _))) => {
                            self.library_read(file, value, "*").or_else(|| self.foreign_result(file, value, name))
                        }
                        _ => None,
                    };
                    let values = known.unwrap_or_else(|| self.member_value(bound, receiver.map(|(value, _)| value)));
                    // A field of a flown object is only as sure as the object.
                    all.join(&if how == How::Flow { values.weaken(How::Flow) } else { values });
                }
                if all.is_empty() {
                    all.open = true;
                }
                all
            }
            Expr::Call(site) => self.eval_call(file, site),
            Expr::Index { object, args, count } => self.eval_index(file, expr, object, args, count),
            Expr::Part { of, from, to } => self.eval_part(file, of, from, to),
            Expr::Item(of, position) => self.eval_item(file, of, position),
            Expr::Element(of) => {
                let values = self.eval(file, of);
                self.elements(&values)
            }
            Expr::Key(of) => {
                let values = self.eval(file, of);
                self.keys(&values)
            }
            Expr::Entered(of) => self.eval_entered(file, of),
            Expr::Symbol(symbol) => ValueSet::one(Value::Symbol(self.program.sym(file, symbol)), How::Named),
            Expr::Lambda(scope) => ValueSet::one(Value::Lambda(file, scope), How::Named),
            Expr::Collection { .. } => ValueSet::one(Value::Collection(file, expr), How::Named),
            Expr::Await(of) => {
                let values = match self.program.expr(file, of) {
                    Expr::Call(site) if self.program.file(file).rules.lazy_async => self.call_result(file, site, true),
                    _ => self.eval(file, of),
                };
                self.awaited(values)
            }
            Expr::Deref(of) => {
                if let Some(values) = self.dereferenced_self(file, of) {
                    return values;
                }
                let values = self.eval(file, of);
                self.followed(values)
            }
            Expr::Choice(a, b) => {
                let mut all = self.eval(file, a);
                let other = self.eval(file, b);
                all.join(&other);
                if all.len() > 1 {
                    all.weaken(How::Flow)
                } else {
                    all
                }
            }
            Expr::Cast(value, as_type) => {
                let found = self.instances(file, as_type);
                if let Expr::Receiver(ReceiverKind::Super, scope) = self.program.expr(file, value) {
                    // `super(C, self)` names a class as a value.
                    let order = self.program.file(file).rules.linearization;
                    if order != mmcg_facts::Linearization::C3 {
                        return self.seen_as_base(&found);
                    }
                    return match found.iter().next() {
                        Some((Value::Instance(sym), _)) => ValueSet::one(Value::SuperOf(sym), How::Own),
                        _ => self.eval_receiver(file, ReceiverKind::Super, scope),
                    };
                }
                if found.is_empty() {
                    self.eval(file, value)
                } else {
                    found
                }
            }
            Expr::Narrow(value, of) => self.eval_narrowed(file, value, of),
            Expr::OfType(of) => self.instances(file, of),
        }
    }

    pub(crate) fn eval_receiver(&mut self, file: FileId, kind: ReceiverKind, scope: ScopeId) -> ValueSet {
        if kind == ReceiverKind::This {
            if let Some(object) = self.object_of_lambdas(file, scope) {
                return object;
            }
            if let Some(declared) = self.declared_receiver(file, scope) {
                return declared;
            }
        }
        if let Some(declared) = self.extended_type(file, scope).filter(|_| kind == ReceiverKind::This) {
            return self.instances(file, declared);
        }
        let Some(around) = self.type_around(file, scope) else {
            return match kind {
                ReceiverKind::This => self.extension_object(file, scope),
                _ => ValueSet::unknown(),
            };
        };
        let value = match kind {
            ReceiverKind::This => {
                // In a static member `this` is the class.
                if self.in_static_code(file, scope) {
                    Value::Symbol(around)
                } else {
                    Value::Instance(around)
                }
            }
            ReceiverKind::Super => Value::SuperOf(around),
            ReceiverKind::SelfType | ReceiverKind::StaticType => Value::Symbol(around),
        };
        ValueSet::one(value, How::Own)
    }

    /// The object at hand where the method says how it is given (`self: Pin<&mut Self>`).
    fn declared_receiver(&mut self, file: FileId, scope: ScopeId) -> Option<ValueSet> {
        let (body, symbol) = self.program.function_around(file, scope)?;
        let facts = &self.program.file(file).facts;
        let params = facts.symbol(symbol).params.clone();
        let index = params.clone().find(|i| facts.params[*i as usize].kind == ParamKind::Receiver)?;
        let declared = facts.params[index as usize].declared?;
        if self.is_variable_receiver(file, declared) {
            return None;
        }
        Some(self.param_value(file, body, index))
    }

    /// The type that the extension function around adds to.
    pub(crate) fn extended_type(&self, file: FileId, scope: ScopeId) -> Option<ExprId> {
        let facts = &self.program.file(file).facts;
        let symbol = facts.symbol(self.program.function_around(file, scope)?.1);
        let first = || facts.params[symbol.params.start as usize..symbol.params.end as usize].first();
        let fixtures = &self.program.file(file).rules.fixture_macros;
        if !fixtures.is_empty() && fixtures.iter().any(|name| name == self.program.text(symbol.name)) {
            return first()?.declared;
        }
        if !symbol.flags.has(SymbolFlags::EXTENSION) {
            return None;
        }
        let receiver = first()?;
        receiver.declared.filter(|_| receiver.kind == ParamKind::Receiver && receiver.name == self.program.known.empty)
    }

    /// Whether a name is part of a type's.
    pub(crate) fn names(&self, file: FileId, mut of: ExprId, wanted: NameId) -> bool {
        loop {
            match self.program.expr(file, of) {
                Expr::Name { name, .. } => return name == wanted,
                Expr::Member { name, .. } if name == wanted => return true,
                Expr::Member { object, .. } | Expr::Index { object, .. } => of = object,
                _ => return false,
            }
        }
    }

    /// `Base.super`: the object at hand with the members of an interface, or of the bases of a class around.
    fn seen_as_base(&self, named: &ValueSet) -> ValueSet {
        let mut all = ValueSet::as_open_as(named);
        for (value, _) in named.iter() {
            match value {
                Value::Instance(sym) if self.program.symbol(sym).kind == SymbolKind::Interface => {
                    all.add(Value::Base(sym), How::Own);
                }
                Value::Instance(sym) => all.add(Value::SuperOf(sym), How::Own),
                _ => all.open = true,
            }
        }
        all
    }

    /// What any of several bindings can hold.
    pub(crate) fn values_of(&mut self, bounds: Bounds) -> ValueSet {
        let several = bounds.len() > 1;
        let mut all = ValueSet::default();
        for bound in bounds {
            let values = self.bound_value(bound);
            all.join(&values);
        }
        if several && all.len() > 1 {
            all.weaken(How::Flow)
        } else {
            all
        }
    }

    /// What a binding can hold.
    pub(crate) fn bound_value(&mut self, bound: Bound) -> ValueSet {
        match bound {
            Bound::Symbol(sym) => self.symbol_value(sym, None),
            Bound::Import(file, index) => self.ask(Question::Import(file, index)),
            Bound::Param(file, scope, index) => self.param_at_any_time(file, scope, index),
            Bound::Variable(file, scope, name) => self.ask(Question::Variable(file, scope, name)),
            Bound::TypeParam(file, index) => match self.program.file(file).facts.type_params[index as usize].1 {
                Some(bound) => {
                    let found = self.type_bounds(file, bound);
                    self.values_of(found)
                }
                None => ValueSet::unknown(),
            },
            Bound::Unit(unit) => ValueSet::one(Value::Unit(unit), How::Named),
            Bound::Expr(file, value) => self.eval(file, value),
            Bound::Field(owner, name) => self.ask(Question::Field(owner, name)),
            Bound::External(external) => ValueSet::one(Value::External(external), How::Named),
        }
    }

    /// What a symbol is as a value: itself, or what a variable, constant, field or property holds.
    pub(crate) fn symbol_value(&mut self, sym: Sym, receiver: Option<Value>) -> ValueSet {
        let symbol = self.program.symbol(sym);
        let file = self.program.file_of(sym);
        match symbol.kind {
            SymbolKind::Variable | SymbolKind::Constant if symbol.flags.has(SymbolFlags::HELD) => {
                match self.declared_variable(file, symbol.scope, symbol.name) {
                    Some(declared) => ValueSet::one(Value::Sequence(file, declared), How::Declared),
                    None => ValueSet::unknown(),
                }
            }
            SymbolKind::Variable | SymbolKind::Constant => {
                self.ask(Question::Variable(file, symbol.scope, symbol.name))
            }
            // Macros that name themselves or each other would be followed without end.
            SymbolKind::Macro if symbol.value.is_some() => self.ask(Question::Macro(sym)),
            SymbolKind::Field => match self.types.owner_of(sym) {
                Some(_) if self.declared_for(sym, receiver).is_some() => {
                    self.declared_for(sym, receiver).unwrap_or_default()
                }
                Some(owner) => self.ask(Question::Field(owner, symbol.name)),
                None => ValueSet::unknown(),
            },
            SymbolKind::Property => self.returns(sym, receiver),
            SymbolKind::Variant => match self.types.owner_of(sym) {
                Some(owner) => ValueSet::one(Value::Instance(owner), How::Declared),
                None => ValueSet::unknown(),
            },
            _ => self.decorated(sym).unwrap_or_else(|| ValueSet::one(Value::Symbol(sym), How::Named)),
        }
    }

    /// What a member found through a receiver is as a value.
    pub(crate) fn member_value(&mut self, bound: Bound, receiver: Option<Value>) -> ValueSet {
        match bound {
            Bound::Symbol(sym) => self.symbol_value(sym, receiver),
            other => self.bound_value(other),
        }
    }

    pub(crate) fn param_value(&mut self, file: FileId, scope: ScopeId, index: u32) -> ValueSet {
        let param = self.program.file(file).facts.params[index as usize];
        let own = param.kind == ParamKind::Receiver;
        if own && param.declared.is_none_or(|declared| self.is_variable_receiver(file, declared)) {
            let Some(around) = self.type_around(file, scope) else {
                return self.extension_object(file, scope);
            };
            let class_method = self.program.function_around(file, scope).is_some_and(|(_, symbol)| {
                self.program.file(file).facts.symbol(symbol).flags.has(SymbolFlags::CLASS_METHOD)
            });
            let value = if class_method { Value::Symbol(around) } else { Value::Instance(around) };
            return ValueSet::one(value, How::Own);
        }
        let Some(declared) = param.declared else {
            let mut all = self.ask(Question::Param(file, scope, index));
            if let Some(default) = param.default {
                let value = self.eval(file, default);
                all.join(&value.weaken(How::Flow));
            }
            return all;
        };
        if matches!(param.kind, ParamKind::Variadic | ParamKind::KeywordVariadic) {
            // The parameter holds a sequence of them.
            return ValueSet::one(Value::Sequence(file, declared), How::Declared);
        }
        let found = self.instances(file, declared);
        if found.is_empty() {
            // A function's type, say, which does not tell which function.
            return self.ask(Question::Param(file, scope, index));
        }
        if param.kind == ParamKind::Receiver {
            let mut own = ValueSet::as_open_as(&found);
            found.iter().for_each(|(value, _)| own.add(value, How::Own));
            return own;
        }
        found
    }

    /// Asks the solver.
    pub(crate) fn ask(&mut self, question: Question) -> ValueSet {
        if let Step::Answer(answer) = self.solver.enter(question) {
            return answer;
        }
        let env = self.generics.leave();
        let asked_at = std::mem::replace(&mut self.asked_at, self.depth);
        loop {
            let computed = self.compute(question);
            if let Some(answer) = self.solver.leave(computed) {
                self.generics.enter(env);
                self.asked_at = asked_at;
                return answer;
            }
        }
    }

    fn compute(&mut self, question: Question) -> ValueSet {
        match question {
            Question::Variable(file, scope, name) => self.variable(file, scope, name),
            Question::Field(owner, name) => self.field(owner, name),
            Question::Returns(sym) => self.returned(sym),
            Question::LambdaReturns(file, scope) => self.scope_returns(file, scope, false),
            Question::LambdaObject(file, scope) => self.object_of_lambda(file, scope),
            Question::Call(file, site) => self.call_result(file, site, false),
            Question::Yields(sym) => {
                let file = self.program.file_of(sym);
                match self.program.symbol(sym).body {
                    Some(body) => self.scope_returns(file, body, true),
                    None => ValueSet::unknown(),
                }
            }
            Question::Param(file, scope, index) if self.is_linked(file) => self.given_to_param(file, scope, index),
            Question::Param(file, scope, index) => {
                let found = self.param_by_context(file, scope, index);
                if !found.is_empty() {
                    return found;
                }
                self.depend_on_param(file, scope, index);
                match self.flow.following {
                    true => self.given_by_calls(file, scope, index),
                    false => found,
                }
            }
            Question::Macro(sym) => match self.program.symbol(sym).value {
                Some(value) => self.eval(self.program.file_of(sym), value),
                None => ValueSet::unknown(),
            },
            Question::Library(file, site, term) => self.term(file, site, term),
            Question::Itself(sym) => self.giving_itself(sym),
            Question::Alias(sym) => match self.program.symbol(sym).value {
                Some(value) => self.instances(self.program.file_of(sym), value),
                None => ValueSet::unknown(),
            },
            Question::Argument(file, start, end, position, name) => {
                self.spread_argument(file, start, end, position, name)
            }
            Question::InOrder(file, expr) => self.variable_in_order(file, expr),
            Question::Expression(file, expr) => self.eval_unguarded(file, expr),
            Question::Written(home, literal) => self.all_written(home, literal),
            Question::UnderKey(home, literal, file, access, key) => self.under_key(home, literal, file, access, key),
            Question::Decorated(sym) => self.made_by_decorators(sym),
            Question::Elements(file, from, to) => self.any_item(file, from, to),
            Question::Import(file, index) => {
                let found = self.import(file, index);
                if found.is_empty() {
                    ValueSet::unknown()
                } else {
                    self.values_of(found)
                }
            }
        }
    }

    /// What a lambda's parameter is by what the lambda is given to.
    fn param_by_context(&mut self, file: FileId, scope: ScopeId, index: u32) -> ValueSet {
        if let Some(given) = self.param_by_library(file, scope, index) {
            return given;
        }
        if self.lambda_site(file, scope).is_none() {
            return self.param_by_place(file, scope, index);
        }
        let rules = &self.program.file(file).rules;
        let generic = rules.generic_types && rules.library.type_variables.is_empty();
        let told = !rules.callback_members.is_empty();
        if generic && !told {
            return self.lambda_parameter(file, scope, index);
        }
        let found = self.contextual_param(file, scope, index);
        match generic && found.is_empty() {
            true => self.lambda_parameter(file, scope, index),
            false => found,
        }
    }

    pub(crate) fn declared_variable(&self, file: FileId, scope: ScopeId, name: NameId) -> Option<ExprId> {
        let facts = &self.program.file(file).facts;
        let bound = facts.bound(scope, name).iter().find_map(|bind| bind.declared);
        bound.or_else(|| {
            facts.declared(scope, name).iter().find_map(|decl| match decl.what {
                mmcg_facts::What::Symbol(symbol) => facts.symbol(symbol).declared,
                _ => None,
            })
        })
    }

    /// What a variable can hold: its declared type, else all that is assigned to it.
    fn variable(&mut self, file: FileId, scope: ScopeId, name: NameId) -> ValueSet {
        let program = self.program;
        let binds = program.file(file).facts.bound(scope, name);
        let symbols = program.file(file).facts.declared(scope, name);
        for declared in binds.iter().filter_map(|bind| bind.declared) {
            let found = self.instances(file, declared);
            if !found.is_empty() {
                return found;
            }
        }
        let mut all = ValueSet::default();
        let mut values = 0;
        for bind in binds {
            if let Some(value) = bind.value {
                values += 1;
                let found = self.eval(file, value);
                all.join(&found);
            } else if bind.declared.is_none() {
                all.open = true;
            }
        }
        if values == 0 {
            // A constant's value may be stored with its symbol only.
            for decl in symbols {
                let mmcg_facts::What::Symbol(symbol) = decl.what else {
                    continue;
                };
                let symbol = program.file(file).facts.symbol(symbol);
                if let Some(declared) = symbol.declared {
                    let found = self.instances(file, declared);
                    all.join(&found);
                } else if let Some(value) = symbol.value {
                    let found = self.eval(file, value);
                    all.join(&found);
                }
            }
        }
        if all.is_empty() {
            all.open = true;
        }
        self.as_variable_value(all)
    }

    /// A value that went through a variable: objects keep how they were made, functions and classes have flown.
    pub(crate) fn as_variable_value(&self, values: ValueSet) -> ValueSet {
        let several = values.len() > 1 || values.open;
        let mut all = ValueSet::as_open_as(&values);
        for (value, how) in values.iter() {
            let how = match value {
                Value::Instance(_) | Value::Applied(_) if !several => how,
                Value::Unit(_) | Value::Literal(_) | Value::External(_) => how,
                Value::Collection(..)
                | Value::Generic(..)
                | Value::Elements(..)
                | Value::Sequence(..)
                | Value::TypeTuple(..)
                | Value::Library(..)
                | Value::Pair(..) => how,
                _ => How::Flow,
            };
            all.add(value, how);
        }
        all
    }

    /// What an attribute of a type can hold: the declared type nearest to it, else all that is assigned.
    fn field(&mut self, owner: Sym, name: NameId) -> ValueSet {
        let program = self.program;
        let order = self.order(owner);
        let mut all = ValueSet::default();
        for &at in order.iter() {
            let members = self.types.members.get(&(at, name)).cloned().unwrap_or_default();
            for sym in members {
                let symbol = program.symbol(sym);
                let home = program.file_of(sym);
                if symbol.kind != SymbolKind::Field {
                    continue;
                }
                if self.holds_functions(sym) {
                    return self.held_value(at, name);
                }
                if let Some(declared) = symbol.declared {
                    let found = self.instances(home, declared);
                    if !found.is_empty() {
                        return found;
                    }
                    // A type of which nothing is known: a function's, say.
                    all.open = true;
                }
                if let Some(value) = symbol.value {
                    let found = self.eval(home, value);
                    all.join(&found);
                }
            }
            if let Some(&param) = self.types.field_params.get(&(at, name)) {
                return self.bound_value(param);
            }
            let assigned = self.types.assigned.get(&(at, name)).cloned().unwrap_or_default();
            for &(home, position) in &assigned {
                let bind = program.file(home).facts.member_binds[position as usize];
                if let Some(declared) = bind.declared {
                    let found = self.instances(home, declared);
                    if !found.is_empty() {
                        return found;
                    }
                }
            }
            for (home, position) in assigned {
                let bind = program.file(home).facts.member_binds[position as usize];
                match bind.value {
                    Some(value) => {
                        let found = self.eval(home, value);
                        all.join(&found);
                    }
                    None => all.open = true,
                }
            }
        }
        if all.is_empty() && !all.open {
            all = self.given_outside(owner, name);
        }
        if all.is_empty() {
            all.open = true;
        }
        self.as_variable_value(all)
    }

    /// What a call of a function gives, seen from a receiver.
    pub(crate) fn returns(&mut self, sym: Sym, receiver: Option<Value>) -> ValueSet {
        let symbol = self.program.symbol(sym);
        let file = self.program.file_of(sym);
        if let Some(declared) = symbol.declared {
            // `-> Self` gives the receiver's own type.
            let mut given = self.program.expr(file, declared);
            while let Expr::Deref(of) = given {
                given = self.program.expr(file, of);
            }
            let own = match given {
                Expr::Name { .. } => {
                    let named = self.type_bounds(file, declared);
                    self.own_type(file, declared, &named).is_some() || self.gives_receiver(sym)
                }
                given => matches!(given, Expr::Receiver(..)),
            };
            if own {
                if let Some(same @ Value::Applied(_)) = receiver {
                    return ValueSet::one(same, How::Declared);
                }
                if let Some(Value::Instance(own) | Value::Symbol(own)) = receiver {
                    if self.program.symbol(own).kind.is_type() {
                        return ValueSet::one(Value::Instance(own), How::Declared);
                    }
                }
            }
        }
        // The declaration in the type knows the type's own parameters.
        let declaration = self.types.declared_by.get(&sym).copied().unwrap_or(sym);
        if let Some(found) = self.declared_for(declaration, receiver) {
            return found;
        }
        let found = self.ask(Question::Returns(sym));
        match symbol.declared {
            None => self.seen_from(sym, receiver, found),
            Some(_) => found,
        }
    }

    fn returned(&mut self, sym: Sym) -> ValueSet {
        let symbol = self.program.symbol(sym);
        let file = self.program.file_of(sym);
        if symbol.flags.has(SymbolFlags::GENERATOR) {
            return ValueSet::one(Value::Yields(sym), How::Declared);
        }
        if let Some(declared) = symbol.declared {
            let found = self.instances(file, declared);
            if !found.is_empty() {
                return found;
            }
            if symbol.body.is_none() || !self.program.file(file).rules.documented_types {
                return ValueSet::unknown();
            }
        }
        match symbol.body {
            Some(body) => self.scope_returns(file, body, false).weaken(How::Flow),
            None => ValueSet::unknown(),
        }
    }

    fn scope_returns(&mut self, file: FileId, scope: ScopeId, yielded: bool) -> ValueSet {
        let program = self.program;
        let mut all = ValueSet::default();
        for given in program.file(file).facts.returned(scope) {
            if given.yielded == yielded {
                let found = self.eval(file, given.value);
                all.join(&found);
            }
        }
        if all.is_empty() {
            all.open = true;
        }
        all.weaken(How::Flow)
    }

    fn eval_call(&mut self, file: FileId, site: SiteId) -> ValueSet {
        let rules = &self.program.file(file).rules;
        let called = self.program.file(file).facts.site(site).name;
        if rules.overloads || rules.uniform_access || self.library_names.contains(&called) {
            // Arguments decide what is called or given, and are calls themselves, as is what they are called on: each is
            // looked at once.
            return self.ask(Question::Call(file, site));
        }
        self.call_result(file, site, false)
    }
}
