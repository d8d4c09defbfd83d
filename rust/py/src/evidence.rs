//! What a file holds that an audit asks for.

use crate::errors::CoreError;
use mmcg_engine::{core_api, decode, guard};
use pyo3::prelude::*;

/// Tests, assertions, marks, suppressions, numbers and calls of a file, as JSON; nothing for a file of no language.
#[pyfunction]
pub fn evidence(py: Python<'_>, data: &[u8], path: &str) -> PyResult<Option<String>> {
    let text = decode::decode_verbatim(data);
    let Some(language) = core_api::language_for(path, &text) else { return Ok(None) };
    let path = path.to_owned();
    let found = py.detach(move || guard::guarded(move || mmcg_evidence::evidence(&text, &path, language)));
    let found = found.map_err(CoreError::new_err)?;
    serde_json::to_string(&found).map(Some).map_err(|error| CoreError::new_err(error.to_string()))
}
