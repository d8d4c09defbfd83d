//! What the core knows without a run, and the quick questions about a folder.

use crate::errors::to_python;
use crate::jobs;
use mmcg_engine::{core_api, decode as text, floor, read as content, scan as folder, Options};
use mmcg_facts::{Rule, FACTS_VERSION};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use std::path::PathBuf;

/// Versions of the core, of the facts and of the grammars. An index made by other ones is out of date.
#[pyfunction]
pub fn version(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("core", env!("CARGO_PKG_VERSION"))?;
    dict.set_item("facts", FACTS_VERSION)?;
    let grammars = PyDict::new(py);
    for language in core_api::languages().filter(|language| language.linked()) {
        if let Some(parser) = language.parser() {
            let grammar = PyDict::new(py);
            grammar.set_item("abi", parser.abi_version())?;
            if let Some(metadata) = parser.metadata() {
                let (major, minor, patch) = (metadata.major_version, metadata.minor_version, metadata.patch_version);
                grammar.set_item("version", format!("{major}.{minor}.{patch}"))?;
            }
            grammars.set_item(language.name, grammar)?;
        }
    }
    dict.set_item("grammars", grammars)?;
    Ok(dict)
}

/// The languages that can be indexed, those included whose parsers come from outside.
#[pyfunction]
pub fn languages(py: Python<'_>) -> PyResult<Bound<'_, PyList>> {
    let list = PyList::empty(py);
    for language in core_api::all_languages() {
        let dict = PyDict::new(py);
        dict.set_item("name", language.name)?;
        dict.set_item("family", language.family)?;
        dict.set_item("extensions", language.extensions)?;
        dict.set_item("file_names", language.file_names)?;
        dict.set_item("available", language.available())?;
        dict.set_item("external", !language.linked())?;
        list.append(dict)?;
    }
    Ok(list)
}

/// The rules by which edges are found.
#[pyfunction]
pub fn rules(py: Python<'_>) -> PyResult<Bound<'_, PyList>> {
    let list = PyList::empty(py);
    for rule in Rule::ALL {
        let dict = PyDict::new(py);
        dict.set_item("rule", rule.as_str())?;
        dict.set_item("confidence", rule.confidence().as_str())?;
        dict.set_item("doc", rule.doc().trim())?;
        list.append(dict)?;
    }
    Ok(list)
}

/// The files that an index of the folder would read: path, size, time of change in nanoseconds.
#[pyfunction]
pub fn scan(py: Python<'_>, root: PathBuf) -> PyResult<Vec<(String, u64, i64)>> {
    let threads = Options::new(&root).threads();
    let found = py.detach(|| folder::scan(&root, threads)).map_err(to_python)?;
    Ok(found.into_iter().map(|file| (file.path, file.size, file.mtime_ns)).collect())
}

/// A file's text as the index understands its encoding.
#[pyfunction]
pub fn decode(data: &[u8]) -> String {
    text::decode_verbatim(data)
}

/// The hash of a file's bytes as the index keeps it.
#[pyfunction]
pub fn content_hash(data: &[u8]) -> String {
    content::hash(data)
}

/// Whether each path is that of a test file by the rules of its language.
#[pyfunction]
pub fn test_paths(paths: Vec<String>) -> Vec<bool> {
    paths
        .iter()
        .map(|path| core_api::language_for(path, "").is_some_and(|language| language.is_test_path(path)))
        .collect()
}

/// Walks, reads and parses like a run and does nothing else: what benchmarks measure a run against.
#[pyfunction]
#[pyo3(signature = (root, *, jobs = None))]
pub fn parse_floor(py: Python<'_>, root: PathBuf, jobs: Option<usize>) -> PyResult<Bound<'_, PyDict>> {
    let floor = jobs::run(py, move |_| floor::parse_floor(&Options { root, jobs }), |()| Ok(()), || Ok(()))?;
    let dict = PyDict::new(py);
    dict.set_item("files", floor.files)?;
    dict.set_item("bytes", floor.bytes)?;
    dict.set_item("cpu_seconds", floor.cpu_seconds)?;
    dict.set_item("wall_seconds", floor.wall_seconds)?;
    Ok(dict)
}
