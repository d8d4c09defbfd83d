//! Phase 2: what does a name mean where it stands? The lexical rules, driven by each language's data.

use crate::modules::{FileId, Found};
use crate::program::Sym;
use crate::resolver::Resolver;
use crate::types::Syms;
use crate::units::UnitId;
use crate::values::External;
use mmcg_facts::{Decl, ExprId, ImportKind, NameId, ScopeId, ScopeKind, Sharing, SymbolFlags, SymbolKind, What};
use smallvec::SmallVec;

/// What a name is bound to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Bound {
    /// A symbol.
    Symbol(Sym),
    /// An import of a file, not followed yet.
    Import(FileId, u32),
    /// A parameter of the function with the scope.
    Param(FileId, ScopeId, u32),
    /// A variable of a scope.
    Variable(FileId, ScopeId, NameId),
    /// A type parameter.
    TypeParam(FileId, u32),
    /// A module, package or namespace.
    Unit(UnitId),
    /// An expression: what a file exports, an item of an object literal.
    Expr(FileId, ExprId),
    /// An attribute of a type's instances that no declaration names.
    Field(Sym, NameId),
    /// Something outside the project.
    External(External),
}

/// Several bindings of one name.
pub type Bounds = SmallVec<[Bound; 2]>;

/// Where a binding was found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Where {
    /// In a function or block around, or in the file's own scope.
    Scope,
    /// A member of a type around the code, or of its bases.
    Member(Sym),
    /// In another file of the same unit, or in a unit around.
    Unit,
    /// Through a glob import.
    Glob,
    /// The language itself has it.
    Builtin,
    /// Nowhere.
    Nowhere,
}

/// The answer to a lookup.
#[derive(Clone)]
pub struct Lookup {
    /// The bindings; empty for `Builtin` and `Nowhere`.
    pub bounds: Bounds,
    /// Where they were found.
    pub at: Where,
}

impl Lookup {
    fn at(bounds: Bounds, at: Where) -> Option<Self> {
        (!bounds.is_empty()).then_some(Self { bounds, at })
    }
}

/// More definitions of one name than this are looked through once for each file that asks.
const CROWDED: usize = 4;

