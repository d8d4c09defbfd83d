"""The steps of `action.yml`, run on a clean repository and on one that breaks a rule."""

from __future__ import annotations

import json
import re
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.action.runner import Expression, Job, filled
from tests.audit.changing import POLICY
from tests.audit.repository import git, make_repository
from tests.trees import PROJECT, write_tree

ACTION: dict[str, Any] = yaml.safe_load((PROJECT / "action.yml").read_text(encoding="utf-8"))
WORKFLOW: dict[str, Any] = yaml.safe_load((PROJECT / "examples" / "mastermind.yml").read_text(encoding="utf-8"))

FILES = {
    "core/a.py": "def f():\n    return 1\n",
    "ui/b.py": "def draw():\n    return 1\n",
    POLICY: "rules:\n  - {id: core-knows-no-ui, deny_imports: {from: core, to: ui}}\n",
}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel whose command is the one of this checkout: building a real one takes minutes."""
    path = tmp_path_factory.mktemp("wheel") / "mastermind_code_graph-0-py3-none-any.whl"
    places = [str(PROJECT), *sys.path]
    info = "mastermind_code_graph-0.dist-info"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("stand_in.py", f"import sys\nsys.path[:0] = {places!r}\nfrom mmcg.cli.main import main\n")
        archive.writestr(f"{info}/METADATA", "Metadata-Version: 2.1\nName: mastermind-code-graph\nVersion: 0\n")
        archive.writestr(
            f"{info}/WHEEL", "Wheel-Version: 1.0\nGenerator: x\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        archive.writestr(f"{info}/entry_points.txt", "[console_scripts]\nmastermind = stand_in:main\n")
        archive.writestr(f"{info}/RECORD", "")
    return path


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for temporary files in which the step that installs has run."""
    place = tmp_path_factory.mktemp("runner")
    job = Job(place, place, {"action_path": str(PROJECT)}, {"python": {"python-path": sys.executable}})
    action = ACTION | {"runs": {"steps": ACTION["runs"]["steps"][:2]}, "outputs": {}}
    code, _ = job.run(action, {"wheel": str(wheel)})
    assert code == 0, job.log
    return place


class Checked:
    """A repository under the action."""

    def __init__(self, root: Path, installed: Path) -> None:
        self.root = make_repository(root, FILES, indexed=False)
        git(root, "update-ref", "refs/remotes/origin/main", "HEAD")
        git(root, "remote", "add", "origin", str(root))
        self.before = git(root, "rev-parse", "HEAD")
        bin_ = installed / "mastermind" / "venv" / "bin"
        steps = [each for each in ACTION["runs"]["steps"] if each.get("id") not in ("python", "install")]
        self.action = ACTION | {"runs": {"steps": steps}}
        for step in self.action["runs"]["steps"]:
            if step.get("id") == "check":
                self.action["runs"]["steps"] = [
                    each if each is not step else step | {"env": step["env"] | {"BIN": str(bin_)}} for each in steps
                ]
        self.job = Job(root, root.parent / "temporary", {"event": {"before": self.before}, "base_ref": ""})
        (self.job.temporary / "mastermind").mkdir(parents=True)

    def commit(self, files: dict[str, str]) -> Checked:
        write_tree(self.root, files)
        git(self.root, "add", "-A")
        git(self.root, "commit", "-qm", "work")
        return self

    def run(self, **given: str) -> tuple[int, dict[str, str]]:
        return self.job.run(self.action, {name.replace("_", "-"): value for name, value in given.items()})


@pytest.fixture
def checked(tmp_path: Path, installed: Path) -> Checked:
    return Checked(tmp_path / "work", installed)


BAD = {"core/a.py": "from ui.b import draw\n\n\ndef f():\n    return draw()\n"}


def test_a_change_that_breaks_a_rule(checked: Checked) -> None:
    code, outputs = checked.commit(BAD).run()
    assert (code, outputs["verdict"]) == (1, "broken")
    report = json.loads(Path(outputs["report"]).read_text())
    assert [each["kind"] for each in report["findings"]] == ["policy_denied_import"]
    assert json.loads(Path(outputs["sarif"]).read_text())["runs"][0]["results"]
    assert checked.job.summary == Path(outputs["markdown"]).read_text()
    assert checked.job.summary.startswith("# mastermind: broken\n")
    assert "::error title=policy_denied_import (core-knows-no-ui),file=core/a.py,line=1::" in checked.job.log
    ((uses, given),) = checked.job.used
    assert uses.startswith("github/codeql-action/upload-sarif@")
    assert given == {"sarif_file": outputs["sarif"], "category": "mastermind"}


def test_a_clean_change(checked: Checked) -> None:
    code, outputs = checked.commit({"ui/c.py": "from core.a import f\n"}).run(upload_sarif="false")
    assert (code, outputs["verdict"], checked.job.used) == (0, "held", [])
    assert checked.job.summary.startswith("# mastermind: held\n")


