//! A folder for a test, written and walked.
#![allow(dead_code, missing_docs)]

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
