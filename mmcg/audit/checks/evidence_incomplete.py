"""Something that the verdict depends on cannot be seen, so there is no verdict.

Found when a changed file cannot be read, when the index cannot be brought up to date, when the baseline commit or its
contents are not there (a shallow or partial clone, a rewritten history), or when the task was never approved and no
`--since` names a commit. The exit code is 3.

What to do: as the message says: fetch what is missing, give the right to read, or name the baseline.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmcg.audit.findings import Kind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mmcg.audit.findings import Finding
    from mmcg.audit.work import Work

KIND = Kind("evidence_incomplete", effect="no_verdict")


def audit(work: Work) -> Iterator[Finding]:
    """The files that cannot be seen."""
    for path in work.graphs.files.unreadable:
        yield KIND.in_audit(
            f"`{path}` cannot be read, so nobody can say whether it changed.",
            about=[path],
            file=path,
            expected="a file that can be read",
            found="none",
            hint="Give this user the right to read it, or remove it if it is no regular file.",
        )
