//! A pool of workers with deep stacks that share a list of files, the largest first.

use crate::error::Error;
use crate::options::WORKER_STACK_BYTES;
use crate::progress::Progress;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::sync::atomic::{AtomicUsize, Ordering};

/// A pool of `threads` workers.
pub fn pool(threads: usize) -> Result<ThreadPool, Error> {
    ThreadPoolBuilder::new()
        .num_threads(threads)
        .stack_size(WORKER_STACK_BYTES)
        .thread_name(|index| format!("mmcg-{index}"))
        .build()
        .map_err(|error| Error::Internal(format!("cannot start {threads} threads: {error}")))
}

/// Runs `work` on every file with a state of its own in each thread. Results are in the order of `files`, whatever
/// the threads do. `size` tells the large ones.
pub fn for_each_file<F: Sync, S, T: Send>(
    pool: &ThreadPool,
    files: &[F],
    size: impl Fn(&F) -> u64,
    progress: &Progress,
    state: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, &F) -> T + Sync,
) -> Result<Vec<T>, Error> {
    // A large file that comes last would leave the other threads idle.
    let mut order: Vec<usize> = (0..files.len()).collect();
    order.sort_by_key(|&index| std::cmp::Reverse(size(&files[index])));
    let next = AtomicUsize::new(0);
    let parts = pool.broadcast(|_| {
        let mut state = state();
        let mut part = Vec::new();
        while let Some(&index) = order.get(next.fetch_add(1, Ordering::Relaxed)) {
            if progress.is_cancelled() {
                break;
            }
            part.push((index, work(&mut state, &files[index])));
            progress.step();
        }
        part
    });
    if progress.is_cancelled() {
        return Err(Error::Cancelled);
    }
    let mut slots: Vec<Option<T>> = files.iter().map(|_| None).collect();
    for (index, result) in parts.into_iter().flatten() {
        slots[index] = Some(result);
    }
    Ok(slots.into_iter().flatten().collect())
}
