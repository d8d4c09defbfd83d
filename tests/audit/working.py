"""A task in a small repository, the work of an executor, and its audit."""

from __future__ import annotations

import atexit
import json
import shutil
import tempfile
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mmcg import indexing
from mmcg.audit import auditing
from mmcg.audit.tasks import Task
from tests.audit.repository import git, make_repository
from tests.trees import write_tree

if TYPE_CHECKING:
    from mmcg.audit.findings import Finding

TASK = "001-case"

SHOP = {
    "shop/tax.py": """\
RATE = 19


def rate_for(category):
    return RATE if category else 0


def tax_on(amount, category):
    return amount * rate_for(category) // 100


def unused(a, b=1, *rest, key=None):
    return a
""",
    "shop/cart.py": """\
from shop.tax import tax_on


class Base:
    def describe(self):
        return "base"


class Cart(Base):
    limit = 10

    def __init__(self):
        self.lines = []

    def add(self, line):
        self.lines.append(line)

    def tax(self):
        return sum(tax_on(line, "food") for line in self.lines)


def checkout(cart):
    return cart.tax()
""",
    "shop/__init__.py": "",
    "tests/test_cart.py": """\
from shop.cart import Cart, checkout


def test_tax():
    cart = Cart()
    cart.add(100)
    assert checkout(cart) == 19
""",
    "README.md": "# Shop\n",
}


@cache
def _template(files: tuple[tuple[str, str], ...]) -> Path:
    """A repository of one commit and its index, made once: most of a test's time would go into making it."""
    folder = Path(tempfile.mkdtemp(prefix="mastermind-test-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return make_repository(folder / "template", dict(files))


def _copied(root: Path, files: dict[str, str]) -> Path:
    shutil.copytree(_template(tuple(files.items())), root, symlinks=True)
    return root


class Working:
    """A repository with one task, whose files an executor changes."""

    def __init__(self, root: Path, files: dict[str, str] | None = None) -> None:
        self.root = _copied(root, SHOP if files is None else files)
        self.base = git(self.root, "rev-parse", "HEAD")
        self.task = Task(root, root / ".mastermind" / "tasks" / TASK)
        self.task.folder.mkdir(parents=True)
        self.spec: dict[str, Any] = {"id": TASK, "title": "Case", "mode": "lite"}
        self.edits = ""

    def write(self, files: dict[str, str]) -> Working:
        """Change or add files."""
        write_tree(self.root, files)
        return self

    def replace(self, path: str, old: str, new: str) -> Working:
        """Change a text in a file."""
        text = (self.root / path).read_text(encoding="utf-8")
        assert old in text
        (self.root / path).write_text(text.replace(old, new), encoding="utf-8")
        return self

    def commit(self) -> Working:
        """Commit the work."""
        git(self.root, "add", "-A", "--", ".", ":(exclude,glob)**/.mastermind/**")
        git(self.root, "commit", "-qm", "work")
        return self

    def audit(
        self, *touches: Any, report: dict[str, Any] | None = None, prose: str = "", **keys: Any
    ) -> auditing.Audit:
        """The audit of a spec with these entries under `touches` and other keys."""
        entries = [each if isinstance(each, dict) else {"file": each} for each in touches]
        spec = self.spec | {"touches": entries} | keys
        body = f"# Case\n\n## Goals\n\nWhat was done.\n\n{self.edits}"
        # JSON is YAML.
        self.task.spec.write_text(f"---\n{json.dumps(spec)}\n---\n{body}", encoding="utf-8")
        self.task.report.unlink(missing_ok=True)
        if report is not None or prose:
            self.task.report.write_text(self.report(report or {}, prose), encoding="utf-8")
        return auditing.audit(self.task, since=self.base)

    def report(self, keys: dict[str, Any], prose: str) -> str:
        """A complete report that lists every changed file."""
        status = git(self.root, "diff", "--no-renames", "--name-only", self.base).split()
        new = git(self.root, "ls-files", "--others", "--exclude-standard").split()
        files = sorted(each for each in {*status, *new} if not each.startswith(".mastermind"))
        told = {"schema_version": 1, "spec": TASK, "status": "complete", "files_modified": files} | keys
        block = f"```yaml\n{json.dumps(told)}\n```"
        return f"# Report\n\n{prose}\n\n<!-- mastermind:report-begin -->\n\n{block}\n\n<!-- mastermind:report-end -->\n"


def told(done: auditing.Audit, kind: str | None = None) -> list[tuple[str, str]]:
    """What findings are about, with their effects; warnings are left out."""
    return [
        (each.about[-1] if each.about else "", each.weight)
        for each in done.findings
        if each.weight != "warning" and (kind is None or each.kind == kind)
    ]


def kinds(done: auditing.Audit) -> set[str]:
    """The kinds of findings, without warnings."""
    return {each.kind for each in done.findings if each.weight != "warning"}


def one(done: auditing.Audit, kind: str) -> Finding:
    """The only finding of a kind."""
    found = [each for each in done.findings if each.kind == kind]
    assert len(found) == 1, [each.message for each in done.findings]
    return found[0]


def reindexed(root: Path) -> None:
    """Bring an index up to date."""
    indexing.index(root)
