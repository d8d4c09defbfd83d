//! `index` and what it returns.

use crate::arrow::ArrowTable;
use crate::{jobs, look};
use mmcg_engine::cache::{DiskCache, FactsCache, NoCache};
use mmcg_engine::layout::Before;
use mmcg_engine::run::{hand_over, Known, Outcome};
use mmcg_engine::scan::Look;
use mmcg_engine::summary::Summary;
use mmcg_engine::tables::Table;
use mmcg_engine::{Options, Progress, Run};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use std::path::PathBuf;
use std::sync::Arc;

/// A finished run.
#[pyclass(frozen, module = "mmcg._core")]
pub struct IndexRun {
    summary: Option<Py<PyDict>>,
    tables: Py<PyDict>,
    times: Vec<(String, i64)>,
    content: String,
    parsed: usize,
}

#[pymethods]
impl IndexRun {
    /// Numbers and messages of the run; nothing if all is as it was.
    #[getter]
    fn summary<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyDict>> {
        self.summary.as_ref().map(|summary| summary.bind(py).clone())
    }

    /// The tables by name, but for those that were handed over.
    fn tables<'py>(&self, py: Python<'py>) -> Bound<'py, PyDict> {
        self.tables.bind(py).clone()
    }

    /// What was read; the same as `Summary.content`.
    #[getter]
    fn content(&self) -> &str {
        &self.content
    }

    /// Files that were parsed.
    #[getter]
    fn parsed(&self) -> usize {
        self.parsed
    }

    /// If all edges are as they were: the files and their times.
    fn times(&self) -> Vec<(String, i64)> {
        self.times.clone()
    }
}

/// Indexes a folder, given as a path or as what a look at it found. `progress` is called with the numbers of done and of
/// all files, at most twenty times a second. An exception that it raises, or a signal's handler, ends the run. `cache` is
/// a folder in which facts of unchanged files are kept from run to run. `known` are `content` and files (path, hash,
/// language) of an earlier run: while all edges are as they were, nothing is resolved. `take` is called with each table, or
/// each part of a long one, as soon as it is there.
#[pyfunction]
#[pyo3(signature = (root, *, jobs = None, progress = None, cache = None, known = None, take = None))]
pub fn index(
    py: Python<'_>,
    root: Root<'_>,
    jobs: Option<usize>,
    progress: Option<Py<PyAny>>,
    cache: Option<PathBuf>,
    known: Option<(String, Vec<Before>)>,
    take: Option<Py<PyAny>>,
) -> PyResult<IndexRun> {
    let (look, root) = match root {
        Root::Look(look) => (Some(Arc::clone(&look.get().0)), look.get().0.root.clone()),
        Root::Path(path) => (None, path),
    };
    let threads = Options { root: root.clone(), jobs }.threads();
    let state = Arc::new(Progress::default());
    let shared = Arc::clone(&state);
    let mut tell = || match &progress {
        Some(progress) => progress.call1(py, state.now()).map(drop),
        None => Ok(()),
    };
    let mut kept = Vec::new();
    let take_table = |table: Table| match &take {
        Some(take) => take.call1(py, (table.name, Py::new(py, ArrowTable::from(table))?)).map(drop),
        None => {
            table.collect(&mut kept);
            Ok(())
        }
    };
    let known = known.map(|(content, files)| Known { content, files });
    let work = move |sender: &jobs::Sender<Table, Outcome>| {
        let cache: Box<dyn FactsCache> = match cache {
            Some(folder) => Box::new(DiskCache::open(folder)),
            None => Box::new(NoCache),
        };
        let look = match look {
            Some(look) => look,
            None => Arc::new(Look::at(&root, threads)?),
        };
        hand_over(&look, threads, &*cache, &shared, known.as_ref(), &mut |table| sender.give(table))
    };
    let outcome = jobs::run(py, work, take_table, &mut tell).inspect_err(|_| state.cancel())?;
    tell()?;
    let mut run = IndexRun::empty(py);
    match outcome {
        Outcome::Made(made) => {
            run.summary = Some(summary(py, &made)?.unbind());
            (run.content, run.parsed) = (made.content, made.parsed);
        }
        Outcome::Same(times) => run.times = times,
        Outcome::Relaid { content, parsed, times, relaid } => {
            kept = relaid.tables;
            (run.content, run.parsed, run.times) = (content, parsed, times);
        }
    }
    run.tables = by_name(py, kept)?;
    Ok(run)
}

impl IndexRun {
    fn empty(py: Python<'_>) -> Self {
        let tables = PyDict::new(py).unbind();
        Self { summary: None, tables, times: Vec::new(), content: String::new(), parsed: 0 }
    }

    /// A run whose tables are all here.
    pub(crate) fn new(py: Python<'_>, run: Run) -> PyResult<Self> {
        let summary = Some(summary(py, &run.summary)?.unbind());
        Ok(Self { summary, tables: by_name(py, run.tables)?, ..Self::empty(py) })
    }
}

fn by_name(py: Python<'_>, tables: Vec<Table>) -> PyResult<Py<PyDict>> {
    let dict = PyDict::new(py);
    for table in tables {
        dict.set_item(table.name, Py::new(py, ArrowTable::from(table))?)?;
    }
    Ok(dict.unbind())
}

/// What is to be indexed.
#[derive(FromPyObject)]
pub enum Root<'py> {
    /// A walk's findings.
    Look(Bound<'py, look::Look>),
    /// A folder.
    Path(PathBuf),
}

fn summary<'py>(py: Python<'py>, summary: &Summary) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("root", &summary.root)?;
    dict.set_item("fingerprint", &summary.fingerprint)?;
    dict.set_item("content", &summary.content)?;
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
