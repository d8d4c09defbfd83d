//! PHP: namespaces, which files declare, and included files.
//!
//! Names of namespaces and classes ignore case; keys are written as the first file in path order writes them.

use super::{paths, FileId, Found, Located, ModuleSystem, Project};
use rustc_hash::{FxHashMap, FxHashSet};

/// Endings of files that are included.
const INCLUDED: [&str; 6] = [".php", ".inc", ".phtml", ".php5", ".module", ".tpl"];

/// The module system of PHP.
pub struct Php {
    paths: Vec<String>,
    by_path: FxHashMap<String, FileId>,
    families: FxHashMap<String, Namespaces>,
    /// By file: its family.
    family_of: Vec<String>,
    keys: Vec<String>,
}

#[derive(Default)]
struct Namespaces {
    /// Lower case → the key, and whether a file declares it (and not only one below it).
    known: FxHashMap<String, (String, bool)>,
    /// Lower-case names that files are called after: `zoo\birds\crow` for `Crow.php` of `Zoo\Birds`.
    called: FxHashSet<String>,
}

impl Php {
    /// Reads the declared namespaces once.
    pub fn new(project: &Project, lexical: &[(FileId, String)]) -> Self {
        let mut families: FxHashMap<String, Namespaces> = FxHashMap::default();
        let mut keys = Vec::with_capacity(project.files.len());
        for entry in &project.files {
            let name = entry.package.as_deref().unwrap_or_default().trim_matches('\\');
            keys.push(families.entry(entry.family.clone()).or_default().add(name, paths::stem(&entry.path)));
        }
        // Namespaces in braces are known by their dotted names.
        for (file, name) in lexical {
            let family = &project.entry(*file).family;
            families.entry(family.clone()).or_default().add(&name.replace('.', "\\"), "");
        }
        Self {
            paths: project.files.iter().map(|file| file.path.clone()).collect(),
            by_path: project.by_path.clone(),
            families,
            family_of: project.files.iter().map(|file| file.family.clone()).collect(),
            keys,
        }
    }

    fn named(&self, from: FileId, text: &str) -> Located {
        let own = &self.keys[from.0 as usize];
        let text = text.trim_matches('\\');
        let text = match text.split_once('\\') {
            Some((word, inner)) if word.eq_ignore_ascii_case("namespace") => join(own, inner),
            _ => text.to_owned(),
        };
        let lower = text.to_lowercase();
        let (parent, last) = text.rsplit_once('\\').unwrap_or(("", &text));
        let namespaces = &self.families[&self.family_of[from.0 as usize]];
        let in_parent = || {
            let (key, declared) = namespaces.known.get(&parent.to_lowercase())?;
            declared.then(|| Located { found: Found::Unit(key.clone()), rest: vec![last.to_owned()] })
        };
        // A class and a namespace may have the same name; the class is what is used by far most often.
        let class = namespaces.called.contains(&lower).then(in_parent).flatten();
        let namespace = || namespaces.known.get(&lower).map(|(key, _)| Located::whole(Found::Unit(key.clone())));
        class.or_else(namespace).or_else(in_parent).unwrap_or_else(|| {
            let mut segments = text.split('\\');
            let first = segments.next().unwrap_or_default();
            let package = match (segments.next(), segments.next()) {
                (Some(second), Some(_)) => join(first, second),
                _ => first.to_owned(),
            };
            Located::whole(Found::External(package))
        })
    }

    /// `__DIR__ . '/a.php'`, `dirname(__DIR__, 2) . '/a.php'`, `ROOT . '/a.php'`, `a.php`; with or without the quotes.
    fn included(&self, from: FileId, text: &str) -> Found {
        let folder = paths::folder(&self.paths[from.0 as usize]);
        let written = literal(text);
        let written = written.trim_start_matches('/');
        let anchored = text.contains("__DIR__") || text.contains("__FILE__");
        let start = paths::upwards(folder).nth(levels(text));
        let nearest = start.and_then(|start| self.file(start, written));
        let found = nearest.or_else(|| {
            // The include path and constants for folders are not known: a folder around is likely.
            if anchored || written.starts_with('.') {
                return None;
            }
            paths::upwards(folder).skip(1).find_map(|at| self.file(at, written))
        });
        match found {
            Some(file) => Found::File(file),
            None if written.split('/').any(|part| part == "vendor") => Found::External("vendor".to_owned()),
            None => Found::Missing,
        }
    }

    fn file(&self, folder: &str, written: &str) -> Option<FileId> {
        self.by_path.get(&paths::join(folder, written)?).copied()
    }
}

impl Namespaces {
    /// Adds a file's namespace with those around it, and returns its key.
    fn add(&mut self, name: &str, stem: &str) -> String {
        self.called.insert(join(name, stem).to_lowercase());
        let lower = name.to_lowercase();
        if let Some((key, declared)) = self.known.get_mut(&lower) {
            *declared = true;
            return key.clone();
        }
        for (end, _) in name.match_indices('\\') {
            let part = &name[..end];
            self.known.entry(part.to_lowercase()).or_insert_with(|| (part.to_owned(), false));
        }
        self.known.insert(lower, (name.to_owned(), true));
        name.to_owned()
    }
}

