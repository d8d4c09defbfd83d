//! What the tables say about real files.

mod common;
use common::{rows, Folder};
use mmcg_engine::Run;

/// The text of each symbol, cut out of the file's bytes by the offsets in the table.
fn cut(folder: &Folder, run: &Run, decode: impl Fn(&[u8]) -> String) -> Vec<String> {
    rows(run, "symbols", &["path", "kind", "start_byte", "end_byte"])
        .iter()
        .map(|row| row.split(" | ").collect::<Vec<_>>())
        .filter(|row| row[1] == "function")
        .map(|row| {
            let bytes = std::fs::read(folder.root().join(row[0])).unwrap();
            decode(&bytes[row[2].parse().unwrap()..row[3].parse().unwrap()])
        })
        .collect()
}

const FUNCTIONS: &str =
    "# caf\u{e9}\r\ndef first():\r\n    return 'caf\u{e9}'\r\n\r\ndef second():\r\n    return 2\r\n";
const CUT: [&str; 2] = ["def first():\r\n    return 'caf\u{e9}'", "def second():\r\n    return 2"];

#[test]
fn offsets_are_those_of_the_file_behind_a_byte_order_mark() {
    let folder = Folder::with(&[("a.py", &format!("\u{feff}{FUNCTIONS}"))]);
    let run = folder.index();
    assert_eq!(cut(&folder, &run, |bytes| String::from_utf8(bytes.to_vec()).unwrap()), CUT);
    assert_eq!(
        rows(&run, "symbols", &["name", "line", "column", "end_line"])[1..],
        ["first | 2 | 5 | 3", "second | 5 | 5 | 6"]
    );
}

#[test]
fn offsets_are_those_of_the_file_in_other_encodings() {
    let folder = Folder::new();
    let latin1: Vec<u8> = FUNCTIONS.chars().map(|c| c as u8).collect();
    folder.write("a.py", &latin1);
    assert_eq!(cut(&folder, &folder.index(), |bytes| bytes.iter().map(|&b| b as char).collect()), CUT);

    let units = |bytes: &[u8]| bytes.chunks(2).map(|b| u16::from_be_bytes([b[0], b[1]])).collect::<Vec<_>>();
    let utf16 = [0xfe, 0xff].into_iter().chain(FUNCTIONS.encode_utf16().flat_map(u16::to_be_bytes));
    folder.write("a.py", utf16.collect::<Vec<u8>>());
    assert_eq!(cut(&folder, &folder.index(), |bytes| String::from_utf16(&units(bytes)).unwrap()), CUT);
}

#[test]
fn lines_do_not_depend_on_line_ends() {
    let places = |text: &str| {
        let folder = Folder::with(&[("a.py", text)]);
        rows(&folder.index(), "symbols", &["address", "line", "column", "end_line", "body_hash"])
    };
    let lf = FUNCTIONS.replace("\r\n", "\n");
    assert_eq!(places(FUNCTIONS), places(&lf));
    assert_eq!(places(&lf.replace('\n', "\r")), places(&lf));
}

#[test]
fn a_nul_in_a_comment_hides_nothing() {
    let folder = Folder::new();
    folder.write("a.py", b"# \0 \ndef f():\n    return 1\n");
    let run = folder.index();
    assert_eq!(rows(&run, "symbols", &["address"]), ["a.py::<module>", "a.py::f"]);
    assert!(rows(&run, "problems", &["code"]).is_empty());
}

#[test]
fn addresses_of_one_name_carry_the_line() {
    let folder = Folder::with(&[("a.py", "def f(): pass\ndef g(): pass\ndef f(x): pass\n")]);
    let addresses = rows(&folder.index(), "symbols", &["address"]);
    assert_eq!(addresses, ["a.py::<module>", "a.py::f@1", "a.py::g", "a.py::f@3"]);
}

#[test]
fn parameters_and_arity() {
    let source = "class A:\n    def m(self, a, b: int = 1, *, c, d=2): pass\ndef v(*args, **kw): pass\n";
    let folder = Folder::with(&[("a.py", source)]);
    let run = folder.index();
    let symbols = rows(&run, "symbols", &["qualified", "required", "maximum", "container"]);
    assert_eq!(symbols, ["<module> | 0 | 0 | -", "A | 0 | 0 | -", "A.m | 2 | 4 | 1", "v | 0 | - | -"]);
    let parameters = &rows(&run, "symbols", &["parameters"])[2];
    let wanted = [
        r#"{"name":"self","kind":"receiver","required":false}"#,
        r#"{"name":"a","kind":"normal","required":true}"#,
        r#"{"name":"b","kind":"normal","required":false,"type":"int","default":true}"#,
        r#"{"name":"c","kind":"keyword","required":true}"#,
        r#"{"name":"d","kind":"keyword","required":false,"default":true}"#,
    ];
    assert_eq!(parameters, &format!("[{}]", wanted.join(",")));
}

#[test]
fn calls_say_what_is_written() {
    let folder = Folder::with(&[("a.py", "def f(*a, **k): pass\nf(1, x=2)\nf(*[1])\nmissing()\n")]);
    let run = folder.index();
    let calls = rows(&run, "calls", &["target", "line", "name", "arguments", "keywords", "spread", "form"]);
    assert_eq!(
        calls,
        [
            r#"1 | 2 | f | 2 | ["x"] | false | call"#,
            "1 | 3 | f | - | - | true | call",
            "- | 4 | missing | 0 | - | false | call",
        ]
    );
    assert_eq!(run.summary.call_sites, 3);
}

#[test]
fn a_broken_file_has_facts_and_a_problem() {
    let folder = Folder::with(&[(
        "half.py",
        "def good_one():\n    return good_two()\n\ndef broken(:\n    return (\n\ndef good_two():\n    return 1\n",
    )]);
    let run = folder.index();
    let names = rows(&run, "symbols", &["name"]);
    assert!(names.contains(&"good_one".to_owned()) && names.contains(&"good_two".to_owned()), "{names:?}");
    let problems = rows(&run, "problems", &["path", "code"]);
    assert!(!problems.is_empty() && problems.iter().all(|row| row == "half.py | syntax_error"), "{problems:?}");
}

#[test]
fn every_table_has_its_columns_without_any_row() {
    let run = Folder::new().index();
    let mut names: Vec<&str> = run.tables.iter().map(|table| table.name).collect();
    names.sort_unstable();
    let wanted = ["bases", "calls", "files", "imports", "overrides", "problems", "references", "skipped", "symbols"];
    assert_eq!(names, wanted);
    assert!(run.tables.iter().all(|table| table.rows() == 0 && table.batches[0].num_columns() >= 2));
}

#[test]
fn threads_do_not_matter() {
    let folder = Folder::new();
    for i in 0..60 {
        let other = (i * 7 + 3) % 60;
        let text = format!("from p{other} import f{other}\n\nclass C{i}:\n    def m(self):\n        return f{other}(self)\n\ndef f{i}(x):\n    return C{i}().m()\n");
        folder.write(&format!("p{i}.py"), text);
    }
    let one = folder.index_with(1);
    for jobs in [2, 5, 16] {
        let many = folder.index_with(jobs);
        for (one, many) in one.tables.iter().zip(&many.tables) {
            assert_eq!(one.batches, many.batches, "{} with {jobs} threads", one.name);
        }
    }
}
