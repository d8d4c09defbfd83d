"""The documents of intake, investigator and researcher."""

from __future__ import annotations

import pytest

from mmcg.audit.documents import markdown
from mmcg.audit.documents.roles import check_role, roles_of

INTAKE = """\
<!-- mastermind:intake-begin -->
```yaml
action: refined
workflow_mode: strict
risk: low
goal: anything
```
<!-- mastermind:intake-end -->
"""

LEDGER = """\
# Hypothesis Ledger

## Symptom

It hangs.

## Known facts

- Since Monday.

## Hypotheses

| Hypothesis | Evidence for | Evidence against | Status |
|---|---|---|---|
| the lock | `a \\| b` waits | none yet | active |
| the disk | slow writes | writes are quick at night | confirmed |

## Ruled out

None.

## Current best explanation

The disk.

## Next probe

- Measure writes.
"""

RESEARCH = """\
## Citations

- The lock is taken at `src/a.py:12`.
- src/b.py:3-9 frees it.

## Contradictions / Unknowns

None.
"""


def wrong(role: str, text: str) -> list[str]:
    return [each.message for each in check_role(role, text, "x.md")]


@pytest.mark.parametrize(
    ("text", "role"),
    [(INTAKE, "intake"), (LEDGER, "investigator"), (RESEARCH, "researcher")],
    ids=lambda each: each[:9],
)
def test_good_documents(text: str, role: str) -> None:
    assert wrong(role, text) == []
    assert roles_of(text, markdown.parse(text)) == [role]


@pytest.mark.parametrize(
    ("role", "text", "old", "new", "words"),
    [
        ("intake", INTAKE, "refined", "do", "`action` is `do`"),
        ("intake", INTAKE, "strict", "verified", "`workflow_mode` is `verified`"),
        ("intake", INTAKE, "risk: low\n", "", "`risk` is missing"),
        ("intake", INTAKE, "risk: low\n", "risk: low\nrisk: high\n", "twice"),
        ("intake", INTAKE, "<!-- mastermind:intake-end -->", "", "is missing"),
        ("investigator", LEDGER, "## Symptom", "## Sign", "section `Symptom` is missing"),
        ("investigator", LEDGER, "## Ruled out", "```\n## Ruled out\n```", "section `Ruled out` is missing"),
        ("investigator", LEDGER, "active", "open", "status `open`"),
        ("investigator", LEDGER, "writes are quick at night", "-", "confirmed without evidence against"),
        ("investigator", LEDGER, "slow writes", "", "confirmed without evidence for"),
        ("investigator", LEDGER, "- Measure writes.", "- Measure.\n- Ask.", "names 2 probes"),
        ("investigator", LEDGER, "- Measure writes.", "<!-- later -->", "names no probe"),
        ("investigator", LEDGER, "| the lock | `a \\| b` waits | none yet | active |\n", "", ""),
        ("investigator", LEDGER, "The disk.", "", "explanation` is empty"),
        ("researcher", RESEARCH, "## Citations", "## Sources", "section `Citations` is missing"),
        ("researcher", RESEARCH, "## Contradictions / Unknowns", "## Notes", "Unknowns` is missing"),
        ("researcher", RESEARCH, "None.", "", "Unknowns` is empty"),
        ("researcher", RESEARCH, "`src/a.py:12`", "`src/a.py`", "is no citation"),
        ("researcher", RESEARCH, "`src/a.py:12`.\n- src/b.py:3-9", "some file.\n- another", "holds no citation"),
    ],
)
def test_one_fault(role: str, text: str, old: str, new: str, words: str) -> None:
    assert old in text
    found = wrong(role, text.replace(old, new))
    if words:
        assert len(found) == 1
        assert words in found[0]
    else:
        assert found == []


def test_no_hypothesis() -> None:
    text = LEDGER.split("| Hypothesis")[0] + "## Ruled out" + LEDGER.split("## Ruled out")[1]
    assert wrong("investigator", text) == ["There is no hypothesis."]
