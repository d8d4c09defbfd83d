//! Functions that are held in fields, tables and parameters, where the declared types only say that it is a function.

use crate::lookup::Bound;
use crate::modules::FileId;
use crate::program::Sym;
use crate::resolver::Resolver;
use crate::types::Syms;
use crate::values::{How, Value, ValueSet};
use mmcg_facts::{Expr, ExprId, NameId, ScopeId, SiteId, SymbolFlags, SymbolKind};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

/// A value that may be a function, and the file it is written in.
type Held = SmallVec<[(FileId, ExprId); 2]>;

/// Most functions that one call through a field is said to reach.
const MOST: usize = 256;
/// Most calls whose arguments are looked at for one parameter.
const MOST_CALLS: usize = 64;
/// Nested initialisers are followed so deep.
const DEPTH: usize = 8;

/// Where functions are kept.
#[derive(Default)]
pub struct HeldFunctions {
    /// Names of types that are functions or pointers to them.
    aliases: FxHashSet<NameId>,
    /// Fields that hold functions.
    fields: FxHashSet<Sym>,
    /// What initialisers put into such fields.
    initialised: FxHashMap<(Sym, NameId), Held>,
    /// Assignments to members of such names: positions in `member_binds`.
    assigned: FxHashMap<NameId, Vec<(FileId, u32)>>,
    /// Calls of functions that are given functions, by name.
    calls: FxHashMap<NameId, Vec<(FileId, SiteId)>>,
}

