//! Python packages and modules.
//!
//! The module search path of a run is not written down anywhere, so it is rebuilt from the layout: the folder above the
//! importing file's outermost package (or its own folder, as for a script), then the folders around that one with their
//! usual and declared source folders, then the other places of the project where a distribution starts.

mod manifests;
mod names;
mod tree;

use super::{paths, FileId, Found, Located, ModuleSystem, Project};
use manifests::Declared;
use rustc_hash::FxHashSet;
use tree::{DirId, Hit, Tree, Walk};

/// Prefix of the unit key of a folder without `__init__`.
const FOLDER_KEY: &str = "dir:";
/// Folders that hold the packages of the project around them.
const SOURCE_FOLDERS: [&str; 3] = ["src", "lib", "python"];
/// Folders whose files are run, also where they are packages.
const SCRIPT_FOLDERS: [&str; 7] = ["test", "tests", "scripts", "tools", "examples", "bin", "benchmarks"];
/// A name that more folders than this hold says nothing about where an import leads.
const MOST_HOLDERS: usize = 64;

/// The module system of Python.
pub struct Python {
    paths: Vec<String>,
    tree: Tree,
    declared: Declared,
    /// Folders where a distribution starts, with their source folders.
    distributions: FxHashSet<DirId>,
}

/// How well a root answers an import; the best comes last.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Fit {
    /// A module or package with `__init__`, but not all segments.
    Part,
    /// All segments, to a folder without `__init__`.
    Folder,
    /// All segments, to a file.
    Whole,
}

impl Python {
    /// Reads paths and manifests once.
    pub fn new(project: &Project) -> Self {
        let tree = Tree::new(project);
        let declared = Declared::new(project);
        let setups = project.files.iter().filter(|file| paths::base(&file.path) == "setup.py");
        let starts = setups.map(|file| paths::folder(&file.path)).chain(declared.folders());
        let mut distributions = FxHashSet::default();
        for start in starts {
            distributions.extend(tree.dir(start));
            distributions.extend(SOURCE_FOLDERS.iter().filter_map(|name| tree.dir(&paths::child(start, name))));
            distributions.extend(declared.roots(start).iter().filter_map(|root| tree.dir(root)));
        }
        let paths = project.files.iter().map(|file| file.path.clone()).collect();
        Self { paths, tree, declared, distributions }
    }

    fn located(&self, walk: Walk, segments: &[&str]) -> Located {
        let rest = segments[walk.matched..].iter().map(|&segment| segment.to_owned()).collect();
        Located { found: self.found(walk.hit), rest }
    }

    fn found(&self, hit: Hit) -> Found {
        match hit {
            Hit::File(file) => Found::File(file),
            Hit::Folder(dir) => Found::Unit(format!("{FOLDER_KEY}{}", self.tree.path(dir))),
        }
    }

    /// `from ..a.b import c`: one dot is the folder of the file, for modules and for `__init__` alike.
    fn relative(&self, from: DirId, dots: usize, segments: &[&str]) -> Located {
        let mut base = from;
        for _ in 1..dots {
            let Some(up) = self.tree.up(base) else { return Located::whole(Found::Missing) };
            base = up;
        }
        if segments.is_empty() {
            return Located::whole(self.found(self.tree.package(base)));
        }
        match self.tree.walk(base, segments) {
            Some(walk) if fit(&walk, segments).is_some() => self.located(walk, segments),
            _ => Located::whole(Found::Missing),
        }
    }

    fn absolute(&self, file: FileId, from: DirId, segments: &[&str]) -> Option<Walk> {
        let first = segments[0];
        // A module that imports its own name means another one; a package may mean itself.
        let itself =
            |walk: &Walk| segments.len() == 1 && walk.hit == Hit::File(file) && self.tree.init(from) != Some(file);
        if self.tree.holders(first).is_empty() || names::is_never_shadowed(first) {
            return None;
        }
        let own = self.source_root(from);
        if names::is_standard(first) {
            // A module of the script's folder or of the folder that Python is started in comes before the library's.
            return [own, 0]
                .into_iter()
                .find_map(|root| self.fitting(root, segments, Fit::Whole).filter(|walk| !itself(walk)));
        }
        let third_party = self.declared.is_dependency(first);
        let mut best: Option<(Fit, Walk)> = None;
        for root in self.roots(from, own, first) {
            let Some(walk) = self.tree.walk(root, segments).filter(|walk| !itself(walk)) else { continue };
            match fit(&walk, segments) {
                Some(Fit::Whole) => return Some(walk),
                // An installed package comes before any folder without `__init__`.
                Some(Fit::Folder) if third_party => {}
                Some(fit) if best.is_none_or(|(known, _)| fit > known) => best = Some((fit, walk)),
                _ => {}
            }
        }
        if third_party {
            return best.map(|(_, walk)| walk);
        }
        let beside = self.beside(from, own, segments).filter(|walk| !itself(walk));
        beside.or(best.map(|(_, walk)| walk)).or_else(|| self.elsewhere(from, segments).filter(|walk| !itself(walk)))
    }

    /// The folder that holds the outermost package around a folder; the folder itself if it is no package.
    fn source_root(&self, dir: DirId) -> DirId {
        let mut at = dir;
        while self.tree.init(at).is_some() {
            match self.tree.up(at) {
                Some(up) => at = up,
                None => break,
            }
        }
        at
    }

