//! All facts of a run under one numbering: names, files, symbols.

use crate::modules::{FileEntry, FileId, Manifest, ModDeclaration, ModuleSystem, Project};
use crate::units::Units;
use hashbrown::hash_table::{Entry, HashTable};
use mmcg_facts::{Expr, ExprId, FileFacts, LanguageRules, NameId, Names, ScopeId, Symbol, SymbolId};
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::hash::BuildHasher;
use std::sync::Arc;

/// A symbol among all symbols of the run: files in path order, symbols in source order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Sym(pub u32);

/// What the resolver is given for one file.
pub struct FileInput {
    /// Path from the root, with `/`.
    pub path: String,
    /// The rules of its language.
    pub rules: Arc<LanguageRules>,
    /// Whether it is test code, by its path.
    pub test: bool,
    /// What it says.
    pub facts: FileFacts,
}

/// A file inside the resolver.
pub struct File {
    /// The rules of its language.
    pub rules: Arc<LanguageRules>,
    /// Its facts, with names of `Program::names`.
    pub facts: FileFacts,
    /// The global number of its `SymbolId(0)`.
    pub first: u32,
    /// Index of its module system in `Program::systems`.
    pub system: usize,
    /// Number of its language family.
    pub family: u16,
    /// Whether it is test code, by its path.
    pub test: bool,
}

/// All facts of a run.
pub struct Program {
    /// Files in path order.
    pub files: Vec<File>,
    /// Names of all files.
    pub names: Arc<Names>,
    ids: NameTable,
    /// Which file each symbol is of.
    symbol_files: Vec<FileId>,
    /// Module systems in use.
    pub systems: Vec<Box<dyn ModuleSystem>>,
    /// Units: sets of top-level names.
    pub units: Units,
    /// Frequently needed names.
    pub known: Known,
}

/// Names that the resolver itself looks for.
#[derive(Clone, Copy)]
pub struct Known {
    /// The empty name.
    pub empty: NameId,
    /// `default`, as default exports are named.
    pub default: NameId,
    /// `<type>` of `LanguageRules::constructors`.
    pub prototype: NameId,
}

impl Program {
    /// Numbers names and symbols, and lays out units. `files` must be in path order.
    pub fn new(inputs: Vec<FileInput>, manifests: Vec<Manifest>) -> Self {
        let mut table = Interner::default();
        let known = Known { empty: table.id(""), default: table.id("default"), prototype: table.id("prototype") };
        let mut families: FxHashMap<String, u16> = FxHashMap::default();
        let mut systems = crate::modules::Registry::default();
        let mut files = Vec::with_capacity(inputs.len());
        let mut entries = Vec::with_capacity(inputs.len());
        let mut symbol_files = Vec::new();
        let mut map = Vec::new();
        for (index, input) in inputs.into_iter().enumerate() {
            let FileInput { path, rules, test, mut facts } = input;
            entries.push(FileEntry {
                path,
                family: rules.family.clone(),
                package: facts.package.map(|name| facts.name(name).to_owned()),
            });
            map.clear();
            map.extend(facts.names.iter().map(|name| table.id(name)));
            facts.renumber(&map);
            let next = families.len() as u16;
            let family = *families.entry(rules.family.clone()).or_insert(next);
            let first = symbol_files.len() as u32;
            symbol_files.resize(symbol_files.len() + facts.symbols.len(), FileId(index as u32));
            let system = systems.index(&rules.modules);
            files.push(File { rules, facts, first, system, family, test });
        }
        let project = Arc::new(Project::new(entries, manifests));
        let lexical = lexical_namespaces(&files, &table.names);
        let declared = submodules(&files, &table.names);
        let systems = systems.build(&project, &lexical, &declared);
        let units = Units::new(&files, &systems, &mut table);
        let names = Arc::new(table.names);
        files.iter_mut().for_each(|file: &mut File| file.facts.names = Arc::clone(&names));
        Self { files, names, ids: table.ids, symbol_files, systems, units, known }
    }

    /// The file of a symbol.
    pub fn file_of(&self, sym: Sym) -> FileId {
        self.symbol_files[sym.0 as usize]
    }

