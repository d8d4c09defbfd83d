//! Java, Kotlin and their kin: packages are global names, but each source root has its own part of them.
//!
//! A unit is one package in one source root: `root:package` (`app/src/main/java:com.acme`). Two modules that hold the
//! same package are thus kept apart, and a test's package finds the sources' one through `visible_units`.

mod builds;
mod layout;

use super::{paths, FileId, Found, Located, ModuleSystem, Project};
use builds::{Build, Dependency};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;
use std::sync::OnceLock;

/// First segments of packages that come with the platform: a package of the project below one of these is a stand-in,
/// and only types whose file is there are taken from it.
const PLATFORM: &[&str] =
    &["java", "javax", "jakarta", "jdk", "sun", "kotlin", "kotlinx", "android", "androidx", "scala", "groovy"];

/// File name endings of the languages that share packages.
const ENDINGS: &[&str] = &["java", "kt", "kts", "groovy", "scala"];

/// No package is that deep; prefixes are looked at one by one.
const DEEPEST: usize = 64;

struct Root {
    path: String,
    module: u32,
    test: bool,
}

#[derive(Default)]
struct Unit {
    /// File names without ending: the names of the public types.
    stems: FxHashSet<String>,
    /// Whether the language of a file has functions outside of types.
    functions: bool,
}

struct Module {
    folder: String,
    dependencies: Vec<u32>,
    /// The modules reached over dependencies, and over how many.
    distances: OnceLock<FxHashMap<u32, u32>>,
}

/// See the module's documentation.
pub struct Jvm {
    roots: Vec<Root>,
    root_of_path: FxHashMap<String, u32>,
    modules: Vec<Module>,
    /// Package → its parts by source root, in the order of their paths.
    packages: FxHashMap<String, Vec<(u32, Unit)>>,
    /// Packages that only lead to others (`com` of `com.acme`), and the first root that has them.
    implied: FxHashMap<String, u32>,
    /// Source root and package of each file; `None` for files of other languages.
    files: Vec<Option<(u32, String)>>,
}

impl Jvm {
    /// Builds the indexes.
    pub fn new(project: &Project) -> Self {
        let builds = builds::builds(project);
        let with_build: FxHashSet<&str> = builds.iter().map(|build| build.folder.as_str()).collect();
        let mut this = Self {
            roots: Vec::new(),
            root_of_path: FxHashMap::default(),
            modules: Vec::new(),
            packages: FxHashMap::default(),
            implied: FxHashMap::default(),
            files: vec![None; project.files.len()],
        };
        let mut module_of: FxHashMap<String, u32> = FxHashMap::default();
        let mut module_at = |folder: &str, modules: &mut Vec<Module>| {
            *module_of.entry(folder.to_owned()).or_insert_with(|| {
                modules.push(Module {
                    folder: folder.to_owned(),
                    dependencies: Vec::new(),
                    distances: OnceLock::new(),
                });
                modules.len() as u32 - 1
            })
        };
        for build in &builds {
            module_at(&build.folder, &mut this.modules);
        }
        for (at, entry) in project.files.iter().enumerate() {
            let ending = entry.path.rsplit('.').next().unwrap_or_default();
            if !ENDINGS.contains(&ending) {
                continue;
            }
            let package = entry.package.as_deref().unwrap_or_default().replace('`', "");
            let path = layout::source_root(&entry.path, &package);
            let root = match this.root_of_path.get(&path) {
                Some(&root) => root,
                None => {
                    let folder = layout::module_folder(&path, |folder| with_build.contains(folder));
                    let module = module_at(folder, &mut this.modules);
                    let test = layout::is_test(&path, folder);
                    this.root_of_path.insert(path.clone(), this.roots.len() as u32);
                    this.roots.push(Root { path, module, test });
                    this.roots.len() as u32 - 1
                }
            };
            this.add_package(root, &package, paths::stem(&entry.path), ending != "java");
            this.files[at] = Some((root, package));
        }
        let roots = &this.roots;
        for parts in this.packages.values_mut() {
            parts.sort_by(|a, b| roots[a.0 as usize].path.cmp(&roots[b.0 as usize].path));
        }
        this.link(&builds, &module_of);
        this
    }

    fn add_package(&mut self, root: u32, package: &str, stem: &str, functions: bool) {
        let parts = self.packages.entry(package.to_owned()).or_default();
        // Files come in path order, so the root of the one before is nearly always the last.
        let at = parts.iter().rposition(|(known, _)| *known == root).unwrap_or_else(|| {
            parts.push((root, Unit::default()));
            for (end, _) in package.match_indices('.').take(DEEPEST) {
                self.implied.entry(package[..end].to_owned()).or_insert(root);
            }
            parts.len() - 1
        });
        parts[at].1.stems.insert(stem.to_owned());
        parts[at].1.functions |= functions;
    }

