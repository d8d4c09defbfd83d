//! `Cargo.toml`: a package's targets and dependencies, and the workspace around it.

use crate::modules::paths;
use rustc_hash::FxHashMap;
use toml::{Table, Value};

/// What a target is; the order is the preference where several could own a file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum TargetKind {
    /// The library.
    Library,
    /// A program.
    Program,
    /// An integration test.
    Test,
    /// A benchmark.
    Bench,
    /// An example.
    Example,
    /// The build script.
    Build,
}

/// Kinds of targets of which a package may have several: manifest key, key that turns discovery off, folder.
const MANY: [(TargetKind, &str, &str, &str); 4] = [
    (TargetKind::Program, "bin", "autobins", "src/bin"),
    (TargetKind::Test, "test", "autotests", "tests"),
    (TargetKind::Bench, "bench", "autobenches", "benches"),
    (TargetKind::Example, "example", "autoexamples", "examples"),
];

/// A dependency as one table entry says it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Dependency {
    /// The key, as written.
    pub key: String,
    /// The package's name, where it differs from the key (`package = "…"`).
    pub package: Option<String>,
    /// The folder of a `path` dependency.
    pub folder: Option<String>,
    /// Whether the workspace says the rest.
    pub workspace: bool,
}

/// What the strategy needs of a manifest.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CargoFile {
    /// The manifest's folder.
    pub folder: String,
    /// Whether it could be parsed.
    pub readable: bool,
    /// The package's name, if it has a package.
    pub package: Option<String>,
    /// `[lib] name`.
    pub library_name: Option<String>,
    /// Whether paths of `use` begin at the crate's root.
    pub edition_2015: bool,
    /// Whether the workspace says the edition.
    pub workspace_edition: bool,
    /// Paths that are roots if a file is there, and of what.
    pub roots: Vec<(String, TargetKind)>,
    /// Folders in which files, and folders with a `main.rs`, are roots.
    pub discovered: Vec<(String, TargetKind)>,
    /// All dependencies, of all kinds and platforms.
    pub dependencies: Vec<Dependency>,
    /// Whether it has `[workspace]`.
    pub is_workspace: bool,
    /// `package.workspace`: the folder of its workspace.
    pub workspace_folder: Option<String>,
    /// Folders that the workspace leaves out.
    pub excluded: Vec<String>,
    /// `[workspace.package] edition` is 2015.
    pub members_2015: bool,
    /// `[workspace.dependencies]` by their keys.
    pub shared: FxHashMap<String, Dependency>,
    /// The folders that `[patch]` takes packages from, by the packages' names.
    pub patches: FxHashMap<String, String>,
}

impl CargoFile {
    /// Reads a manifest; one that is no TOML stands for a package without a known name.
    pub fn parse(folder: &str, text: &str) -> Self {
        let mut file = Self { folder: folder.to_owned(), ..Self::default() };
        let table = text.parse::<Table>().ok();
        file.readable = table.is_some();
        let table = table.unwrap_or_default();
        if let Some(workspace) = table.get("workspace").and_then(Value::as_table) {
            file.read_workspace(workspace);
        }
        for patches in table.get("patch").and_then(Value::as_table).into_iter().flat_map(|patch| patch.values()) {
            let folders = dependencies(folder, Some(patches)).into_iter();
            file.patches.extend(folders.filter_map(|patch| Some((patch.package.unwrap_or(patch.key), patch.folder?))));
        }
        let package = table.get("package").or_else(|| table.get("project")).and_then(Value::as_table);
        if file.readable && package.is_none() {
            return file;
        }
        file.read_package(package.unwrap_or(&Table::new()), &table);
        file
    }

    fn read_workspace(&mut self, workspace: &Table) {
        self.is_workspace = true;
        let shared = dependencies(&self.folder, workspace.get("dependencies")).into_iter();
        self.shared = shared.map(|dependency| (dependency.key.clone(), dependency)).collect();
        self.excluded = strings(workspace.get("exclude")).filter_map(|path| paths::join(&self.folder, path)).collect();
        self.members_2015 = text(workspace.get("package").and_then(|package| package.get("edition"))) == Some("2015");
    }

