"""`mastermind ci`: which tasks are looked at, what a change is compared with, and what is printed and written."""

from __future__ import annotations

import json
import subprocess
from typing import TYPE_CHECKING

import pytest

from mmcg.audit import auditing
from mmcg.audit.ci import NOTHING, check
from mmcg.audit.policy.rules import actions
from mmcg.audit.tasks import Task
from mmcg.errors import InputError
from tests.audit.changing import POLICY, Changing
from tests.audit.repository import answer, git, mastermind
from tests.audit.working import SHOP, TASK, Working

if TYPE_CHECKING:
    from pathlib import Path

RULE = "rules:\n  - {id: quiet, allow_suppressions: {most: 0}}\n"


@pytest.fixture
def shop(tmp_path: Path) -> Working:
    return Working(tmp_path / "shop")


def worked(shop: Working, *, report: bool = True) -> Working:
    """The task's work, done as its spec says."""
    shop.replace("shop/tax.py", "RATE = 19", "RATE = 20")
    shop.audit("shop/tax.py", report={} if report else None)
    return shop


def done(shop: Working, **options: bool) -> dict[str, tuple[str, str | None]]:
    found = check(shop.root, since=shop.base, **options)
    return {each.task.id: (each.done, each.verdict) for each in found.tasks}


def test_work_and_its_report(shop: Working) -> None:
    worked(shop)
    assert done(shop) == {TASK: ("audited", "held")}
    assert not shop.task.audit_json.exists()
    assert not shop.task.state.exists()
    shop.write({"notes.txt": "x"})
    found = check(shop.root, since=shop.base)
    assert found.verdict == "broken"
    assert {(each.kind, each.origin) for each in found.findings} == {
        ("scope_creep", TASK),
        ("report_code_mismatch", TASK),
    }


def test_a_task_that_the_change_does_not_touch_is_left_alone(shop: Working) -> None:
    worked(shop)
    git(shop.root, "add", "-f", ".")
    git(shop.root, "commit", "-qm", "work with its task")
    shop.base = git(shop.root, "rev-parse", "HEAD")
    shop.replace("shop/cart.py", "limit = 10", "limit = 11")
    found = check(shop.root, since=shop.base)
    assert (found.status, found.tasks) == (NOTHING, ())
    assert any("1 of 1 tasks" in each for each in found.notices)


def test_a_closed_task_is_audited_with_the_change_that_closes_it(shop: Working) -> None:
    worked(shop).write({"notes.txt": "x"})
    shop.task.state.write_text('{"status": "closed", "risk": "low", "next_step": null}')
    assert done(shop) == {TASK: ("audited", "broken")}


def test_a_new_spec_is_verified_and_one_whose_files_change_is_audited(shop: Working) -> None:
    shop.audit("shop/tax.py")
    assert done(shop) == {TASK: ("verified", "held")}
    shop.audit("shop/gone.py")
    assert done(shop) == {TASK: ("verified", "broken")}
    worked(shop, report=False)
    assert done(shop) == {TASK: ("audited", "held")}


def test_an_approved_task_is_verified_while_others_work(shop: Working) -> None:
    shop.audit({"file": "shop/tax.py", "symbols": ["unused"]})
    assert mastermind("spec", "approve", TASK, cwd=shop.root).returncode == 0
    git(shop.root, "add", "-f", ".mastermind/tasks")
    git(shop.root, "commit", "-qm", "plan")
    shop.base = git(shop.root, "rev-parse", "HEAD")
    shop.replace("shop/tax.py", "def unused", "def used")
    found = check(shop.root, since=shop.base)
    assert [each.kind for each in found.findings] == ["hallucinated_existing_symbol"]
    assert done(shop, changed_only=True) == {}


def test_the_form_of_a_spec_counts_when_its_work_is_done(shop: Working) -> None:
    worked(shop)
    text = shop.task.spec.read_text()
    shop.task.spec.write_text(text.replace("## Goals", "## Aims"))
    found = check(shop.root, since=shop.base)
    assert [(each.kind, each.weight) for each in found.findings] == [("section_missing", "error")]
    assert (found.verdict, found.exit_code("broken")) == ("broken", 1)


def test_one_task_that_cannot_be_read_leaves_no_verdict(shop: Working) -> None:
    worked(shop)
    other = Task(shop.root, shop.task.folder.with_name("002-other"))
    other.folder.mkdir()
    other.spec.write_bytes(b"\xff\xfe")
    found = check(shop.root, since=shop.base)
    assert (found.status, found.verdict, found.exit_code()) == ("incomplete", None, 3)
    assert {each.task.id: each.verdict for each in found.tasks} == {TASK: "held", "002-other": None}


