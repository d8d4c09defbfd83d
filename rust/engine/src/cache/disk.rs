//! Facts in a folder. Each run adds one segment with what it extracted; now and then all are joined into one, without
//! the facts of files that are gone. Segments are never changed, and appear under their names when they are whole, so
//! a killed run and two runs at a time do no harm.

use super::ledger::Ledger;
use super::segment::{BlobKey, Entry, Segment, Writer};
use super::{FactsCache, Key};
use crate::core_api::Language;
use crate::facts::FileRecord;
use crate::walk::Found;
use mmcg_facts::FileFacts;
use rustc_hash::{FxHashMap, FxHashSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

const SUFFIX: &str = "facts";
const UNFINISHED_SUFFIX: &str = "part";

/// So many segments are joined into one.
const MAX_SEGMENTS: usize = 8;

/// With so many, a run is wanted that joins them.
const MAX_KEPT: usize = 24;

/// An unfinished segment of this age was left by a run that died.
const ABANDONED: Duration = Duration::from_secs(24 * 60 * 60);

/// A folder of facts.
#[derive(Debug)]
pub struct DiskCache {
    folder: PathBuf,
    ledger: Ledger,
    segments: Vec<Segment>,
    /// Files in the folder that this build cannot read.
    foreign: Vec<PathBuf>,
    known: FxHashMap<BlobKey, (usize, Entry)>,
    used: Mutex<FxHashSet<BlobKey>>,
    writer: Mutex<State>,
    /// Whether what this run did not use stays, because the folder is another tree's.
    guest: bool,
}

#[derive(Debug)]
enum State {
    Nothing,
    Writing(Writer),
    /// The folder cannot be written; the reason is told when the run saves.
    Failed(io::Error),
}

impl DiskCache {
    /// Opens a folder; what cannot be read is as good as not there.
    pub fn open(folder: impl Into<PathBuf>) -> Self {
        let folder = folder.into();
        let mut cache = Self {
            ledger: Ledger::open(&folder),
            folder,
            segments: Vec::new(),
            foreign: Vec::new(),
            known: FxHashMap::default(),
            used: Mutex::default(),
            writer: Mutex::new(State::Nothing),
            guest: false,
        };
        let mut paths: Vec<PathBuf> =
            fs::read_dir(&cache.folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
        paths.sort();
        for path in paths {
            match path.extension().and_then(|suffix| suffix.to_str()) {
                Some(SUFFIX) => cache.add(&path),
                Some(UNFINISHED_SUFFIX) if is_abandoned(&path) => cache.foreign.push(path),
                _ => {}
            }
        }
        cache
    }

    /// Opens another tree's folder: facts are found and added there, and none are thrown away.
    pub fn guest(folder: impl Into<PathBuf>) -> Self {
        Self { guest: true, ..Self::open(folder) }
    }

    fn add(&mut self, path: &Path) {
        match Segment::open(path) {
            Ok((segment, entries)) => {
                let index = self.segments.len();
                self.segments.push(segment);
                self.known.extend(entries.into_iter().map(|entry| (entry.key, (index, entry))));
            }
            Err(_) => self.foreign.push(path.to_owned()),
        }
    }

    fn blob(&self, key: &BlobKey) -> Option<Vec<u8>> {
        let (segment, entry) = self.known.get(key)?;
        self.segments[*segment].blob(entry)
    }

    fn create(&self) -> io::Result<Writer> {
        fs::create_dir_all(&self.folder)?;
        Writer::create(self.folder.join(format!("{}.{UNFINISHED_SUFFIX}", unique_name())))
    }

    /// The segment of this run, if anything was put.
    fn written(&self) -> io::Result<Option<Writer>> {
        match std::mem::replace(&mut *lock(&self.writer), State::Nothing) {
            State::Failed(error) => Err(error),
            State::Writing(writer) => Ok(Some(writer)),
            State::Nothing => Ok(None),
        }
    }

    fn finish(&self, writer: Writer) -> io::Result<()> {
        writer.finish(&self.folder.join(format!("{}.{SUFFIX}", unique_name())))
    }

    /// Whether most of what is kept, or too many segments, should go.
    fn is_worn(&self, used: &FxHashSet<BlobKey>) -> bool {
        let dead = self.known.keys().filter(|key| !used.contains(*key)).count();
        self.segments.len() >= MAX_SEGMENTS || dead > used.len().max(64)
    }
}

impl FactsCache for DiskCache {
    fn get(&self, key: Key<'_>) -> Option<FileFacts> {
        let key = blob_key(key);
        let facts = postcard::from_bytes(&self.blob(&key)?).ok()?;
        lock(&self.used).insert(key);
        Some(facts)
    }

    fn put(&self, key: Key<'_>, facts: &FileFacts) {
        let Ok(blob) = postcard::to_stdvec(facts) else { return };
        let mut state = lock(&self.writer);
        if matches!(*state, State::Nothing) {
            *state = self.create().map_or_else(State::Failed, State::Writing);
        }
        if let State::Writing(writer) = &mut *state {
            if let Err(error) = writer.add(blob_key(key), &blob) {
                *state = State::Failed(error);
            }
        }
    }

    fn unread(&self, found: &Found) -> Option<(&str, &'static Language)> {
        self.ledger.unread(found)
    }

    fn note(&self, records: &[&FileRecord]) -> io::Result<()> {
        self.ledger.save(records)
    }

    fn keep(&self) -> io::Result<()> {
        match self.written()? {
            Some(writer) => self.finish(writer),
            None => Ok(()),
        }
    }

    fn is_full(&self) -> bool {
        self.segments.len() >= MAX_KEPT
    }

    fn save(&self) -> io::Result<()> {
        let used = lock(&self.used);
        let mut writer = self.written()?;
        let worn = !self.guest && self.is_worn(&used);
        if worn {
            let mut joined = writer.map_or_else(|| self.create(), Ok)?;
            let mut keys: Vec<&BlobKey> = used.iter().collect();
            keys.sort_unstable();
            for key in keys {
                if let Some(blob) = self.blob(key) {
                    joined.add(*key, &blob)?;
                }
            }
            writer = Some(joined);
        }
        if let Some(writer) = writer {
            self.finish(writer)?;
        }
        let old = if worn { self.segments.as_slice() } else { &[] };
        for path in old.iter().map(|segment| &segment.path).chain(&self.foreign) {
            // Where an open file cannot be removed, a later run does it.
            let _ = fs::remove_file(path);
        }
        Ok(())
    }
}

fn blob_key(key: Key<'_>) -> BlobKey {
    let mut hasher = blake3::Hasher::new();
    hasher.update(key.hash.as_bytes());
    hasher.update(&[0]);
    hasher.update(key.language.as_bytes());
    let mut short = BlobKey::default();
    short.copy_from_slice(&hasher.finalize().as_bytes()[..16]);
    short
}

/// A name that no other run uses: time, process, count.
fn unique_name() -> String {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_nanos();
    format!("{now:020}-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed))
}

fn is_abandoned(path: &Path) -> bool {
    let modified = fs::metadata(path).and_then(|metadata| metadata.modified());
    modified.ok().and_then(|time| time.elapsed().ok()).is_some_and(|age| age > ABANDONED)
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
