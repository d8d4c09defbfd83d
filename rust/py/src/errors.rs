//! Errors of the core as one Python exception.

use mmcg_engine::Error;
use pyo3::exceptions::PyException;
use pyo3::PyErr;

pyo3::create_exception!(
    mmcg._core,
    CoreError,
    PyException,
    "The core could not do what was asked; the message says why."
);

pyo3::create_exception!(
    mmcg._core,
    KeptFactsError,
    CoreError,
    "Facts kept from earlier runs may be the cause: try again without them."
);

/// The exception of an error.
pub fn to_python(error: Error) -> PyErr {
    match error {
        Error::Kept(_) => KeptFactsError::new_err(error.to_string()),
        _ => CoreError::new_err(error.to_string()),
    }
}
