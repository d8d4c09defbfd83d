//! Suites for tests in Python: how they are read and judged is the same as in Rust.

use crate::errors::CoreError;
use mmcg_fixture::{judge, parse, Graph};
use pyo3::prelude::*;

/// A suite as JSON: its sections with their files, claims and listings, and the mistakes in its form.
#[pyfunction]
pub fn parse_fixture(text: &str, name: &str) -> PyResult<String> {
    json(&parse(text, name))
}

/// The verdict on a section as JSON: failures and the numbers of known gaps. `graph` is JSON too.
#[pyfunction]
pub fn judge_fixture(text: &str, name: &str, section: usize, graph: &str) -> PyResult<String> {
    let suite = parse(text, name);
    let section = suite
        .sections
        .get(section)
        .ok_or_else(|| CoreError::new_err(format!("`{name}` has {} sections", suite.sections.len())))?;
    let graph: Graph = serde_json::from_str(graph).map_err(|error| CoreError::new_err(format!("no graph: {error}")))?;
    json(&judge(section, &graph))
}

fn json(value: &impl serde::Serialize) -> PyResult<String> {
    serde_json::to_string(value).map_err(|error| CoreError::new_err(error.to_string()))
}
