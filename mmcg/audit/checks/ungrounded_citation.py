"""A text cites a place in the code that is not so.

Looked at are `path/to/file:line` and `path/to/file:line-line` in the prose of specs and reports. Found when there is no
such file, when it has fewer lines, or when the symbol that is named right before the citation ("`Cart.total` at
`shop/cart.py:12`") is neither defined over these lines nor named in them.

It is a warning, and changes no verdict.

What to do: correct the citation; `mastermind query search NAME` says where a symbol is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmcg.audit.documents.citations import citations
from mmcg.audit.documents.fields import shown
from mmcg.audit.findings import Kind
from mmcg.audit.grounding import untrue_citations

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mmcg.audit.documents.citations import Citation
    from mmcg.audit.findings import Finding
    from mmcg.audit.verification import Subject
    from mmcg.audit.work import Work

KIND = Kind("ungrounded_citation", severity="warning", effect="warning")


def verify(subject: Subject) -> Iterator[Finding]:
    """Citations of a spec."""
    body = subject.spec.body
    if not any(True for _ in citations(body)):
        return  # The index need not be opened.
    for each, wrong in untrue_citations(body, subject.context, subject.root):
        yield _finding(each, wrong, subject.spec.path)


def audit(work: Work) -> Iterator[Finding]:
    """Citations of a report, held against the tree as it is now."""
    if work.report is not None:
        for each, wrong in untrue_citations(work.report.body, work.after, work.root):
            yield _finding(each, wrong, work.report.path).for_audit("warning")


def _finding(citation: Citation, wrong: str, file: str) -> Finding:
    return KIND.in_spec(
        f"The citation `{shown(citation.text)}` is not so: {wrong}.",
        about=[citation.file, *([citation.name] if citation.name else [])],
        file=file,
        line=citation.line,
        hint="Correct the citation, or take it out.",
    )
