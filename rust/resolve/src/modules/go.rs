//! Go: a directory is a package, and `go.mod` says under which path the directories below it are imported.
//!
//! A unit is a package: the directory's path (`.` for the root) for the package that others import, and
//! `directory#name` for the others in that directory: external tests (`package shop_test`) and programs that the
//! build leaves out.

mod manifest;

use super::{paths, FileId, Found, Located, ModuleSystem, Project};
use manifest::ModFile;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Top-level names of the standard library: a module of the project under such a path is not what is meant.
const STANDARD: &[&str] = &[
    "archive",
    "bufio",
    "builtin",
    "bytes",
    "cmp",
    "compress",
    "container",
    "context",
    "crypto",
    "database",
    "debug",
    "embed",
    "encoding",
    "errors",
    "expvar",
    "flag",
    "fmt",
    "go",
    "hash",
    "html",
    "image",
    "index",
    "internal",
    "io",
    "iter",
    "log",
    "maps",
    "math",
    "mime",
    "net",
    "os",
    "path",
    "plugin",
    "reflect",
    "regexp",
    "runtime",
    "slices",
    "sort",
    "strconv",
    "strings",
    "structs",
    "sync",
    "syscall",
    "testing",
    "text",
    "time",
    "unicode",
    "unique",
    "unsafe",
    "weak",
];

/// Systems and machines that a file can be for by its name's end (`_windows.go`, `_linux_arm64.go`), without those
/// of the ordinary build.
const ELSEWHERE: &[&str] = &[
    "aix",
    "android",
    "darwin",
    "dragonfly",
    "freebsd",
    "hurd",
    "illumos",
    "ios",
    "js",
    "nacl",
    "netbsd",
    "openbsd",
    "plan9",
    "solaris",
    "wasip1",
    "windows",
    "zos",
    "386",
    "arm",
    "arm64",
    "loong64",
    "mips",
    "mips64",
    "mips64le",
    "mipsle",
    "ppc64",
    "ppc64le",
    "riscv64",
    "s390x",
    "wasm",
];

fn is_elsewhere(path: &str) -> bool {
    let Some(stem) = path.strip_suffix(".go") else { return false };
    let name = paths::base(stem);
    let parts = name.strip_suffix("_test").unwrap_or(name).split('_').skip(1);
    parts.collect::<Vec<_>>().iter().rev().take(2).any(|part| ELSEWHERE.contains(part))
}

/// No folder of a repository is that deep; the search looks at every prefix.
const LONGEST_IMPORT: usize = 1024;

struct Unit {
    key: String,
    name: String,
}

struct Module {
    folder: String,
    file: ModFile,
}

/// See the module's documentation.
pub struct GoModules {
    units: Vec<Unit>,
    unit_of_key: FxHashMap<String, u32>,
    /// The package that an import of the folder means.
    importable: FxHashMap<String, u32>,
    /// Unit and folder of each file; `None` for files of other languages.
    files: Vec<Option<(u32, u32)>>,
    folders: Vec<Folder>,
    /// Files for another system or machine than the ordinary one, by their names.
    aside: Vec<bool>,
    modules: Vec<Module>,
    module_of_folder: FxHashMap<String, u32>,
    /// Modules by their path and the hidden folder they are in (empty for none), in the order of their folders.
    modules_of_path: FxHashMap<(String, String), Vec<u32>>,
    workspaces: FxHashMap<String, Workspace>,
}

struct Workspace {
    file: ModFile,
    /// The modules that it uses, by their paths.
    members: FxHashMap<String, u32>,
}

struct Folder {
    path: String,
    module: Option<u32>,
    workspace: Option<String>,
}

