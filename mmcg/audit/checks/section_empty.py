"""A required section says nothing.

Found when there is nothing under its heading but blank lines, HTML comments, and lines of the template that
`mastermind spec new` wrote and nobody changed. A code block or a list is something.

What to do: write what belongs there, even if it is one sentence ("The existing tests cover this; none is added.").
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmcg.audit.checks.section_missing import required
from mmcg.audit.documents.markdown import same_title
from mmcg.audit.documents.template import PLACEHOLDERS
from mmcg.audit.findings import Kind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mmcg.audit.findings import Finding
    from mmcg.audit.verification import Subject

KIND = Kind("section_empty", severity="error")
FORM = True
"""It can be looked for whether the work is done or not."""


def verify(subject: Subject) -> Iterator[Finding]:
    """The required sections of which every one with that title is empty."""
    spec = subject.spec
    for name in required(subject):
        fitting = [each for each in spec.sections if same_title(each.title, name)]
        if fitting and all(each.empty(PLACEHOLDERS) for each in fitting):
            yield KIND.in_spec(
                f"The section `{name}` is empty.",
                about=[name],
                file=spec.path,
                line=fitting[0].line,
                hint="Write it; blank lines, comments and lines of the template do not count.",
            )
