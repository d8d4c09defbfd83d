"""What a spec's text says, and which line is wrong with it."""

from __future__ import annotations

import pytest

from mmcg.audit.documents.spec import parse_spec
from tests.audit.repository import BODY, spec_text


def wrong(text: str, folder: str | None = None) -> list[tuple[str, int | None]]:
    return [(each.kind, each.line) for each in parse_spec(text, folder=folder).findings]


def test_everything_that_a_spec_can_say() -> None:
    spec = parse_spec(
        spec_text(
            """\
mode: strict
risk: high
touches:
  - file: 'src\\a.py'
    symbols:
      - A.f
      - name: g
        signature: def g(a)
        becomes: "def g(a, b)"
        callers: {gained: 2, lost: 0}
        reason: two new callers
      - {name: h, callers: {lost: 1}}
creates: [./new.py]
deletes: [old.py]
docs: [docs/a.md]
adds: [N]
removes: [O, {name: P, signature: def P()}]
tests:
  - file: tests/t.py
    names: [test_a, "a: b"]
  - tests/u.py::test_u
  - file: tests/v.py
verify:
  - {id: unit, run: "pytest -q 'a b'", timeout: 2.5, expect_tests: 3}
  - {id: list, run: [make, test]}
  - {id: sh, run: "a | b", shell: true}
"""
        )
    )
    assert not spec.findings
    read = spec.spec
    assert (read.mode, read.risk, read.touches[0].file) == ("strict", "high", "src/a.py")
    f, g, h = read.touches[0].symbols
    assert (f.name, f.line, f.declares_callers) == ("A.f", 9, False)
    assert (g.signature, g.becomes, g.gained, g.lost, g.reason) == ("def g(a)", "def g(a, b)", 2, 0, "two new callers")
    assert h.only_callers
    assert not g.only_callers
    assert [each.path for each in (*read.creates, *read.deletes, *read.docs)] == ["new.py", "old.py", "docs/a.md"]
    assert [(each.name, each.signature) for each in read.removes] == [("O", None), ("P", "def P()")]
    assert [(each.file, each.name) for each in read.tests] == [
        ("tests/t.py", "test_a"),
        ("tests/t.py", "a: b"),
        (None, "tests/u.py::test_u"),
        ("tests/v.py", None),
    ]
    assert [each.argv for each in read.verify] == [("pytest", "-q", "a b"), ("make", "test"), ("a", "|", "b")]
    assert (read.verify[0].timeout, read.verify[0].expect_tests, read.verify[2].shell) == (2.5, 3, True)
    assert read.declares("tests/v.py")
    assert not read.declares("src/b.py")


WRONG = {
    "unknown key": ("touchs: []\n", 4, "`touches`"),
    "unknown key in a list": ("touches:\n  - {file: a, symbol: [x]}\n", 5, "`symbols`"),
    "twice": ("risk: low\nrisk: high\n", 5, ""),
    "a text for a list": ("creates: a.py\n", 4, ""),
    "a list for a text": ("mode: [lite]\n", 4, ""),
    "a mapping for a list": ("docs: {a: b}\n", 4, ""),
    "unknown word": ("risk: hi\n", 4, ""),
    "a word for a number": ("verify:\n  - {run: x, timeout: soon}\n", 5, ""),
    "a negative number": ("verify:\n  - {run: x, expect_tests: -1}\n", 5, ""),
    "an old boolean": ("verify:\n  - {run: x, shell: yes}\n", 5, ""),
    "no command": ("verify:\n  - {id: x}\n", 5, ""),
    "an open quote": ('verify:\n  - {id: x, run: "a \'b"}\n', 5, ""),
    "one id for two commands": ("verify:\n  - {id: x, run: a}\n  - {id: x, run: b}\n", 6, ""),
    "an entry without file": ("touches:\n  - symbols: [a]\n", 5, ""),
    "a symbol without name": ("adds:\n  - {signature: def f()}\n", 5, ""),
    "an empty item": ("adds:\n  - \n", 5, ""),
    "a bracket that is not closed": ("adds: [a\n", 5, ""),
    "an anchor": ("adds: &a [x]\n", 4, ""),
    "an alias": ("adds: [*a]\n", 4, ""),
    "a tag": ("adds: !!python/name:os.system\n", 4, ""),
    "a control character": ("risk: low\ndocs: ['\x1b[31m']\n", 5, ""),
    "a hidden line separator": ("risk: low\ndocs: ['a\u2028']\n", 5, ""),
    "a key that is a list": ("? [a]\n: b\n", 4, ""),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_is_said_with_its_line(name: str) -> None:
    keys, line, hint = WRONG[name]
    (found,) = parse_spec(spec_text(keys)).findings
    assert (found.kind, found.line) == ("frontmatter_invalid", line)
    assert hint in found.hint


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("001", "001"),
        ("1.10", "1.10"),
        ("no", "no"),
        ("0x1F", "0x1F"),
        ("2024-01-01", "2024-01-01"),
        ("'null'", "null"),
    ],
)
def test_texts_keep_their_spelling(written: str, read: str) -> None:
    spec = parse_spec(spec_text(head=f"id: {written}\ntitle: {written}\n"), folder=read)
    assert not spec.findings
    assert spec.spec.id == spec.spec.title == read