impl Resolver<'_> {
    /// Finds fields and parameters that hold functions, and what is put into them.
    pub(crate) fn index_held_functions(&mut self) {
        let program = self.program;
        let mut held = HeldFunctions::default();
        for file in program.files.iter().filter(|f| f.rules.values_hide_types) {
            let aliases = file.facts.symbols.iter();
            let aliases = aliases.filter(|s| s.kind == SymbolKind::Type && s.flags.has(SymbolFlags::CALLABLE_VALUE));
            held.aliases.extend(aliases.map(|s| s.name));
        }
        let mut field_names: FxHashSet<NameId> = FxHashSet::default();
        let mut takers: FxHashSet<NameId> = FxHashSet::default();
        for (index, file) in program.files.iter().enumerate().filter(|(_, f)| f.rules.values_hide_types) {
            let id = FileId(index as u32);
            for (local, symbol) in file.facts.symbols.iter().enumerate() {
                let callable = symbol.flags.has(SymbolFlags::CALLABLE_VALUE)
                    || symbol.declared.is_some_and(|d| self.names_function_type(&held, id, d));
                if symbol.kind == SymbolKind::Field && callable {
                    held.fields.insert(Sym(file.first + local as u32));
                    field_names.insert(symbol.name);
                }
                if matches!(symbol.kind, SymbolKind::Function | SymbolKind::Method | SymbolKind::Constructor) {
                    let params = &file.facts.params[symbol.params.start as usize..symbol.params.end as usize];
                    let takes = |p: &mmcg_facts::Param| match p.declared {
                        None => p.kind == mmcg_facts::ParamKind::Normal && p.name != program.known.empty,
                        Some(declared) => self.names_function_type(&held, id, declared),
                    };
                    if params.iter().any(takes) {
                        takers.insert(symbol.name);
                    }
                }
            }
        }
        for (index, file) in program.files.iter().enumerate().filter(|(_, f)| f.rules.values_hide_types) {
            let id = FileId(index as u32);
            for (position, bind) in file.facts.member_binds.iter().enumerate() {
                if field_names.contains(&bind.name) {
                    held.assigned.entry(bind.name).or_default().push((id, position as u32));
                }
            }
            for (number, site) in file.facts.sites.iter().enumerate() {
                if takers.contains(&site.name) && matches!(file.facts.exprs[site.callee.index()], Expr::Name { .. }) {
                    held.calls.entry(site.name).or_default().push((id, SiteId::from(number)));
                }
            }
        }
        self.held = held;
        self.index_initialisers();
    }

    fn names_function_type(&self, held: &HeldFunctions, file: FileId, declared: ExprId) -> bool {
        let mut at = declared;
        loop {
            match self.program.expr(file, at) {
                Expr::Deref(of) => at = of,
                Expr::Name { name, .. } | Expr::Member { name, .. } => return held.aliases.contains(&name),
                _ => return false,
            }
        }
    }

    fn index_initialisers(&mut self) {
        if self.held.fields.is_empty() {
            return;
        }
        let program = self.program;
        for (index, file) in program.files.iter().enumerate().filter(|(_, f)| f.rules.values_hide_types) {
            let id = FileId(index as u32);
            let symbols = file.facts.symbols.iter().filter(|s| s.kind != SymbolKind::Type);
            let values = symbols.filter_map(|s| Some((s.declared?, s.value?)));
            let locals = file.facts.binds.iter().filter_map(|b| Some((b.declared?, b.value?)));
            let collection = |value: ExprId| match file.facts.exprs[value.index()] {
                Expr::Collection { .. } => true,
                Expr::Cast(inner, _) => matches!(file.facts.exprs[inner.index()], Expr::Collection { .. }),
                _ => false,
            };
            let pairs: Vec<(ExprId, ExprId)> = values.chain(locals).filter(|(_, v)| collection(*v)).collect();
            for (declared, value) in pairs {
                self.initialise(id, declared, id, value, 0);
            }
        }
    }

    /// Notes the functions in a value of a declared type.
    fn initialise(&mut self, home: FileId, declared: ExprId, file: FileId, value: ExprId, depth: usize) {
        let value = match self.program.expr(file, value) {
            Expr::Cast(inner, _) => inner,
            _ => value,
        };
        let Expr::Collection { args, count, .. } = self.program.expr(file, value) else { return };
        if depth > DEPTH {
            return;
        }
        let types = self.instances(home, declared);
        let Some(owner) =
            types.iter().find_map(|(v, _)| if let Value::Instance(s) = self.plain(v) { Some(s) } else { None })
        else {
            return;
        };
        let items = self.args(file, args, count).to_vec();
        let nested = |this: &Self, v: ExprId| matches!(this.program.expr(file, v), Expr::Collection { .. });
        let array = matches!(self.program.expr(home, declared), Expr::Deref(_));
        if array && items.iter().all(|i| i.name.is_none() && (nested(self, i.value) || i.value.index() == 0)) {
            for item in items {
                self.initialise(home, declared, file, item.value, depth + 1);
            }
            return;
        }
        let fields: Vec<Sym> = self.members_by_owner.get(&owner).map_or(Vec::new(), |all| {
            all.iter().copied().filter(|s| self.program.symbol(*s).kind == SymbolKind::Field).collect()
        });
        let mut position = 0;
        for item in items {
            if let Some(name) = item.name {
                if let Some(at) = fields.iter().position(|s| self.program.symbol(*s).name == name) {
                    position = at;
                } else {
                    continue;
                }
            }
            let Some(&field) = fields.get(position) else { break };
            position += 1;
            if self.held.fields.contains(&field) {
                let key = (owner, self.program.symbol(field).name);
                self.held.initialised.entry(key).or_default().push((file, item.value));
            } else if nested(self, item.value) {
                let inner_home = self.program.file_of(field);
                if let Some(inner) = self.program.symbol(field).declared {
                    self.initialise(inner_home, inner, file, item.value, depth + 1);
                }
            }
        }
    }

    /// Whether a field holds functions.
    pub(crate) fn holds_functions(&self, sym: Sym) -> bool {
        self.held.fields.contains(&sym)
    }

    /// The values put into a field that holds functions.
    fn put_into(&mut self, owner: Sym, name: NameId) -> Held {
        let mut found: Held = self.held.initialised.get(&(owner, name)).cloned().unwrap_or_default();
        let assigned = self.held.assigned.get(&name).cloned().unwrap_or_default();
        for (file, position) in assigned {
            let bind = self.program.file(file).facts.member_binds[position as usize];
            let Some(value) = bind.value else { continue };
            let objects = self.eval(file, bind.object);
            if objects.iter().any(|(v, _)| self.plain(v) == Value::Instance(owner)) {
                found.push((file, value));
            }
        }
        found
    }

    /// The functions that a field can hold.
    pub(crate) fn held_functions(&mut self, owner: Sym, name: NameId) -> Syms {
        if let Some(known) = self.held_cache.get(&(owner, name)) {
            return known.clone();
        }
        // Set first: a circle of fields ends here.
        self.held_cache.insert((owner, name), Syms::new());
        let mut all = Syms::new();
        for (file, value) in self.put_into(owner, name) {
            let values = self.eval(file, value);
            for (value, _) in values.iter() {
                if let Value::Symbol(sym) = value {
                    if self.program.symbol(sym).kind.is_callable() && !all.contains(&sym) && all.len() < MOST {
                        all.push(sym);
                    }
                }
            }
        }
        all.sort_unstable();
        self.held_cache.insert((owner, name), all.clone());
        all
    }

    /// The functions that a field can hold, as a value.
    pub(crate) fn held_value(&mut self, owner: Sym, name: NameId) -> ValueSet {
        let mut all = ValueSet::unknown();
        for sym in self.held_functions(owner, name) {
            all.add(Value::Symbol(sym), How::Flow);
        }
        all
    }

    /// The functions that calls give to a parameter.
    pub(crate) fn given_to_param(&mut self, file: FileId, scope: ScopeId, index: u32) -> ValueSet {
        let program = self.program;
        let mut all = ValueSet::unknown();
        let facts = &program.file(file).facts;
        let local = facts.scopes[scope.index()].symbol;
        let symbol = facts.symbol(local);
        if symbol.body != Some(scope) || !symbol.params.contains(&index) {
            return all;
        }
        let (sym, position) = (program.sym(file, local), (index - symbol.params.start) as usize);
        let calls = self.held.calls.get(&symbol.name).cloned().unwrap_or_default();
        for (home, site) in calls.into_iter().take(MOST_CALLS) {
            let site = program.file(home).facts.site(site);
            let Some(arg) =
                program.file(home).facts.args[site.args.start as usize..site.args.end as usize].get(position)
            else {
                continue;
            };
            let Expr::Name { name, scope, path } = program.expr(home, site.callee) else { continue };
            if !self.lookup(home, scope, name, path).bounds.contains(&Bound::Symbol(sym)) {
                continue;
            }
            let values = self.eval(home, arg.value);
            for (value, _) in values.iter() {
                if matches!(value, Value::Symbol(_) | Value::Lambda(..)) {
                    all.add(value, How::Flow);
                }
            }
        }
        all
    }
}
