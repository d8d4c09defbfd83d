//! A tree that is handed over gives what the same tree on disk gives.

mod common;
use common::{rows, Folder};
use mmcg_engine::cache::NoCache;
use mmcg_engine::select::{select, IgnoreFile, Rank};
use mmcg_engine::Gathering;
use std::path::PathBuf;

const FILES: &[(&str, &str)] = &[
    ("go.mod", "module example.org/shop\n"),
    ("cart/cart.go", "package cart\n\nfunc Total() int { return 1 }\n"),
    ("main.go", "package main\n\nimport \"example.org/shop/cart\"\n\nfunc main() { cart.Total() }\n"),
    ("tool.py", "def run():\n    return run()\n"),
    ("notes.txt", "nothing\n"),
];

#[test]
fn the_same_graph_as_the_folder() {
    let folder = Folder::with(FILES);
    let mut gathering = Gathering::new(2, Box::new(NoCache)).unwrap();
    // In parts and in another order.
    for (path, text) in FILES.iter().rev() {
        gathering.add(vec![((*path).to_owned(), text.as_bytes().to_vec())]).unwrap();
    }
    let (given, indexed) = (gathering.finish().unwrap(), folder.index());
    for (table, columns) in [
        ("files", &["id", "path", "language", "hash"][..]),
        ("symbols", &["id", "address", "signature", "body_hash"]),
        ("calls", &["target", "source", "line", "rule"]),
        ("imports", &["file", "module", "target_file"]),
    ] {
        assert_eq!(rows(&given, table, columns), rows(&indexed, table, columns), "{table}");
    }
    let called = rows(&given, "calls", &["name", "confidence"]);
    assert!(called.contains(&"Total | exact".to_owned()), "the manifest counts: {called:?}");
}

#[test]
fn chosen_as_a_walk_chooses() {
    let files: &[(&str, &str)] = &[
        (".gitignore", "*.gen.py\n/out/\n!keep.gen.py\n"),
        (".mastermindignore", "!wanted.gen.py\nskipped/\n"),
        ("a.gen.py", ""),
        ("keep.gen.py", ""),
        ("wanted.gen.py", ""),
        ("out/a.py", ""),
        ("skipped/a.py", ""),
        ("sub/.gitignore", "b.py\n!c.gen.py\n"),
        ("sub/b.py", ""),
        ("sub/c.gen.py", ""),
        ("sub/out/a.py", ""),
        ("env/pyvenv.cfg", ""),
        ("env/lib/a.py", ""),
        ("node_modules/x/index.js", ""),
        ("b.py", ""),
        ("notes.txt", ""),
        (".git/info/exclude", "secret.py\n"),
        ("secret.py", ""),
    ];
    let folder = Folder::with(files);
    let root = folder.root();
    let mut paths: Vec<String> = files.iter().map(|(path, _)| (*path).to_owned()).collect();
    paths.sort();
    let ignore = |folder: PathBuf, rank, text: &str| IgnoreFile { folder, rank, text: text.to_owned() };
    let ignores = [
        ignore(root.clone(), Rank::Git, files[0].1),
        ignore(root.clone(), Rank::Own, files[1].1),
        ignore(root.join("sub"), Rank::Git, files[7].1),
        ignore(root.clone(), Rank::Exclude, "secret.py\n"),
    ];
    assert_eq!(select(&root, paths, &ignores), folder.scan());
}