    /// Turns written dependencies into modules.
    fn link(&mut self, builds: &[Build], module_of: &FxHashMap<String, u32>) {
        let mut artifacts: FxHashMap<&str, Vec<(&str, u32)>> = FxHashMap::default();
        let mut settings: FxHashMap<&str, &Build> = FxHashMap::default();
        for build in builds {
            if let Some((group, artifact)) = &build.artifact {
                artifacts.entry(artifact).or_default().push((group, module_of[&build.folder]));
            }
            if !build.project_folders.is_empty() {
                settings.insert(&build.folder, build);
            }
        }
        let alike: FxHashMap<String, u32> = module_of.iter().map(|(folder, &at)| (alike(folder), at)).collect();
        for build in builds {
            let own = module_of[&build.folder];
            let find = |dependency: &Dependency| match dependency {
                Dependency::Artifact(group, artifact) => {
                    let all = artifacts.get(artifact.as_str())?.iter();
                    let fitting = all.filter(|(other, _)| group.is_empty() || other.is_empty() || group == other);
                    let near = |at: u32| paths::shared(&self.modules[at as usize].folder, &build.folder);
                    fitting.map(|(_, at)| *at).rev().max_by_key(|&at| near(at))
                }
                Dependency::Project(path) => paths::upwards(&build.folder).find_map(|around| {
                    let elsewhere = settings.get(around).and_then(|build| build.project_folders.get(path));
                    let folder = elsewhere.cloned().unwrap_or_else(|| paths::child(around, path));
                    module_of.get(&folder).or_else(|| alike.get(&self::alike(&folder))).copied()
                }),
            };
            let found: Vec<u32> = build.dependencies.iter().filter_map(find).filter(|&at| at != own).collect();
            self.modules[own as usize].dependencies.extend(found);
        }
    }

    fn key(&self, root: u32, package: &str) -> String {
        format!("{}:{package}", self.roots[root as usize].path)
    }

    /// The modules that a module depends on, with the number of steps.
    fn distances(&self, module: u32) -> &FxHashMap<u32, u32> {
        self.modules[module as usize].distances.get_or_init(|| {
            let mut distances = FxHashMap::from_iter([(module, 0)]);
            let mut queue = VecDeque::from([module]);
            while let Some(at) = queue.pop_front() {
                let next = distances[&at] + 1;
                for &dependency in &self.modules[at as usize].dependencies {
                    distances.entry(dependency).or_insert_with(|| {
                        queue.push_back(dependency);
                        next
                    });
                }
            }
            distances
        })
    }

    /// How far a source root is from another: itself, the same module, modules depended on, then all others by how much
    /// of the path they share. The sources come before the tests.
    fn rank(&self, from: u32, to: u32) -> (u32, bool, usize) {
        let (a, b) = (&self.roots[from as usize], &self.roots[to as usize]);
        if from == to {
            return (0, false, 0);
        }
        match self.distances(a.module).get(&b.module) {
            Some(steps) => (1 + steps, b.test, 0),
            None => (u32::MAX, false, usize::MAX - paths::shared(&a.path, &b.path)),
        }
    }

    /// The nearest part of a package that is as wanted.
    fn nearest(&self, from: u32, package: &str, wanted: impl Fn(&Unit) -> bool) -> Option<String> {
        let parts = self.packages.get(package)?.iter().filter(|(_, unit)| wanted(unit));
        let root = parts.map(|(root, _)| *root).min_by_key(|&root| self.rank(from, root))?;
        Some(self.key(root, package))
    }

    /// The units that hold parts of a package, the nearest to `from` first: those of its module and of the modules it
    /// depends on, or, where none of these has the package, the nearest other one.
    pub fn package_units(&self, from: FileId, package: &str) -> Vec<String> {
        let Some(Some((from, _))) = self.files.get(from.0 as usize) else { return Vec::new() };
        let near = self.near_units(*from, package);
        if near.is_empty() {
            return self.nearest(*from, package, |_| true).into_iter().collect();
        }
        near.into_iter().map(|root| self.key(root, package)).collect()
    }

    fn near_units(&self, from: u32, package: &str) -> Vec<u32> {
        let own = self.roots[from as usize].module;
        let parts = self.packages.get(package).into_iter().flatten();
        let mut near: Vec<_> = parts
            .map(|(root, _)| (self.rank(from, *root), *root))
            .filter(|((steps, ..), root)| {
                let root = &self.roots[*root as usize];
                *steps < u32::MAX && (root.module == own || !root.test)
            })
            .collect();
        // Parts are in path order, which decides among equals.
        near.sort_by_key(|(rank, _)| *rank);
        near.into_iter().map(|(_, root)| root).collect()
    }

