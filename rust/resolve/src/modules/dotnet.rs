//! .NET: namespaces are global, whatever files, folders and projects they are written in.
//!
//! A unit is a namespace by its full name; the global one is the empty key. Projects decide only where a type of one
//! full name stands in several of them: `rank`.

mod projects;
mod usings;

use super::{paths, FileId, Found, Implied, Located, ModuleSystem, Project};
use projects::Projects;
use rustc_hash::{FxHashMap, FxHashSet};

/// First segments of the platform's namespaces: projects add a few types of their own to these, so that a name below
/// is the project's only if a file of that name is.
const PLATFORM: &[&str] = &["System", "Microsoft", "Windows"];

/// No namespace is that deep; prefixes are looked at one by one.
const DEEPEST: usize = 64;

/// File name endings of the languages that share namespaces.
const ENDINGS: &[&str] = &[".cs", ".csx", ".vb", ".fs"];

/// See the module's documentation.
pub struct Dotnet {
    /// Declared namespaces and the names of the files that declare them, without ending. Namespaces that only lead to
    /// others are in it with no file.
    namespaces: FxHashMap<String, FxHashSet<String>>,
    declared: FxHashSet<String>,
    /// Namespaces of each file: its own for all of it, then the lexical ones.
    of_file: Vec<Vec<String>>,
    own: Vec<String>,
    projects: Projects,
}

impl Dotnet {
    /// Builds the indexes. `declared` lists the full names of the lexical namespaces of each file.
    pub fn new(project: &Project, declared: &[(FileId, String)]) -> Self {
        let files = project.files.len();
        let mut this = Self {
            namespaces: FxHashMap::default(),
            declared: FxHashSet::default(),
            of_file: vec![Vec::new(); files],
            own: vec![String::new(); files],
            projects: Projects::new(project),
        };
        for (at, entry) in project.files.iter().enumerate() {
            if let (Some(package), true) = (&entry.package, ENDINGS.iter().any(|ending| entry.path.ends_with(ending))) {
                this.own[at] = plain(package);
                this.declare(at, &entry.path, package);
            }
        }
        for (file, name) in declared {
            if let Some(entry) = project.files.get(file.0 as usize) {
                this.declare(file.0 as usize, &entry.path, name);
            }
        }
        this
    }

    fn declare(&mut self, file: usize, path: &str, name: &str) {
        let name = plain(name);
        if name.is_empty() {
            return;
        }
        if self.declared.insert(name.clone()) {
            for (end, _) in name.match_indices('.').take(DEEPEST) {
                self.namespaces.entry(name[..end].to_owned()).or_default();
            }
        }
        self.namespaces.entry(name.clone()).or_default().insert(paths::stem(path).to_owned());
        self.of_file[file].push(name);
    }

    /// The project file that a source file belongs to.
    pub fn project_of(&self, file: FileId) -> Option<&str> {
        self.projects.of(file)
    }

    /// The longest namespace that the name begins with, if the rest can be a type in it.
    fn locate(&self, name: &str) -> Option<Located> {
        let ends: Vec<usize> = name.match_indices('.').map(|(at, _)| at).take(DEEPEST).chain([name.len()]).collect();
        let platform = PLATFORM.contains(&name.split('.').next().unwrap_or(name));
        for &end in ends.iter().rev() {
            let (namespace, rest) = (&name[..end], name[end..].trim_start_matches('.'));
            let Some(stems) = self.namespaces.get(namespace) else { continue };
            let found = Found::Unit(namespace.to_owned());
            let Some(head) = rest.split('.').next().filter(|head| !head.is_empty()) else {
                return Some(Located::whole(found));
            };
            let possible = if platform { stems.contains(head) } else { self.declared.contains(namespace) };
            return possible.then(|| Located { found, rest: rest.split('.').map(str::to_owned).collect() });
        }
        None
    }
}

/// A name without `global::` and the marks of escaped identifiers.
fn plain(name: &str) -> String {
    name.trim().trim_start_matches("global::").replace('@', "").replace(char::is_whitespace, "")
}

impl ModuleSystem for Dotnet {
    fn rank(&self, from: FileId, candidate: FileId) -> u32 {
        self.projects.rank(from, candidate)
    }

    fn implied(&self, file: FileId) -> (u32, &[Implied]) {
        self.projects.implied(file)
    }

    fn shares_imports(&self, file: FileId, other: FileId) -> bool {
        self.projects.together(file, other)
    }

    fn unit_key(&self, file: FileId) -> String {
        self.own.get(file.0 as usize).cloned().unwrap_or_default()
    }

    /// Finds the namespace that a name begins with. Names are taken as full names first, then relative to the
    /// namespaces of the file, the inner ones first (`using Parts;` inside `namespace Zoo`).
    fn find(&self, from: FileId, module: &str) -> Located {
        let name = plain(module);
        if name.is_empty() {
            // `global::` alone.
            return Located::whole(Found::Unit(String::new()));
        }
        let full = self.locate(&name);
        if let Some(located) = full.as_ref().filter(|located| located.rest.is_empty()) {
            return located.clone();
        }
        if !module.trim_start().starts_with("global::") {
            for around in self.of_file.get(from.0 as usize).into_iter().flatten() {
                for around in scopes(around) {
                    let located = self.locate(&format!("{around}.{name}"));
                    // It must have led further than the namespace it was looked for in.
                    let further = |found: &Found| matches!(found, Found::Unit(key) if key.len() > around.len());
                    if let Some(located) = located.filter(|located| further(&located.found)) {
                        return located;
                    }
                }
            }
        }
        full.unwrap_or_else(|| Located::whole(Found::External(name)))
    }

    fn submodule(&self, of: &str, name: &str) -> Found {
        let key = if of.is_empty() { name.to_owned() } else { format!("{of}.{name}") };
        if self.namespaces.contains_key(&key) {
            Found::Unit(key)
        } else {
            Found::Missing
        }
    }
}

/// A namespace and those around it, the inner ones first.
fn scopes(namespace: &str) -> impl Iterator<Item = &str> {
    let around = namespace.rmatch_indices('.').map(|(at, _)| &namespace[..at]);
    std::iter::once(namespace).chain(around).take(DEEPEST)
}

#[cfg(test)]
mod tests;