fn join(namespace: &str, name: &str) -> String {
    if namespace.is_empty() {
        name.to_owned()
    } else {
        format!("{namespace}\\{name}")
    }
}

/// The quoted parts of an expression; all of it if nothing is quoted.
fn literal(text: &str) -> String {
    let Some(quote) = text.chars().find(|c| matches!(c, '\'' | '"')) else {
        return text.trim_start_matches("__DIR__").trim_start_matches([' ', '.']).trim().to_owned();
    };
    text.split(quote).skip(1).step_by(2).collect()
}

/// How many folders up an expression starts.
fn levels(text: &str) -> usize {
    let calls = text.matches("dirname(").count();
    let more = text.split(',').skip(1).filter_map(|rest| rest.split(')').next()?.trim().parse::<usize>().ok());
    let more: usize = more.map(|levels| levels.min(64).saturating_sub(1)).sum();
    // The folder of `__FILE__` is already one `dirname`.
    (calls + more).saturating_sub(usize::from(text.contains("__FILE__")))
}

impl ModuleSystem for Php {
    fn unit_key(&self, file: FileId) -> String {
        self.keys[file.0 as usize].clone()
    }

    fn find(&self, from: FileId, module: &str) -> Located {
        let text = module.trim();
        let plain = text.trim_end_matches(['\'', '"', ')', ' ']);
        if text.contains(['/', '\'', '"']) || INCLUDED.iter().any(|ending| plain.ends_with(ending)) {
            return Located::whole(self.included(from, text));
        }
        self.named(from, text)
    }

    fn submodule(&self, of: &str, name: &str) -> Found {
        let full = join(of, name).to_lowercase();
        let mut found: Vec<&String> =
            self.families.values().filter_map(|family| Some(&family.known.get(&full)?.0)).collect();
        found.sort_unstable();
        found.first().map_or(Found::Missing, |&key| Found::Unit(key.clone()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::modules::specimen::{check, words};

    fn claims(files: &str, text: &str) {
        let project = words(files, &[]);
        check(&project, &Php::new(&project, &[]), text);
    }

    #[test]
    fn namespaces_and_their_members() {
        claims(
            r"birds.php@Zoo\Birds fish.php@Zoo\Fish tour.php@Zoo\Tour plain.php deep.php@Far\Away\Land x.go@main",
            r"tour.php: Zoo\Birds\feed -> unit Zoo\Birds + feed
              tour.php: \Zoo\Birds\feed -> unit Zoo\Birds + feed
              tour.php: Zoo\Fish -> unit Zoo\Fish
              tour.php: zoo\FISH -> unit Zoo\Fish
              tour.php: Zoo -> unit Zoo
              tour.php: Zoo\Cage -> external Zoo
              tour.php: namespace\guide -> unit Zoo\Tour + guide
              tour.php: Symfony\Component\Console\Command -> external Symfony\Component
              tour.php: Far\Away -> unit Far\Away
              tour.php: Far\Away\Plane -> external Far\Away
              tour.php: Zoo\Birds\Crow\Deep -> external Zoo\Birds
              tour.php: DateTime -> unit  + DateTime
              tour.php: main\x -> external main",
        );
    }

    #[test]
    fn a_class_may_be_called_like_a_namespace() {
        claims(
            r"src/Query.php@Acme\Orm src/Query/Expr.php@Acme\Orm\Query src/Use.php@App",
            r"src/Use.php: Acme\Orm\Query -> unit Acme\Orm + Query
              src/Use.php: Acme\Orm\Query\Expr -> unit Acme\Orm\Query + Expr",
        );
    }

    #[test]
    fn included_files() {
        claims(
            "fish.php lib/a.php lib/deep/b.php lib/c.inc",
            r"lib/a.php: __DIR__ . '/deep/b.php' -> lib/deep/b.php
              lib/a.php: /deep/b.php -> lib/deep/b.php
              lib/a.php: deep/b.php -> lib/deep/b.php
              lib/a.php: c.inc -> lib/c.inc
              lib/a.php: fish.php -> fish.php
              lib/a.php: __DIR__ . '/fish.php' -> missing
              lib/deep/b.php: dirname(__DIR__) . '/a.php' -> lib/a.php
              lib/deep/b.php: dirname(__DIR__, 2) . '/fish.php' -> fish.php
              lib/deep/b.php: dirname(dirname(__FILE__)) . '/a.php' -> lib/a.php
              lib/deep/b.php: ../a.php -> lib/a.php
              lib/deep/b.php: ROOT . '/fish.php' -> fish.php
              lib/deep/b.php: __DIR__ . '/../../vendor/autoload.php' -> external vendor
              lib/deep/b.php: ../../../out.php -> missing",
        );
    }

    #[test]
    fn keys_keep_the_first_spelling() {
        let project = words(r"a.php@Zoo\Birds b.php@zoo\birds c.php", &[]);
        let php = Php::new(&project, &[]);
        assert_eq!(php.unit_key(FileId(1)), r"Zoo\Birds");
        assert_eq!(php.unit_key(FileId(2)), "");
        assert_eq!(php.submodule("Zoo", "Birds"), Found::Unit(r"Zoo\Birds".to_owned()));
        assert_eq!(php.submodule("Zoo", "Bees"), Found::Missing);
    }
}