@pytest.mark.parametrize(
    ("event", "base_ref"),
    [
        ({"pull_request": {"head": {"repo": {"fork": True}}}}, "main"),
        ({"merge_group": {"base_sha": "BEFORE"}}, ""),
        ({"before": "0" * 40, "repository": {"default_branch": "main"}}, ""),
    ],
)
def test_what_the_change_is_compared_with(checked: Checked, event: dict[str, Any], base_ref: str) -> None:
    text = json.dumps(event).replace("BEFORE", checked.before)
    checked.job.github = {"event": json.loads(text), "base_ref": base_ref}
    code, outputs = checked.commit(BAD).run()
    assert (code, outputs["verdict"]) == (1, "broken")
    assert json.loads(Path(outputs["report"]).read_text())["baseline"] == checked.before
    # A pull request from a fork may not upload.
    assert bool(checked.job.used) is ("pull_request" not in event)


def test_other_inputs(checked: Checked) -> None:
    write_tree(checked.root, {"sub dir/core/a.py": "from ui.b import draw\n", "sub dir/ui/b.py": "def draw(): ...\n"})
    write_tree(checked.root, {"sub dir/rules.yml": FILES[POLICY].replace("]", "").replace("}}", "}, effect: drift}")})
    given = {"working_directory": "sub dir", "policy": "rules.yml", "since": "HEAD", "changed_only": "true"}
    code, outputs = checked.run(fail_on="broken", **given)
    assert (code, outputs["verdict"]) == (0, "partial")
    assert "file=sub dir/core/a.py" in checked.job.log


def test_what_cannot_be_checked(checked: Checked) -> None:
    code, outputs = checked.run(since="origin/gone")
    assert (code, outputs["verdict"]) == (3, "incomplete")
    assert "git fetch origin gone" in checked.job.summary
    checked.job.summary = ""
    code, outputs = checked.run(policy="none.yml")
    assert (code, outputs["verdict"], outputs["report"]) == (2, "error", "")
    assert "could not check" in checked.job.summary
    (checked.root / POLICY).unlink()
    checked.job.summary = ""
    code, outputs = checked.run(since="HEAD")
    assert (code, outputs["verdict"]) == (0, "nothing_to_check")


HOSTILE = '$(touch "$GITHUB_WORKSPACE/owned"); `touch owned`; " ; touch owned #'


@pytest.mark.parametrize("name", ["since", "policy", "working-directory", "fail-on", "changed-only", "run-commands"])
def test_what_is_given_is_never_run(checked: Checked, name: str) -> None:
    checked.run(**{name: HOSTILE})
    checked.run(**{name: "--help"})
    assert not list(checked.root.rglob("owned"))


def test_a_branch_named_to_be_run(checked: Checked) -> None:
    checked.job.github["base_ref"] = "a$(touch${IFS}owned)"
    code, _ = checked.run()
    assert code == 3
    assert not list(checked.root.rglob("owned"))


def steps(document: Any) -> list[dict[str, Any]]:
    found = []
    for job in document["jobs"].values() if "jobs" in document else [document["runs"]]:
        found += job["steps"]
    return found


@pytest.mark.parametrize("document", [ACTION, WORKFLOW], ids=["action", "workflow"])
def test_no_expression_stands_in_a_script(document: dict[str, Any]) -> None:
    for step in steps(document):
        assert "${{" not in step.get("run", "")


KNOWN = {
    # As their action.yml have them, at the pinned commits.
    "actions/checkout": {"fetch-depth", "persist-credentials"},
    "actions/setup-python": {"python-version", "update-environment"},
    "github/codeql-action/upload-sarif": {"sarif_file", "category"},
}


@pytest.mark.parametrize("document", [ACTION, WORKFLOW], ids=["action", "workflow"])
def test_other_actions_are_pinned_and_given_what_they_know(document: dict[str, Any]) -> None:
    for step in steps(document):
        name, _, version = step.get("uses", "").partition("@")
        if name and not name.endswith("/mastermind"):
            assert re.fullmatch("[0-9a-f]{40}", version), name
            assert set(step.get("with", {})) <= KNOWN[name], name


def test_the_example_gives_what_the_action_takes_and_asks_for_few_rights() -> None:
    (own,) = [each for each in steps(WORKFLOW) if each.get("uses", "").startswith("OWNER/mastermind@")]
    assert set(own.get("with", {})) <= set(ACTION["inputs"])
    told = json.dumps(WORKFLOW)
    assert set(re.findall(r"steps\.mastermind\.outputs\.(\w+)", told)) <= set(ACTION["outputs"])
    assert WORKFLOW["permissions"] == {"contents": "read"}
    (job,) = WORKFLOW["jobs"].values()
    assert job["permissions"] == {"contents": "read", "security-events": "write"}


def test_every_expression_can_be_read() -> None:
    for text in (json.dumps(ACTION), json.dumps(WORKFLOW)):
        for found in re.findall(r"\$\{\{(.*?)\}\}", text):
            Expression(found, {}).value()
    assert filled("a${{ inputs.x }}b${{ inputs.y }}", {"inputs": {"x": "1"}}) == "a1b"
    assert Expression("a.b == 'x' && !c || 'd'", {"a": {"b": "y"}}).value() == "d"
