"""`cycles`: groups of files that need each other in a circle.

Row: `size, files, cycle, imports: [{file, line, target}]`; `cycle` is a shortest circle of the group, its first file
repeated at the end, and `imports` are the lines that make it. Largest groups first.
"""

from __future__ import annotations

import itertools
from collections import deque
from typing import TYPE_CHECKING

from mmcg.query.answer import Answer, Options, Row, answer
from mmcg.query.symbols import paths_named

if TYPE_CHECKING:
    from mmcg.query.context import Context

Edges = dict[int, dict[int, int]]
"""File → the files it imports, each with the line of the first import."""

_SQL = """
SELECT i.file, i.target_file, min(i.line) FROM imports AS i JOIN files AS f ON f.rowid = i.file
WHERE i.target_file IS NOT NULL AND i.target_file <> i.file AND ($1 = '' OR f.language = $1)
GROUP BY ALL ORDER BY ALL"""


def ask(context: Context, query: str, targets: list[str], options: Options) -> Answer:
    """All groups, or those that touch a folder."""
    within: set[int] | None = None
    if targets:
        paths, refused = paths_named(context, query, targets[0])
        if refused is not None:
            return refused
        within = {context.files()[path] for path in paths}
    edges = import_edges(context, options.language or "")
    groups = [group for group in components(edges) if len(group) > 1 and (within is None or within & group)]
    rows: list[Row] = [_row(context, edges, group) for group in groups]
    rows.sort(key=lambda row: (-row["size"], row["files"]))
    return answer(query, targets[0] if targets else ".", rows, options)


def import_edges(context: Context, language: str = "") -> Edges:
    """Which files import which, of all languages or of one."""
    edges: Edges = {}
    for file, target, line in context.rows(_SQL, language):
        edges.setdefault(file, {})[target] = line
    return edges


def components(edges: Edges) -> list[set[int]]:
    """Strongly connected components, by Tarjan's algorithm with a stack of its own instead of recursion."""
    order: dict[int, int] = {}
    low: dict[int, int] = {}
    open_: list[int] = []
    is_open: set[int] = set()
    found: list[set[int]] = []
    for start in edges:
        if start in order:
            continue
        work = [(start, iter(edges[start]))]
        order[start] = low[start] = len(order)
        open_.append(start)
        is_open.add(start)
        while work:
            node, rest = work[-1]
            for target in rest:
                if target not in order:
                    order[target] = low[target] = len(order)
                    open_.append(target)
                    is_open.add(target)
                    work.append((target, iter(edges.get(target, ()))))
                    break
                if target in is_open:
                    low[node] = min(low[node], order[target])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == order[node]:
                    group: set[int] = set()
                    while node not in group:
                        group.add(open_.pop())
                    is_open -= group
                    found.append(group)
    return found


def _row(context: Context, edges: Edges, group: set[int]) -> Row:
    cycle = _shortest(edges, group)
    return {
        "size": len(group),
        "files": [context.path_of(each) for each in sorted(group)],
        "cycle": [context.path_of(each) for each in cycle],
        "imports": [
            {"file": context.path_of(one), "line": edges[one][other], "target": context.path_of(other)}
            for one, other in itertools.pairwise(cycle)
        ],
    }


def _shortest(edges: Edges, group: set[int]) -> list[int]:
    """A shortest circle through the group's first file (ids are in order of path)."""
    start = min(group)
    previous: dict[int, int] = {}
    queue = deque([start])
    while queue:
        node = queue.popleft()
        for target in sorted(edges.get(node, ())):
            if target == start:
                way = [start, node] if node != start else [start]
                while way[-1] != start:
                    way.append(previous[way[-1]])
                return way[::-1] if node != start else [start, start]
            if target in group and target not in previous:
                previous[target] = node
                queue.append(target)
    return [start]
