//! Rust: crates by `Cargo.toml`, modules by files.
//!
//! Each file is a unit, with its path as the key; an inline module is `path::name`.

mod manifest;
mod tree;

use super::{paths, FileId, Found, Located, ModuleSystem, Project};
use manifest::{CargoFile, TargetKind};
use rustc_hash::FxHashMap;
use tree::{plain, rust_files, Tree};

/// A `mod name;` item.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ModDeclaration {
    /// The file it is written in.
    pub file: FileId,
    /// The inline modules around it in that file, joined by `::`; empty for none.
    pub inside: String,
    /// The module's name.
    pub name: String,
    /// The value of its `#[path = "…"]`.
    pub path: Option<String>,
}

/// Crates that come with the compiler.
const STANDARD: &[&str] = &["std", "core", "alloc", "proc_macro", "test"];

/// What a crate's name stands for in one package.
#[derive(Clone)]
enum Extern {
    /// A package of the project.
    Package(u32),
    /// A package from elsewhere, by its own name.
    Outside(String),
}

struct Package {
    file: CargoFile,
    /// The root file of its library.
    library: Option<FileId>,
    edition_2015: bool,
    workspace: Option<u32>,
    externs: FxHashMap<String, Extern>,
}

/// See the module's documentation.
pub struct Crates {
    /// Only what `Tree` asks for: paths.
    files: Project,
    tree: Tree,
    packages: Vec<Package>,
    /// The package of each file.
    package_of: FxHashMap<FileId, u32>,
    /// Library name → packages, in path order.
    by_library: FxHashMap<String, Vec<u32>>,
}

impl Crates {
    /// Builds the indexes; modules are found by the paths of files alone.
    pub fn new(project: &Project) -> Self {
        Self::with_declarations(project, &[])
    }

    /// Builds the indexes, with the `mod x;` items of the files: then a file belongs to the crate whose root leads to
    /// it (the program's modules beside a library), and `#[path]` is followed.
    pub fn with_declarations(project: &Project, declarations: &[ModDeclaration]) -> Self {
        let manifests: Vec<CargoFile> = paths::manifests(project, |name| name == "Cargo.toml")
            .map(|(folder, _, text)| CargoFile::parse(folder, text))
            .collect();
        let by_folder: FxHashMap<&str, u32> = (0..).zip(&manifests).map(|(at, m)| (m.folder.as_str(), at)).collect();
        let is_package =
            |folder: &str| by_folder.get(folder).is_some_and(|&at| manifests[at as usize].package.is_some());
        let package_at = |folder: &str| paths::upwards(folder).find(|at| is_package(at)).map(|at| by_folder[at]);

        let mut package_of_root = FxHashMap::default();
        let mut roots = FxHashMap::default();
        for (at, manifest) in (0..).zip(&manifests) {
            for (path, kind) in &manifest.roots {
                if let Some(file) = project.file(path) {
                    let known = roots.entry(file).or_insert(*kind);
                    *known = (*known).min(*kind);
                    package_of_root.entry(file).or_insert(at);
                }
            }
        }
        for file in rust_files(project) {
            let path = &project.entry(file).path;
            match package_at(paths::folder(path)) {
                Some(at) => {
                    if let Some(kind) = discovered(&manifests[at as usize], path) {
                        roots.entry(file).or_insert(kind);
                        package_of_root.entry(file).or_insert(at);
                    }
                }
                None => roots.extend(usual_root(path).map(|kind| (file, kind))),
            }
        }
        let tree = Tree::new(project, roots, declarations, is_package);
        let package_of = rust_files(project)
            .filter_map(|file| {
                let of_root = package_of_root.get(&tree.root(file)).copied();
                Some((file, of_root.or_else(|| package_at(paths::folder(&project.entry(file).path)))?))
            })
            .collect();

        let by_folder: FxHashMap<String, u32> =
            by_folder.into_iter().map(|(folder, at)| (folder.to_owned(), at)).collect();
        let packages = packages(project, manifests, &by_folder);
        let mut by_library: FxHashMap<String, Vec<u32>> = FxHashMap::default();
        for (at, package) in (0..).zip(&packages).filter(|(_, package)| package.library.is_some()) {
            by_library.entry(package.file.library()).or_default().push(at);
        }
        let files = Project { files: project.files.clone(), manifests: Vec::new(), by_path: project.by_path.clone() };
        let mut this = Self { files, tree, packages, package_of, by_library };
        this.link(&by_folder);
        this
    }

