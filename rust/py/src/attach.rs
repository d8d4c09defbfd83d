//! Parsers from outside: grammars that Python packages carry.

use crate::errors::CoreError;
use mmcg_engine::core_api;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyCapsuleMethods};
use tree_sitter::ffi::TSLanguage;

/// How the packages of tree-sitter call their capsules.
const CAPSULE: &std::ffi::CStr = c"tree_sitter.Language";

/// Gives a language the parser in a capsule of the form that the Python packages of tree-sitter have. Once given, it
/// stays for the life of the process.
#[pyfunction]
pub fn attach(language: &str, capsule: &Bound<'_, PyCapsule>) -> PyResult<()> {
    let Some(language) = core_api::all_languages().find(|known| known.name == language) else {
        return Err(CoreError::new_err(format!("no language is called `{language}`")));
    };
    if language.available() {
        return Ok(());
    }
    let pointer = capsule.pointer_checked(Some(CAPSULE))?;
    // SAFETY: the capsule says what it points to. Grammars are constant data of modules that are never unloaded, so
    // any thread may read them for as long as the process lives; dropping a `Language` frees nothing of them.
    #[allow(unsafe_code)]
    let parser = unsafe { tree_sitter::Language::from_raw(pointer.as_ptr().cast::<TSLanguage>()) };
    let abi = parser.abi_version();
    if !(tree_sitter::MIN_COMPATIBLE_LANGUAGE_VERSION..=tree_sitter::LANGUAGE_VERSION).contains(&abi) {
        return Err(CoreError::new_err(format!("the parser of `{}` is of another form (ABI {abi})", language.name)));
    }
    language.attach(parser);
    Ok(())
}

/// What the data of a language says that its parser does not know; for tests.
#[pyfunction]
pub fn check(language: &str) -> Vec<String> {
    core_api::all_languages().filter(|known| known.name == language).flat_map(|known| known.check()).collect()
}
