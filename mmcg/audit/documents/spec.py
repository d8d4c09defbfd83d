"""`spec.md`: the contract between who plans a change and who makes it.

YAML between `---` lines from the first line on, then Markdown. Reading never fails on what the text says: what is wrong
becomes findings, and the rest of the spec is read all the same.
"""

from __future__ import annotations

import hashlib
import shlex
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from mmcg.audit import files
from mmcg.audit.checks import frontmatter_invalid, frontmatter_missing
from mmcg.audit.documents import markdown
from mmcg.audit.documents.edits import Edit, read_edits
from mmcg.audit.documents.fields import Entries, Fields, is_null
from mmcg.audit.documents.nodes import Mapping, Node, Scalar, YamlError, load
from mmcg.settings import FOLDER

if TYPE_CHECKING:
    from pathlib import Path

    from mmcg.audit.findings import Finding

MODES = ("lite", "verified", "strict")
RISKS = ("low", "medium", "high")

SECTIONS: dict[str, tuple[str, ...]] = {
    "lite": ("Goals",),
    "verified": ("Goals", "Scope", "Acceptance Criteria", "Tests Plan", "Final Verification"),
    "strict": (
        "Goals",
        "Scope",
        "Acceptance Criteria",
        "Tests Plan",
        "Final Verification",
        "Alternatives Considered",
        "Risk Register",
        "Rollback",
        "Documentation Plan",
        "Observability Plan",
        "Performance Considerations",
    ),
}
"""The sections that a spec must have, by mode."""

