//! Languages whose names with external linkage are one pool: types and values apart, declarations and their
//! definitions, functions found through their arguments.

use crate::lookup::{Bound, Bounds, Lookup, Where};
use crate::modules::FileId;
use crate::program::Sym;
use crate::resolver::Resolver;
use crate::types::Syms;
use crate::units::UnitId;
use crate::values::{Value, ValueSet};
use mmcg_facts::{Expr, ExprId, NameId, ParamKind, ScopeId, Sharing, Site, SymbolFlags, SymbolKind};

impl Resolver<'_> {
    pub(crate) fn is_linked(&self, file: FileId) -> bool {
        self.program.file(file).rules.sharing == Sharing::Linkage
    }

    /// A macro holds from its definition on: what a called name means without those of the file that come later.
    pub(crate) fn defined_before(&mut self, file: FileId, site: &Site, name: NameId, found: Lookup) -> Lookup {
        let program = self.program;
        let macros = |s: Sym| program.symbol(s).kind == SymbolKind::Macro;
        let later = |s: Sym| macros(s) && program.file_of(s) == file && program.symbol(s).place.line > site.place.line;
        let any = found.bounds.iter().any(|b| matches!(b, Bound::Symbol(s) if later(*s)));
        // What a macro's text calls is known where the macro is used.
        if !any || macros(self.caller(file, site)) {
            return found;
        }
        let seen = |s: &Sym| {
            let home = program.file_of(*s);
            let local = program.symbol(*s).flags.has(SymbolFlags::FILE_LOCAL);
            !local || home == file || self.included[home.0 as usize] && self.includes(file, home)
        };
        let all = self.declared_in(program.units.of_file(file), name);
        let left: Bounds = all.into_iter().filter(|s| !later(*s) && seen(s)).map(Bound::Symbol).collect();
        let left = self.without_aside(left);
        let own = |b: &Bound| matches!(b, Bound::Symbol(s) if program.file_of(*s) == file && self.is_definition(*s));
        let at = match (left.is_empty(), left.iter().any(own)) {
            (true, _) => Where::Nowhere,
            (_, true) => Where::Scope,
            _ => Where::Unit,
        };
        Lookup { bounds: self.prefer_linked(file, left), at }
    }

    /// Of several things of one name those that the place means: types where a type is wanted, else values before types.
    pub(crate) fn meant(&self, file: FileId, mut found: Bounds, path: bool) -> Bounds {
        if found.is_empty() || !self.types_apart(file) {
            return found;
        }
        let value = |b: &Bound| match b {
            Bound::Symbol(sym) => {
                let kind = self.program.symbol(*sym).kind;
                !kind.is_type() && kind != SymbolKind::Namespace
            }
            Bound::Param(..) | Bound::Variable(..) | Bound::Field(..) | Bound::Expr(..) => true,
            _ => false,
        };
        if path {
            found.retain(|b| !value(b));
        } else if found.iter().any(value) {
            found.retain(|b| value(b));
        }
        found
    }

    fn types_apart(&self, file: FileId) -> bool {
        let rules = &self.program.file(file).rules;
        rules.values_hide_types || rules.types_apart
    }

    /// Looks up a name that stands in the place of a type: where values may have the name of a type, the type is meant.
    pub(crate) fn lookup_type(&mut self, file: FileId, scope: ScopeId, name: NameId, path: bool) -> Lookup {
        if !path && self.types_apart(file) {
            let found = self.lookup(file, scope, name, true);
            // A type from outside is not the member that has its name.
            if !found.bounds.is_empty() || self.program.file(file).rules.types_apart {
                return found;
            }
        }
        self.lookup(file, scope, name, path)
    }

    /// Members that are declared in their type and defined outside it are one: the definition, with what the
    /// declaration says.
    pub(crate) fn link_prototypes(&mut self) {
        let mut keys: Vec<(Sym, NameId)> =
            self.types.members.iter().filter(|(_, m)| m.len() > 1).map(|(k, _)| *k).collect();
        keys.sort_unstable();
        for key in keys {
            let members = self.types.members[&key].clone();
            let prototype = |s: &Sym| self.program.symbol(*s).kind == SymbolKind::Prototype;
            let (prototypes, definitions): (Syms, Syms) = members.iter().copied().partition(|s| prototype(s));
            if prototypes.is_empty() || definitions.is_empty() {
                continue;
            }
            let mut left: Syms = prototypes.clone();
            for definition in definitions.iter().copied() {
                let fits = |p: &Sym| self.same_parameter_types(*p, definition);
                let twin = left.iter().position(|p| fits(p) && self.are_alike_constant(*p, definition));
                let same = twin.or_else(|| left.iter().position(fits));
                let count = |s: Sym| self.program.symbol(s).params.len();
                let found = same.or_else(|| {
                    let mut fitting = left.iter().enumerate().filter(|(_, p)| count(**p) == count(definition));
                    fitting.next().filter(|_| fitting.next().is_none()).map(|(at, _)| at)
                });
                if let Some(at) = found {
                    self.types.declared_by.insert(definition, left.remove(at));
                }
            }
            let kept = members.into_iter().filter(|s| !prototype(s) || left.contains(s)).collect();
            self.types.members.insert(key, kept);
        }
    }

    /// A symbol's properties with those of its declaration elsewhere.
    pub(crate) fn flags_of(&self, sym: Sym) -> SymbolFlags {
        let mut flags = self.program.symbol(sym).flags;
        if let Some(declaration) = self.types.declared_by.get(&sym) {
            flags.set(self.program.symbol(*declaration).flags);
        }
        flags
    }

    /// Whether a member may be replaced because a member of a base that it replaces may be.
    pub(crate) fn inherits_virtual(&mut self, sym: Sym) -> bool {
        let Some(owner) = self.types.owner_of(sym) else { return false };
        if !self.is_linked(self.program.file_of(sym)) {
            return false;
        }
        let name = self.program.symbol(sym).name;
        let bases = self.base_members(owner, name);
        bases.iter().any(|base| self.flags_of(*base).has(SymbolFlags::VIRTUAL) && self.same_shape(*base, sym))
    }

    /// How many arguments a function needs by the declaration that is seen elsewhere, where default values stand.
    pub(crate) fn declared_required(&self, sym: Sym) -> Option<usize> {
        let program = self.program;
        let count = program.symbol(sym).params.len();
        let required = |s: Sym| {
            let file = program.file(program.file_of(s));
            let params = program.symbol(s).params.clone();
            let given = params.filter(|i| {
                let param = &file.facts.params[*i as usize];
                param.required && param.kind != ParamKind::Receiver
            });
            given.count()
        };
        if let Some(declaration) = self.types.declared_by.get(&sym) {
            return Some(required(*declaration));
        }
        let file = program.file_of(sym);
        if !self.is_linked(file) || self.types.owner_of(sym).is_some() {
            return None;
        }
        let unit = self.unit_around_scope(file, program.symbol(sym).scope)?;
        let same = self.declared_in(unit, program.symbol(sym).name);
        let prototypes = same.into_iter().filter(|s| {
            let symbol = program.symbol(*s);
            symbol.kind == SymbolKind::Prototype && symbol.params.len() == count
        });
        prototypes.map(required).min()
    }

    /// All symbols that a unit declares under a name, prototypes and local ones too.
    pub(crate) fn declared_in(&self, unit: UnitId, name: NameId) -> Syms {
        let program = self.program;
        let symbol = |file: FileId, decl: &mmcg_facts::Decl| match decl.what {
            mmcg_facts::What::Symbol(local) => Some(program.sym(file, local)),
            _ => None,
        };
        let scopes = &program.units.get(unit).scopes;
        if let [(file, scope)] = scopes[..] {
            return program.file(file).facts.declared(scope, name).iter().filter_map(|d| symbol(file, d)).collect();
        }
        let members = program.units.members(unit, name).iter();
        members.filter_map(|(file, at)| symbol(*file, &program.file(*file).facts.decls[*at as usize])).collect()
    }

    /// Of the functions of one name in a pool with overloads, one for each list of parameters: the nearest.
    pub(crate) fn nearest_overloads(&self, from: FileId, found: Bounds) -> Bounds {
        let program = self.program;
        let symbol = |b: &Bound| if let Bound::Symbol(s) = b { Some(*s) } else { None };
        let callable = |b: &Bound| symbol(b).is_some_and(|s| program.symbol(s).kind.is_callable());
        if !found.iter().all(callable) {
            return found;
        }
        let syms: Vec<Sym> = found.iter().filter_map(symbol).collect();
        let visible = |s: &Sym| {
            let home = program.file_of(*s);
            home == from || self.includes(from, home)
        };
        let headers: Vec<FileId> =
            syms.iter().filter(|s| !self.is_definition(**s) && visible(s)).map(|s| program.file_of(*s)).collect();
        let rank = |s: &Sym| {
            let home = program.file_of(*s);
            match self.is_definition(*s) {
                true if home == from => 0,
                true if self.includes(from, home) => 1,
                true if self.file_imports[home.0 as usize].iter().any(|f| headers.contains(f)) => 2,
                true => 4,
                false if visible(s) => 3,
                false => 5,
            }
        };
        let mut ranked: Vec<(u32, Sym)> = syms.iter().map(|s| (rank(s), *s)).collect();
        ranked.sort_unstable();
        let best = ranked[0].0;
        let mut kept: Vec<(u32, Sym)> = Vec::new();
        for (rank, sym) in ranked {
            // Far definitions count only where nothing near is known.
            if rank > 3 && best <= 3 && !self.implements_seen(sym, &syms, &visible) {
                continue;
            }
            let known = kept.iter().find(|(_, k)| self.same_parameter_types(*k, sym));
            // Two definitions of the same rank for one declaration: both may be meant.
            if known.is_none_or(|(r, _)| *r == rank && self.is_definition(sym)) {
                kept.push((rank, sym));
            }
        }
        kept.sort_by_key(|(_, sym)| *sym);
        kept.into_iter().map(|(_, sym)| Bound::Symbol(sym)).collect()
    }

    /// Whether a definition has the parameters of a declaration that is seen.
    fn implements_seen(&self, sym: Sym, all: &[Sym], visible: &dyn Fn(&Sym) -> bool) -> bool {
        self.is_definition(sym)
            && all.iter().any(|s| !self.is_definition(*s) && visible(s) && self.same_parameter_types(*s, sym))
    }

    /// Functions in the namespaces of the types of a call's arguments.
    pub(crate) fn by_arguments(&mut self, file: FileId, name: NameId, values: &[ValueSet]) -> Bounds {
        let mut units: Vec<UnitId> = Vec::new();
        for set in values {
            for (value, _) in set.iter() {
                let Value::Instance(sym) = self.plain(value) else { continue };
                for at in self.order(sym).iter() {
                    let home = self.program.file_of(*at);
                    let unit = self.unit_around_scope(home, self.program.symbol(*at).scope);
                    units.extend(unit.filter(|u| !units.contains(u)));
                }
            }
        }
        let mut found = Bounds::new();
        for unit in units {
            for bound in self.unit_member(unit, name, Some(file)) {
                let callable = matches!(bound, Bound::Symbol(s) if self.program.symbol(s).kind.is_callable());
                if callable && !found.contains(&bound) {
                    found.push(bound);
                }
            }
        }
        found
    }

    /// The function that an operator calls where the left operand's type has no member for it.
    pub(crate) fn free_operator(&mut self, file: FileId, site: &Site, left: &ValueSet, name: NameId) -> Option<Sym> {
        let mut values = vec![left.clone()];
        let args = self.args(file, site.args.start, site.args.end - site.args.start).to_vec();
        for arg in args {
            values.push(self.eval(file, arg.value));
        }
        let known = |set: &ValueSet| set.iter().any(|(v, _)| matches!(self.plain(v), Value::Instance(_)));
        if !values.iter().any(known) {
            return None;
        }
        let mut candidates = self.lookup(file, site.scope, name, false).bounds;
        candidates.extend(self.by_arguments(file, name, &values));
        let mut best: Option<(u32, Sym)> = None;
        let mut several = false;
        let mut seen = Syms::new();
        for bound in candidates {
            let Bound::Symbol(sym) = bound else { continue };
            if seen.contains(&sym) {
                continue;
            }
            seen.push(sym);
            let Some(score) = self.fits_operands(sym, &values) else { continue };
            match best {
                Some((known, _)) if known > score => {}
                Some((known, _)) if known == score => several = true,
                _ => (best, several) = (Some((score, sym)), false),
            }
        }
        best.filter(|_| !several).map(|(_, sym)| sym)
    }

    /// How many operands have exactly the declared types of a function's parameters; `None` if one cannot.
    fn fits_operands(&mut self, sym: Sym, values: &[ValueSet]) -> Option<u32> {
        let symbol = self.program.symbol(sym);
        let home = self.program.file_of(sym);
        if !symbol.kind.is_callable() || symbol.params.len() != values.len() || self.types.owner_of(sym).is_some() {
            return None;
        }
        let mut score = 0;
        for (index, given) in symbol.params.clone().zip(values) {
            let declared = self.program.file(home).facts.params[index as usize].declared;
            let Some(declared) = declared else { continue };
            let wanted = self.instances(home, declared);
            for (want, _) in wanted.iter() {
                for (value, _) in given.iter() {
                    let (value, want) = (self.plain(value), self.plain(want));
                    match (value, want) {
                        (Value::Instance(a), Value::Instance(b)) if self.order(a).contains(&b) => score += 1,
                        (_, Value::Instance(b))
                            if !matches!(value, Value::Literal(_)) || !self.constructors(b).is_empty() =>
                        {
                            if matches!(value, Value::Instance(_)) {
                                return None;
                            }
                        }
                        (Value::Instance(_), Value::External(_) | Value::Generic(..)) => return None,
                        (_, Value::Instance(_)) => return None,
                        _ => {}
                    }
                }
            }
        }
        (score > 0).then_some(score)
    }

    /// Whether an expression is a pointer or array by its declaration.
    pub(crate) fn is_pointer(&mut self, file: FileId, expr: ExprId) -> bool {
        let bounds = match self.program.expr(file, expr) {
            Expr::Name { name, scope, path } => self.lookup(file, scope, name, path).bounds,
            Expr::Member { object, name, .. } => {
                let objects = self.eval(file, object);
                self.members_of_values(file, &objects, name).into_iter().map(|(bound, _)| bound).collect()
            }
            Expr::Cast(_, to) => return matches!(self.program.expr(file, to), Expr::Deref(_)),
            Expr::Receiver(..) => return true,
            _ => return false,
        };
        let deref = |file: FileId, declared: Option<ExprId>| {
            declared.is_some_and(|d| matches!(self.program.expr(file, d), Expr::Deref(_)))
        };
        bounds.iter().any(|bound| match *bound {
            Bound::Param(home, _, index) => deref(home, self.program.file(home).facts.params[index as usize].declared),
            Bound::Variable(home, scope, name) => {
                self.program.file(home).facts.bound(scope, name).iter().any(|bind| deref(home, bind.declared))
            }
            Bound::Symbol(sym) => deref(self.program.file_of(sym), self.program.symbol(sym).declared),
            _ => false,
        })
    }
}
