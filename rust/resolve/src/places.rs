//! Where lambdas stand, and which type is declared there: at a variable, a field, a function's result or argument, an entry
//! of an object or list of a declared type, or by a cast.

use crate::lookup::Bound;
use crate::modules::FileId;
use crate::program::Sym;
use crate::resolver::Resolver;
use crate::values::{Value, ValueSet};
use mmcg_facts::{CollectionKind, Expr, ExprId, NameId, ParamKind, ScopeId, Site, SiteId, SymbolId, SymbolKind};

/// Declared types are followed through so many objects and functions around a lambda.
const DEEPEST: u32 = 8;

/// Where an expression stands.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Place {
    /// It is an argument of a call, at a position.
    Argument(SiteId, u32),
    /// It is assigned to a variable.
    Variable(ScopeId, NameId),
    /// It is assigned to a member of an object.
    Member(ExprId, NameId),
    /// It is the value of a symbol.
    Value(SymbolId),
    /// It is what a function or lambda gives back.
    Returned(ScopeId),
    /// It is an entry of a collection, with its key if there is one.
    Entry(ExprId, Option<NameId>),
    /// It is one of several that an expression may be.
    Choice(ExprId),
    /// It is cast to a type.
    Cast(ExprId),
}

/// What is declared for a value: a type, or a function that it must be like.
#[derive(Clone, Copy, Debug)]
enum Wanted {
    Type(FileId, ExprId),
    Like(Sym),
}

