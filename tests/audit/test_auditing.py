"""Baselines, verdicts, what an audit writes, and the forms it is printed in."""

from __future__ import annotations

import json
import os
import subprocess
from typing import TYPE_CHECKING

import pytest

from mmcg.audit import auditing, checks
from mmcg.audit.findings import Finding
from mmcg.audit.outputs.github import workflow_commands
from mmcg.audit.outputs.markdown import code, markdown
from mmcg.audit.outputs.sarif import sarif
from mmcg.audit.state import read_state
from mmcg.errors import InputError
from tests.audit.repository import answer, git, mastermind
from tests.audit.working import TASK, Working, one

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def shop(tmp_path: Path) -> Working:
    return Working(tmp_path / "shop")


def drifted(shop: Working) -> auditing.Audit:
    shop.replace("shop/tax.py", "RATE = 19", "RATE = 20").write({"notes.txt": "x\n"})
    return shop.audit("shop/tax.py", report={})


def test_what_an_audit_writes(shop: Working) -> None:
    done = drifted(shop)
    auditing.record(done)
    folder = shop.task.folder
    assert json.loads((folder / "audit.json").read_text()) == done.to_json()
    assert (folder / "audit.md").read_text().startswith(f"# Audit of `{TASK}`: partial\n")
    state = read_state(shop.task)
    assert (state.status, state.risk, state.next_step, state.iteration) == ("drift", "medium", "planner_review", 1)
    assert state.blocking_reason is not None
    assert state.blocking_reason.startswith("scope_creep: ")
    auditing.record(done)
    lessons = (folder.parent / "_lessons.md").read_text()
    assert lessons.count("scope_creep") == 1
    (shop.root / "notes.txt").unlink()
    held = shop.audit("shop/tax.py", report={})
    auditing.record(held)
    assert read_state(shop.task).status == "learned"


def test_no_approval_and_no_commit_named(shop: Working) -> None:
    drifted(shop)
    done = auditing.audit(shop.task)
    assert (done.verdict, done.exit_code(), done.to_json()["status"]) == (None, 3, "incomplete")
    assert "never approved" in one(done, "evidence_incomplete").message


def test_a_baseline_that_is_gone(shop: Working, tmp_path: Path) -> None:
    drifted(shop)
    assert mastermind("spec", "approve", TASK, cwd=shop.root).returncode == 0
    git(shop.root, "checkout", "-q", "--orphan", "other")
    git(shop.root, "commit", "-qm", "rewritten")
    git(shop.root, "branch", "-D", "main")
    git(shop.root, "reflog", "expire", "--expire=now", "--all")
    git(shop.root, "gc", "-q", "--prune=now")
    done = auditing.audit(shop.task)
    assert done.exit_code() == 3
    assert "git fetch" in one(done, "evidence_incomplete").hint


def test_a_commit_that_nobody_knows(shop: Working) -> None:
    shop.audit("shop/tax.py")
    with pytest.raises(InputError, match="names no commit"):
        auditing.audit(shop.task, since="nowhere")


def test_a_file_that_cannot_be_read(shop: Working) -> None:
    (shop.root / "README.md").unlink()
    os.mkfifo(shop.root / "README.md")
    done = shop.audit("shop/tax.py")
    assert done.exit_code() == 3
    assert one(done, "evidence_incomplete").about == ("README.md",)


def test_a_spec_that_cannot_be_audited_against(shop: Working) -> None:
    shop.audit("shop/tax.py")
    shop.task.spec.write_text("no frontmatter\n")
    assert auditing.audit(shop.task, since=shop.base).exit_code() == 3
    shop.task.spec.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InputError):
        auditing.audit(shop.task, since=shop.base)


def test_the_approved_baseline_after_merges_and_another_branch(shop: Working) -> None:
    shop.audit("shop/tax.py")
    assert mastermind("spec", "approve", TASK, cwd=shop.root).returncode == 0
    git(shop.root, "branch", "-m", "main", "trunk")
    git(shop.root, "checkout", "-q", "-b", "side")
    shop.replace("shop/tax.py", "RATE = 19", "RATE = 20").commit()
    git(shop.root, "checkout", "-q", "trunk")
    git(shop.root, "merge", "-q", "--no-ff", "-m", "merge", "side")
    assert auditing.audit(shop.task).verdict == "held"


def test_a_root_below_the_repository(tmp_path: Path) -> None:
    top = tmp_path / "top"
    sub = Working(top / "sub", {"a.py": "def f():\n    return 1\n"})
    # The repository's root is the folder above.
    (top / "sub" / ".git").rename(top / ".git")
    git(top, "add", "-A", "--", ".", ":(exclude,glob)**/.mastermind/**")
    git(top, "commit", "-qm", "moved")
    sub.base = git(top, "rev-parse", "HEAD")
    (top / "outside.txt").write_text("x")
    sub.replace("a.py", "return 1", "return 2")
    done = sub.audit({"file": "a.py", "symbols": ["f"]})
    assert done.verdict == "held"
    assert any("outside.txt" in each for each in done.notices)