    fn read_package(&mut self, package: &Table, table: &Table) {
        // A package without a readable name still owns its files.
        self.package = Some(text(package.get("name")).unwrap_or_default().to_owned());
        self.workspace_edition = package.get("edition").is_some_and(Value::is_table);
        if !self.workspace_edition {
            // A manifest without an edition is of 2015.
            self.edition_2015 = self.readable && matches!(text(package.get("edition")), None | Some("2015"));
        }
        self.workspace_folder = text(package.get("workspace")).and_then(|path| paths::join(&self.folder, path));
        let library = table.get("lib");
        self.library_name = text(library.and_then(|library| library.get("name"))).map(str::to_owned);
        let library_path = text(library.and_then(|library| library.get("path"))).unwrap_or("src/lib.rs");
        self.root(library_path, TargetKind::Library);
        match package.get("build") {
            Some(Value::String(path)) => self.root(path, TargetKind::Build),
            Some(Value::Boolean(false)) => {}
            _ => self.root("build.rs", TargetKind::Build),
        }
        for (kind, key, auto, folder) in MANY {
            let targets = table.get(key).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
            for target in targets {
                match (text(target.get("path")), text(target.get("name"))) {
                    (Some(path), _) => self.root(path, kind),
                    (None, Some(name)) => {
                        self.root(&format!("{folder}/{name}.rs"), kind);
                        self.root(&format!("{folder}/{name}/main.rs"), kind);
                        if kind == TargetKind::Program {
                            self.root("src/main.rs", kind);
                        }
                    }
                    (None, None) => {}
                }
            }
            let by_default = !self.edition_2015 || targets.is_empty();
            if package.get(auto).and_then(Value::as_bool).unwrap_or(by_default) {
                self.discovered.push((paths::child(&self.folder, folder), kind));
                if kind == TargetKind::Program {
                    self.root("src/main.rs", kind);
                }
            }
        }
        self.read_dependencies(table);
        let platforms = table.get("target").and_then(Value::as_table);
        for platform in platforms.into_iter().flat_map(|platforms| platforms.values()).filter_map(Value::as_table) {
            self.read_dependencies(platform);
        }
    }

    fn read_dependencies(&mut self, table: &Table) {
        for kind in ["dependencies", "dev-dependencies", "dev_dependencies", "build-dependencies", "build_dependencies"]
        {
            self.dependencies.extend(dependencies(&self.folder, table.get(kind)));
        }
    }

    fn root(&mut self, written: &str, kind: TargetKind) {
        self.roots.extend(paths::join(&self.folder, written).map(|path| (path, kind)));
    }

    /// The name that other crates know the library by.
    pub fn library(&self) -> String {
        self.library_name.as_deref().or(self.package.as_deref()).unwrap_or_default().replace('-', "_")
    }
}

fn text(value: Option<&Value>) -> Option<&str> {
    value.and_then(Value::as_str)
}

fn strings(value: Option<&Value>) -> impl Iterator<Item = &str> {
    value.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str)
}

fn dependencies(folder: &str, table: Option<&Value>) -> Vec<Dependency> {
    let entries = table.and_then(Value::as_table).into_iter().flatten();
    let read = |(key, value): (&String, &Value)| Dependency {
        key: key.clone(),
        package: text(value.get("package")).map(str::to_owned),
        folder: text(value.get("path")).and_then(|path| paths::join(folder, path)),
        workspace: value.get("workspace").and_then(Value::as_bool) == Some(true),
    };
    entries.map(read).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn survives_what_is_no_manifest() {
        for text in
            ["", "[package", "package = 1", "[package]\nname = 3\nedition = []", "[[lib]]\nname = 'x'", "bin = 'x'"]
        {
            CargoFile::parse("x", text);
        }
        let deep = format!("a = {}", "[".repeat(100_000));
        assert!(!CargoFile::parse("x", &deep).readable);
    }
}
