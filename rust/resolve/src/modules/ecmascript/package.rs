//! `package.json`: names, entry points, `exports` and `imports`, and the workspaces that packages see each other in.

use super::patterns::Patterns;
use crate::modules::{paths, Project};
use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use jsonc_parser::{parse_to_value, JsonObject, JsonValue};
use rustc_hash::{FxHashMap, FxHashSet};

/// Fields that name the entry of a package, in the order in which a module looks at them.
const ENTRIES: [&str; 7] = ["source", "module", "main", "browser", "types", "typings", "svelte"];
/// Fields that list dependencies.
const DEPENDENCIES: [&str; 4] = ["dependencies", "devDependencies", "peerDependencies", "optionalDependencies"];
/// Files that make all packages below a workspace.
const WORKSPACE_FILES: [&str; 3] = ["pnpm-workspace.yaml", "lerna.json", "rush.json"];
/// Specifications of a dependency that is in the same repository.
const LOCAL: [&str; 4] = ["workspace:", "file:", "link:", "portal:"];

/// What `exports` or `imports` leads to.
pub enum Target {
    /// A path, or in `imports` also a package.
    Path(String),
    /// The first condition that holds.
    When(Vec<(String, Target)>),
    /// The first that is there.
    Any(Vec<Target>),
}

impl Target {
    fn read(value: JsonValue<'_>) -> Option<Self> {
        match value {
            JsonValue::String(path) => Some(Self::Path(path.into_owned())),
            JsonValue::Array(list) => Some(Self::Any(list.into_iter().filter_map(Self::read).collect())),
            JsonValue::Object(conditions) => {
                let cases =
                    conditions.into_iter().filter_map(|(name, value)| Some((name.into_owned(), Self::read(value)?)));
                Some(Self::When(cases.collect()))
            }
            _ => None,
        }
    }

    /// The paths to try: first those whose conditions hold for a file that imports (or requires), then the others.
    pub fn paths(&self, require: bool) -> Vec<&str> {
        let (mut first, mut others) = (Vec::new(), Vec::new());
        self.collect(require, true, &mut first, &mut others);
        first.append(&mut others);
        first
    }

    fn collect<'t>(&'t self, require: bool, holds: bool, first: &mut Vec<&'t str>, others: &mut Vec<&'t str>) {
        match self {
            Self::Path(path) => if holds { first } else { others }.push(path),
            Self::Any(list) => list.iter().for_each(|target| target.collect(require, holds, first, others)),
            Self::When(cases) => {
                for (condition, target) in cases {
                    let active = match condition.as_str() {
                        "import" | "module" => !require,
                        "require" => require,
                        "source" | "development" | "node" | "default" => true,
                        _ => false,
                    };
                    target.collect(require, holds && active, first, others);
                }
            }
        }
    }
}

/// A `package.json`.
pub struct Package {
    /// Its folder.
    pub folder: String,
    /// Its name, if it has one.
    pub name: Option<String>,
    /// Entry points without `exports`; the flag says whether `require` looks at it first.
    entries: Vec<(bool, String)>,
    /// `exports` by `.`, `./sub`, `./sub/*`.
    pub exports: Option<Patterns<Target>>,
    /// `imports` by `#name`.
    pub imports: Patterns<Target>,
    /// Whether plain `.js` files are modules.
    pub is_module: bool,
    version: String,
    dependencies: FxHashMap<String, String>,
    workspace: Option<GlobSet>,
    excluded: GlobSet,
}