def test_a_shallow_clone(shop: Working, tmp_path: Path) -> None:
    drifted(shop)
    assert mastermind("spec", "approve", TASK, cwd=shop.root).returncode == 0
    shop.commit()
    git(shop.root, "add", "-f", ".mastermind/tasks")
    git(shop.root, "commit", "-qm", "task")
    shallow = tmp_path / "shallow"
    subprocess.run(["git", "clone", "-q", "--depth", "1", f"file://{shop.root}", str(shallow)], check=True)
    found = answer("audit-spec", TASK, cwd=shallow)
    assert (found["status"], found["verdict"]) == ("incomplete", None)


FINDINGS = [
    Finding("scope_creep", "`a b` was\nadded, 100%: \x1b[31mred", None, "drift", ("a b",), "dir/a b.py", 3),
    Finding("symbol_removed", "gone", None, "broken", ("x::y",), "x", None, "def y()", "nothing", "Restore it."),
    Finding("symbol_removed", "gone", None, "broken", ("x::y",), "x", None, "def y()", "nothing", "Restore it."),
    Finding("claim_unresolved", "unclear", None, "warning", (), None, None),
    Finding("evidence_incomplete", "missing", None, "no_verdict", (), None, None),
]


def test_sarif_is_valid_and_stable() -> None:
    model = pytest.importorskip("pydantic_sarif.model")
    log = sarif(FINDINGS, complete=False)
    model.StaticAnalysisResultsFormatSarifVersion210JsonSchema.model_validate(log)
    run = log["runs"][0]
    assert [each["ruleId"] for each in run["results"]] == [each.kind for each in FINDINGS]
    for result in run["results"]:
        assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"]
    assert [each["level"] for each in run["results"]] == ["warning", "error", "error", "note", "error"]
    prints = [each["partialFingerprints"]["mastermind/v1"] for each in run["results"]]
    assert len(set(prints)) == len(prints)
    later = sarif([Finding(*each[:6], 99) for each in map(tuple_of, FINDINGS[:1])])
    assert later["runs"][0]["results"][0]["partialFingerprints"]["mastermind/v1"] != ""
    uri = run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert uri == "dir/a%20b.py"


def tuple_of(finding: Finding) -> tuple[object, ...]:
    return (finding.kind, finding.message, finding.severity, finding.effect, finding.about, finding.file)


def test_fingerprints_do_not_move_with_lines() -> None:
    near, far = (sarif([Finding("scope_creep", "m", None, "drift", ("a",), "a", line)]) for line in (1, 90))
    assert near["runs"][0]["results"][0]["partialFingerprints"] == far["runs"][0]["results"][0]["partialFingerprints"]


def test_every_kind_is_a_rule() -> None:
    findings = [Finding(name, "m", None, "drift") for name in checks.names()]
    rules = sarif(findings)["runs"][0]["tool"]["driver"]["rules"]
    assert all(each["shortDescription"]["text"].endswith(".") for each in rules)


def test_annotations_are_one_line_each_and_escaped() -> None:
    lines = workflow_commands(FINDINGS)
    assert lines[0] == "::warning title=scope_creep,file=dir/a b.py,line=3::`a b` was%0Aadded, 100%25:  [31mred"
    assert lines[1].startswith("::error title=symbol_removed,file=x::gone Restore it.")
    assert lines[3] == "::notice title=claim_unresolved::unclear"


def test_markdown_holds_what_names_hold() -> None:
    assert code("a`b") == "``a`b``"
    assert code("`x`") == "`` `x` ``"
    assert "\x1b" not in "".join(code("a\x1bb"))


@pytest.mark.parametrize("shape", ["text", "json", "markdown", "sarif", "github"])
def test_every_format_of_the_command(shop: Working, shape: str) -> None:
    drifted(shop)
    done = mastermind("audit-spec", TASK, "--since", shop.base, "--format", shape, cwd=shop.root)
    assert done.returncode == 1
    assert "notes.txt" in done.stdout
    if shape in ("json", "sarif"):
        json.loads(done.stdout)
    if shape == "text":
        assert done.stdout.endswith(f"{TASK}: partial (1 finding, 2 changed files)\n")


def test_audit_run_is_the_same_command(shop: Working) -> None:
    drifted(shop)
    one_name = answer("audit-spec", TASK, "--since", shop.base, cwd=shop.root)
    other = answer("audit", "run", TASK, "--since", shop.base, cwd=shop.root)
    assert one_name == other
    assert mastermind("audit", "run", TASK, "--since", shop.base, "--fail-on", "broken", cwd=shop.root).returncode == 0


def test_terminal_escapes_do_not_reach_a_terminal(shop: Working) -> None:
    shop.write({"evil\x1b[2J.txt": "x"})
    done = mastermind("audit-spec", TASK, "--since", shop.base, cwd=shop.root) if shop.audit("shop/tax.py") else None
    assert done is not None
    assert "\x1b" not in done.stdout + done.stderr


def test_markdown_of_an_audit(shop: Working) -> None:
    text = markdown(shop.replace("shop/tax.py", "RATE = 19", "RATE = 2").audit(
        "shop/tax.py", report={"claims": [{"kind": "symbol_added", "symbol": "nothing_here"}]}
    ))  # fmt: skip
    assert "| symbol_added `nothing_here` | contradicted |" in text
    assert "**report_code_mismatch** (broken)" in text
