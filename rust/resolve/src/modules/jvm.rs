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

/// A package's source roots. All lists are in ascending order.
#[derive(Default)]
struct Package {
    roots: Vec<u32>,
    /// Those with files of a language that has functions outside of types.
    functions: Vec<u32>,
    /// File names without ending, the names of the public types: the roots that have such a file.
    stems: FxHashMap<String, Vec<u32>>,
}

struct Module {
    folder: String,
    roots: Vec<u32>,
    dependencies: Vec<u32>,
    /// The modules reached over dependencies, and over how many.
    distances: OnceLock<FxHashMap<u32, u32>>,
}

impl Module {
    fn new(folder: &str) -> Self {
        let folder = folder.to_owned();
        Self { folder, roots: Vec::new(), dependencies: Vec::new(), distances: OnceLock::new() }
    }
}

/// See the module's documentation.
pub struct Jvm {
    /// In the order of their paths.
    roots: Vec<Root>,
    root_of_path: FxHashMap<String, u32>,
    modules: Vec<Module>,
    packages: FxHashMap<String, Package>,
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
                modules.push(Module::new(folder));
                modules.len() as u32 - 1
            })
        };
        for build in &builds {
            module_at(&build.folder, &mut this.modules);
        }
        let ending = |path: &str| path.rsplit('.').next().unwrap_or_default().to_owned();
        let files: Vec<(usize, String, String)> = project
            .files
            .iter()
            .enumerate()
            .filter(|(_, entry)| ENDINGS.contains(&ending(&entry.path).as_str()))
            .map(|(at, entry)| {
                let package = entry.package.as_deref().unwrap_or_default().replace('`', "");
                (at, layout::source_root(&entry.path, &package), package)
            })
            .collect();
        let mut roots: Vec<&str> = files.iter().map(|(_, root, _)| root.as_str()).collect();
        roots.sort_unstable_by(|a, b| paths::order(a, b));
        roots.dedup();
        for (root, path) in (0..).zip(roots) {
            let folder = layout::module_folder(path, |folder| with_build.contains(folder));
            let module = module_at(folder, &mut this.modules);
            this.modules[module as usize].roots.push(root);
            this.roots.push(Root { path: path.to_owned(), module, test: layout::is_test(path, folder) });
            this.root_of_path.insert(path.to_owned(), root);
        }
        for (at, path, package) in files {
            let root = this.root_of_path[&path];
            let path = &project.files[at].path;
            this.add(root, &package, paths::stem(path), ending(path) != "java");
            this.files[at] = Some((root, package));
        }
        for package in this.packages.values_mut() {
            let lists = package.stems.values_mut().chain([&mut package.roots, &mut package.functions]);
            for list in lists {
                list.sort_unstable();
                list.dedup();
            }
        }
        this.link(&builds, &module_of);
        this
    }

    fn add(&mut self, root: u32, name: &str, stem: &str, functions: bool) {
        let package = self.packages.entry(name.to_owned()).or_default();
        if package.roots.is_empty() {
            for (end, _) in name.match_indices('.').take(DEEPEST) {
                self.implied.entry(name[..end].to_owned()).or_insert(root);
            }
        }
        // Files come in path order: equal ones follow each other.
        if package.roots.last() != Some(&root) {
            package.roots.push(root);
        }
        if functions && package.functions.last() != Some(&root) {
            package.functions.push(root);
        }
        package.stems.entry(stem.to_owned()).or_default().push(root);
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

    /// Those of some source roots that are in the same module or in one that it depends on, the nearest first: the root
    /// itself, then by the number of dependencies between, sources before tests.
    fn near(&self, from: u32, roots: &[u32]) -> Vec<u32> {
        let own = self.roots[from as usize].module;
        let distances = self.distances(own);
        let rank = |root: u32| {
            let to = &self.roots[root as usize];
            distances.get(&to.module).map(|&steps| ((root != from, steps, to.test, root), root))
        };
        let mut near: Vec<_> = if distances.len() < roots.len() {
            let reached = distances.keys().flat_map(|&module| &self.modules[module as usize].roots);
            reached.filter(|root| roots.binary_search(root).is_ok()).filter_map(|&root| rank(root)).collect()
        } else {
            roots.iter().filter_map(|&root| rank(root)).collect()
        };
        near.sort_unstable();
        near.into_iter().map(|(_, root)| root).collect()
    }

    /// The nearest of some source roots: of those that can be reached, or else the one that shares the most of the path.
    fn nearest(&self, from: u32, roots: &[u32]) -> Option<u32> {
        if roots.binary_search(&from).is_ok() {
            return Some(from);
        }
        let elsewhere = || {
            let own = &self.roots[from as usize].path;
            paths::nearest(roots, |root| &self.roots[*root as usize].path, own).copied()
        };
        self.near(from, roots).first().copied().or_else(elsewhere)
    }

    /// The units that hold parts of a package, the nearest to `from` first: those of its module and of the modules it
    /// depends on, or, where none of these has the package, the nearest other one.
    pub fn package_units(&self, from: FileId, package: &str) -> Vec<String> {
        let Some(Some((from, _))) = self.files.get(from.0 as usize) else { return Vec::new() };
        let Some(parts) = self.packages.get(package) else { return Vec::new() };
        let near = self.visible(*from, parts);
        let near = if near.is_empty() { self.nearest(*from, &parts.roots).into_iter().collect() } else { near };
        near.into_iter().map(|root| self.key(root, package)).collect()
    }

    /// The near parts of a package, without the tests of other modules: no one compiles against these.
    fn visible(&self, from: u32, package: &Package) -> Vec<u32> {
        let own = self.roots[from as usize].module;
        let mut near = self.near(from, &package.roots);
        near.retain(|&root| !self.roots[root as usize].test || self.roots[root as usize].module == own);
        near
    }

    fn locate(&self, from: u32, text: &str) -> Option<Located> {
        let ends: Vec<usize> = text.match_indices('.').map(|(at, _)| at).take(DEEPEST).chain([text.len()]).collect();
        let platform = PLATFORM.contains(&text.split('.').next().unwrap_or(text));
        let mut weaker: Option<Located> = None;
        for &end in ends.iter().rev() {
            let (name, rest) = (&text[..end], text[end..].trim_start_matches('.'));
            let Some(package) = self.packages.get(name) else { continue };
            let located = |root: u32| Located { found: Found::Unit(self.key(root, name)), rest: segments(rest) };
            let Some(head) = rest.split('.').next().filter(|head| !head.is_empty()) else {
                return self.nearest(from, &package.roots).map(located);
            };
            if let Some(roots) = package.stems.get(head) {
                return self.nearest(from, roots).map(located);
            }
            if weaker.is_some() || platform {
                continue;
            }
            // A type in a file of another name, or a function; a package that is not here is neither.
            let likely: &[u32] = if head.starts_with(char::is_uppercase) {
                &package.roots
            } else if head.len() == rest.len() {
                &package.functions
            } else {
                &[]
            };
            weaker = self.nearest(from, likely).map(located);
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
        let default = self.packages.get("").and_then(|package| package.stems.get(head));
        match default.and_then(|roots| self.near(*root, roots).first().copied()) {
            Some(root) => Located { found: Found::Unit(self.key(root, "")), rest: segments(text) },
            None => external(text),
        }
    }

    fn submodule(&self, of: &str, name: &str) -> Found {
        let Some((root, package)) = of.rsplit_once(':') else { return Found::Missing };
        let package = if package.is_empty() { name.to_owned() } else { format!("{package}.{name}") };
        let Some(&root) = self.root_of_path.get(root) else { return Found::Missing };
        let part = self.packages.get(&package).and_then(|parts| self.nearest(root, &parts.roots));
        let root = part.or_else(|| self.implied.get(&package).copied());
        root.map_or(Found::Missing, |root| Found::Unit(self.key(root, &package)))
    }

    fn parts(&self, from: FileId, unit: &str) -> Vec<String> {
        let package = unit.rsplit_once(':').map_or(unit, |(_, package)| package);
        let mut units = self.package_units(from, package);
        units.retain(|key| key != unit);
        units
    }

    fn visible_units(&self, file: FileId) -> Vec<String> {
        match self.files.get(file.0 as usize) {
            Some(Some((root, package))) => {
                let near = self.visible(*root, &self.packages[package]);
                near.into_iter().map(|root| self.key(root, package)).collect()
            }
            _ => vec![self.unit_key(file)],
        }
    }
}

#[cfg(test)]
mod tests;