    /// Fills what each package's dependencies stand for.
    fn link(&mut self, by_folder: &FxHashMap<String, u32>) {
        let all: Vec<_> = (0..self.packages.len()).map(|at| self.externs(at, by_folder)).collect();
        for (package, externs) in self.packages.iter_mut().zip(all) {
            package.externs = externs;
        }
    }

    fn externs(&self, at: usize, by_folder: &FxHashMap<String, u32>) -> FxHashMap<String, Extern> {
        let package = &self.packages[at];
        let workspace = package.workspace.map(|at| &self.packages[at as usize].file);
        let mut externs = FxHashMap::default();
        for dependency in &package.file.dependencies {
            let inherited = workspace.filter(|_| dependency.workspace);
            let told = inherited.and_then(|workspace| workspace.shared.get(&dependency.key)).unwrap_or(dependency);
            let renamed = told.package.is_some();
            let name = told.package.as_deref().unwrap_or(&told.key);
            let patched = workspace.unwrap_or(&package.file).patches.get(name);
            let target = match told.folder.as_ref().or(patched) {
                Some(folder) => {
                    by_folder.get(folder).copied().filter(|&at| self.packages[at as usize].library.is_some())
                }
                None => self.member(package, |other| other.package.as_deref() == Some(name), &name.replace('-', "_")),
            };
            let key = dependency.key.replace('-', "_");
            match target {
                Some(target) => {
                    // The library may bear another name than its package; a rename takes precedence over both.
                    if !renamed {
                        externs.insert(self.packages[target as usize].file.library(), Extern::Package(target));
                    }
                    externs.insert(key, Extern::Package(target));
                }
                None => {
                    externs.entry(key).or_insert_with(|| Extern::Outside(name.to_owned()));
                }
            }
        }
        externs
    }

    /// The package of the same workspace that fits, among those with that library name.
    fn member(&self, from: &Package, fits: impl Fn(&CargoFile) -> bool, library: &str) -> Option<u32> {
        let workspace = from.workspace?;
        self.by_library.get(library)?.iter().copied().find(|&at| {
            let other = &self.packages[at as usize];
            other.workspace == Some(workspace) && fits(&other.file)
        })
    }

    /// The unit of the module around a file's: another file's path, or `path::inline::modules` in it.
    pub fn parent_unit(&self, file: FileId) -> Option<String> {
        let around = self.tree.parent(file)?;
        let path = &self.files.entry(around.file).path;
        Some(if around.inside.is_empty() { path.clone() } else { format!("{path}::{}", around.inside) })
    }

    /// The crate that a path's first segment names.
    fn named_crate(&self, from: FileId, head: &str) -> Option<Found> {
        let package = self.package_of.get(&from).map(|&at| &self.packages[at as usize]);
        let library = |at: u32| self.packages[at as usize].library.map(Found::File);
        if let Some(package) = package {
            match package.externs.get(head) {
                Some(Extern::Package(at)) => return library(*at),
                Some(Extern::Outside(name)) => return Some(Found::External(name.clone())),
                None => {}
            }
            if package.file.library() == head {
                if let Some(root) = package.library {
                    return Some(Found::File(root));
                }
            }
        }
        if STANDARD.contains(&head) {
            return Some(Found::External(head.to_owned()));
        }
        match package {
            Some(package) if package.file.readable => library(self.member(package, |_| true, head)?),
            // Nothing says which crates there are.
            _ => self.by_library.get(head).and_then(|all| library(all[0])),
        }
    }
}

/// Packages and what belongs to them; a manifest of a workspace only becomes a package without files.
fn packages(project: &Project, manifests: Vec<CargoFile>, by_folder: &FxHashMap<String, u32>) -> Vec<Package> {
    let workspace_of = |file: &CargoFile| match &file.workspace_folder {
        Some(folder) => by_folder.get(folder).copied(),
        None => {
            let around = paths::upwards(&file.folder).filter_map(|at| by_folder.get(at).copied());
            around.into_iter().find(|&at| {
                let workspace = &manifests[at as usize];
                workspace.is_workspace && !workspace.excluded.iter().any(|folder| paths::within(&file.folder, folder))
            })
        }
    };
    let workspaces: Vec<Option<u32>> = manifests.iter().map(workspace_of).collect();
    let inherited: Vec<bool> = manifests.iter().map(|file| file.members_2015).collect();
    let build = |(file, workspace): (CargoFile, Option<u32>)| {
        let library = file.roots.iter().find(|(_, kind)| *kind == TargetKind::Library);
        let library = library.and_then(|(path, _)| project.file(path));
        let edition_2015 =
            if file.workspace_edition { workspace.is_some_and(|at| inherited[at as usize]) } else { file.edition_2015 };
        Package { file, library, edition_2015, workspace, externs: FxHashMap::default() }
    };
    manifests.into_iter().zip(workspaces).map(build).collect()
}

