//! The state of one resolution, shared by its phases.

use crate::lookup::{Bound, Bounds};
use crate::modules::FileId;
use crate::namesakes::Namesakes;
use crate::places::Place;
use crate::program::{Program, Sym};
use crate::solve::Solver;
use crate::types::Types;
use crate::units::UnitId;
use crate::values::External;
use mmcg_facts::{ExprId, ImportKind, NameId, ScopeId, Sharing};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;
use std::rc::Rc;

/// One resolution at work.
pub struct Resolver<'p> {
    /// What is resolved.
    pub program: &'p Program,
    /// Members, bases and their order.
    pub types: Types,
    pub(crate) solver: Solver,
    pub(crate) flow: crate::flow::Flow,
    /// What is put into container literals after they were made.
    pub(crate) writes: crate::keyed::Writes,
    /// The parameter that each `return` of a function gives back, where any does.
    pub(crate) passing: FxHashMap<Sym, Option<Rc<[Option<u32>]>>>,
    pub(crate) externals: Externals,
    pub(crate) import_modules: FxHashMap<(FileId, u32), Bounds>,
    pub(crate) import_targets: FxHashMap<(FileId, u32), Bounds>,
    pub(crate) running_imports: Vec<(FileId, u32)>,
    pub(crate) running_names: Vec<Bound>,
    pub(crate) guard: Vec<(UnitId, NameId)>,
    pub(crate) guard_names: Vec<(FileId, NameId)>,
    pub(crate) glob_imports: Vec<Rc<[u32]>>,
    /// Glob imports that each unit offers on, the last of each scope first.
    pub(crate) unit_globs: FxHashMap<UnitId, Rc<[(FileId, u32)]>>,
    /// Imports that hold in all files of their project (C# `global using`).
    pub(crate) shared_imports: Vec<(FileId, u32)>,
    /// What the imports of project files lead to: project and position.
    pub(crate) implied_modules: FxHashMap<(u32, u32), Bounds>,
    pub(crate) package_names: FxHashMap<(FileId, NameId), u32>,
    /// Files that each file needs by `ImportKind::File`.
    pub(crate) file_imports: Vec<Vec<FileId>>,
    /// Whether any file needs a file by `ImportKind::File`.
    pub(crate) included: Vec<bool>,
    /// What some files include, directly or not.
    pub(crate) include_cache: RefCell<FxHashMap<FileId, crate::imports::FileSet>>,
    /// Members of units under names that many files define, by the file that asks.
    pub(crate) crowded_members: FxHashMap<(UnitId, NameId, Option<FileId>), Bounds>,
    pub(crate) subtype_cache: FxHashMap<Sym, Rc<Vec<Sym>>>,
    pub(crate) promoted_cache: FxHashMap<(Sym, Sym), Rc<Vec<Sym>>>,
    pub(crate) members_by_owner: FxHashMap<Sym, Vec<Sym>>,
    pub(crate) namesakes: Namesakes,
    /// Functions kept in fields, tables and parameters.
    pub(crate) held: crate::held::HeldFunctions,
    pub(crate) held_cache: FxHashMap<(Sym, NameId), crate::types::Syms>,
    /// The expression that each lambda is, by its scope.
    pub(crate) lambda_exprs: FxHashMap<(FileId, ScopeId), ExprId>,
    /// Where lambdas, and what is around them, stand.
    pub(crate) places: FxHashMap<(FileId, ExprId), Place>,
    pub(crate) generics: crate::generics::Generics,
    pub(crate) variables: crate::variables::TypeVariables,
    pub(crate) objects: crate::objects::Objects,
    /// Last names of what the languages' libraries have.
    pub(crate) library_names: FxHashSet<NameId>,
    /// Names under which symbols are declared or imported: other names cannot refer to one.
    pub(crate) symbol_names: FxHashSet<NameId>,
    /// Names that begin no package, by family.
    pub(crate) no_packages: FxHashSet<(u16, NameId)>,
    pub(crate) at_work: crate::at_work::AtWork,
    /// Namespaces that macros open, by family.
    pub(crate) opened: FxHashSet<(u16, NameId)>,
    /// Nesting of expressions being evaluated.
    pub(crate) depth: usize,
}

/// Dotted names of things outside the project.
#[derive(Default)]
pub struct Externals {
    texts: Vec<Box<str>>,
    ids: FxHashMap<Box<str>, External>,
}

impl Externals {
    /// The id of a dotted name.
    pub fn id(&mut self, text: &str) -> External {
        if let Some(id) = self.ids.get(text) {
            return *id;
        }
        let id = External(self.texts.len() as u32);
        self.texts.push(text.into());
        self.ids.insert(text.into(), id);
        id
    }

    /// The dotted name.
    pub fn text(&self, id: External) -> &str {
        &self.texts[id.0 as usize]
    }
}

