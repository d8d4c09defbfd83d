//! Prints the facts of a file: `cargo run -p mmcg-extract --example facts -- PATH`.

#[path = "../tests/render/mod.rs"]
mod render;

fn main() {
    for path in std::env::args().skip(1) {
        let source = std::fs::read_to_string(&path).expect("a readable file");
        let Some(language) = mmcg_lang::Language::for_path(&path, &source) else {
            eprintln!("no language for `{path}`");
            continue;
        };
        print!("{}", render::render(&mmcg_extract::extract(&source, language)));
    }
}
