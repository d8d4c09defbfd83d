"""A spec has no YAML at its top, so nothing says what is to be changed.

Found when the first line of `spec.md` is not `---`. What a change may touch is never guessed from prose.

What to do: begin the file with `---`, the keys, and `---`. `mastermind spec new` writes a spec that has them.
"""

from __future__ import annotations

from mmcg.audit.findings import Kind

KIND = Kind("frontmatter_missing", severity="error")
