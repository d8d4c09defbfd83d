"""`changed --since REF`: symbols added, removed, moved, or changed in signature or body, and what they reach.

Row: `change, symbol, kind, file, line, signature, before: {symbol, file, line, signature} | null, reaches, tests,
callers: {gained, lost}`; `reaches` counts the callers of callers that are nearest to this symbol, `tests` names the
tests among them, and `callers` the addresses of those that call it now and did not, or did and do not. The old state is
the graph of the commit, made from its own blobs by the code that made the index, so that both are facts of one kind.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING

from mmcg.errors import InputError
from mmcg.query.answer import Answer, Options, Row, answer
from mmcg.query.between import between
from mmcg.query.compare import Difference, State, differences
from mmcg.query.git import commit_of
from mmcg.query.paths import files_under, spellings
from mmcg.query.walk import callers_of_callers

if TYPE_CHECKING:
    from mmcg.query.between import Between
    from mmcg.query.context import Context
    from mmcg.query.worktree import Change

DEPTH = 5
ORDER = ("removed", "signature_changed", "body_changed", "moved", "added")
"""Most disturbing first."""

_TESTS = 20


def ask(context: Context, query: str, targets: list[str], options: Options) -> Answer:
    """Every symbol that is not what it was in the commit."""
    if options.since is None:
        raise InputError("`changed` needs a commit to compare with.", "Add `--since REF`, such as `--since main`.")
    commit = commit_of(context.root, options.since)
    graphs = between(context, commit)
    notices = [f"Compared with commit `{commit}`."]
    if graphs.files.foreign:
        foreign = ", ".join(f"`{each}`" for each in graphs.files.foreign)
        notices.append(f"Other repositories inside this one are not compared: {foreign}.")
    found = _found(context, graphs, targets)
    if options.language is not None:
        # A file's language is known by its new state; what was removed is kept.
        known: dict[str, str] = dict(context.rows("SELECT path, language FROM files"))
        found = [each for each in found if known.get(_state(each).path, options.language) == options.language]
    rows = _rows(context, graphs, found, options)
    return answer(query, targets[0] if targets else ".", rows, options, notices=notices)


def _found(context: Context, graphs: Between, targets: list[str]) -> list[Difference]:
    found = differences(graphs.pairing)
    if not targets:
        return found
    kept = {path for each in graphs.files.changes if _within(context, each, targets[0]) for path in each.paths()}
    return [each for each in found if any(state.path in kept for state in (each.before, each.after) if state)]


def _within(context: Context, change: Change, folder: str) -> bool:
    heads = spellings(context, folder)
    inside = set(files_under(context, folder))
    return any(
        path in inside or any(not head or path == head or path.startswith(head + "/") for head in heads)
        for path in change.paths()
    )


def _state(difference: Difference) -> State:
    return difference.after or difference.before  # type: ignore[return-value]  # one of them is always there


def _rows(context: Context, graphs: Between, found: list[Difference], options: Options) -> list[Row]:
    reaches, tests = _reach(context, [each.after.address for each in found if each.after], options)
    rows = []
    for each in found:
        state, before = _state(each), each.before
        rows.append(
            {
                "change": each.change,
                "symbol": state.address,
                "kind": state.kind,
                "file": state.path,
                "line": state.line,
                "signature": state.signature,
                "before": before
                and {
                    "symbol": before.address,
                    "file": before.path,
                    "line": before.line,
                    "signature": before.signature,
                },
                "reaches": reaches[state.address] if each.after else 0,
                "tests": tests[state.address][:_TESTS] if each.after else [],
                "callers": _callers(graphs, each),
            }
        )
    rows.sort(key=lambda row: (ORDER.index(str(row["change"])), row["file"], row["line"], row["symbol"]))
    return rows


def _callers(graphs: Between, difference: Difference) -> Row:
    """Who calls it now and did not, and who did and does not."""
    then = [difference.before.id] if difference.before else []
    now = [difference.after.id] if difference.after else []
    found = graphs.callers(then, now)
    return {
        "gained": sorted(each.symbol.address for each in found.gained),
        "lost": sorted(each.symbol.address for each in found.lost),
    }


def _reach(context: Context, addresses: list[str], options: Options) -> tuple[Counter[str], dict[str, list[str]]]:
    """For each changed symbol how many callers of callers are nearest to it, and the tests among them."""
    reaches: Counter[str] = Counter()
    tests: dict[str, list[str]] = defaultdict(list)
    begin = context.symbols_where("s.address IN (SELECT unnest(?::VARCHAR[]))", addresses) if addresses else []
    walk = callers_of_callers(context, [each.id for each in begin], options, options.depth or DEPTH)
    symbols = context.symbols(walk.visits)
    for each, visit in walk.visits.items():
        if visit.distance:
            origin = symbols[walk.way(each)[-1]].address
            reaches[origin] += 1
            if symbols[each].test:
                tests[origin].append(symbols[each].address)
    return reaches, tests
