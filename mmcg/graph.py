"""The library's door: the same answers as the command line, typed.

graph = mmcg.open_graph("path/to/repository")
for row in graph.callers("Cart.total").results:
print(row["symbol"], row["rule"])
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, Self

from mmcg.model import Freshness
from mmcg.query import Answer, Context, Options, Row, ask
from mmcg.settings import find_root
from mmcg.store import open_index

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator
    from types import TracebackType

Confidence = Literal["exact", "inferred", "possible"]
"""The least sureness of the edges in an answer."""


class Graph:
    """An open index. Not to be shared between threads; opening another one is cheap."""

    def __init__(self, context: Context) -> None:
        self.context = context

    def ask(
        self,
        query: str,
        *targets: str,
        limit: int | None = None,
        language: str | None = None,
        confidence: Confidence = "inferred",
        depth: int | None = None,
        since: str | None = None,
    ) -> Answer:
        """The answer to any question by its name on the command line, from the newest snapshot."""
        self.context.reopen_if_changed()
        return ask(self.context, query, targets, Options(limit, language, confidence, depth, since))

    def search(self, text: str, *, limit: int | None = 200) -> Answer:
        """Symbols by name, best match first."""
        return self.ask("search", text, limit=limit)

    def symbols(self, path: str) -> Answer:
        """What a file or folder defines."""
        return self.ask("symbols", path)

    def outline(self, path: str) -> Answer:
        """What a file or folder defines, with each symbol's container."""
        return self.ask("outline", path)

    def source(self, symbol: str) -> Answer:
        """The text of a definition, read from disk."""
        return self.ask("source", symbol)

    def callers(self, symbol: str, *, confidence: Confidence = "inferred") -> Answer:
        """Who calls a symbol, and where."""
        return self.ask("callers", symbol, confidence=confidence)

    def callees(self, symbol: str, *, confidence: Confidence = "inferred") -> Answer:
        """What a symbol calls, and where."""
        return self.ask("callees", symbol, confidence=confidence)

    def references(self, symbol: str, *, confidence: Confidence = "inferred") -> Answer:
        """Every use of a symbol."""
        return self.ask("references", symbol, confidence=confidence)

    def impact(self, symbol: str, *, depth: int | None = None, confidence: Confidence = "inferred") -> Answer:
        """Callers of callers, nearest first."""
        return self.ask("impact", symbol, depth=depth, confidence=confidence)

    def path(self, begin: str, end: str, *, confidence: Confidence = "inferred") -> Answer:
        """The shortest chain of calls from one symbol to another."""
        return self.ask("path", begin, end, confidence=confidence)

    def imports(self, path: str) -> Answer:
        """What a file imports."""
        return self.ask("imports", path)

    def imported_by(self, path_or_module: str) -> Answer:
        """Which files import a file or a module."""
        return self.ask("imported-by", path_or_module)

    def hierarchy(self, symbol: str) -> Answer:
        """Bases, subclasses, overrides and implementations."""
        return self.ask("hierarchy", symbol)

    def tests(self, symbol: str, *, depth: int | None = None) -> Answer:
        """Tests that reach a symbol, nearest first."""
        return self.ask("tests", symbol, depth=depth)

    def unreferenced(self, folder: str | None = None, *, confidence: Confidence = "inferred") -> Answer:
        """Definitions that nothing here uses, with the reason."""
        return self.ask("unreferenced", *_given(folder), confidence=confidence)

    def cycles(self, folder: str | None = None) -> Answer:
        """Files that import each other in a circle."""
        return self.ask("cycles", *_given(folder))

    def hotspots(self, folder: str | None = None, *, limit: int | None = 200) -> Answer:
        """What is called the most."""
        return self.ask("hotspots", *_given(folder), limit=limit)

    def api(self, folder: str) -> Answer:
        """What of a folder is used from outside it."""
        return self.ask("api", folder)

    def changed(self, since: str, folder: str | None = None) -> Answer:
        """Symbols added, removed, moved or changed since a commit."""
        return self.ask("changed", *_given(folder), since=since)

    def sql(self, statement: str, *, limit: int | None = 200) -> Answer:
        """The rows of one read-only SELECT."""
        return self.ask("sql", statement, limit=limit)

    def edges(self) -> Iterator[Row]:
        """Every call site and target, as `export edges` has them."""
        from mmcg.export import lines

        return lines.edges(self.context)

    def close(self) -> None:
        """Let go of the index."""
        self.context.index.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def open_graph(path: str | os.PathLike[str] | None = None) -> Graph:
    """The graph of the repository at `path`, or of the nearest one upwards that has an index. Nothing is refreshed."""
    return Graph(Context(open_index(find_root(path)), Freshness(fresh=True)))


def _given(folder: str | None) -> tuple[str, ...]:
    return () if folder is None else (folder,)