    /// The likely search path for a file: its source root, then the folders around, each with its source folders.
    fn roots(&self, from: DirId, own: DirId, first: &str) -> Vec<DirId> {
        let mut roots = vec![own];
        if first == "conftest" {
            // The test runner puts the folder of every `conftest.py` above a test on the path.
            roots.splice(0..0, std::iter::successors(Some(from), |&dir| self.tree.up(dir)));
        }
        for dir in std::iter::successors(Some(own), |&dir| self.tree.up(dir)) {
            let path = self.tree.path(dir);
            roots.push(dir);
            roots.extend(SOURCE_FOLDERS.iter().filter_map(|name| self.tree.dir(&paths::child(path, name))));
            roots.extend(self.declared.roots(path).iter().filter_map(|root| self.tree.dir(root)));
        }
        roots
    }

    /// A file of a package that is run as a script finds the modules beside it, and a test run from its folder those
    /// of the folders around. Inside of a distribution that is not how code runs, and such a name is a dependency.
    fn beside(&self, from: DirId, own: DirId, segments: &[&str]) -> Option<Walk> {
        let path = self.tree.path(from);
        let scripts = path.split('/').any(|part| SCRIPT_FOLDERS.contains(&part));
        let script = !path.is_empty() && !self.distributions.contains(&own);
        let levels = if scripts { usize::MAX } else { usize::from(script) };
        std::iter::successors(Some(from), |&dir| self.tree.up(dir))
            .take_while(|&dir| dir != own)
            .take(levels)
            .find_map(|dir| self.fitting(dir, segments, Fit::Whole))
    }

    /// Another place of the project, if only one comes into question: where a distribution starts, or for dotted names
    /// and names that the dependencies do not declare, anywhere outside of packages.
    fn elsewhere(&self, from: DirId, segments: &[&str]) -> Option<Walk> {
        let holders = self.tree.holders(segments[0]);
        if holders.len() > MOST_HOLDERS {
            return None;
        }
        let found: Vec<(bool, DirId, Walk)> = holders
            .iter()
            .filter(|&&dir| self.tree.init(dir).is_none())
            .filter_map(|&dir| Some((self.distributions.contains(&dir), dir, self.fitting(dir, segments, Fit::Whole)?)))
            .filter(|(_, _, walk)| !self.is_stub(walk.hit))
            .collect();
        let anywhere = segments.len() > 1 || self.declared.is_complete();
        self.nearest(from, found.iter().filter(|(start, _, _)| *start))
            .or_else(|| anywhere.then(|| self.nearest(from, found.iter())).flatten())
    }

    /// The only candidate, or the one that shares more folders with the importing file than all others.
    fn nearest<'c>(&self, from: DirId, candidates: impl Iterator<Item = &'c (bool, DirId, Walk)>) -> Option<Walk> {
        let from = self.tree.path(from);
        let mut best: Option<(usize, Walk)> = None;
        let mut tied = false;
        for (_, dir, walk) in candidates {
            let shared = paths::shared(from, self.tree.path(*dir));
            match best {
                Some((known, _)) if shared < known => {}
                Some((known, _)) if shared == known => tied = true,
                _ => {
                    best = Some((shared, *walk));
                    tied = false;
                }
            }
        }
        best.filter(|_| !tied).map(|(_, walk)| walk)
    }

    fn fitting(&self, root: DirId, segments: &[&str], least: Fit) -> Option<Walk> {
        self.tree.walk(root, segments).filter(|walk| fit(walk, segments).is_some_and(|fit| fit >= least))
    }

    fn is_stub(&self, hit: Hit) -> bool {
        matches!(hit, Hit::File(file) if self.paths[file.0 as usize].ends_with(".pyi"))
    }
}

fn fit(walk: &Walk, segments: &[&str]) -> Option<Fit> {
    match (walk.hit, walk.matched == segments.len()) {
        (Hit::File(_), true) => Some(Fit::Whole),
        (Hit::Folder(_), true) => Some(Fit::Folder),
        (Hit::File(_), false) => Some(Fit::Part),
        (Hit::Folder(_), false) => None,
    }
}

impl ModuleSystem for Python {
    fn unit_key(&self, file: FileId) -> String {
        self.paths[file.0 as usize].clone()
    }

    fn find(&self, from: FileId, module: &str) -> Located {
        let name = module.trim_start_matches('.');
        let dots = module.len() - name.len();
        let segments: Vec<&str> = name.split('.').map(str::trim).filter(|segment| !segment.is_empty()).collect();
        let folder = paths::folder(&self.paths[from.0 as usize]);
        let dir = self.tree.dir(folder);
        if dots > 0 {
            return match dir {
                Some(dir) => self.relative(dir, dots, &segments),
                None => Located::whole(Found::Missing),
            };
        }
        let Some(&first) = segments.first() else { return Located::whole(Found::Missing) };
        match self.absolute(from, dir.unwrap_or(0), &segments) {
            Some(walk) => self.located(walk, &segments),
            None => {
                let rest = segments[1..].iter().map(|segment| (*segment).to_owned()).collect();
                Located { found: Found::External(first.to_owned()), rest }
            }
        }
    }

    fn virtual_units(&self) -> Vec<String> {
        self.tree.without_init().map(|path| format!("{FOLDER_KEY}{path}")).collect()
    }

    fn submodule(&self, of: &str, name: &str) -> Found {
        let folder = match of.strip_prefix(FOLDER_KEY) {
            Some(folder) => folder,
            None if matches!(paths::base(of), "__init__.py" | "__init__.pyi") => paths::folder(of),
            None => return Found::Missing,
        };
        let walk = self.tree.dir(folder).and_then(|dir| self.tree.walk(dir, &[name]));
        walk.map_or(Found::Missing, |walk| self.found(walk.hit))
    }
}

#[cfg(test)]
mod tests;