impl<'p> Resolver<'p> {
    /// Prepares a resolution: import tables first, then types and their members.
    pub fn new(program: &'p Program) -> Self {
        let mut this = Self {
            program,
            types: Types::default(),
            solver: Solver::default(),
            flow: Default::default(),
            writes: Default::default(),
            passing: FxHashMap::default(),
            externals: Externals::default(),
            import_modules: FxHashMap::default(),
            import_targets: FxHashMap::default(),
            running_imports: Vec::new(),
            running_names: Vec::new(),
            guard: Vec::new(),
            guard_names: Vec::new(),
            glob_imports: Vec::new(),
            unit_globs: FxHashMap::default(),
            shared_imports: Vec::new(),
            implied_modules: FxHashMap::default(),
            package_names: FxHashMap::default(),
            file_imports: Vec::new(),
            included: Vec::new(),
            include_cache: RefCell::default(),
            crowded_members: FxHashMap::default(),
            subtype_cache: FxHashMap::default(),
            promoted_cache: FxHashMap::default(),
            members_by_owner: FxHashMap::default(),
            namesakes: Namesakes::default(),
            held: crate::held::HeldFunctions::default(),
            held_cache: FxHashMap::default(),
            generics: Default::default(),
            variables: Default::default(),
            objects: Default::default(),
            lambda_exprs: FxHashMap::default(),
            places: FxHashMap::default(),
            library_names: FxHashSet::default(),
            symbol_names: FxHashSet::default(),
            no_packages: FxHashSet::default(),
            at_work: Default::default(),
            opened: crate::opened::namespaces(program),
            depth: 0,
        };
        this.index_library();
        this.index_imports();
        this.attach_types();
        this.index_namesakes();
        this.index_symbol_names();
        this.index_places();
        this
    }

    fn index_imports(&mut self) {
        let program = self.program;
        for (index, file) in program.files.iter().enumerate() {
            let id = FileId(index as u32);
            let mut globs = Vec::new();
            let mut needed = Vec::new();
            for (position, import) in file.facts.imports.iter().enumerate() {
                if import.exported && file.rules.sharing == Sharing::Unit {
                    self.shared_imports.push((id, position as u32));
                }
                match import.kind {
                    ImportKind::Glob => globs.push(position as u32),
                    ImportKind::File => {
                        let text = program.text(import.module);
                        if let crate::modules::Found::File(target) = program.system(id).find(id, text).found {
                            needed.push(target);
                        }
                    }
                    ImportKind::Module => self.index_package_name(id, position as u32),
                    _ => {}
                }
            }
            // The last one wins: what belongs to the ordinary build comes after what does not.
            globs.sort_by_key(|at| !file.facts.imports[*at as usize].aside);
            self.glob_imports.push(globs.into());
            self.file_imports.push(needed);
        }
        let mut unit_globs: FxHashMap<UnitId, Vec<(FileId, u32)>> = FxHashMap::default();
        for (index, globs) in self.glob_imports.iter().enumerate() {
            let id = FileId(index as u32);
            for &position in globs.iter().rev() {
                let import = &program.file(id).facts.imports[position as usize];
                let own = program.file(id).rules.sharing != Sharing::Unit;
                let unit = program.units.of_scope(id, import.scope).filter(|_| import.exported && own);
                if let Some(unit) = unit {
                    unit_globs.entry(unit).or_default().push((id, position));
                }
            }
        }
        self.unit_globs = unit_globs.into_iter().map(|(unit, globs)| (unit, globs.into())).collect();
        self.included = vec![false; program.files.len()];
        for target in self.file_imports.iter().flatten() {
            self.included[target.0 as usize] = true;
        }
    }

    fn index_package_name(&mut self, file: FileId, position: u32) {
        let program = self.program;
        let import = &program.file(file).facts.imports[position as usize];
        let system = program.system(file);
        let module = program.text(import.module);
        let names: Vec<NameId> = match system.find(file, module).found {
            crate::modules::Found::Unit(key) => {
                system.package_name(&key).and_then(|name| program.name(name)).into_iter().collect()
            }
            crate::modules::Found::External(_) => {
                system.outside_names(module).iter().filter_map(|name| program.name(name)).collect()
            }
            _ => Vec::new(),
        };
        for name in names.into_iter().filter(|name| *name != import.alias) {
            self.package_names.entry((file, name)).or_insert(position);
        }
    }

    /// The id of an external dotted name.
    pub fn external(&mut self, text: &str) -> External {
        self.externals.id(text)
    }

    /// A member of something external.
    pub(crate) fn external_member(&mut self, of: External, name: &str) -> External {
        let text = format!("{}.{name}", self.externals.text(of));
        // Chains of calls on external results would otherwise grow without end.
        if text.len() > 200 {
            of
        } else {
            self.externals.id(&text)
        }
    }

    /// Forgets what was computed before the types were known.
    pub(crate) fn forget(&mut self) {
        self.solver.clear();
        self.import_modules.clear();
        self.import_targets.clear();
        self.implied_modules.clear();
        self.subtype_cache.clear();
        self.crowded_members.clear();
        self.promoted_cache.clear();
    }
}
