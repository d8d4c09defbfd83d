//! `tsconfig*.json` and `jsconfig.json`: `paths`, `baseUrl`, `rootDirs`, `extends` and `references`.

use super::package::Packages;
use super::patterns::Patterns;
use crate::modules::{paths, Project};
use jsonc_parser::{parse_to_value, JsonObject, JsonValue};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// A chain of `extends` longer than this is cut.
const LONGEST_CHAIN: usize = 64;
/// More `references` than this are not read.
const MOST_REFERENCES: usize = 64;
/// A target may begin with the folder of the configuration in use.
const CONFIG_FOLDER: &str = "${configDir}";

type Aliases = Patterns<Vec<String>>;

/// How a name matched an entry of `paths`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Alias {
    /// By `*`, as any name does.
    Any,
    /// By the part before or after the `*`.
    Prefix,
    /// As a whole.
    Name,
}

/// One file as written; all fields but `paths` hold paths from the root.
#[derive(Default)]
struct Written {
    folder: String,
    extends: Vec<String>,
    references: Vec<String>,
    base_url: Option<String>,
    aliases: Option<Arc<Aliases>>,
    root_dirs: Option<Vec<String>>,
}

/// A configuration with all that it inherits.
pub struct Config {
    /// Its folder.
    folder: String,
    /// Where the targets of `paths` start.
    aliases_from: String,
    aliases: Option<Arc<Aliases>>,
    /// Where bare names are looked up.
    pub base_url: Option<String>,
    /// Folders that are laid over each other.
    pub root_dirs: Vec<String>,
    references: Vec<usize>,
}

impl Config {
    /// The paths that a name may stand for by `paths`, in order, and how it matched.
    pub fn aliased(&self, name: &str) -> (Vec<String>, Alias) {
        let Some((targets, star)) = self.aliases.as_ref().and_then(|aliases| aliases.get(name)) else {
            return (Vec::new(), Alias::Any);
        };
        let path = |target: &String| {
            let target = target.replacen('*', star, 1);
            match target.strip_prefix(CONFIG_FOLDER) {
                Some(inner) => paths::join(&self.folder, inner.trim_start_matches('/')),
                None => paths::join(&self.aliases_from, &target),
            }
        };
        let alias = match star.len() {
            0 => Alias::Name,
            length if length < name.len() => Alias::Prefix,
            _ => Alias::Any,
        };
        (targets.iter().filter_map(path).collect(), alias)
    }
}

/// All configurations.
#[derive(Default)]
pub struct Configs {
    configs: Vec<Config>,
    /// Folder → the configuration for its files.
    of_folder: FxHashMap<String, usize>,
}

impl Configs {
    /// Reads the configurations and whatever they extend.
    pub fn new(project: &Project, packages: &Packages) -> Self {
        let texts: FxHashMap<&str, (&str, &str)> = paths::manifests(project, |name| name.ends_with(".json"))
            .map(|(folder, path, text)| (path, (folder, text)))
            .collect();
        let mut order: Vec<&str> = paths::manifests(project, is_config).map(|(_, path, _)| path).collect();
        let mut written: FxHashMap<String, Written> = FxHashMap::default();
        let mut at = 0;
        while at < order.len() {
            let path = order[at];
            at += 1;
            let Some((folder, text)) = texts.get(path).filter(|_| !written.contains_key(path)) else { continue };
            let config = Written::read(folder, text, &texts, packages);
            for next in config.extends.iter().chain(&config.references) {
                if let Some((&next, _)) = texts.get_key_value(next.as_str()) {
                    order.push(next);
                }
            }
            written.insert(path.to_owned(), config);
        }

        let mut known: Vec<&String> = written.keys().collect();
        known.sort_unstable();
        let ids: FxHashMap<&str, usize> = known.iter().enumerate().map(|(id, path)| (path.as_str(), id)).collect();
        let mut all = Self::default();
        for (id, path) in known.iter().enumerate() {
            all.configs.push(inherited(path, &written, &ids));
            if let Some(rank) = rank(paths::base(path)) {
                let folder = paths::folder(path);
                let better = |&other: &usize| super::tsconfig::rank(paths::base(known[other])).is_none_or(|r| rank < r);
                if all.of_folder.get(folder).is_none_or(better) {
                    all.of_folder.insert(folder.to_owned(), id);
                }
            }
        }
        all
    }

    /// The configuration for the files of a folder, with those that it refers to; the nearest upwards.
    pub fn nearest<'c>(&'c self, folder: &'c str) -> impl Iterator<Item = &'c Config> {
        let own = paths::upwards(folder).find_map(|at| self.of_folder.get(at)).map(|&id| &self.configs[id]);
        own.into_iter().flat_map(|config| {
            std::iter::once(config).chain(config.references.iter().map(|&other| &self.configs[other]))
        })
    }

