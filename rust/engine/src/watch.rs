//! Native events about the files that a walk finds. What happens elsewhere wakes nobody.
//!
//! Where the system watches one folder at a time, those of the walk are watched and no others: neither ignored trees nor
//! `node_modules` use up what a user may watch. A watch is for one list of folders; when a folder came or went, a new
//! watch takes its place. What happens in between is found by looking again afterwards.

use crate::core_api;
use crate::manifests;
use crate::walk::{is_closed_name, is_ignore_file, outer_folders};
use notify::event::{EventKind, ModifyKind};
use notify::{Event, RecommendedWatcher, RecursiveMode, Watcher};
use rustc_hash::FxHashSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Where one call watches a whole tree. Elsewhere each folder is watched by itself.
const WHOLE_TREES: bool = cfg!(any(target_os = "macos", target_os = "windows"));

/// More events than a few saved files cause are a burst, such as another branch: its pauses are longer, by this factor.
const BURST: u32 = 50;
const BURST_PAUSES: u32 = 5;

/// Why a folder cannot be watched.
#[derive(Debug, PartialEq, Eq)]
pub enum Failure {
    /// The system watches no more folders for this user.
    Limit,
    /// Its message.
    Other(String),
}

/// What happened since it was last asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Seen {
    /// A file changed, came or went.
    pub files: bool,
    /// Another set of folders may have to be watched.
    pub folders: bool,
    /// Somebody asked to be woken.
    pub woken: bool,
}

impl Seen {
    fn any(self) -> bool {
        self.files || self.folders || self.woken
    }
}

#[derive(Debug, Default)]
struct State {
    seen: Seen,
    first: Option<Instant>,
    last: Option<Instant>,
    events: u32,
}

#[derive(Debug, Default)]
struct Bell {
    state: Mutex<State>,
    rung: Condvar,
}

impl Bell {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn ring(&self, seen: Seen) {
        if !seen.any() {
            return;
        }
        let mut state = self.lock();
        state.seen.files |= seen.files;
        state.seen.folders |= seen.folders;
        state.seen.woken |= seen.woken;
        let now = Instant::now();
        state.first.get_or_insert(now);
        state.last = Some(now);
        state.events = state.events.saturating_add(1);
        self.rung.notify_all();
    }
}

/// Watches the folders of one walk.
#[derive(Debug)]
pub struct Watch {
    bell: Arc<Bell>,
    _native: RecommendedWatcher,
}

impl Watch {
    /// Watches folders below a canonical root, given from there. Folders that are gone are left out.
    pub fn new(root: &Path, folders: &[String]) -> Result<Self, Failure> {
        let bell = Arc::new(Bell::default());
        let judge = Judge { root: root.to_owned(), folders: folders.iter().map(|folder| root.join(folder)).collect() };
        let ring = Arc::clone(&bell);
        let mut native = notify::recommended_watcher(move |event| ring.ring(judge.seen(event))).map_err(failure)?;
        if WHOLE_TREES {
            native.watch(root, RecursiveMode::Recursive).map_err(failure)?;
        } else {
            for folder in folders {
                // Joining nothing would leave a slash at the end, by which the root is not known again.
                let folder = if folder.is_empty() { root.to_owned() } else { root.join(folder) };
                watch(&mut native, &folder)?;
            }
        }
        for folder in outer_folders(root) {
            watch(&mut native, &folder)?;
        }
        Ok(Self { bell, _native: native })
    }

    /// Waits until something happened and then nothing more for `quiet`, or something went on for `longest`; gives up
    /// after `timeout`. Being woken ends it at once.
    pub fn wait(&self, timeout: Option<Duration>, quiet: Duration, longest: Duration) -> Seen {
        let until = timeout.map(|timeout| Instant::now() + timeout);
        let mut state = self.bell.lock();
        loop {
            let now = Instant::now();
            let ready = match (state.first, state.last) {
                _ if state.seen.woken => Some(now),
                (Some(first), Some(last)) => {
                    let quiet = if state.events > BURST { quiet * BURST_PAUSES } else { quiet };
                    Some((last + quiet).min(first + longest))
                }
                _ => None,
            };
            let next = match (ready, until) {
                (Some(at), _) if at <= now => return std::mem::take(&mut *state).seen,
                (Some(at), _) => Some(at),
                (None, Some(until)) if until <= now => return Seen::default(),
                (None, until) => until,
            };
            state = match next {
                Some(at) => {
                    let waited = self.bell.rung.wait_timeout(state, at.saturating_duration_since(now));
                    waited.unwrap_or_else(PoisonError::into_inner).0
                }
                None => self.bell.rung.wait(state).unwrap_or_else(PoisonError::into_inner),
            };
        }
    }

    /// Ends a wait, or the next one.
    pub fn wake(&self) {
        self.bell.ring(Seen { woken: true, ..Seen::default() });
    }
}

fn watch(native: &mut RecommendedWatcher, folder: &Path) -> Result<(), Failure> {
    match native.watch(folder, RecursiveMode::NonRecursive) {
        Err(error) if matches!(error.kind, notify::ErrorKind::PathNotFound) => Ok(()),
        // Its parent tells when that changes.
        Err(error) if io_kind(&error) == Some(std::io::ErrorKind::PermissionDenied) => Ok(()),
        Err(error) if io_kind(&error) == Some(std::io::ErrorKind::NotFound) => Ok(()),
        Err(error) => Err(failure(error)),
        Ok(()) => Ok(()),
    }
}

fn io_kind(error: &notify::Error) -> Option<std::io::ErrorKind> {
    match &error.kind {
        notify::ErrorKind::Io(error) => Some(error.kind()),
        _ => None,
    }
}

fn failure(error: notify::Error) -> Failure {
    match error.kind {
        notify::ErrorKind::MaxFilesWatch => Failure::Limit,
        notify::ErrorKind::Io(error) => Failure::Other(error.to_string()),
        _ => Failure::Other(error.to_string()),
    }
}

/// Tells events that may change the index from others.
struct Judge {
    root: PathBuf,
    folders: FxHashSet<PathBuf>,
}

impl Judge {
    fn seen(&self, event: notify::Result<Event>) -> Seen {
        let all = Seen { files: true, folders: true, woken: false };
        let Ok(event) = event else { return all };
        // The system lost events.
        if event.need_rescan() {
            return all;
        }
        if matches!(event.kind, EventKind::Access(_)) {
            return Seen::default();
        }
        let mut seen = Seen::default();
        for path in &event.paths {
            let (files, folders) = self.judge(path, event.kind);
            seen.files |= files;
            seen.folders |= folders;
        }
        seen
    }

    /// Whether a path matters as a file, and whether it matters for the set of folders.
    fn judge(&self, path: &Path, kind: EventKind) -> (bool, bool) {
        let Some(name) = path.file_name() else { return (true, true) };
        if is_ignore_file(name) {
            return (true, true);
        }
        let Ok(inside) = path.strip_prefix(&self.root) else { return (false, false) };
        if inside.iter().any(is_closed_name) {
            return (false, false);
        }
        // One that is gone was a folder if it was watched; one that came can be looked at.
        let came = matches!(kind, EventKind::Modify(ModifyKind::Name(_)) | EventKind::Create(_));
        let rights = matches!(kind, EventKind::Modify(ModifyKind::Metadata(_)));
        let is_folder = || path.symlink_metadata().is_ok_and(|metadata| metadata.is_dir());
        if (came && is_folder()) || (self.folders.contains(path) && (rights || !is_folder())) {
            return (true, true);
        }
        let name = name.to_string_lossy();
        (core_api::is_known(&name) || manifests::is_manifest(&name), false)
    }
}
