"""`changed --since REF`: symbols added, removed, moved, or changed in signature or body, and what they reach.

Row: `change, symbol, kind, file, line, signature, before: {symbol, file, line, signature} | null, reaches, tests`;
`reaches` counts the callers of callers that are nearest to this symbol, `tests` names the tests among them. The old
state is made from the commit's own blobs by the code that made the index, so that both are facts of one kind.
"""

from __future__ import annotations

import tempfile
from collections import Counter, defaultdict
from pathlib import Path

from mmcg.errors import InputError
from mmcg.query.answer import Answer, Options, Row, answer
from mmcg.query.compare import Difference, State, differences
from mmcg.query.context import Context, among
from mmcg.query.git import Change, changes_since, commit_of, write_blobs
from mmcg.query.paths import files_under, spellings
from mmcg.query.walk import callers_of_callers

DEPTH = 5
ORDER = ("removed", "signature_changed", "body_changed", "moved", "added")
"""Most disturbing first."""

_STATES = "path, qualified, address, name, kind, line, signature, body_hash"
_TESTS = 20


def ask(context: Context, query: str, targets: list[str], options: Options) -> Answer:
    """Every symbol that is not what it was in the commit."""
    if options.since is None:
        raise InputError("`changed` needs a commit to compare with.", "Add `--since REF`, such as `--since main`.")
    commit = commit_of(context.root, options.since)
    changes = changes_since(context.root, commit, context.files())
    if targets:
        changes = [each for each in changes if _within(context, each, targets[0])]
    found = differences(
        _old(context.root, changes),
        _new(context, changes),
        {each.before: each.after for each in changes if each.before and each.after},
    )
    if options.language is not None:
        # A file's language is known by its new state; what was removed is kept.
        known: dict[str, str] = dict(context.rows("SELECT path, language FROM files"))
        found = [each for each in found if known.get(_state(each).path, options.language) == options.language]
    rows = _rows(context, found, options)
    return answer(query, targets[0] if targets else ".", rows, options, notices=[f"Compared with commit `{commit}`."])


def _within(context: Context, change: Change, folder: str) -> bool:
    heads = spellings(context, folder)
    inside = set(files_under(context, folder))
    return any(
        path is not None
        and (path in inside or any(not head or path == head or path.startswith(head + "/") for head in heads))
        for path in (change.before, change.after)
    )


def _old(root: Path, changes: list[Change]) -> list[State]:
    if all(each.before is None for each in changes):
        return []
    import duckdb

    from mmcg import indexing

    with tempfile.TemporaryDirectory(prefix="mastermind-") as folder:
        write_blobs(root, changes, Path(folder))
        symbols = indexing.tables_of(Path(folder))["symbols"]  # noqa: F841  (DuckDB finds it among the local variables)
        connection = duckdb.connect(":memory:")
        try:
            found = connection.execute(f"SELECT {_STATES} FROM symbols WHERE kind <> 'module' ORDER BY id").fetchall()
        finally:
            connection.close()
    return [State(*row) for row in found]


def _new(context: Context, changes: list[Change]) -> list[State]:
    known = context.files()
    here = among("file", (known[each.after] for each in changes if each.after in known))
    sql = f"SELECT {_STATES} FROM symbols WHERE {here} AND kind <> 'module' ORDER BY id"
    return [State(*row) for row in context.rows(sql)]


def _state(difference: Difference) -> State:
    return difference.after or difference.before  # type: ignore[return-value]  # one of them is always there


def _rows(context: Context, found: list[Difference], options: Options) -> list[Row]:
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
            }
        )
    rows.sort(key=lambda row: (ORDER.index(str(row["change"])), row["file"], row["line"], row["symbol"]))
    return rows


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