    fn locate(&self, from: u32, text: &str) -> Option<Located> {
        let ends: Vec<usize> = text.match_indices('.').map(|(at, _)| at).take(DEEPEST).chain([text.len()]).collect();
        let platform = PLATFORM.contains(&text.split('.').next().unwrap_or(text));
        let mut weaker: Option<Located> = None;
        for &end in ends.iter().rev() {
            let (package, rest) = (&text[..end], text[end..].trim_start_matches('.'));
            if !self.packages.contains_key(package) {
                continue;
            }
            let Some(head) = rest.split('.').next().filter(|head| !head.is_empty()) else {
                return self.nearest(from, package, |_| true).map(|key| Located::whole(Found::Unit(key)));
            };
            let located = |key: String| Located { found: Found::Unit(key), rest: segments(rest) };
            if let Some(key) = self.nearest(from, package, |unit| unit.stems.contains(head)) {
                return Some(located(key));
            }
            if weaker.is_some() || platform {
                continue;
            }
            // A type in a file of another name, or a function; a package that is not here is neither.
            let is_type = head.starts_with(char::is_uppercase);
            let is_function = head.len() == rest.len();
            let wanted = |unit: &Unit| is_type || (is_function && unit.functions);
            // Functions stand in files of the languages that have them; so do types whose file has another name.
            let key = self.nearest(from, package, |unit| unit.functions && wanted(unit));
            let key = if is_type { self.nearest(from, package, wanted) } else { key };
            weaker = key.map(located);
        }
        weaker.or_else(|| {
            let root = *self.implied.get(text)?;
            Some(Located::whole(Found::Unit(self.key(root, text))))
        })
    }
}

/// A folder's name as typed accessors of Gradle see it: without case and marks.
fn alike(folder: &str) -> String {
    folder.chars().filter(|c| !matches!(c, '-' | '_' | '.')).flat_map(char::to_lowercase).collect()
}

fn segments(text: &str) -> Vec<String> {
    text.split('.').filter(|name| !name.is_empty()).map(str::to_owned).collect()
}

/// A name from outside: the package, and the segments from the first capital letter on.
fn external(text: &str) -> Located {
    let all = segments(text);
    let types = all.iter().position(|name| name.starts_with(char::is_uppercase)).unwrap_or(all.len());
    // A type without a package is its own name.
    let package = if types == 0 { text.to_owned() } else { all[..types].join(".") };
    let rest = if types == 0 { Vec::new() } else { all[types..].to_vec() };
    Located { found: Found::External(package), rest }
}

impl ModuleSystem for Jvm {
    fn unit_key(&self, file: FileId) -> String {
        match self.files.get(file.0 as usize) {
            Some(Some((root, package))) => self.key(*root, package),
            _ => String::new(),
        }
    }

    /// Finds the package that a qualified name begins with; types and members are the rest. Give the whole name,
    /// `com.acme.Desk` rather than `com.acme`: which of several parts of a package is meant hangs on the type.
    fn find(&self, from: FileId, module: &str) -> Located {
        let text = module.replace('`', "");
        let text = text.trim_end_matches(".*");
        let Some(Some((root, _))) = self.files.get(from.0 as usize) else { return external(text) };
        if let Some(located) = self.locate(*root, text) {
            return located;
        }
        // Languages with a default package may import from it.
        let head = text.split('.').next().unwrap_or(text);
        let near = self.near_units(*root, "");
        let holds = |root: &u32| {
            let unit = self.packages[""].iter().find(|(at, _)| at == root);
            unit.is_some_and(|(_, unit)| unit.stems.contains(head))
        };
        match near.into_iter().find(holds) {
            Some(root) => Located { found: Found::Unit(self.key(root, "")), rest: segments(text) },
            None => external(text),
        }
    }

    fn submodule(&self, of: &str, name: &str) -> Found {
        let Some((root, package)) = of.rsplit_once(':') else { return Found::Missing };
        let package = if package.is_empty() { name.to_owned() } else { format!("{package}.{name}") };
        let Some(&root) = self.root_of_path.get(root) else { return Found::Missing };
        let implied = || self.implied.get(&package).map(|&root| self.key(root, &package));
        self.nearest(root, &package, |_| true).or_else(implied).map_or(Found::Missing, Found::Unit)
    }

    fn visible_units(&self, file: FileId) -> Vec<String> {
        match self.files.get(file.0 as usize) {
            Some(Some((root, package))) => {
                self.near_units(*root, package).into_iter().map(|root| self.key(root, package)).collect()
            }
            _ => vec![self.unit_key(file)],
        }
    }
}

#[cfg(test)]
mod tests;
