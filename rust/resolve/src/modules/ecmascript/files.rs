//! From a path without extension, or the path of a built file, to the source file that is there.

use crate::modules::{paths, FileId, Project};
use rustc_hash::{FxHashMap, FxHashSet};

/// Extensions in the order in which a typed file looks for them. A declaration file says less than what it declares, so
/// it comes last.
const TYPED: [&str; 14] = [
    ".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs", ".vue", ".svelte", ".astro", ".d.ts", ".d.mts",
    ".d.cts",
];
/// The same for a plain script.
const PLAIN: [&str; 14] = [
    ".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".mts", ".cts", ".vue", ".svelte", ".astro", ".d.ts", ".d.mts",
    ".d.cts",
];
/// What the extension of a compiled file may have been, and its declarations.
const COMPILED: [(&str, &[&str], &str); 4] = [
    (".js", &[".ts", ".tsx"], ".d.ts"),
    (".jsx", &[".tsx", ".ts"], ".d.ts"),
    (".mjs", &[".mts", ".ts"], ".d.mts"),
    (".cjs", &[".cts", ".ts"], ".d.cts"),
];
/// Endings of built files; longer ones first.
const BUILT: [&str; 13] = [
    ".d.mts", ".d.cts", ".d.ts", ".min.js", ".esm.js", ".cjs.js", ".umd.js", ".esm.mjs", ".js", ".mjs", ".cjs", ".jsx",
    ".css",
];
/// Infixes for platforms (`Button.native.tsx`).
const PLATFORMS: [&str; 4] = [".native", ".web", ".ios", ".android"];
/// Folders that builds write to.
const OUTPUT: [&str; 16] = [
    "dist", "lib", "build", "out", "output", "es", "esm", "cjs", "umd", "types", "typings", "module", "commonjs",
    "_esm", "_cjs", "_types",
];
/// Folders that builds read.
const SOURCES: [&str; 3] = ["src", "source", "lib"];

/// The files of the project that can be imported.
pub struct Files {
    by_path: FxHashMap<String, FileId>,
    /// Their paths up to the first dot of the name: what is not here needs no guesses.
    stems: FxHashSet<String>,
}

impl Files {
    /// Takes the files by their extension.
    pub fn new(project: &Project) -> Self {
        let mut files = Self { by_path: FxHashMap::default(), stems: FxHashSet::default() };
        for (index, entry) in project.files.iter().enumerate().filter(|(_, entry)| is_script(&entry.path)) {
            files.by_path.insert(entry.path.clone(), FileId(index as u32));
            files.stems.insert(stem(&entry.path).to_owned());
        }
        files
    }

    /// The file that a path names, with or without its extension.
    pub fn file(&self, path: &str, typed: bool) -> Option<FileId> {
        if path.is_empty() {
            return None;
        }
        let exact = || self.by_path.get(path).copied();
        let compiled = COMPILED.iter().find_map(|(ending, from, types)| {
            let stem = path.strip_suffix(ending).filter(|stem| !stem.is_empty() && !stem.ends_with('/'))?;
            Some((stem, from, *types))
        });
        let found = match compiled {
            None => exact(),
            Some((stem, from, types)) => {
                let source = || from.iter().find_map(|ending| self.ending(stem, ending));
                let known = if typed { source().or_else(exact) } else { exact().or_else(source) };
                known.or_else(|| self.ending(stem, types))
            }
        };
        found.or_else(|| self.guess(path, typed))
    }

    /// The `index` file of a folder.
    pub fn index(&self, folder: &str, typed: bool) -> Option<FileId> {
        self.guess(&paths::child(folder, "index"), typed)
    }

    /// A file, or the index of a folder.
    pub fn file_or_index(&self, path: &str, typed: bool) -> Option<FileId> {
        self.file(path, typed).or_else(|| self.index(path, typed))
    }

    /// The source of a built file that is not there: `dist/esm/a.js` → `src/a.ts`.
    pub fn source(&self, package: &str, built: &str, typed: bool) -> Option<FileId> {
        let built = built.trim_start_matches("./").trim_end_matches('/');
        let stem = BUILT.iter().find_map(|ending| built.strip_suffix(ending)).unwrap_or(built);
        let mut rest = stem;
        loop {
            let folders = SOURCES.iter().map(|folder| paths::child(folder, rest)).chain([rest.to_owned()]);
            let found =
                folders.filter_map(|path| paths::join(package, &path)).find_map(|path| self.guess(&path, typed));
            match (found, rest.split_once('/')) {
                (Some(file), _) => return Some(file),
                (None, Some((first, inner))) if OUTPUT.contains(&first) => rest = inner,
                _ => return None,
            }
        }
    }

    /// What a package offers if nothing it declares is there.
    pub fn main(&self, package: &str, name: &str, typed: bool) -> Option<FileId> {
        let plain = name.rsplit('/').next().unwrap_or(name);
        let folders = ["", "src", "source", "lib"];
        let stems = ["index", "main", "mod", plain];
        let pairs = stems.iter().flat_map(|stem| folders.iter().map(move |folder| paths::child(folder, stem)));
        pairs.into_iter().find_map(|path| self.guess(&paths::child(package, &path), typed))
    }

    fn guess(&self, path: &str, typed: bool) -> Option<FileId> {
        if !self.stems.contains(stem(path)) {
            return None;
        }
        let endings = if typed { &TYPED } else { &PLAIN };
        endings.iter().find_map(|ending| self.ending(path, ending)).or_else(|| {
            let platforms = PLATFORMS.iter().map(|platform| format!("{path}{platform}"));
            platforms.into_iter().find_map(|path| endings[..8].iter().find_map(|ending| self.ending(&path, ending)))
        })
    }

    fn ending(&self, stem: &str, ending: &str) -> Option<FileId> {
        self.by_path.get(&format!("{stem}{ending}")).copied()
    }
}

/// A path up to the first dot of its last part.
fn stem(path: &str) -> &str {
    let from = path.len() - paths::base(path).len();
    path[from..].find('.').map_or(path, |at| &path[..from + at])
}

/// Whether a path in a package is below a folder that builds write to.
pub fn is_output(inner: &str) -> bool {
    inner.split_once('/').is_some_and(|(first, _)| OUTPUT.contains(&first))
}

/// Whether a file can be the target of an import.
pub fn is_script(path: &str) -> bool {
    TYPED.iter().any(|ending| path.ends_with(ending))
}

/// Whether a file's imports prefer typed files.
pub fn is_typed(path: &str) -> bool {
    [".ts", ".tsx", ".mts", ".cts", ".vue", ".svelte", ".astro"].iter().any(|ending| path.ends_with(ending))
}