impl Package {
    fn read(folder: &str, text: &str) -> Self {
        let mut package = Self {
            folder: folder.to_owned(),
            name: None,
            entries: Vec::new(),
            exports: None,
            imports: Patterns::default(),
            is_module: false,
            version: String::new(),
            dependencies: FxHashMap::default(),
            workspace: None,
            excluded: GlobSet::empty(),
        };
        let Ok(Some(JsonValue::Object(mut json))) = parse_to_value(text, &Default::default()) else { return package };
        package.name = json.take_string("name").map(Into::into).filter(|name: &String| !name.is_empty());
        package.is_module = json.get_string("type").is_some_and(|kind| kind == "module");
        package.version = json.get_string("version").map(ToString::to_string).unwrap_or_default();
        for field in ENTRIES {
            package.entries.extend(json.get_string(field).map(|path| (field == "main", path.to_string())));
        }
        package.exports = json.take("exports").map(exports);
        if let Some(imports) = json.take_object("imports") {
            package.imports = patterns(imports);
        }
        for field in DEPENDENCIES {
            for (name, range) in json.take_object(field).into_iter().flatten() {
                if let JsonValue::String(range) = range {
                    package.dependencies.entry(name.into_owned()).or_insert_with(|| range.into_owned());
                }
            }
        }
        let members = match json.take("workspaces") {
            Some(JsonValue::Object(mut form)) => form.take_array("packages"),
            Some(JsonValue::Array(list)) => Some(list),
            _ => None,
        };
        if let Some(members) = members {
            let texts = members.into_iter().filter_map(|member| match member {
                JsonValue::String(text) => Some(text.into_owned()),
                _ => None,
            });
            let (out, inside): (Vec<String>, Vec<String>) = texts.partition(|text| text.starts_with('!'));
            package.workspace = Some(globs(folder, inside.iter().map(String::as_str)));
            package.excluded = globs(folder, out.iter().map(|text| &text[1..]));
        }
        package
    }

    /// The declared entry points, in order.
    pub fn entries(&self, require: bool) -> impl Iterator<Item = &str> {
        let (main, others) = (self.entries.iter().filter(|e| e.0), self.entries.iter().filter(|e| !e.0));
        let first: Vec<_> = if require { main.chain(others).collect() } else { self.entries.iter().collect() };
        first.into_iter().map(|(_, path)| path.as_str())
    }

    /// Whether the dependency is pinned to another major version than the local package has.
    fn wants_other(&self, other: &Package) -> bool {
        let major = |text: &str| {
            let digits = text.trim_start_matches(['^', '~', '=', 'v']);
            let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
            digits[..end].parse::<u32>().ok()
        };
        let wanted = other.name.as_ref().and_then(|name| self.dependencies.get(name)).and_then(|range| major(range));
        wanted.zip(major(&other.version)).is_some_and(|(wanted, has)| wanted != has)
    }
}

fn exports(value: JsonValue<'_>) -> Patterns<Target> {
    match value {
        JsonValue::Object(map) if map.clone().into_iter().any(|(key, _)| key.starts_with('.')) => patterns(map),
        value => {
            let mut only = Patterns::default();
            if let Some(target) = Target::read(value) {
                only.insert(".", target);
            }
            only
        }
    }
}

fn patterns(map: JsonObject<'_>) -> Patterns<Target> {
    let mut all = Patterns::default();
    for (key, value) in map {
        let Some(target) = Target::read(value) else { continue };
        // The older form `./folder/` means everything in it.
        match (key.strip_suffix('/'), target) {
            (Some(_), Target::Path(path)) => all.insert(&format!("{key}*"), Target::Path(format!("{path}*"))),
            (_, target) => all.insert(&key, target),
        }
    }
    all
}

fn globs<'g>(folder: &str, patterns: impl Iterator<Item = &'g str>) -> GlobSet {
    let mut set = GlobSetBuilder::new();
    for pattern in patterns {
        let pattern = pattern.replace('\\', "/");
        let pattern = pattern.trim_start_matches("./").trim_end_matches('/');
        let whole = paths::child(&globset::escape(folder), pattern);
        if let Ok(glob) = GlobBuilder::new(&whole).literal_separator(true).build() {
            set.add(glob);
        }
    }
    set.build().unwrap_or_else(|_| GlobSet::empty())
}

/// All packages.
pub struct Packages {
    packages: Vec<Package>,
    by_name: FxHashMap<String, Vec<usize>>,
    by_folder: FxHashMap<String, usize>,
    /// By package: the folder of its workspace.
    workspaces: Vec<Option<String>>,
}

