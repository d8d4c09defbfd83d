//! Long work beside the interpreter: it runs on a thread of its own while this one listens for signals.

use crate::errors::{to_python, CoreError};
use mmcg_engine::{guard, Error};
use pyo3::prelude::*;
use std::sync::mpsc::{sync_channel, RecvTimeoutError, SyncSender};
use std::time::{Duration, Instant};

/// How often signals are looked for and progress is told; a result is never kept waiting.
const TICK: Duration = Duration::from_millis(50);

/// What the work hands over on its way may wait so long in a row.
const WAITING: usize = 16;

enum Message<P, T> {
    Part(P),
    Done(Result<Result<T, Error>, String>),
}

/// How the work hands over parts of its result.
pub struct Sender<P, T>(SyncSender<Message<P, T>>);

impl<P, T> Sender<P, T> {
    /// Hands over a part; it is dropped if nobody is there any more.
    pub fn give(&self, part: P) {
        let _ = self.0.send(Message::Part(part));
    }
}

/// Runs `work`, calling `tick` now and then, and `take` with each part that it hands over. If one of these fails, or a
/// signal's handler raises, the work is left to end by itself and its result is dropped.
pub fn run<P: Send + 'static, T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce(&Sender<P, T>) -> Result<T, Error> + Send + 'static,
    mut take: impl FnMut(P) -> PyResult<()>,
    mut tick: impl FnMut() -> PyResult<()>,
) -> PyResult<T> {
    let (sender, mut receiver) = sync_channel(WAITING);
    std::thread::Builder::new()
        .name("mmcg-run".to_owned())
        .spawn(move || {
            let sender = Sender(sender);
            let result = guard::guarded(|| work(&sender));
            // Nobody may be there any more.
            let _ = sender.0.send(Message::Done(result));
        })
        .map_err(|error| CoreError::new_err(format!("cannot start a thread: {error}")))?;
    let mut ticked = Instant::now();
    loop {
        let (back, received) = py.detach(move || {
            let received = receiver.recv_timeout(TICK);
            (receiver, received)
        });
        receiver = back;
        match received {
            Ok(Message::Part(part)) => take(part)?,
            Ok(Message::Done(Ok(result))) => return result.map_err(to_python),
            Ok(Message::Done(Err(message))) => return Err(to_python(Error::Internal(message))),
            Err(RecvTimeoutError::Disconnected) => return Err(CoreError::new_err("the worker thread is gone")),
            Err(RecvTimeoutError::Timeout) => {}
        }
        if ticked.elapsed() >= TICK {
            ticked = Instant::now();
            py.check_signals()?;
            tick()?;
        }
    }
}
