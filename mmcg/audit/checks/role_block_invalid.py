"""A document of another role (intake, investigator, researcher) has not the form that the next role relies on.

Intake: a YAML block between `mastermind:intake-begin` and `mastermind:intake-end` with `action` (refined, passthrough
or ask), `workflow_mode` (strict, lite or unknown) and `risk` (low, medium or high).

Hypothesis Ledger of an investigator: the sections Symptom, Known facts, Hypotheses, Ruled out, Current best explanation
and Next probe. Hypotheses are a table; each has evidence for and evidence against, and a status out of active,
needs_probe, weakened, confirmed and ruled_out. A confirmed one has both kinds of evidence. There is exactly one next
probe.

Report of a researcher: the sections Citations, with `file:line` citations, and Contradictions / Unknowns.

What to do: bring the document into that form.
"""

from __future__ import annotations

from mmcg.audit.findings import Kind

KIND = Kind("role_block_invalid", severity="error")
