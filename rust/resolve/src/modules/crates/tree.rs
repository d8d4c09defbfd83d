//! Which file is whose module. Taken from the `mod x;` items where they are known, and from the paths of files, by the
//! compiler's own convention, for all files that no known item leads to.

use super::manifest::TargetKind;
use super::ModDeclaration;
use crate::modules::{paths, FileId, Project};
use rustc_hash::{FxHashMap, FxHashSet};

/// The module that a file's module is written in: a file, and the inline modules in it (`a::b`, or empty).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Around {
    /// The file.
    pub file: FileId,
    /// Inline modules, joined by `::`.
    pub inside: String,
}

/// The module tree of all crates.
#[derive(Default)]
pub struct Tree {
    roots: FxHashMap<FileId, TargetKind>,
    parents: FxHashMap<FileId, Around>,
    root_of: FxHashMap<FileId, FileId>,
    declared: FxHashMap<FileId, FxHashMap<(String, String), FileId>>,
    /// Files named by a path attribute: like a `mod.rs`, they have their modules beside them.
    by_attribute: FxHashSet<FileId>,
}

impl Tree {
    /// Builds the tree. `is_crate_folder` says where a package ends: no module is looked for above.
    pub fn new(
        project: &Project,
        roots: FxHashMap<FileId, TargetKind>,
        declarations: &[ModDeclaration],
        is_crate_folder: impl Fn(&str) -> bool,
    ) -> Self {
        let mut tree = Self { roots, ..Self::default() };
        tree.follow_declarations(project, declarations);
        tree.follow_paths(project, is_crate_folder);
        tree
    }

    /// From each root, the library's first, through the `mod x;` items of the files that are reached.
    fn follow_declarations(&mut self, project: &Project, declarations: &[ModDeclaration]) {
        let mut items: FxHashMap<FileId, Vec<&ModDeclaration>> = FxHashMap::default();
        for declaration in declarations {
            items.entry(declaration.file).or_default().push(declaration);
        }
        let mut queue: Vec<(TargetKind, FileId)> = self.roots.iter().map(|(&file, &kind)| (kind, file)).collect();
        queue.sort_unstable();
        // All modules of one root before the next root's: a file of two crates belongs to the preferred one.
        queue.reverse();
        for &(_, root) in &queue {
            self.root_of.insert(root, root);
        }
        while let Some((kind, file)) = queue.pop() {
            let mut found = Vec::new();
            for item in items.get(&file).into_iter().flatten() {
                let Some(module) = self.declared_file(project, item) else { continue };
                let names = self.declared.entry(file).or_default();
                names.entry((item.inside.clone(), plain(&item.name).to_owned())).or_insert(module);
                if self.root_of.contains_key(&module) {
                    continue;
                }
                if item.path.is_some() {
                    self.by_attribute.insert(module);
                }
                self.root_of.insert(module, self.root_of[&file]);
                self.parents.insert(module, Around { file, inside: item.inside.clone() });
                found.push((kind, module));
            }
            queue.extend(found.into_iter().rev());
        }
    }

    fn declared_file(&self, project: &Project, item: &ModDeclaration) -> Option<FileId> {
        match &item.path {
            Some(path) if item.inside.is_empty() => {
                let folder = paths::folder(&project.entry(item.file).path);
                project.file(&paths::join(folder, path)?)
            }
            Some(path) => project.file(&paths::join(&self.module_folder(project, item.file, &item.inside), path)?),
            None => self.conventional(project, item.file, &item.inside, &item.name),
        }
    }

    /// For each file that no item led to: the file that would have to declare it.
    fn follow_paths(&mut self, project: &Project, is_crate_folder: impl Fn(&str) -> bool) {
        let mut root_in: FxHashMap<&str, (TargetKind, FileId)> = FxHashMap::default();
        for (&file, &kind) in &self.roots {
            let best = root_in.entry(paths::folder(&project.entry(file).path)).or_insert((kind, file));
            *best = (*best).min((kind, file));
        }
        for file in rust_files(project) {
            if !self.root_of.contains_key(&file) {
                if let Some(around) = owner(project, &root_in, file, &is_crate_folder) {
                    self.parents.insert(file, around);
                }
            }
        }
        for file in rust_files(project) {
            let mut chain = Vec::new();
            let mut at = file;
            let root = loop {
                if let Some(&root) = self.root_of.get(&at) {
                    break root;
                }
                chain.push(at);
                match self.parents.get(&at) {
                    Some(around) => at = around.file,
                    None => break at,
                }
            };
            self.root_of.extend(chain.into_iter().map(|file| (file, root)));
        }
    }

