//! What `pyproject.toml`, `setup.cfg`, `Pipfile` and `requirements*.txt` say about imports: source folders and
//! dependencies.

use super::names;
use crate::modules::{paths, Project};
use rustc_hash::{FxHashMap, FxHashSet};
use toml::{Table, Value};

/// The declarations of all manifests.
#[derive(Default)]
pub struct Declared {
    /// Folder of a manifest → its source folders, as paths from the root.
    roots: FxHashMap<String, Vec<String>>,
    /// Packages of the dependencies.
    dependencies: FxHashSet<String>,
    /// Distributions of this project, which others of it may depend on.
    own: FxHashSet<String>,
    /// Whether dependencies are declared at all.
    complete: bool,
}

impl Declared {
    /// Reads the manifests.
    pub fn new(project: &Project) -> Self {
        let mut declared = Self::default();
        for (folder, path, text) in paths::manifests(project, is_manifest) {
            let file = paths::base(path);
            match file {
                "pyproject.toml" | "Pipfile" => {
                    if let Ok(table) = text.parse::<Table>() {
                        declared.distribution(folder, file);
                        declared.pyproject(folder, &table);
                    }
                }
                "setup.cfg" => {
                    declared.distribution(folder, file);
                    declared.setup_cfg(folder, text);
                }
                _ => text.lines().for_each(|line| declared.requirement(line)),
            }
        }
        declared
    }

    /// Folders where a distribution starts.
    pub fn folders(&self) -> impl Iterator<Item = &str> {
        self.roots.keys().map(String::as_str)
    }

    /// The declared source folders of a distribution.
    pub fn roots(&self, folder: &str) -> &[String] {
        self.roots.get(folder).map_or(&[], Vec::as_slice)
    }

    /// Whether a package comes from another distribution than those of this project.
    pub fn is_dependency(&self, package: &str) -> bool {
        self.dependencies.contains(package) && !self.own.contains(&names::normalized(package))
    }

    /// Whether a package that is not declared is likely no dependency.
    pub fn is_complete(&self) -> bool {
        self.complete
    }

    fn distribution(&mut self, folder: &str, file: &str) {
        if file != "Pipfile" {
            self.roots.entry(folder.to_owned()).or_default();
        }
    }

    fn root(&mut self, folder: &str, written: &str) {
        if let Some(path) = paths::join(folder, written) {
            let roots = self.roots.entry(folder.to_owned()).or_default();
            if !roots.contains(&path) {
                roots.push(path);
            }
        }
    }

    /// `requests[socks] >= 2; python_version > "3"`.
    fn requirement(&mut self, text: &str) {
        let text = text.trim();
        let end = text.find(|c: char| !c.is_ascii_alphanumeric() && !"-_.".contains(c)).unwrap_or(text.len());
        // Not a path, an address or an option.
        if end == 0 || text.starts_with(['.', '-']) || text[end..].starts_with([':', '/', '\\']) {
            return;
        }
        let distribution = names::normalized(&text[..end]);
        self.dependencies.insert(names::package_of(&distribution).to_owned());
        self.complete = true;
    }

    fn requirements(&mut self, value: Option<&Value>) {
        for text in texts(value) {
            self.requirement(text);
        }
    }

    /// A table whose keys are distributions.
    fn requirement_keys(&mut self, value: Option<&Value>) {
        for (name, how) in value.and_then(Value::as_table).into_iter().flatten() {
            let local = how.as_table().is_some_and(|how| how.contains_key("path"));
            if name != "python" && !local {
                self.requirement(name);
            }
        }
    }

    fn pyproject(&mut self, folder: &str, table: &Table) {
        let at = |path: &[&str]| {
            let (first, others) = path.split_first()?;
            others.iter().try_fold(table.get(*first)?, |value, key| value.get(*key))
        };
        for path in [["project", "name"].as_slice(), &["tool", "poetry", "name"]] {
            self.own.extend(at(path).and_then(Value::as_str).map(names::normalized));
        }
        self.requirements(at(&["project", "dependencies"]));
        self.requirements(at(&["build-system", "requires"]));
        for path in [["project", "optional-dependencies"].as_slice(), &["dependency-groups"]] {
            for (_, group) in at(path).and_then(Value::as_table).into_iter().flatten() {
                self.requirements(Some(group));
            }
        }
        for path in [["tool", "poetry", "dependencies"].as_slice(), &["packages"], &["dev-packages"]] {
            self.requirement_keys(at(path));
        }
        self.requirement_keys(at(&["tool", "poetry", "dev-dependencies"]));
        for (_, group) in at(&["tool", "poetry", "group"]).and_then(Value::as_table).into_iter().flatten() {
            self.requirement_keys(group.get("dependencies"));
        }

        let folders = [
            ["tool", "setuptools", "packages", "find", "where"].as_slice(),
            &["tool", "setuptools", "package-dir", ""],
            &["tool", "pytest", "ini_options", "pythonpath"],
            &["tool", "pyright", "extraPaths"],
            &["tool", "basedpyright", "extraPaths"],
            &["tool", "mypy", "mypy_path"],
            &["tool", "hatch", "build", "targets", "wheel", "sources"],
            &["tool", "maturin", "python-source"],
            &["tool", "ruff", "src"],
        ];
        for path in folders {
            for text in texts(at(path)) {
                self.root(folder, text);
            }
        }
        // Here packages are named, and their folder is the root.
        for text in texts(at(&["tool", "hatch", "build", "targets", "wheel", "packages"])) {
            self.root(folder, paths::folder(text.trim_end_matches('/')));
        }
        for package in at(&["tool", "poetry", "packages"]).and_then(Value::as_array).into_iter().flatten() {
            if let Some(from) = package.get("from").and_then(Value::as_str) {
                self.root(folder, from);
            }
        }
    }

    /// The few settings that count: `key = value`, with further values on indented lines.
    fn setup_cfg(&mut self, folder: &str, text: &str) {
        let (mut section, mut key) = (String::new(), String::new());
        for line in text.lines() {
            let bare = line.trim();
            if bare.is_empty() || bare.starts_with(['#', ';']) {
                continue;
            }
            if let Some(name) = bare.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
                section = name.trim().to_owned();
                key.clear();
                continue;
            }
            let value = match bare.split_once('=') {
                Some((name, value)) if !line.starts_with([' ', '\t']) => {
                    key = name.trim().to_owned();
                    value.trim()
                }
                _ => bare,
            };
            match (section.as_str(), key.as_str()) {
                ("metadata", "name") => self.own.extend([names::normalized(value)]),
                ("options", "install_requires") | ("options.extras_require", _) => self.requirement(value),
                ("options.packages.find", "where") => self.root(folder, value),
                ("options", "package_dir") => {
                    if let Some(("", root)) = value.split_once('=').map(|(package, root)| (package.trim(), root)) {
                        self.root(folder, root.trim());
                    }
                }
                _ => {}
            }
        }
    }
}

fn is_manifest(name: &str) -> bool {
    matches!(name, "pyproject.toml" | "setup.cfg" | "Pipfile")
        || (name.starts_with("requirements") && name.ends_with(".txt"))
}

/// A text or a list of texts.
fn texts(value: Option<&Value>) -> impl Iterator<Item = &str> {
    let list = value.and_then(Value::as_array).into_iter().flatten();
    value.into_iter().chain(list).filter_map(Value::as_str)
}
