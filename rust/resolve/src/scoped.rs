//! Lambdas that run for an object (Kotlin): inside them its members are seen without a receiver, and `this` is it. Which
//! functions of the library run them so, and what these give, the language's data says (`[resolution.scope_functions]`);
//! of the project's own functions, the type of the parameter (`T.() -> R`).

use crate::lookup::{Lookup, Where};
use crate::modules::FileId;
use crate::program::Sym;
use crate::resolver::Resolver;
use crate::solve::Question;
use crate::values::{Value, ValueSet};
use mmcg_facts::{Expr, ExprId, NameId, ParamKind, ReceiverKind, ScopeFunction, ScopeId, Site, Subject, What};

/// Aliases of function types are followed so deep.
const DEEPEST: u32 = 6;

impl Resolver<'_> {
    /// A member of the object that a lambda runs for.
    pub(crate) fn lookup_in_lambda_object(
        &mut self,
        file: FileId,
        scope: ScopeId,
        name: NameId,
        meant: (bool, bool),
    ) -> Option<Lookup> {
        let object = self.lambda_object(file, scope)?;
        for (value, _) in object.iter() {
            if let Value::Instance(sym) = self.plain(value) {
                let found = self.lookup_in_type(sym, name, false, meant);
                if found.is_some() {
                    return found;
                }
            }
        }
        None
    }

    /// The object that a lambda runs for; none where it is the one around.
    pub(crate) fn lambda_object(&mut self, file: FileId, scope: ScopeId) -> Option<ValueSet> {
        self.lambda_site(file, scope)?;
        let found = self.ask(Question::LambdaObject(file, scope));
        (found.open || !found.is_empty()).then_some(found)
    }

    /// What `this` is by the lambdas around a place.
    pub(crate) fn object_of_lambdas(&mut self, file: FileId, scope: ScopeId) -> Option<ValueSet> {
        let facts = &self.program.file(file).facts;
        if self.program.file(file).rules.scope_functions.is_empty() {
            return None;
        }
        let function = self.program.function_around(file, scope).map(|(body, _)| body);
        let mut next = Some(scope);
        while let Some(at) = next.filter(|at| Some(*at) != function) {
            let current = facts.scopes[at.index()];
            match current.kind {
                mmcg_facts::ScopeKind::Class => return None,
                mmcg_facts::ScopeKind::Function => {
                    let found = self.lambda_object(file, at);
                    if found.is_some() {
                        return found;
                    }
                }
                _ => {}
            }
            next = current.parent;
        }
        None
    }

    /// Computes the answer of `Question::LambdaObject`: closed and empty where the lambda has no object of its own.
    pub(crate) fn object_of_lambda(&mut self, file: FileId, scope: ScopeId) -> ValueSet {
        let program = self.program;
        let Some((site, position)) = self.lambda_site(file, scope) else { return ValueSet::default() };
        let site = program.file(file).facts.site(site);
        if let Some(function) = self.scope_function(file, site) {
            return match (function.object, program.expr(file, site.callee)) {
                (Subject::This, Expr::Member { object, .. }) => self.eval(file, object),
                (Subject::Argument, _) => match self.args(file, site.args.start, 1).first().copied() {
                    Some(first) => self.eval(file, first.value),
                    None => ValueSet::unknown(),
                },
                _ => ValueSet::default(),
            };
        }
        let mut all = ValueSet::default();
        for sym in self.targets(file, site).symbols() {
            if let Some((home, declared)) = self.declared_of_lambda(file, site, position, sym) {
                let found = self.object_of_function_type(home, declared, 0);
                all.join(&found);
            }
        }
        all
    }

    fn object_of_function_type(&mut self, file: FileId, declared: ExprId, depth: u32) -> ValueSet {
        let program = self.program;
        match program.expr(file, declared) {
            Expr::Deref(of) | Expr::OfType(of) => self.object_of_function_type(file, of, depth),
            Expr::Lambda(scope) => {
                let facts = &program.file(file).facts;
                let start = facts.decls.partition_point(|d| d.scope < scope);
                let own = facts.decls[start..].iter().take_while(|d| d.scope == scope);
                let receiver = own.filter_map(|decl| match decl.what {
                    What::Param(index) => Some(facts.params[index as usize]),
                    _ => None,
                });
                let receiver = receiver.into_iter().find(|param| param.kind == ParamKind::Receiver);
                match receiver.map(|param| param.declared) {
                    Some(Some(declared)) => {
                        let mut found = self.instances(file, declared);
                        found.open |= found.is_empty();
                        found
                    }
                    Some(None) => ValueSet::unknown(),
                    None => ValueSet::default(),
                }
            }
            Expr::Name { .. } | Expr::Member { .. } | Expr::Index { .. } if depth < DEEPEST => {
                let mut all = ValueSet::default();
                for bound in self.type_bounds(file, declared) {
                    let crate::lookup::Bound::Symbol(sym) = bound else { continue };
                    if let Some(value) = program.symbol(sym).value {
                        let found = self.object_of_function_type(program.file_of(sym), value, depth + 1);
                        all.join(&found);
                    }
                }
                all
            }
            _ => ValueSet::default(),
        }
    }

    /// The type that is declared for a lambda which a call gives: where one behind the call has left out others that have
    /// defaults, the last one's.
    pub(crate) fn declared_of_lambda(
        &mut self,
        file: FileId,
        site: &Site,
        position: u32,
        sym: Sym,
    ) -> Option<(FileId, ExprId)> {
        let found = self.declared_of_argument(file, site, position, sym);
        let behind = position + 1 == site.args.end - site.args.start;
        if !behind || self.program.file(file).rules.scope_functions.is_empty() {
            return found;
        }
        let home = self.program.file_of(sym);
        let params = self.program.symbol(sym).params.clone();
        let last = params.last().and_then(|at| self.program.file(home).facts.params[at as usize].declared);
        match last {
            Some(declared) if self.is_function_type(home, declared, 0) => Some((home, declared)),
            _ => found,
        }
    }

    /// The function of the library that a call means, where the project has none of the name.
    fn scope_function(&mut self, file: FileId, site: &Site) -> Option<ScopeFunction> {
        let program = self.program;
        let rules = &program.file(file).rules;
        let name = match program.expr(file, site.callee) {
            Expr::Member { name, .. } | Expr::Name { name, .. } => name,
            _ => return None,
        };
        let function = *rules.scope_functions.get(program.text(name))?;
        if self.types.extensions.contains_key(&name) {
            return None;
        }
        match program.expr(file, site.callee) {
            Expr::Member { object, .. } => {
                let objects = self.eval(file, object);
                for (value, _) in objects.iter() {
                    match self.plain(value) {
                        Value::Unit(_) => return None,
                        Value::Instance(sym) | Value::Symbol(sym) if !self.members(sym, name).is_empty() => {
                            return None
                        }
                        _ => {}
                    }
                }
            }
            Expr::Name { scope, path, .. } => {
                let found = self.lookup(file, scope, name, path);
                if !matches!(found.at, Where::Builtin | Where::Nowhere) {
                    return None;
                }
            }
            _ => {}
        }
        Some(function)
    }

    /// What such a function gives: the object, or what the lambda gives.
    pub(crate) fn scoped_result(&mut self, file: FileId, site: &Site) -> Option<ValueSet> {
        let function = self.scope_function(file, site)?;
        if function.gives_object {
            return Some(match self.program.expr(file, site.callee) {
                Expr::Member { object, .. } => self.eval(file, object),
                Expr::Name { scope, .. } => self.eval_receiver(file, ReceiverKind::This, scope),
                _ => ValueSet::unknown(),
            });
        }
        let args = self.args(file, site.args.start, site.args.end - site.args.start);
        let Expr::Lambda(scope) = self.program.expr(file, args.last()?.value) else { return None };
        Some(self.ask(Question::LambdaReturns(file, scope)))
    }

    /// Whether a function gives its object to the lambda as the parameter.
    pub(crate) fn is_subject_function(&self, file: FileId, name: NameId) -> bool {
        let (rules, text) = (&self.program.file(file).rules, self.program.text(name));
        rules.subject_functions.iter().any(|f| f == text)
            || rules.scope_functions.get(text).is_some_and(|function| function.object == Subject::It)
    }
}
