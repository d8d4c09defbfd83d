"""Every kind of finding of `verify-spec`: where it is found, and where it is not."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

import pytest

from mmcg import indexing
from mmcg.audit.verification import verify
from mmcg.errors import InputError, NoIndexError
from tests.audit.repository import BODY, make_repository, spec_text, write_spec

if TYPE_CHECKING:
    from pathlib import Path

ACCOUNT = "touches:\n  - file: src/bank/account.py\n"


def found(root: Path, keys: str = "", body: str = BODY) -> list[tuple[str, int | None]]:
    done, _ = verify(root, write_spec(root, keys, body))
    return [(each.kind, each.line) for each in done.findings]


def only(root: Path, keys: str = "", body: str = BODY):
    done, _ = verify(root, write_spec(root, keys, body))
    (finding,) = done.findings
    return finding


FINE = {
    "nothing": "",
    "a method": ACCOUNT + "    symbols: [Account.withdraw]\n",
    "the class, not its constructor": ACCOUNT + "    symbols: [Account]\n",
    "an address": ACCOUNT + "    symbols: ['src/bank/account.py::Account.deposit']\n",
    "a module's name in front": ACCOUNT + "    symbols: [bank.account.transfer]\n",
    "other languages' spelling": ACCOUNT + "    symbols: ['Account::withdraw', 'Account#deposit', 'transfer()']\n",
    "a name that another file has too": "touches:\n  - {file: src/bank/fees.py, symbols: [label]}\n",
    "a signature in another layout": ACCOUNT
    + "    symbols:\n      - name: transfer\n        signature: |\n          def transfer(\n"
    + "              source: Account, target: Account,\n              amount, *, note='',\n          ):\n",
    "a signature with its decorator": ACCOUNT
    + '    symbols:\n      - {name: Account.empty, signature: "@property\\ndef empty(self)"}\n',
    "other spellings of paths": "touches:\n  - file: 'src\\bank\\fees.py'\n  - file: ./src/bank/fees.py\n"
    "  - file: 'src/**/*.py'\n  - file: 'src/bank/[fw]*s.py'\n",
    "a new file that is touched too": "creates: [src/new.py]\ntouches:\n  - {file: src/new.py, symbols: [later]}\n",
    "documentation and tests to come": "docs: [docs/new.md]\ntests:\n  - {file: tests/new.py, names: [test_new]}\n",
    "a program after an assignment": 'verify:\n  - {run: "A=1 B=2 sh -c true"}\n',
    "a script from the root": 'verify:\n  - {run: "cd scripts && ./check.sh", shell: true}\n',
    "words of a shell": 'verify:\n  - {run: "test -f x || exit 1; echo $HOME > /dev/null", shell: true}\n',
    "a program that only running tells": 'verify:\n  - {run: "$TOOL --all", shell: true}\n',
}


@pytest.mark.parametrize("name", FINE)
def test_nothing_is_wrong(shop: Path, name: str) -> None:
    (shop / "scripts" / "check.sh").chmod(0o755)
    assert found(shop, FINE[name]) == []


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("/etc/hostname", "absolute"),
        ("C:x.py", "drive letter"),
        ("C:\\x.py", "drive letter"),
        ("../x.py", "upwards"),
        ("src/../../x.py", "upwards"),
        ("src/bank", "directory"),
        (".mastermind/tasks/x", ".mastermind"),
        (".git/config", "git"),
        ('"a\\x1b[31m.py"', "control"),
    ],
)
@pytest.mark.parametrize("key", ["creates", "deletes", "docs"])
def test_path_invalid(shop: Path, path: str, words: str, key: str) -> None:
    finding = only(shop, f"{key}: [{path if path[0] == chr(34) else chr(39) + path + chr(39)}]\n")
    assert (finding.kind, finding.line) == ("path_invalid", 4)
    assert words in finding.message


def test_path_invalid_through_links_and_pipes(own: Path) -> None:
    (own / "out.py").symlink_to("/etc/hostname")
    (own / "way").symlink_to(own.parent)
    os.mkfifo(own / "pipe.py")
    keys = "touches:\n  - file: out.py\n  - file: way/x.py\n  - file: pipe.py\n"
    assert found(own, keys) == [("path_invalid", 5), ("path_invalid", 6), ("path_invalid", 7)]


def test_a_link_inside_is_a_file(own: Path) -> None:
    (own / "alias.py").symlink_to("src/bank/fees.py")
    assert found(own, "touches:\n  - file: alias.py\n") == []


def test_file_missing(shop: Path) -> None:
    finding = only(shop, "touches:\n  - file: src/bank/acount.py\n    symbols: [Account]\n")
    assert (finding.kind, finding.line) == ("file_missing", 5)
    assert "`src/bank/account.py`" in finding.hint
    assert found(shop, "deletes: [none.py]\n") == [("file_missing", 4)]
    assert found(shop, "touches:\n  - file: '**/*.java'\n") == [("file_missing", 5)]


def test_file_exists(shop: Path) -> None:
    assert found(shop, "creates: [a/b.py, docs/guide.md]\n") == [("file_exists", 4)]


def test_hallucinated_existing_symbol(shop: Path) -> None:
    finding = only(shop, ACCOUNT + "    symbols:\n      - Account\n      - Account.widthdraw\n")
    assert (finding.kind, finding.line) == ("hallucinated_existing_symbol", 8)
    assert "Account.withdraw" in finding.hint
    finding = only(shop, ACCOUNT + "    symbols: [fee]\n")
    assert "`src/bank/fees.py`" in finding.hint
    assert found(shop, "removes: [Account.freeze]\n") == [("hallucinated_existing_symbol", 4)]


def test_symbol_ambiguous(shop: Path) -> None:
    finding = only(shop, ACCOUNT + "    symbols: [deposit]\n")
    assert (finding.kind, finding.line) == ("symbol_ambiguous", 6)
    assert {"src/bank/account.py::Account.deposit", "src/bank/account.py::Ledger.deposit"} <= set(finding.about)
    assert found(shop, "removes: [label]\n") == [("symbol_ambiguous", 4)]
    keys = ACCOUNT + '    symbols: [{name: deposit, signature: "def deposit(self, account, amount)"}]\n'
    assert found(shop, keys) == []


@pytest.mark.parametrize(
    "signature",
    [
        "def transfer(source: Account, target: Account, amount)",
        "def transfer(source: Account, target: Account, amount, note='')",
        "async def transfer(source: Account, target: Account, amount, *, note='')",
        "@cache\\ndef transfer(source: Account, target: Account, amount, *, note='')",
    ],
)
def test_signature_mismatch(shop: Path, signature: str) -> None:
    finding = only(shop, ACCOUNT + f'    symbols:\n      - name: transfer\n        signature: "{signature}"\n')
    assert (finding.kind, finding.line) == ("signature_mismatch", 7)
    assert finding.found is not None
    assert "note" in finding.found


def test_a_signature_without_decorators_leaves_them_open(shop: Path) -> None:
    keys = ACCOUNT + '    symbols:\n      - {name: Account.empty, signature: "SIGNATURE"}\n'
    assert found(shop, keys.replace("SIGNATURE", "def empty(self)")) == []
    assert found(shop, keys.replace("SIGNATURE", "@cache\\ndef empty(self)")) == [("signature_mismatch", 7)]


def test_sections(shop: Path) -> None:
    without = BODY.replace("## Tests Plan", "## Notes")
    assert found(shop, body=without) == [("section_missing", 1)]
    assert found(shop, "mode: lite\n", without) == []
    strict = found(shop, "mode: strict\n")
    assert strict == [("section_missing", 1)] * 6
    hidden = BODY.replace("## Scope", "```\n## Scope\n```")
    assert found(shop, body=hidden) == [("section_missing", 1)]
    other = BODY.replace("## Scope", "## 2. SCOPE:").replace("## Goals", "Goals\n-----")
    assert found(shop, body=other) == []


@pytest.mark.parametrize(
    "nothing", ["", "<!-- later -->", "<!--\nlater\n\nand later\n-->", "<!-- never closed", "  \n\t\n", "PLACEHOLDER"]
)
def test_section_empty(shop: Path, nothing: str) -> None:
    from mmcg.audit.documents.template import PLACEHOLDERS

    placeholder = next(each for each in PLACEHOLDERS if "What belongs to it" in each)
    nothing = nothing.replace("PLACEHOLDER", placeholder)
    at_end = BODY.replace("Run the tests.", nothing)
    assert found(shop, body=at_end) == [("section_empty", 24)]


@pytest.mark.parametrize("something", ["`Vec<String>`", "<b>x</b>", "```\n```", "- none", "<T>", "| a |\n|---|", "1"])
def test_a_section_that_says_something(shop: Path, something: str) -> None:
    assert found(shop, body=BODY.replace("Run the tests.", something)) == []


def edit(find: str, file: str = "src/bank/account.py") -> str:
    return f"{BODY}\n**File:** `{file}`\n\nFIND:\n\n```\n{find}\n```\n\nCHANGE TO:\n\n```\nx\n```\n"


def test_find(shop: Path) -> None:
    assert found(shop, body=edit("if amount > self.balance:")) == []
    finding = only(shop, body=edit("if amount >= self.balance:"))
    assert (finding.kind, finding.file) == ("find_not_found", ".mastermind/tasks/001-case/spec.md")
    assert "Line 11" in finding.hint
    assert [kind for kind, _ in found(shop, body=edit("        return self.balance"))] == ["find_ambiguous"]
    assert [kind for kind, _ in found(shop, body=edit("x", "src/none.py"))] == ["find_not_found"]
    assert [kind for kind, _ in found(shop, body=edit("x", "src"))] == ["path_invalid"]
    assert [kind for kind, _ in found(shop, body=edit("x").replace("**File:**", "File"))] == ["find_not_found"]


def test_find_in_files_of_other_kinds(own: Path) -> None:
    (own / "latin.txt").write_bytes("café\n".encode("latin-1"))
    (own / "dos.txt").write_bytes(b"one\r\ntwo\r\n")
    os.mkfifo(own / "pipe")
    assert [kind for kind, _ in found(own, body=edit("café", "latin.txt"))] == ["find_not_found"]
    assert found(own, body=edit("one\ntwo", "dos.txt")) == []
    assert [kind for kind, _ in found(own, body=edit("x", "pipe"))] == ["path_invalid"]


@pytest.mark.parametrize(
    "run",
    [
        "no-such-program-zq -a",
        "A=1 no-such-program-zq",
        "cd src && no-such-program-zq",
        "true; no-such-program-zq | cat",
        "./no-such-program-zq",
        "if no-such-program-zq; then true; fi",
    ],
)
@pytest.mark.parametrize("shell", ["true", "false"])
def test_verify_command_missing(shop: Path, run: str, shell: str) -> None:
    finding = only(shop, f'verify:\n  - {{id: unit, run: "{run}", shell: {shell}}}\n')
    assert (finding.kind, finding.severity, finding.line) == ("verify_command_missing", "warning", 5)
    assert "no-such-program-zq" in finding.message


def test_a_word_of_an_argument_is_no_program(shop: Path) -> None:
    assert found(shop, 'verify:\n  - {run: [sh, -c, "a && no-such-program-zq"]}\n') == []


def test_large_blast_radius(tmp_path: Path) -> None:
    files = {"lib.py": "def shout(x):\n    return x\n\n\ndef quiet(x):\n    return x\n"}
    for count in range(30):
        more = "    quiet(1)\n" if count else ""
        files[f"m{count}.py"] = f"from lib import shout, quiet\n\n\ndef f{count}():\n    shout(1)\n{more}"
    root = make_repository(tmp_path / "big", files)
    finding = only(root, "touches:\n  - {file: lib.py, symbols: [shout, quiet]}\n")
    assert (finding.kind, finding.severity) == ("large_blast_radius", "warning")
    assert "lib.py::shout` has 30 callers, and 30 symbols" in finding.message


STRICT = BODY + "".join(
    f"\n## {each}\n\nNone.\n"
    for each in (
        "Alternatives Considered",
        "Risk Register",
        "Rollback",
        "Documentation Plan",
        "Observability Plan",
        "Performance Considerations",
    )
)


def test_index_stale(own: Path) -> None:
    assert found(own, "mode: strict\n", STRICT) == []
    (own / "src" / "bank" / "new.py").write_text("def new():\n    pass\n", encoding="utf-8")
    assert found(own, "mode: strict\n", STRICT) == [("index_stale", 1)]
    keys = "touches:\n  - {file: src/bank/new.py, symbols: [new]}\n"
    assert found(own, keys) == []  # Brought up to date.
    assert found(own, "mode: strict\n" + keys, STRICT) == []


def test_a_new_time_makes_no_index_stale(own: Path) -> None:
    os.utime(own / "src" / "bank" / "fees.py", (time.time(), time.time() - 1000))
    assert found(own, "mode: strict\n", STRICT) == []
    indexing.index(own)


def test_a_missing_index_is_made_but_not_for_strict(tmp_path: Path) -> None:
    root = make_repository(tmp_path / "new", indexed=False)
    with pytest.raises(NoIndexError):
        found(root, "mode: strict\n" + ACCOUNT, STRICT)
    assert found(root, ACCOUNT + "    symbols: [Account]\n") == []


def test_a_spec_anywhere_in_the_repository(own: Path) -> None:
    path = own / "docs" / "spec.md"
    path.write_text(spec_text(ACCOUNT), encoding="utf-8")
    done, _ = verify(own, path)
    assert done.verdict == "pass"


@pytest.mark.parametrize(
    "make",
    [
        lambda path: None,
        lambda path: path.write_bytes(b"\xff\xfe-\x00-\x00-\x00"),
        lambda path: path.write_bytes(b"---\nid: caf\xe9\n---\n"),
        lambda path: path.write_bytes(b"---\nid: \x00\n---\n"),
        lambda path: path.write_bytes(b"a\n" * 5_000_000),
        lambda path: os.mkfifo(path),
        lambda path: path.mkdir(),
        lambda path: path.symlink_to("/etc/hostname"),
        lambda path: path.symlink_to("/dev/zero"),
    ],
    ids=["none", "utf-16", "latin-1", "NUL", "10 MB", "pipe", "folder", "link", "device"],
)
def test_what_cannot_be_read_is_refused(own: Path, make) -> None:
    path = own / ".mastermind" / "tasks" / "001-case" / "spec.md"
    path.parent.mkdir(parents=True)
    make(path)
    with pytest.raises(InputError):
        verify(own, path)


HOSTILE = {
    "bomb": "a: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]\n",
    "deep": "adds: " + "[" * 5000 + "]" * 5000 + "\n",
    "deep mapping": "".join(" " * n + f"k{n}:\n" for n in range(300)),
    "many": "adds: [" + "x," * 300_000 + "]\n",
    "merge": "<<: {adds: [x]}\n",
    "python": "adds: !!python/object/apply:os.system [id]\n",
    "escape": 'adds: ["\\x1b[31mred"]\n',
    "many keys": "".join(f"key{n}: 1\n" for n in range(2000)),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_frontmatter_is_refused_quickly(shop: Path, name: str) -> None:
    begun = time.process_time()
    kinds = {kind for kind, _ in found(shop, HOSTILE[name])}
    assert kinds == (set() if name == "escape" else {"frontmatter_invalid"})
    assert time.process_time() - begun < 8


@pytest.mark.parametrize(
    "text", ["[" * 60_000, "*a_" * 60_000, "> " * 60_000, "`" * 90_001 + " ", "- " * 60_000, "<!--" * 50_000]
)
def test_hostile_markdown_is_read_quickly(shop: Path, text: str) -> None:
    begun = time.process_time()
    assert found(shop, body=BODY + text) == []
    assert time.process_time() - begun < 8
