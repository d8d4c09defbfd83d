"""The text that `mastermind spec new` and `report template` write."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from mmcg.audit.documents.spec import SECTIONS

if TYPE_CHECKING:
    from mmcg.audit.documents.spec import Spec

_ASKED = {
    "Goals": "<What will be true when this is done, in one to three sentences.>",
    "Scope": "<What belongs to it, and what does not.>",
    "Acceptance Criteria": "- <A condition that anybody can check.>",
    "Tests Plan": "<Which tests are added or changed, or why none is.>",
    "Final Verification": "<What is run at the end, and what it must show.>",
    "Alternatives Considered": "- <Another way, and why it is not taken.>",
    "Risk Register": "- <What could go wrong, how likely it is, and what is done about it.>",
    "Rollback": "<How to undo it.>",
    "Documentation Plan": "<Which documents change, or why none does.>",
    "Observability Plan": "<How one will see in operation that it works, or that it does not.>",
    "Performance Considerations": "<What becomes slower, larger or more frequent, and how that is known.>",
}
"""What stands under each heading of a new spec."""

PLACEHOLDERS = frozenset(_ASKED.values())
"""The lines that say nothing: as long as a section holds no other, it is empty."""

_HEAD = """\
---
id: {id}
title: {title}
mode: {mode}
risk: {risk}
# Files to be changed, and the symbols in them:
#   - file: src/shop/cart.py
#     symbols:
#       - Cart.total
#       - {{name: Cart.tax, signature: "def tax(self)", becomes: "def tax(self, year)", callers: {{gained: 1}}}}
touches: []
# Files to appear, files to go, and documentation to change:
creates: []
deletes: []
docs: []
# Symbols to appear, and symbols allowed to disappear:
adds: []
removes: []
# Tests to be added or changed:
#   - file: tests/test_cart.py
#     names: [test_tax_of_a_year]
tests: []
# Commands that must pass:
#   - {{id: unit, run: python3 -m pytest tests/test_cart.py, timeout: 60, expect_tests: 3}}
verify: []
---

# {heading}
"""

_EDITS = """
<!--
Exact edits, if you have any:

**File:** `src/shop/cart.py`

FIND:

(a code block with the text as it is)

CHANGE TO:

(a code block with the text as it is to be)
-->
"""


def spec_template(task_id: str, title: str, mode: str = "verified", risk: str = "low") -> str:
    """A new spec: well formed, with a placeholder under each heading that the mode requires."""
    # A title of several lines would end the heading.
    title = " ".join(title.split())
    head = _HEAD.format(id=task_id, title=quoted(title), mode=mode, risk=risk, heading=escaped(title))
    sections = "".join(f"\n## {name}\n\n{_ASKED[name]}\n" for name in SECTIONS[mode])
    return head + sections + _EDITS


_REPORT = """\
# Report: {heading}

What was done, in a few sentences.

<!-- mastermind:report-begin -->

```yaml
schema_version: 1
spec: {id}
status: partial   # complete, partial or failed
phases:
  - {{id: edit, status: pending}}   # done, pending, stopped or skipped
  - {{id: check, status: pending}}
# Every changed path, both ends of a rename:
files_modified: []
# - {{kind: symbol_added, symbol: "src/shop/cart.py::Cart.tax", signature: "def tax(self)"}}
# - {{kind: symbol_changed, symbol: ...}} and {{kind: symbol_removed, symbol: ...}}
# - {{kind: integration, from: "src/shop/cart.py::Cart.total", to: "src/shop/tax.py::rate"}}
# - {{kind: test_added, test: "tests/test_cart.py::test_tax", covers: "src/shop/cart.py::Cart.tax"}}
claims: []
# What is not as it should be; `complete` has none:
defects:
  - {{kind: not_started, phase: edit, details: nothing is done yet, hint: do it}}
{verifications}```

<!-- mastermind:report-end -->
"""


def report_template(spec: Spec, task_id: str) -> str:
    """A new report on a spec: consistent in itself, and saying that nothing is done."""
    lines = [
        f"  # - {{id: {quoted(each.id)}, result: pass, exit_code: 0, tests_run: {each.expect_tests or 0}}}\n"
        for each in spec.verify
    ]
    verifications = "verifications: []\n" + "".join(lines)
    return _REPORT.format(id=quoted(task_id), heading=escaped(spec.title), verifications=verifications)


def quoted(text: str) -> str:
    """A text as a YAML scalar: as it is where that says the same, else in double quotes."""
    if _PLAIN.fullmatch(text) and not text.endswith(" ") and text.lower() not in _WORDS:
        return text
    return '"' + "".join(map(_quoted_character, text)) + '"'


def _quoted_character(each: str) -> str:
    if each in '"\\':
        return "\\" + each
    if each.isprintable():
        return each
    return f"\\u{ord(each):04x}" if ord(each) < 0x10000 else f"\\U{ord(each):08x}"


_PLAIN = re.compile(r"[A-Za-z0-9][\w ./()+-]*")
_WORDS = frozenset({"true", "false", "null", "yes", "no", "on", "off", "y", "n"})


def escaped(text: str) -> str:
    """A text as Markdown shows it in a heading."""
    shown = "".join(each if each.isprintable() else "\ufffd" for each in text)
    return re.sub(r"([\\`*_\[\]<>#&])", r"\\\1", shown)
