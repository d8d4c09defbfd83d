"""Claims that something calls something: the target is there, the call is there and new, and a test reaches it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from mmcg.audit.checks import false_integration_claim, hallucinated_existing_symbol
from mmcg.audit.claims.judged import Ask, Judged, contradicted, unresolved, verified
from mmcg.audit.claims.known import absent, addresses, find
from mmcg.query.answer import Options
from mmcg.query.between import SURE
from mmcg.query.context import TYPE_KINDS, among
from mmcg.query.walk import callers_of_callers

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from mmcg.audit.findings import Effect
    from mmcg.audit.symbols import Lookup
    from mmcg.audit.work import Work
    from mmcg.query.context import Context, Symbol

DEPTH = 25
"""So many calls away a test may stand."""


def integration(work: Work, ask: Ask, said: Collection[tuple[str | None, str | None]] = ()) -> Judged:
    """From calls to: of a sentence that names no caller, any changed symbol may be the caller."""
    target = find(work.after, ask.target)
    if target.ambiguous:
        target = _chosen(work, ask, target)
    if target.ambiguous:
        return unresolved(ask, f"`{ask.target}` may be several symbols", addresses(target.candidates))
    if not target.found:
        return _no_target(work, ask, target)
    if ask.existing and (false := _not_existing(work, ask, target)):
        return false
    if not ask.source:
        return _from_anywhere(work, ask, target)
    source = find(work.after, ask.source)
    if source.ambiguous:
        source = _calling(work, source, target)
    if source.ambiguous:
        return unresolved(ask, f"`{ask.source}` may be several symbols", addresses(source.candidates))
    if not source.found:
        if ask.prose:
            return _from_anywhere(work, ask, target)
        return _false(ask, f"there is no `{ask.source}` that could call it", found=_near(source))
    return _edge(work, ask, source, target, told=(ask.source, ask.target) in said)


def uses(work: Work, ask: Ask) -> Judged:
    """The text says that something is used that it names: it must have been there, and something must use it."""
    return integration(work, ask)


def _no_target(work: Work, ask: Ask, target: Lookup) -> Judged:
    gone = find(work.before, ask.target)
    if gone.found:
        return _false(ask, f"`{ask.target}` is gone", found="no such symbol")
    judged = absent(work, ask, ask.target, target)
    if ask.prose or judged.result == "unresolved":
        return judged
    return _false(ask, f"there is no `{ask.target}` in the tree or the baseline", found=_near(target))


def _near(looked: Lookup) -> str | None:
    return ", ".join(str(row["symbol"]) for row in looked.nearest[:3]) or None


def _not_existing(work: Work, ask: Ask, target: Lookup) -> Judged | None:
    """The contradiction of a target that is called existing and is new."""
    if any(work.graphs.then(each.id) is not None for each in target.symbols) or find(work.before, ask.target).found:
        return None
    symbol = target.symbol
    return contradicted(
        ask,
        hallucinated_existing_symbol.KIND.in_audit(
            f"The report calls `{ask.target}` existing; the baseline does not have it, it is new in this change, at "
            f"{symbol.path}:{symbol.line}.",
            about=[ask.target, symbol.address],
            file=ask.file,
            line=ask.line,
            expected=f"`{ask.target}` in the baseline",
            found="a symbol that this change adds",
            hint="Say that it was added, and claim `symbol_added`.",
        ),
    )


def _chosen(work: Work, ask: Ask, target: Lookup) -> Lookup:
    """Among several of a name, the one that the named caller calls."""
    source = find(work.after, ask.source) if ask.source else None
    if source is None or not source.found:
        return target
    called = _edges(work.after, _callers_of(work.after, source.symbols), [each.id for each in target.candidates])
    chosen = tuple(each for each in target.candidates if each.id in {end for _, end in called})
    one = len({(each.path, each.qualified) for each in chosen}) == 1
    return type(target)(target.name, chosen) if one else target


def _calling(work: Work, source: Lookup, target: Lookup) -> Lookup:
    """Among several of a name, the one that calls the target."""
    found = _edges(work.after, [each.id for each in source.candidates], _called_of(work.after, target.symbols))
    calling = tuple(each for each in source.candidates if each.id in {begin for begin, _ in found})
    one = len({(each.path, each.qualified) for each in calling}) == 1
    return type(source)(source.name, calling) if one else source


def _edge(work: Work, ask: Ask, source: Lookup, target: Lookup, *, told: bool = False) -> Judged:
    callers, called = _callers_of(work.after, source.symbols), _called_of(work.after, target.symbols)
    found = _edges(work.after, callers, called)
    begin, end = source.symbol.address, target.symbol.address
    if not found:
        if _edges(work.after, callers, called, ("possible",)):
            return unresolved(ask, f"a call in `{begin}` may be one of `{end}`; only the name says so")
        if _references(work.after, callers, called):
            return unresolved(ask, f"`{begin}` names `{end}` and does not call it itself")
        return _false(ask, f"`{begin}` does not call `{end}`", found=_what_it_calls(work.after, callers))
    old = {then for each in callers if (then := work.graphs.then(each)) is not None}
    old_called = {then for each in called if (then := work.graphs.then(each)) is not None}
    # A call that is sure now is new where it was only a guess about values before.
    sure: tuple[str, ...] = ("exact",) if _edges(work.after, callers, called, ("exact",)) else SURE
    if _edges(work.before, old, old_called, sure):
        if ask.prose and not ask.existing:
            return verified(ask, f"`{begin}` calls `{end}`, as it did before.")
        if ask.prose and told:
            return verified(ask, f"`{begin}` calls `{end}`; the block's claim says the same.")
        return _false(
            ask, f"`{begin}` called `{end}` in the baseline already: the call is not new", found="an old call"
        )
    begins = sorted({each for each, _ in found})
    if not _reached(work, begins):
        return _untested(work, ask, begin, end, begins)
    return verified(ask, f"`{begin}` calls `{end}`, which is new, and a test reaches the call.")


def _untested(work: Work, ask: Ask, begin: str, end: str, begins: list[int]) -> Judged:
    if ask.prose or _reached(work, begins, "possible"):
        return verified(ask, f"`{begin}` calls `{end}`, which is new.")
    judged = _false(
        ask, f"`{begin}` calls `{end}`, but no test reaches the call", found="no test that reaches it", effect="drift"
    )
    return replace(judged, result="unresolved")


def _from_anywhere(work: Work, ask: Ask, target: Lookup) -> Judged:
    """Whether something outside of tests uses the target; a changed file must."""
    called = _called_of(work.after, target.symbols)
    changed = {each.after for each in work.changes if each.after}
    sure = ", ".join(f"'{each}'" for each in (*SURE, "possible"))
    rows = work.after.rows(
        f"SELECT DISTINCT source FROM calls WHERE {among('target', called)} AND confidence IN ({sure}) UNION "  # noqa: S608
        f'SELECT DISTINCT source FROM "references" WHERE {among("target", called)}'
    )
    users = work.after.symbols(row[0] for row in rows if row[0] not in called).values()
    using = [each for each in users if each.path in changed and not work.in_tests(work.after, each)]
    if using:
        return verified(ask, f"`{min(each.address for each in using)}` uses `{target.symbol.address}`.")
    return _false(
        ask,
        f"nothing in the changed files uses `{target.symbol.address}`",
        found="; ".join(sorted(each.address for each in users)[:3]) or "no use",
    )


def _callers_of(context: Context, symbols: Iterable[Symbol]) -> list[int]:
    """The symbols whose calls are those of these: a type's members, and what is defined inside."""
    wanted = {each.id for each in symbols}
    level = sorted(wanted)
    while level:
        rows = context.rows(f"SELECT id FROM symbols WHERE {among('container', level)}")  # noqa: S608
        level = sorted({row[0] for row in rows} - wanted)
        wanted.update(level)
    return sorted(wanted)


