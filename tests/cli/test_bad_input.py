"""What people point the program at: each is indexed, left out with a reason, or a clear error. Never a traceback.

How files are read is tested in `rust/engine/tests`, how damaged databases are met in `tests/store`; this is what a user
sees of both.
"""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
import threading
import time
from pathlib import Path

import pytest

from mmcg import _core, indexing
from mmcg.export import lines
from mmcg.query import Context, Options, ask
from mmcg.query.registry import QUESTIONS
from mmcg.settings import Places
from mmcg.store import open_index
from mmcg.store.ingest import build_database
from mmcg.store.schema import SCHEMA_VERSION
from mmcg.store.verify import verify
from tests.fake_core import fake_meta, graph_tables
from tests.trees import answer, mastermind, write_chain, write_tree

DEPTH = 100_000
FUNCTION = "def top():\n    return bottom()\n\n\ndef bottom():\n    return 'caf\u00e9'\n"


def nested(text: str, brackets: str) -> str:
    """A text with very many brackets in the place of `<` and `>`."""
    return text.replace("<", brackets[0] * DEPTH).replace(">", brackets[1] * DEPTH)


NESTED = {
    "deep.c": nested("int top(void) { < return bottom(); > }\nint bottom(void) { return 1; }\n", "{}"),
    "deep.cpp": nested("int bottom() { return 1; }\nint top() { return <bottom()>; }\n", "()"),
    "deep.js": nested("function top() {< bottom(); >}\nfunction bottom() {}\n", "{}"),
    "deep.ts": nested("function top() { const x = <1>; }\n", "[]"),
    "deep.py": nested("x = <1>\n\ndef top():\n    return 1\n", "()"),
    "deep.java": nested("class A { void top() {<>} }\n", "{}"),
    "deep.cs": nested("class A { void Top() {<>} }\n", "{}"),
    "deep.go": nested("package a\n\nfunc top() {<>}\n", "{}"),
    "deep.rs": nested("fn top() {<>}\n", "{}"),
    "deep.php": nested("<?php\nfunction top() {<>}\n".replace("<?", "@?"), "{}").replace("@?", "<?"),
    "deep.rb": nested("def top\n  <1>\nend\n", "[]"),
    "deep.kt": nested("fun top() = <1>\n", "()"),
}