impl GoModules {
    /// Builds the indexes.
    pub fn new(project: &Project) -> Self {
        let mut this = Self {
            units: Vec::new(),
            unit_of_key: FxHashMap::default(),
            importable: FxHashMap::default(),
            files: vec![None; project.files.len()],
            folders: Vec::new(),
            aside: project.files.iter().map(|entry| is_elsewhere(&entry.path)).collect(),
            modules: Vec::new(),
            module_of_folder: FxHashMap::default(),
            modules_of_path: FxHashMap::default(),
            workspaces: FxHashMap::default(),
        };
        for (folder, _, text) in paths::manifests(project, |name| name == "go.mod") {
            let file = ModFile::parse(text);
            let at = this.modules.len() as u32;
            if let Some(path) = &file.module {
                let hidden = hidden_root(folder).unwrap_or_default().to_owned();
                this.modules_of_path.entry((path.clone(), hidden)).or_default().push(at);
            }
            this.module_of_folder.insert(folder.to_owned(), at);
            this.modules.push(Module { folder: folder.to_owned(), file });
        }
        let modules = &this.modules;
        for all in this.modules_of_path.values_mut() {
            all.sort_by(|a, b| paths::order(&modules[*a as usize].folder, &modules[*b as usize].folder));
        }
        for (folder, _, text) in paths::manifests(project, |name| name == "go.work") {
            let file = ModFile::parse(text);
            let used =
                file.uses.iter().filter_map(|used| this.module_of_folder.get(&paths::join(folder, used)?).copied());
            let path = |at: u32| this.modules[at as usize].file.module.clone();
            let members = used.filter_map(|at| Some((path(at)?, at))).collect();
            this.workspaces.insert(folder.to_owned(), Workspace { file, members });
        }
        let mut by_folder: BTreeMap<&str, Vec<FileId>> = BTreeMap::new();
        for (at, entry) in project.files.iter().enumerate().filter(|(_, entry)| entry.path.ends_with(".go")) {
            by_folder.entry(paths::folder(&entry.path)).or_default().push(FileId(at as u32));
        }
        for (folder, files) in by_folder {
            this.add_folder(project, folder, &files);
        }
        this
    }

    fn add_folder(&mut self, project: &Project, folder: &str, files: &[FileId]) {
        let main = main_package(project, folder, files);
        let key = if folder.is_empty() { "." } else { folder };
        let at = self.folders.len() as u32;
        self.folders.push(Folder {
            path: folder.to_owned(),
            module: paths::upwards(folder).find_map(|around| self.module_of_folder.get(around).copied()),
            workspace: paths::upwards(folder).find(|around| self.workspaces.contains_key(*around)).map(str::to_owned),
        });
        for &file in files {
            let name = project.entry(file).package.as_deref().or(main).unwrap_or_else(|| paths::base(folder));
            let is_main = main.is_none_or(|main| main == name) && !name.ends_with("_test") || main == Some(name);
            let key = if is_main { key.to_owned() } else { format!("{key}#{name}") };
            let unit = *self.unit_of_key.entry(key.clone()).or_insert_with(|| {
                self.units.push(Unit { key, name: name.to_owned() });
                self.units.len() as u32 - 1
            });
            if is_main {
                self.importable.insert(folder.to_owned(), unit);
            }
            self.files[file.0 as usize] = Some((unit, at));
        }
    }

    /// The name that an import of the unit binds when none is written: that of its package clause.
    pub fn package_name(&self, unit: &str) -> Option<&str> {
        self.unit_of_key.get(unit).map(|&at| self.units[at as usize].name.as_str())
    }

