//! Generic types of the project: what the type parameters of a value's type stand for.
//!
//! An environment binds type parameters to type expressions, each with the environment that it is read in. The
//! environment at hand is part of the resolver's state: only the reading of declared types looks at it, and questions
//! whose answers are remembered are asked without one.

use crate::lookup::Bound;
use crate::modules::FileId;
use crate::program::Sym;
use crate::resolver::Resolver;
use crate::values::{How, Value, ValueSet};
use mmcg_facts::{Arg, Expr, ExprId, NameId, ParamKind, Site, SymbolKind};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;
use std::rc::Rc;

/// Arguments in arguments in arguments: deeper ones are left out, so that no type grows without end.
const DEEPEST: u32 = 6;

/// A project's type with its arguments: index into `Generics`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Applied(u32);

/// An environment; the first one is empty.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct Env(u32);

/// A type expression and the environment that it is read in.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Argument {
    file: FileId,
    expr: ExprId,
    env: Env,
}

type Bindings = Rc<[((FileId, u32), Argument)]>;

/// Interned environments and applied types.
#[derive(Default)]
pub struct Generics {
    applied: Vec<(Sym, Env)>,
    applied_ids: FxHashMap<(Sym, Env), Applied>,
    /// With how deep each one nests; `Env(n)` is at `n - 1`.
    envs: Vec<(Bindings, u32)>,
    env_ids: FxHashMap<Bindings, Env>,
    /// The environment at hand.
    current: Env,
    /// Aliases that are being read.
    aliases: Vec<Sym>,
}

impl Generics {
    fn depth(&self, env: Env) -> u32 {
        if env == Env::default() {
            0
        } else {
            self.envs[env.0 as usize - 1].1
        }
    }

    fn intern(&mut self, bindings: Bindings) -> Env {
        let depth = 1 + bindings.iter().map(|(_, argument)| self.depth(argument.env)).max().unwrap_or(0);
        if bindings.is_empty() || depth > DEEPEST {
            return Env::default();
        }
        if let Some(known) = self.env_ids.get(&bindings) {
            return *known;
        }
        self.envs.push((Rc::clone(&bindings), depth));
        let env = Env(self.envs.len() as u32);
        self.env_ids.insert(bindings, env);
        env
    }

    fn bound(&self, file: FileId, parameter: u32) -> Option<Argument> {
        if self.current == Env::default() {
            return None;
        }
        let bindings = &self.envs[self.current.0 as usize - 1].0;
        bindings.iter().find(|(key, _)| *key == (file, parameter)).map(|(_, argument)| *argument)
    }

    /// Whether no type parameter stands for anything here.
    pub fn is_empty(&self) -> bool {
        self.current == Env::default()
    }

    /// Takes the environment at hand away, and what is being read.
    pub fn leave(&mut self) -> (Env, Vec<Sym>) {
        (std::mem::take(&mut self.current), std::mem::take(&mut self.aliases))
    }

    /// Puts an environment back.
    pub fn enter(&mut self, (env, aliases): (Env, Vec<Sym>)) {
        (self.current, self.aliases) = (env, aliases);
    }
}

