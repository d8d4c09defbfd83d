//! Times parsing and extraction of a folder: `cargo run --release -p mmcg-extract --example measure -- PATH`.

use mmcg_extract::Extractor;
use mmcg_lang::Language;
use std::path::{Path, PathBuf};
use std::time::Instant;

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for path in entries.flatten().map(|e| e.path()) {
        if path.is_dir() && !path.is_symlink() {
            collect(&path, files);
        } else if Language::is_source(&path.to_string_lossy()) {
            files.push(path);
        }
    }
}

fn main() {
    let root = std::env::args().nth(1).expect("a folder");
    let mut files = Vec::new();
    collect(Path::new(&root), &mut files);
    files.sort();
    let mut extractor = Extractor::default();
    let (mut count, mut bytes, mut problems, mut symbols, mut sites, mut exprs, mut slowest) =
        (0, 0, 0, 0, 0, 0, vec![]);
    for path in files {
        let Ok(raw) = std::fs::read(&path) else { continue };
        let source = String::from_utf8_lossy(&raw);
        let Some(language) = Language::for_path(&path.to_string_lossy(), &source) else { continue };
        let begin = Instant::now();
        let facts = extractor.extract(&source, language);
        slowest.push((begin.elapsed(), path));
        count += 1;
        bytes += raw.len();
        problems += usize::from(!facts.problems.is_empty());
        symbols += facts.symbols.len();
        sites += facts.sites.len();
        exprs += facts.exprs.len();
    }
    slowest.sort();
    let (parse, extract) = extractor.times;
    println!(
        "{count} files, {bytes} bytes, {problems} with problems; {symbols} symbols, {sites} sites, {exprs} expressions"
    );
    println!("parse {parse:.2?}, extract {extract:.2?} ({:.0} %)", 100.0 * extract.as_secs_f64() / parse.as_secs_f64());
    for (time, path) in slowest.iter().rev().take(3) {
        println!("{time:.2?} {}", path.display());
    }
}