impl Packages {
    /// Reads the manifests of packages, except of installed ones.
    pub fn new(project: &Project) -> Self {
        let own = |folder: &str| folder.split('/').all(|part| part != "node_modules");
        let packages: Vec<Package> = paths::manifests(project, |name| name == "package.json")
            .filter(|(folder, _, _)| own(folder))
            .map(|(folder, _, text)| Package::read(folder, text))
            .collect();
        let mut by_name: FxHashMap<String, Vec<usize>> = FxHashMap::default();
        let mut by_folder = FxHashMap::default();
        for (id, package) in packages.iter().enumerate() {
            by_folder.insert(package.folder.clone(), id);
            if let Some(name) = &package.name {
                by_name.entry(name.clone()).or_default().push(id);
            }
        }
        let open: FxHashSet<&str> =
            paths::manifests(project, |name| WORKSPACE_FILES.contains(&name)).map(|(folder, _, _)| folder).collect();
        let workspaces = packages.iter().map(|package| workspace(package, &packages, &by_folder, &open)).collect();
        Self { packages, by_name, by_folder, workspaces }
    }

    /// The package of a folder itself.
    pub fn at(&self, folder: &str) -> Option<&Package> {
        self.by_folder.get(folder).map(|&id| &self.packages[id])
    }

    /// The package that a folder belongs to.
    pub fn around(&self, folder: &str) -> Option<&Package> {
        paths::upwards(folder).find_map(|at| self.at(at))
    }

    /// The package of the project that a name means to the files of a folder.
    pub fn named(&self, name: &str, folder: &str) -> Option<&Package> {
        let candidates = self.by_name.get(name)?.iter().copied().filter(|&id| self.sees(folder, id));
        let best = candidates.max_by_key(|&id| {
            let shared = paths::shared(&self.packages[id].folder, folder);
            (shared, std::cmp::Reverse(id))
        })?;
        Some(&self.packages[best])
    }

    /// Whether the files of a folder get a package of the project, and not one from a registry, by its name.
    fn sees(&self, folder: &str, id: usize) -> bool {
        let package = &self.packages[id];
        let Some(name) = &package.name else { return false };
        let mut declared = false;
        for around in paths::upwards(folder).filter_map(|at| self.by_folder.get(at)) {
            let own = &self.packages[*around];
            if *around == id && !declared {
                return true;
            }
            if let Some(range) = own.dependencies.get(name) {
                if LOCAL.iter().any(|local| range.starts_with(local)) {
                    return true;
                }
                declared = true;
            }
            let together = self.workspaces[*around].is_some() && self.workspaces[*around] == self.workspaces[id];
            if together {
                return !own.wants_other(package);
            }
            let scope =
                |name: &str| name.strip_prefix('@').and_then(|rest| rest.split_once('/')).map(|(s, _)| s.to_owned());
            if own.name.as_deref().and_then(scope).is_some_and(|own| Some(own) == scope(name)) {
                return true;
            }
        }
        !declared
    }

    /// The path of a file inside a package of the project, by the text of a bare import.
    pub fn inside(&self, text: &str, folder: &str) -> Option<String> {
        let (name, inner) = split(text);
        self.named(name, folder).and_then(|package| paths::join(&package.folder, inner))
    }
}

/// The workspace that a package belongs to: the nearest folder upwards that counts it in.
fn workspace(
    package: &Package,
    packages: &[Package],
    by_folder: &FxHashMap<String, usize>,
    open: &FxHashSet<&str>,
) -> Option<String> {
    paths::upwards(&package.folder).find_map(|at| {
        let counts = by_folder.get(at).map(|&id| &packages[id]).is_some_and(|root| {
            root.workspace.as_ref().is_some_and(|members| {
                at == package.folder || (members.is_match(&package.folder) && !root.excluded.is_match(&package.folder))
            })
        });
        (counts || open.contains(at)).then(|| at.to_owned())
    })
}

/// A bare import as the package's name and the path in it.
pub fn split(text: &str) -> (&str, &str) {
    let from = if text.starts_with('@') { text.find('/').map_or(text.len(), |at| at + 1) } else { 0 };
    match text[from..].find('/') {
        Some(at) => (&text[..from + at], &text[from + at + 1..]),
        None => (text, ""),
    }
}