KEYS = (
    "id", "title", "mode", "risk", "touches", "creates", "deletes", "docs", "adds", "removes", "tests", "verify",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class SymbolPlan:
    """A symbol that a spec names, and what is to become of it."""

    name: str
    signature: str | None = None
    """The live signature, as stated; of a symbol to be added, the planned one."""
    becomes: str | None = None
    """The planned signature."""
    gained: int | None = None
    """Callers it is to gain; None where nothing is said about callers."""
    lost: int | None = None
    reason: str = ""
    line: int = 1

    @property
    def declares_callers(self) -> bool:
        """Whether a change in the number of callers is planned or ruled out."""
        return self.gained is not None or self.lost is not None

    @property
    def only_callers(self) -> bool:
        """Whether that is all that is planned, so that the symbol itself need not change."""
        return self.declares_callers and self.signature is None and self.becomes is None


@dataclass(frozen=True, slots=True)
class Touch:
    """A file, or a glob of files, to be changed."""

    file: str
    symbols: tuple[SymbolPlan, ...] = ()
    line: int = 1


@dataclass(frozen=True, slots=True)
class PathPlan:
    """A path to be created, deleted, or changed as documentation."""

    path: str
    line: int = 1


@dataclass(frozen=True, slots=True)
class PlannedTest:
    """A test to be added or changed: named in a file, named only, or any in a file."""

    file: str | None
    name: str | None
    line: int = 1


@dataclass(frozen=True, slots=True)
class VerifyCommand:
    """A command that must pass."""

    id: str
    text: str
    """As written; of an argument list, its shell spelling."""
    argv: tuple[str, ...]
    """The command split as a shell would, run without one unless `shell`."""
    shell: bool = False
    timeout: float | None = None
    """Seconds."""
    expect_tests: int | None = None
    """How many tests it must run at least."""
    line: int = 1


@dataclass(frozen=True, slots=True)
class Spec:
    """A spec as read. Paths are clean (`mmcg.audit.files.clean`) but not checked."""

    id: str
    title: str
    mode: str = "verified"
    risk: str = "low"
    touches: tuple[Touch, ...] = ()
    creates: tuple[PathPlan, ...] = ()
    deletes: tuple[PathPlan, ...] = ()
    docs: tuple[PathPlan, ...] = ()
    adds: tuple[SymbolPlan, ...] = ()
    removes: tuple[SymbolPlan, ...] = ()
    tests: tuple[PlannedTest, ...] = ()
    verify: tuple[VerifyCommand, ...] = ()
    edits: tuple[Edit, ...] = ()
    sections: tuple[markdown.Section, ...] = field(default=(), repr=False)
    body: markdown.Markdown = field(default_factory=lambda: markdown.Markdown((), (), ()), repr=False)
    hash: str = ""
    """SHA-256 of the file's bytes."""
    path: str = ""
    """Of the file, from the root."""

    def symbols(self) -> list[tuple[str, SymbolPlan]]:
        """Every symbol named under `touches`, with its file or glob."""
        return [(touch.file, plan) for touch in self.touches for plan in touch.symbols]

    def declared_files(self) -> list[str]:
        """Every path or glob that the change may touch: touched, created, deleted, documentation, tests, edits."""
        found = [touch.file for touch in self.touches]
        found += [each.path for each in (*self.creates, *self.deletes, *self.docs)]
        found += [each.file for each in self.tests if each.file]
        found += [each.file for each in self.edits]
        return list(dict.fromkeys(found))

    def declares(self, path: str) -> bool:
        """Whether the change of a path is declared."""
        return any(files.fits(each, path) for each in self.declared_files())


@dataclass(frozen=True, slots=True)
class SpecReading:
    """What reading a spec gave: the spec as far as it could be read, and what is wrong with its form."""

    spec: Spec
    findings: tuple[Finding, ...] = ()
    complete: bool = True
    """Whether the whole file could be read; if not, what it does not say may be missing from `spec` only."""


def read_spec(path: Path, root: Path) -> SpecReading:
    """Read the spec at `path` of the repository at `root`.

    Raises `InputError` when the file cannot be read at all: missing, a link, a pipe, too large, or not UTF-8.
    """
    text, data = files.read_document(root, path)
    return parse_spec(text, _from_root(path, root), hashlib.sha256(data).hexdigest(), _folder_of_task(path))


def parse_spec(text: str, path: str = "spec.md", digest: str = "", folder: str | None = None) -> SpecReading:
    """A spec's text, read; `folder` is the name of its task's folder, if it lies in one."""
    head, body, first = _split(text)
    if head is None:
        document = markdown.parse(text)
        missing = frontmatter_missing.KIND.in_spec(
            "The spec has no frontmatter.",
            file=path,
            line=1,
            hint="Begin the file with `---`, then `id: …` and the other keys, then `---`.",
        )
        spec = Spec("", "", sections=document.sections, body=document, hash=digest, path=path)
        return SpecReading(spec, (missing,))
    reader = Fields(frontmatter_invalid.KIND, path)
    if body is None:
        reader.wrong("The frontmatter is never closed.", 1, hint="End it with a line `---`.")
        return SpecReading(Spec("", "", hash=digest, path=path), tuple(reader.findings), complete=False)
    complete = True
    node: Node | None = None
    try:
        node = load(head, 2)
    except YamlError as error:
        reader.wrong(f"The frontmatter is no YAML that can be read: {error.message}.", error.line)
        complete = False
    document = markdown.parse(body, first)
    fields = _read_frontmatter(reader, node, folder) if complete else {"id": "", "title": ""}
    spec = Spec(
        **fields,
        edits=tuple(read_edits(document)),
        sections=document.sections,
        body=document,
        hash=digest,
        path=path,
    )
    return SpecReading(spec, tuple(reader.findings), complete)


def _split(text: str) -> tuple[str | None, str | None, int]:
    """The frontmatter (None without one), the body (None if that is not closed), and the body's first line."""
    lines = text.split("\n")
    if lines[0].rstrip() != "---":
        return None, text, 1
    for at, line in enumerate(lines[1:], 1):
        if line.rstrip() in ("---", "..."):
            return "\n".join(lines[1:at]) + "\n", "\n".join(lines[at + 1 :]), at + 2
    return "\n".join(lines[1:]), None, len(lines) + 1


def _read_frontmatter(reader: Fields, node: Node | None, folder: str | None) -> dict[str, Any]:
    if node is None:
        node = Mapping(1)
    entries = reader.entries(node, "the frontmatter", KEYS)
    given = reader.text(entries, "id", required=True)
    if folder is not None and given and given != folder:
        reader.wrong(
            f"`id` is `{given}`, but the task's folder is `{folder}`.",
            entries["id"][0],
            ["id", given],
            f"Write `id: {folder}`.",
            expected=folder,
            found=given,
        )
    return {
        "id": given,
        "title": reader.text(entries, "title", required=True),
        "mode": reader.choice(entries, "mode", MODES, "verified"),
        "risk": reader.choice(entries, "risk", RISKS, "low"),
        "touches": tuple(_touches(reader, entries)),
        "creates": _paths(reader, entries, "creates"),
        "deletes": _paths(reader, entries, "deletes"),
        "docs": _paths(reader, entries, "docs"),
        "adds": tuple(_symbols(reader, entries, "adds")),
        "removes": tuple(_symbols(reader, entries, "removes")),
        "tests": tuple(_tests(reader, entries)),
        "verify": tuple(_commands(reader, entries)),
    }


def _paths(reader: Fields, entries: Entries, key: str) -> tuple[PathPlan, ...]:
    return tuple(PathPlan(files.clean(path), line) for path, line in reader.texts(entries, key, of="paths"))


def _touches(reader: Fields, entries: Entries) -> list[Touch]:
    found = []
    for item in reader.items(entries, "touches", of="`{file, symbols}`"):
        keys = reader.entries(item, "an entry of `touches`", ("file", "symbols"))
        file = reader.text(keys, "file", required=isinstance(item, Mapping), line=item.line)
        if file:
            found.append(Touch(files.clean(file), tuple(_symbols(reader, keys, "symbols")), keys["file"][0]))
    return found


def _symbols(reader: Fields, entries: Entries, key: str) -> list[SymbolPlan]:
    found = []
    for item in reader.items(entries, key, of="symbols"):
        if isinstance(item, Mapping):
            plan = _symbol(reader, item)
            if plan is not None:
                found.append(plan)
            continue
        name = reader.scalar(item, key, item.line)
        if name:
            found.append(SymbolPlan(name.strip(), line=item.line))
        elif isinstance(item, Scalar):
            reader.wrong(f"`{key}` has an empty item.", item.line, [key], "Remove it, or name a symbol.")
    return found


def _symbol(reader: Fields, item: Mapping) -> SymbolPlan | None:
    keys = reader.entries(item, "a symbol", ("name", "signature", "becomes", "callers", "reason"))
    name = reader.text(keys, "name", required=True, line=item.line).strip()
    gained = lost = None
    if "callers" in keys:
        line, node = keys["callers"]
        if not (isinstance(node, Scalar) and is_null(node)):
            deltas = reader.entries(node, "`callers`", ("gained", "lost"))
            gained, lost = reader.integer(deltas, "gained"), reader.integer(deltas, "lost")
            if not deltas and isinstance(node, Mapping):
                reader.wrong("`callers` says nothing.", line, ["callers"], "Write `{gained: 1}` or `{lost: 1}`.")
    signature, becomes = reader.text(keys, "signature").strip(), reader.text(keys, "becomes").strip()
    reason = reader.text(keys, "reason")
    if not name:
        return None
    return SymbolPlan(name, signature or None, becomes or None, gained, lost, reason, item.line)


def _tests(reader: Fields, entries: Entries) -> list[PlannedTest]:
    found = []
    for item in reader.items(entries, "tests", of="`{file, names}` or test names"):
        if isinstance(item, Mapping):
            keys = reader.entries(item, "an entry of `tests`", ("file", "names"))
            file = files.clean(reader.text(keys, "file", required=True, line=item.line))
            names = reader.texts(keys, "names", of="test names")
            if file:
                found += [PlannedTest(file, name, line) for name, line in names]
                if not names:
                    found.append(PlannedTest(file, None, item.line))
        else:
            name = reader.scalar(item, "tests", item.line)
            if name:
                found.append(PlannedTest(None, name, item.line))
    return found


def _commands(reader: Fields, entries: Entries) -> list[VerifyCommand]:
    found: list[VerifyCommand] = []
    for item in reader.items(entries, "verify", of="`{id, run}`"):
        keys = reader.entries(item, "an entry of `verify`", ("id", "run", "shell", "timeout", "expect_tests"))
        if not isinstance(item, Mapping):
            continue
        text, argv = _run(reader, keys, item.line)
        if not argv:
            continue
        name = reader.text(keys, "id") or text
        if any(each.id == name for each in found):
            reader.wrong(f"Two entries of `verify` have the id `{name}`.", item.line, [name], "Give each its own.")
        found.append(
            VerifyCommand(
                name,
                text,
                argv,
                reader.boolean(keys, "shell"),
                reader.number(keys, "timeout"),
                reader.integer(keys, "expect_tests"),
                item.line,
            )
        )
    return found


def _run(reader: Fields, keys: Entries, line: int) -> tuple[str, tuple[str, ...]]:
    """The command as text and as words."""
    if "run" not in keys:
        reader.wrong("An entry of `verify` has no `run`.", line, ["run"], "Add `run:` with a command.")
        return "", ()
    place, node = keys["run"]
    if not isinstance(node, Scalar):
        words = tuple(word for word, _ in reader.texts(keys, "run", of="words, or a text"))
        return shlex.join(words), words
    text = reader.text(keys, "run", required=True).strip()
    try:
        words = tuple(shlex.split(text))
    except ValueError as error:
        reader.wrong(f"`run` cannot be split into words: {error}.", place, ["run"], "Close the quote.")
        return text, ()
    return text, words


def _from_root(path: Path, root: Path) -> str:
    try:
        return path.absolute().relative_to(root).as_posix()
    except ValueError:
        return path.as_posix()


def _folder_of_task(path: Path) -> str | None:
    parts = path.absolute().parts
    return parts[-2] if len(parts) > 3 and parts[-4:-2] == (FOLDER, "tasks") else None
