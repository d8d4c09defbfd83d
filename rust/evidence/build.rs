//! Puts the `evidence.toml` of each language's folder into the crate.

use std::fmt::Write;
use std::path::{Path, PathBuf};

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../grammars");
    println!("cargo:rerun-if-changed={}", root.display());
    let mut files: Vec<PathBuf> = std::fs::read_dir(&root)
        .map(|entries| entries.flatten().map(|e| e.path().join("evidence.toml")).filter(|p| p.is_file()).collect())
        .unwrap_or_default();
    files.sort();
    let mut out = String::from("static FILES: &[(&str, &str)] = &[\n");
    for file in &files {
        println!("cargo:rerun-if-changed={}", file.display());
        let text = std::fs::read_to_string(file).expect("a readable evidence.toml");
        text.parse::<toml::Table>().unwrap_or_else(|e| panic!("{}: {e}", file.display()));
        let language = file.parent().and_then(Path::file_name).and_then(|n| n.to_str()).expect("a folder's name");
        let file = file.canonicalize().expect("a path");
        writeln!(out, "    ({language:?}, include_str!({file:?})),").expect("a string");
    }
    out.push_str("];\n");
    let target = PathBuf::from(std::env::var("OUT_DIR").expect("cargo sets it")).join("files.rs");
    std::fs::write(target, out).expect("a writable build folder");
}