/// Whether cargo takes the file for a target without being told.
fn discovered(manifest: &CargoFile, path: &str) -> Option<TargetKind> {
    let folder = paths::folder(path);
    let holder = if paths::base(path) == "main.rs" { paths::folder(folder) } else { folder };
    let found = manifest.discovered.iter().find(|(discovered, _)| discovered == folder || discovered == holder);
    found.map(|(_, kind)| *kind)
}

/// Roots where there is no manifest.
fn usual_root(path: &str) -> Option<TargetKind> {
    match paths::base(path) {
        "lib.rs" => Some(TargetKind::Library),
        "main.rs" => Some(TargetKind::Program),
        _ => path.contains("src/bin/").then_some(TargetKind::Program),
    }
}

impl ModuleSystem for Crates {
    fn unit_key(&self, file: FileId) -> String {
        self.files.entry(file).path.clone()
    }

    /// Finds the module that a path's head names; the other segments are the rest.
    ///
    /// The resolver looks a head that is no keyword up in scope first: here it can only be a crate's name, and one that
    /// no manifest knows is `Missing`. In edition 2015 such a path begins at the crate's root.
    fn find(&self, from: FileId, module: &str) -> Located {
        let module = module.trim_start_matches('$');
        let global = module.starts_with("::");
        let mut segments = module.split("::").map(str::trim).filter(|name| !name.is_empty()).peekable();
        let Some(&head) = segments.peek() else { return Located::whole(Found::Missing) };
        let rest = |names: &mut dyn Iterator<Item = &str>| names.map(|name| plain(name).to_owned()).collect();
        if !global && matches!(head, "crate" | "self" | "super") {
            let mut at = if head == "crate" { self.tree.root(from) } else { from };
            let mut inside: Vec<String> = Vec::new();
            if head != "super" {
                segments.next();
            }
            while segments.next_if_eq(&"super").is_some() {
                if inside.pop().is_none() {
                    let Some(around) = self.tree.parent(at) else { return Located::whole(Found::Missing) };
                    at = around.file;
                    inside = around.inside.split("::").filter(|name| !name.is_empty()).map(str::to_owned).collect();
                }
            }
            inside.extend(rest(&mut segments) as Vec<String>);
            return Located { found: Found::File(at), rest: inside };
        }
        let head = plain(head);
        let package = self.package_of.get(&from).map(|&at| &self.packages[at as usize]);
        let root = self.tree.root(from);
        let edition_2015 = package.is_some_and(|package| package.edition_2015);
        let at_root = |names: &mut dyn Iterator<Item = &str>| Located { found: Found::File(root), rest: rest(names) };
        if edition_2015 && self.tree.submodule(&self.files, root, "", head).is_some() {
            return at_root(&mut segments);
        }
        if let Some(found) = self.named_crate(from, head) {
            segments.next();
            return Located { found, rest: rest(&mut segments) };
        }
        if edition_2015 {
            return at_root(&mut segments);
        }
        if package.is_none_or(|package| !package.file.readable) {
            segments.next();
            return Located { found: Found::External(head.to_owned()), rest: rest(&mut segments) };
        }
        Located::whole(Found::Missing)
    }

    fn submodule(&self, of: &str, name: &str) -> Found {
        let (path, inside) = of.split_once("::").unwrap_or((of, ""));
        let file = self.files.file(path);
        let found = file.and_then(|file| self.tree.submodule(&self.files, file, inside, name));
        found.map_or(Found::Missing, Found::File)
    }

    /// The file around; inline modules of it that the file is in are told by `parent_unit`.
    fn parent(&self, file: FileId) -> Option<FileId> {
        self.tree.parent(file).map(|around| around.file)
    }

    fn root(&self, file: FileId) -> Option<FileId> {
        Some(self.tree.root(file))
    }
}

#[cfg(test)]
mod tests;
