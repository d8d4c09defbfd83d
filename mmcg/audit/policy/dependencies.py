"""Which files need which, and packages: by imports, and by code that names a thing of another file without one.

Where a language needs no import, for things of a package, a path in the code or a fully qualified name, a call or use
that is bound by that name counts like one. Calls through values, receivers and overrides do not: what is handed over
need not be known.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from mmcg.query.context import listed

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mmcg.audit.policy.change import Change
    from mmcg.query.context import Context

_NAMED = ("import", "module", "package", "linkage", "static", "constructor", "overload", "macro")
"""The rules by which a name itself says what is meant."""


@dataclass(frozen=True, slots=True)
class Dependency:
    """That a file needs another, or a package."""

    file: str
    line: int
    target: str | None
    """The other file; None for what is outside of the project."""
    names: tuple[str, ...]
    """What it is called: the module and its member as the import has them, or the package."""

    @property
    def what(self) -> str:
        """What is needed, for people."""
        return self.target or self.names[0]


def dependencies(context: Context, files: Iterable[str] | None = None) -> list[Dependency]:
    """What files need, by file and line; of all files, or of some."""
    within = "" if files is None else f"AND {_of(context, files)}"
    rows = context.rows(f"""
        SELECT file, min(line) AS line, target_file, module, name, external FROM imports
        WHERE (target_file IS NULL OR target_file <> file) {within}
        GROUP BY file, target_file, module, name, external ORDER BY file, line, target_file, module, name""")  # noqa: S608
    found = [
        Dependency(
            context.path_of(file),
            line,
            None if target is None else context.path_of(target),
            _names(module, name, external),
        )
        for file, line, target, module, name, external in rows
    ]
    named = listed(_NAMED)
    uses = " UNION ALL ".join(
        f"SELECT u.file, u.line, s.file AS target FROM {table} AS u JOIN symbols AS s ON s.rowid = u.target "  # noqa: S608
        f"WHERE u.confidence = 'exact' AND u.rule IN ({rules}) AND s.file <> u.file {within.replace('file', 'u.file')}"
        # What a name means in its scope is elsewhere only where files share one.
        for table, rules in (("calls", named), ('"references"', f"{named}, 'lexical'"))
    )
    rows = context.rows(f"SELECT file, min(line), target FROM ({uses}) GROUP BY file, target ORDER BY ALL")  # noqa: S608
    imported = {(each.file, each.target) for each in found}
    for file, line, target in rows:
        pair = (context.path_of(file), context.path_of(target))
        if pair not in imported:
            found.append(Dependency(pair[0], line, pair[1], ()))
    return sorted(found, key=lambda each: (each.file, each.line, each.target or "", each.names))


def _of(context: Context, files: Iterable[str]) -> str:
    from mmcg.query.context import among

    known = context.files()
    return among("file", (known[each] for each in files if each in known))


def _names(module: str, name: str | None, external: str | None) -> tuple[str, ...]:
    given = [
        module,
        f"{module}.{name}" if name else "",
        external or "",
        f"{external}.{name}" if external and name else "",
    ]
    return tuple(dict.fromkeys(each for each in given if each))


def earlier_pairs(change: Change) -> set[tuple[str, str]]:
    """The pairs of a file and what it needed in the commit, under the paths that files have now."""
    renamed = change.graphs.renamed

    def now(path: str) -> str:
        return renamed.get(path) or path

    pairs = set()
    for each in dependencies(change.before):
        file = now(each.file)
        if each.target is not None:
            pairs.add((file, now(each.target)))
        else:
            pairs |= {(file, name) for name in each.names}
    return pairs


def is_new(each: Dependency, earlier: set[tuple[str, str]]) -> bool:
    """Whether the commit has no dependency of this file on the same thing."""
    if each.target is not None:
        return (each.file, each.target) not in earlier
    return (each.file, each.names[0]) not in earlier
