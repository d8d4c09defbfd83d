"""The report says something that is not so, or contradicts itself.

In an audit: `files_modified` is not the set of changed files; a symbol said to be added was there before, is not there,
or has another signature; a symbol said to be removed is still there; a test said to be added was not; the report is
about another spec. In `report check`, and in an audit too: the machine block is missing or cannot be read; the status
is `complete` although a verification failed, a defect is listed or a phase is pending; the status is `partial` or
`failed` and no defect says why.

What to do: correct the report, or do what it says.
"""

from __future__ import annotations

from mmcg.audit.findings import Kind

KIND = Kind("report_code_mismatch", severity="error", effect="broken")