    /// All configurations upwards, the nearest first.
    pub fn upwards<'c>(&'c self, folder: &'c str) -> impl Iterator<Item = &'c Config> {
        paths::upwards(folder).filter_map(|at| self.of_folder.get(at)).map(|&id| &self.configs[id])
    }
}

/// Which of several configurations of a folder is in use.
fn rank(name: &str) -> Option<usize> {
    ["tsconfig.json", "jsconfig.json", "tsconfig.base.json"].iter().position(|known| *known == name)
}

fn is_config(name: &str) -> bool {
    (name.starts_with("tsconfig") || name.starts_with("jsconfig")) && name.ends_with(".json")
}

/// A configuration and what it inherits: its own settings come first, then those of the last base, and so on.
fn inherited(path: &str, written: &FxHashMap<String, Written>, ids: &FxHashMap<&str, usize>) -> Config {
    let own = &written[path];
    let mut config = Config {
        folder: own.folder.clone(),
        aliases_from: String::new(),
        aliases: None,
        base_url: None,
        root_dirs: Vec::new(),
        references: own.references.iter().filter_map(|other| ids.get(other.as_str()).copied()).collect(),
    };
    let mut seen = FxHashSet::default();
    let mut open = vec![path];
    while let Some(path) = open.pop() {
        let Some(base) = written.get(path) else { continue };
        if seen.len() >= LONGEST_CHAIN || !seen.insert(path) {
            continue;
        }
        if config.base_url.is_none() {
            config.base_url.clone_from(&base.base_url);
        }
        if config.aliases.is_none() && base.aliases.is_some() {
            config.aliases.clone_from(&base.aliases);
            config.aliases_from.clone_from(&base.folder);
        }
        if config.root_dirs.is_empty() {
            config.root_dirs.extend(base.root_dirs.iter().flatten().cloned());
        }
        open.extend(base.extends.iter().map(String::as_str));
    }
    if let Some(base_url) = &config.base_url {
        config.aliases_from.clone_from(base_url);
    }
    config
}

impl Written {
    fn read(folder: &str, text: &str, texts: &FxHashMap<&str, (&str, &str)>, packages: &Packages) -> Self {
        let mut config = Self { folder: folder.to_owned(), ..Self::default() };
        let Ok(Some(JsonValue::Object(json))) = parse_to_value(text, &Default::default()) else { return config };
        let exists = |path: &String| texts.contains_key(path.as_str());
        config.extends = strings(json.get("extends"))
            .filter_map(|base| {
                let base = base.replace('\\', "/");
                let path =
                    if base.starts_with('.') { paths::join(folder, &base) } else { packages.inside(&base, folder) };
                let path = path?;
                let tried = [path.clone(), format!("{path}.json"), paths::child(&path, "tsconfig.json")];
                tried.into_iter().find(exists)
            })
            .collect();
        for reference in json.get_array("references").into_iter().flat_map(|list| list.iter()).take(MOST_REFERENCES) {
            let JsonValue::Object(reference) = reference else { continue };
            let path = reference.get_string("path").and_then(|path| paths::join(folder, path));
            let tried = path.map(|path| [paths::child(&path, "tsconfig.json"), path]);
            // A reference to another folder is another project, whose aliases are its own.
            let same = |path: &String| paths::folder(path) == folder && exists(path);
            config.references.extend(tried.into_iter().flatten().find(same));
        }
        if let Some(options) = json.get_object("compilerOptions") {
            config.options(options);
        }
        config
    }

    fn options(&mut self, options: &JsonObject<'_>) {
        let place = |text: &str| {
            paths::join(
                &self.folder,
                text.strip_prefix(CONFIG_FOLDER).map_or(text, |rest| rest.trim_start_matches('/')),
            )
        };
        self.base_url = options.get_string("baseUrl").and_then(|url| place(url));
        self.root_dirs = options.get("rootDirs").map(|list| strings(Some(list)).filter_map(place).collect());
        if let Some(JsonValue::Object(list)) = options.get("paths") {
            let mut aliases = Aliases::default();
            for (pattern, targets) in list.clone() {
                aliases.insert(&pattern, strings(Some(&targets)).map(str::to_owned).collect());
            }
            self.aliases = Some(Arc::new(aliases));
        }
    }
}

/// A text or a list of texts.
fn strings<'j>(value: Option<&'j JsonValue<'_>>) -> impl Iterator<Item = &'j str> {
    let list = match value {
        Some(JsonValue::Array(list)) => Some(list.iter()),
        _ => None,
    };
    value.into_iter().chain(list.into_iter().flatten()).filter_map(|value| match value {
        JsonValue::String(text) => Some(text.as_ref()),
        _ => None,
    })
}
