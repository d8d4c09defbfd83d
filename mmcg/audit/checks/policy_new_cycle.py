"""Files need each other in a circle that was not there before: `no_new_cycles: true`.

Found when an import that the commit does not have closes a circle of imports, as `mastermind query cycles` shows
them. A rule with `paths` is about the circles that touch them. Circles that were there before are no findings, nor
are they when files of them moved; a new import inside of one is, for it closes another.

What to do: take one of the imports out, or put what both sides need into a file of its own.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from mmcg.audit.findings import Kind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mmcg.audit.documents.fields import Entries, Fields
    from mmcg.audit.findings import Finding
    from mmcg.audit.policy.change import Change
    from mmcg.audit.policy.rules import Rule
    from mmcg.query.cycles import Edges

KIND = Kind("policy_new_cycle", effect="broken")
ACTION = "no_new_cycles"


def read(reader: Fields, keys: Entries) -> bool | None:
    """`true`, or nothing."""
    from mmcg.audit.policy.rules import whole

    return whole(reader, keys, ACTION)


def hold(change: Change, rule: Rule) -> Iterator[Finding]:
    """The circles that a new import closes, each once."""
    from mmcg.query.cycles import components, import_edges

    edges, path_of = import_edges(change.after), change.after.path_of
    earlier = _earlier(change)
    for group in components(edges):
        if len(group) < 2 or not any(rule.scope.covers(path_of(each)) for each in group):
            continue
        told: set[tuple[int, int]] = set()
        for one in sorted(group):
            for other in sorted(set(edges.get(one, ())) & group):
                if (one, other) in told or (path_of(one), path_of(other)) in earlier:
                    continue
                circle = _circle(edges, one, other)
                if not any(rule.scope.covers(path_of(each)) for each in circle):
                    continue
                told |= set(zip(circle, [*circle[1:], circle[0]], strict=True))
                yield _finding(rule, [path_of(each) for each in circle], edges[one][other])


def _earlier(change: Change) -> set[tuple[str, str]]:
    """The imports between files of the commit, under the paths that those have now."""
    from mmcg.query.cycles import import_edges

    path_of, renamed = change.before.path_of, change.graphs.renamed
    edges = ((path_of(one), path_of(other)) for one, far in import_edges(change.before).items() for other in far)
    return {(renamed.get(one) or one, renamed.get(other) or other) for one, other in edges}


def _circle(edges: Edges, one: int, other: int) -> list[int]:
    """A shortest circle that begins with an import of one file by another."""
    previous = {other: one}
    queue = deque([other])
    while queue:
        node = queue.popleft()
        if node == one:
            break
        for target in sorted(edges.get(node, ())):
            if target not in previous:
                previous[target] = node
                queue.append(target)
    way = [previous[one]]
    while way[-1] != one:
        way.append(previous[way[-1]])
    return way[::-1]


def _finding(rule: Rule, circle: list[str], line: int) -> Finding:
    shown = " → ".join(f"`{each}`" for each in [*circle, circle[0]])
    return rule.finding(
        KIND,
        f"The import of `{circle[1]}` by `{circle[0]}` closes a circle: {shown}.",
        about=circle[:2],
        file=circle[0],
        line=line,
        expected="no new circle of imports",
        found=" → ".join([*circle, circle[0]]),
        hint="Take one of these imports out, or put what both sides need into a file of its own.",
    )
