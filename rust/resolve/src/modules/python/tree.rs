//! The folders that hold Python files, as the import system sees them.

use crate::modules::{paths, FileId, Project};
use rustc_hash::FxHashMap;

/// Index of a folder; 0 is the root of the project.
pub type DirId = u32;

/// What a name inside a folder can mean.
#[derive(Clone, Copy, Default)]
struct Child {
    /// `name.py`, or else `name.pyi`.
    module: Option<FileId>,
    /// `name/`.
    folder: Option<DirId>,
}

struct Dir {
    path: String,
    parent: DirId,
    /// `__init__.py`, or else `__init__.pyi`.
    init: Option<FileId>,
}

/// What a dotted name leads to from one folder.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Hit {
    /// A module, or a package by its `__init__`.
    File(FileId),
    /// A folder without `__init__`: a namespace package.
    Folder(DirId),
}

/// How far a dotted name leads from one folder.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Walk {
    /// The last thing found.
    pub hit: Hit,
    /// How many segments it took.
    pub matched: usize,
}

/// All folders, with interned names, so that a look-up formats no text.
pub struct Tree {
    dirs: Vec<Dir>,
    dir_of: FxHashMap<String, DirId>,
    names: FxHashMap<String, u32>,
    children: FxHashMap<(DirId, u32), Child>,
    /// By name: the folders in which it is something.
    holders: Vec<Vec<DirId>>,
}

impl Tree {
    /// Reads the paths once.
    pub fn new(project: &Project) -> Self {
        let mut tree = Self {
            dirs: vec![Dir { path: String::new(), parent: 0, init: None }],
            dir_of: FxHashMap::from_iter([(String::new(), 0)]),
            names: FxHashMap::default(),
            children: FxHashMap::default(),
            holders: Vec::new(),
        };
        for (index, entry) in project.files.iter().enumerate() {
            let Some((module, stub)) = module_path(&entry.path) else { continue };
            let dir = tree.add_dir(paths::folder(&entry.path));
            let file = FileId(index as u32);
            // The stub of a module says less than the module: it counts only where there is no module.
            if paths::base(module) == "__init__" {
                let init = &mut tree.dirs[dir as usize].init;
                if init.is_none() || !stub {
                    *init = Some(file);
                }
            } else {
                let child = tree.child_mut(dir, paths::base(module));
                if child.module.is_none() || !stub {
                    child.module = Some(file);
                }
            }
        }
        tree
    }

    fn add_dir(&mut self, path: &str) -> DirId {
        if let Some(&id) = self.dir_of.get(path) {
            return id;
        }
        let missing: Vec<&str> = paths::upwards(path).take_while(|at| !self.dir_of.contains_key(*at)).collect();
        let mut parent = missing.last().map_or(0, |top| self.dir_of[paths::folder(top)]);
        for at in missing.into_iter().rev() {
            let id = self.dirs.len() as DirId;
            self.dirs.push(Dir { path: at.to_owned(), parent, init: None });
            self.dir_of.insert(at.to_owned(), id);
            self.child_mut(parent, paths::base(at)).folder = Some(id);
            parent = id;
        }
        parent
    }

    fn child_mut(&mut self, dir: DirId, name: &str) -> &mut Child {
        let next = self.names.len() as u32;
        let name = *self.names.entry(name.to_owned()).or_insert(next);
        if name == next {
            self.holders.push(Vec::new());
        }
        let holders = &mut self.holders[name as usize];
        self.children.entry((dir, name)).or_insert_with(|| {
            holders.push(dir);
            Child::default()
        })
    }

    /// Paths of the folders without `__init__`.
    pub fn without_init(&self) -> impl Iterator<Item = &str> {
        self.dirs.iter().filter(|dir| dir.init.is_none()).map(|dir| dir.path.as_str())
    }

    /// The folder of a path, if it holds Python files.
    pub fn dir(&self, path: &str) -> Option<DirId> {
        self.dir_of.get(path).copied()
    }

    /// The path of a folder.
    pub fn path(&self, dir: DirId) -> &str {
        &self.dirs[dir as usize].path
    }

    /// The folder around; `None` for the root.
    pub fn up(&self, dir: DirId) -> Option<DirId> {
        (dir != 0).then(|| self.dirs[dir as usize].parent)
    }

    /// The `__init__` of a folder.
    pub fn init(&self, dir: DirId) -> Option<FileId> {
        self.dirs[dir as usize].init
    }

    /// A folder as an import names it.
    pub fn package(&self, dir: DirId) -> Hit {
        self.init(dir).map_or(Hit::Folder(dir), Hit::File)
    }

    /// The folders in which `name` is something.
    pub fn holders(&self, name: &str) -> &[DirId] {
        self.names.get(name).map_or(&[], |&id| &self.holders[id as usize])
    }

    /// Follows a dotted name from a folder as far as it leads: a package with `__init__` comes before a module, and a
    /// module before a namespace package.
    pub fn walk(&self, from: DirId, segments: &[&str]) -> Option<Walk> {
        let mut at = from;
        let mut found = None;
        for (index, segment) in segments.iter().enumerate() {
            let Some(&name) = self.names.get(*segment) else { break };
            let Some(child) = self.children.get(&(at, name)) else { break };
            let package = child.folder.filter(|&dir| child.module.is_none() || self.init(dir).is_some());
            let Some(dir) = package else {
                let file = child.module?;
                return Some(Walk { hit: Hit::File(file), matched: index + 1 });
            };
            found = Some(Walk { hit: self.package(dir), matched: index + 1 });
            at = dir;
        }
        found
    }
}

/// The path without its extension, and whether it is a stub; `None` for files that cannot be imported.
fn module_path(path: &str) -> Option<(&str, bool)> {
    path.strip_suffix(".py").map(|module| (module, false)).or_else(|| path.strip_suffix(".pyi").map(|m| (m, true)))
}
