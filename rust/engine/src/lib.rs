//! From a folder to the tables of its code graph: walk, read, extract in parallel, resolve, Arrow. The only code of
//! the core that does I/O; it opens no database and knows no language by name.
//!
//! The result is a function of the files' content and of this version: not of thread count, order or clock (except
//! for the times in the files table and the summary).

pub mod cache;
pub mod classify;
pub mod core_api;
pub mod decode;
pub mod error;
pub mod facts;
pub mod floor;
pub mod gather;
pub mod graph;
pub mod guard;
pub mod layout;
pub mod manifests;
pub mod options;
pub mod pool;
pub mod progress;
pub mod read;
pub mod run;
pub mod scan;
pub mod select;
pub mod skip;
pub mod summary;
pub mod tables;
pub mod walk;
pub mod watch;

pub use error::Error;
pub use gather::Gathering;
pub use options::Options;
pub use progress::Progress;
pub use run::{index, Run};
