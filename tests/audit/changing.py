"""A repository with a policy, a change in it, and what `mastermind ci` finds."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

from mmcg.audit import ci
from tests.audit.repository import git
from tests.audit.working import _template
from tests.trees import write_tree

if TYPE_CHECKING:
    from pathlib import Path

    from mmcg.audit.findings import Finding

POLICY = "mastermind-policy.yml"


class Changing:
    """A repository of one commit whose files are changed."""

    def __init__(self, root: Path, files: dict[str, str]) -> None:
        self.root = root
        shutil.copytree(_template(tuple(files.items())), root, symlinks=True)
        self.base = git(root, "rev-parse", "HEAD")

    def write(self, files: dict[str, str | None]) -> Changing:
        """Change, add or (None) delete files."""
        write_tree(self.root, {name: text for name, text in files.items() if text is not None})
        for name, text in files.items():
            if text is None:
                (self.root / name).unlink()
        return self

    def check(self, *rules: str, **options: bool) -> ci.Summary:
        """What these rules find; each is the YAML of one in flow style, without its braces."""
        if rules:
            lines = "".join(f"  - {{id: r{number}, {rule}}}\n" for number, rule in enumerate(rules, 1))
            (self.root / POLICY).write_text(f"rules:\n{lines}", encoding="utf-8")
        return ci.check(self.root, since=self.base, **options)

    def found(self, *rules: str) -> list[tuple[str, str, str]]:
        """Kind, effect and what it is about, of what they find."""
        return [
            (each.kind.removeprefix("policy_"), each.weight, each.about[-1]) for each in self.check(*rules).findings
        ]


def only(findings: tuple[Finding, ...]) -> Finding:
    """The one finding."""
    assert len(findings) == 1, [each.message for each in findings]
    return findings[0]
