"""A public symbol was changed in a file that nobody owns: `require_owners: true`.

Found for files in the rule's `paths` that no line of `CODEOWNERS` gives to anyone, when a symbol in them that other
code may use was added, removed, moved, or got another signature or body. Public is what the language says is public,
in containers that are, and exported where the file exports anything; tests and what is local to a function are not.
`CODEOWNERS` is read from `.github`, the root or `docs` by the rules of GitHub: the last line that fits decides, and
one without owners takes them away.

What to do: give the file an owner in `CODEOWNERS`.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from mmcg.audit.findings import Kind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mmcg.audit.documents.fields import Entries, Fields
    from mmcg.audit.findings import Finding
    from mmcg.audit.policy.change import Change
    from mmcg.audit.policy.owners import Owners
    from mmcg.audit.policy.rules import Rule
    from mmcg.query.compare import State

KIND = Kind("policy_unowned_change", effect="broken")
ACTION = "require_owners"

_SHOWN = 3


def read(reader: Fields, keys: Entries) -> bool | None:
    """`true`, or nothing."""
    from mmcg.audit.policy.rules import whole

    return whole(reader, keys, ACTION)


def hold(change: Change, rule: Rule) -> Iterator[Finding]:
    """The files without an owner of which a public symbol changed."""
    from mmcg.audit.policy.owners import read_owners
    from mmcg.query import git

    owners = read_owners(git.top(change.root))
    prefix = git.prefix(change.root)
    for number in owners.wrong:
        change.remarks.append(f"Line {number} of `{owners.path}` is passed over: GitHub reads no such line.")
    for path, states in sorted(_public(change, rule).items()):
        if not owners.of(prefix + path):
            yield _finding(rule, owners, path, prefix + path, states)


def _public(change: Change, rule: Rule) -> dict[str, list[State]]:
    """By file, its public symbols that are not what they were; of those that are gone the file that they were in."""
    found: dict[str, list[State]] = defaultdict(list)
    changed = [each for each in change.differences if not change.in_test_code(each)]
    sides = (
        (change.after, [each.after for each in changed if each.after is not None]),
        (change.before, [each.before for each in changed if each.after is None and each.before is not None]),
    )
    for context, states in sides:
        public = change.public(context, (each.id for each in states))
        for state in states:
            if state.id in public and rule.scope.covers(state.path):
                found[state.path].append(state)
    return found


def _finding(rule: Rule, owners: Owners, path: str, place: str, states: list[State]) -> Finding:
    states = sorted(states, key=lambda each: each.line)
    names = ", ".join(f"`{each.qualified}`" for each in states[:_SHOWN])
    more = f" and {len(states) - _SHOWN} more" if len(states) > _SHOWN else ""
    line = owners.line_for(place)
    where = f"add a line for it to `{owners.path}`" if owners.path else "make `.github/CODEOWNERS` with a line for it"
    why = "No line fits it" if line is None else f"Line {line.number} (`{line.pattern}`) names nobody"
    return rule.finding(
        KIND,
        f"`{path}` has no owner, and public symbols of it changed: {names}{more}; the rule `{rule.id}` requires one.",
        about=[path],
        file=path,
        line=states[0].line,
        expected="an owner",
        found="none",
        hint=f"{why if owners.path else 'There is no CODEOWNERS'}: {where}.",
    )
