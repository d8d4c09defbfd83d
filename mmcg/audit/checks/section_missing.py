"""A section that the spec's mode requires is not there.

`lite` requires Goals; `verified` Goals, Scope, Acceptance Criteria, Tests Plan and Final Verification; `strict` these
and Alternatives Considered, Risk Register, Rollback, Documentation Plan, Observability Plan and
Performance Considerations.
A heading inside a code block is text. Case, numbering (`2. Scope`) and a colon at the end do not matter.

What to do: add the section, or choose a mode that does not need it.
"""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

from mmcg.audit.documents.markdown import same_title
from mmcg.audit.documents.spec import SECTIONS
from mmcg.audit.findings import Kind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mmcg.audit.findings import Finding
    from mmcg.audit.verification import Subject

KIND = Kind("section_missing", severity="error")
FORM = True
"""It can be looked for whether the work is done or not."""


def required(subject: Subject) -> tuple[str, ...]:
    """The sections that must be there; where the mode could not be read, those of every mode."""
    return SECTIONS[subject.spec.mode if subject.reading.complete else "lite"]


def verify(subject: Subject) -> Iterator[Finding]:
    """The required sections without a heading."""
    spec = subject.spec
    if not spec.body.blocks and not subject.reading.complete:
        return  # Frontmatter that is never closed: where the text begins is unknown.
    titles = [each.title for each in spec.sections]
    for name in required(subject):
        if not any(same_title(name, title) for title in titles):
            near = difflib.get_close_matches(name, titles, n=1, cutoff=0.8)
            hint = f"Is `{near[0]}` meant to be it?" if near else f"Add `## {name}`, or choose another mode."
            yield KIND.in_spec(
                f"The section `{name}` is missing, which mode `{spec.mode}` requires.",
                about=[name],
                file=spec.path,
                line=1,
                expected=f"## {name}",
                hint=hint,
            )
