//! Long work beside the interpreter: it runs on a thread of its own while this one listens for signals.

use crate::errors::{to_python, CoreError};
use mmcg_engine::{guard, Error};
use pyo3::prelude::*;
use std::sync::mpsc::{channel, RecvTimeoutError};
use std::time::Duration;

/// How often signals are looked for and progress is told; a result is never kept waiting.
const TICK: Duration = Duration::from_millis(50);

/// Runs `work`, calling `tick` now and then. If that fails, or a signal's handler raises, the work is left to end by
/// itself and its result is dropped.
pub fn run<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce() -> Result<T, Error> + Send + 'static,
    mut tick: impl FnMut() -> PyResult<()>,
) -> PyResult<T> {
    let (sender, mut receiver) = channel();
    std::thread::Builder::new()
        .name("mmcg-run".to_owned())
        .spawn(move || {
            // Nobody may be there any more.
            let _ = sender.send(guard::guarded(work));
        })
        .map_err(|error| CoreError::new_err(format!("cannot start a thread: {error}")))?;
    loop {
        let (back, received) = py.detach(move || {
            let received = receiver.recv_timeout(TICK);
            (receiver, received)
        });
        receiver = back;
        match received {
            Ok(Ok(result)) => return result.map_err(to_python),
            Ok(Err(message)) => return Err(to_python(Error::Internal(message))),
            Err(RecvTimeoutError::Disconnected) => return Err(CoreError::new_err("the worker thread is gone")),
            Err(RecvTimeoutError::Timeout) => {
                py.check_signals()?;
                tick()?;
            }
        }
    }
}
