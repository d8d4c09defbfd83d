//! Languages in which functions and variables of one name live side by side: what is called is a function, what is
//! read is not.

use crate::lookup::{Bound, Bounds, Lookup, Where};
use crate::modules::FileId;
use crate::program::Sym;
use crate::receivers::Received;
use crate::resolver::Resolver;
use crate::types::Syms;
use mmcg_facts::{Expr, ExprId, NameId, ScopeId, ScopeKind, Site, SymbolFlags, SymbolKind};

/// Aliases and alternatives are followed so deep.
const DEEPEST: u32 = 6;

impl Resolver<'_> {
    /// Looks up a called name.
    pub(crate) fn lookup_called(&mut self, file: FileId, scope: ScopeId, name: NameId, path: bool) -> Lookup {
        let program = self.program;
        let source = program.file(file);
        if !source.rules.functions_apart {
            return self.lookup(file, scope, name, path);
        }
        if self.calls_values(file) {
            self.called = true;
            let found = self.lookup(file, scope, name, path);
            // A value that is not known to be a function is called where there is nothing else.
            let nothing = found.bounds.is_empty() && found.at != Where::Builtin;
            return if nothing { self.lookup(file, scope, name, path) } else { found };
        }
        let mut next = Some(scope);
        while let Some(at) = next {
            let current = source.facts.scopes[at.index()];
            next = current.parent;
            let (found, place) = match current.kind {
                ScopeKind::Function | ScopeKind::Block => {
                    (self.functions_of(self.declared(file, at, name, false)), Where::Scope)
                }
                ScopeKind::Class => {
                    let sym = self.types.whole(program.sym(file, current.symbol));
                    let members = self.called_members(sym, name);
                    (members.into_iter().map(Bound::Symbol).collect(), Where::Member(sym))
                }
                ScopeKind::Extension | ScopeKind::Namespace => continue,
                ScopeKind::File => {
                    let found = self.lookup(file, at, name, false);
                    let imported = found.bounds.iter().any(|b| matches!(b, Bound::Import(..)));
                    let followed = self.follow_all(found.bounds);
                    let place = if imported { Where::Glob } else { found.at };
                    (self.functions_of(followed), place)
                }
            };
            if !found.is_empty() {
                return Lookup { bounds: found, at: place };
            }
        }
        let text = program.text(name);
        let known = source.rules.root_members.iter().any(|m| m == text);
        Lookup { bounds: Bounds::new(), at: if known { Where::Builtin } else { Where::Nowhere } }
    }

    /// Whether what is called may be a type or a value, too, where no function is nearer (Kotlin).
    pub(crate) fn calls_values(&self, file: FileId) -> bool {
        let rules = &self.program.file(file).rules;
        rules.functions_apart && !rules.call_member.is_empty()
    }

    /// What may be called of what a name is bound to.
    pub(crate) fn without_uncallable(&mut self, mut found: Lookup) -> Option<Lookup> {
        if found.at == Where::Builtin {
            return Some(found);
        }
        let mut kept = Bounds::new();
        for bound in found.bounds {
            if self.is_callable(bound) {
                kept.push(bound);
            }
        }
        found.bounds = kept;
        (!found.bounds.is_empty()).then_some(found)
    }

    /// Whether a call can mean a function, a type, or a value that is written as a function or declared as one.
    fn is_callable(&mut self, bound: Bound) -> bool {
        let program = self.program;
        let shaped =
            |this: &mut Self, file: FileId, declared: Option<ExprId>, value: Option<ExprId>| match (declared, value) {
                (Some(declared), _) => this.is_function_type(file, declared, 0),
                (None, Some(value)) => this.is_function_value(file, value, 0),
                (None, None) => true,
            };
        match bound {
            Bound::Symbol(sym) => {
                let (file, symbol) = (program.file_of(sym), program.symbol(sym));
                match symbol.kind {
                    SymbolKind::Namespace | SymbolKind::Module | SymbolKind::Variant => false,
                    SymbolKind::Variable | SymbolKind::Constant
                        if symbol.declared.is_none() && symbol.value.is_none() =>
                    {
                        self.is_callable(Bound::Variable(file, symbol.scope, symbol.name))
                    }
                    SymbolKind::Property => symbol.declared.is_some_and(|of| self.is_function_type(file, of, 0)),
                    kind if kind.is_callable() || kind.is_type() => true,
                    _ => shaped(self, file, symbol.declared, symbol.value),
                }
            }
            Bound::Param(file, _, index) => {
                let param = program.file(file).facts.params[index as usize];
                shaped(self, file, param.declared, param.default)
            }
            Bound::Variable(file, scope, name) => {
                if let Some(declared) = self.declared_variable(file, scope, name) {
                    return self.is_function_type(file, declared, 0);
                }
                let binds = program.file(file).facts.bound(scope, name);
                binds.is_empty() || binds.iter().any(|bind| shaped(self, file, None, bind.value))
            }
            Bound::Field(owner, name) => self.field_parameter(owner, name).is_none_or(|param| self.is_callable(param)),
            Bound::TypeParam(..) | Bound::Unit(_) => false,
            Bound::Import(..) | Bound::External(_) | Bound::Expr(..) => true,
        }
    }

    pub(crate) fn is_function_type(&mut self, file: FileId, declared: ExprId, depth: u32) -> bool {
        let program = self.program;
        match program.expr(file, declared) {
            Expr::Lambda(_) | Expr::Unknown => true,
            Expr::Deref(of) | Expr::OfType(of) => self.is_function_type(file, of, depth),
            Expr::Name { .. } | Expr::Member { .. } | Expr::Index { .. } if depth < DEEPEST => {
                let bounds = self.type_bounds(file, declared);
                bounds.into_iter().any(|bound| match bound {
                    Bound::Symbol(sym) => match program.symbol(sym).value {
                        Some(value) => self.is_function_type(program.file_of(sym), value, depth + 1),
                        None => {
                            let invoke = program.name(&program.file(program.file_of(sym)).rules.call_member);
                            invoke.is_some_and(|invoke| !self.members(sym, invoke).is_empty())
                        }
                    },
                    _ => false,
                })
            }
            _ => false,
        }
    }

    fn is_function_value(&self, file: FileId, value: ExprId, depth: u32) -> bool {
        match self.program.expr(file, value) {
            Expr::Lambda(_) => true,
            Expr::Symbol(symbol) => self.program.file(file).facts.symbol(symbol).kind.is_callable(),
            Expr::Choice(a, b) if depth < DEEPEST => {
                self.is_function_value(file, a, depth + 1) || self.is_function_value(file, b, depth + 1)
            }
            _ => false,
        }
    }

    /// The parameter of a type, or of one of its bases, that declares a field.
    pub(crate) fn field_parameter(&mut self, sym: Sym, name: NameId) -> Option<Bound> {
        let order = self.order(sym);
        order.iter().find_map(|at| self.types.field_params.get(&(*at, name)).copied())
    }

    fn functions_of(&self, found: Bounds) -> Bounds {
        found.into_iter().filter(|b| self.may_be_called(b)).collect()
    }

    fn may_be_called(&self, bound: &Bound) -> bool {
        match bound {
            Bound::Symbol(sym) => self.is_function(*sym),
            Bound::External(_) => true,
            _ => false,
        }
    }

    pub(crate) fn is_function(&self, sym: Sym) -> bool {
        let kind = self.program.symbol(sym).kind;
        kind.is_callable() && kind != SymbolKind::Property
    }

    /// Functions of a name among the members of a type and its bases.
    pub(crate) fn called_members(&mut self, sym: Sym, name: NameId) -> Syms {
        let all = self.all_members(sym, name);
        all.into_iter().filter(|s| self.is_function(*s)).collect()
    }

    /// Functions of a name that are called on an object of a type.
    pub(crate) fn called_on(&mut self, sym: Sym, name: NameId) -> Syms {
        let mut found = self.called_members(sym, name);
        found.retain(|s| !self.extends_another(*s));
        found
    }

    /// Whether a member of one type is an extension of another: it is no member of its own type's objects for others.
    pub(crate) fn extends_another(&self, sym: Sym) -> bool {
        let (symbol, file) = (self.program.symbol(sym), self.program.file_of(sym));
        symbol.flags.has(SymbolFlags::EXTENSION) && self.calls_values(file) && self.types.owner_of(sym).is_some()
    }

    /// What is called among what a name means: where types are structural, interfaces and aliases are nothing at run time.
    pub(crate) fn without_types_alone(&self, file: FileId, mut bounds: Bounds) -> Bounds {
        let alone = |b: &Bound| {
            matches!(b, Bound::Symbol(s)
                if matches!(self.program.symbol(*s).kind, SymbolKind::Interface | SymbolKind::Type))
        };
        if bounds.len() > 1 && self.program.file(file).rules.structural && !bounds.iter().all(alone) {
            bounds.retain(|b| !alone(b));
        }
        bounds
    }

    /// Of types and functions of one name, what a call means: an interface is not made, and of the others the arguments
    /// tell.
    pub(crate) fn types_or_functions(&mut self, file: FileId, site: &Site, bounds: Bounds) -> Bounds {
        let symbols: Syms =
            bounds.iter().filter_map(|b| if let Bound::Symbol(s) = b { Some(*s) } else { None }).collect();
        let functions: Syms = symbols.iter().copied().filter(|s| self.is_function(*s)).collect();
        if functions.is_empty() || functions.len() == symbols.len() || symbols.len() < bounds.len() {
            return bounds;
        }
        let made = |s: &Sym| {
            let kind = self.program.symbol(*s).kind;
            kind.is_type() && kind != SymbolKind::Interface && kind != SymbolKind::Type
        };
        let types: Syms = symbols.iter().copied().filter(made).collect();
        let mut all = Syms::new();
        for sym in &types {
            let constructors = self.constructors(*sym);
            let primary = constructors.is_empty() || !self.program.symbol(*sym).params.is_empty();
            all.extend(constructors);
            all.extend(primary.then_some(*sym));
        }
        all.retain(|sym| self.takes_count(*sym, site));
        let taking: Syms = functions.iter().copied().filter(|sym| self.takes_count(*sym, site)).collect();
        let chosen = match (all.is_empty(), taking.is_empty()) {
            (true, _) => functions,
            (false, true) => types,
            (false, false) => {
                all.extend(taking);
                let chosen = self.fitting(file, site, all);
                if chosen.iter().all(|sym| functions.contains(sym)) {
                    chosen
                } else {
                    types
                }
            }
        };
        chosen.into_iter().map(Bound::Symbol).collect()
    }

    /// What is no function among the nearest members of a name.
    pub(crate) fn read_members(&mut self, sym: Sym, name: NameId) -> Syms {
        let all = self.all_members(sym, name);
        let mut found = Syms::new();
        for member in all {
            let nearest = found.first().is_none_or(|first| self.types.owner_of(*first) == self.types.owner_of(member));
            if nearest && !self.is_function(member) {
                found.push(member);
            }
        }
        found
    }

    /// Keeps of the members found under a name those that the use can mean.
    pub(crate) fn apart(&mut self, file: FileId, members: &mut Vec<Received>, called: bool) {
        if !self.program.file(file).rules.functions_apart {
            return;
        }
        if called && self.calls_values(file) {
            members.retain(|(bound, _)| !matches!(bound, Bound::Symbol(sym) if self.extends_another(*sym)));
            let callable: Vec<bool> = members.iter().map(|(bound, _)| self.is_callable(*bound)).collect();
            if callable.contains(&true) {
                let mut callable = callable.into_iter();
                members.retain(|_| callable.next().unwrap_or(true));
            }
            return;
        }
        if called {
            members.retain(|(bound, _)| self.may_be_called(bound));
        } else if members.iter().any(|(bound, _)| !self.may_be_called(bound)) {
            // A reference to a method is read, too: only a field hides it.
            members.retain(|(bound, _)| !self.may_be_called(bound));
        }
    }
}