impl Resolver<'_> {
    /// A value without what its type parameters stand for.
    pub(crate) fn plain(&self, value: Value) -> Value {
        match value {
            Value::Applied(Applied(at)) => Value::Instance(self.generics.applied[at as usize].0),
            other => other,
        }
    }

    /// An object of a generic type of the project with arguments, as written in a file.
    pub(crate) fn applied(&mut self, file: FileId, sym: Sym, args: &[Arg]) -> Value {
        let env = self.environment(file, sym, args);
        if env == Env::default() {
            return Value::Instance(sym);
        }
        let next = Applied(self.generics.applied.len() as u32);
        let id = *self.generics.applied_ids.entry((sym, env)).or_insert(next);
        if id == next {
            self.generics.applied.push((sym, env));
        }
        Value::Applied(id)
    }

    fn environment(&mut self, file: FileId, sym: Sym, args: &[Arg]) -> Env {
        let home = self.program.file_of(sym);
        if !self.program.file(home).rules.generic_types {
            return Env::default();
        }
        let parameters = self.parameters_of(sym);
        if parameters.len() != args.len() {
            return Env::default();
        }
        let env = self.generics.current;
        let bindings = parameters
            .into_iter()
            .zip(args)
            .map(|(parameter, arg)| (parameter, Argument { file, expr: arg.value, env }))
            .collect();
        self.generics.intern(bindings)
    }

    /// What an alias stands for, its own type parameters for the arguments (`Maybe<T> = T | null`).
    pub(crate) fn alias_with_arguments(&mut self, file: FileId, sym: Sym, args: &[Arg]) -> Option<ValueSet> {
        let symbol = self.program.symbol(sym);
        let value = symbol.value.filter(|_| symbol.kind == SymbolKind::Type)?;
        let parameters = symbol.type_params.clone();
        if parameters.is_empty() || parameters.len() != args.len() {
            return None;
        }
        let home = self.program.file_of(sym);
        let env = self.generics.current;
        let bindings: Bindings = parameters
            .zip(args)
            .map(|(parameter, arg)| ((home, parameter), Argument { file, expr: arg.value, env }))
            .collect();
        let env = self.generics.intern(bindings);
        Some(self.within(env, |this| this.alias_value(sym, home, value)))
    }

    /// The value of an alias. One that leads to itself says nothing more.
    pub(crate) fn alias_value(&mut self, sym: Sym, home: FileId, value: ExprId) -> ValueSet {
        if self.generics.aliases.contains(&sym) || self.generics.aliases.len() >= DEEPEST as usize {
            return ValueSet::unknown();
        }
        self.generics.aliases.push(sym);
        let found = self.instances(home, value);
        self.generics.aliases.pop();
        found
    }

    /// What a type parameter stands for in the environment at hand.
    pub(crate) fn type_argument(&mut self, file: FileId, parameter: u32) -> Option<ValueSet> {
        let argument = self.generics.bound(file, parameter)?;
        let found = self.within(argument.env, |this| this.instances(argument.file, argument.expr));
        (!found.is_empty()).then_some(found)
    }

    fn within<T>(&mut self, env: Env, read: impl FnOnce(&mut Self) -> T) -> T {
        let before = std::mem::replace(&mut self.generics.current, env);
        let found = read(self);
        self.generics.current = before;
        found
    }

    /// The types around a value's type in the hierarchy, nearest first, each with its environment.
    fn hierarchy(&mut self, receiver: Value) -> Vec<(Sym, Env)> {
        let start = match receiver {
            Value::Applied(Applied(at)) => self.generics.applied[at as usize],
            Value::Instance(sym) => (sym, Env::default()),
            _ => return Vec::new(),
        };
        let mut found = Vec::new();
        let mut seen = FxHashSet::from_iter([start.0]);
        let mut waiting = VecDeque::from([start]);
        while let Some((sym, env)) = waiting.pop_front() {
            found.push((sym, env));
            for base in self.types.bases.get(&sym).cloned().unwrap_or_default() {
                let Some(target) = base.target.filter(|target| seen.insert(*target)) else { continue };
                let next = match self.program.expr(base.file, base.expr) {
                    Expr::Index { args, count, .. } => {
                        let args = self.args(base.file, args, count).to_vec();
                        self.within(env, |this| this.environment(base.file, target, &args))
                    }
                    _ => Env::default(),
                };
                waiting.push_back((target, next));
            }
        }
        found
    }

    /// The declared type of a generic type's member, seen from an object.
    pub(crate) fn declared_for(&mut self, sym: Sym, receiver: Option<Value>) -> Option<ValueSet> {
        let declared = self.program.symbol(sym).declared?;
        let home = self.program.file_of(sym);
        if !self.program.file(home).rules.generic_types {
            return None;
        }
        let owner = self.types.owner_of(sym)?;
        if self.parameters_of(owner).is_empty() {
            return None;
        }
        let (_, env) = self.hierarchy(receiver?).into_iter().find(|(at, _)| *at == owner)?;
        if env == Env::default() {
            return None;
        }
        let env = self.outside_environment(sym, owner, env);
        let found = self.within(env, |this| this.instances(home, declared));
        (!found.is_empty()).then_some(found)
    }

    /// A member written outside its type has names of its own for the type's parameters (`impl<U> Pile<U>`): these
    /// stand for the same.
    fn outside_environment(&mut self, sym: Sym, owner: Sym, env: Env) -> Env {
        let program = self.program;
        let (home, symbol) = (program.file_of(sym), program.symbol(sym));
        let facts = &program.file(home).facts;
        let beside = facts.extensions.iter().find(|extension| extension.scope == symbol.scope).map(|e| e.target);
        let Some(mut target) = symbol.owner.or(beside) else { return env };
        while let Expr::Deref(of) = program.expr(home, target) {
            target = of;
        }
        let Expr::Index { args, count, .. } = program.expr(home, target) else { return env };
        let own = program.symbol(owner).type_params.clone();
        let mut bindings = self.generics.envs[env.0 as usize - 1].0.to_vec();
        for (arg, parameter) in self.args(home, args, count).to_vec().into_iter().zip(own) {
            let Expr::Name { name, scope, path } = program.expr(home, arg.value) else { continue };
            let given = bindings.iter().find(|(key, _)| *key == (program.file_of(owner), parameter)).map(|(_, a)| *a);
            if let (Some(&Bound::TypeParam(file, at)), Some(given)) =
                (self.lookup(home, scope, name, path).bounds.first(), given)
            {
                bindings.push(((file, at), given));
            }
        }
        self.generics.intern(bindings.into())
    }

    /// Elements of an object whose type implements a container from outside.
    pub(crate) fn inherited_elements(&mut self, value: Value) -> ValueSet {
        for (sym, env) in self.hierarchy(value) {
            for base in self.types.bases.get(&sym).cloned().unwrap_or_default() {
                if base.target.is_some() {
                    continue;
                }
                let found = self.within(env, |this| this.generic_element(base.file, base.expr));
                if !found.is_empty() {
                    return found;
                }
            }
        }
        ValueSet::unknown()
    }

    /// What a generic function gives whose result is one of its own type parameters: by the type arguments, or by the
    /// argument that has the same type.
    pub(crate) fn inferred_result(&mut self, file: FileId, site: &Site, sym: Sym) -> Option<ValueSet> {
        let symbol = self.program.symbol(sym);
        let home = self.program.file_of(sym);
        let facts = &self.program.file(home).facts;
        if symbol.type_params.is_empty() || !self.program.file(home).rules.generic_types {
            return None;
        }
        let Expr::Name { name, .. } = self.program.expr(home, symbol.declared?) else { return None };
        let position = symbol.type_params.clone().position(|i| facts.type_params[i as usize].0 == name)?;
        if let Some(given) = self.site_args(file, &site.type_args).get(position).copied() {
            return Some(self.instances(file, given.value));
        }
        let args = self.site_args(file, &site.args).to_vec();
        let params = symbol.params.clone().map(|i| facts.params[i as usize]).filter(|p| p.kind != ParamKind::Receiver);
        for (param, arg) in params.zip(args) {
            let own = |e: ExprId| matches!(self.program.expr(home, e), Expr::Name { name: n, .. } if n == name);
            if param.declared.is_some_and(own) {
                let found = self.eval(file, arg.value);
                if !found.is_empty() {
                    return Some(found);
                }
            }
        }
        None
    }

    fn site_args(&self, file: FileId, range: &std::ops::Range<u32>) -> &[Arg] {
        self.args(file, range.start, range.end - range.start)
    }

    /// What a parameter of a lambda holds by the call that the lambda is given to.
    pub(crate) fn lambda_parameter(&mut self, file: FileId, scope: mmcg_facts::ScopeId, index: u32) -> ValueSet {
        let program = self.program;
        let facts = &program.file(file).facts;
        let Some((site, at)) = self.lambda_site(file, scope) else { return ValueSet::unknown() };
        let position = self.lambda_params(file, scope).iter().position(|param| *param == index).unwrap_or(usize::MAX);
        let site = facts.site(site);
        let mut all = ValueSet::default();
        // Where the data says which members call what they are given, it was asked before.
        let told = !program.file(file).rules.callback_members.is_empty();
        if let (Expr::Member { object, name, .. }, false) = (program.expr(file, site.callee), told) {
            let objects = self.eval(file, object);
            let subject = program.file(file).rules.subject_functions.iter().any(|f| f == program.text(name));
            if subject {
                all.join(&objects);
            }
            for (value, _) in objects.iter() {
                if matches!(value, Value::Generic(..) | Value::Elements(..) | Value::Sequence(..)) {
                    let found = self.elements(&ValueSet::one(value, How::Declared));
                    all.join(&found);
                }
            }
        }
        if all.is_empty() {
            for (callee, receiver, _) in self.callee_values(file, site) {
                let Value::Symbol(sym) = callee else { continue };
                let found = self.function_parameter(sym, receiver, at, position);
                all.join(&found);
            }
        }
        if all.is_empty() {
            all.open = true;
        }
        all.weaken(How::Flow)
    }

    /// The type of a parameter of the function that a function takes as its argument `at`.
    fn function_parameter(&mut self, sym: Sym, receiver: Option<Value>, at: u32, position: usize) -> ValueSet {
        let program = self.program;
        let symbol = program.symbol(sym);
        let home = program.file_of(sym);
        let facts = &program.file(home).facts;
        let params = symbol.params.clone().map(|i| facts.params[i as usize]).filter(|p| p.kind != ParamKind::Receiver);
        let params: Vec<_> = params.collect();
        let param = params.get(at as usize).or(params.last().filter(|p| p.kind == ParamKind::Variadic));
        let Some(declared) = param.and_then(|p| p.declared) else { return ValueSet::unknown() };
        let owner = self.types.owner_of(sym);
        let found = receiver.map(|r| self.hierarchy(r)).unwrap_or_default();
        let env = found.into_iter().find(|(at, _)| Some(*at) == owner).map_or(Env::default(), |(_, env)| env);
        self.within(env, |this| this.parameter_of_function_type(home, declared, position))
    }

    pub(crate) fn parameter_of_function_type(&mut self, file: FileId, declared: ExprId, position: usize) -> ValueSet {
        let rules = self.program.file(file).rules.clone();
        if let Expr::Index { object, args, count } = self.program.expr(file, declared) {
            let name = self.last_name(file, object).map_or("", |name| self.program.text(name));
            if rules.function_types.get(name).is_some_and(|takes| position < *takes) {
                return match self.args(file, args, count).get(position).copied() {
                    Some(arg) => self.instances(file, arg.value),
                    None => ValueSet::unknown(),
                };
            }
        }
        // An interface of the project with one abstract method.
        let types = self.instances(file, declared);
        let mut all = ValueSet::default();
        for (value, _) in types.iter() {
            for (sym, env) in self.hierarchy(value) {
                let members = self.members_by_owner.get(&sym).cloned().unwrap_or_default();
                let mut methods = members.into_iter().filter(|m| {
                    self.program.symbol(*m).flags.has(mmcg_facts::SymbolFlags::ABSTRACT)
                        && self.program.symbol(*m).kind.is_callable()
                });
                let (Some(method), None) = (methods.next(), methods.next()) else { continue };
                let home = self.program.file_of(method);
                let index = self.program.symbol(method).params.clone().nth(position);
                let param = index.map(|i| self.program.file(home).facts.params[i as usize]);
                if let Some(declared) = param.and_then(|p| p.declared) {
                    let found = self.within(env, |this| this.instances(home, declared));
                    all.join(&found);
                }
                break;
            }
        }
        all
    }

    /// The result of a method from outside, where the language's data knows it.
    pub(crate) fn foreign_result(&mut self, file: FileId, receiver: Value, name: NameId) -> Option<ValueSet> {
        let rules = self.program.file(file).rules.clone();
        if rules.foreign_results.is_empty() {
            return None;
        }
        let method = self.program.text(name);
        let head = match receiver {
            Value::Generic(home, expr) => self.last_name(home, expr).map(|n| self.program.text(n).to_owned()),
            _ => None,
        };
        let mut types: VecDeque<String> = head.into_iter().collect();
        let mut seen = 0;
        let mut said = None;
        while let Some(at) = types.pop_front().filter(|_| said.is_none() && seen < 16) {
            said = rules.foreign_results.get(&format!("{at}.{method}"));
            types.extend(rules.conversions.get(&at).into_iter().flatten().cloned());
            seen += 1;
        }
        let said = said.or_else(|| rules.foreign_results.get(&format!("*.{method}")))?;
        match (said.as_str(), receiver) {
            ("=", Value::Generic(home, expr) | Value::Elements(home, expr)) => {
                Some(ValueSet::one(Value::Elements(home, expr), How::Declared))
            }
            ("=", _) => None,
            (text, Value::Generic(home, expr) | Value::Elements(home, expr)) if text.parse::<usize>().is_ok() => {
                let Expr::Index { args, count, .. } = self.program.expr(home, expr) else { return None };
                let position: usize = text.parse().ok()?;
                let arg = self.args(home, args, count).get(position).copied()?;
                Some(self.instances(home, arg.value))
            }
            (text, _) if text.parse::<usize>().is_ok() => None,
            (text, _) => Some(ValueSet::one(Value::External(self.external(text)), How::Declared)),
        }
    }
}
