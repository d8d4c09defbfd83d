//! Types and functions of one name that differ by how many type arguments they take (C# `Outcome` and `Outcome<T>`).

use crate::lookup::{Bound, Bounds};
use crate::modules::FileId;
use crate::program::Sym;
use crate::resolver::Resolver;
use crate::types::Syms;
use crate::values::{Value, ValueSet};
use mmcg_facts::{Expr, ExprId, ParamKind, ScopeId, Site, SymbolKind};
use rustc_hash::FxHashMap;

impl Resolver<'_> {
    /// How many type arguments a definition takes.
    pub(crate) fn type_arity(&self, sym: Sym) -> usize {
        self.program.symbol(sym).type_params.len()
    }

    /// Whether several definitions are types that differ by their type arguments.
    pub(crate) fn differ_by_arity(&self, file: FileId, found: &Bounds) -> bool {
        self.program.file(file).rules.arity_apart
            && found.iter().all(|b| matches!(b, Bound::Symbol(s) if self.program.symbol(*s).kind.is_type()))
    }

    /// Of several types those that take as many type arguments as are given; all if none does.
    pub(crate) fn of_arity(&self, file: FileId, found: Bounds, given: usize) -> Bounds {
        if found.len() < 2 || !self.differ_by_arity(file, &found) {
            return found;
        }
        let takes = |b: &Bound| matches!(b, Bound::Symbol(s) if self.type_arity(*s) == given);
        if !found.iter().any(takes) {
            return found;
        }
        found.into_iter().filter(takes).collect()
    }

    /// How many type arguments an expression gives to what it names.
    pub(crate) fn given_arity(&self, file: FileId, expr: ExprId) -> usize {
        match self.program.expr(file, expr) {
            Expr::Index { count, .. } => count as usize,
            _ => 0,
        }
    }

    /// How many type arguments each expression of a file is given, where that matters.
    pub(crate) fn written_arities(&self, file: FileId) -> FxHashMap<ExprId, usize> {
        let source = self.program.file(file);
        if !source.rules.arity_apart {
            return FxHashMap::default();
        }
        let given = source.facts.exprs.iter().filter_map(|expr| match *expr {
            Expr::Index { object, count, .. } => Some((object, count as usize)),
            _ => None,
        });
        given.collect()
    }

    /// The types that a name with type arguments means as a value (`Outcome<int>.Default`), where several have it.
    pub(crate) fn types_of_arity(&mut self, file: FileId, expr: ExprId) -> Option<ValueSet> {
        if !self.program.file(file).rules.arity_apart {
            return None;
        }
        let found = self.type_bounds(file, expr);
        if found.is_empty() || !self.differ_by_arity(file, &found) {
            return None;
        }
        Some(self.values_of(found))
    }

    /// The functions that take the type arguments written at a call; all where none is written, or none fits.
    pub(crate) fn of_written_arity(&self, file: FileId, site: &Site, candidates: Syms) -> Syms {
        let given = (site.type_args.end - site.type_args.start) as usize;
        if given == 0 || candidates.len() < 2 || !self.program.file(file).rules.arity_apart {
            return candidates;
        }
        let takes = |sym: &Sym| self.type_arity(*sym) == given;
        if !candidates.iter().any(takes) {
            return candidates;
        }
        candidates.into_iter().filter(takes).collect()
    }

    /// Of functions that fit equally well those without type parameters, if there are any (C# 12.6.4.3).
    pub(crate) fn without_generic_twins(&self, file: FileId, site: &Site, candidates: Syms) -> Syms {
        let plain = |sym: &Sym| self.type_arity(*sym) == 0;
        let written = !site.type_args.is_empty();
        if written
            || candidates.len() < 2
            || !self.program.file(file).rules.arity_apart
            || !candidates.iter().any(plain)
        {
            return candidates;
        }
        candidates.into_iter().filter(plain).collect()
    }

    /// Whether a function given as a value can stand where a function type is declared, by the number of parameters;
    /// `None` where either number is not known.
    pub(crate) fn takes_function(&mut self, given: Value, file: FileId, declared: ExprId) -> Option<bool> {
        let (wanted, result) = self.declared_function(file, declared)?;
        match given {
            Value::Lambda(home, scope) if self.lambda_params(home, scope).len() != wanted => Some(false),
            Value::Lambda(home, scope) => Some(self.gives_as_declared(home, scope, result)),
            Value::Symbol(sym) if self.program.symbol(sym).kind.is_callable() => Some(self.plain_params(sym) == wanted),
            _ => None,
        }
    }

    /// Whether a lambda gives something back, or may give nothing, as a function type wants it.
    fn gives_as_declared(&self, file: FileId, scope: ScopeId, result: bool) -> bool {
        let facts = &self.program.file(file).facts;
        let returned = facts.returned(scope);
        // A call, an assignment or `await` may stand for itself, and for its value.
        let only_value = |value: ExprId| {
            matches!(
                self.program.expr(file, value),
                Expr::Literal(..) | Expr::Name { .. } | Expr::Member { .. } | Expr::Collection { .. } | Expr::Lambda(_)
            )
        };
        result || !returned.iter().any(|each| only_value(each.value))
    }

    /// The number of parameters of a function type, and whether it has a result: one that the language's library has
    /// (`Func<A, B, R>`), a delegate, or an interface with one method.
    fn declared_function(&mut self, file: FileId, declared: ExprId) -> Option<(usize, bool)> {
        let program = self.program;
        let rules = &program.file(file).rules;
        if rules.function_arities.is_empty() {
            return None;
        }
        for bound in self.type_bounds(file, declared) {
            let Bound::Symbol(sym) = bound else { continue };
            if let Some(only) = self.only_method(sym) {
                return Some((self.plain_params(only), true));
            }
            let home = program.file_of(sym);
            let symbol = program.symbol(sym);
            return match symbol.value.map(|value| program.expr(home, value)) {
                Some(Expr::Lambda(scope)) => Some((self.lambda_params(home, scope).len(), true)),
                None if symbol.kind == SymbolKind::Type => Some((self.plain_params(sym), true)),
                _ => None,
            };
        }
        let name = self.last_name(file, declared)?;
        let text = program.text(name);
        let fixed = *rules.function_arities.get(text)?;
        let given = i32::try_from(self.given_arity(file, declared)).ok()?;
        let count = if fixed < 0 { given + 1 + fixed } else { fixed };
        let nothing = rules.function_actions.iter().any(|each| each == text);
        Some((usize::try_from(count).ok()?, !nothing))
    }

    /// How many parameters a function has besides a written receiver.
    fn plain_params(&self, sym: Sym) -> usize {
        let facts = &self.program.file(self.program.file_of(sym)).facts;
        let params = self.program.symbol(sym).params.clone();
        params.filter(|i| facts.params[*i as usize].kind != ParamKind::Receiver).count()
    }
}
