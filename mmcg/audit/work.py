"""What an audit looks at: the spec, the report, and the two states of the repository with what lies between them.

Every check of an audit is a function `audit(work: Work)` that gives findings; it looks and changes nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from mmcg.audit.compared import Compared
from mmcg.audit.files import exists, fits, is_glob
from mmcg.audit.symbols import Lookup, look_up

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from mmcg.audit.claims.judged import Judged
    from mmcg.audit.documents.report import Report
    from mmcg.audit.documents.spec import Spec, SymbolPlan
    from mmcg.audit.findings import Finding, Kind
    from mmcg.audit.tasks import Task
    from mmcg.query.context import Symbol


@dataclass(frozen=True, slots=True)
class Named:
    """A symbol that the spec names under `touches`, in both states."""

    plan: SymbolPlan
    file: str
    """The file, or glob, that it stands under."""
    then: Lookup
    """What the name means in the commit."""
    now: tuple[int, ...]
    """The ids that its definitions have now; those that are gone are missing."""


@dataclass
class Work(Compared):
    """One task's work, between the baseline commit and the working tree."""

    task: Task
    spec: Spec
    report: Report | None
    runs: Any = None
    """What the declared commands gave; None when they were not run."""
    notices: list[str] = field(default_factory=list)
    report_findings: tuple[Finding, ...] = ()
    """What is wrong with the form of the report."""

    @cached_property
    def named(self) -> tuple[Named, ...]:
        """The symbols under `touches`."""
        found = []
        for file, plan in self.spec.symbols():
            then = look_up(self.before, plan.name, file, plan.signature)
            if not then.found:
                then = look_up(self.before, plan.name, self._earlier(file), plan.signature)
            now = tuple(each for one in then.symbols if (each := self.graphs.now(one.id)) is not None)
            found.append(Named(plan, file, then, now))
        return tuple(found)

    @property
    def staying(self) -> Iterator[Named]:
        """Those of them that the commit has and that are still there."""
        return (each for each in self.named if each.then.found and each.now)

    def definitions_now(self, named: Named) -> tuple[int, ...]:
        """The ids of what a named symbol is now: its definitions, and those that joined them under its name."""
        if named.plan.signature is not None or not named.now:
            return named.now
        places = {(each.path, each.qualified) for each in self.after.symbols(named.now).values()}
        joined = [each.id for each in self.graphs.pairing.came if (each.path, each.qualified) in places]
        return (*named.now, *joined)

    def exists(self, path: str) -> str | None:
        """A declared path that is there now (of a glob, the first file of the graph that fits); else None."""
        if is_glob(path) and not exists(self.root, path):
            return next((each for each in self.after.files() if fits(path, each)), None)
        return path if exists(self.root, path) else None

    def renamed_away(self, symbols: Iterable[Symbol]) -> bool:
        """Whether all these symbols of the baseline have another name now."""
        renamed = {one.id for one, _ in self.graphs.pairing.renamed}
        return all(each.id in renamed for each in symbols)

    @cached_property
    def claims(self) -> tuple[Judged, ...]:
        """What the report claims, judged."""
        from mmcg.audit.claims import judged

        return tuple(judged(self))

    def found_in_claims(self, kind: Kind) -> Iterator[Finding]:
        """The findings of one kind that claims lead to."""
        return (finding for each in self.claims for finding in each.findings if finding.kind == kind.name)

    def _earlier(self, file: str) -> str:
        """The path in the commit of a file that is elsewhere now."""
        return next((before for before, after in self.graphs.moved_files.items() if before and after == file), file)
