"""`search`: symbols by name, best first: exact, prefix, words inside the name, any part of it, nearly.

Row: `symbol, kind, file, line, signature, language, match`. Distinct names are matched, not symbols: there are a fifth
as many, and one pass over them needs no index. No full-text index is kept: it would cost seconds a build.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmcg.query.answer import Answer, Options, Row, answer
from mmcg.query.context import listed, values
from mmcg.query.words import words

if TYPE_CHECKING:
    from mmcg.query.context import Context

MATCHES = ("exact", "same letters", "prefix", "words", "part", "similar")
"""How a name can match, best first."""

# The table of names is narrow and sorted; only where a container or a language is asked for, symbols must be read.
_NAMES = "(SELECT name, count(*) AS uses FROM names WHERE name <> '<module>' GROUP BY name)"
_NAMES_OF_SOME = """
(SELECT name, count(*) AS uses FROM symbols
WHERE kind <> 'module' AND ($within = '' OR contains('.' || lower(qualified), $within))
  AND ($language = '' OR language = $language) GROUP BY name)"""
# A name that holds every word of the text, in any order. Where the text has a dot, the container is asked for,
# too.
_HOLDING = "SELECT name, uses FROM {names} WHERE {holds}"
_SIMILAR = """
SELECT name, uses FROM {names} WHERE jaro_winkler_similarity(lower(name), $text) >= 0.87
ORDER BY jaro_winkler_similarity(lower(name), $text) DESC, name LIMIT 50"""
_OF_NAMES = """
SELECT address, kind, path, line, signature, language, name FROM {symbols}
WHERE kind <> 'module' AND ($1 = '' OR contains('.' || lower(qualified), $1)) AND ($2 = '' OR language = $2)"""
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
            for each, count in _of_names(context, _SIMILAR, {"text": name.lower()}, "", language):
                if each not in names:
                    names[each], counts[each] = MATCHES.index("similar"), count
    chosen = _enough(names, counts, options)
    rows = _rows(context, chosen, names, within, language)
    return answer(query, targets[0], rows, options, total=sum(counts.values()))


def _holding(context: Context, parts: list[str], within: str, language: str) -> list[tuple[str, int]]:
    named: dict[str, object] = {f"part{at}": part for at, part in enumerate(parts)}
    holds = " AND ".join(f"contains(lower(name), ${key})" for key in named)
    return _of_names(context, _HOLDING.replace("{holds}", holds), named, within, language)


def _of_names(
    context: Context, sql: str, given: dict[str, object], within: str, language: str
) -> list[tuple[str, int]]:
    """What a statement finds among the names, or among those of a container or language."""
    if not within and not language:
        return context.index.rows(sql.format(names=_NAMES), given)
    return context.index.rows(sql.format(names=_NAMES_OF_SOME), {**given, "within": within, "language": language})


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


def _symbols(context: Context, names: list[str]) -> str:
    """The symbols of these names, as a table in SQL."""
    wanted = f"({listed(names)})"
    ids = [row[0] for row in context.rows(f"SELECT symbol FROM names WHERE name IN {wanted}")]
    if len(ids) <= _FEW:
        return f"{values(ids)} AS w(symbol) JOIN symbols ON symbols.rowid = w.symbol"
    return f"(FROM symbols WHERE name IN {wanted})"


def _rows(context: Context, chosen: list[str], names: dict[str, int], within: str, language: str) -> list[Row]:
    order = {each: place for place, each in enumerate(chosen)}
    found = context.rows(_OF_NAMES.format(symbols=_symbols(context, chosen)), within, language) if chosen else []
    found.sort(key=lambda row: (order[row[6]], row[2], row[3], row[0]))
    return [
        {
            "symbol": address,
            "kind": kind,
            "file": path,
            "line": line,
            "signature": signature,
            "language": of,
            "match": MATCHES[names[name]],
        }
        for address, kind, path, line, signature, of, name in found
    ]
