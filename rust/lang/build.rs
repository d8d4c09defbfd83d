//! Makes the registry of languages from the folders in `grammars/`.

use std::fmt::Write;
use std::path::{Path, PathBuf};

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../grammars");
    println!("cargo:rerun-if-changed={}", root.display());
    let mut files: Vec<PathBuf> = std::fs::read_dir(&root)
        .map(|entries| entries.flatten().map(|e| e.path().join("language.toml")).filter(|p| p.is_file()).collect())
        .unwrap_or_default();
    files.sort();
    let mut out = format!("static ENTRIES: [Language; {}] = [\n", files.len());
    for file in &files {
        println!("cargo:rerun-if-changed={}", file.display());
        let text = std::fs::read_to_string(file).expect("a readable language.toml");
        let data: toml::Table = text.parse().unwrap_or_else(|e| panic!("{}: {e}", file.display()));
        let word = |key: &str| data.get(key).and_then(|v| v.as_str()).unwrap_or_default().to_owned();
        let list = |key: &str| -> Vec<String> {
            let items = data.get(key).and_then(|v| v.as_array());
            items.map(|a| a.iter().filter_map(|v| v.as_str()).map(str::to_owned).collect()).unwrap_or_default()
        };
        let family = match word("family") {
            family if family.is_empty() => word("name"),
            family => family,
        };
        let parser = match word("parser") {
            path if path.is_empty() => "None".to_owned(),
            path => format!("Some(|| {path}.into())"),
        };
        let file = file.canonicalize().expect("a path");
        writeln!(
            out,
            "    Language {{ name: {:?}, family: {family:?}, extensions: &{:?}, file_names: &{:?}, markers: &{:?}, \
             extends: {:?}, data: include_str!({file:?}), linked: {parser}, attached: OnceLock::new(), \
             tables: OnceLock::new() }},",
            word("name"),
            list("extensions"),
            list("file_names"),
            list("content_markers"),
            word("extends"),
        )
        .expect("a string");
    }
    out.push_str("];\n");
    let target = PathBuf::from(std::env::var("OUT_DIR").expect("cargo sets it")).join("registry.rs");
    std::fs::write(target, out).expect("a writable build folder");
}
