//! What the parameters of a lambda get from the function that the lambda is given to: contextual types.

use crate::lookup::Bound;
use crate::modules::FileId;
use crate::program::Sym;
use crate::resolver::Resolver;
use crate::values::ValueSet;
use mmcg_facts::{CollectionKind, Expr, ExprId, ParamKind, ScopeId, SymbolFlags, SymbolKind, What};

impl Resolver<'_> {
    /// What a lambda's parameter without a declared type can be.
    pub(crate) fn contextual_param(&mut self, file: FileId, scope: ScopeId, index: u32) -> ValueSet {
        let Some((site, position)) = self.lambda_site(file, scope) else { return ValueSet::unknown() };
        let Some(nth) = self.lambda_params(file, scope).iter().position(|param| *param == index) else {
            return ValueSet::unknown();
        };
        let site = &self.program.file(file).facts.sites[site.index()];
        if let Some(given) = self.given_to_callback(file, site.callee) {
            return given;
        }
        let mut all = ValueSet::default();
        for sym in self.targets(file, site).symbols() {
            let Some((home, declared)) = self.declared_of_lambda(file, site, position, sym) else {
                all.open = true;
                continue;
            };
            let found = self.param_of_function_type(home, declared, nth, 0);
            all.join(&found);
        }
        if all.is_empty() {
            all.open = true;
        }
        all
    }

    /// The parameters of a lambda or function type in order, without a written receiver.
    pub(crate) fn lambda_params(&self, file: FileId, scope: ScopeId) -> Vec<u32> {
        let facts = &self.program.file(file).facts;
        let start = facts.decls.partition_point(|d| d.scope < scope);
        let own = facts.decls[start..].iter().take_while(|d| d.scope == scope);
        let mut found: Vec<u32> = own
            .filter_map(|decl| match decl.what {
                What::Param(index) if facts.params[index as usize].kind != ParamKind::Receiver => Some(index),
                _ => None,
            })
            .collect();
        found.sort_unstable();
        found
    }

    /// The n-th parameter of a function type: written out, named by an alias, or the one method of an interface.
    pub(crate) fn param_of_function_type(&mut self, file: FileId, expr: ExprId, nth: usize, depth: u32) -> ValueSet {
        if depth > 6 {
            return ValueSet::unknown();
        }
        match self.program.expr(file, expr) {
            Expr::Lambda(scope) => {
                let param = self.lambda_params(file, scope).get(nth).copied();
                let declared = param.and_then(|index| self.program.file(file).facts.params[index as usize].declared);
                declared.map_or_else(ValueSet::unknown, |declared| self.instances(file, declared))
            }
            Expr::Choice(a, b) => {
                let mut all = self.param_of_function_type(file, a, nth, depth + 1);
                let other = self.param_of_function_type(file, b, nth, depth + 1);
                all.join(&other);
                all
            }
            Expr::Deref(of) => self.param_of_function_type(file, of, nth, depth + 1),
            // `Callable[[Row], None]`: the parameters are a list.
            Expr::Index { args, count, .. } if self.lists_parameters(file, args, count) => {
                let Expr::Collection { args, count, .. } =
                    self.program.expr(file, self.args(file, args, count)[0].value)
                else {
                    return ValueSet::unknown();
                };
                let declared = self.args(file, args, count).get(nth).map(|arg| arg.value);
                declared.map_or_else(ValueSet::unknown, |declared| self.instances(file, declared))
            }
            Expr::Name { .. } | Expr::Member { .. } | Expr::Index { .. } => {
                let mut all = ValueSet::default();
                for bound in self.type_bounds(file, expr) {
                    if let Bound::TypeParam(home, param) = bound {
                        if let Some(of) = self.program.file(home).facts.type_params[param as usize].1 {
                            let found = self.param_of_function_type(home, of, nth, depth + 1);
                            all.join(&found);
                        }
                    }
                    let Bound::Symbol(sym) = bound else { continue };
                    let home = self.program.file_of(sym);
                    let symbol = self.program.symbol(sym);
                    let found = match symbol.value {
                        Some(value) if symbol.kind == SymbolKind::Type => {
                            self.param_of_function_type(home, value, nth, depth + 1)
                        }
                        // A delegate has parameters of its own.
                        None if symbol.kind == SymbolKind::Type => self.nth_param(sym, nth),
                        _ => self.param_of_only_method(sym, nth),
                    };
                    all.join(&found);
                }
                if all.is_empty() {
                    all.open = true;
                }
                all
            }
            _ => ValueSet::unknown(),
        }
    }

    fn lists_parameters(&self, file: FileId, args: u32, count: u32) -> bool {
        let first = self.args(file, args, count).first().map(|arg| self.program.expr(file, arg.value));
        count == 2 && matches!(first, Some(Expr::Collection { kind: CollectionKind::List, .. }))
    }

    /// The one method that a function given for an interface implements.
    pub(crate) fn only_method(&self, sym: Sym) -> Option<Sym> {
        if !matches!(self.program.symbol(sym).kind, SymbolKind::Interface | SymbolKind::Trait) {
            return None;
        }
        let mut open = self.members_by_owner.get(&sym)?.iter().copied().filter(|member| {
            let symbol = self.program.symbol(*member);
            matches!(symbol.kind, SymbolKind::Method | SymbolKind::Prototype)
                && (symbol.flags.has(SymbolFlags::ABSTRACT) || symbol.body.is_none())
                && !symbol.flags.has(SymbolFlags::STATIC)
        });
        match (open.next(), open.next()) {
            (only, None) => only,
            _ => None,
        }
    }

    fn param_of_only_method(&mut self, sym: Sym, nth: usize) -> ValueSet {
        match self.only_method(sym) {
            Some(only) => self.nth_param(only, nth),
            None => ValueSet::unknown(),
        }
    }
}
