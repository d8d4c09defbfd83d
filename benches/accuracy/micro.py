"""The PyCG micro-benchmark: small programs of dynamic Python, each with its whole call graph (`pycg/`).

A case is a folder `<category>/<case>`, indexed alone. Its truth are the pairs of caller and callee in `callgraph.json` whose callee
is a function or method that the case itself defines; calls in a lambda count for the function or module around it. Found are the
`exact` and `inferred` edges to such functions. An edge to a class stands for nothing: the constructor has an edge of its own.
"""

from __future__ import annotations

import ast
import json
import shutil
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from benches.accuracy.score import SURE
from mmcg import indexing
from mmcg.graph import open_graph

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

FOLDER = Path(__file__).parent / "pycg"
Pair = tuple[str, str]
"""Dotted names of a caller and of a callee."""


@dataclass(frozen=True)
class Case:
    """What one program should say and what was found."""

    name: str
    """`<category>/<case>`."""
    wanted: frozenset[Pair]
    found: frozenset[Pair]

    @property
    def category(self) -> str:
        """The folder of cases of its kind."""
        return self.name.partition("/")[0]


@dataclass(frozen=True)
class Pairs:
    """Counts of pairs, and what they give."""

    wanted: int
    found: int
    both: int

    @classmethod
    def of(cls, cases: Iterable[Case]) -> Pairs:
        """The sums over some cases."""
        each = list(cases)
        wanted, found = (sum(len(case.wanted) for case in each), sum(len(case.found) for case in each))
        return cls(wanted, found, sum(len(case.wanted & case.found) for case in each))

    @property
    def precision(self) -> float:
        """Of the pairs found; 1 where there are none."""
        return self.both / self.found if self.found else 1.0

    @property
    def recall(self) -> float:
        """Of the pairs wanted; 1 where there are none."""
        return self.both / self.wanted if self.wanted else 1.0


def cases(folder: Path = FOLDER) -> list[Path]:
    """The folders of all cases."""
    return sorted(file.parent for file in folder.rglob("callgraph.json"))


def run_all(folder: Path = FOLDER) -> list[Case]:
    """All cases, several at once: an index waits for the disk more than it computes."""
    with ThreadPoolExecutor(4) as pool:
        return list(pool.map(run, cases(folder)))


def run(case: Path) -> Case:
    """Index a case and compare."""
    functions, modules = defined(case)
    with tempfile.TemporaryDirectory(prefix="case-") as scratch:
        root = Path(scratch) / "case"
        shutil.copytree(case, root)
        indexing.index(root, jobs=1)
        with open_graph(root) as graph:
            rows = [row for row in graph.edges() if row["target"] and row["confidence"] in SURE]
    pairs = ((outside_lambda(dotted_address(row["caller"])), dotted_address(row["target"])) for row in rows)
    return Case(
        name="/".join(case.parts[-2:]),
        wanted=frozenset(wanted(case, functions, modules)),
        found=frozenset(pair for pair in pairs if pair[1] in functions),
    )


def wanted(case: Path, functions: set[str], modules: set[str]) -> Iterator[Pair]:
    """The pairs of a case's truth that are between its own functions, or from its modules."""
    for caller, callees in json.loads((case / "callgraph.json").read_text(encoding="utf-8")).items():
        around = outside_lambda(caller)
        if around in functions or around in modules:
            yield from ((around, callee) for callee in callees if callee in functions)


def defined(case: Path) -> tuple[set[str], set[str]]:
    """Dotted names of the functions and of the modules of a case."""
    functions: set[str] = set()
    modules: set[str] = set()
    for file in case.rglob("*.py"):
        module = dotted(file.relative_to(case).as_posix())
        modules.add(module)
        try:
            tree = ast.parse(file.read_bytes())
        except SyntaxError:
            continue
        functions.update(_functions(tree, module))
    return functions, modules


def _functions(tree: ast.AST, scope: str) -> Iterator[str]:
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            name = f"{scope}.{node.name}"
            if not isinstance(node, ast.ClassDef):
                yield name
            yield from _functions(node, name)
        else:
            yield from _functions(node, scope)


def dotted(path: str) -> str:
    """The name of a file's module."""
    name = path.removesuffix(".py").replace("/", ".")
    return name.removesuffix(".__init__")


def dotted_address(address: str) -> str:
    """The name of a symbol, as the truth writes it, from its address."""
    path, _, name = address.partition("::")
    name = name.partition("@")[0]
    return dotted(path) if name in ("", "<module>") else f"{dotted(path)}.{name}"


def outside_lambda(name: str) -> str:
    """The function or module around a lambda."""
    return name.partition(".<lambda")[0]
