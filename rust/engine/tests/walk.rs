//! Which files are found, and which are not.

mod common;
use common::{scan, Folder};

#[test]
fn paths_come_in_byte_order_whatever_the_threads_do() {
    let folder = Folder::with(&[("b.py", ""), ("a/z.py", ""), ("a.py", ""), ("B.py", ""), ("a-b/c.py", "")]);
    assert_eq!(folder.scan(), ["B.py", "a-b/c.py", "a.py", "a/z.py", "b.py"]);
}

#[test]
fn ignore_files_nest_negate_and_need_no_repository() {
    let folder = Folder::with(&[
        (".gitignore", "*.gen.py\n/out/\n!keep.gen.py\n"),
        ("a.gen.py", ""),
        ("keep.gen.py", ""),
        ("out/a.py", ""),
        ("sub/out/a.py", ""),
        ("sub/.gitignore", "b.py\n!c.gen.py\n"),
        ("sub/b.py", ""),
        ("sub/c.gen.py", ""),
        ("b.py", ""),
    ]);
    assert_eq!(folder.scan(), ["b.py", "keep.gen.py", "sub/c.gen.py", "sub/out/a.py"]);
}

#[test]
fn exclude_file_of_the_repository() {
    let folder = Folder::with(&[(".git/info/exclude", "secret.py\n"), ("secret.py", ""), ("open.py", "")]);
    assert_eq!(folder.scan(), ["open.py"]);
}

#[test]
fn own_ignore_file_has_the_last_word() {
    let folder = Folder::with(&[
        (".gitignore", "generated.py\n"),
        (".mastermindignore", "!generated.py\nskipped/\n"),
        ("generated.py", ""),
        ("skipped/a.py", ""),
    ]);
    assert_eq!(folder.scan(), ["generated.py"]);
}

#[test]
fn ignore_files_above_the_root_count_inside_a_repository_only() {
    let folder = Folder::with(&[(".gitignore", "b.py\n"), ("sub/a.py", ""), ("sub/b.py", "")]);
    assert_eq!(scan(&folder.root().join("sub")), ["a.py", "b.py"]);
    folder.folder(".git");
    assert_eq!(scan(&folder.root().join("sub")), ["a.py"]);
}

#[test]
fn everything_ignored_is_said() {
    let folder = Folder::with(&[(".gitignore", "*\n"), ("a.py", "x = 1\n")]);
    let summary = folder.index().summary;
    assert_eq!(summary.files, 0);
    assert!(summary.notices[0].contains("ignored"), "{:?}", summary.notices);
}

#[test]
fn nothing_supported_is_said_with_the_suffixes() {
    let folder = Folder::with(&[("notes.txt", "hello\n"), ("till.move", "module shop::till {}\n"), ("Makefile", "")]);
    let summary = folder.index().summary;
    assert_eq!((summary.files, summary.skipped.len()), (0, 0));
    let notice = &summary.notices[0];
    assert_eq!(notice, "no supported source files; the suffixes that were seen: none (1), .move (1), .txt (1)");
}

#[test]
fn closed_folders_and_environments() {
    let folder = Folder::with(&[
        (".git/hooks/a.py", ""),
        (".mastermind/a.py", ""),
        ("node_modules/a/index.js", ""),
        ("sub/node_modules/b.js", ""),
        ("env/pyvenv.cfg", "home = /usr\n"),
        ("env/lib/a.py", ""),
        ("conda/conda-meta/history", ""),
        ("conda/lib/a.py", ""),
    ]);
    assert!(folder.scan().is_empty());
}

#[test]
fn no_other_folder_is_left_out_for_its_name() {
    let names = ["vendor", "build", "dist", "generated", "target", "third_party", "env", "venv", ".github", "test"];
    let folder = Folder::new();
    names.iter().for_each(|name| folder.write(&format!("{name}/a.py"), ""));
    assert_eq!(folder.scan().len(), names.len());
}

#[test]
fn ignored_repositories_are_not_walked_and_submodules_are() {
    let folder = Folder::with(&[
        (".gitignore", "refs/\n"),
        (".git/HEAD", "ref: refs/heads/main\n"),
        ("refs/clone/.git/HEAD", ""),
        ("refs/clone/lib.py", ""),
        ("sub/.git", "gitdir: ../.git/modules/sub\n"),
        ("sub/.gitignore", "x.py\n"),
        ("sub/x.py", ""),
        ("sub/lib.py", ""),
        ("app.py", ""),
    ]);
    assert_eq!(folder.scan(), ["app.py", "sub/lib.py"]);
}

#[cfg(unix)]
#[test]
fn links_are_not_followed() {
    let outside = Folder::with(&[("secret.py", "")]);
    let folder = Folder::with(&[("src/a.py", "x = 1\n")]);
    folder.link("..", "src/loop");
    folder.link("self", "src/self");
    folder.link("nowhere.py", "src/dangling.py");
    folder.link("a.py", "src/again.py");
    folder.link(outside.root(), "out");
    assert_eq!(folder.scan(), ["src/a.py"]);
    let run = folder.index();
    assert_eq!((run.summary.files, run.summary.skipped.len()), (1, 0));
}

#[cfg(unix)]
#[test]
fn the_root_may_be_a_link() {
    let folder = Folder::with(&[("real/a.py", "")]);
    folder.link("real", "link");
    assert_eq!(scan(&folder.root().join("link")), ["a.py"]);
}

#[test]
fn a_root_that_is_no_folder_is_an_error() {
    let folder = Folder::with(&[("a.py", "")]);
    for path in ["a.py", "nowhere"] {
        let error = mmcg_engine::scan::scan(&folder.root().join(path), 1).unwrap_err();
        assert!(error.to_string().contains(path), "{error}");
    }
}

#[test]
fn the_fingerprint_tells_changes_of_sources_and_manifests() {
    let folder = Folder::with(&[("a.py", "x = 1\n"), ("notes.txt", "")]);
    let fingerprint = || mmcg_engine::scan::Look::at(&folder.root(), 2).unwrap().fingerprint();
    let first = fingerprint();
    folder.write("other.txt", "no matter");
    assert_eq!(fingerprint(), first);
    assert_eq!(folder.index().summary.fingerprint, first);
    folder.write("go.mod", "module example.com/a\n");
    let second = fingerprint();
    assert_ne!(second, first);
    folder.write("a.py", "x = 12\n");
    let third = fingerprint();
    assert_ne!(third, second);
    folder.write(".gitignore", "a.py\n");
    assert_ne!(fingerprint(), third);
}
