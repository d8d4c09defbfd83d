//! Native events of the file system.

use crate::errors::CoreError;
use crate::look::Look;
use mmcg_engine::watch;
use pyo3::prelude::*;
use std::time::Duration;

pyo3::create_exception!(mmcg._core, WatchLimitError, CoreError, "The system watches no more folders for this user.");

/// Watches the folders that a walk found.
#[pyclass(frozen, module = "mmcg._core")]
pub struct Watch(watch::Watch);

#[pymethods]
impl Watch {
    #[new]
    fn new(py: Python<'_>, look: &Look) -> PyResult<Self> {
        let found = &look.0;
        py.detach(|| watch::Watch::new(&found.root, &found.walked.folders)).map(Self).map_err(|failure| match failure {
            watch::Failure::Limit => WatchLimitError::new_err("the limit of watched folders is reached"),
            watch::Failure::Other(message) => CoreError::new_err(message),
        })
    }

    /// Waits without holding up the interpreter; times are in seconds. What happened: whether files changed, and whether
    /// the folders to watch may have.
    fn wait(&self, py: Python<'_>, timeout: Option<f64>, quiet: f64, longest: f64) -> (bool, bool) {
        let time = |seconds: f64| Duration::try_from_secs_f64(seconds).unwrap_or_default();
        let seen = py.detach(|| self.0.wait(timeout.map(time), time(quiet), time(longest)));
        (seen.files, seen.folders)
    }

    /// Ends a wait, or the next one.
    fn wake(&self) {
        self.0.wake();
    }
}