READ = {
    "empty.py": b"",
    "blank.js": b"\n \n\t\n",
    "bom.py": b"\xef\xbb\xbf" + FUNCTION.encode(),
    "crlf.py": FUNCTION.replace("\n", "\r\n").encode(),
    "cr.py": FUNCTION.replace("\n", "\r").encode(),
    "utf16.py": FUNCTION.encode("utf-16"),
    "utf16be.py": b"\xfe\xff" + FUNCTION.encode("utf-16-be"),
    "latin1.py": FUNCTION.encode("latin-1"),
    "nul.py": b"# \0\0\n" + FUNCTION.encode(),
    "syntax.py": b"def broken(:\n    return (\n\n" + FUNCTION.encode(),
    "unclosed.js": b"function top() { return bottom(\nfunction bottom() {}\n",
    "conflict.py": b"<<<<<<< HEAD\nx = 1\n=======\nx = 2\n>>>>>>> other\n" + FUNCTION.encode(),
    "table.js": b"exports.rows = '" + b"ab,cd/" * 20_000 + b"';\nfunction top() {}\n",
    "Case.py": FUNCTION.encode(),
    "case.py": FUNCTION.encode(),
    "new\nline.py": FUNCTION.encode(),
    'it\'s "quoted" `here`.py': FUNCTION.encode(),
    "-rf.py": FUNCTION.encode(),
    "\U0001f980 \u00fc\u00f1\u00ef.py": FUNCTION.encode(),
    "%s{0}$HOME;--.py": FUNCTION.encode(),
    "folder.py/inner.py": FUNCTION.encode(),
    **{name: text.encode() for name, text in NESTED.items()},
}
LEFT_OUT = {
    "noise.py": (bytes(range(256)) * 40, "binary"),
    "archive.java": (b"PK\x03\x04" + b"\0" * 4000, "binary"),
    "utf32.py": (FUNCTION.encode("utf-32"), "undecodable"),
    "oneline.js": (b"a(1);" * (50_000_000 // 5), "too_large"),
    "bundle.js": (b"function f(a){return a=g(a)};" * 10_000, "minified"),
    "jquery.min.js": (b"!function(e,t){t(e)}(this,function(e){return e=f(e)});" * 40, "minified"),
}
BROKEN = {"syntax.py", "unclosed.js", "conflict.py"}

MANIFESTS = {
    "package.json": b"{ not json",
    "tsconfig.json": b'{"extends": "./tsconfig.json", "compilerOptions": {"paths": 7}}',
    "go.mod": b"\xff\xfe\x00module",
    "Cargo.toml": b"[package\nname = ",
    "pom.xml": b"<project><modules><module>../..",
    "composer.json": b'["autoload"]',
    "compile_commands.json": b"[{}, 1, null]",
    "pyproject.toml": b"\0\0\0",
    ".gitignore": b"[z-a\n\\\n!\n\xff\xfe\n",
    ".mastermindignore": b"{unclosed\n",
}


@pytest.fixture(scope="module")
def zoo(tmp_path_factory):
    """All of it in one folder, indexed: the folder, and what `index --json` said."""
    root = tmp_path_factory.mktemp("zoo")
    for name, content in {**READ, **{name: content for name, (content, _) in LEFT_OUT.items()}, **MANIFESTS}.items():
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_bytes(content)
    (root / "loop").symlink_to("..")
    (root / "self.py").symlink_to("self.py")
    (root / "dangling.py").symlink_to("nowhere.py")
    os.mkfifo(root / "pipe.py")
    done = mastermind("index", "--json", cwd=root)
    assert (done.returncode, done.stderr) == (0, "")
    return root, json.loads(done.stdout)


@pytest.fixture(scope="module")
def found(zoo):
    """The qualified names of each file's symbols."""
    exported = mastermind("export", "symbols", cwd=zoo[0])
    assert (exported.returncode, exported.stderr) == (0, "")
    names = {}
    for row in map(json.loads, exported.stdout.splitlines()):
        names.setdefault(row["file"], {})[row["qualified"]] = (row["line"], row["column"])
    return names


def test_every_file_is_there_or_left_out_with_a_reason(zoo, found):
    _, said = zoo
    left_out = {each["path"]: each["reason"] for each in said["skipped"]}
    assert left_out == {name: reason for name, (_, reason) in LEFT_OUT.items()} | {"pipe.py": "unreadable"}
    assert set(found) == set(READ)
    assert said["files"] == len(READ)


@pytest.mark.parametrize("name", [name for name, content in READ.items() if b"def top():" in content.replace(b"\0", b"")
                                  and name not in NESTED])  # fmt: skip
def test_definitions_are_found_whatever_the_encoding_and_the_name(found, name):
    first = {"nul.py": 2, "syntax.py": 4, "conflict.py": 6}.get(name, 1)
    assert found[name]["top"] == (first, 5)
    assert found[name]["bottom"] == (first + 4, 5)


@pytest.mark.parametrize("name", NESTED)
def test_deeply_nested_code_is_indexed(zoo, found, name):
    problems = {each["code"] for each in zoo[1]["problems"] if each["path"] == name}
    assert "internal" not in problems
    assert {"top", "A.top", "A.Top"} & set(found[name]) or problems, "nothing found, and nothing said"


def test_what_is_wrong_with_a_file_is_said(zoo):
    problems = {(each["path"], each["code"]) for each in zoo[1]["problems"]}
    assert {path for path, code in problems if code == "syntax_error" and path not in NESTED} == BROKEN
    assert {path for path, code in problems if code == "encoding"} == {"latin1.py"}
    assert all(each["line"] >= 1 and each["message"] for each in zoo[1]["problems"])


def test_calls_are_found_in_them(zoo):
    exported = mastermind("export", "edges", cwd=zoo[0])
    edges = [json.loads(line) for line in exported.stdout.splitlines()]
    calling = {edge["file"] for edge in edges if edge["target"] and edge["name"] == "bottom"}
    plain = {name for name in READ if name.endswith(".py") and name not in ("empty.py", "deep.py")}
    assert plain <= calling


@pytest.mark.parametrize(
    "name", ["new\nline.py", 'it\'s "quoted" `here`.py', "-rf.py", "\U0001f980 \u00fc\u00f1\u00ef.py"]
)
def test_odd_names_can_be_asked_for(zoo, name):
    shown = mastermind("query", "callers", "--root", str(zoo[0]), "--json", "--", f"{name}::bottom")
    assert shown.returncode == 0, shown.stderr
    assert [row["symbol"] for row in json.loads(shown.stdout)["results"]] == [f"{name}::top"]
    assert mastermind("query", "symbols", "--root", str(zoo[0]), "--", name).returncode == 0
    assert mastermind("query", "source", "--root", str(zoo[0]), "--", f"{name}::top").returncode == 0


def test_the_second_run_says_the_same(zoo):
    again = answer("index", cwd=zoo[0])
    assert again["skipped"] == zoo[1]["skipped"]
    assert again["problems"] == zoo[1]["problems"]
    assert again["parsed"] == 0


def test_text_output_counts_what_was_left_out(zoo):
    shown = mastermind("index", cwd=zoo[0])
    assert f"{len(zoo[1]['skipped'])} skipped" in shown.stdout
    assert f"{len(zoo[1]['problems'])} problems" in shown.stdout


def as_nobody(root, work):
    """Without the right to read everything, which root has."""
    if os.geteuid() != 0:
        return work()
    root.chmod(0o755)
    os.seteuid(65534)
    try:
        return work()
    finally:
        os.seteuid(0)


def test_what_may_not_be_read_is_said():
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        write_tree(root, {"ok.py": "", "secret.py": "x = 1\n", "closed/a.py": ""})
        (root / "secret.py").chmod(0)
        (root / "closed").chmod(0)
        summary = as_nobody(root, lambda: _core.index(root).summary)
        (root / "closed").chmod(0o755)
    assert summary["files"] == 1
    assert {(each["path"], each["reason"]) for each in summary["skipped"]} == {
        ("closed", "unreadable"), ("secret.py", "unreadable"),
    }  # fmt: skip


@pytest.mark.parametrize("name", ['it\'s "quoted"', "new\nline", "-dash", "\U0001f980 \u00fc", "a;b --x", "100%"])
def test_the_folder_itself_may_have_any_name(tmp_path, name):
    root = tmp_path / name
    root.mkdir()
    write_tree(root, {"a.py": FUNCTION})
    done = mastermind("index", "--json", "--", name, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    for _ in range(2):
        shown = mastermind("query", "callers", "bottom", "--json", cwd=root)
        assert [row["symbol"] for row in json.loads(shown.stdout)["results"]] == ["a.py::top"]
        write_tree(root, {"b.py": "x = 1\n"})


def test_a_folder_whose_name_is_no_text(tmp_path):
    root = tmp_path / os.fsdecode(b"caf\xe9")
    root.mkdir()
    write_tree(root, {"a.py": FUNCTION})
    for arguments in (["index", str(root)], ["query", "callers", "bottom", "--root", str(root)]):
        done = mastermind(*arguments)
        assert (done.returncode, done.stdout) == (2, "")
        assert "caf\ufffd` is not UTF-8" in done.stderr
    (tmp_path / "link").symlink_to(root)
    assert mastermind("index", "link", cwd=tmp_path).returncode == 0
    assert mastermind("query", "callers", "bottom", "--root", "link", cwd=tmp_path).returncode == 0


def clear(done):
    """Neither a traceback nor an internal fault."""
    assert "Traceback" not in done.stderr
    assert "inside mastermind" not in done.stderr, done.stderr


def test_a_terminal_that_knows_ascii_only(tmp_path):
    write_tree(tmp_path, {"\u00fc.py": FUNCTION, "b.py": "def f(:\n"})
    for arguments in (
        ["index"],
        ["query", "symbols", "."],
        ["query", "callers", "bottom", "--json"],
        ["export", "edges"],
    ):
        done = mastermind(*arguments, cwd=tmp_path, PYTHONIOENCODING="ascii", PYTHONUTF8="0")
        clear(done)
        assert done.returncode == 0, done.stderr


def test_everything_ignored_is_said(tmp_path):
    write_tree(tmp_path, {".gitignore": "*\n", "a.py": FUNCTION})
    said = answer("index", cwd=tmp_path)
    assert said["files"] == 0
    assert "ignored" in said["notices"][0]
    done = mastermind("index", cwd=tmp_path)
    assert done.returncode == 0
    assert "ignored" in done.stderr
    asked = mastermind("query", "callers", "bottom", cwd=tmp_path)
    assert asked.returncode == 1
    clear(asked)


def test_an_empty_folder(tmp_path):
    done = mastermind("index", cwd=tmp_path)
    assert done.returncode == 0
    assert "no supported source files" in done.stderr
    ask_everything(tmp_path)


def test_files_without_a_call_or_a_base(tmp_path):
    write_tree(tmp_path, {"a.py": "x = 1\n"})
    assert mastermind("index", cwd=tmp_path).returncode == 0
    ask_everything(tmp_path)


def ask_everything(root):
    """Every kind of question and export, whatever it answers."""
    index, freshness = indexing.open_refreshed(root)
    context = Context(index, freshness)
    for question in QUESTIONS.values():
        targets = {"sql": ["SELECT confidence, rule FROM calls"], "path": ["x", "x"]}.get(question.name, ["x"])
        if question.name != "changed":
            assert ask(context, question.name, targets, Options()).status in ("ok", "not_found")
    assert all(row["kind"] for row in lines.symbols(context))
    assert list(lines.edges(context)) == []
    assert list(lines.edge_lines(context)) == []
    index.close()


@pytest.mark.parametrize("inside", [".mastermind", ".mastermind/cache"])
def test_the_index_folder_is_no_repository(tmp_path, inside):
    write_tree(tmp_path, {"a.py": FUNCTION})
    assert mastermind("index", cwd=tmp_path).returncode == 0
    before = sorted(path.name for path in (tmp_path / ".mastermind").iterdir())
    done = mastermind("index", cwd=tmp_path / inside)
    assert (done.returncode, done.stdout) == (2, "")
    assert "`.mastermind`" in done.stderr
    assert sorted(path.name for path in (tmp_path / ".mastermind").iterdir()) == before
    assert mastermind("query", "callers", "bottom", cwd=tmp_path / inside).returncode == 0


def test_json_errors_of_bad_paths(tmp_path):
    write_tree(tmp_path, {"a.py": FUNCTION})
    for path in ("nowhere", "a.py", "a.py/x", ""):
        done = mastermind("index", path, "--json", cwd=tmp_path)
        assert done.returncode == 2, path
        assert json.loads(done.stdout)["status"] == "error"
        clear(done)
    assert not (tmp_path / ".mastermind").exists()


def test_an_index_of_a_newer_version(tmp_path):
    write_tree(tmp_path, {"a.py": FUNCTION})
    assert mastermind("index", cwd=tmp_path).returncode == 0
    Places(tmp_path).database.unlink()
    build_database(Places(tmp_path).database, graph_tables(), fake_meta(tmp_path, schema_version=SCHEMA_VERSION + 1))
    for arguments in (["query", "callers", "bottom"], ["export", "edges"], ["doctor"]):
        done = mastermind(*arguments, cwd=tmp_path)
        assert done.returncode == 3
        assert "newer version" in done.stderr
        clear(done)
    done = mastermind("index", cwd=tmp_path)
    assert done.returncode == 0
    assert "newer version" in done.stderr
    assert list((tmp_path / ".mastermind").glob("mmcg.db.bad-*")), "the other version's index is kept"
    assert mastermind("query", "callers", "bottom", cwd=tmp_path).returncode == 0


def test_a_file_that_changes_while_it_is_read(tmp_path):
    write_chain(tmp_path, 20)
    stop = threading.Event()

    def rewrite():
        at = 0
        while not stop.is_set():
            at += 1
            for name in ("m3.py", "m7.py", "m19.py"):
                (tmp_path / name).write_text(f"def changing_{at}():\n    changing_{at}()\n" * (at % 50 + 1))

    writer = threading.Thread(target=rewrite)
    writer.start()
    try:
        for rebuild in ([], ["--rebuild"], []):
            done = mastermind("index", *rebuild, cwd=tmp_path)
            assert (done.returncode, done.stderr) == (0, "")
            with open_index(tmp_path) as index:
                verify(index)
    finally:
        stop.set()
        writer.join()
    write_tree(tmp_path, dict.fromkeys(("m3.py", "m7.py", "m19.py"), "def last():\n    last()\n"))
    asked = answer("query", "search", "last", cwd=tmp_path)
    assert {row["symbol"] for row in asked["results"]} >= {"m3.py::last", "m7.py::last", "m19.py::last"}
    assert asked["index"]["fresh"]


@pytest.fixture
def small_disk(tmp_path):
    """A file system of its own, of 16 MB, where this process may mount one."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = (
        os.geteuid() == 0
        and not subprocess.run(
            ["mount", "-t", "tmpfs", "-o", "size=16m", "tmpfs", disk], check=False, capture_output=True
        ).returncode
    )
    if not mounted:
        pytest.skip("no file system may be mounted; tests/store fails writes by a limit on file sizes")
    yield disk
    subprocess.run(["umount", "-l", disk], check=True)


def fill(disk):
    """Leave no free space."""
    with (disk / "filler.bin").open("wb", buffering=0) as file:
        try:
            while file.write(b"\0" * 4096) == 4096:
                pass
        except OSError:
            return


def test_a_full_disk_keeps_the_old_index(small_disk):
    write_chain(small_disk, 5, "old")
    assert mastermind("index", cwd=small_disk).returncode == 0
    write_chain(small_disk, 5, "new")
    fill(small_disk)
    for _ in range(2):
        done = mastermind("index", cwd=small_disk)
        assert (done.returncode, done.stdout) == (3, "")
        assert "space" in done.stderr
        clear(done)
    asked = mastermind("query", "callers", "old_1", cwd=small_disk)
    assert asked.returncode == 0, asked.stderr
    assert "old_0" in asked.stdout
    assert "stale" in asked.stderr
    (small_disk / "filler.bin").unlink()
    assert mastermind("index", cwd=small_disk).returncode == 0
    assert mastermind("query", "callers", "new_1", cwd=small_disk).returncode == 0
    assert not list((small_disk / ".mastermind").glob("*.tmp*"))


def test_a_full_disk_before_the_first_index(small_disk):
    write_chain(small_disk, 2)
    fill(small_disk)
    done = mastermind("index", cwd=small_disk)
    assert (done.returncode, done.stdout) == (3, "")
    clear(done)
    assert mastermind("query", "callers", "first_1", cwd=small_disk).returncode == 3


def test_a_read_only_repository(small_disk):
    write_chain(small_disk, 2)
    read_only = ["mount", "-o", "remount,ro", small_disk]
    subprocess.run(read_only, check=True)
    done = mastermind("index", "--json", cwd=small_disk)
    assert done.returncode == 3
    assert json.loads(done.stdout)["code"] == "store_not_writable"
    clear(done)
    subprocess.run(["mount", "-o", "remount,rw", small_disk], check=True)
    for file in small_disk.glob("*.py"):
        os.utime(file, ns=(1_700_000_000_000_000_000,) * 2)
    time.sleep(0.05)
    assert mastermind("index", cwd=small_disk).returncode == 0
    subprocess.run(read_only, check=True)
    asked = mastermind("query", "callers", "first_1", cwd=small_disk)
    assert (asked.returncode, asked.stderr) == (0, "")
    assert mastermind("doctor", cwd=small_disk).returncode == 0
    subprocess.run(["mount", "-o", "remount,rw", small_disk], check=True)
    write_chain(small_disk, 2, "other")
    subprocess.run(read_only, check=True)
    asked = mastermind("query", "callers", "first_1", cwd=small_disk)
    assert asked.returncode == 0
    assert "stale" in asked.stderr
    clear(asked)


@pytest.mark.slow
def test_fifty_thousand_files_in_one_folder(tmp_path):
    for n in range(50_000):
        (tmp_path / f"part{n:05}.py").write_text(f"def f{n}():\n    return f{n}()\n")
    begun = time.monotonic()
    said = answer("index", cwd=tmp_path)
    assert (said["files"], said["symbols"], said["edges"]["exact"]) == (50_000, 100_000, 50_000)
    assert time.monotonic() - begun < 100
    assert answer("query", "callers", "f49999", cwd=tmp_path)["total"] == 1


def test_modules_of_the_repository_are_not_run(tmp_path: Path) -> None:
    names = ("copy", "json", "typing", "click", "duckdb")
    write_tree(tmp_path, {f"{name}.py": "raise SystemExit('the repository was run')\n" for name in names})
    assert answer("index", cwd=tmp_path)["files"] == len(names)
