//! A panic in one file's extraction becomes a message; nothing is printed and the run goes on.

use std::cell::{Cell, RefCell};
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::{Mutex, Once, PoisonError};

/// Threads of the core have names that begin so: what they panic about is told by who waits for them.
pub const THREAD_PREFIX: &str = "mmcg-";

/// Where a thread of the core panicked that is not guarded itself.
static ELSEWHERE: Mutex<String> = Mutex::new(String::new());

thread_local! {
    static GUARDED: Cell<bool> = const { Cell::new(false) };
    static PLACE: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Runs `work`; a panic in it is returned as a message with its place.
pub fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    silence_guarded_panics();
    let outer = GUARDED.replace(true);
    let result = catch_unwind(AssertUnwindSafe(work));
    GUARDED.set(outer);
    result.map_err(|payload| {
        let message = payload
            .downcast_ref::<&str>()
            .map(|text| (*text).to_owned())
            .or_else(|| payload.downcast_ref::<String>().cloned())
            .unwrap_or_else(|| "unknown panic".to_owned());
        let place = match PLACE.take() {
            place if place.is_empty() => std::mem::take(&mut *ELSEWHERE.lock().unwrap_or_else(PoisonError::into_inner)),
            place => place,
        };
        format!("{message} ({place})")
    })
}

/// The hook of the process stays in force for panics that nobody guards.
fn silence_guarded_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let previous = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            let place = || info.location().map_or_else(String::new, |at| format!("{}:{}", at.file(), at.line()));
            let thread = std::thread::current();
            if GUARDED.get() {
                PLACE.set(place());
            } else if thread.name().is_some_and(|name| name.starts_with(THREAD_PREFIX)) {
                *ELSEWHERE.lock().unwrap_or_else(PoisonError::into_inner) = place();
            } else {
                previous(info);
            }
        }));
    });
}

#[cfg(test)]
mod tests {
    use super::guarded;

    #[test]
    fn a_panic_is_a_message() {
        let message = guarded::<()>(|| panic!("no such node")).unwrap_err();
        assert!(message.starts_with("no such node (") && message.contains("guard.rs:"));
        assert_eq!(guarded(|| 3), Ok(3));
    }
}