    /// The name that an import of a package outside the project most likely binds: the last segment of the path
    /// without versions (`…/paint/v2`, `gopkg.in/yaml.v3`) and without `go-` before or anything after the first
    /// identifier.
    pub fn assumed_name(import: &str) -> &str {
        let is_version = |text: &str| {
            text.strip_prefix('v').is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|b| b.is_ascii_digit()))
        };
        let mut segments = import.rsplit('/');
        let last = segments.next().unwrap_or(import);
        let last = if is_version(last) { segments.next().unwrap_or(last) } else { last };
        let last = last.strip_prefix("go-").unwrap_or(last);
        let end = last.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(last.len());
        if end == 0 {
            last
        } else {
            &last[..end]
        }
    }

    /// The package in `rest` below `root`, unless a module of its own begins between them.
    fn package(&self, root: &str, rest: &str) -> Option<Found> {
        let folder = paths::child(root, rest);
        let &unit = self.importable.get(&folder)?;
        let nested = paths::upwards(&folder)
            .take_while(|at| at.len() > root.len())
            .any(|at| self.module_of_folder.contains_key(at));
        (!nested).then(|| Found::Unit(self.units[unit as usize].key.clone()))
    }

    /// What the module path `path` is replaced by, in the workspace and in the importing module.
    fn replacement(&self, from: &Folder, path: &str) -> Option<Replacement> {
        let module = from.module.map(|at| &self.modules[at as usize]);
        let required = module.and_then(|module| module.file.requires.get(path));
        let workspace = from.workspace.as_ref().map(|folder| (folder, &self.workspaces[folder]));
        let (folder, replace) = workspace
            .and_then(|(folder, workspace)| Some((folder, workspace.file.replacement(path, required)?)))
            .or_else(|| module.and_then(|module| Some((&module.folder, module.file.replacement(path, required)?))))?;
        if replace.is_local() {
            return Some(paths::join(folder, &replace.new).map_or(Replacement::Outside, Replacement::Folder));
        }
        let by_path = self.nearest_module(from, &replace.new);
        Some(by_path.map_or(Replacement::Outside, |module| Replacement::Folder(module.folder.clone())))
    }

    /// The module of the project with that path which is the closest to the importing file. Modules in hidden folders
    /// are there for the files of these folders only.
    fn nearest_module(&self, from: &Folder, path: &str) -> Option<&Module> {
        let hidden = hidden_root(&from.path).unwrap_or_default();
        [hidden, ""].iter().find_map(|hidden| {
            let all = self.modules_of_path.get(&(path.to_owned(), (*hidden).to_owned()))?;
            let at = paths::nearest(all, |at| &self.modules[*at as usize].folder, &from.path)?;
            Some(&self.modules[*at as usize])
        })
    }

    /// The module of the same workspace with that path.
    fn workspace_module(&self, from: &Folder, path: &str) -> Option<&Module> {
        let at = *self.workspaces[from.workspace.as_ref()?].members.get(path)?;
        Some(&self.modules[at as usize])
    }

    /// A copy in a `vendor` folder at or above the importing file, up to its module's root or its workspace's.
    fn vendored(&self, from: &Folder, import: &str) -> Option<Found> {
        let top = from.module.map_or("", |at| &self.modules[at as usize].folder);
        let around = paths::upwards(&from.path).take_while(|at| at.len() >= top.len());
        around.chain(from.workspace.as_deref()).find_map(|at| {
            let &unit = self.importable.get(&paths::child(&paths::child(at, "vendor"), import))?;
            Some(Found::Unit(self.units[unit as usize].key.clone()))
        })
    }

    /// A package below `src` of a folder around, or below that folder itself, as before modules.
    fn below_a_source_path(&self, from: &Folder, import: &str, head: &str) -> Option<Found> {
        paths::upwards(&from.path).find_map(|at| {
            self.package(&paths::child(at, "src"), import)
                .or_else(|| (!STANDARD.contains(&head)).then(|| self.package(at, import))?)
        })
    }
}

enum Replacement {
    Folder(String),
    Outside,
}

/// The outermost folder of a path whose name hides what is below from the go command.
fn hidden_root(folder: &str) -> Option<&str> {
    paths::upwards(folder)
        .filter(|at| !at.is_empty())
        .filter(|at| {
            let name = paths::base(at);
            name == "testdata" || name.starts_with('_') || name.starts_with('.')
        })
        .last()
}

/// Import path prefixes, the longest first, and what is left of the path.
fn prefixes(import: &str) -> impl Iterator<Item = (&str, &str)> {
    let shorter = import.rmatch_indices('/').map(|(at, _)| (&import[..at], &import[at + 1..]));
    std::iter::once((import, "")).chain(shorter)
}