def test_several_tasks_share_one_comparison(shop: Working, monkeypatch: pytest.MonkeyPatch) -> None:
    worked(shop)
    other = shop.task.folder.with_name("002-other")
    other.mkdir()
    for name in ("spec.md", "executor-report.md"):
        (other / name).write_text((shop.task.folder / name).read_text().replace(TASK, "002-other"))
    times = []
    compared = auditing.compared
    monkeypatch.setattr(auditing, "compared", lambda *given: times.append(1) or compared(*given))
    assert set(done(shop)) == {TASK, "002-other"}
    assert len(times) == 1


def test_neither_tasks_nor_a_policy(tmp_path: Path) -> None:
    change = Changing(tmp_path / "plain", SHOP)
    found = mastermind("ci", "--since", "HEAD", cwd=change.root)
    assert found.returncode == 0
    assert "nothing was checked" in found.stdout
    assert f"neither tasks in `.mastermind/tasks` nor a `{POLICY}`" in found.stderr
    assert all(f"`{each}`" in found.stderr for each in actions())
    assert "docs/" not in found.stderr, "whoever installed the program has none"
    told = answer("ci", "--since", "HEAD", cwd=change.root)
    assert (told["status"], told["verdict"]) == (NOTHING, None)


def test_a_branch_is_compared_with_where_it_began(tmp_path: Path) -> None:
    change = Changing(tmp_path / "shop", SHOP | {POLICY: RULE})
    root = change.root
    git(root, "checkout", "-qb", "side")
    change.write({"a.py": "x = 1\n"})
    git(root, "add", "-A")
    git(root, "commit", "-qm", "side")
    git(root, "checkout", "-q", "main")
    change.write({"b.py": "import os  # noqa\n"})
    git(root, "add", "-A")
    git(root, "commit", "-qm", "main")
    git(root, "checkout", "-q", "side")
    found = check(root, since="main")
    assert (found.verdict, found.baseline) == ("held", change.base)
    # What hosts make of a pull request: the branch, merged into where it is to go.
    git(root, "checkout", "-q", "--detach", "main")
    git(root, "merge", "-q", "--no-ff", "-m", "merge", "side")
    assert check(root, since="main").verdict == "held"
    assert check(root, since=change.base).verdict == "broken"
    assert check(root, since="main").baseline == git(root, "rev-parse", "main")


def test_clones_that_are_cut_off(tmp_path: Path) -> None:
    change = Changing(tmp_path / "shop", SHOP | {POLICY: RULE})
    change.write({"a.py": "x = 1\n"})
    git(change.root, "add", "-A")
    git(change.root, "commit", "-qm", "more")
    shallow = tmp_path / "shallow"
    subprocess.run(["git", "clone", "-q", "--depth", "1", f"file://{change.root}", str(shallow)], check=True)
    for since in (change.base, "origin/other", "gone"):
        done = mastermind("ci", "--since", since, "--sarif", "../out.sarif", cwd=shallow)
        assert done.returncode == 3, since
        assert "git fetch" in done.stdout
        assert json.loads((tmp_path / "out.sarif").read_text())["runs"][0]["invocations"] == [
            {"executionSuccessful": False}
        ]
    assert mastermind("ci", "--since", "HEAD", cwd=shallow).returncode == 0


@pytest.mark.parametrize("since", ["nowhere", "", "0" * 40, "--help"])
def test_what_names_no_commit(tmp_path: Path, since: str) -> None:
    change = Changing(tmp_path / "shop", SHOP | {POLICY: RULE})
    with pytest.raises(InputError, match=r"names no commit|is empty"):
        check(change.root, since=since)


def test_a_folder_without_git(tmp_path: Path) -> None:
    (tmp_path / POLICY).write_text(RULE)
    done = mastermind("ci", "--since", "HEAD", "--root", str(tmp_path))
    assert done.returncode == 3
    assert "not in a git repository" in done.stdout


def test_a_policy_that_is_wrong(tmp_path: Path) -> None:
    change = Changing(tmp_path / "shop", SHOP)
    change.write({POLICY: RULE.replace("most", "mots")})
    done = mastermind("ci", "--since", "HEAD", cwd=change.root)
    assert done.returncode == 1
    assert f"{POLICY}:2: error: policy_invalid: `allow_suppressions` has an unknown key `mots`." in done.stdout
    assert "Did you mean `most`?" in done.stdout
    assert mastermind("ci", "--since", "HEAD", "--policy", "no.yml", cwd=change.root).returncode == 2
    (change.root / POLICY).unlink()
    (change.root / POLICY).symlink_to("/etc/hostname")
    assert mastermind("ci", "--since", "HEAD", cwd=change.root).returncode == 2