    /// The module around a file's module.
    pub fn parent(&self, file: FileId) -> Option<&Around> {
        self.parents.get(&file)
    }

    /// The root of the crate that the file belongs to: itself, if nothing leads to it.
    pub fn root(&self, file: FileId) -> FileId {
        self.root_of.get(&file).copied().unwrap_or(file)
    }

    /// The file of `mod name;` in a file's module, or in the inline modules `inside` it.
    pub fn submodule(&self, project: &Project, file: FileId, inside: &str, name: &str) -> Option<FileId> {
        let declared = self.declared.get(&file);
        declared
            .and_then(|names| names.get(&(inside.to_owned(), plain(name).to_owned())).copied())
            .or_else(|| self.conventional(project, file, inside, name))
    }

    fn conventional(&self, project: &Project, file: FileId, inside: &str, name: &str) -> Option<FileId> {
        let folder = self.module_folder(project, file, inside);
        let path = paths::child(&folder, plain(name));
        let found = project.file(&format!("{path}.rs")).or_else(|| project.file(&format!("{path}/mod.rs")));
        found.filter(|&found| found != file)
    }

    /// The folder with the files of a module's submodules.
    fn module_folder(&self, project: &Project, file: FileId, inside: &str) -> String {
        let path = &project.entry(file).path;
        let folder = paths::folder(path);
        let beside =
            self.roots.contains_key(&file) || self.by_attribute.contains(&file) || paths::base(path) == "mod.rs";
        let mut folder = if beside { folder.to_owned() } else { paths::child(folder, paths::stem(path)) };
        for name in inside.split("::").filter(|name| !name.is_empty()) {
            folder = paths::child(&folder, plain(name));
        }
        folder
    }
}

/// All source files, in path order.
pub fn rust_files(project: &Project) -> impl Iterator<Item = FileId> + '_ {
    (0..).zip(&project.files).filter(|(_, entry)| entry.path.ends_with(".rs")).map(|(at, _)| FileId(at))
}

/// A name without the mark of a raw identifier.
pub fn plain(name: &str) -> &str {
    name.strip_prefix("r#").unwrap_or(name)
}

/// The nearest module that the folders of a file lead to. Folders without a file of their own are inline modules of it,
/// but only below libraries and programs: folders beside tests hold data as often as modules.
fn owner(
    project: &Project,
    root_in: &FxHashMap<&str, (TargetKind, FileId)>,
    file: FileId,
    is_crate_folder: &impl Fn(&str) -> bool,
) -> Option<Around> {
    let path = &project.entry(file).path;
    let own = paths::folder(path);
    let first = if paths::base(path) == "mod.rs" { paths::folder(own) } else { own };
    if is_crate_folder(own) && own != first {
        return None;
    }
    for folder in paths::upwards(first) {
        let inside = || folder_names(first, folder);
        let root = root_in
            .get(folder)
            .filter(|(kind, _)| folder == first || matches!(kind, TargetKind::Library | TargetKind::Program));
        if let Some(&(_, root)) = root {
            return Some(Around { file: root, inside: inside() });
        }
        let module = project.file(&paths::child(folder, "mod.rs")).or_else(|| {
            (!folder.is_empty() && !is_crate_folder(folder)).then(|| project.file(&format!("{folder}.rs")))?
        });
        if let Some(module) = module.filter(|&module| module != file) {
            return Some(Around { file: module, inside: inside() });
        }
        if is_crate_folder(folder) {
            break;
        }
    }
    None
}

fn folder_names(of: &str, above: &str) -> String {
    of[above.len()..].trim_start_matches('/').replace('/', "::")
}
