"""Whether the diagrams and citations of a text are true of the code."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from mmcg.audit.documents.citations import Citation, citations
from mmcg.audit.documents.diagrams import Arrow, arrows
from mmcg.audit.files import LARGEST_SOURCE, fault, inside, read_bytes
from mmcg.audit.symbols import look_up
from mmcg.errors import InputError
from mmcg.query.context import TYPE_KINDS, among

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from mmcg.audit.documents.markdown import Markdown
    from mmcg.query.context import Context, Symbol

_MOST = 2_000
"""Symbols at one end of an arrow; of more, nothing is said."""


def unsupported_arrows(document: Markdown, context: Context) -> Iterator[tuple[Arrow, str, str]]:
    """The arrows between two symbols (or files) of the graph that no edge supports, with what both ends are."""
    ends: dict[str, tuple[str, frozenset[int]] | None] = {}
    for arrow in arrows(document):
        both = []
        for label in (arrow.source, arrow.target):
            if label not in ends:
                ends[label] = _end(context, label)
            both.append(ends[label])
        source, target = both
        if source and target and source != target and not _supported(context, source[1], target[1]):
            yield arrow, source[0], target[0]


def _end(context: Context, label: str) -> tuple[str, frozenset[int]] | None:
    """What a label names, with all that belongs to it; None for what is no symbol or file, or is not clear."""
    known = context.files()
    if label in known:
        inner = context.symbols_where(f"s.file = {known[label]:d}::UINTEGER")
        return (label, frozenset(each.id for each in inner)) if len(inner) <= _MOST else None
    if not re.search(r"\w", label) or " " in label.strip():
        return None
    found = look_up(context, label, near=False)
    if not found.found:
        return None
    ids = {each.id for each in found.symbols}
    for symbol in found.symbols:
        if symbol.kind in TYPE_KINDS:
            ids |= {each.id for each in _inside(context, symbol)}
    return (found.symbol.address, frozenset(ids)) if len(ids) <= _MOST else None


def _inside(context: Context, symbol: Symbol) -> list[Symbol]:
    file = context.files()[symbol.path]
    return context.symbols_where(f"s.file = {file:d}::UINTEGER AND starts_with(s.qualified, ?)", symbol.qualified + ".")


def _supported(context: Context, source: frozenset[int], target: frozenset[int]) -> bool:
    """Whether any edge of any sureness goes from one to the other: a call, another use, or inheritance."""
    ends = f"{among('source', source)} AND {among('target', target)}"
    return any(
        context.rows(f"SELECT 1 FROM {table} WHERE {condition} LIMIT 1")  # noqa: S608 - ids only
        for table, condition in (
            ("calls", f"{ends} OR ({among('source', source)} AND {among('constructs', target)})"),
            ('"references"', ends),
            ("bases", f"{among('symbol', source)} AND {among('base', target)}"),
        )
    )


def untrue_citations(document: Markdown, context: Context, root: Path) -> Iterator[tuple[Citation, str]]:
    """The citations that are not so, with what is wrong."""
    texts: dict[str, list[str] | None] = {}
    for each in citations(document):
        path = _cited(context, root, each.file)
        if path is None:
            if _is_source(context, each.file):
                yield each, f"there is no file `{each.file}`"
            continue
        if path not in texts:
            texts[path] = _lines(root, path)
        lines = texts[path]
        if lines is None:
            continue
        if not (1 <= each.begin <= each.end <= len(lines)):
            yield each, f"`{path}` has {len(lines)} lines"
        elif each.name is not None and not _holds(context, path, lines, each, each.name):
            yield each, f"`{each.name}` is not there"


def _cited(context: Context, root: Path, file: str) -> str | None:
    """The file that is cited: at that path, or the only one whose path ends so."""
    if fault(file):
        return None
    if inside(root, file) and (root / file).is_file():
        return file
    ending = [path for path in context.files() if path.endswith("/" + file)]
    return ending[0] if len(ending) == 1 else None


def _is_source(context: Context, file: str) -> bool:
    """Whether a name that no file has can only be one of a source file: files of its kind are indexed here."""
    if fault(file):
        return False
    name = file.rpartition("/")[2]
    suffix = name.rpartition(".")[2] if "." in name else ""
    known = {path.rpartition(".")[2] for path in context.files()}
    ambiguous = any(path.endswith("/" + file) for path in context.files())
    return bool(suffix) and suffix in known and not ambiguous


def _lines(root: Path, path: str) -> list[str] | None:
    try:
        text = read_bytes(root / path, LARGEST_SOURCE).decode("utf-8", "replace")
    except InputError:
        return None
    lines = text.replace("\r\n", "\n").split("\n")
    return lines[:-1] if lines[-1] == "" else lines


def _holds(context: Context, path: str, lines: list[str], citation: Citation, name: str) -> bool:
    """Whether the cited lines name the symbol or lie in its definition; true for a name that is no symbol here."""
    found = look_up(context, name, near=False)
    symbols = found.symbols or found.candidates
    if not symbols:
        return True
    word = re.escape(symbols[0].name)
    if re.search(rf"(?<!\w){word}(?!\w)", "\n".join(lines[citation.begin - 1 : citation.end])):
        return True
    wanted = among("id", (each.id for each in symbols if each.path == path))
    rows = context.rows(f"SELECT line, end_line FROM symbols WHERE {wanted}")  # noqa: S608 - ids only
    return any(line <= citation.end and citation.begin <= end for line, end in rows)
