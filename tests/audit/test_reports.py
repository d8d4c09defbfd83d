"""What a report says, what is wrong with its form, and what it contradicts itself in."""

from __future__ import annotations

import pytest

from mmcg.audit.consistency import inconsistencies
from mmcg.audit.documents.report import parse_report
from tests.audit.repository import report_text

FULL = """\
phases:
  - {id: edit, status: done}
  - {id: extra, status: skipped}
claims:
  - {kind: symbol_added, symbol: "a.py::f", signature: def f(a)}
  - {kind: integration, from: "a.py::f", to: b.py::g}
  - {kind: test_added, test: t.py::test_f, covers: [f, g]}
  - {kind: test_added, test: t.py::test_g, covers: g}
defects: []
verifications:
  - {id: unit, result: pass, exit_code: 0, tests_run: 3, output_excerpt: "3 passed"}
  - {cmd: make test, result: pass}
"""


def wrong(text: str, spec: str | None = "001-case") -> list[tuple[str, int | None]]:
    reading = parse_report(text)
    found = [*reading.findings, *inconsistencies(reading.report, spec)]
    assert {each.kind for each in found} <= {"report_code_mismatch"}
    return [(each.message, each.line) for each in found]


def test_everything_that_a_report_can_say() -> None:
    reading = parse_report(report_text(FULL, files_modified="[a.py, './b.py', 'c\\d.py']"))
    assert not reading.findings
    report = reading.report
    assert [each.path for each in report.files_modified] == ["a.py", "b.py", "c/d.py"]
    assert [each.text for each in report.claims] == [
        "symbol_added `a.py::f` `def f(a)`",
        "integration from `a.py::f` to `b.py::g`",
        "test_added `t.py::test_f` covers `f`, `g`",
        "test_added `t.py::test_g` covers `g`",
    ]
    assert (report.claims[1].source, report.claims[1].target, report.claims[1].line) == ("a.py::f", "b.py::g", 17)
    assert [(each.id, each.tests_run) for each in report.verifications] == [("unit", 3), ("make test", None)]
    assert not list(inconsistencies(report, "001-case"))


CONTRADICTIONS = {
    "another spec": (report_text(spec="002-other"), 9, "002-other"),
    "complete, with a failed verification": (
        report_text("verifications:\n  - {id: unit, result: fail, exit_code: 1}\n"),
        13,
        "verification `unit` that failed",
    ),
    "complete, with a defect": (report_text("defects:\n  - {kind: leak}\n"), 13, "defect `leak`"),
    "complete, with a pending phase": (report_text("phases:\n  - {id: a, status: pending}\n"), 13, "phase `a`"),
    "complete, with a stopped phase": (report_text("phases:\n  - {id: a, status: stopped}\n"), 13, "phase `a`"),
    "partial, without a defect": (report_text(status="partial"), 10, "no defect says why"),
    "failed, without a defect": (report_text(status="failed"), 10, "no defect says why"),
    "passed, with an exit code": (
        report_text("verifications:\n  - {id: unit, result: pass, exit_code: 2}\n"),
        13,
        "exit code 2",
    ),
    "a path out of the tree": (report_text(files_modified="[../x]"), 11, "upwards"),
    "an absolute path": (report_text(files_modified="[/x]"), 11, "absolute"),
    "added and removed": (
        report_text("claims:\n  - {kind: symbol_added, symbol: f}\n  - {kind: symbol_removed, symbol: f}\n"),
        14,
        "both",
    ),
}


@pytest.mark.parametrize("name", CONTRADICTIONS)
def test_contradictions(name: str) -> None:
    text, line, words = CONTRADICTIONS[name]
    ((message, place),) = wrong(text)
    assert place == line
    assert words in message


def test_what_is_no_contradiction() -> None:
    assert wrong(report_text("defects:\n  - {kind: late, details: no time}\n", status="partial")) == []
    assert wrong(report_text("phases:\n  - {id: a, status: pending}\ndefects:\n  - {kind: x}\n", status="failed")) == []


FORMS = {
    "no block": "# Report\n\nAll done.\n",
    "no end": report_text().replace("<!-- mastermind:report-end -->", ""),
    "two begins": report_text() + report_text(),
    "end before begin": "<!-- mastermind:report-end -->\n\n```yaml\na: b\n```\n\n<!-- mastermind:report-begin -->\n",
    "no fence": "<!-- mastermind:report-begin -->\n\nspec: a\n\n<!-- mastermind:report-end -->\n",
    "in code": "````\n" + report_text() + "````\n",
    "not YAML": report_text("claims: [a\n"),
    "a list": "<!-- mastermind:report-begin -->\n```yaml\n- a\n```\n<!-- mastermind:report-end -->\n",
    "an anchor": report_text("claims: &a []\n"),
    "unknown key": report_text("claim: []\n"),
    "unknown status": report_text(status="done"),
    "no status": report_text(status=""),
    "no files": report_text(files_modified=""),
    "another version": report_text(schema_version="2"),
    "no version": report_text(schema_version=""),
    "unknown claim": report_text("claims:\n  - {kind: symbol_invented, symbol: a}\n"),
    "a claim's key of another kind": report_text("claims:\n  - {kind: integration, from: a, to: b, symbol: c}\n"),
    "half an integration": report_text("claims:\n  - {kind: integration, from: a}\n"),
    "a claim without kind": report_text("claims:\n  - {symbol: a}\n"),
    "an unknown result": report_text("verifications:\n  - {id: a, result: ok}\n"),
    "a verification of nothing": report_text("verifications:\n  - {result: pass}\n"),
    "a phase without status": report_text("phases:\n  - {id: a}\n"),
    "a text for files": report_text(files_modified="a.py"),
}


@pytest.mark.parametrize("name", FORMS)
def test_form(name: str) -> None:
    findings = parse_report(FORMS[name]).findings
    assert len(findings) == 1, [each.message for each in findings]
    assert findings[0].kind == "report_code_mismatch"
    assert findings[0].line


def test_the_line_of_a_fault_is_that_of_the_file() -> None:
    text = report_text("claim: []\n")
    (finding,) = parse_report(text).findings
    assert text.split("\n")[(finding.line or 0) - 1] == "claim: []"
    assert finding.hint == "Did you mean `claims`?"
