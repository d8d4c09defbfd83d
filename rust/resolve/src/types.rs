//! Phase 4a: which members does each type have, and which bases? Members written elsewhere are attached to their type.

use crate::lookup::{Bound, Bounds};
use crate::modules::FileId;
use crate::program::Sym;
use crate::resolver::Resolver;
use crate::values::Value;
use mmcg_facts::{BaseKind, Expr, ExprId, NameId, ReceiverKind, ScopeId, ScopeKind, SymbolFlags, SymbolKind};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

/// A base of a type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BaseRef {
    /// The base in the project, if it is there.
    pub target: Option<Sym>,
    /// How it is a base.
    pub kind: BaseKind,
    /// Where it is written.
    pub file: FileId,
    /// The expression that names it.
    pub expr: ExprId,
}

/// Several symbols.
pub type Syms = SmallVec<[Sym; 2]>;

/// Assignments to a member: file, and position in its `member_binds`.
pub(crate) type Assignments = SmallVec<[(FileId, u32); 2]>;

/// Members, bases and related types of the whole program.
#[derive(Default)]
pub struct Types {
    /// Members by type and name, in source order.
    pub(crate) members: FxHashMap<(Sym, NameId), Syms>,
    /// Bases in written order.
    pub(crate) bases: FxHashMap<Sym, Vec<BaseRef>>,
    /// Direct subtypes in symbol order.
    pub(crate) subtypes: FxHashMap<Sym, Vec<Sym>>,
    /// The type that an extension scope adds to.
    pub(crate) extension_targets: FxHashMap<(FileId, ScopeId), Sym>,
    /// The type of a symbol that is written outside it.
    pub(crate) owners: FxHashMap<Sym, Sym>,
    /// Other parts of a type → its first part.
    pub(crate) parts: FxHashMap<Sym, Sym>,
    /// Definition → the declaration in its type that it is for.
    pub(crate) declared_by: FxHashMap<Sym, Sym>,
    /// Fields that only a constructor parameter declares.
    pub(crate) field_params: FxHashMap<(Sym, NameId), Bound>,
    /// Assignments to members of the object at hand: positions in `member_binds`.
    pub(crate) assigned: FxHashMap<(Sym, NameId), Assignments>,
    /// Extension methods by name.
    pub(crate) extensions: FxHashMap<NameId, Syms>,
    /// Members that stand in the implementation of an interface, with the interface.
    pub(crate) implementing: FxHashMap<Sym, Sym>,
    /// Members that types have by their bounds: by name, with the bound that must hold.
    pub(crate) blankets: FxHashMap<NameId, Vec<(Sym, FileId, Option<ExprId>)>>,
    /// Orders of bases that were computed.
    pub(crate) orders: FxHashMap<Sym, std::rc::Rc<Vec<Sym>>>,
}

impl Types {
    /// The first part of a type that is declared in several parts.
    pub fn whole(&self, sym: Sym) -> Sym {
        self.parts.get(&sym).copied().unwrap_or(sym)
    }

    /// The type whose member a symbol is, if it is one.
    pub fn owner_of(&self, sym: Sym) -> Option<Sym> {
        self.owners.get(&sym).copied()
    }
}

