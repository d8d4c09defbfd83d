"""What a name in a report means, and whether it is known at all."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from mmcg.audit.checks import hallucinated_existing_symbol
from mmcg.audit.claims.judged import Ask, Judged, contradicted, unresolved
from mmcg.audit.symbols import Lookup, look_up, spellings
from mmcg.query import git
from mmcg.query.context import TYPE_KINDS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mmcg.audit.work import Work
    from mmcg.query.context import Context, Symbol

_DEPTH = 12
"""So many bases above a type are looked through."""


def addresses(symbols: Iterable[Symbol]) -> tuple[str, ...]:
    """The addresses of symbols."""
    return tuple(each.address for each in symbols)


def find(context: Context, name: str, *, signature: str | None = None) -> Lookup:
    """What a name means: a symbol, or a member that its type inherits."""
    found = look_up(context, name, signature=signature)
    if found.found or found.ambiguous:
        return found
    for spelling in spellings(name):
        path, separator, qualified = spelling.rpartition("::")
        owner, _, member = qualified.rpartition(".")
        if owner:
            holder = look_up(context, f"{path}{separator}{owner}", near=False)
            inherited = _inherited(context, holder.symbols, member)
            if inherited:
                return Lookup(name, tuple(inherited))
    return found


def _inherited(context: Context, types: Iterable[Symbol], member: str) -> list[Symbol]:
    level = [each.id for each in types if each.kind in TYPE_KINDS]
    seen: set[int] = set()
    for _ in range(_DEPTH):
        if not level:
            break
        seen.update(level)
        holders = ", ".join(map(str, level))
        found = context.symbols_where(f"s.container IN ({holders}) AND s.name = ?", member)
        if found:
            return found
        rows = context.rows(f"SELECT DISTINCT base FROM bases WHERE symbol IN ({holders}) AND base IS NOT NULL")  # noqa: S608
        level = [row[0] for row in rows if row[0] not in seen]
    return []


def absent(work: Work, ask: Ask, name: str, looked: Lookup) -> Judged:
    """The judgement on a claim whose symbol neither state has."""
    if _is_external(work, name):
        return unresolved(ask, f"`{name}` is defined outside of the repository")
    if ask.prose and not _member_of_ours(work, name) and _all_words_known(work, name):
        return unresolved(ask, f"`{name}` is no symbol of the graph, though the baseline has its words")
    near = [str(row["symbol"]) for row in looked.nearest[:3]]
    finding = hallucinated_existing_symbol.KIND.in_audit(
        f"The report builds on `{name}`, which neither the baseline nor the tree has.",
        about=[name],
        file=ask.file,
        line=ask.line,
        expected=f"a symbol `{name}` in the baseline",
        found=", ".join(near) or None,
        hint=(
            f"Did you mean {' or '.join(f'`{each}`' for each in near)}?"
            if near
            else "Use a symbol that exists, or take the claim out of the report."
        ),
    )
    return contradicted(ask, finding)


def _is_external(work: Work, name: str) -> bool:
    """Whether code calls or imports something of that name from outside."""
    plain = re.sub(r"::|->|#|\\", ".", re.sub(r"\(.*\)$", "", name.strip())).strip(".")
    for context in (work.after, work.before):
        rows = context.rows(
            "SELECT 1 FROM calls WHERE external = ?1 OR ends_with(external, ?2) "
            "UNION ALL SELECT 1 FROM imports WHERE external IS NOT NULL AND (name = ?1 OR module = ?1 "
            "OR external = ?1 OR concat_ws('.', module, name) = ?1) LIMIT 1",
            plain,
            "." + plain,
        )
        if rows:
            return True
    return False


def _member_of_ours(work: Work, name: str) -> bool:
    """Whether a name is that of a member, and its type is one of ours that has no base outside."""
    for spelling in spellings(name):
        owner = spelling.rpartition("::")[2].rpartition(".")[0]
        if not owner:
            continue
        for context in (work.before, work.after):
            holder = look_up(context, owner, near=False)
            ids = [each.id for each in holder.symbols if each.kind in TYPE_KINDS]
            if ids and not _has_foreign_base(context, ids):
                return True
    return False


def _has_foreign_base(context: Context, ids: list[int]) -> bool:
    level, seen = ids, set(ids)
    for _ in range(_DEPTH):
        if not level:
            return False
        rows = context.rows(f"SELECT base FROM bases WHERE symbol IN ({', '.join(map(str, level))})")  # noqa: S608
        if any(row[0] is None for row in rows):
            return True
        level = [row[0] for row in rows if row[0] not in seen]
        seen.update(level)
    return True


def _all_words_known(work: Work, name: str) -> bool:
    """Whether every word of a name stands somewhere in the baseline, as a setting or a key of a table might."""
    words = [each for each in re.split(r"\W+", name.rpartition("::")[2] if "/" in name else name) if each]
    return bool(words) and all(git.has_word(work.root, work.commit, each) for each in words)
