"""The YAML at the top of a spec cannot be read, or says something that no spec can say.

Found when the YAML has a syntax error, is never closed, uses anchors, aliases or tags, or nests too deep; when a key is
unknown, stands twice, is missing, or has a value of the wrong type; when `id` is not the name of the task's folder.
The line of the fault is given, and for an unknown key or word the nearest known one.

What to do: correct the line. `mastermind spec new` writes a spec with every key in its place.
"""

from __future__ import annotations

from mmcg.audit.findings import Kind

KIND = Kind("frontmatter_invalid", severity="error")
