"""`search`: symbols by name, best first: exact, prefix, words inside the name, any part of it, nearly.

Row: `symbol, kind, file, line, signature, language, match`. Distinct names are matched, not symbols: there are a fifth
as many, and one pass over them needs no index. No full-text index is kept: it would cost seconds a build.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmcg.query.answer import Answer, Options, Row, answer
from mmcg.query.context import listed, literal, values
from mmcg.query.words import words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mmcg.query.context import Context
    from mmcg.store.reader import Row as SqlRow

MATCHES = ("exact", "same letters", "prefix", "words", "part", "similar")
"""How a name can match, best first."""

_NAMES = "names WHERE name <> '<module>'"
_SIMILAR = 0.87
"""The Jaro-Winkler likeness of a name that is nearly the one asked for."""
_FEW = 5_000
"""Up to so many symbols are looked up; more are searched for."""


def ask(context: Context, query: str, targets: list[str], options: Options) -> Answer:
    """Every symbol whose name matches; nearly alike names only where nothing matches well."""
    text = targets[0].strip()
    language = options.language or ""
    name, within = text.rpartition("::")[2], ""
    if "." in name.strip("."):
        within, _, name = name.rpartition(".")
        within = f".{within.strip('.').lower()}."
    parts = _parts(name)
    names: dict[str, int] = {}
    counts: dict[str, int] = {}
    if parts:
        for each, count in _holding(context, parts, within, language):
            names[each], counts[each] = _match(each, name, parts), count
        if not any(rank < MATCHES.index("part") for rank in names.values()) and not within:
            for each, count in _similar(context, name.lower(), language):
                if each not in names:
                    names[each], counts[each] = MATCHES.index("similar"), count
    chosen = {each: names[each] for each in _enough(names, counts, options)}
    rows = list(_rows(context, chosen, within, language, options.limit))
    return answer(query, targets[0], rows, options, total=sum(counts.values()))


def _conditions(within: str, language: str) -> list[str]:
    """What a symbol must be besides having a name, as SQL."""
    found = [f"contains('.' || lower(qualified), {literal(within)})"] if within else []
    return [*found, f"language = {literal(language)}"] if language else found


def _source(within: str, language: str) -> str:
    """Where names are looked for, as SQL that a further condition may follow.

    The table of names is narrow and sorted; only where a container or a language is asked for, symbols must be read.
    """
    conditions = _conditions(within, language)
    return " AND ".join(["symbols WHERE kind <> 'module'", *conditions]) if conditions else _NAMES


def _holding(context: Context, parts: list[str], within: str, language: str) -> list[SqlRow]:
    """Names that hold every word of the text, in any order, and how many symbols have each."""
    holds = " AND ".join(f"contains(lower(name), {literal(part)})" for part in parts)
    return context.rows(f"SELECT name, count(*) FROM {_source(within, language)} AND {holds} GROUP BY name")


def _similar(context: Context, text: str, language: str) -> list[SqlRow]:
    likeness = f"jaro_winkler_similarity(lower(name), {literal(text)})"
    names = f"SELECT name, count(*) AS uses FROM {_source('', language)} GROUP BY name"
    return context.rows(
        f"SELECT name, uses FROM ({names}) WHERE {likeness} >= {_SIMILAR} ORDER BY {likeness} DESC, name LIMIT 50"
    )


def _parts(name: str) -> list[str]:
    """What a name must hold: the words that spaces part, or the whole text."""
    return [part.lower() for part in name.split()]


def _match(name: str, asked: str, parts: list[str]) -> int:
    low, wanted = name.lower(), asked.lower()
    if name == asked:
        return 0
    if low == wanted:
        return 1
    if low.startswith(wanted):
        return 2
    inner = words(name)
    joined = {"".join(inner[start:]) for start in range(len(inner))}
    flat = ["".join(words(part)) or part for part in parts]
    return 3 if all(any(tail.startswith(part) for tail in joined) for part in flat) else 4


def _enough(names: dict[str, int], counts: dict[str, int], options: Options) -> list[str]:
    """The best names that fill the limit."""
    best = sorted(names, key=lambda each: (names[each], len(each), each))
    if options.limit is None:
        return best
    chosen: list[str] = []
    found = 0
    for each in best:
        if found >= options.limit:
            break
        chosen.append(each)
        found += counts[each]
    return chosen


def _rows(context: Context, chosen: dict[str, int], within: str, language: str, limit: int | None) -> Iterator[Row]:
    """The symbols of these names: in the names' order, and those of one name in the order of the source."""
    if not chosen:
        return
    order = {name: place for place, name in enumerate(chosen)}
    wanted = f"name IN ({listed(chosen)})"
    ids = [(order[name], id_) for name, id_ in context.rows(f"SELECT name, symbol FROM names WHERE {wanted}")]
    conditions = _conditions(within, language)
    if not conditions:
        # Before anything else is read of them: a common name has thousands.
        ids = sorted(ids)[:limit]
    if len(ids) <= _FEW:
        source = f"{values(id_ for _, id_ in ids)} AS w(symbol) JOIN symbols ON symbols.rowid = w.symbol"
    else:
        source, conditions = "symbols", [wanted, *conditions]
    where = f"WHERE {' AND '.join(conditions)}" if conditions else ""
    found = context.rows(f"SELECT name, id, address, kind, file, line, signature FROM {source} {where}")
    for name, _, address, kind, file, line, signature in sorted(found, key=lambda row: (order[row[0]], row[1])):
        path = context.path_of(file)
        row = {"symbol": address, "kind": kind, "file": path, "line": line, "signature": signature}
        yield row | {"language": context.language_at(path), "match": MATCHES[chosen[name]]}
