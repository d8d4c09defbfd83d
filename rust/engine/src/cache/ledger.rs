//! Which content a file had when it was last read, so that one that nobody touched since need not be read again.
//!
//! A file is taken for untouched if its size, both its times and its number are as they were, and if it was old when it
//! was read: times have a grain, and a file that was changed within it may be changed again without a trace. Programs can
//! set a file's time of modification but not that of its last change. What "old" means is told by the clock of the file
//! system, not of this machine.

use crate::core_api::{self, Language};
use crate::facts::FileRecord;
use crate::walk::{nanoseconds, Found, Mark};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// No file system keeps times more coarsely than this, of those on which the times of changes are kept at all.
const GRAIN_NS: i64 = 20_000_000;

const STAMP: &str = env!("MMCG_FACTS_STAMP");
const NAME: &str = "ledger";

/// What is known of the files of a root.
#[derive(Debug)]
pub struct Ledger {
    path: PathBuf,
    rows: FxHashMap<String, Row>,
    languages: FxHashMap<&'static str, &'static Language>,
    /// When this run began, by the clock of the file system; nothing that is younger is written down.
    begun_ns: Option<i64>,
}

#[derive(Serialize, Deserialize, Debug, PartialEq, Eq)]
struct Row {
    size: u64,
    mtime_ns: i64,
    mark: Mark,
    hash: String,
    language: String,
}

#[derive(Serialize, Deserialize)]
struct Page {
    stamp: String,
    /// Which languages there were: another one may claim a file.
    languages: Vec<String>,
    rows: Vec<(String, Row)>,
}

impl Ledger {
    /// Reads what an earlier run wrote; nothing is known if that cannot be read.
    pub fn open(folder: &Path) -> Self {
        let path = folder.join(NAME);
        let languages = core_api::languages().map(|language| (language.name, language)).collect();
        let rows = read(&path, &languages).unwrap_or_default();
        let begun_ns = clock(&path).ok();
        Self { path, rows, languages, begun_ns }
    }

    /// The hash and language of a file that is as it was.
    pub fn unread(&self, found: &Found) -> Option<(&str, &'static Language)> {
        let row = self.rows.get(&found.path)?;
        let same = row.size == found.size && row.mtime_ns == found.mtime_ns && row.mark == found.mark;
        let language = self.languages.get(row.language.as_str())?;
        (same && found.mark.ctime_ns != 0).then_some((row.hash.as_str(), *language))
    }

    /// Writes down what was read in this run, in place of what was known.
    pub fn save(&self, records: &[&FileRecord]) -> io::Result<()> {
        let Some(begun_ns) = self.begun_ns else { return Ok(()) };
        let old = |record: &&&FileRecord| record.mtime_ns.max(record.mark.ctime_ns) < begun_ns - GRAIN_NS;
        let rows: Vec<(String, Row)> =
            records.iter().filter(old).map(|record| (record.path.clone(), row(record))).collect();
        if rows.len() == self.rows.len() && rows.iter().all(|(path, row)| self.rows.get(path) == Some(row)) {
            return Ok(());
        }
        let page = Page { stamp: STAMP.to_owned(), languages: names(&self.languages), rows };
        let bytes = postcard::to_stdvec(&page).map_err(io::Error::other)?;
        let mut file = File::create(self.unfinished())?;
        file.write_all(&bytes)?;
        file.write_all(blake3::hash(&bytes).as_bytes())?;
        drop(file);
        fs::rename(self.unfinished(), &self.path)
    }

    fn unfinished(&self) -> PathBuf {
        self.path.with_extension("part")
    }
}

fn row(record: &FileRecord) -> Row {
    Row {
        size: record.size,
        mtime_ns: record.mtime_ns,
        mark: record.mark,
        hash: record.hash.clone(),
        language: record.language.name.to_owned(),
    }
}

fn read(path: &Path, languages: &FxHashMap<&'static str, &'static Language>) -> Option<FxHashMap<String, Row>> {
    let bytes = fs::read(path).ok()?;
    let (bytes, checksum) = bytes.split_last_chunk::<32>()?;
    if blake3::hash(bytes).as_bytes() != checksum {
        return None;
    }
    let page: Page = postcard::from_bytes(bytes).ok()?;
    (page.stamp == STAMP && page.languages == names(languages)).then(|| page.rows.into_iter().collect())
}

fn names(languages: &FxHashMap<&'static str, &'static Language>) -> Vec<String> {
    let mut names: Vec<String> = languages.keys().map(|name| (*name).to_owned()).collect();
    names.sort_unstable();
    names
}

/// Now, as the file system sees it that holds the ledger.
fn clock(ledger: &Path) -> io::Result<i64> {
    let path = ledger.with_extension("clock");
    fs::create_dir_all(ledger.parent().unwrap_or(ledger))?;
    let file = File::create(&path)?;
    let now = file.metadata()?.modified().map(nanoseconds);
    drop(file);
    fs::remove_file(&path)?;
    now
}