/// The package clause that an import of the folder means.
fn main_package<'p>(project: &'p Project, folder: &str, files: &[FileId]) -> Option<&'p str> {
    let count = |tests: bool| {
        let mut names: BTreeMap<&str, usize> = BTreeMap::new();
        for entry in files.iter().map(|&file| project.entry(file)) {
            let is_test = entry.path.ends_with("_test.go");
            if let Some(name) =
                entry.package.as_deref().filter(|name| is_test == tests && !(tests && name.ends_with("_test")))
            {
                *names.entry(name).or_default() += 1;
            }
        }
        names
    };
    let mut names = count(false);
    if names.is_empty() {
        names = count(true);
    }
    // Generators, and documentation kept in a package clause of its own, stand beside the real package.
    for beside in ["documentation", "main"] {
        if names.len() > 1 {
            names.remove(beside);
        }
    }
    let preference = |(name, files): (&&str, &usize)| (*files, *name == paths::base(folder));
    let best = names.iter().map(preference).max()?;
    names.iter().find(|&entry| preference(entry) == best).map(|(name, _)| *name)
}

impl ModuleSystem for GoModules {
    fn is_aside(&self, file: FileId) -> bool {
        self.aside.get(file.0 as usize).copied().unwrap_or(false)
    }

    fn outside_names(&self, module: &str) -> Vec<String> {
        vec![Self::assumed_name(module).to_owned()]
    }

    fn package_name(&self, unit: &str) -> Option<&str> {
        GoModules::package_name(self, unit)
    }

    fn unit_key(&self, file: FileId) -> String {
        match self.files.get(file.0 as usize) {
            Some(Some((unit, _))) => self.units[*unit as usize].key.clone(),
            _ => String::new(),
        }
    }

    /// The search is that of the go command: replaced modules, the importing file's module and its workspace's, then
    /// vendored copies, then any module of the project with that path (monorepos whose modules require each other's
    /// releases). The longest module path that holds the package wins. `Missing` is a package of a module that is
    /// here, but has no such directory.
    fn find(&self, from: FileId, module: &str) -> Located {
        let external = || Located::whole(Found::External(module.to_owned()));
        let Some(Some((_, folder))) = self.files.get(from.0 as usize) else { return external() };
        let from = &self.folders[*folder as usize];
        if module.len() > LONGEST_IMPORT {
            return external();
        }
        if module.starts_with("./") || module.starts_with("../") || module == "." || module == ".." {
            let found = paths::join(&from.path, module).and_then(|folder| self.package(&folder, ""));
            return Located::whole(found.unwrap_or(Found::Missing));
        }
        let own = from.module.map(|at| &self.modules[at as usize]);
        let head = module.split('/').next().unwrap_or(module);
        let mut ours = false;
        let mut outside = false;
        for (path, rest) in prefixes(module) {
            let root = match self.replacement(from, path) {
                Some(Replacement::Folder(folder)) => Some(folder),
                Some(Replacement::Outside) => {
                    outside = true;
                    break;
                }
                None => own
                    .filter(|own| own.file.module.as_deref() == Some(path))
                    .or_else(|| self.workspace_module(from, path))
                    .map(|module| module.folder.clone()),
            };
            let Some(root) = root else { continue };
            ours = true;
            if let Some(found) = self.package(&root, rest) {
                return Located::whole(found);
            }
        }
        // The standard library's own source is a module whose packages have no prefix.
        if let Some(own) = own.filter(|own| own.file.module.as_deref() == Some("std")) {
            if let Some(found) = self.package(&own.folder, module) {
                return Located::whole(found);
            }
        }
        if let Some(found) = self.vendored(from, module) {
            return Located::whole(found);
        }
        if !outside && (ours || !STANDARD.contains(&head)) {
            for (path, rest) in prefixes(module) {
                let Some(other) = self.nearest_module(from, path) else { continue };
                ours = true;
                if let Some(found) = self.package(&other.folder, rest) {
                    return Located::whole(found);
                }
            }
        }
        if own.is_none() {
            if let Some(found) = self.below_a_source_path(from, module, head) {
                return Located::whole(found);
            }
        }
        if ours && !outside {
            Located::whole(Found::Missing)
        } else {
            external()
        }
    }
}

#[cfg(test)]
mod tests;
