//! `mmcg._core`: the door between Python and the core. It converts and has no logic.

mod arrow;
mod attach;
mod errors;
mod evidence;
mod fixtures;
mod gather;
mod index;
mod info;
mod jobs;
mod look;
mod watch;

use pyo3::prelude::*;

/// The native core of mastermind.
#[pymodule(name = "_core", gil_used = false)]
mod core {
    #[pymodule_export]
    use crate::arrow::ArrowTable;
    #[pymodule_export]
    use crate::attach::{attach, check};
    #[pymodule_export]
    use crate::errors::{CoreError, KeptFactsError};
    #[pymodule_export]
    use crate::evidence::evidence;
    #[pymodule_export]
    use crate::fixtures::{judge_fixture, parse_fixture};
    #[pymodule_export]
    use crate::gather::{select, Gathering};
    #[pymodule_export]
    use crate::index::{index, IndexRun};
    #[pymodule_export]
    use crate::info::{content_hash, decode, languages, parse_floor, rules, scan, test_paths, version};
    #[pymodule_export]
    use crate::look::{look, Look};
    #[pymodule_export]
    use crate::watch::{Watch, WatchLimitError};
}
