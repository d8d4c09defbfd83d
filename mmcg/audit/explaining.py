"""What each kind of finding means: the docstrings of the checks, for `mastermind explain` and `docs/findings.md`.

`python -m mmcg.audit.explaining` writes that page.
"""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from pathlib import Path

from mmcg.audit import checks

PAGE = Path(__file__).parents[2] / "docs" / "findings.md"

_HEAD = """\
# Kinds of finding

What `mastermind verify-spec`, `report check`, `audit-spec` and `ci` look for. This page is made from the checks
themselves; `mastermind explain KIND` prints the same.

"""


@dataclass(frozen=True, slots=True)
class Explanation:
    """The documentation of one kind."""

    name: str
    text: str
    severity: str | None
    effect: str | None

    @property
    def summary(self) -> str:
        """Its first sentence."""
        return self.text.partition("\n\n")[0].replace("\n", " ")

    @property
    def weights(self) -> str:
        """What it is in a spec or report, and what it does in an audit."""
        parts = []
        if self.severity:
            parts.append(f"{self.severity} in specs and reports")
        if self.effect:
            parts.append(f"{self.effect.replace('_', ' ')} in audits")
        return ", ".join(parts)

    def to_json(self) -> dict[str, object]:
        """The kind as programs read it."""
        return {
            "kind": self.name,
            "summary": self.summary,
            "severity": self.severity,
            "effect": self.effect,
            "text": self.text,
        }


def all_names() -> list[str]:
    """Every kind, in order of the alphabet."""
    return checks.names()


def explanation(name: str) -> Explanation:
    """The documentation of one kind."""
    module = checks.module(name)
    return Explanation(name, inspect.getdoc(module) or "", module.KIND.severity, module.KIND.effect)


def markdown() -> str:
    """The page `docs/findings.md`."""
    found = [explanation(name) for name in all_names()]
    table = ["| kind | when | in a spec or report | in an audit |", "|---|---|---|---|"]
    for each in found:
        severity, effect = each.severity or "", (each.effect or "").replace("_", " ")
        table.append(f"| [`{each.name}`](#{each.name}) | {each.summary} | {severity} | {effect} |")
    parts = [f"\n## {each.name}\n\n{each.text}\n" for each in found]
    return _HEAD + "\n".join(table) + "\n" + "".join(parts)


if __name__ == "__main__":
    PAGE.write_text(markdown(), encoding="utf-8")
