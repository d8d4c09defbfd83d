//! Facts of unchanged files are reused, and nothing that happens to the cache matters beyond time.

mod common;
use common::Folder;
use mmcg_engine::cache::DiskCache;
use mmcg_engine::{index, Options, Progress, Run};
use std::fs;
use std::path::PathBuf;

fn cache_folder(folder: &Folder) -> PathBuf {
    folder.root().join(".mastermind/cache")
}

fn run(folder: &Folder) -> Run {
    index(&Options::new(folder.root()), &DiskCache::open(cache_folder(folder)), &Progress::default()).unwrap()
}

/// Parsed and reused files.
fn counts(folder: &Folder) -> (usize, usize) {
    let summary = run(folder).summary;
    assert!(summary.notices.is_empty(), "{:?}", summary.notices);
    (summary.parsed, summary.reused)
}

fn segments(folder: &Folder) -> Vec<PathBuf> {
    fs::read_dir(cache_folder(folder)).unwrap().map(|entry| entry.unwrap().path()).collect()
}

#[test]
fn unchanged_and_moved_files_are_reused() {
    let folder = Folder::with(&[("a.py", "x = 1\n"), ("b.py", "y = 2\n")]);
    assert_eq!(counts(&folder), (2, 0));
    assert_eq!(counts(&folder), (0, 2));
    folder.write("a.py", "x = 3\n");
    assert_eq!(counts(&folder), (1, 1));
    fs::rename(folder.root().join("b.py"), folder.root().join("c.py")).unwrap();
    assert_eq!(counts(&folder), (0, 2));
    // The same bytes in another language are other facts.
    fs::rename(folder.root().join("c.py"), folder.root().join("c.js")).unwrap();
    assert_eq!(counts(&folder), (1, 1));
}

#[test]
fn reused_facts_make_the_same_tables() {
    let folder = Folder::with(&[("a.py", "\u{feff}def f(x=1):\r\n    return f(2)\r\n"), ("b.js", "function b( {\n")]);
    let (cold, warm) = (run(&folder), run(&folder));
    assert_eq!((cold.summary.reused, warm.summary.reused), (0, 2));
    assert_eq!(cold.summary.problems, warm.summary.problems);
    for (cold, warm) in cold.tables.iter().zip(&warm.tables) {
        assert_eq!(cold.batches, warm.batches, "{}", cold.name);
    }
}

#[test]
fn segments_are_joined_without_dead_facts() {
    let folder = Folder::with(&[("keep.py", "x = 0\n")]);
    for i in 0..40 {
        folder.write("a.py", format!("x = {i}\n"));
        run(&folder);
    }
    assert!(segments(&folder).len() <= 9, "{:?}", segments(&folder));
    assert_eq!(counts(&folder), (0, 2));
}

#[test]
fn damage_costs_time_only() {
    let folder = Folder::with(&[("a.py", "x = 1\n"), ("b.py", "y = 2\n")]);
    run(&folder);
    let path = segments(&folder).pop().unwrap();
    let whole = fs::read(&path).unwrap();
    for length in [0, 1, 8, 40, whole.len() / 2, whole.len() - 1] {
        fs::write(&path, &whole[..length]).unwrap();
        assert_eq!(counts(&folder), (2, 0));
        segments(&folder).iter().for_each(|path| fs::remove_file(path).unwrap());
    }
    for at in 0..whole.len() {
        let mut damaged = whole.clone();
        damaged[at] ^= 0x55;
        fs::write(&path, damaged).unwrap();
        assert_eq!(run(&folder).summary.files, 2);
        segments(&folder).iter().for_each(|path| fs::remove_file(path).unwrap());
    }
}

#[test]
fn a_cache_that_cannot_be_written_is_told() {
    let folder = Folder::with(&[("a.py", "x = 1\n"), (".mastermind/cache", "a file, not a folder")]);
    let summary = run(&folder).summary;
    assert_eq!(summary.files, 1);
    assert!(summary.notices[0].contains("cache"), "{:?}", summary.notices);
}

#[test]
fn a_stopped_run_leaves_no_segment() {
    let folder = Folder::with(&[("a.py", "x = 1\n")]);
    let progress = Progress::default();
    progress.cancel();
    assert!(index(&Options::new(folder.root()), &DiskCache::open(cache_folder(&folder)), &progress).is_err());
    assert!(!cache_folder(&folder).exists() || segments(&folder).is_empty());
}
