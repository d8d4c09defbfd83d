//! Phase 1: which file or package does an import name? One named strategy a module system.
//!
//! A strategy is pure: it sees the paths of the files, the package that each declares, and the texts of the manifests
//! that the engine read (`package.json`, `tsconfig*.json`, `go.mod`, `Cargo.toml`, `composer.json`, `pom.xml` …).

pub mod crates;
pub mod dotnet;
pub mod ecmascript;
pub mod go;
pub mod includes;
pub mod jvm;
pub mod php;
pub mod python;
pub mod ruby;

mod paths;
mod registry;
#[cfg(test)]
mod specimen;
mod xml;

pub(crate) use registry::Registry;

use rustc_hash::FxHashMap;

pub use crates::ModDeclaration;

/// Index of a file among all files of the run, in path order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FileId(pub u32);

/// A file as the strategies see it.
#[derive(Clone, Debug)]
pub struct FileEntry {
    /// Path from the root, with `/`.
    pub path: String,
    /// The `family` of its language.
    pub family: String,
    /// The package or namespace it declares for all of itself.
    pub package: Option<String>,
}

/// A project file that configures imports.
#[derive(Clone, Debug)]
pub struct Manifest {
    /// Path from the root, with `/`.
    pub path: String,
    /// Its text.
    pub text: String,
}

/// All that a strategy may look at.
#[derive(Debug, Default)]
pub struct Project {
    /// All files in path order; `FileId` is the index.
    pub files: Vec<FileEntry>,
    /// All manifests in path order.
    pub manifests: Vec<Manifest>,
    /// Path → file.
    pub by_path: FxHashMap<String, FileId>,
}

impl Project {
    /// Builds the path table.
    pub fn new(files: Vec<FileEntry>, manifests: Vec<Manifest>) -> Self {
        let by_path = files.iter().enumerate().map(|(i, f)| (f.path.clone(), FileId(i as u32))).collect();
        Self { files, manifests, by_path }
    }

    /// A file by its path.
    pub fn file(&self, path: &str) -> Option<FileId> {
        self.by_path.get(path).copied()
    }

    /// The entry of a file.
    pub fn entry(&self, file: FileId) -> &FileEntry {
        &self.files[file.0 as usize]
    }
}

/// Where a module's text leads.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Found {
    /// A file.
    File(FileId),
    /// A package, namespace or directory: a unit key as `ModuleSystem::unit_key` gives them, also of units without a
    /// file of their own (`com` of `com.acme`, a Python package without `__init__`).
    Unit(String),
    /// A package outside the project, by the name users know it by (`requests`, `lodash`, `java.util`).
    External(String),
    /// Meant to be in the project, but not there (a broken relative import).
    Missing,
}

/// A found module and the segments of the text that are left: the resolver looks them up as members, one by one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Located {
    /// The module that the first segments name.
    pub found: Found,
    /// The other segments.
    pub rest: Vec<String>,
}

impl Located {
    /// A module that the whole text names.
    pub fn whole(found: Found) -> Self {
        Self { found, rest: Vec::new() }
    }
}

/// An import that no file of a project writes, because the project gives it to all of them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Implied {
    /// The module or type, as an import would name it.
    pub module: String,
    /// The name it gets; without one, the names in it are brought in.
    pub alias: Option<String>,
}

/// A named strategy.
pub trait ModuleSystem: Send + Sync {
    /// The key of the unit that the file's top-level names belong to. Files with the same key share one set of names.
    /// Lexical namespaces inside get the key `parent key + separator + name` (no separator after an empty key).
    fn unit_key(&self, file: FileId) -> String;

    /// The units whose names the file sees without an import: its own first, then the same package in sibling source
    /// roots of the same build module.
    fn visible_units(&self, file: FileId) -> Vec<String> {
        vec![self.unit_key(file)]
    }

    /// Further units that hold parts of what a unit is of (a package in other source roots), as a file sees them, the
    /// nearest first.
    fn parts(&self, from: FileId, unit: &str) -> Vec<String> {
        let _ = (from, unit);
        Vec::new()
    }

    /// How far a file is from another one that names what both define: files nearer win (same build project first).
    fn rank(&self, from: FileId, candidate: FileId) -> u32 {
        let _ = (from, candidate);
        0
    }

    /// The imports that the file's project gives to all its files, and which of the projects that is.
    fn implied(&self, file: FileId) -> (u32, &[Implied]) {
        let _ = file;
        (0, &[])
    }

    /// Whether what one file imports for its whole project holds in the other file.
    fn shares_imports(&self, file: FileId, other: FileId) -> bool {
        let _ = (file, other);
        true
    }

    /// What `module`, as written in an import of `from`, names.
    fn find(&self, from: FileId, module: &str) -> Located;

    /// The submodule `name` of a module, where files and folders make submodules (Python packages, Rust `mod x;`).
    /// `of` is a unit key.
    fn submodule(&self, of: &str, name: &str) -> Found {
        let _ = (of, name);
        Found::Missing
    }

    /// Keys of units that have no file of their own but can be named (Python packages without `__init__`).
    fn virtual_units(&self) -> Vec<String> {
        Vec::new()
    }

    /// The name by which code refers to an imported unit when the import gives none (the package clause of Go).
    fn package_name(&self, unit: &str) -> Option<&str> {
        let _ = unit;
        None
    }

    /// Names by which code may refer to an imported module outside the project when the import gives none.
    fn outside_names(&self, module: &str) -> Vec<String> {
        let _ = module;
        Vec::new()
    }

    /// Whether the file's name alone leaves it out of the ordinary build (on Linux).
    fn is_aside(&self, file: FileId) -> bool {
        let _ = file;
        false
    }

    /// Whether two files that are left out of the ordinary build are of one other.
    fn are_beside(&self, file: FileId, other: FileId) -> bool {
        let _ = (file, other);
        false
    }

    /// The module around this file's, where modules nest by files (Rust `super`).
    fn parent(&self, file: FileId) -> Option<FileId> {
        let _ = file;
        None
    }

    /// The root module that the file belongs to (Rust `crate`).
    fn root(&self, file: FileId) -> Option<FileId> {
        let _ = file;
        None
    }
}
