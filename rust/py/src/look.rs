//! What one walk of a folder found.

use crate::errors::to_python;
use mmcg_engine::{scan, Options};
use pyo3::prelude::*;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

/// The files that an index of a folder would be made of, as they were at one time.
#[pyclass(frozen, module = "mmcg._core")]
pub struct Look(pub Arc<scan::Look>);

#[pymethods]
impl Look {
    /// A text that differs if the folder has changed.
    #[getter]
    fn fingerprint(&self) -> String {
        self.0.fingerprint()
    }

    /// When a file was last changed, in nanoseconds since 1970.
    #[getter]
    fn latest_ns(&self) -> i64 {
        self.0.latest_ns()
    }

    /// The folders that were looked into, from the root.
    #[getter]
    fn folders(&self) -> Vec<String> {
        self.0.walked.folders.clone()
    }

    /// Path, size and time of change of the files, in path order.
    fn files(&self) -> Vec<(String, u64, i64)> {
        self.0.walked.sources.iter().map(|file| (file.path.clone(), file.size, file.mtime_ns)).collect()
    }

    /// How many files are of languages without a parser at hand.
    fn missing(&self) -> BTreeMap<String, usize> {
        self.0.missing()
    }
}

/// Walks a folder and opens nothing but ignore files.
#[pyfunction]
pub fn look(py: Python<'_>, root: PathBuf) -> PyResult<Look> {
    let threads = Options::new(&root).threads();
    py.detach(|| scan::Look::at(&root, threads)).map(|found| Look(Arc::new(found))).map_err(to_python)
}
