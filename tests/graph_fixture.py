"""A small graph of odd and ordinary names, stored as a real index: what most query tests ask about.

src/bank/vault.py   seal, Vault(__init__, seal, open), Vault2(Vault)(open), _old
src/bank/guard.py   watch -> seal, Vault(), possible Vault.open; main -> watch
tests/test_guard.py test_watch -> watch
odd.js              Jug(#pour, $fill), `a "b"::c.d`
Tower.java          Tower.stack@2, Tower.stack@6
bell.h, bell.c      a prototype and its definition
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.fake_core import write_index

if TYPE_CHECKING:
    from pathlib import Path

Sym = tuple[str, str, int, str | None, dict[str, Any]]

FILES: dict[str, tuple[str, list[Sym]]] = {
    "Tower.java": (
        "java",
        [
            ("Tower", "class", 1, None, {}),
            ("Tower.stack", "method", 2, "Tower", {"signature": "void stack(int n)"}),
            ("Tower.stack", "method", 6, "Tower", {"signature": "void stack(int n, int m)"}),
        ],
    ),
    "bell.c": ("c", [("ring", "function", 3, None, {})]),
    "bell.h": ("c", [("ring", "prototype", 1, None, {})]),
    "odd.js": (
        "javascript",
        [
            ("Jug", "class", 1, None, {"exported": True}),
            ("Jug.#pour", "method", 2, "Jug", {}),
            ("Jug.$fill", "method", 3, "Jug", {}),
            ('a "b"::c.d', "function", 5, None, {}),
            ("operator/", "function", 6, None, {}),
            ("\x1b[31mred", "function", 7, None, {}),
        ],
    ),
    "src/bank/guard.py": (
        "python",
        [("watch", "function", 3, None, {}), ("main", "function", 9, None, {})],
    ),
    "src/bank/vault.py": (
        "python",
        [
            ("seal", "function", 1, None, {"signature": "def seal(door)"}),
            ("Vault", "class", 4, None, {}),
            ("Vault.__init__", "constructor", 5, "Vault", {}),
            ("Vault.seal", "method", 7, "Vault", {}),
            ("Vault.open", "method", 9, "Vault", {}),
            ("Vault2", "class", 12, None, {}),
            ("Vault2.open", "method", 13, "Vault2", {}),
            ("_old", "function", 20, None, {"visibility": "private"}),
        ],
    ),
    "tests/test_guard.py": ("python", [("test_watch", "function", 2, None, {"test": True})]),
}

# source, target (or None and a name), line, confidence, rule
CALLS: list[tuple[str, str | None, str, int, str, str]] = [
    ("src/bank/guard.py::watch", "src/bank/vault.py::seal", "seal", 4, "exact", "import"),
    ("src/bank/guard.py::watch", "src/bank/vault.py::seal", "seal", 5, "inferred", "flow"),
    ("src/bank/guard.py::watch", "src/bank/vault.py::Vault.__init__", "Vault", 6, "exact", "constructor"),
    ("src/bank/guard.py::watch", "src/bank/vault.py::Vault.open", "open", 7, "possible", "name_only"),
    ("src/bank/guard.py::watch", None, "get", 8, "external", "external"),
    ("src/bank/guard.py::watch", None, "mystery", 8, "unresolved", "unresolved"),
    ("src/bank/guard.py::main", "src/bank/guard.py::watch", "watch", 10, "exact", "lexical"),
    ("src/bank/guard.py::watch", "src/bank/guard.py::main", "main", 11, "inferred", "flow"),
    ("tests/test_guard.py::test_watch", "src/bank/guard.py::watch", "watch", 3, "exact", "import"),
    ("Tower.java::Tower.stack@2", "Tower.java::Tower.stack@6", "stack", 3, "exact", "overload"),
    ("odd.js::<module>", "odd.js::Jug.#pour", "#pour", 9, "exact", "self"),
    ("odd.js::<module>", "odd.js::\x1b[31mred", "red", 9, "exact", "lexical"),
    ("src/bank/vault.py::Vault.seal", "src/bank/vault.py::Vault2.open", "open", 8, "inferred", "override"),
]

IMPORTS = [
    ("src/bank/guard.py", "src/bank/vault.py", "bank.vault", "seal", 1, None),
    ("src/bank/guard.py", None, "requests", None, 2, "requests"),
    ("src/bank/vault.py", "src/bank/guard.py", "bank.guard", "watch", 30, None),
    ("tests/test_guard.py", "src/bank/guard.py", "bank.guard", "watch", 1, None),
]


def write_graph(root: Path) -> None:
    """Write the index of the graph above to `root`."""
    files: list[dict[str, Any]] = []
    symbols: list[dict[str, Any]] = []
    for number, (path, (language, names)) in enumerate(sorted(FILES.items())):
        files.append({"id": number, "path": path, "language": language, "size": 100, "lines": 40})
        all_names = [("<module>", "module", 1, None, {}), *names]
        plain = [each[0] for each in all_names]
        ids: dict[str, int] = {}
        for qualified, kind, line, container, more in all_names:
            ids.setdefault(qualified, len(symbols))
            symbols.append(
                {
                    "id": len(symbols),
                    "file": number,
                    "path": path,
                    "address": f"{path}::{qualified}" + (f"@{line}" if plain.count(qualified) > 1 else ""),
                    "name": qualified if '"' in qualified else qualified.rpartition(".")[2],
                    "qualified": qualified,
                    "kind": kind,
                    "container": ids[container] if container else None,
                    "line": line,
                    "column": 5,
                    "end_line": line + 1,
                    "start_byte": line * 10,
                    "end_byte": 1000 if kind == "class" else line * 10 + 9,
                    "visibility": "public",
                    "parameters": "[]",
                    "decorators": "[]",
                    "language": language,
                    "body_hash": len(symbols),
                    **more,
                }
            )
    by_path = {each["path"]: each["id"] for each in files}
    by_address = {each["address"]: each["id"] for each in symbols}
    calls = [
        {
            "source": by_address[source],
            "target": None if target is None else by_address[target],
            "file": by_path[source.partition("::")[0]],
            "line": line,
            "column": 7,
            "name": name,
            "confidence": confidence,
            "rule": rule,
            "external": "requests.get" if confidence == "external" else None,
            "form": "call",
        }
        for source, target, name, line, confidence, rule in CALLS
    ]
    calls.sort(key=lambda each: (each["target"] is None, each["target"], each["source"], each["line"]))
    vault = "src/bank/vault.py::"
    write_index(
        root,
        files=files,
        symbols=symbols,
        calls=calls,
        references=[
            {
                "target": by_address[vault + "seal"],
                "source": by_address["src/bank/guard.py::<module>"],
                "file": by_path["src/bank/guard.py"],
                "line": 1,
                "column": 20,
                "kind": "import",
                "confidence": "exact",
                "rule": "import",
            }
        ],
        imports=[
            {
                "file": by_path[file],
                "target_file": None if target is None else by_path[target],
                "module": module,
                "name": name,
                "line": line,
                "column": 6,
                "external": external,
                "kind": "member",
            }
            for file, target, module, name, line, external in IMPORTS
        ],
        bases=[
            {
                "symbol": by_address[vault + "Vault2"],
                "base": by_address[vault + "Vault"],
                "name": "Vault",
                "kind": "extends",
                "line": 12,
                "confidence": "exact",
                "rule": "lexical",
            },
            {
                "symbol": by_address[vault + "Vault"],
                "base": None,
                "name": "Box",
                "kind": "extends",
                "line": 4,
                "confidence": "external",
                "rule": "external",
            },
        ],
        overrides=[{"symbol": by_address[vault + "Vault2.open"], "overridden": by_address[vault + "Vault.open"]}],
    )
