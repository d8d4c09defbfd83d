//! Indexing what is not on disk: a tree's paths are chosen, then its files are handed over in parts.

use crate::errors::{to_python, CoreError};
use crate::index::IndexRun;
use crate::jobs;
use mmcg_engine::cache::{DiskCache, FactsCache, NoCache};
use mmcg_engine::select::{self as selection, IgnoreFile, Rank};
use mmcg_engine::Options;
use pyo3::prelude::*;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

/// Of all paths of a tree those that an index reads. `ignores` are folder, kind (`own`, `git` or `exclude`) and text
/// of each ignore file.
#[pyfunction]
pub fn select(
    py: Python<'_>,
    root: PathBuf,
    paths: Vec<String>,
    ignores: Vec<(PathBuf, String, String)>,
) -> PyResult<Vec<String>> {
    let files: Vec<IgnoreFile> = ignores
        .into_iter()
        .map(|(folder, kind, text)| {
            let rank = match kind.as_str() {
                "own" => Rank::Own,
                "git" => Rank::Git,
                "exclude" => Rank::Exclude,
                _ => return Err(CoreError::new_err(format!("no kind of ignore file is called `{kind}`"))),
            };
            Ok(IgnoreFile { folder, rank, text })
        })
        .collect::<PyResult<_>>()?;
    Ok(py.detach(|| selection::select(&root, paths, &files)))
}

/// Work that hands over its result alone.
type Alone<T> = jobs::Sender<(), T>;

/// Files handed over so far.
#[pyclass(frozen, module = "mmcg._core")]
pub struct Gathering {
    inner: Mutex<Option<mmcg_engine::Gathering>>,
}

#[pymethods]
impl Gathering {
    /// Nothing yet. `cache` is the folder of facts that `index` uses.
    #[new]
    #[pyo3(signature = (*, jobs = None, cache = None))]
    fn new(jobs: Option<usize>, cache: Option<PathBuf>) -> PyResult<Self> {
        let threads = Options { root: PathBuf::new(), jobs }.threads();
        let cache: Box<dyn FactsCache + Send> = match cache {
            Some(folder) => Box::new(DiskCache::guest(folder)),
            None => Box::new(NoCache),
        };
        let inner = mmcg_engine::Gathering::new(threads, cache).map_err(to_python)?;
        Ok(Self { inner: Mutex::new(Some(inner)) })
    }

    /// Takes more files: paths from the root with `/`, and bytes.
    fn add(&self, py: Python<'_>, files: Vec<(String, Vec<u8>)>) -> PyResult<()> {
        let mut gathering = self.take()?;
        let gathering = jobs::run(py, move |_: &Alone<_>| gathering.add(files).map(|()| gathering), Ok, || Ok(()))?;
        *self.inner.lock().unwrap_or_else(PoisonError::into_inner) = Some(gathering);
        Ok(())
    }

    /// The graph of all files; nothing more can be added.
    fn finish(&self, py: Python<'_>) -> PyResult<IndexRun> {
        let gathering = self.take()?;
        let run = jobs::run(py, move |_: &Alone<_>| gathering.finish(), Ok, || Ok(()))?;
        IndexRun::new(py, run)
    }
}

impl Gathering {
    fn take(&self) -> PyResult<mmcg_engine::Gathering> {
        let taken = self.inner.lock().unwrap_or_else(PoisonError::into_inner).take();
        taken.ok_or_else(|| CoreError::new_err("the gathering is finished"))
    }
}
