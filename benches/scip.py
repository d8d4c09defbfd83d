"""How far our SCIP index agrees with that of the compiler-backed indexer `@sourcegraph/scip-typescript`.

`python benches/scip.py FOLDER [--npm CACHE]`: FOLDER is a TypeScript project with a `tsconfig.json` in its root; the
indexer is installed into CACHE. Both indexes are decoded by the bindings of the published schema that it brings along.

Compared are places (file, line, column). A definition agrees when both define something there. A reference agrees when
both refer from there to a definition at the same place. Locals, parameters and type parameters are left out: they are no
symbols of ours.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sized

INDEXER = "@sourcegraph/scip-typescript"
VERSION = "0.4.0"
DEFINITION = 1
DECODE = """
const {scip} = require(process.argv[1] + '/dist/src/scip.js');
const index = scip.Index.deserializeBinary(require('fs').readFileSync(process.argv[2]));
process.stdout.write(JSON.stringify(index.toObject()));
"""

Place = tuple[str, int, int]
Occurrences = dict[Place, set[str]]
"""Symbols by place."""


def main() -> None:
    """Index twice, compare, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--npm", type=Path, default=Path(tempfile.gettempdir()) / "mastermind-scip")
    parser.add_argument("--show", type=int, default=0, metavar="N", help="print N differences of each sort")
    given = parser.parse_args()
    package = installed(given.npm)
    folder = given.folder.resolve()
    with tempfile.TemporaryDirectory() as scratch:
        ours, theirs = Path(scratch) / "ours.scip", Path(scratch) / "theirs.scip"
        mastermind = [sys.executable, "-m", "mmcg"]
        subprocess.run([*mastermind, "index", str(folder)], check=True)
        export = [*mastermind, "export", "--format", "scip", "--root", str(folder), "--output", str(ours)]
        subprocess.run(export, check=True)
        indexer = ["node", f"{package}/dist/src/main.js", "index", "--cwd", str(folder), "--output", str(theirs)]
        subprocess.run(indexer, check=True, stdout=subprocess.DEVNULL)
        compare(read(package, ours), read(package, theirs), given.show)


def installed(folder: Path) -> Path:
    """The indexer's package, installed if need be."""
    package = folder / "node_modules" / INDEXER
    if not package.exists():
        folder.mkdir(parents=True, exist_ok=True)
        subprocess.run(["npm", "install", "--silent", "--prefix", str(folder), f"{INDEXER}@{VERSION}"], check=True)
    return package


def read(package: Path, index: Path) -> tuple[Occurrences, Occurrences]:
    """Symbols by the place of their definitions and of their references."""
    text = subprocess.check_output(["node", "-e", DECODE, str(package), str(index)])
    definitions: Occurrences = defaultdict(set)
    references: Occurrences = defaultdict(set)
    document: dict[str, Any]
    for document in json.loads(text)["documents"]:
        for each in document["occurrences"]:
            symbol = each["symbol"]
            # Locals, type parameters, parameters, files, and what is in no document.
            if symbol.startswith("local ") or symbol.endswith(("]", ")", "/")):
                continue
            place = (document["relative_path"], *each["range"][:2])
            (definitions if each["symbol_roles"] & DEFINITION else references)[place].add(symbol)
    return definitions, references


def targets(index: tuple[Occurrences, Occurrences]) -> dict[Place, set[Place]]:
    """The places of definitions that each reference leads to; references that leave the project are left out."""
    definitions, references = index
    places: dict[str, set[Place]] = defaultdict(set)
    for place, symbols in definitions.items():
        for symbol in symbols:
            places[symbol].add(place)
    found = {place: set().union(*(places[each] for each in symbols)) for place, symbols in references.items()}
    return {place: reached for place, reached in found.items() if reached}


def compare(ours: tuple[Occurrences, Occurrences], theirs: tuple[Occurrences, Occurrences], show: int) -> None:
    """The two tables."""
    mine, other = set(ours[0]), set(theirs[0])
    print(f"definitions: {len(mine)} ours, {len(other)} theirs, {len(mine & other)} in both")
    print(f"  of ours in theirs {share(mine & other, mine)}, of theirs in ours {share(mine & other, other)}")
    print(f"  only ours by ending: {endings(ours[0], mine - other)}")
    print(f"  only theirs by ending: {endings(theirs[0], other - mine)}")
    sample(show, mine - other, other - mine)
    a, b = targets(ours), targets(theirs)
    both = set(a) & set(b)
    same = {place for place in both if a[place] & b[place]}
    print(f"references: {len(a)} ours, {len(b)} theirs, {len(both)} in both, {len(same)} to the same definition")
    print(f"  of those in both the same {share(same, both)}")
    known = {place for place in b if b[place] & mine}
    print(f"  of theirs to definitions that we have too {share(same & known, known)} (of {len(known)})")
    print(f"  of theirs in ours {share(same, b)}, of ours in theirs {share(same, a)}")
    print(f"  only theirs by ending: {endings(theirs[1], known - set(a))}")
    sample(show, set(a) - set(b), known - set(a), both - same)


def share(part: Sized, whole: Sized) -> str:
    """A percentage."""
    return f"{100 * len(part) / max(len(whole), 1):.1f} %"


def endings(symbols: Occurrences, places: set[Place]) -> dict[str, int]:
    """How many places there are of each sort of symbol."""
    return dict(Counter(re.sub(r"\w", "", min(symbols[place])[-3:]) for place in places).most_common())


def sample(count: int, *places: set[Place]) -> None:
    """Some of the places of each set, spread evenly."""
    for each in places if count else ():
        ordered = sorted(each)
        for path, line, column in ordered[:: max(1, len(ordered) // count)][:count]:
            print(f"    {path}:{line + 1}:{column + 1}")
        print("    --")


if __name__ == "__main__":
    main()