    /// A file.
    pub fn file(&self, file: FileId) -> &File {
        &self.files[file.0 as usize]
    }

    /// A symbol's facts.
    pub fn symbol(&self, sym: Sym) -> &Symbol {
        let file = self.file(self.file_of(sym));
        &file.facts.symbols[(sym.0 - file.first) as usize]
    }

    /// The global number of a file's symbol.
    pub fn sym(&self, file: FileId, local: SymbolId) -> Sym {
        Sym(self.file(file).first + local.0)
    }

    /// An expression of a file.
    pub fn expr(&self, file: FileId, expr: ExprId) -> Expr {
        self.file(file).facts.exprs[expr.index()]
    }

    /// The text of a name.
    pub fn text(&self, name: NameId) -> &str {
        self.names.get(name)
    }

    /// The id of a text, if any file uses it as a name.
    pub fn name(&self, text: &str) -> Option<NameId> {
        self.ids.find(&self.names, text)
    }

    /// The module system of a file.
    pub fn system(&self, file: FileId) -> &dyn ModuleSystem {
        &*self.systems[self.file(file).system]
    }

    /// The nearest function-like symbol whose scope is around, with that scope.
    pub fn function_around(&self, file: FileId, mut scope: ScopeId) -> Option<(ScopeId, SymbolId)> {
        let facts = &self.file(file).facts;
        loop {
            let current = &facts.scopes[scope.index()];
            let symbol = &facts.symbols[current.symbol.index()];
            if symbol.body == Some(scope) && symbol.kind.is_callable() {
                return Some((scope, current.symbol));
            }
            scope = current.parent?;
        }
    }
}

/// Which id a text has. Texts stand in `Names` alone: large trees have millions of them.
#[derive(Default)]
pub(crate) struct NameTable(HashTable<NameId>);

impl NameTable {
    fn find(&self, names: &Names, text: &str) -> Option<NameId> {
        self.0.find(hash(text), |id| names.get(*id) == text).copied()
    }
}

fn hash(text: &str) -> u64 {
    FxBuildHasher.hash_one(text)
}

/// A growing table of distinct names.
#[derive(Default)]
pub(crate) struct Interner {
    pub names: Names,
    pub ids: NameTable,
}

impl Interner {
    pub fn id(&mut self, text: &str) -> NameId {
        let Self { names, ids } = self;
        let entry = ids.0.entry(hash(text), |id| names.get(*id) == text, |id| hash(names.get(*id)));
        match entry {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(free) => {
                let id = names.push(text);
                free.insert(id);
                id
            }
        }
    }
}

/// The files that say of themselves which modules are below them (`mod x;`).
fn submodules(files: &[File], names: &Names) -> Vec<ModDeclaration> {
    let mut found = Vec::new();
    for (index, file) in files.iter().enumerate().filter(|(_, file)| file.rules.module_tree) {
        let heads = &file.rules.path_heads;
        for import in file.facts.imports.iter().filter(|import| import.kind == mmcg_facts::ImportKind::Module) {
            let below = names.get(import.module).split_once(file.rules.separator.as_str());
            let Some((_, name)) = below.filter(|(head, _)| heads.get(*head).is_some_and(|m| m == "this_module")) else {
                continue;
            };
            let scope = &file.facts.scopes[import.scope.index()];
            let inside = match scope.kind {
                mmcg_facts::ScopeKind::Namespace => names.get(file.facts.symbols[scope.symbol.index()].qualified),
                _ => "",
            };
            let path = Some(names.get(import.name)).filter(|path| !path.is_empty()).map(str::to_owned);
            let inside = inside.replace('.', &file.rules.separator);
            found.push(ModDeclaration { file: FileId(index as u32), inside, name: name.to_owned(), path });
        }
    }
    found
}

/// Every lexical namespace that a file writes, by its dotted name within the file.
fn lexical_namespaces(files: &[File], names: &Names) -> Vec<(FileId, String)> {
    let mut found = Vec::new();
    for (index, file) in files.iter().enumerate() {
        for symbol in &file.facts.symbols {
            if symbol.kind == mmcg_facts::SymbolKind::Namespace {
                found.push((FileId(index as u32), names.get(symbol.qualified).to_owned()));
            }
        }
    }
    found
}
