//! Compiles the copying of parsed trees against the headers of the parser library.

use std::path::Path;

fn main() {
    println!("cargo:rerun-if-changed=src/flatten.c");
    let include = std::env::var("DEP_TREE_SITTER_INCLUDE").expect("the parser library tells where its headers are");
    let include = Path::new(&include);
    let source = include.join("../src");
    cc::Build::new()
        .std("c11")
        .include(&source)
        .include(include)
        .define("_POSIX_C_SOURCE", "200112L")
        .define("_DEFAULT_SOURCE", None)
        .define("_BSD_SOURCE", None)
        .define("_DARWIN_C_SOURCE", None)
        .warnings(false)
        .file("src/flatten.c")
        .compile("mmcg-flatten");
}
