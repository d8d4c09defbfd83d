//! Stamps the build with a hash of all that facts depend on beside a file's content, so that a cache made by another
//! extractor, grammar or parser is never taken for one of this.

use std::fs;
use std::path::{Path, PathBuf};

/// Of this crate, what reads a file, keeps what it says, or decides whether it is one of ours; the rest works with facts
/// as they are.
const INPUTS: &[&str] = &[
    "Cargo.lock",
    "grammars",
    "rust/facts/src",
    "rust/lang/src",
    "rust/extract/src",
    "rust/engine/src/cache",
    "rust/engine/src/classify.rs",
    "rust/engine/src/core_api.rs",
    "rust/engine/src/decode.rs",
    "rust/engine/src/facts.rs",
    "rust/engine/src/options.rs",
    "rust/engine/src/read.rs",
    "rust/engine/src/skip.rs",
    "rust/engine/src/walk.rs",
];

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut files = Vec::new();
    for input in INPUTS {
        assert!(root.join(input).exists(), "{input} is not there: say what became of it");
        println!("cargo:rerun-if-changed={}", root.join(input).display());
        collect(&root.join(input), &mut files);
    }
    files.sort();
    let mut hasher = blake3::Hasher::new();
    for file in files {
        let content = fs::read(&file).unwrap_or_default();
        hasher.update(&(content.len() as u64).to_le_bytes());
        hasher.update(&content);
    }
    println!("cargo:rustc-env=MMCG_FACTS_STAMP={}", &hasher.finalize().to_hex()[..32]);
}

fn collect(path: &Path, files: &mut Vec<PathBuf>) {
    match fs::read_dir(path) {
        Ok(entries) => entries.flatten().for_each(|entry| collect(&entry.path(), files)),
        Err(_) if path.is_file() => files.push(path.to_owned()),
        Err(_) => {}
    }
}
