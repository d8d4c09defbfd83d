//! Which files are there? One parallel walk that opens nothing but ignore files.
//!
//! - `.gitignore` (nested, negated), `.git/info/exclude` and the user's global ignore file count, in and outside of git
//!   repositories; `.mastermindignore` has the same form and the last word.
//! - Ignore files above the root count only if the root lies inside a git repository, up to that repository's root.
//! - No link is followed: what it leads to is either walked anyway or outside of the root.
//! - Folders left out by name are those of version control, `.mastermind` and `node_modules`; virtual environments are
//!   known by what is in them. Hidden files and all other folders are walked like any other.

use crate::core_api;
use crate::error::Error;
use crate::manifests;
use crate::skip::{Reason, Skipped};
use ignore::{DirEntry, WalkBuilder, WalkState};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::ffi::OsStr;
use std::fs::Metadata;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::UNIX_EPOCH;

/// The ignore file of this program.
pub const IGNORE_FILE: &str = ".mastermindignore";

/// Folders that are never walked into.
pub(crate) const CLOSED_FOLDERS: &[&str] = &[".git", ".hg", ".svn", ".jj", ".bzr", ".mastermind", "node_modules"];

/// What a folder holds if it is the root of a virtual environment.
pub(crate) const ENVIRONMENT_MARKS: &[&str] = &["pyvenv.cfg", "conda-meta"];

/// A file that the walk found.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Found {
    /// Path from the root, with `/`.
    pub path: String,
    /// Size in bytes.
    pub size: u64,
    /// Time of the last change, in nanoseconds since 1970; 0 if unknown.
    pub mtime_ns: i64,
    /// What else tells one state of a file from another, where the system has it.
    pub mark: Mark,
}

/// What no program can set: when the file was last changed in any way, and which file it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Serialize, Deserialize)]
pub struct Mark {
    /// In nanoseconds since 1970; 0 if unknown.
    pub ctime_ns: i64,
    /// The number of the file on its device.
    pub inode: u64,
}

impl Mark {
    /// The mark of a file.
    #[cfg(unix)]
    pub fn of(metadata: &Metadata) -> Self {
        use std::os::unix::fs::MetadataExt;
        let ctime_ns = metadata.ctime().saturating_mul(1_000_000_000).saturating_add(metadata.ctime_nsec());
        Self { ctime_ns, inode: metadata.ino() }
    }

    /// The mark of a file.
    #[cfg(not(unix))]
    pub fn of(_: &Metadata) -> Self {
        Self::default()
    }
}

/// All that the walk found; each list in the order of the paths' bytes.
#[derive(Debug, Default)]
pub struct Walked {
    /// Files with a known suffix.
    pub sources: Vec<Found>,
    /// Project files that configure imports.
    pub manifests: Vec<Found>,
    /// What cannot be read.
    pub skipped: Vec<Skipped>,
    /// Folders that were looked into, the root as an empty path.
    pub folders: Vec<String>,
    /// How many files of each other suffix there are.
    pub other_suffixes: FxHashMap<String, u32>,
}

/// The root as an absolute path without links.
pub fn canonical_root(root: &Path) -> Result<PathBuf, Error> {
    let absolute = root.canonicalize().map_err(|error| Error::Root(root.to_owned(), error))?;
    std::fs::read_dir(&absolute).map_err(|error| Error::Root(root.to_owned(), error))?;
    Ok(absolute)
}

/// Walks a canonical root.
pub fn walk(root: &Path, threads: usize) -> Walked {
    let all = Mutex::new(Walked::default());
    builder(root, threads).build_parallel().run(|| {
        let mut local = Local { all: &all, walked: Walked::default() };
        Box::new(move |entry| {
            local.walked.add(root, entry);
            WalkState::Continue
        })
    });
    let mut walked = all.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
    walked.sources.sort_unstable();
    walked.manifests.sort_unstable();
    walked.skipped.sort_unstable();
    walked.folders.sort_unstable();
    walked
}

/// One thread's findings; they join the others' when the thread ends.
struct Local<'a> {
    all: &'a Mutex<Walked>,
    walked: Walked,
}

impl Drop for Local<'_> {
    fn drop(&mut self) {
        let mut all = self.all.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        all.sources.append(&mut self.walked.sources);
        all.manifests.append(&mut self.walked.manifests);
        all.skipped.append(&mut self.walked.skipped);
        all.folders.append(&mut self.walked.folders);
        for (suffix, count) in self.walked.other_suffixes.drain() {
            *all.other_suffixes.entry(suffix).or_default() += count;
        }
    }
}