impl Resolver<'_> {
    /// Attaches members and bases to their types.
    pub(crate) fn attach_types(&mut self) {
        self.join_parts();
        self.attach_lexical_members();
        // Owners and targets are named by types: first of all files, then attached together, so that the order of
        // files does not matter.
        // Types first, as long as each round finds types whose owners the round before attached.
        let mut attached = FxHashSet::default();
        for _ in 0..4 {
            let types = self.members_written_outside(true);
            let before = attached.len();
            for (owner, sym) in types {
                if attached.insert(sym) {
                    self.attach(owner, sym);
                }
            }
            self.forget();
            if attached.len() == before {
                break;
            }
        }
        let outside = self.members_written_outside(false);
        for (owner, sym) in outside {
            self.attach(owner, sym);
        }
        self.link_prototypes();
        self.list_members();
        self.forget();
        self.attach_bases();
        self.types.orders.clear();
        self.attach_structural();
        self.forget();
        self.index_assignments();
        self.index_implementing();
        self.index_blankets();
        self.forget();
        self.index_held_functions();
        self.forget();
    }

    fn list_members(&mut self) {
        let mut all: Vec<(Sym, Sym)> = Vec::new();
        for ((owner, _), members) in &self.types.members {
            all.extend(members.iter().map(|sym| (*owner, *sym)));
        }
        all.sort();
        for (owner, sym) in all {
            self.members_by_owner.entry(owner).or_default().push(sym);
        }
    }

    fn attach(&mut self, owner: Sym, sym: Sym) {
        let name = self.program.symbol(sym).name;
        self.types.owners.insert(sym, owner);
        self.types.members.entry((owner, name)).or_default().push(sym);
    }

    /// Parts of one type: same unit, same qualified name, as many type parameters, marked partial.
    fn join_parts(&mut self) {
        let program = self.program;
        let mut first: FxHashMap<(crate::units::UnitId, NameId, usize), Sym> = FxHashMap::default();
        for (index, file) in program.files.iter().enumerate() {
            let id = FileId(index as u32);
            for (local, symbol) in file.facts.symbols.iter().enumerate() {
                if symbol.flags.has(SymbolFlags::PARTIAL) && symbol.kind.is_type() {
                    let Some(unit) = self.unit_around_scope(id, symbol.scope) else {
                        continue;
                    };
                    let sym = Sym(file.first + local as u32);
                    let whole = *first.entry((unit, symbol.qualified, symbol.type_params.len())).or_insert(sym);
                    if whole != sym {
                        self.types.parts.insert(sym, whole);
                    }
                }
            }
        }
    }

    fn attach_lexical_members(&mut self) {
        let program = self.program;
        for (index, file) in program.files.iter().enumerate() {
            let id = FileId(index as u32);
            for (local, symbol) in file.facts.symbols.iter().enumerate() {
                let sym = Sym(file.first + local as u32);
                if symbol.flags.has(SymbolFlags::EXTENSION) {
                    self.types.extensions.entry(symbol.name).or_default().push(sym);
                }
                let scope = &file.facts.scopes[symbol.scope.index()];
                if scope.kind == ScopeKind::Class && symbol.owner.is_none() {
                    let owner = self.types.whole(program.sym(id, scope.symbol));
                    self.attach(owner, sym);
                    if symbol.kind == SymbolKind::Variant {
                        self.attach_field_params(id, sym, sym);
                    }
                    if symbol.kind == SymbolKind::Constructor || self.is_constructor_name(sym, owner) {
                        self.attach_field_params(id, sym, owner);
                    }
                } else if symbol.kind.is_type() && symbol.body.is_some() {
                    // Kotlin and C# records: the type's own parameters are its primary constructor's.
                    self.attach_field_params(id, sym, sym);
                }
            }
        }
    }

    fn attach_field_params(&mut self, file: FileId, sym: Sym, owner: Sym) {
        let symbol = self.program.symbol(sym);
        let scope = symbol.body.unwrap_or(symbol.scope);
        for index in symbol.params.clone() {
            let param = &self.program.file(file).facts.params[index as usize];
            if param.field {
                let bound = Bound::Param(file, scope, index);
                self.types.field_params.insert((owner, param.name), bound);
            }
        }
    }

    /// Whether a member's name is one that a construction runs.
    pub(crate) fn is_constructor_name(&self, sym: Sym, owner: Sym) -> bool {
        let rules = &self.program.file(self.program.file_of(sym)).rules;
        let symbol = self.program.symbol(sym);
        rules.constructors.iter().any(|name| {
            if name == "<type>" {
                symbol.name == self.program.symbol(owner).name
            } else {
                self.program.text(symbol.name) == name
            }
        })
    }

    fn members_written_outside(&mut self, types: bool) -> Vec<(Sym, Sym)> {
        let program = self.program;
        let mut found = Vec::new();
        for (index, file) in program.files.iter().enumerate() {
            let id = FileId(index as u32);
            for extension in file.facts.extensions.iter().filter(|_| !types) {
                if let Some(&target) = self.owner_types(id, extension.target).first() {
                    self.types.extension_targets.insert((id, extension.scope), target);
                }
            }
            for (local, symbol) in file.facts.symbols.iter().enumerate() {
                let sym = Sym(file.first + local as u32);
                if types != (symbol.kind.is_type() && symbol.owner.is_some()) {
                    continue;
                }
                let owner = match symbol.owner {
                    Some(owner) => self.owner_types(id, owner).first().copied(),
                    None if file.facts.scopes[symbol.scope.index()].kind == ScopeKind::Extension => {
                        self.types.extension_targets.get(&(id, symbol.scope)).copied()
                    }
                    None => None,
                };
                if let Some(owner) = owner.filter(|owner| *owner != sym) {
                    found.push((owner, sym));
                }
            }
        }
        found
    }

    /// The types that an expression names, as the owner of a member.
    pub(crate) fn owner_types(&mut self, file: FileId, expr: ExprId) -> Syms {
        let found = self.type_bounds(file, expr);
        found
            .into_iter()
            .filter_map(|bound| match bound {
                Bound::Symbol(sym) if self.program.symbol(sym).kind.is_type() => Some(self.types.whole(sym)),
                _ => None,
            })
            .collect()
    }

    /// What a type expression names, without its arguments.
    pub(crate) fn type_bounds(&mut self, file: FileId, expr: ExprId) -> Bounds {
        let found = self.types_named(file, expr);
        let given = self.given_arity(file, expr);
        self.of_arity(file, found, given)
    }

    /// The same, whatever the number of its arguments.
    fn types_named(&mut self, file: FileId, expr: ExprId) -> Bounds {
        match self.program.expr(file, expr) {
            Expr::Name { name, scope, path } => {
                let found = self.lookup_type(file, scope, name, path).bounds;
                self.follow_all(found)
            }
            Expr::Member { object, name, .. } => {
                let at = self.type_bounds(file, object);
                let found = self.members_of_bounds(file, &at, name);
                self.follow_all(found)
            }
            Expr::Index { object, .. } => self.types_named(file, object),
            Expr::Deref(object) | Expr::Await(object) => self.type_bounds(file, object),
            Expr::OfType(of) => self.type_bounds(file, of),
            Expr::Receiver(ReceiverKind::SelfType | ReceiverKind::StaticType | ReceiverKind::This, scope) => {
                self.type_around(file, scope).map(Bound::Symbol).into_iter().collect()
            }
            Expr::Symbol(symbol) => Bounds::from_slice(&[Bound::Symbol(self.program.sym(file, symbol))]),
            // A mixin application or a class made by a call: what it returns.
            Expr::Call(_) => {
                let values = self.eval(file, expr);
                values
                    .iter()
                    .filter_map(|(value, _)| match value {
                        Value::Symbol(sym) => Some(Bound::Symbol(sym)),
                        Value::External(external) => Some(Bound::External(external)),
                        _ => None,
                    })
                    .collect()
            }
            _ => Bounds::new(),
        }
    }

    /// The type whose member code is written in, if any.
    pub(crate) fn type_around(&mut self, file: FileId, scope: ScopeId) -> Option<Sym> {
        let program = self.program;
        let facts = &program.file(file).facts;
        let mut next = Some(scope);
        while let Some(at) = next {
            let current = facts.scopes[at.index()];
            match current.kind {
                ScopeKind::Class => return Some(self.types.whole(program.sym(file, current.symbol))),
                ScopeKind::Extension => return self.types.extension_targets.get(&(file, at)).copied(),
                ScopeKind::Function => {
                    let sym = program.sym(file, current.symbol);
                    let symbol = program.symbol(sym);
                    if symbol.body == Some(at) && symbol.owner.is_some() {
                        if let Some(owner) = self.types.owner_of(sym) {
                            return Some(owner);
                        }
                    }
                }
                _ => {}
            }
            next = current.parent;
        }
        None
    }

    fn attach_bases(&mut self) {
        let program = self.program;
        let mut all: Vec<(Sym, BaseRef)> = Vec::new();
        for (index, file) in program.files.iter().enumerate() {
            let id = FileId(index as u32);
            for base in &file.facts.bases {
                let sym = self.types.whole(program.sym(id, base.symbol));
                let target = self.base_target(id, base.base, sym);
                if base.kind == BaseKind::Meta {
                    self.objects.metaclasses.extend(target.map(|target| (sym, target)));
                    continue;
                }
                // Where the list of bases does not say it, what they are does.
                let interface = |sym: Sym| program.symbol(sym).kind == SymbolKind::Interface;
                let implemented = base.kind == BaseKind::Extends && target.is_some_and(interface) && !interface(sym);
                let kind = if implemented { BaseKind::Implements } else { base.kind };
                all.push((sym, BaseRef { target, kind, file: id, expr: base.base }));
            }
            for extension in &file.facts.extensions {
                let target = self.types.extension_targets.get(&(id, extension.scope)).copied();
                if let (Some(sym), Some(interface)) = (target, extension.interface) {
                    let target = self.base_target(id, interface, sym);
                    all.push((sym, BaseRef { target, kind: BaseKind::Implements, file: id, expr: interface }));
                }
            }
        }
        let mut missing = Vec::new();
        for (sym, base) in all {
            if base.target.is_none() {
                missing.push((sym, base.file, base.expr));
            }
            self.add_base(sym, base);
        }
        // A type may be named that a base has inside: known only now.
        for _ in 0..3 {
            let before = missing.len();
            self.types.orders.clear();
            let mut left = Vec::new();
            for (sym, file, expr) in std::mem::take(&mut missing) {
                match self.base_target(file, expr, sym) {
                    None => left.push((sym, file, expr)),
                    Some(target) => self.set_base(sym, expr, file, target),
                }
            }
            missing = left;
            if missing.len() == before {
                break;
            }
        }
    }

    fn add_base(&mut self, sym: Sym, base: BaseRef) {
        if let Some(target) = base.target {
            let subtypes = self.types.subtypes.entry(target).or_default();
            if !subtypes.contains(&sym) {
                subtypes.push(sym);
            }
        }
        self.types.bases.entry(sym).or_default().push(base);
    }

    fn set_base(&mut self, sym: Sym, expr: ExprId, file: FileId, target: Sym) {
        let subtypes = self.types.subtypes.entry(target).or_default();
        if !subtypes.contains(&sym) {
            subtypes.push(sym);
            subtypes.sort();
        }
        let bases = self.types.bases.entry(sym).or_default();
        bases.iter_mut().filter(|b| b.file == file && b.expr == expr).for_each(|b| b.target = Some(target));
    }

    fn base_target(&mut self, file: FileId, expr: ExprId, of: Sym) -> Option<Sym> {
        let found = self.type_bounds(file, expr);
        let named = found.into_iter().find_map(|bound| match bound {
            Bound::Symbol(sym) => Some(sym),
            _ => None,
        })?;
        let named = self.through_aliases(named);
        let target = self.types.whole(named);
        (target != of && self.program.symbol(target).kind.is_type()).then_some(target)
    }

    /// A type alias stands for the type it names.
    pub(crate) fn through_aliases(&mut self, mut sym: Sym) -> Sym {
        for _ in 0..8 {
            let symbol = self.program.symbol(sym);
            let aliases = matches!(symbol.kind, SymbolKind::Type | SymbolKind::Variable | SymbolKind::Constant);
            let layout = self.layout(sym);
            let Some(value) = symbol.value.filter(|_| aliases).or(layout.map(|(_, layout)| layout)) else {
                break;
            };
            let file = self.program.file_of(sym);
            let found = self.type_bounds(file, value);
            match found.first() {
                // A type of its own has the members of another one only if that is an interface.
                Some(Bound::Symbol(next)) if layout.is_some() => {
                    let next = self.through_aliases(*next);
                    let interface = matches!(self.program.symbol(next).kind, SymbolKind::Interface | SymbolKind::Trait);
                    return if interface { next } else { sym };
                }
                Some(Bound::Symbol(next)) if found.len() == 1 && *next != sym => sym = *next,
                _ => break,
            }
        }
        sym
    }

    /// Assignments to attributes of the object at hand, by type and name.
    fn index_assignments(&mut self) {
        let program = self.program;
        for (index, file) in program.files.iter().enumerate() {
            let id = FileId(index as u32);
            for (position, bind) in file.facts.member_binds.iter().enumerate() {
                let owner = match file.facts.exprs[bind.object.index()] {
                    Expr::Receiver(ReceiverKind::This, scope) => self.type_around(id, scope),
                    Expr::Name { name, scope, path } => self.object_at_hand(id, scope, name, path),
                    // What a construction sets by name.
                    Expr::OfType(of) => self.owner_types(id, of).first().copied(),
                    // `C.prototype.m = …`
                    Expr::Member { object, name, .. } if name == program.known.prototype => {
                        self.owner_types(id, object).first().copied()
                    }
                    _ => None,
                };
                if owner.is_none() {
                    self.note_outside(id, position);
                }
                if let Some(owner) = owner {
                    self.types.assigned.entry((owner, bind.name)).or_default().push((id, position as u32));
                }
            }
        }
    }

    /// The type of the object or class that a name stands for: a receiver parameter, or a type or function itself.
    fn object_at_hand(&mut self, file: FileId, scope: ScopeId, name: NameId, path: bool) -> Option<Sym> {
        let found = self.lookup(file, scope, name, path).bounds;
        match *found.first()? {
            Bound::Param(home, at, index) => {
                let param = self.program.file(home).facts.params[index as usize];
                (param.kind == mmcg_facts::ParamKind::Receiver).then(|| self.type_around(home, at)).flatten()
            }
            Bound::Symbol(sym) => {
                let kind = self.program.symbol(sym).kind;
                (kind.is_type() || kind.is_callable()).then(|| self.types.whole(sym))
            }
            _ => None,
        }
    }
}