def _called_of(context: Context, symbols: Iterable[Symbol]) -> list[int]:
    """What a call of one of these targets: a type stands for its constructors and members too."""
    symbols = list(symbols)
    types = [each for each in symbols if each.kind in TYPE_KINDS]
    return sorted({*(each.id for each in symbols), *_callers_of(context, types)})


def _edges(
    context: Context, begins: Iterable[int], ends: Iterable[int], confidences: tuple[str, ...] = SURE
) -> set[tuple[int, int]]:
    """The calls from one of these to one of those."""
    begins = sorted(begins)
    ends = sorted(ends)
    if not begins or not ends:
        return set()
    sure = ", ".join(f"'{each}'" for each in confidences)
    sql = " UNION ".join(
        f"SELECT source, {end} FROM calls WHERE {among(end, ends)} AND {among('source', begins)} "  # noqa: S608
        f"AND confidence IN ({sure})"
        for end in ("target", "constructs")
    )
    return {(begin, end) for begin, end in context.rows(sql)}


def _references(context: Context, begins: list[int], ends: list[int]) -> bool:
    sql = (
        f'SELECT 1 FROM "references" WHERE {among("target", ends)} AND {among("source", begins)} '  # noqa: S608
        "AND kind = 'read' LIMIT 1"
    )
    return bool(context.rows(sql))


def _what_it_calls(context: Context, begins: list[int]) -> str:
    sure = ", ".join(f"'{each}'" for each in SURE)
    rows = context.rows(
        f"SELECT DISTINCT target FROM calls WHERE {among('source', begins)} AND target IS NOT NULL "  # noqa: S608
        f"AND confidence IN ({sure})"
    )
    names = sorted(each.address for each in context.symbols(row[0] for row in rows).values())
    return "it calls " + ", ".join(names[:5]) if names else "it calls nothing here"


def _reached(work: Work, begins: list[int], confidence: str = "inferred") -> bool:
    """Whether a test is among these symbols, or calls lead from one to them."""
    walk = callers_of_callers(work.after, begins, Options(confidence=confidence), DEPTH)
    return any(work.in_tests(work.after, each) for each in work.after.symbols(walk.visits).values())


def _false(ask: Ask, why: str, *, found: str | None, effect: Effect | None = None) -> Judged:
    finding = false_integration_claim.KIND.in_audit(
        f"The report claims an integration{f' from `{ask.source}`' if ask.source else ''} to `{ask.target}`: {why}.",
        about=[each for each in (ask.source, ask.target) if each],
        file=ask.file,
        line=ask.line,
        expected="a new call that a test reaches",
        found=found,
        hint="Make the call, with a test that reaches it, or take the claim out of the report.",
        effect=effect,
    )
    return contradicted(ask, finding)
