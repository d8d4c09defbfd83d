//! `index` and what it returns.

use crate::arrow::ArrowTable;
use crate::jobs;
use mmcg_engine::cache::{DiskCache, FactsCache, NoCache};
use mmcg_engine::summary::Summary;
use mmcg_engine::{Options, Progress, Run};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use std::path::PathBuf;
use std::sync::Arc;

/// A finished run.
#[pyclass(frozen, module = "mmcg._core")]
pub struct IndexRun {
    summary: Py<PyDict>,
    tables: Py<PyDict>,
}

#[pymethods]
impl IndexRun {
    /// Numbers and messages of the run.
    #[getter]
    fn summary<'py>(&self, py: Python<'py>) -> Bound<'py, PyDict> {
        self.summary.bind(py).clone()
    }

    /// The tables by name.
    fn tables<'py>(&self, py: Python<'py>) -> Bound<'py, PyDict> {
        self.tables.bind(py).clone()
    }
}

/// Indexes a folder. `progress` is called with the numbers of done and of all files, at most twenty times a second.
/// An exception that it raises, or a signal's handler, ends the run. `cache` is a folder in which facts of unchanged
/// files are kept from run to run.
#[pyfunction]
#[pyo3(signature = (root, *, jobs = None, progress = None, cache = None))]
pub fn index(
    py: Python<'_>,
    root: PathBuf,
    jobs: Option<usize>,
    progress: Option<Py<PyAny>>,
    cache: Option<PathBuf>,
) -> PyResult<IndexRun> {
    let options = Options { root, jobs };
    let state = Arc::new(Progress::default());
    let shared = Arc::clone(&state);
    let mut told = (0, 0);
    let mut tell = || {
        let now = state.now();
        match &progress {
            Some(progress) if now != told => {
                told = now;
                progress.call1(py, now).map(drop)
            }
            _ => Ok(()),
        }
    };
    let work = move || {
        let cache: Box<dyn FactsCache> = match cache {
            Some(folder) => Box::new(DiskCache::open(folder)),
            None => Box::new(NoCache),
        };
        mmcg_engine::index(&options, &*cache, &shared)
    };
    let run = jobs::run(py, work, &mut tell).inspect_err(|_| state.cancel())?;
    tell()?;
    IndexRun::new(py, run)
}

impl IndexRun {
    pub(crate) fn new(py: Python<'_>, run: Run) -> PyResult<Self> {
        let tables = PyDict::new(py);
        for table in run.tables {
            tables.set_item(table.name, Py::new(py, ArrowTable::from(table))?)?;
        }
        Ok(Self { summary: summary(py, &run.summary)?.unbind(), tables: tables.unbind() })
    }
}

fn summary<'py>(py: Python<'py>, summary: &Summary) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("root", &summary.root)?;
    dict.set_item("fingerprint", &summary.fingerprint)?;
    dict.set_item("files", summary.files)?;
    dict.set_item("parsed", summary.parsed)?;
    dict.set_item("reused", summary.reused)?;
    dict.set_item("symbols", summary.symbols)?;
    dict.set_item("call_sites", summary.call_sites)?;
    dict.set_item("edges", pairs(py, &summary.edges)?)?;
    dict.set_item("languages", &summary.languages)?;
    dict.set_item("missing", &summary.missing)?;
    let skipped = PyList::empty(py);
    for file in &summary.skipped {
        let row = PyDict::new(py);
        row.set_item("path", &file.path)?;
        row.set_item("reason", file.reason.as_str())?;
        skipped.append(row)?;
    }
    dict.set_item("skipped", skipped)?;
    let problems = PyList::empty(py);
    for (path, problem) in &summary.problems {
        let row = PyDict::new(py);
        row.set_item("path", path)?;
        row.set_item("code", problem.code.as_str())?;
        row.set_item("line", problem.line)?;
        row.set_item("message", &problem.message)?;
        problems.append(row)?;
    }
    dict.set_item("problems", problems)?;
    dict.set_item("notices", &summary.notices)?;
    dict.set_item("seconds", summary.seconds)?;
    dict.set_item("timings", pairs(py, &summary.timings)?)?;
    Ok(dict)
}

fn pairs<'py, T>(py: Python<'py>, pairs: &[(&'static str, T)]) -> PyResult<Bound<'py, PyDict>>
where
    T: Copy + IntoPyObject<'py>,
{
    let dict = PyDict::new(py);
    for (key, value) in pairs {
        dict.set_item(*key, *value)?;
    }
    Ok(dict)
}
