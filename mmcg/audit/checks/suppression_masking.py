"""The change keeps a check from telling what it would.

Found where the diff adds a comment, attribute or pragma that silences a tool (`noqa`, `type: ignore`, `eslint-disable`,
`@ts-ignore`, `#[allow]`, `nolint`, `@SuppressWarnings`, `#pragma warning disable`, `NOLINT` and their kin); marks a
test as skipped, expected to fail, or the only one to run; deletes a test, or deletes or loosens an assertion; lets a
script or a CI step pass whatever it finds (`|| true`, `set +e`, `continue-on-error`, `--exit-zero`); or makes a limit
easier to keep that a declared check reads.

What only moved with the code that it belongs to is not added, nor is a suppression that covers less than before. A
renamed or moved test, and one whose values another test checks now, is not deleted. What the spec deletes, removes or
names in so many words is allowed.

It is drift. It is broken where it hides a declared check: a tool that a declared command runs, a file that one reads, a
test that one runs, or a planned test. What may as well be something else is a warning.

What to do: mend what the check finds, or plan the exception in the spec.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmcg.audit.findings import Kind
from mmcg.audit.masking import loosened, marks, quiet, texts, thresholds

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mmcg.audit.findings import Finding
    from mmcg.audit.masking.hidden import Masked
    from mmcg.audit.work import Work

KIND = Kind("suppression_masking", effect="drift")


def audit(work: Work) -> Iterator[Finding]:
    """Everything in the diff that masks something."""
    for part in (quiet.added, marks.added, loosened.lost, texts.added, texts.left_out, thresholds.raised):
        for each in part(work):
            yield _finding(each)


def _finding(each: Masked) -> Finding:
    hides = f" It hides {each.hides}." if each.hides and not each.doubtful else ""
    doubt = " It may be meant otherwise." if each.doubtful else ""
    return KIND.in_audit(
        each.message + hides + doubt,
        about=each.about,
        file=each.file,
        line=each.line,
        expected=each.expected,
        found=each.found,
        hint=each.hint,
        effect=each.effect,
    )