fn builder(root: &Path, threads: usize) -> WalkBuilder {
    let mut builder = WalkBuilder::new(root);
    builder
        .threads(threads)
        .hidden(false)
        .ignore(false)
        .require_git(false)
        .parents(is_inside_repository(root))
        .follow_links(false)
        .add_custom_ignore_filename(IGNORE_FILE)
        .filter_entry(|entry| !is_closed(entry));
    builder
}

/// Whether a folder above the root is a git repository's.
fn is_inside_repository(root: &Path) -> bool {
    repository_of(root).is_some_and(|repository| repository != root)
}

/// The nearest folder upwards that is a git repository's.
fn repository_of(root: &Path) -> Option<&Path> {
    root.ancestors().find(|folder| folder.join(".git").exists())
}

/// Folders outside of those walked whose ignore files count.
pub fn outer_folders(root: &Path) -> Vec<PathBuf> {
    let Some(repository) = repository_of(root) else { return Vec::new() };
    let above = root.ancestors().skip(1).take_while(|folder| folder.starts_with(repository));
    above.map(Path::to_owned).chain([repository.join(".git").join("info")]).filter(|folder| folder.is_dir()).collect()
}

/// Whether a folder of this name is never walked into.
pub fn is_closed_name(name: &OsStr) -> bool {
    CLOSED_FOLDERS.iter().any(|closed| name == *closed)
}

/// Whether a file of this name decides which others are walked.
pub fn is_ignore_file(name: &OsStr) -> bool {
    [".gitignore", "exclude", IGNORE_FILE].iter().chain(ENVIRONMENT_MARKS).any(|known| name == *known)
}

fn is_closed(entry: &DirEntry) -> bool {
    if entry.depth() == 0 || !entry.file_type().is_some_and(|kind| kind.is_dir()) {
        return false;
    }
    is_closed_name(entry.file_name()) || ENVIRONMENT_MARKS.iter().any(|mark| entry.path().join(mark).exists())
}

impl Walked {
    fn add(&mut self, root: &Path, entry: Result<DirEntry, ignore::Error>) {
        match entry {
            Ok(entry) => self.add_entry(root, &entry),
            Err(error) => {
                if let Some(path) = path_of(&error) {
                    self.skip(relative(root, path).1);
                }
            }
        }
    }

    fn add_entry(&mut self, root: &Path, entry: &DirEntry) {
        let Some(kind) = entry.file_type() else { return };
        if kind.is_dir() {
            return self.folders.push(relative(root, entry.path()).1);
        }
        if kind.is_symlink() {
            return;
        }
        let (is_exact, path) = relative(root, entry.path());
        let known = core_api::is_known(&path);
        let manifest = manifests::is_manifest(&path);
        if !known && !manifest {
            *self.other_suffixes.entry(suffix(&path)).or_default() += 1;
            return;
        }
        // Pipes and devices would block a reader for ever.
        let metadata = if kind.is_file() && is_exact { entry.metadata().ok() } else { None };
        let Some(metadata) = metadata else { return self.skip(path) };
        let mtime_ns = metadata.modified().map_or(0, nanoseconds);
        let found = Found { path, size: metadata.len(), mtime_ns, mark: Mark::of(&metadata) };
        if manifest {
            self.manifests.push(found.clone());
        }
        if known {
            self.sources.push(found);
        }
    }

    fn skip(&mut self, path: String) {
        self.skipped.push(Skipped { path, reason: Reason::Unreadable });
    }
}

/// A file's time as the index keeps it.
pub fn nanoseconds(time: std::time::SystemTime) -> i64 {
    match time.duration_since(UNIX_EPOCH) {
        Ok(after) => after.as_nanos() as i64,
        Err(before) => -(before.duration().as_nanos() as i64),
    }
}

/// The path from the root with `/`, and whether it is the file's own name and not an approximation.
fn relative(root: &Path, path: &Path) -> (bool, String) {
    let path = path.strip_prefix(root).unwrap_or(path);
    let exact = path.to_str();
    let text = exact.map_or_else(|| path.to_string_lossy().into_owned(), str::to_owned);
    let text = if std::path::MAIN_SEPARATOR == '/' { text } else { text.replace(std::path::MAIN_SEPARATOR, "/") };
    (exact.is_some(), text)
}

fn suffix(path: &str) -> String {
    let name = path.rsplit('/').next().unwrap_or(path);
    match name.rfind('.') {
        Some(at) if at > 0 && at + 1 < name.len() => name[at..].to_owned(),
        _ => String::new(),
    }
}

fn path_of(error: &ignore::Error) -> Option<&Path> {
    match error {
        ignore::Error::WithPath { path, .. } => Some(path),
        ignore::Error::WithDepth { err, .. } | ignore::Error::WithLineNumber { err, .. } => path_of(err),
        _ => None,
    }
}