@pytest.mark.parametrize("nothing", ["", "~", "null", "''", '" "'])
def test_an_id_and_a_title_are_required(nothing: str) -> None:
    assert wrong(spec_text(head=f"id: {nothing}\ntitle: a\n")) == [("frontmatter_invalid", 2)]
    assert wrong(spec_text(head=f"id: a\ntitle: {nothing}\n")) == [("frontmatter_invalid", 3)]
    assert wrong(spec_text(head="mode: lite\n")) == [("frontmatter_invalid", 1)] * 2


def test_the_id_is_the_name_of_the_folder() -> None:
    assert wrong(spec_text(), "001-case") == []
    assert wrong(spec_text(), "002-other") == [("frontmatter_invalid", 2)]


def test_no_frontmatter_is_never_guessed_from_prose() -> None:
    found = parse_spec("\n" + spec_text())
    assert [each.kind for each in found.findings] == ["frontmatter_missing"]
    assert found.spec.mode == "verified"


def test_an_open_frontmatter_is_no_spec() -> None:
    text = spec_text().replace("---\n\n# Guard", "\n# Guard")
    assert wrong(text) == [("frontmatter_invalid", 1)]


@pytest.mark.parametrize("change", [lambda text: text.replace("\n", "\r\n"), lambda text: "\ufeff" + text])
def test_line_ends_and_byte_order_marks(change, tmp_path) -> None:
    from mmcg.audit.documents.spec import read_spec

    path = tmp_path / "spec.md"
    path.write_bytes(change(spec_text("adds: [a]\n")).encode("utf-8"))
    assert not read_spec(path, tmp_path).findings


EDITS = """
**File:** `src/a.py`

FIND:

```python
one
```

CHANGE TO:

````markdown
```
nested
```
````

Words between.

FIND:

~~~
two
  three
~~~

**CHANGE TO:**

~~~
four
~~~

**File:** `./b/c.txt`
FIND:

    indented

CHANGE TO:

```
```
"""


def test_exact_edits() -> None:
    edits = parse_spec(spec_text(body=BODY + EDITS)).spec.edits
    assert [(each.file, each.find, each.change_to) for each in edits] == [
        ("src/a.py", "one", "```\nnested\n```"),
        ("src/a.py", "two\n  three", "four"),
        ("b/c.txt", "indented", ""),
    ]
    text = spec_text(body=BODY + EDITS).split("\n")
    assert text[edits[0].line - 1] == "```python"


def test_edits_in_code_are_text() -> None:
    body = f"{BODY}\n`````\n{EDITS}\n`````\n"
    assert parse_spec(spec_text(body=body)).spec.edits == ()


def test_a_find_without_its_change() -> None:
    body = BODY + "\n**File:** `a`\n\nFIND:\n\n```\nx\n```\n\nFIND:\n\n```\ny\n```\n\nCHANGE TO:\n\n```\nz\n```\n"
    edits = parse_spec(spec_text(body=body)).spec.edits
    assert [(each.find, each.change_to) for each in edits] == [("x", None), ("y", "z")]
