"""What the checks find, and how a kind of finding is declared.

Every kind has a module of its name in `mmcg.audit.checks`: its docstring is the documentation of the kind, its `KIND`
makes the findings, and its functions `verify(subject)` and `audit(subject)`, where it has them, look for them in a spec
and in the work done.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, TypedDict, Unpack

if TYPE_CHECKING:
    from collections.abc import Iterable

Severity = Literal["error", "warning"]
"""How much a finding in a spec or report matters: an error stops it."""

Effect = Literal["no_verdict", "broken", "drift", "warning"]
"""What a finding of an audit does to the verdict."""

WORST_FIRST = ("no_verdict", "broken", "drift", "error", "warning")
"""Severities and effects, those that matter most first."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is not as it should be. Either `severity` (specs, reports) or `effect` (audits) is set."""

    kind: str
    message: str
    severity: Severity | None = None
    effect: Effect | None = None
    about: tuple[str, ...] = ()
    """The symbols or paths it is about."""
    file: str | None = None
    """Where it is, from the root of the repository."""
    line: int | None = None
    """From 1."""
    expected: str | None = None
    found: str | None = None
    hint: str = ""
    """What to do next."""
    origin: str = ""
    """Where several things were checked at once, the id of the task or policy rule that it belongs to."""

    @property
    def weight(self) -> str:
        """The severity or the effect, whichever it has."""
        return self.effect or self.severity or "warning"

    def for_audit(self, effect: Effect) -> Finding:
        """The same finding of a spec or report, as one of an audit."""
        return replace(self, severity=None, effect=effect)

    def to_json(self) -> dict[str, Any]:
        """The finding as programs read it."""
        row: dict[str, Any] = {"kind": self.kind}
        if self.effect is not None:
            row["effect"] = self.effect
        if self.severity is not None:
            row["severity"] = self.severity
        if self.origin:
            row["origin"] = self.origin
        return row | {
            "message": self.message,
            "about": list(self.about),
            "file": self.file,
            "line": self.line,
            "location": None if self.file is None else {"file": self.file, "line": self.line},
            "expected": self.expected,
            "found": self.found,
            "hint": self.hint,
        }


class Rest(TypedDict, total=False):
    """What a finding says besides what it is and what it is about, as `Finding` has it."""

    file: str | None
    line: int | None
    expected: str | None
    found: str | None
    hint: str


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of finding, with the severity and effect that it has unless a finding says otherwise."""

    name: str
    severity: Severity | None = None
    """In a spec or report; None where it is not looked for there."""
    effect: Effect | None = None
    """In an audit; None where it is not looked for there."""

    def in_spec(
        self, message: str, *, about: Iterable[str] = (), severity: Severity | None = None, **rest: Unpack[Rest]
    ) -> Finding:
        """A finding of `verify-spec` or `report check`."""
        return Finding(self.name, message, severity or self.severity or "error", None, tuple(about), **rest)

    def in_audit(
        self, message: str, *, about: Iterable[str] = (), effect: Effect | None = None, **rest: Unpack[Rest]
    ) -> Finding:
        """A finding of an audit."""
        return Finding(self.name, message, None, effect or self.effect or "drift", tuple(about), **rest)


def in_order(findings: Iterable[Finding]) -> list[Finding]:
    """The stable order of findings, without repetitions: the worst first, then by kind and place."""
    return sorted(
        dict.fromkeys(findings),
        key=lambda each: (
            WORST_FIRST.index(each.weight),
            each.kind,
            each.file or "",
            each.line or 0,
            each.about,
            each.message,
            each.origin,
        ),
    )
