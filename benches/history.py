"""Audits of real commits: true specs and reports give no finding, and each false fact is found.

    python benches/history.py REPOSITORY... [--commits N] [--work DIR] [--verbose]

REPOSITORY is a git directory with history. For each chosen commit a spec and a report are written from what `git` and
two plain indexes (one of each checkout, made by walking it) say of it. The audit, which makes the baseline's graph from
blobs, must find nothing. Then one fact at a time is made false, and the audit must say so with the right kind.
"""

# ruff: noqa: ARG001, ANN001 (each lie has the same form; cases are JSON)
from __future__ import annotations

import argparse
import collections
import json
import re
import subprocess
import tempfile
import time
from pathlib import Path

from mmcg import indexing
from mmcg.audit import auditing
from mmcg.audit.tasks import Task
from mmcg.query.answer import Options
from mmcg.query.context import Context
from mmcg.query.registry import ask
from mmcg.store import open_index

NAMED = 6
"""So many changed symbols are named in a spec."""


def git(root: Path, *words: str) -> str:
    """What a git command prints."""
    done = subprocess.run(["git", "-c", "advice.detachedHead=false", *words], cwd=root, capture_output=True, check=True)
    return done.stdout.decode("utf-8", "replace")


def chosen(repository: Path, count: int) -> list[str]:
    """Commits with one parent that change one to fifteen files of which one is code, spread over the last thousand."""
    found = []
    log = git(repository, "log", "-1000", "--no-merges", "--format=%x00%H %P", "--name-only", "HEAD")
    for entry in log.split("\0")[1:]:
        head, *paths = [line for line in entry.split("\n") if line]
        if len(head.split()) == 2 and 1 <= len(paths) <= 15 and any(code(path) for path in paths):
            found.append(head.split()[0])
    step = max(1, len(found) // count)
    return found[::step][:count]


def code(path: str) -> bool:
    """Whether a path is that of production code, by its name alone."""
    suffixes = (".py", ".go", ".js", ".ts", ".rs", ".java", ".php", ".c", ".h", ".cc", ".cpp", ".cs")
    return path.endswith(suffixes) and "test" not in path.lower() and "spec" not in path.lower()


def plain(signature: str) -> str:
    """A signature without the attributes before it."""
    return re.sub(r"^(?:(?:@\w+(?:\([^()]*\))?|#\[[^\]]*\])\s*)+", "", signature)


class Facts:
    """What a plain index of a checkout says."""

    def __init__(self, root: Path, wanted: set[str]) -> None:
        indexing.index(root)
        with open_index(root) as index:
            context = Context(index)
            sql = "SELECT path, qualified, address, kind, signature, decorators, body_hash, test, name FROM symbols"
            rows = [
                (*row[:4], " ".join(row[4].split()).replace("( ", "(").replace(", )", ")").replace(" )", ")"), *row[5:])
                for row in context.rows(sql + " WHERE kind <> 'module' ORDER BY id")
            ]
            self.symbols = {row[2]: row for row in rows if row[0] in wanted}
            self.repeated = {row[2] for row in rows if "@" in row[2]}
            self.named = collections.Counter(row[8] for row in rows)
            self.callers: dict[str, set[str]] = {}
            tests = set(indexing_tests(context))
            for address in self.symbols:
                answer = ask(context, "callers", [address], Options(limit=None))
                self.callers[address] = {
                    row["symbol"].partition("@")[0]
                    for row in answer.results
                    if row["file"] not in tests
                    and row["symbol"] != address
                    and row["symbol"] not in self.test_symbols(rows)
                }
            self.every = {row[2] for row in rows}

    def test_symbols(self, rows: list[tuple]) -> set[str]:
        """Addresses of tests."""
        if not hasattr(self, "_tests"):
            self._tests = {row[2] for row in rows if row[7]}
        return self._tests


def indexing_tests(context: Context) -> list[str]:
    """The test files of an index."""
    paths = list(context.files())
    return [path for path, test in zip(paths, indexing.are_tests(paths), strict=True) if test]


class Case:
    """One commit, checked out, with its true spec and report."""

    def __init__(self, repository: Path, commit: str, work: Path) -> None:
        self.root = work / "tree"
        git(work, "clone", "-q", "--shared", "--no-checkout", str(repository), str(self.root))
        self.parent = git(repository, "rev-parse", commit + "^").strip()
        self.files = self.changed_files(repository, commit)
        paths = {path for _, before, after in self.files for path in (before, after) if path}
        git(self.root, "checkout", "-q", self.parent)
        self.then = Facts(self.root, paths)
        git(self.root, "checkout", "-q", commit)
        self.now = Facts(self.root, paths)
        self.task = Task(self.root, self.root / ".mastermind" / "tasks" / "001-history")
        self.task.folder.mkdir(parents=True)
        self.spec, self.report = self.true()

    def changed_files(self, repository: Path, commit: str) -> list[tuple[str, str, str]]:
        """Status, path then and path now, without renames: both ends of one are changes."""
        out = git(repository, "diff-tree", "-r", "-z", "--no-renames", "--name-status", commit + "^", commit)
        words = out.split("\0")[:-1]
        found = []
        for status, path in zip(words[::2], words[1::2], strict=True):
            found.append((status, "" if status == "A" else path, "" if status == "D" else path))
        return found

    def true(self) -> tuple[dict, dict]:
        """What a truthful planner and executor would write."""
        touched, creates, deletes, tests = [], [], [], []
        gone = self.without(self.then, self.now)
        came = self.without(self.now, self.then)
        for status, before, after in self.files:
            path = after or before
            if status == "A":
                creates.append(path)
            elif status == "D":
                deletes.append(path)
            elif indexing.are_tests([path])[0]:
                tests.append({"file": path})
            else:
                touched.append(path)
        self.changed = [
            address
            for address, row in self.now.symbols.items()
            if (old := self.then.symbols.get(address))
            and old[4:7] != row[4:7]
            and "@" not in address
            and not row[7]
            and row[3] in ("function", "method", "constructor")
            and row[0] in touched
        ]
        self.gone, self.came = gone, came
        named = collections.defaultdict(list)
        for address in self.changed[:NAMED]:
            path, _, name = address.partition("::")
            old, new = self.then.symbols[address], self.now.symbols[address]
            gained = self.now.callers[address] - self.then.callers[address]
            lost = self.then.callers[address] - self.now.callers[address]
            entry: dict = {"name": name, "signature": old[4]}
            if old[4] != new[4]:
                entry["becomes"] = new[4]
            if gained or lost:
                entry["callers"] = {"gained": len(gained), "lost": len(lost)}
            named[path].append(entry)
        spec = {
            "id": self.task.id,
            "title": "History",
            "mode": "lite",
            "touches": [{"file": path, "symbols": named[path]} if named[path] else {"file": path} for path in touched],
            "creates": creates,
            "deletes": deletes,
            "tests": tests,
            "removes": [
                {"name": address.partition("@")[0], "signature": self.then.symbols[address][4]}
                if "@" in address
                else {"name": address}
                for address in gone
            ],
        }
        added = [
            {"kind": "symbol_added", "symbol": address, "signature": self.now.symbols[address][4]}
            for address in came
            if self.now.symbols[address][3] in ("function", "method", "class", "struct")
            and "@" not in address
            and not self.now.symbols[address][7]
        ]
        report = {
            "schema_version": 1,
            "spec": self.task.id,
            "status": "complete",
            "phases": [{"id": "all", "status": "done"}],
            "files_modified": [before or after for _, before, after in self.files],
            "claims": [{"kind": "symbol_changed", "symbol": address} for address in self.changed[:NAMED]]
            + added[:NAMED],
        }
        return spec, report

    @staticmethod
    def without(one: Facts, other: Facts) -> list[str]:
        """The addresses of one state that the other lacks.

        Definitions that share a name are told by their signatures: an attribute more or less is no removal. What stands
        in a body, as anonymous classes do, is no symbol of its file's to a spec.
        """
        there = {(row[0], row[1], plain(row[4])) for row in other.symbols.values()}
        names = {(row[0], row[1]) for row in other.symbols.values()}
        return [
            address
            for address, row in one.symbols.items()
            if "<anonymous>" not in address
            and ((row[0], row[1]) not in names or ("@" in address and (row[0], row[1], plain(row[4])) not in there))
        ]

    def audit(self, spec: dict, report: dict, prose: str = "") -> auditing.Audit:
        """The audit of a spec and a report; JSON is YAML."""
        self.task.spec.write_text(f"---\n{json.dumps(spec)}\n---\n# History\n\n## Goals\n\nWhat was done.\n")
        begin, end = "<!-- mastermind:report-begin -->", "<!-- mastermind:report-end -->"
        block = f"{begin}\n\n```yaml\n{json.dumps(report)}\n```\n\n{end}\n"
        self.task.report.write_text(f"# Report\n\n{prose}\n\n{block}")
        return auditing.audit(self.task, since=self.parent)


def lies(case: Case) -> list[tuple[str, str, dict, dict, str]]:
    """Name, expected kind, spec, report and prose of each false variant."""
    found = []

    def vary(name: str, kind: str, change) -> None:
        spec, report = json.loads(json.dumps(case.spec)), json.loads(json.dumps(case.report))
        prose = change(spec, report)
        if prose is not False:
            found.append((name, kind, spec, report, prose or ""))

    def drop_file(spec: dict, report: dict) -> str | bool:
        for key in ("touches", "creates", "deletes"):
            if spec[key]:
                spec[key].pop(0)
                return ""
        return False

    def unlisted(spec: dict, report: dict) -> None:
        report["files_modified"].pop()

    def listed(spec: dict, report: dict) -> None:
        report["files_modified"].append("README-not-touched.md")

    def unadded(spec: dict, report: dict) -> None:
        report["claims"].append({"kind": "symbol_added", "symbol": f"{report['files_modified'][0]}::never_was_here"})

    def renamed_callee(spec: dict, report: dict) -> str:
        return "The work uses the existing `frobnicate_all_of_it`."

    def missing_edge(spec: dict, report: dict) -> bool | None:
        begin = next(iter(case.changed), None)
        if begin is None:
            return False
        for end, callers in case.now.callers.items():
            row = case.now.symbols[end]
            if row[3] in ("function", "method") and begin not in callers and end != begin and "@" not in end:
                report["claims"].append({"kind": "integration", "from": begin, "to": end})
                return None
        return False

    def old_edge(spec: dict, report: dict) -> bool | None:
        for end, callers in case.then.callers.items():
            for begin in sorted(callers & case.now.callers.get(end, set())):
                if begin in case.now.every and "<module>" not in begin and "@" not in begin + end:
                    report["claims"].append({"kind": "integration", "from": begin, "to": end})
                    return None
        return False

    def unchanged(spec: dict, report: dict) -> bool | None:
        for address, row in case.now.symbols.items():
            old = case.then.symbols.get(address)
            if old and old[4:7] == row[4:7] and row[3] == "function" and "@" not in address and not row[7]:
                report["claims"].append({"kind": "symbol_changed", "symbol": address})
                return None
        return False

    def no_removes(spec: dict, report: dict) -> bool | None:
        own = [
            each
            for each in spec["removes"]
            if each["name"] in case.then.symbols
            and case.then.symbols[each["name"]][3] in ("function", "method", "class")
            and case.then.symbols[each["name"]][0] not in spec["deletes"]
            and not case.then.symbols[each["name"]][7]
            and not indexing.are_tests([case.then.symbols[each["name"]][0]])[0]
            and case.then.symbols[each["name"]][8] not in {case.now.symbols[a][8] for a in case.came}
        ]
        if not own:
            return False
        spec["removes"] = []
        return None

    def no_becomes(spec: dict, report: dict) -> bool | None:
        done = False
        for touch in spec["touches"]:
            for symbol in touch.get("symbols", []):
                done |= symbol.pop("becomes", None) is not None
        return None if done else False

    def no_callers(spec: dict, report: dict) -> bool | None:
        done = False
        for touch in spec["touches"]:
            for symbol in touch.get("symbols", []):
                done |= symbol.pop("callers", None) is not None
        return None if done else False

    vary("a changed file is not declared", "scope_creep", drop_file)
    vary("a changed file is not listed", "report_code_mismatch", unlisted)
    vary("an unchanged file is listed", "report_code_mismatch", listed)
    vary("an unadded symbol is claimed", "report_code_mismatch", unadded)
    vary("a callee has another name", "hallucinated_existing_symbol", renamed_callee)
    vary("a call that is not there is claimed", "false_integration_claim", missing_edge)
    vary("a call that was there is claimed", "false_integration_claim", old_edge)
    vary("an unchanged symbol is claimed", "report_code_mismatch|missing_change", unchanged)
    vary("a removal is not declared", "symbol_removed", no_removes)
    vary("a signature is not declared", "signature_changed", no_becomes)
    vary("a caller is not declared", "caller_drift", no_callers)
    return found


def main() -> None:
    """Run it."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("repositories", nargs="+", type=Path)
    parser.add_argument("--commits", type=int, default=2)
    parser.add_argument("--work", type=Path)
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    clean = total = 0
    alarms: collections.Counter[str] = collections.Counter()
    told: collections.Counter[str] = collections.Counter()
    tried: collections.Counter[str] = collections.Counter()
    for repository in options.repositories:
        for commit in chosen(repository, options.commits):
            with tempfile.TemporaryDirectory(dir=options.work) as folder:
                begun = time.monotonic()
                case = Case(repository.resolve(), commit, Path(folder).resolve())
                done = case.audit(case.spec, case.report)
                if done.verdict is None:
                    print(f"skip {repository.parent.name} {commit[:10]}: {done.findings[0].message}")
                    continue
                # A spec cannot declare a suppression, so one that a commit adds is a fact and no alarm.
                bad = [
                    each for each in done.findings if each.weight != "warning" and each.kind != "suppression_masking"
                ]
                masked = [each for each in done.findings if each.kind == "suppression_masking"]
                total += 1
                clean += not bad
                print(f"{'ok  ' if not bad else 'FAIL'} {repository.parent.name} {commit[:10]} {len(case.files)} files")
                for each in masked:
                    print(f"     (adds a suppression) {each.message}"[:300])
                for each in bad:
                    alarms[each.kind] += 1
                    print(f"     {each.kind}: {each.message}"[:400])
                for name, kind, spec, report, prose in lies(case):
                    tried[name] += 1
                    found = {each.kind for each in case.audit(spec, report, prose).findings}
                    if found & set(kind.split("|")):
                        told[name] += 1
                    else:
                        print(f"     missed: {name} ({kind}); found {sorted(found)}")
                if options.verbose:
                    print(f"     {time.monotonic() - begun:.1f} s")
    print(f"\n{clean} of {total} true ones without a finding; findings on true ones: {dict(alarms)}")
    for name in tried:
        print(f"{name}: {told[name]} of {tried[name]}")


if __name__ == "__main__":
    main()