def test_what_is_written_and_printed(shop: Working, tmp_path: Path) -> None:
    worked(shop).write({POLICY: RULE, "a.py": "import os  # noqa\n"})
    names = {"sarif": "o.sarif", "markdown": "o.md", "report": "o.json"}
    options = [part for key, name in names.items() for part in (f"--{key}", str(tmp_path / name))]
    done = mastermind("ci", "--since", shop.base, *options, cwd=shop.root)
    assert done.returncode == 1
    lines = done.stdout.splitlines()
    assert lines[-2] == f"{POLICY}: broken (1 rule, 1 finding)"
    assert lines[-1].startswith("change since ")
    told = json.loads((tmp_path / "o.json").read_text())
    assert told == answer("ci", "--since", shop.base, cwd=shop.root)
    assert told["policy"] == {"path": POLICY, "rules": 1, "verdict": "broken", "findings": 1}
    assert told["tasks"][0]["done"] == "audited"
    log = json.loads((tmp_path / "o.sarif").read_text())
    model = pytest.importorskip("pydantic_sarif.model")
    model.StaticAnalysisResultsFormatSarifVersion210JsonSchema.model_validate(log)
    results = {(each["ruleId"], each["properties"]["origin"]) for each in log["runs"][0]["results"]}
    assert ("policy_new_suppression", "quiet") in results
    assert ("scope_creep", TASK) in results
    page = (tmp_path / "o.md").read_text()
    assert f"| `{POLICY}` | 1 rules held | broken | 1 |" in page
    assert "**policy_new_suppression** (broken, `quiet`) (`a.py` line 1)" in page
    printed = mastermind("ci", "--since", shop.base, "--format", "github", cwd=shop.root).stdout
    assert "::error title=policy_new_suppression (quiet),file=a.py,line=1::" in printed


def test_fingerprints_stay_when_lines_move_and_tell_rules_apart(tmp_path: Path) -> None:
    from mmcg.audit.outputs.sarif import sarif

    change = Changing(tmp_path / "shop", SHOP)
    rules = ("allow_suppressions: {most: 0}", "allow_suppressions: {only: [x]}")
    prints = []
    for head in ("", "y = 1\n\n"):
        change.write({"a.py": f"{head}import os  # noqa\n"})
        results = sarif(change.check(*rules).findings)["runs"][0]["results"]
        prints.append([each["partialFingerprints"]["mastermind/v1"] for each in results])
    assert prints[0] == prints[1]
    assert len(set(prints[0])) == 2


def test_a_root_below_the_repository(tmp_path: Path) -> None:
    change = Changing(tmp_path / "top" / "sub", SHOP)
    top = tmp_path / "top"
    (change.root / ".git").rename(top / ".git")
    (top / "CODEOWNERS").write_text("/sub/shop/ @me\n")
    git(top, "add", "-A", "--", ".", ":(exclude,glob)**/.mastermind/**")
    git(top, "commit", "-qm", "below")
    change.base = git(top, "rev-parse", "HEAD")
    change.write({"shop/new.py": "def f():\n    return 1\n", "other.py": "def g():\n    return 1\n"})
    found = change.check("require_owners: true")
    assert [each.file for each in found.findings] == ["other.py"]
    assert [each.file for each in found.placed] == ["sub/other.py"]


def test_a_policy_that_is_changed_itself_is_told(tmp_path: Path) -> None:
    change = Changing(tmp_path / "shop", SHOP | {POLICY: RULE})
    change.write({POLICY: RULE.replace("0", "9")})
    assert any("was changed itself" in each for each in check(change.root, since=change.base).notices)


@pytest.mark.parametrize(("fail_on", "code"), [("warning", 1), ("drift", 1), ("broken", 0)])
def test_the_threshold(tmp_path: Path, fail_on: str, code: int) -> None:
    change = Changing(tmp_path / "shop", SHOP)
    change.write({"a.py": "import os  # noqa\n"})
    change.check("allow_suppressions: {most: 0}, effect: drift")
    assert mastermind("ci", "--since", "HEAD", "--fail-on", fail_on, cwd=change.root).returncode == code
