//! Units: sets of top-level names. A unit is a file (Python, ECMAScript), a directory (Go), a package or namespace
//! (Java, C#, PHP, C++), or the pool of external linkage (C); the module system gives each file its unit's key.

use crate::modules::{FileId, ModuleSystem};
use crate::program::{File, Interner};
use mmcg_facts::{NameId, ScopeId, ScopeKind, Sharing, What};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// A unit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct UnitId(pub u32);

/// One unit.
pub struct Unit {
    /// Its key within its family, as the module system gives it.
    pub key: String,
    /// Its family.
    pub family: u16,
    /// The module system that knows its key.
    pub system: usize,
    /// The unit around, for nested namespaces.
    pub parent: Option<UnitId>,
    /// The scopes whose declarations are its members.
    pub scopes: SmallVec<[(FileId, ScopeId); 1]>,
}

/// A declaration: file, and position in its `decls`.
type Declared = (FileId, u32);

/// All units.
#[derive(Default)]
pub struct Units {
    units: Vec<Unit>,
    by_key: FxHashMap<(u16, String), UnitId>,
    children: FxHashMap<(UnitId, NameId), UnitId>,
    /// Unit of each file's own scope and of each namespace scope.
    of_scope: FxHashMap<(FileId, ScopeId), UnitId>,
    of_file: Vec<UnitId>,
    /// Declared symbols of units with several scopes, those of a name side by side.
    members: Vec<Declared>,
    /// Where in `members` those of a name are: first, and one past the last.
    ranges: FxHashMap<(UnitId, NameId), (u32, u32)>,
}

impl Units {
    pub(crate) fn new(files: &[File], systems: &[Box<dyn ModuleSystem>], names: &mut Interner) -> Self {
        let mut units = Self::default();
        for (index, file) in files.iter().enumerate() {
            let id = FileId(index as u32);
            let key = systems[file.system].unit_key(id);
            let own = units.intern(file, key, names);
            units.of_file.push(own);
            units.add_scope(own, id, ScopeId(0));
            for (scope_index, scope) in file.facts.scopes.iter().enumerate() {
                if scope.kind != ScopeKind::Namespace {
                    continue;
                }
                let scope_id = ScopeId::from(scope_index);
                let around = scope.parent.and_then(|p| units.unit_around(file, id, p)).unwrap_or(own);
                let name = names.names.get(file.facts.symbols[scope.symbol.index()].name).to_owned();
                let parent_key = &units.get(around).key;
                let key = if parent_key.is_empty() {
                    name.replace('.', &file.rules.separator)
                } else {
                    format!("{parent_key}{}{}", file.rules.separator, name.replace('.', &file.rules.separator))
                };
                let unit = units.intern(file, key, names);
                units.add_scope(unit, id, scope_id);
            }
        }
        for (index, system) in systems.iter().enumerate() {
            let Some(file) = files.iter().find(|file| file.system == index) else {
                continue;
            };
            for key in system.virtual_units() {
                units.intern(file, key, names);
            }
        }
        units.index_members(files);
        units
    }

    fn unit_around(&self, file: &File, id: FileId, mut scope: ScopeId) -> Option<UnitId> {
        loop {
            if let Some(unit) = self.of_scope.get(&(id, scope)) {
                return Some(*unit);
            }
            scope = file.facts.scopes[scope.index()].parent?;
        }
    }

    fn add_scope(&mut self, unit: UnitId, file: FileId, scope: ScopeId) {
        self.of_scope.insert((file, scope), unit);
        self.units[unit.0 as usize].scopes.push((file, scope));
    }

    /// Makes the unit of a key and the units around it.
    fn intern(&mut self, file: &File, key: String, names: &mut Interner) -> UnitId {
        if let Some(unit) = self.by_key.get(&(file.family, key.clone())) {
            return *unit;
        }
        let separator = &file.rules.separator;
        let cut = if separator.is_empty() || file.rules.sharing == Sharing::File && !key.contains(separator.as_str()) {
            None
        } else {
            key.rfind(separator.as_str())
        };
        // A file's key is its path: only the namespaces inside nest below it.
        let parent = match cut {
            Some(at) if self.nests(file, &key, at) => Some(self.intern(file, key[..at].to_owned(), names)),
            None if !key.is_empty() && file.rules.sharing != Sharing::File => {
                Some(self.intern(file, String::new(), names))
            }
            _ => None,
        };
        let unit = UnitId(self.units.len() as u32);
        if let Some(parent) = parent {
            let last = cut.map_or(key.as_str(), |at| &key[at + separator.len()..]);
            let name = names.id(last);
            self.children.insert((parent, name), unit);
        }
        self.by_key.insert((file.family, key.clone()), unit);
        self.units.push(Unit { key, family: file.family, system: file.system, parent, scopes: SmallVec::new() });
        unit
    }

    fn nests(&self, file: &File, key: &str, at: usize) -> bool {
        file.rules.sharing != Sharing::File || self.by_key.contains_key(&(file.family, key[..at].to_owned()))
    }

    /// Units made of several scopes get a table, so that a name is found without asking every file.
    fn index_members(&mut self, files: &[File]) {
        let mut own: Vec<(NameId, Declared)> = Vec::new();
        for (index, unit) in self.units.iter().enumerate() {
            if unit.scopes.len() < 2 {
                continue;
            }
            own.clear();
            for &(file, scope) in &unit.scopes {
                let facts = &files[file.0 as usize].facts;
                let start = facts.decls.partition_point(|d| d.scope < scope);
                for (offset, decl) in facts.decls[start..].iter().take_while(|d| d.scope == scope).enumerate() {
                    if matches!(decl.what, What::Symbol(_)) {
                        own.push((decl.name, (file, (start + offset) as u32)));
                    }
                }
            }
            // Stable: the declarations of one name keep the order of their files.
            own.sort_by_key(|(name, _)| *name);
            for same in own.chunk_by(|a, b| a.0 == b.0) {
                let first = self.members.len() as u32;
                self.members.extend(same.iter().map(|(_, place)| *place));
                self.ranges.insert((UnitId(index as u32), same[0].0), (first, self.members.len() as u32));
            }
        }
    }

    /// A unit.
    pub fn get(&self, unit: UnitId) -> &Unit {
        &self.units[unit.0 as usize]
    }

    /// The unit of a file's own scope.
    pub fn of_file(&self, file: FileId) -> UnitId {
        self.of_file[file.0 as usize]
    }

    /// The unit of a file's or namespace's scope.
    pub fn of_scope(&self, file: FileId, scope: ScopeId) -> Option<UnitId> {
        self.of_scope.get(&(file, scope)).copied()
    }

    /// The unit with a key.
    pub fn by_key(&self, family: u16, key: &str) -> Option<UnitId> {
        self.by_key.get(&(family, key.to_owned())).copied()
    }

    /// The unit nested in another under a name.
    pub fn child(&self, unit: UnitId, name: NameId) -> Option<UnitId> {
        self.children.get(&(unit, name)).copied()
    }

    /// Symbols declared under a name in a unit of several scopes.
    pub fn members(&self, unit: UnitId, name: NameId) -> &[(FileId, u32)] {
        self.ranges.get(&(unit, name)).map_or(&[], |&(from, to)| &self.members[from as usize..to as usize])
    }
}
