"""`verify-spec`: whether a spec can be worked by, before anybody does.

The checks are the modules of `mmcg.audit.checks` that have a function `verify`; each gets the same subject.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from mmcg.audit import checks, files
from mmcg.audit.documents.spec import Spec, SpecReading, SymbolPlan, read_spec
from mmcg.audit.findings import Finding, in_order
from mmcg.audit.opening import open_index_for
from mmcg.audit.symbols import Lookup, look_up

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from mmcg.query.context import Context


@dataclass(frozen=True, slots=True)
class NamedSymbol:
    """A symbol that must exist, with what its name means."""

    key: str
    """`touches` or `removes`."""
    file: str | None
    """The file or glob that it is named under."""
    plan: SymbolPlan
    lookup: Lookup


@dataclass
class Subject:
    """What the checks of a spec look at. The index is opened when a check first needs it."""

    root: Path
    reading: SpecReading
    opened: Callable[[], tuple[Context, list[Finding], list[str]]]

    @property
    def spec(self) -> Spec:
        """The spec as far as it could be read."""
        return self.reading.spec

    @cached_property
    def _opened(self) -> tuple[Context, list[Finding], list[str]]:
        return self.opened()

    @property
    def context(self) -> Context:
        """The index, as fresh as the spec's mode wants it."""
        return self._opened[0]

    @property
    def index_findings(self) -> list[Finding]:
        """What is wrong with the index."""
        return self._opened[1]

    @property
    def notices(self) -> list[str]:
        """What is to be said about the index."""
        return self._opened[2]

    @cached_property
    def named(self) -> list[NamedSymbol]:
        """Every symbol that the spec takes for existing. Those of files that are not there are left out."""
        found = []
        creates = {each.path for each in self.spec.creates}
        for file, plan in self.spec.symbols():
            there = not files.fault(file) and files.matches(self.root, file)
            if there and file not in creates:
                found.append(NamedSymbol("touches", file, plan, look_up(self.context, plan.name, file, plan.signature)))
        found += [
            NamedSymbol("removes", None, plan, look_up(self.context, plan.name, None, plan.signature))
            for plan in self.spec.removes
        ]
        return found

    def paths(self) -> Iterator[tuple[str, str, int]]:
        """Every path of the spec: the key that it stands under, the path, and the line."""
        spec = self.spec
        yield from (("touches", each.file, each.line) for each in spec.touches)
        yield from (("creates", each.path, each.line) for each in spec.creates)
        yield from (("deletes", each.path, each.line) for each in spec.deletes)
        yield from (("docs", each.path, each.line) for each in spec.docs)
        tests = {each.file: each.line for each in reversed(spec.tests) if each.file}
        yield from (("tests", path, line) for path, line in tests.items())
        yield from (("File", each.file, each.line) for each in spec.edits if each.file)


@dataclass(frozen=True, slots=True)
class Verification:
    """What verifying a spec gave."""

    spec: Spec
    findings: tuple[Finding, ...]
    notices: tuple[str, ...] = ()
    named: tuple[NamedSymbol, ...] = field(default=(), repr=False)
    """The symbols that the spec names; empty when the index was not needed."""
    checked: dict[str, int] = field(default_factory=dict)

    @property
    def errors(self) -> int:
        """How many findings stop the spec."""
        return sum(each.severity == "error" for each in self.findings)

    @property
    def verdict(self) -> str:
        """`pass`, `warn` or `fail`."""
        return "fail" if self.errors else "warn" if self.findings else "pass"

    def to_json(self) -> dict[str, Any]:
        """The answer as programs read it."""
        return {
            "status": "ok",
            "spec": self.spec.id,
            "verdict": self.verdict,
            "baseline": None,
            "findings": [each.to_json() for each in self.findings],
            "claims": [],
            "checked": self.checked,
            "notices": list(self.notices),
        }


def verify_form(root: Path, path: Path) -> Verification:
    """Verify of a spec only what does not depend on the tree, which is another one when the work is done."""
    reading = read_spec(path, root)
    subject = Subject(root, reading, lambda: open_index_for(root, reading.spec))
    findings = list(reading.findings)
    for module in checks.having("verify"):
        if getattr(module, "FORM", False):
            findings += module.verify(subject)
    return Verification(reading.spec, tuple(in_order(findings)))


def verify(root: Path, path: Path) -> tuple[Verification, Context | None]:
    """Verify the spec at `path` of the repository at `root`; with the index, if it was opened.

    Raises `InputError` when the spec cannot be read at all, and `NoIndexError` when an index is needed and is missing.
    """
    reading = read_spec(path, root)
    spec = reading.spec
    subject = Subject(root, reading, lambda: open_index_for(root, spec))
    findings = list(reading.findings)
    for module in checks.having("verify"):
        findings += module.verify(subject)
    needs_index = bool(spec.touches or spec.removes or spec.mode == "strict")
    checked = {
        "files": sum(1 for _ in subject.paths()),
        "symbols": len(subject.named) if needs_index else 0,
        "edits": len(spec.edits),
        "commands": len(spec.verify),
        "sections": len(spec.sections),
    }
    done = Verification(
        spec,
        tuple(in_order(findings)),
        tuple(subject.notices) if needs_index else (),
        tuple(subject.named) if needs_index else (),
        checked,
    )
    return done, subject.context if needs_index else None
