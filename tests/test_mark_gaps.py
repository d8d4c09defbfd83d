"""Marks say what a suite's claims and the graph disagree on, and nothing is left after them."""

from __future__ import annotations

from pathlib import Path

from tests.mark_gaps import Line, marked
from tests.suites import Suite

SUITE = """# Suite

## Section

`a.py`:

```py
def f():                    # callers: g, <module>; kind: class
    pass

def g():  # callers: nowhere
    f()
    f(1)                    # calls: missing f
    len()                   # calls: f [lexical], wrong g; external: os.len

h = lambda: 1               # callers: f, wrong g
```

`a.py`:

```symbols
function f 1
wrong function h 2
missing function g 4
class Lost 9
```
"""

MARKED = """# Suite

## Section

`a.py`:

```py
def f():                    # callers: g, missing <module>; kind: missing class
    pass

def g():  # callers: missing nowhere
    f()  # calls: wrong f
    f(1)                    # calls: f
    len()                   # calls: missing f [lexical]; external: missing os.len

h = lambda: 1               # callers: missing f
```

`a.py`:

```symbols
wrong variable h 9
function f 1
function g 4
missing class Lost 9
```
"""


def test_what_is_lost_unclaimed_and_healed():
    suite, left = marked(Suite(Path("suite.md"), SUITE))
    assert suite.text == MARKED
    assert left == []
    assert marked(suite) == (suite, [])


def test_what_cannot_be_marked_is_left_and_said():
    text = "## S\n\n`a.py`:\n\n```py\ndef f():\n    pass\n\nf()  # calls: f [import]\n```\n"
    suite, left = marked(Suite(Path("suite.md"), text))
    assert suite.text == text
    assert left == ["suite.md:9: `f` is found by [lexical], not by [import]"]


def test_lines_are_put_back_as_they_were():
    for text in (
        "f()   # calls: A [self], missing B; callers: -",
        "<b/>  {/* calls: Banner */}",
        "<b/>  <!-- calls: Banner -->",
        "#define F f() /* calls: f */ \\",
        "x = { kind: 1 } // no claim",
    ):
        assert Line.read(text).write() == text
    assert Line.read("f() # calls: A [self], -").claims == [("calls", ["A [self]", "-"])]
