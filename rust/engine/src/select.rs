//! Which files of a tree that is not on disk would a walk find, if it were? The rules are those of `walk`, told by the
//! paths and the texts of the ignore files alone.

use crate::core_api;
use crate::manifests;
use crate::walk::{CLOSED_FOLDERS, ENVIRONMENT_MARKS};
use ignore::gitignore::{Gitignore, GitignoreBuilder};
use ignore::Match;
use rustc_hash::{FxHashMap, FxHashSet};
use std::path::{Path, PathBuf};

/// Which word an ignore file has against the others; the first that says anything decides.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Rank {
    /// `.mastermindignore`.
    Own,
    /// `.gitignore`.
    Git,
    /// `.git/info/exclude`.
    Exclude,
}

/// The text of an ignore file and the folder that its patterns are relative to.
#[derive(Clone, Debug)]
pub struct IgnoreFile {
    /// Absolute.
    pub folder: PathBuf,
    /// Whose file it is.
    pub rank: Rank,
    /// Its lines.
    pub text: String,
}

/// The paths, from `root` with `/`, that an index of the tree reads, in their order. All files of the tree must be
/// given, for some folders are known by what is in them.
pub fn select(root: &Path, paths: Vec<String>, ignore_files: &[IgnoreFile]) -> Vec<String> {
    let mut folders = Folders { root, marked: marked(&paths), rules: rules(ignore_files), open: FxHashMap::default() };
    let global = Gitignore::global().0;
    paths
        .into_iter()
        .filter(|path| core_api::is_known(path) || manifests::is_manifest(path))
        .filter(|path| folders.is_open(parent(path), &global) && !folders.is_ignored(path, false, &global))
        .collect()
}

struct Folders<'a> {
    root: &'a Path,
    marked: FxHashSet<String>,
    rules: FxHashMap<PathBuf, Vec<(Rank, Gitignore)>>,
    open: FxHashMap<String, bool>,
}

impl Folders<'_> {
    /// Whether a walk enters a folder; it has entered those above.
    fn is_open(&mut self, folder: &str, global: &Gitignore) -> bool {
        if folder.is_empty() {
            return true;
        }
        if let Some(&open) = self.open.get(folder) {
            return open;
        }
        let name = folder.rsplit('/').next().unwrap_or(folder);
        let open = self.is_open(parent(folder), global)
            && !CLOSED_FOLDERS.contains(&name)
            && !self.marked.contains(folder)
            && !self.is_ignored(folder, true, global);
        self.open.insert(folder.to_owned(), open);
        open
    }

    /// Whether the ignore files name it. Of each rank the innermost file that says anything counts.
    fn is_ignored(&self, path: &str, is_folder: bool, global: &Gitignore) -> bool {
        let absolute = self.root.join(path);
        let mut said: [Option<bool>; 3] = [None; 3];
        for folder in absolute.ancestors().skip(1) {
            for (rank, file) in self.rules.get(folder).into_iter().flatten() {
                let word = &mut said[*rank as usize];
                *word = word.or_else(|| verdict(&file.matched(&absolute, is_folder)));
            }
        }
        let ours = said.into_iter().flatten().next();
        ours.or_else(|| verdict(&global.matched(&absolute, is_folder))).unwrap_or(false)
    }
}

fn verdict<T>(matched: &Match<T>) -> Option<bool> {
    match matched {
        Match::None => None,
        Match::Ignore(_) => Some(true),
        Match::Whitelist(_) => Some(false),
    }
}

fn rules(files: &[IgnoreFile]) -> FxHashMap<PathBuf, Vec<(Rank, Gitignore)>> {
    let mut rules: FxHashMap<PathBuf, Vec<(Rank, Gitignore)>> = FxHashMap::default();
    for file in files {
        let mut builder = GitignoreBuilder::new(&file.folder);
        for line in file.text.lines() {
            // A pattern that is none is passed over, as a walk does.
            let _ = builder.add_line(None, line);
        }
        if let Ok(built) = builder.build() {
            rules.entry(file.folder.clone()).or_default().push((file.rank, built));
        }
    }
    rules
}

/// The folders that are virtual environments by what they hold.
fn marked(paths: &[String]) -> FxHashSet<String> {
    let mut marked = FxHashSet::default();
    for path in paths {
        for mark in ENVIRONMENT_MARKS {
            for (at, _) in path.match_indices(mark) {
                let end = at + mark.len();
                let whole =
                    (at == 0 || path.as_bytes()[at - 1] == b'/') && (end == path.len() || path.as_bytes()[end] == b'/');
                if whole && at > 0 {
                    marked.insert(path[..at - 1].to_owned());
                }
            }
        }
    }
    marked
}

fn parent(path: &str) -> &str {
    path.rfind('/').map_or("", |at| &path[..at])
}
