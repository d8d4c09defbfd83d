"""Tasks: their folders, states, snapshots and lessons, over the commands that people use."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
import yaml

from mmcg.audit import lessons, snapshot, state
from mmcg.audit.documents.spec import read_spec
from mmcg.audit.documents.template import spec_template
from mmcg.audit.tasks import Task, all_tasks, find_task, new_task, slug
from mmcg.errors import InputError
from tests.audit.repository import answer, git, make_repository, mastermind, read_json, report_text, write_spec

if TYPE_CHECKING:
    from pathlib import Path

TITLES = {
    "Guard withdrawals": "guard-withdrawals",
    'Zins: "monatlich" #1 и проценты': "zins-monatlich-1",
    "日本語": "task",
    "- [ ] {a: b}, 'c' & *d": "a-b-c-d",
    "x" * 200: "x" * 40,
    "\x1b[31mred\nline\x7f\u202e": "31mred-line",
    "yes": "yes",
    "  spaced  ": "spaced",
    "<b>bold</b> `code`": "b-bold-b-code",
}


@pytest.mark.parametrize("title", TITLES)
def test_any_title_makes_a_spec(title: str, tmp_path: Path) -> None:
    assert slug(title) == TITLES[title]
    task = new_task(tmp_path, title)
    task.spec.write_text(spec_template(task.id, title), encoding="utf-8")
    reading = read_spec(task.spec, tmp_path)
    assert not reading.findings
    assert reading.spec.title == " ".join(title.split())
    text = task.spec.read_text(encoding="utf-8")
    assert yaml.safe_load(text.split("---\n")[1])["title"] == " ".join(title.split())


@pytest.mark.parametrize("mode", ["lite", "verified", "strict"])
def test_a_filled_template_passes(own: Path, mode: str) -> None:
    made = answer("spec", "new", "Fees: now", "--mode", mode, cwd=own)
    path = own / made["path"]
    assert answer("verify-spec", made["task"], cwd=own)["verdict"] == "fail"
    text = path.read_text(encoding="utf-8")
    filled = "\n".join("Something." if line.lstrip("- ").startswith("<") else line for line in text.split("\n"))
    path.write_text(filled.replace("Something.\nExact", "<!--\nExact"), encoding="utf-8")
    done = answer("spec", "verify", made["task"], cwd=own)
    assert (done["verdict"], done["findings"]) == ("pass", [])


def test_numbers_go_on_and_underscored_names_are_no_tasks(tmp_path: Path) -> None:
    assert new_task(tmp_path, "One").id == "001-one"
    folder = tmp_path / ".mastermind" / "tasks"
    for name in ("_archive", "099-old", "1200-far", ".hidden"):
        (folder / name).mkdir()
    (folder / "_lessons.md").write_text("", encoding="utf-8")
    (folder / "link").symlink_to(tmp_path)
    assert new_task(tmp_path, "One").id == "1201-one"
    assert [task.id for task in all_tasks(tmp_path)] == ["001-one", "099-old", "1200-far", "1201-one"]


def test_a_task_is_found_by_its_path_name_number_or_begin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one, two = new_task(tmp_path, "Add fees"), new_task(tmp_path, "Add limits")
    monkeypatch.chdir(tmp_path)
    for text in (str(one.folder), ".mastermind/tasks/001-add-fees/", "001-add-fees", "1", "001", "add-f", "001-a"):
        assert find_task(tmp_path, text) == one, text
    two.spec.write_text("", encoding="utf-8")
    assert find_task(tmp_path, str(two.spec)) == two
    for text in ("add", "3", "none", "", "../x", "001-add-fees/../../..", "\0"):
        with pytest.raises(InputError):
            find_task(tmp_path, text)


def test_a_tasks_folder_that_leads_out_is_refused(tmp_path: Path) -> None:
    root = tmp_path / "root"
    (root / ".mastermind").mkdir(parents=True)
    (tmp_path / "out").mkdir()
    (root / ".mastermind" / "tasks").symlink_to(tmp_path / "out")
    with pytest.raises(InputError):
        new_task(root, "One")
    assert all_tasks(root) == []


def test_tasks_can_be_committed(own: Path) -> None:
    answer("spec", "new", "Fees", cwd=own)
    git(own, "add", "-A")
    staged = git(own, "diff", "--cached", "--name-only").split("\n")
    assert staged == [".mastermind/tasks/001-fees/spec.md"]


def test_the_whole_way_of_a_task(own: Path) -> None:
    write_spec(own, "risk: high\ntouches:\n  - {file: src/bank/account.py, symbols: [Account.withdraw, transfer]}\n")
    task = Task(own, own / ".mastermind" / "tasks" / "001-case")
    assert answer("next", cwd=own)["task"]["next_step"] == "approve_spec"

    approved = answer("spec", "approve", "1", cwd=own)
    head = git(own, "rev-parse", "HEAD")
    assert (approved["approved"], approved["baseline"], approved["verdict"]) == (True, head, "pass")
    written = read_json(task.state)
    assert {key: written[key] for key in ("status", "risk", "next_step", "blocking_reason", "last_artifact")} == {
        "status": "approved",
        "risk": "high",
        "next_step": "run_executor",
        "blocking_reason": None,
        "last_artifact": "spec.md",
    }
    taken = snapshot.read(task)
    assert taken is not None
    assert (taken.baseline, taken.spec_hash) == (head, written["spec_hash"])
    (withdraw,) = taken.named("Account.withdraw")
    assert withdraw.signature == "def withdraw(self, amount)"
    assert [(each.symbol, each.rule) for each in withdraw.callers] == [
        ("src/bank/account.py::transfer", "receiver_type")
    ]

    task.report.write_text(report_text(), encoding="utf-8")
    assert answer("report", "check", "1", cwd=own)["verdict"] == "pass"
    assert read_json(task.state)["next_step"] == "run_auditor"
    assert answer("next", cwd=own)["task"]["command"] == "mastermind audit-spec 001-case"

    state.write_state(task, state.audited(state.read_state(task), verdict="held", first_finding=None))
    assert read_json(task.state)["status"] == "learned"
    assert answer("close", "1", cwd=own)["task"]["status"] == "closed"
    assert mastermind("next", cwd=own).returncode == 1


def test_a_changed_spec_is_to_be_approved_again_and_keeps_its_baseline(own: Path) -> None:
    path = write_spec(own, "touches:\n  - {file: src/bank/fees.py, symbols: [fee]}\n")
    first = answer("spec", "approve", "1", cwd=own)
    (own / "src" / "bank" / "fees.py").write_text("def fee(amount):\n    return 0\n", encoding="utf-8")
    git(own, "commit", "-q", "-a", "-m", "work")
    path.write_text(path.read_text(encoding="utf-8") + "\nMore.\n", encoding="utf-8")
    (standing,) = answer("status", cwd=own)["tasks"]
    assert (standing["status"], standing["approval_revoked"], standing["next_step"]) == (
        "approved",
        True,
        "approve_spec",
    )
    before = read_json(path.with_name("snapshot.json"))
    second = answer("spec", "approve", "1", cwd=own)
    assert second["baseline"] == first["baseline"]
    assert read_json(path.with_name("snapshot.json"))["symbols"] == before["symbols"]
    assert answer("spec", "approve", "1", "--baseline", "HEAD", cwd=own)["baseline"] != first["baseline"]


def test_a_faulty_spec_is_not_approved(own: Path) -> None:
    path = write_spec(own, "deletes: [none.py]\n")
    done = mastermind("spec", "approve", "1", "--json", cwd=own)
    assert done.returncode == 1
    assert json.loads(done.stdout)["approved"] is False
    assert not path.with_name("state.json").exists()
    assert not path.with_name("snapshot.json").exists()


def test_work_that_is_there_already_is_said(own: Path) -> None:
    write_spec(own, "touches:\n  - {file: src/bank/fees.py, symbols: [fee]}\n")
    (own / "src" / "bank" / "fees.py").write_text("def fee(amount):\n    return 0\n", encoding="utf-8")
    (notice,) = answer("spec", "approve", "1", cwd=own)["notices"]
    assert notice.startswith("1 file differs from the baseline")


def test_after_three_audits_only_force_approves(own: Path) -> None:
    write_spec(own)
    answer("spec", "approve", "1", cwd=own)
    task = find_task(own, "1")
    for count in range(1, 5):
        now = state.read_state(task)
        state.write_state(task, state.audited(now, verdict="broken", first_finding="x"))
        assert state.read_state(task).iteration == count
        code = mastermind("spec", "approve", "1", cwd=own).returncode
        assert code == (0 if count <= 3 else 2)
    assert mastermind("spec", "approve", "1", "--force", cwd=own).returncode == 0


def test_without_git_there_is_no_baseline(tmp_path: Path) -> None:
    from mmcg import indexing

    (tmp_path / "a.py").write_text("def f():\n    pass\n", encoding="utf-8")
    indexing.index(tmp_path)
    write_spec(tmp_path)
    done = mastermind("spec", "approve", "1", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (3, ".mastermind/tasks/001-case/spec.md: Nothing is wrong.\n"[:0])
    assert "git repository" in done.stderr


EVENTS = [
    (state.reported, {"status": "complete", "first_defect": None}, ("audit_required", "low", "run_auditor", None)),
    (state.reported, {"status": "partial", "first_defect": "x"}, ("held", "medium", "planner_review", "x")),
    (state.reported, {"status": "failed", "first_defect": "x"}, ("held", "medium", "planner_review", "x")),
    (state.audited, {"verdict": "held", "first_finding": None}, ("learned", "low", "close", None)),
    (state.audited, {"verdict": "partial", "first_finding": "y"}, ("drift", "medium", "planner_review", "y")),
    (state.audited, {"verdict": "broken", "first_finding": "y"}, ("broken", "high", "planner_review", "y")),
]


@pytest.mark.parametrize(("event", "given", "after"), EVENTS)
def test_events(event: Any, given: dict[str, Any], after: tuple[str, str, str, str | None], tmp_path: Path) -> None:
    task = new_task(tmp_path, "One")
    task.state.write_text('{"status": "approved", "later": [1], "iteration": 2}', encoding="utf-8")
    state.write_state(task, event(state.read_state(task), **given))
    written = read_json(task.state)
    assert (written["status"], written["risk"], written["next_step"], written["blocking_reason"]) == after
    assert written["later"] == [1]
    assert written["iteration"] == 2 + (event is state.audited)
    assert sorted(each.name for each in task.folder.iterdir()) == ["state.json"]


@pytest.mark.parametrize("text", ["", "[]", "{", "[" * 100_000, "1e999", '"x"'])
def test_a_state_that_is_none(text: str, tmp_path: Path) -> None:
    task = new_task(tmp_path, "One")
    task.state.write_text(text, encoding="utf-8")
    with pytest.raises(InputError):
        state.read_state(task)
    (standing,) = answer("status", "--root", str(tmp_path))["tasks"]
    assert standing["status"] == "unreadable"
    task.snapshot.write_text(text, encoding="utf-8")
    with pytest.raises(InputError):
        snapshot.read(task)


def test_a_baseline_is_never_an_option_of_git(own: Path) -> None:
    write_spec(own)
    answer("spec", "approve", "1", cwd=own)
    task = find_task(own, "1")
    found = read_json(task.snapshot)
    task.snapshot.write_text(json.dumps(found | {"baseline": "--output=x"}), encoding="utf-8")
    with pytest.raises(InputError):
        snapshot.read(task)


def test_a_link_for_a_state_is_replaced_not_followed(tmp_path: Path) -> None:
    task = new_task(tmp_path, "One")
    victim = tmp_path / "victim"
    victim.write_text("{}", encoding="utf-8")
    task.state.symlink_to(victim)
    state.write_state(task, state.State())
    assert victim.read_text(encoding="utf-8") == "{}"
    assert not task.state.is_symlink()


def test_the_order_of_tasks(tmp_path: Path) -> None:
    steps = ["close", "approve_spec", "planner_review", "run_executor", "run_auditor"]
    for number, step in enumerate(steps):
        task = new_task(tmp_path, f"T{number}")
        state.write_state(task, state.State(status="learned" if step == "close" else "held", next_step=step))
    for step in reversed(steps):
        found = answer("next", "--root", str(tmp_path))["task"]
        assert found["next_step"] == step
        task = find_task(tmp_path, found["task"])
        state.write_state(task, state.closed(state.read_state(task)))


def test_lessons_are_noted_once(tmp_path: Path) -> None:
    task = new_task(tmp_path, "One")
    assert lessons.add_lesson(task, "broken", "caller_drift: `f` lost\n`g` | more \x1b[31m")
    assert not lessons.add_lesson(task, "broken", "caller_drift: `f` lost\n`g` | more \x1b[31m")
    assert lessons.add_lesson(task, "partial", "scope_creep")
    text = (task.folder.parent / "_lessons.md").read_text(encoding="utf-8")
    lines = [line for line in text.split("\n") if line.startswith("- ")]
    assert [line.split(" | ")[1:3] for line in lines] == [["001-one", "broken"], ["001-one", "partial"]]
    assert "\x1b" not in text
    assert [each.id for each in all_tasks(tmp_path)] == ["001-one"]


def test_terminal_escapes_are_not_printed(own: Path) -> None:
    name = "\\u001b[31mred"
    write_spec(own, f'touches:\n  - {{file: src/bank/fees.py, symbols: ["{name}"]}}\ncreates: ["{name}"]\n')
    for arguments in (("verify-spec", "1"), ("spec", "show", "1"), ("status",)):
        done = mastermind(*arguments, cwd=own)
        assert "\x1b" not in done.stdout + done.stderr


def test_exit_codes(own: Path) -> None:
    write_spec(own, 'verify:\n  - {run: "no-such-program-zq"}\n')
    assert mastermind("verify-spec", "1", cwd=own).returncode == 0
    write_spec(own, "touchs: []\n")
    assert mastermind("verify-spec", "1", cwd=own).returncode == 1
    write_spec(own).write_bytes(b"---\nid: \xff\n---\n")
    assert mastermind("verify-spec", "1", cwd=own).returncode == 2
    assert mastermind("verify-spec", "7", cwd=own).returncode == 2
    assert mastermind("explain", "nothing").returncode == 2


def test_a_folder_below_gits_root(tmp_path: Path) -> None:
    make_repository(tmp_path / "all", {"part/a.py": "def f():\n    pass\n", "b.py": "x = 1\n"}, indexed=False)
    part = tmp_path / "all" / "part"
    answer("index", ".", cwd=part)
    write_spec(part, "touches:\n  - {file: a.py, symbols: [f]}\n")
    assert answer("spec", "approve", "001-case", cwd=part)["notices"] == []


@pytest.mark.parametrize("name", ["x" * 5000, "x" * 5000 + ".md", "\x1b[31m", "a\0b", "--", "/", "/dev/zero", "."])
@pytest.mark.parametrize("command", [("verify-spec",), ("spec", "approve"), ("report", "check"), ("status",)])
def test_names_that_no_task_has(shop: Path, name: str, command: tuple[str, ...]) -> None:
    done = mastermind(*command, "--json", "--", name, cwd=shop)
    assert done.returncode == 2
    assert json.loads(done.stdout)["code"] == "bad_input"
    assert "\x1b" not in done.stdout + done.stderr
