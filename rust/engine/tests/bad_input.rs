//! Files that upset indexers. Each must be indexed, or left out with a reason, and never end the run.

mod common;
use common::{skipped, Folder};
use mmcg_engine::Run;

/// Asserts that the run indexed these many files and left out exactly these.
#[track_caller]
fn check(run: &Run, files: usize, left_out: &[(&str, &str)]) {
    assert_eq!(skipped(run), left_out);
    assert_eq!(run.summary.files, files);
}

fn codes(run: &Run) -> Vec<(&str, &str)> {
    run.summary.problems.iter().map(|(path, problem)| (path.as_str(), problem.code.as_str())).collect()
}

#[test]
fn empty_blank_and_comment_only_files() {
    let folder =
        Folder::with(&[("empty.py", ""), ("blank.ts", "\n\n"), ("comment.js", "// nothing\n"), ("no.py", "x = 1")]);
    check(&folder.index(), 4, &[]);
}

#[test]
fn binary_bytes_behind_a_source_suffix() {
    let folder = Folder::new();
    let all: Vec<u8> = (0..=255u8).cycle().take(1024).collect();
    folder.write("binary.py", all);
    folder.write("ok.py", "def fine():\n    return 1\n");
    check(&folder.index(), 1, &[("binary.py", "binary")]);
}

#[test]
fn a_nul_in_a_comment_does_not_end_the_file() {
    let folder = Folder::new();
    folder.write("nul.js", b"/* \0 */\nfunction top() { return bottom(); }\nfunction bottom() { return 1; }\n");
    let run = folder.index();
    check(&run, 1, &[]);
    assert!(codes(&run).is_empty());
}

#[test]
fn encodings() {
    let folder = Folder::new();
    let utf16 = |text: &str| [0xff, 0xfe].into_iter().chain(text.encode_utf16().flat_map(u16::to_le_bytes)).collect();
    let utf16: Vec<u8> = utf16("def f():\r\n    return 1\r\n");
    folder.write("bom.py", b"\xef\xbb\xbfdef f():\n    return 1\n");
    folder.write("latin1.py", b"# caf\xe9\ndef f():\n    return 1\n");
    folder.write("utf16.py", utf16);
    folder.write("utf32.py", b"\xff\xfe\0\0x\0\0\0");
    let run = folder.index();
    check(&run, 3, &[("utf32.py", "undecodable")]);
    assert_eq!(codes(&run), [("latin1.py", "encoding")]);
}

#[test]
fn line_ends_of_all_kinds_count() {
    let folder =
        Folder::with(&[("cr.py", "x = 1\ry = 2\r"), ("crlf.py", "x = 1\r\ny = 2\r\n"), ("lf.py", "x = 1\ny = 2\n")]);
    let run = folder.index();
    let files = run.tables.iter().find(|table| table.name == "files").unwrap();
    let lines = files.batches[0].column_by_name("lines").unwrap();
    let lines = lines.as_any().downcast_ref::<arrow_array::UInt32Array>().unwrap();
    assert_eq!(lines.values().as_ref(), [2, 2, 2]);
}

#[test]
fn one_long_line() {
    let folder = Folder::new();
    folder.write("huge.js", "a(1);".repeat(10 << 20));
    folder.write("bundle.js", "function f(a){return a=g(a)};".repeat(10_000));
    folder.write("table.js", format!("exports.rows = '{}';\nfunction first() {{}}\n", "ab,cd;".repeat(1_000)));
    check(&folder.index(), 1, &[("bundle.js", "minified"), ("huge.js", "too_large")]);
}

#[test]
fn manifests_that_are_left_out_are_told() {
    let folder = Folder::with(&[("a.py", "x = 1\n"), ("package.json", "{ no json")]);
    folder.write("compile_commands.json", " ".repeat(2 << 20));
    folder.write("build.gradle.kts", " ".repeat(17 << 20));
    check(&folder.index(), 1, &[("build.gradle.kts", "too_large"), ("compile_commands.json", "too_large")]);
}

#[test]
fn assets_are_never_opened() {
    let folder = Folder::with(&[("a.ts", "import clip from './clip.mp4';\n")]);
    std::fs::File::create(folder.root().join("clip.mp4")).unwrap().set_len(1 << 40).unwrap();
    check(&folder.index(), 1, &[]);
}

