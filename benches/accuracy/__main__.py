"""Scores the index against the truths and writes `docs/accuracy.md`.

`python -m benches.accuracy [--corpora FOLDER] [--only TEXT] [--errors] [--raise-floors]`

Sources that are not in FOLDER (`corpora`) are fetched first. The page is written when everything was scored. The exit code is 1 if
anything has fallen below its floor (`floors.toml`), and 2 if a source could not be fetched.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

from benches import corpora
from benches.accuracy import floors, micro, page, truth
from benches.accuracy.errors import listed
from benches.accuracy.run import fetch, run
from benches.corpora import NotFetchedError

PAGE = corpora.PROJECT / "docs" / "accuracy.md"


def main() -> int:
    """A line a project, then the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpora", type=Path, default=corpora.FOLDER, help="where the sources are or go")
    parser.add_argument("--only", default="", help="only projects whose name holds this; no page is written then")
    parser.add_argument("--errors", action="store_true", help="print every wrong answer and every missed site")
    parser.add_argument("--raise-floors", action="store_true", help="set the floors just under what is measured")
    given = parser.parse_args()
    begun = time.monotonic()
    wanted = [project for project in truth.projects() if given.only in project.name]
    lost = {str(why) for why in fetch(wanted, given.corpora.resolve()).values()}
    fetched = time.monotonic()
    results, measured = [], {}
    for project in wanted:
        try:
            result = run(project, given.corpora.resolve())
        except NotFetchedError as error:
            lost.add(str(error))
            continue
        results.append(result)
        measured[project.name] = floors.of(result.score)
        print(_line(project.name, measured[project.name]), flush=True)
        if given.errors:
            print("\n".join(listed(result.score)))
    cases = micro.run_all() if given.only in "pycg" else []
    if cases:
        measured["pycg"] = floors.of_pairs(micro.Pairs.of(cases))
        print(_line("pycg", measured["pycg"]))
    done = time.monotonic()
    print(f"fetching {fetched - begun:.0f} s, indexing and scoring {done - fetched:.0f} s")

    if given.raise_floors:
        floors.FILE.write_text(floors.raised(measured), encoding="utf-8")
    if not given.only and not lost:
        PAGE.write_text(page.text(results, cases), encoding="utf-8")
    fallen = [words for name, values in measured.items() for words in floors.below(name, values)]
    for words in [*(f"not scored: {why}" for why in sorted(lost)), *fallen]:
        print(words, file=sys.stderr)
    return 2 if lost else 1 if fallen else 0


def _line(name: str, values: floors.Values) -> str:
    return f"{name:18} " + "  ".join(f"{what} {value:.4f}" for what, value in values.items())


if __name__ == "__main__":
    sys.exit(main())
