//! A folder for a test, written and walked.
#![allow(dead_code, missing_docs)]

use arrow_array::cast::AsArray;
use arrow_array::types::{Int64Type, UInt16Type, UInt32Type, UInt64Type};
use arrow_array::{Array, ArrayRef};
use arrow_schema::DataType;
use mmcg_engine::cache::NoCache;
use mmcg_engine::{index, Options, Progress, Run};
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

pub struct Folder {
    dir: TempDir,
}

impl Folder {
    pub fn new() -> Self {
        Self { dir: tempfile::tempdir().unwrap() }
    }

    /// A folder with text files.
    pub fn with(files: &[(&str, &str)]) -> Self {
        let folder = Self::new();
        files.iter().for_each(|(path, text)| folder.write(path, text));
        folder
    }

    pub fn root(&self) -> PathBuf {
        self.dir.path().canonicalize().unwrap()
    }

    pub fn write(&self, path: &str, content: impl AsRef<[u8]>) {
        let path = self.root().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    pub fn folder(&self, path: &str) {
        fs::create_dir_all(self.root().join(path)).unwrap();
    }

    #[cfg(unix)]
    pub fn link(&self, target: impl AsRef<Path>, path: &str) {
        let path = self.root().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::os::unix::fs::symlink(target, path).unwrap();
    }

    /// The files that an index reads.
    pub fn scan(&self) -> Vec<String> {
        scan(&self.root())
    }

    pub fn index(&self) -> Run {
        self.index_with(2)
    }

    pub fn index_with(&self, jobs: usize) -> Run {
        let options = Options { jobs: Some(jobs), ..Options::new(self.root()) };
        index(&options, &NoCache, &Progress::default()).unwrap()
    }
}

pub fn scan(root: &Path) -> Vec<String> {
    mmcg_engine::scan::scan(root, 2).unwrap().into_iter().map(|file| file.path).collect()
}

/// Path and reason of what was left out.
pub fn skipped(run: &Run) -> Vec<(&str, &str)> {
    run.summary.skipped.iter().map(|file| (file.path.as_str(), file.reason.as_str())).collect()
}

/// The rows of a table as texts, `-` for nothing; only the named columns.
pub fn rows(run: &Run, table: &str, columns: &[&str]) -> Vec<String> {
    let table = run.tables.iter().find(|t| t.name == table).unwrap_or_else(|| panic!("no table {table}"));
    let mut rows = Vec::new();
    for batch in &table.batches {
        let arrays: Vec<&ArrayRef> = columns
            .iter()
            .map(|name| batch.column_by_name(name).unwrap_or_else(|| panic!("no column {name}")))
            .collect();
        for row in 0..batch.num_rows() {
            rows.push(arrays.iter().map(|array| text(array, row)).collect::<Vec<_>>().join(" | "));
        }
    }
    rows
}

fn text(array: &ArrayRef, row: usize) -> String {
    if array.is_null(row) {
        return "-".to_owned();
    }
    match array.data_type() {
        DataType::Boolean => array.as_boolean().value(row).to_string(),
        DataType::UInt16 => array.as_primitive::<UInt16Type>().value(row).to_string(),
        DataType::UInt32 => array.as_primitive::<UInt32Type>().value(row).to_string(),
        DataType::UInt64 => array.as_primitive::<UInt64Type>().value(row).to_string(),
        DataType::Int64 => array.as_primitive::<Int64Type>().value(row).to_string(),
        DataType::Utf8 => array.as_string::<i32>().value(row).to_owned(),
        DataType::Dictionary(..) => {
            let dictionary = array.as_any_dictionary();
            dictionary.values().as_string::<i32>().value(dictionary.normalized_keys()[row]).to_owned()
        }
        other => panic!("no text for {other}"),
    }
}
