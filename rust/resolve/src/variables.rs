//! Type variables that are values of the language (`T = TypeVar("T", bound=Shape)`): what they stand for.
//!
//! As keys of an environment (`generics`) they have a file of their own: a symbol is one in the whole program.

use crate::lookup::Bound;
use crate::modules::FileId;
use crate::program::Sym;
use crate::resolver::Resolver;
use crate::values::{How, Value, ValueSet};
use mmcg_facts::{Expr, ExprId, LiteralKind, ParamKind, ScopeId, Site, SiteId, SymbolFlags, SymbolKind};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::rc::Rc;

/// The file of keys that are symbols.
const ANYWHERE: FileId = FileId(u32::MAX);

/// Type parameters of a type, as keys of an environment.
pub(crate) type Parameters = SmallVec<[(FileId, u32); 2]>;

/// What was found out about type variables.
#[derive(Default)]
pub(crate) struct TypeVariables {
    /// The call that makes a variable's value, where it is a type variable.
    made: FxHashMap<Sym, Option<SiteId>>,
    /// Type variables that a type has as parameters.
    of_types: FxHashMap<Sym, Rc<[Sym]>>,
    /// The type variable that a function says it gives.
    given: FxHashMap<Sym, Option<Sym>>,
}

impl Resolver<'_> {
    /// The call that makes a type variable.
    fn type_variable(&mut self, sym: Sym) -> Option<SiteId> {
        if let Some(known) = self.variables.made.get(&sym) {
            return *known;
        }
        let made = self.making_call(sym);
        self.variables.made.insert(sym, made);
        made
    }

    fn making_call(&mut self, sym: Sym) -> Option<SiteId> {
        let program = self.program;
        let file = program.file_of(sym);
        let makers = &program.file(file).rules.library.type_variables;
        let symbol = program.symbol(sym);
        if makers.is_empty() || !matches!(symbol.kind, SymbolKind::Variable | SymbolKind::Constant) {
            return None;
        }
        let Expr::Call(site) = program.expr(file, symbol.value?) else { return None };
        let maker = self.library_name(file, program.file(file).facts.site(site).callee)?;
        let last = maker.rsplit('.').next().unwrap_or(&maker);
        makers.iter().any(|known| known == last).then_some(site)
    }

    /// The type variable that a type expression is.
    fn named_variable(&mut self, file: FileId, expr: ExprId) -> Option<Sym> {
        if !matches!(self.program.expr(file, expr), Expr::Name { .. } | Expr::Member { .. }) {
            return None;
        }
        match self.type_bounds(file, expr)[..] {
            [Bound::Symbol(sym)] if self.type_variable(sym).is_some() => Some(sym),
            _ => None,
        }
    }

    /// What a type variable stands for: in the environment at hand, else any object of its bound. Nothing where the symbol
    /// is no type variable.
    pub(crate) fn variable_instances(&mut self, sym: Sym) -> Option<ValueSet> {
        let program = self.program;
        let site = self.type_variable(sym)?;
        if let Some(given) = self.type_argument(ANYWHERE, sym.0) {
            return Some(given);
        }
        let file = program.file_of(sym);
        let args = program.file(file).facts.site(site).args.clone();
        let mut all = ValueSet::unknown();
        for arg in self.args(file, args.start, args.end - args.start).to_vec().into_iter().skip(1) {
            let bound = arg.name.is_none_or(|name| program.text(name) == program.file(file).rules.library.bound);
            if bound {
                let found = self.instances_of_bounding(file, arg.value);
                all.join(&found);
            }
        }
        Some(all.weaken(How::Declared))
    }

    /// Objects of the type that a bound names, maybe as a text.
    fn instances_of_bounding(&mut self, file: FileId, expr: ExprId) -> ValueSet {
        let Expr::Literal(LiteralKind::String, name) = self.program.expr(file, expr) else {
            return self.instances(file, expr);
        };
        let found = self.lookup_type(file, ScopeId::from(0usize), name, false).bounds;
        let mut all = ValueSet::unknown();
        for bound in self.follow_all(found) {
            if let Bound::Symbol(sym) = bound {
                if self.program.symbol(sym).kind.is_type() {
                    all.add(Value::Instance(self.types.whole(sym)), How::Declared);
                }
            }
        }
        all
    }

    /// The type parameters of a type: its own, or the type variables among the arguments of its bases.
    pub(crate) fn parameters_of(&mut self, sym: Sym) -> Parameters {
        let home = self.program.file_of(sym);
        let own = self.program.symbol(sym).type_params.clone();
        if !own.is_empty() || self.program.file(home).rules.library.type_variables.is_empty() {
            return own.map(|parameter| (home, parameter)).collect();
        }
        self.variables_of(sym).iter().map(|variable| (ANYWHERE, variable.0)).collect()
    }

    fn variables_of(&mut self, sym: Sym) -> Rc<[Sym]> {
        if let Some(known) = self.variables.of_types.get(&sym) {
            return Rc::clone(known);
        }
        let mut found: Vec<Sym> = Vec::new();
        for base in self.types.bases.get(&sym).cloned().unwrap_or_default() {
            let Expr::Index { object, args, count } = self.program.expr(base.file, base.expr) else { continue };
            let mut own = Vec::new();
            for arg in self.args(base.file, args, count).to_vec() {
                own.extend(self.named_variable(base.file, arg.value));
            }
            let last = self.last_name(base.file, object).map_or("", |name| self.program.text(name));
            if base.target.is_none() && self.program.file(base.file).rules.bare_types.iter().any(|bare| bare == last) {
                // `Generic[K, V]` says all of them, in order.
                found = own;
                break;
            }
            for variable in own {
                if !found.contains(&variable) {
                    found.push(variable);
                }
            }
        }
        let found: Rc<[Sym]> = found.into();
        self.variables.of_types.insert(sym, Rc::clone(&found));
        found
    }

    /// Whether a declared type says no more of a receiver than that it is one (`self: T`, `cls: type[T]`).
    pub(crate) fn is_variable_receiver(&mut self, file: FileId, declared: ExprId) -> bool {
        !self.program.file(file).rules.library.type_variables.is_empty()
            && self.receiver_variable(file, declared).is_some()
    }

    fn receiver_variable(&mut self, file: FileId, declared: ExprId) -> Option<Sym> {
        match self.program.expr(file, declared) {
            Expr::Index { object, args, count: 1 } => {
                let last = self.last_name(file, object).map_or("", |name| self.program.text(name));
                let library = &self.program.file(file).rules.library;
                let class = library.class_types.iter().any(|class| class == last);
                let of = self.args(file, args, 1)[0].value;
                self.named_variable(file, of).filter(|_| class)
            }
            _ => self.named_variable(file, declared),
        }
    }

    /// The type variable that a function says it gives.
    fn given_variable(&mut self, sym: Sym) -> Option<Sym> {
        if let Some(known) = self.variables.given.get(&sym) {
            return *known;
        }
        let home = self.program.file_of(sym);
        let declared = self.program.symbol(sym).declared;
        let known = !self.program.file(home).rules.library.type_variables.is_empty();
        let given = declared.filter(|_| known).and_then(|declared| self.named_variable(home, declared));
        self.variables.given.insert(sym, given);
        given
    }

    /// Whether a function gives an object of its receiver's own type by a type variable that both have.
    pub(crate) fn gives_receiver(&mut self, sym: Sym) -> bool {
        let Some(given) = self.given_variable(sym) else { return false };
        let home = self.program.file_of(sym);
        let first = self.program.symbol(sym).params.start as usize;
        let receiver = self.program.file(home).facts.params.get(first).filter(|p| p.kind == ParamKind::Receiver);
        receiver.and_then(|p| p.declared).is_some_and(|d| self.receiver_variable(home, d) == Some(given))
    }

    /// What a call gives where the function's result and a parameter have one type variable.
    pub(crate) fn given_for_variable(&mut self, file: FileId, site: &Site, sym: Sym) -> Option<ValueSet> {
        let program = self.program;
        let symbol = program.symbol(sym);
        let variable = self.given_variable(sym).filter(|_| !symbol.flags.has(SymbolFlags::GENERATOR))?;
        let (home, body) = (program.file_of(sym), symbol.body?);
        for index in symbol.params.clone() {
            let param = program.file(home).facts.params[index as usize];
            let normal = matches!(param.kind, ParamKind::Normal | ParamKind::Positional | ParamKind::Keyword);
            let Some(declared) = param.declared.filter(|_| normal) else { continue };
            let whole = self.named_variable(home, declared) == Some(variable);
            let Some(slot) = self.slot(home, body, index, false) else { continue };
            let found = match program.expr(home, declared) {
                _ if whole => self.given_by(file, site.args.start, site.args.end, &slot),
                Expr::Index { object, args, count: 1.. } => {
                    let first = self.args(home, args, 1)[0].value;
                    if self.named_variable(home, first) != Some(variable) {
                        continue;
                    }
                    let rules = &program.file(home).rules;
                    let last = self.last_name(home, object).map_or("", |name| program.text(name));
                    let (class, row) = (
                        rules.library.class_types.iter().any(|class| class == last),
                        rules.element_types.get(last) == Some(&0),
                    );
                    let given = self.given_by(file, site.args.start, site.args.end, &slot);
                    match (class, row) {
                        (true, _) => self.made_of(&given),
                        (_, true) => self.elements(&given),
                        _ => continue,
                    }
                }
                _ => continue,
            };
            if !found.is_empty() {
                return Some(found);
            }
        }
        None
    }
}