impl Resolver<'_> {
    /// Remembers where lambdas, and the expressions around them, stand.
    pub(crate) fn index_places(&mut self) {
        let program = self.program;
        for (index, file) in program.files.iter().enumerate() {
            let (id, facts) = (FileId(index as u32), &file.facts);
            let mut place = |value: ExprId, at: Place| {
                let around = |expr: &Expr| {
                    matches!(expr, Expr::Lambda(_) | Expr::Symbol(_) | Expr::Collection { .. } | Expr::Choice(..))
                };
                if around(&facts.exprs[value.index()]) {
                    self.places.insert((id, value), at);
                }
            };
            for (number, expr) in facts.exprs.iter().enumerate() {
                let at = ExprId::from(number);
                match *expr {
                    Expr::Collection { args, count, .. } => {
                        for arg in &facts.args[args as usize..(args + count) as usize] {
                            place(arg.value, Place::Entry(at, arg.name));
                        }
                    }
                    Expr::Choice(a, b) => [a, b].into_iter().for_each(|each| place(each, Place::Choice(at))),
                    Expr::Cast(value, kind) => place(value, Place::Cast(kind)),
                    _ => {}
                }
            }
            for (number, symbol) in facts.symbols.iter().enumerate() {
                if let (Some(value), Some(_)) = (symbol.value, symbol.declared) {
                    place(value, Place::Value(SymbolId::from(number)));
                }
            }
            for bind in &facts.binds {
                bind.value.into_iter().for_each(|value| place(value, Place::Variable(bind.scope, bind.name)));
            }
            for bind in &facts.member_binds {
                bind.value.into_iter().for_each(|value| place(value, Place::Member(bind.object, bind.name)));
            }
            for returned in facts.returns.iter().filter(|returned| !returned.yielded) {
                place(returned.value, Place::Returned(returned.scope));
            }
            // Last, because what is given to a function is told by it, whatever else it is.
            for (number, site) in facts.sites.iter().enumerate() {
                for (position, arg) in facts.args[site.args.start as usize..site.args.end as usize].iter().enumerate() {
                    place(arg.value, Place::Argument(SiteId::from(number), position as u32));
                }
            }
            for (number, expr) in facts.exprs.iter().enumerate() {
                let at = ExprId::from(number);
                let scope = match *expr {
                    Expr::Lambda(scope) => Some(scope),
                    Expr::Symbol(symbol) => facts.symbol(symbol).body.filter(|_| self.places.contains_key(&(id, at))),
                    _ => None,
                };
                scope.into_iter().for_each(|scope| {
                    self.lambda_exprs.entry((id, scope)).or_insert(at);
                });
            }
        }
    }

    /// The call that a lambda is an argument of, and its position there.
    pub(crate) fn lambda_site(&self, file: FileId, scope: ScopeId) -> Option<(SiteId, u32)> {
        let expr = *self.lambda_exprs.get(&(file, scope))?;
        match (self.program.expr(file, expr), self.places.get(&(file, expr))) {
            (Expr::Lambda(_), Some(&Place::Argument(site, position))) => Some((site, position)),
            _ => None,
        }
    }

    /// What a lambda's parameter is by the type that is declared where the lambda stands.
    pub(crate) fn param_by_place(&mut self, file: FileId, scope: ScopeId, index: u32) -> ValueSet {
        let nth = self.lambda_params(file, scope).iter().position(|param| *param == index);
        let (Some(nth), Some(&lambda)) = (nth, self.lambda_exprs.get(&(file, scope))) else {
            return ValueSet::unknown();
        };
        let mut all = ValueSet::default();
        for wanted in self.wanted_at(file, lambda, 0) {
            let found = match wanted {
                Wanted::Type(home, declared) => self.nth_of_function_type(home, declared, nth),
                Wanted::Like(sym) => self.nth_param(sym, nth),
            };
            all.join(&found);
        }
        if all.is_empty() {
            all.open = true;
        }
        all
    }

    fn nth_of_function_type(&mut self, home: FileId, declared: ExprId, nth: usize) -> ValueSet {
        let found = self.param_of_function_type(home, declared, nth, 0);
        match found.is_empty() {
            true => self.parameter_of_function_type(home, declared, nth),
            false => found,
        }
    }

    /// What the n-th parameter of a function is declared to be.
    pub(crate) fn nth_param(&mut self, sym: Sym, nth: usize) -> ValueSet {
        match self.nth_declared(sym, nth) {
            Some((home, declared)) => self.instances(home, declared),
            None => ValueSet::unknown(),
        }
    }

    fn nth_declared(&self, sym: Sym, nth: usize) -> Option<(FileId, ExprId)> {
        let home = self.program.file_of(sym);
        let facts = &self.program.file(home).facts;
        let params = self.program.symbol(sym).params.clone().map(|at| &facts.params[at as usize]);
        let param = params.filter(|param| param.kind != ParamKind::Receiver).nth(nth)?;
        Some((home, param.declared?))
    }

    /// The type that a function declares for an argument of a call: by its keyword, or else by its position.
    pub(crate) fn declared_of_argument(
        &self,
        file: FileId,
        site: &Site,
        position: u32,
        sym: Sym,
    ) -> Option<(FileId, ExprId)> {
        let given = &self.program.file(file).facts.args[(site.args.start + position) as usize];
        let Some(keyword) = given.name else { return self.nth_declared(sym, position as usize) };
        let home = self.program.file_of(sym);
        let facts = &self.program.file(home).facts;
        let mut params = self.program.symbol(sym).params.clone().map(|at| &facts.params[at as usize]);
        Some((home, params.find(|param| param.name == keyword)?.declared?))
    }

    /// What is declared for the value that stands where an expression does.
    fn wanted_at(&mut self, file: FileId, expr: ExprId, depth: u32) -> Vec<Wanted> {
        let Some(&place) = self.places.get(&(file, expr)).filter(|_| depth < DEEPEST) else { return Vec::new() };
        let facts = &self.program.file(file).facts;
        match place {
            Place::Argument(site, position) => {
                let site = facts.site(site);
                let targets: Vec<Sym> = self.targets(file, site).symbols().collect();
                let declared =
                    targets.into_iter().filter_map(|sym| self.declared_of_argument(file, site, position, sym));
                declared.map(|(home, declared)| Wanted::Type(home, declared)).collect()
            }
            Place::Variable(scope, name) => {
                let declared = self.declared_variable(file, scope, name);
                declared.map(|declared| Wanted::Type(file, declared)).into_iter().collect()
            }
            Place::Value(symbol) => {
                facts.symbol(symbol).declared.map(|declared| Wanted::Type(file, declared)).into_iter().collect()
            }
            Place::Cast(declared) => vec![Wanted::Type(file, declared)],
            Place::Choice(around) => self.wanted_at(file, around, depth + 1),
            Place::Member(object, name) => {
                let objects = self.eval(file, object);
                self.declared_members(&objects, name)
            }
            Place::Returned(scope) => self.wanted_of_result(file, scope, depth),
            Place::Entry(around, name) => {
                let mut all = Vec::new();
                for wanted in self.wanted_at(file, around, depth + 1) {
                    let Wanted::Type(home, declared) = wanted else { continue };
                    match name {
                        Some(name) => {
                            let objects = self.instances(home, declared);
                            all.extend(self.declared_members(&objects, name));
                        }
                        None => all.extend(self.declared_element(home, declared)),
                    }
                }
                all
            }
        }
    }

    /// What is declared for what a function or lambda gives back.
    fn wanted_of_result(&mut self, file: FileId, scope: ScopeId, depth: u32) -> Vec<Wanted> {
        let program = self.program;
        if let Some(&lambda) = self.lambda_exprs.get(&(file, scope)) {
            let mut all = Vec::new();
            for wanted in self.wanted_at(file, lambda, depth + 1) {
                all.extend(match wanted {
                    Wanted::Type(home, declared) => self.result_of_function_type(home, declared, depth),
                    Wanted::Like(sym) => self.declared_result(sym),
                });
            }
            return all;
        }
        match program.function_around(file, scope) {
            Some((body, symbol)) if body == scope => {
                self.declared_result(program.sym(file, symbol)).into_iter().collect()
            }
            _ => Vec::new(),
        }
    }

    fn declared_result(&self, sym: Sym) -> Option<Wanted> {
        let declared = self.program.symbol(sym).declared?;
        Some(Wanted::Type(self.program.file_of(sym), declared))
    }

    /// The result's type of a function type: written out, named by an alias, the one method of an interface, or the last
    /// argument of a function type from outside.
    fn result_of_function_type(&mut self, file: FileId, declared: ExprId, depth: u32) -> Option<Wanted> {
        let program = self.program;
        if depth > DEEPEST {
            return None;
        }
        if let Expr::Lambda(scope) = program.expr(file, declared) {
            let given = program.file(file).facts.returned(scope).first()?.value;
            let declared = if let Expr::OfType(declared) = program.expr(file, given) { declared } else { given };
            return Some(Wanted::Type(file, declared));
        }
        for bound in self.type_bounds(file, declared) {
            let Bound::Symbol(sym) = bound else { continue };
            if let Some(only) = self.only_method(sym) {
                return self.declared_result(only);
            }
            let value = program.symbol(sym).value?;
            return self.result_of_function_type(program.file_of(sym), value, depth + 1);
        }
        let rules = &program.file(file).rules;
        let text = self.last_name(file, declared).map(|name| program.text(name))?;
        let Expr::Index { args, count, .. } = program.expr(file, declared) else { return None };
        let gives =
            rules.function_arities.contains_key(text) && !rules.function_actions.iter().any(|each| each == text);
        let last = self.args(file, args, count).last().filter(|_| gives)?;
        Some(Wanted::Type(file, last.value))
    }

    /// What is declared for the members of a name that objects have.
    fn declared_members(&mut self, objects: &ValueSet, name: NameId) -> Vec<Wanted> {
        let program = self.program;
        let mut all = Vec::new();
        for (value, _) in objects.iter() {
            match self.plain(value) {
                // A type written out: its entries are types.
                Value::Collection(home, written) => {
                    let Expr::Collection { args, count, .. } = program.expr(home, written) else { continue };
                    let entry = self.args(home, args, count).iter().find(|arg| arg.name == Some(name)).copied();
                    all.extend(entry.map(|arg| Wanted::Type(home, arg.value)));
                }
                Value::Instance(sym) => {
                    for member in self.members(sym, name) {
                        let symbol = program.symbol(member);
                        let home = program.file_of(member);
                        match symbol.declared {
                            _ if symbol.kind.is_callable() && symbol.kind != SymbolKind::Property => {
                                all.push(Wanted::Like(member));
                            }
                            Some(declared) => all.push(Wanted::Type(home, declared)),
                            None => {}
                        }
                    }
                }
                _ => {}
            }
        }
        all
    }

    /// The type of a list's elements.
    fn declared_element(&mut self, file: FileId, declared: ExprId) -> Option<Wanted> {
        match self.program.expr(file, declared) {
            Expr::Collection { kind: CollectionKind::List, args, count: 1 } => {
                Some(Wanted::Type(file, self.args(file, args, 1)[0].value))
            }
            Expr::Index { object, args, count } => {
                let rules = &self.program.file(file).rules;
                let text = self.last_name(file, object).map(|name| self.program.text(name))?;
                let at = *rules.element_types.get(text)?;
                let arg = self.args(file, args, count).get(at)?;
                Some(Wanted::Type(file, arg.value))
            }
            _ => None,
        }
    }
}
