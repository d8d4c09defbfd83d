"""A diagram shows an arrow between two symbols that nothing in the code supports.

Looked at are Mermaid flowcharts and sequence diagrams in specs and reports. Where both ends of an arrow are names of
symbols or files of the graph, there must be a call, another use, or an inheritance from one to the other; a type stands
for its members too. Arrows between other things are not judged, and neither are dashed arrows of sequence diagrams,
which are answers. In a spec, an arrow to a symbol that is to gain callers is a plan.

It is a warning, and changes no verdict.

What to do: correct the diagram; `mastermind query callees SYMBOL` says what is called, and `--format mermaid` draws it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmcg.audit.documents.diagrams import arrows
from mmcg.audit.documents.fields import shown
from mmcg.audit.findings import Kind
from mmcg.audit.grounding import unsupported_arrows

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mmcg.audit.documents.diagrams import Arrow
    from mmcg.audit.findings import Finding
    from mmcg.audit.verification import Subject
    from mmcg.audit.work import Work

KIND = Kind("ungrounded_diagram", severity="warning", effect="warning")


def verify(subject: Subject) -> Iterator[Finding]:
    """Arrows of a spec."""
    body = subject.spec.body
    if not any(True for _ in arrows(body)):
        return  # The index need not be opened.
    planned = {symbol.address for each in subject.named if each.plan.gained for symbol in each.lookup.symbols}
    for arrow, source, target in unsupported_arrows(body, subject.context):
        if target not in planned:
            yield _finding(arrow, source, target, subject.spec.path)


def audit(work: Work) -> Iterator[Finding]:
    """Arrows of a report, held against the tree as it is now."""
    if work.report is not None:
        for arrow, source, target in unsupported_arrows(work.report.body, work.after):
            yield _finding(arrow, source, target, work.report.path).for_audit("warning")


def _finding(arrow: Arrow, source: str, target: str, file: str) -> Finding:
    return KIND.in_spec(
        f"A diagram shows an arrow from `{shown(source)}` to `{shown(target)}`, but no edge of the graph supports it.",
        about=[source, target],
        file=file,
        line=arrow.line,
        hint=f"Correct the diagram; `mastermind query callees {source}` says what is called.",
    )