impl Resolver<'_> {
    /// Looks a name up from a scope outwards. `path`: only types, modules and namespaces can be meant.
    pub fn lookup(&mut self, file: FileId, scope: ScopeId, name: NameId, path: bool) -> Lookup {
        let called = std::mem::take(&mut self.called);
        let program = self.program;
        let source = program.file(file);
        let facts = &source.facts;
        let rules = &source.rules;
        if path {
            if let Some(unit) = self.unit_of_head(file, scope, name) {
                return Lookup { bounds: Bounds::from_slice(&[Bound::Unit(unit)]), at: Where::Scope };
            }
        }
        let mut inside_function = false;
        let mut inside_type = false;
        // Code of a type outside its functions is run by the type itself.
        let mut of_type = rules.static_apart;
        let mut next = Some(scope);
        while let Some(at) = next {
            let current = facts.scopes[at.index()];
            next = current.parent;
            if current.kind == ScopeKind::Namespace && rules.module_tree {
                // An inline module sees what it declares and imports, not what is around it.
                next = None;
            }
            let found = match current.kind {
                ScopeKind::Function | ScopeKind::Block => {
                    let mut found = Lookup::at(self.declared(file, at, name, path), Where::Scope);
                    if called {
                        found = found.and_then(|found| self.without_uncallable(found));
                    }
                    let symbol = &facts.symbols[current.symbol.index()];
                    if found.is_none() && current.kind == ScopeKind::Function {
                        found = self.lookup_in_globs(file, at, name);
                    }
                    if found.is_none() && current.kind == ScopeKind::Function && symbol.body == Some(at) {
                        inside_function = true;
                        of_type = symbol.flags.has(SymbolFlags::STATIC);
                        // The type's own name is looked up around.
                        let extended = || self.extended_type(file, at).filter(|of| !self.names(file, *of, name));
                        match symbol.owner.or_else(extended) {
                            Some(owner) if rules.implicit_this => {
                                self.lookup_in_owner(file, owner, name, (path, called))
                            }
                            _ => None,
                        }
                    } else if found.is_none() && !rules.scope_functions.is_empty() {
                        self.lookup_in_lambda_object(file, at, name, (path, called))
                    } else {
                        found
                    }
                }
                ScopeKind::Class if rules.implicit_this => {
                    let own = self.declared_in_head(file, at, name);
                    if own.is_empty() {
                        let around = program.sym(file, current.symbol);
                        let found = self.lookup_in_type(around, name, of_type, (path, called));
                        match facts.symbols[current.symbol.index()].owner {
                            // A nested type that is defined outside.
                            Some(owner) if found.is_none() => self.lookup_in_owner(file, owner, name, (path, called)),
                            _ => found,
                        }
                    } else {
                        Lookup::at(own, Where::Scope)
                    }
                }
                ScopeKind::Class if !(rules.members_hidden || inside_function && rules.class_scope_hidden) => {
                    Lookup::at(self.declared(file, at, name, path), Where::Scope)
                }
                ScopeKind::Class | ScopeKind::Extension => {
                    Lookup::at(self.declared_in_head(file, at, name), Where::Scope)
                }
                ScopeKind::Namespace | ScopeKind::File => self.lookup_in_unit_scope(file, at, name, path),
            };
            let found = match found {
                Some(found) if rules.closed_functions && inside_function => self.without_variables(found),
                found => found,
            };
            let found = match found {
                Some(found) if rules.innermost_this && inside_type => self.without_methods(found),
                found => found,
            };
            let found = match found {
                Some(found) if called => self.without_uncallable(found),
                found => found,
            };
            inside_type |= current.kind == ScopeKind::Class;
            if let Some(found) = found {
                return found;
            }
        }
        if rules.builtins.binary_search_by(|b| b.as_str().cmp(program.text(name))).is_ok() {
            return Lookup { bounds: Bounds::new(), at: Where::Builtin };
        }
        if rules.closed_units && path {
            let external = Bound::External(self.external(program.text(name)));
            return Lookup { bounds: Bounds::from_slice(&[external]), at: Where::Unit };
        }
        if let Some(opened) = self.opened_head(file, name).filter(|_| path) {
            return Lookup { bounds: Bounds::from_slice(&[opened]), at: Where::Unit };
        }
        if path && rules.module_tree {
            // The name of a crate.
            let located = program.system(file).find(file, program.text(name));
            if let Some(found) = self.found_module(source.family, located.found).filter(|_| located.rest.is_empty()) {
                return Lookup { bounds: Bounds::from_slice(&[found]), at: Where::Scope };
            }
        }
        Lookup { bounds: Bounds::new(), at: Where::Nowhere }
    }

    /// `meant`: only types, modules and namespaces; what is called.
    fn lookup_in_owner(&mut self, file: FileId, owner: ExprId, name: NameId, meant: (bool, bool)) -> Option<Lookup> {
        let types = self.owner_types(file, owner);
        if types.is_empty()
            && meant.1
            && self.program.file(file).rules.root_members.iter().any(|m| m == self.program.text(name))
        {
            return Some(Lookup { bounds: Bounds::new(), at: Where::Builtin });
        }
        for &sym in &types {
            if let Some(found) = self.lookup_in_type(sym, name, false, meant) {
                return Some(found);
            }
        }
        // The code of an out-of-class definition sees what its class sees: the types and namespaces around.
        for sym in types {
            let mut around = self.types.owner_of(sym);
            while let Some(owner) = around {
                if let Some(found) = self.lookup_in_type(owner, name, false, meant) {
                    return Some(found);
                }
                around = self.types.owner_of(owner).filter(|next| *next != owner);
            }
            let home = self.program.file_of(sym);
            let mut scope = Some(self.program.symbol(sym).scope);
            while let Some(at) = scope {
                let current = self.program.file(home).facts.scopes[at.index()];
                let found = match current.kind {
                    ScopeKind::Class => self.lookup_in_type(self.program.sym(home, current.symbol), name, false, meant),
                    ScopeKind::Namespace => {
                        let unit = self.program.units.of_scope(home, at)?;
                        let found = self.unit_member(unit, name, Some(file));
                        Lookup::at(self.meant(file, found, meant.0), Where::Unit)
                    }
                    _ => None,
                };
                if found.is_some() {
                    return found;
                }
                scope = current.parent;
            }
        }
        None
    }

    /// A member of a type or of its bases as an unqualified name.
    pub(crate) fn lookup_in_type(
        &mut self,
        sym: Sym,
        name: NameId,
        of_type: bool,
        (path, called): (bool, bool),
    ) -> Option<Lookup> {
        let apart = self.program.file(self.program.file_of(sym)).rules.functions_apart;
        let functions = if apart && called { self.called_members(sym, name) } else { Syms::new() };
        let members = match apart {
            true if !functions.is_empty() => functions,
            true => self.read_members(sym, name),
            false => self.sided_members(sym, name, of_type),
        };
        let bounds: Bounds = members.iter().copied().map(Bound::Symbol).collect();
        let meant = self.meant(self.program.file_of(sym), bounds, path);
        if meant.len() < members.len() {
            return Lookup::at(meant, Where::Member(sym));
        }
        if !members.is_empty() {
            return Some(Lookup { bounds: members.into_iter().map(Bound::Symbol).collect(), at: Where::Member(sym) });
        }
        // A field that only a constructor parameter declares (PHP, Kotlin, TypeScript).
        let param = self.field_parameter(sym, name)?;
        Lookup::at(Bounds::from_slice(&[param]), Where::Member(sym))
    }

    /// A file's or namespace's scope: own declarations, then the unit's, then glob imports, then the units around.
    pub(crate) fn unremembered_in_unit_scope(
        &mut self,
        file: FileId,
        scope: ScopeId,
        name: NameId,
        path: bool,
    ) -> Option<Lookup> {
        let rules = &self.program.file(file).rules;
        let own = self.declared(file, scope, name, path);
        if !own.is_empty() && rules.sharing == Sharing::File {
            return Lookup::at(own, Where::Scope);
        }
        let unit = self.program.units.of_scope(file, scope)?;
        if rules.sharing != Sharing::File {
            let around = self.program.file(file).facts.scopes[scope.index()].parent;
            let stop = around.and_then(|_| self.unit_of_parent_scope(file, scope));
            // An own declaration that is no symbol (an import, a variable) hides the unit's.
            if own.iter().any(|b| !matches!(b, Bound::Symbol(_))) {
                return Lookup::at(own, Where::Scope);
            }
            let late = scope == ScopeId(0) && rules.nested_units;
            let mut current = Some(unit);
            while let Some(at) = current.filter(|at| Some(*at) != stop) {
                let found = self.unit_member(at, name, Some(file));
                let found = self.meant(file, found, path);
                if !found.is_empty() {
                    let found = self.nearest_definitions(file, found);
                    let elsewhere = |b: &Bound| matches!(b, Bound::Symbol(s) if self.program.file_of(*s) != file);
                    let home = if own.is_empty() || found.iter().all(elsewhere) { Where::Unit } else { Where::Scope };
                    return Lookup::at(found, home);
                }
                if at == unit {
                    if let Some(found) = self.lookup_in_sibling_units(file, scope, name) {
                        return Some(found);
                    }
                    // What a file imports for all of it is further out than the namespaces around its own.
                    let found = if late { None } else { self.lookup_in_globs(file, scope, name) };
                    if found.is_some() {
                        return found;
                    }
                }
                if !rules.nested_units && !rules.global_fallback {
                    break;
                }
                current = self.program.units.get(at).parent;
                if rules.global_fallback && path {
                    // Functions and constants have the fallback, types do not.
                    break;
                }
                if rules.global_fallback && current.is_some() && !self.is_root(current) {
                    // Only the own namespace and the global one are searched.
                    current = self.root_of(at);
                }
            }
            if late {
                if let Some(found) = self.lookup_in_globs(file, scope, name) {
                    return Some(found);
                }
            }
            if scope == ScopeId(0) {
                if let Some(found) = self.lookup_in_project(file, name) {
                    return Some(found);
                }
            }
        } else if let Some(found) = self.lookup_in_globs(file, scope, name) {
            return Some(found);
        }
        if scope == ScopeId(0) {
            let named = Lookup::at(self.import_by_package_name(file, name), Where::Scope);
            if named.is_none() && rules.sharing == Sharing::Unit {
                return Lookup::at(self.package_head(file, name).into_iter().collect(), Where::Unit);
            }
            return named;
        }
        None
    }

    /// The first segment of a package's or namespace's full name.
    fn package_head(&mut self, file: FileId, name: NameId) -> Option<Bound> {
        let source = self.program.file(file);
        if self.no_packages.contains(&(source.family, name)) {
            return None;
        }
        let found = self.program.system(file).find(file, self.program.text(name));
        let unit = match found.found {
            Found::Unit(key) if found.rest.is_empty() => self.program.units.by_key(source.family, &key),
            _ => None,
        };
        if unit.is_none() {
            self.no_packages.insert((source.family, name));
        }
        unit.map(Bound::Unit)
    }

    fn is_root(&self, unit: Option<UnitId>) -> bool {
        unit.is_some_and(|u| self.program.units.get(u).parent.is_none())
    }

    fn root_of(&self, mut unit: UnitId) -> Option<UnitId> {
        while let Some(parent) = self.program.units.get(unit).parent {
            unit = parent;
        }
        Some(unit)
    }

    fn unit_of_parent_scope(&self, file: FileId, scope: ScopeId) -> Option<UnitId> {
        let facts = &self.program.file(file).facts;
        let mut next = facts.scopes[scope.index()].parent;
        while let Some(at) = next {
            if let Some(unit) = self.program.units.of_scope(file, at) {
                return Some(unit);
            }
            next = facts.scopes[at.index()].parent;
        }
        None
    }

    /// The same package in another source root of the same build module.
    fn lookup_in_sibling_units(&mut self, file: FileId, scope: ScopeId, name: NameId) -> Option<Lookup> {
        if scope != ScopeId(0) {
            return None;
        }
        let family = self.program.file(file).family;
        for key in self.program.system(file).visible_units(file) {
            let Some(unit) = self.program.units.by_key(family, &key) else {
                continue;
            };
            if unit == self.program.units.of_file(file) {
                continue;
            }
            let found = self.unit_member(unit, name, Some(file));
            if !found.is_empty() {
                return Lookup::at(found, Where::Unit);
            }
        }
        None
    }

    /// Names that a scope's glob imports bring in; a later import wins.
    fn lookup_in_globs(&mut self, file: FileId, scope: ScopeId, name: NameId) -> Option<Lookup> {
        let program = self.program;
        for &index in self.globs(file).iter().rev() {
            let import = &program.file(file).facts.imports[index as usize];
            if import.scope == scope {
                let found = self.glob_member(file, index, name);
                if !found.is_empty() {
                    return Lookup::at(found, Where::Glob);
                }
            }
        }
        None
    }

    /// Names that the file's project brings in: imports of other files that hold for all of it, and those of its
    /// project file.
    fn lookup_in_project(&mut self, file: FileId, name: NameId) -> Option<Lookup> {
        let program = self.program;
        let system = program.system(file);
        for at in 0..self.shared_imports.len() {
            let (home, index) = self.shared_imports[at];
            if program.file(home).family != program.file(file).family || !system.shares_imports(file, home) {
                continue;
            }
            let import = &program.file(home).facts.imports[index as usize];
            let found = match import.kind {
                ImportKind::Glob => self.glob_member(home, index, name),
                _ if import.alias == name => Bounds::from_slice(&[Bound::Import(home, index)]),
                _ => Bounds::new(),
            };
            if !found.is_empty() {
                return Lookup::at(found, Where::Glob);
            }
        }
        let (project, implied) = system.implied(file);
        for (at, import) in implied.iter().enumerate() {
            if import.alias.as_ref().is_some_and(|alias| alias != program.text(name)) {
                continue;
            }
            let targets = match self.implied_modules.get(&(project, at as u32)) {
                Some(known) => known.clone(),
                None => {
                    let found = self.module_by_text(file, ScopeId(0), &import.module);
                    self.implied_modules.insert((project, at as u32), found.clone());
                    found
                }
            };
            let found = match import.alias {
                Some(_) => targets,
                None => targets.into_iter().flat_map(|target| self.brought_in(target, name)).collect(),
            };
            if !found.is_empty() {
                return Lookup::at(found, Where::Glob);
            }
        }
        None
    }

    /// A name as an import of all names of a namespace or type brings it in.
    fn brought_in(&mut self, target: Bound, name: NameId) -> Bounds {
        match target {
            Bound::Unit(unit) => self.unit_member(unit, name, None),
            Bound::Symbol(sym) => self.members(sym, name).into_iter().map(Bound::Symbol).collect(),
            _ => Bounds::new(),
        }
    }

    /// Declarations of a name in exactly one scope, by what may be meant.
    pub(crate) fn declared(&self, file: FileId, scope: ScopeId, name: NameId, path: bool) -> Bounds {
        let source = self.program.file(file);
        let decls = source.facts.declared(scope, name);
        if decls.is_empty() {
            return Bounds::new();
        }
        let mut found: Bounds =
            decls.iter().filter(|d| !path || self.may_head_a_path(file, d)).map(|d| self.bound(file, d)).collect();
        if found.len() > 1 && source.rules.module_tree {
            // A module and a function may share a name: a path goes through the module.
            let below = |b: &Bound| match b {
                Bound::Import(file, index) => {
                    self.names_submodule(*file, &self.program.file(*file).facts.imports[*index as usize])
                }
                _ => false,
            };
            if found.iter().any(below) && !found.iter().all(below) {
                found.retain(|b| below(b) == path);
            }
        }
        let found = self.meant(file, found, path);
        self.prefer(file, found)
    }

    /// Type parameters of a type, and parameters that stand in its head.
    fn declared_in_head(&self, file: FileId, scope: ScopeId, name: NameId) -> Bounds {
        let decls = self.program.file(file).facts.declared(scope, name);
        decls
            .iter()
            .filter(|d| matches!(d.what, What::TypeParam(_) | What::Param(_)))
            .map(|d| self.bound(file, d))
            .collect()
    }

    fn may_head_a_path(&self, file: FileId, decl: &Decl) -> bool {
        match decl.what {
            What::Symbol(symbol) => {
                let kind = self.program.file(file).facts.symbol(symbol).kind;
                let rules = &self.program.file(file).rules;
                kind.is_type() || kind == SymbolKind::Namespace || rules.closed_units && kind == SymbolKind::Constant
            }
            What::Import(_) | What::TypeParam(_) => true,
            What::Param(_) | What::Variable => false,
        }
    }

    pub(crate) fn bound(&self, file: FileId, decl: &Decl) -> Bound {
        match decl.what {
            What::Symbol(symbol) => Bound::Symbol(self.program.sym(file, symbol)),
            What::Import(index) => Bound::Import(file, index),
            What::Param(index) => Bound::Param(file, decl.scope, index),
            What::Variable => Bound::Variable(file, decl.scope, decl.name),
            What::TypeParam(index) => Bound::TypeParam(file, index),
        }
    }

    /// Of several bindings of one name in one scope: definitions before declarations, and, where names are not
    /// overloaded, the last one.
    pub(crate) fn prefer(&self, file: FileId, found: Bounds) -> Bounds {
        let mut found = self.without_aside(found);
        if found.len() < 2 || self.differ_by_arity(file, &found) {
            return found;
        }
        let real = |b: &Bound| !matches!(b, Bound::Symbol(s) if !self.is_definition(*s));
        if found.iter().any(real) {
            found.retain(|b| real(b));
        }
        let overloads = self.program.file(file).rules.overloads;
        let beside = self.calls_values(file);
        let several = |b: &Bound| {
            let kind = |s: &Sym| self.program.symbol(*s).kind;
            matches!(b, Bound::Symbol(s) if kind(s).is_callable() || beside && kind(s).is_type())
        };
        if found.len() > 1 && !(overloads && found.iter().all(several)) {
            // A namespace or type and a value may share a name: keep one of each.
            let last_value = found.iter().rev().find(|b| !self.names_a_type(b)).copied();
            let last_type = found.iter().rev().find(|b| self.names_a_type(b)).copied();
            let conditional = last_value.is_some_and(|b| matches!(b, Bound::Import(..) | Bound::Variable(..)));
            if conditional {
                // `try: from a import f; except ImportError: f = None` and the like: any of them.
                let mut seen = Bounds::new();
                found.into_iter().for_each(|b| {
                    if !seen.contains(&b) {
                        seen.push(b)
                    }
                });
                return seen;
            }
            let mut kept = self.last_standing(found.iter().copied().filter(|b| !self.names_a_type(b)).collect());
            kept.extend(last_type);
            return kept;
        }
        found
    }

    /// Of several definitions of one name in one scope those that may be the one that holds: the last, and where that
    /// stands under a condition, those before it down to one that does not.
    pub(crate) fn last_standing(&self, mut found: Bounds) -> Bounds {
        // `TEST(open) {` defines what the macro says, beside a function of that name.
        let made =
            |b: &Bound| matches!(b, Bound::Symbol(s) if self.program.symbol(*s).flags.has(SymbolFlags::MACRO_MADE));
        if found.iter().any(made) && !found.iter().all(made) {
            found.retain(|b| !made(b));
        }
        let conditional =
            |b: &Bound| matches!(b, Bound::Symbol(s) if self.program.symbol(*s).flags.has(SymbolFlags::CONDITIONAL));
        let from = found.iter().rposition(|b| !conditional(b)).unwrap_or(0);
        found[from..].into()
    }

    fn names_a_type(&self, bound: &Bound) -> bool {
        match bound {
            Bound::Symbol(sym) => {
                let kind = self.program.symbol(*sym).kind;
                kind == SymbolKind::Namespace || matches!(kind, SymbolKind::Interface | SymbolKind::Type)
            }
            _ => false,
        }
    }

    pub(crate) fn is_definition(&self, sym: Sym) -> bool {
        let symbol = self.program.symbol(sym);
        symbol.kind != SymbolKind::Prototype && !symbol.flags.has(SymbolFlags::OVERLOAD_SIGNATURE)
    }

    /// Members that a unit offers under a name. `from`: the file that asks; what is local to other files is left out.
    pub fn unit_member(&mut self, unit: UnitId, name: NameId, from: Option<FileId>) -> Bounds {
        if self.guard.contains(&(unit, name)) || self.guard.len() > 64 {
            return Bounds::new();
        }
        // A name that many files define is looked through once for each file that asks.
        let crowded = self.program.units.members(unit, name).len() > CROWDED;
        if crowded {
            if let Some(known) = self.crowded_members.get(&(unit, name, from)) {
                return known.clone();
            }
        }
        self.guard.push((unit, name));
        let found = self.unit_member_unguarded(unit, name, from);
        self.guard.pop();
        if crowded && self.guard.is_empty() {
            self.crowded_members.insert((unit, name, from), found.clone());
        }
        found
    }

    fn unit_member_unguarded(&mut self, unit: UnitId, name: NameId, from: Option<FileId>) -> Bounds {
        let program = self.program;
        let data = program.units.get(unit);
        let mut found = Bounds::new();
        if let Some(&(home, _)) = data.scopes.first() {
            let heads = &program.file(home).rules.path_heads;
            if heads.get(program.text(name)).is_some_and(|meaning| meaning == "parent_module") {
                return self.parent_unit(unit).map(Bound::Unit).into_iter().collect();
            }
        }
        if data.scopes.len() == 1 {
            let (file, scope) = data.scopes[0];
            if scope == ScopeId(0) {
                let exports = &program.file(file).facts.exports;
                let named = exports.iter().rposition(|e| e.name == name && name != program.known.empty);
                found.extend(named.map(|index| Bound::Expr(file, exports[index].value)));
            }
            if found.is_empty() && name == program.known.default {
                let facts = &program.file(file).facts;
                let marked = facts.symbols.iter().rposition(|s| s.flags.has(SymbolFlags::DEFAULT_EXPORT));
                found.extend(marked.map(|local| Bound::Symbol(program.sym(file, mmcg_facts::SymbolId::from(local)))));
            }
            if found.is_empty() {
                let outside = from != Some(file) && program.file(file).rules.sharing == Sharing::File;
                let decls = program.file(file).facts.declared(scope, name);
                let visible = decls.iter().filter(|d| self.visible_outside(file, d, outside, from));
                found = visible.map(|d| self.bound(file, d)).collect();
                found = self.prefer(file, found);
            }
        } else {
            for &(file, position) in program.units.members(unit, name) {
                let decl = program.file(file).facts.decls[position as usize];
                if self.visible_outside(file, &decl, false, from) {
                    found.push(self.bound(file, &decl));
                }
            }
            found = self.of_build(from, found);
            if let Some(from) = from {
                found = self.prefer_linked(from, found);
            }
        }
        // A module may share its name with a function.
        let below = !found.is_empty() && self.declares_submodule(unit, name);
        if below {
            let module = program.systems[data.system].submodule(&data.key, program.text(name));
            found.extend(self.found_module(data.family, module));
        }
        if let Some(child) = program.units.child(unit, name).filter(|_| !below) {
            if !found.iter().any(|b| matches!(b, Bound::Symbol(s) if program.symbol(*s).kind != SymbolKind::Namespace))
            {
                found.clear();
                found.push(Bound::Unit(child));
            }
        }
        if found.is_empty() {
            found = self.exported_by_globs(unit, name);
        }
        if found.is_empty() {
            found = self.opened_member(unit, name, from);
        }
        if found.is_empty() {
            let module = program.systems[data.system].submodule(&data.key, program.text(name));
            found.extend(self.found_module(data.family, module));
        }
        found
    }

    /// Whether a unit says that a module of that name is below it.
    fn declares_submodule(&self, unit: UnitId, name: NameId) -> bool {
        let program = self.program;
        let scopes = &program.units.get(unit).scopes;
        let Some(&(home, _)) = scopes.first() else { return false };
        if program.file(home).rules.path_heads.is_empty() {
            return false;
        }
        scopes.iter().any(|&(file, scope)| {
            let facts = &program.file(file).facts;
            facts.declared(scope, name).iter().any(
                |decl| matches!(decl.what, What::Import(at) if !facts.imports[at as usize].aside && self.names_submodule(file, &facts.imports[at as usize])),
            )
        })
    }

    /// Whether a declaration can be seen by code elsewhere.
    fn visible_outside(&self, file: FileId, decl: &Decl, outside: bool, from: Option<FileId>) -> bool {
        let facts = &self.program.file(file).facts;
        match decl.what {
            What::Import(index) => {
                // A `mod x;`-like import is a member although nothing says so.
                let import = &facts.imports[index as usize];
                // Of `mod x;` the module system knows what it means. What code names by a path it may see, also what
                // the modules around it import for themselves.
                !self.names_submodule(file, import)
                    && (import.exported
                        || from.is_some() && self.program.file(file).rules.module_tree
                        || from == Some(file)
                        || (outside && import.kind == ImportKind::Module))
            }
            What::Symbol(symbol) => {
                let local = facts.symbol(symbol).flags.has(SymbolFlags::FILE_LOCAL);
                !local
                    || from == Some(file)
                    || self.included[file.0 as usize] && from.is_some_and(|from| self.includes(from, file))
            }
            _ => true,
        }
    }

    fn exported_by_globs(&mut self, unit: UnitId, name: NameId) -> Bounds {
        let Some(globs) = self.unit_globs.get(&unit).cloned() else { return Bounds::new() };
        for &(file, index) in globs.iter() {
            let found = self.glob_member(file, index, name);
            if !found.is_empty() {
                return found;
            }
        }
        Bounds::new()
    }

    /// A name as a glob import of a file brings it in.
    fn glob_member(&mut self, file: FileId, import: u32, name: NameId) -> Bounds {
        let program = self.program;
        let mut all = Bounds::new();
        for target in self.import_module(file, import) {
            let found = match target {
                Bound::Unit(unit) => {
                    let visible = match program.units.get(unit).scopes.first() {
                        Some(&(home, ScopeId(0))) if program.file(home).rules.sharing == Sharing::File => {
                            let source = program.file(home);
                            match &source.facts.public_names {
                                Some(listed) => listed.contains(&name),
                                None => {
                                    name != program.known.default
                                        && !(source.rules.glob_hides_underscore && program.text(name).starts_with('_'))
                                }
                            }
                        }
                        _ => true,
                    };
                    // `use super::*` also brings what the module around imports.
                    if visible {
                        let home = program.units.get(unit).scopes.first().map(|(home, _)| *home);
                        let text = program.text(program.file(file).facts.imports[import as usize].module);
                        let around = self.starts_above(file, text);
                        let found = self.unit_member(unit, name, home.filter(|_| around));
                        if found.is_empty() {
                            self.member_of_parts(file, unit, name)
                        } else {
                            found
                        }
                    } else {
                        Bounds::new()
                    }
                }
                other => self.brought_in(other, name),
            };
            all.extend(found);
        }
        all
    }

    /// A module as a binding.
    pub(crate) fn found_module(&mut self, family: u16, found: Found) -> Option<Bound> {
        match found {
            Found::File(file) => Some(Bound::Unit(self.program.units.of_file(file))),
            Found::Unit(key) => self.program.units.by_key(family, &key).map(Bound::Unit),
            Found::External(name) => Some(Bound::External(self.external(&name))),
            Found::Missing => None,
        }
    }
}