#[test]
fn names_of_all_kinds() {
    let folder = Folder::with(&[
        ("Util.py", ""),
        ("util.py", ""),
        ("🦀 é.py", ""),
        ("it's \"here\".py", ""),
        (" space .py", ""),
        ("-dash.py", ""),
    ]);
    folder.folder("x.py");
    folder.write("x.py/inner.py", "");
    let files = if cfg!(unix) {
        folder.write("new\nline.py", "");
        8
    } else {
        7
    };
    check(&folder.index(), files, &[]);
}

#[cfg(target_os = "linux")]
#[test]
fn names_that_are_not_utf8_are_told() {
    use std::os::unix::ffi::OsStrExt;
    let folder = Folder::with(&[("a.py", "")]);
    std::fs::write(folder.root().join(std::ffi::OsStr::from_bytes(b"caf\xe9.py")), "").unwrap();
    check(&folder.index(), 1, &[("caf\u{fffd}.py", "unreadable")]);
}

#[cfg(unix)]
#[test]
fn a_pipe_is_not_waited_for() {
    let folder = Folder::with(&[("a.py", "")]);
    let made = std::process::Command::new("mkfifo").arg(folder.root().join("pipe.py")).status();
    if made.is_ok_and(|status| status.success()) {
        check(&folder.index(), 1, &[("pipe.py", "unreadable")]);
    }
}

#[test]
fn deep_nesting() {
    let folder = Folder::new();
    let depth = 100_000;
    folder.write("deep.c", format!("int deep(void) {{{}{} return 0; }}\n", "{".repeat(depth), "}".repeat(depth)));
    folder.write("deep.py", format!("x = {}1{}\n", "(".repeat(depth), ")".repeat(depth)));
    folder.write("deep.js", format!("x = {}1{};\n", "[".repeat(depth), "]".repeat(depth)));
    folder.write("unclosed.java", "class A { void f() {\n".repeat(20_000));
    folder.write("ok.py", "def fine():\n    return 1\n");
    check(&folder.index(), folder.scan().len(), &[]);
}

#[test]
#[ignore = "writes 50,000 files"]
fn many_files_in_one_folder() {
    let folder = Folder::new();
    (0..50_000).for_each(|i| folder.write(&format!("part{i:05}.py"), "def f():\n    return 1\n"));
    check(&folder.index(), 50_000, &[]);
}

#[test]
fn a_run_can_be_stopped() {
    let folder = Folder::with(&[("a.py", "")]);
    let progress = mmcg_engine::Progress::default();
    progress.cancel();
    let result = mmcg_engine::index(&mmcg_engine::Options::new(folder.root()), &mmcg_engine::cache::NoCache, &progress);
    assert!(matches!(result, Err(mmcg_engine::Error::Cancelled)));
}

/// What stands before a call is looked at a fixed number of times: else the work doubles with every link of a chain.
#[test]
fn long_chains_of_calls_end_in_no_time() {
    let chain = |open: &str, link: &str, close: &str| format!("{open}{}{close}\n", link.repeat(200));
    let folder = Folder::with(&[
        (
            "a.rs",
            &chain("fn f() { let mut a = Builder::new()", "\n.arg(Arg::new(1).long(2).help(3))", "; a = a.arg(1); a }"),
        ),
        ("b.java", &chain("class B { Object f() { return new Builder()", "\n.arg(Arg.of(1).name(2))", "; } }")),
        ("c.ts", &chain("const c = new Builder()", "\n.arg(Arg.of(1).name(2))", ";")),
        ("d.cs", &chain("class D { object F() { return new Builder()", "\n.Arg(Arg.Of(1).Name(2))", "; } }")),
        ("e.cpp", &chain("auto e() { return Builder()", "\n.arg(Arg(1).name(2)).get()", "; }")),
        ("f.php", &chain("<?php function f() { return (new Builder())", "\n->arg(Arg::of(1)->name(2))", "; }")),
        ("g.py", &chain("g = (Builder()", "\n.arg(Arg(1).name(2))", ")")),
        ("h.go", &chain("package h\nfunc h() { return New()", ".\nArg(Of(1).Name(2))", " }")),
        ("i.kt", &chain("fun i() = Builder()", "\n.arg(Arg(1).name(2))", "")),
    ]);
    check(&folder.index(), 9, &[]);
}
