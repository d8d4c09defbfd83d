"""The policy cannot be read, or says something that no policy can say.

Found when `mastermind-policy.yml` is no YAML, uses anchors, aliases or tags, or nests too deep; when a key is
unknown, stands twice, is missing, or has a value of the wrong type; when two rules have one id; when a rule has no
action, or more than one. The line of the fault is given, and for an unknown key or word the nearest known one. The
rules of a policy with a fault are held against nothing.

What to do: correct the line; every key stands in the page about the command `mastermind ci`.
"""

from __future__ import annotations

from mmcg.audit.findings import Kind

KIND = Kind("policy_invalid", severity="error")
