"""`executor-report.md`: what an executor says was done, as claims that can be checked.

A fenced YAML block between `<!-- mastermind:report-begin -->` and `<!-- mastermind:report-end -->`; the prose around it
is read for claims too (`prose.py`).
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from mmcg.audit.checks import report_code_mismatch
from mmcg.audit.documents import markdown
from mmcg.audit.documents.blocks import machine_block
from mmcg.audit.documents.fields import Entries, Fields
from mmcg.audit.documents.nodes import Mapping, Sequence
from mmcg.audit.documents.prose import ProseClaim, prose_claims
from mmcg.audit.files import clean, read_document

if TYPE_CHECKING:
    from pathlib import Path

    from mmcg.audit.findings import Finding

SCHEMA_VERSION = 1
STATUSES = ("complete", "partial", "failed")
PHASE_STATUSES = ("done", "pending", "stopped", "skipped")
CLAIM_KINDS = ("symbol_added", "symbol_changed", "symbol_removed", "integration", "test_added")
RESULTS = ("pass", "fail")
KEYS = (
    "schema_version", "spec", "status", "phases", "files_modified", "claims", "defects", "verifications",
)  # fmt: skip

_CLAIM_KEYS = {
    "symbol_added": ("symbol", "signature"),
    "symbol_changed": ("symbol", "signature"),
    "symbol_removed": ("symbol", "signature"),
    "integration": ("from", "to"),
    "test_added": ("test", "covers"),
}
"""The keys of a claim besides `kind`; those of integrations and the first of the others are required."""


@dataclass(frozen=True, slots=True)
class Phase:
    """A step of the work."""

    id: str
    status: str
    line: int = 1


@dataclass(frozen=True, slots=True)
class ModifiedFile:
    """A path that the report says was changed."""

    path: str
    line: int = 1


@dataclass(frozen=True, slots=True)
class Claim:
    """Something said to have been done. Which fields are set depends on `kind`."""

    kind: str
    symbol: str | None = None
    signature: str | None = None
    source: str | None = None
    """The caller of an integration (`from`)."""
    target: str | None = None
    """What it calls (`to`)."""
    test: str | None = None
    covers: tuple[str, ...] = ()
    line: int = 1

    @property
    def text(self) -> str:
        """The claim in one line."""
        if self.kind == "integration":
            return f"integration from `{self.source}` to `{self.target}`"
        if self.kind == "test_added":
            covers = f" covers {', '.join(f'`{each}`' for each in self.covers)}" if self.covers else ""
            return f"test_added `{self.test}`{covers}"
        return f"{self.kind} `{self.symbol}`" + (f" `{self.signature}`" if self.signature else "")


@dataclass(frozen=True, slots=True)
class Defect:
    """Something that is not as it should be, by the executor's own word."""

    kind: str
    phase: str = ""
    details: str = ""
    hint: str = ""
    line: int = 1


@dataclass(frozen=True, slots=True)
class Verification:
    """What a command gave, by the executor's word."""

    id: str
    """The id of the spec's command, or the command itself."""
    result: str
    exit_code: int | None = None
    tests_run: int | None = None
    output_excerpt: str = ""
    line: int = 1


@dataclass(frozen=True, slots=True)
class Report:
    """A report as read. Paths are clean (`mmcg.audit.files.clean`) but not checked."""

    spec: str = ""
    status: str = ""
    """Empty when it could not be read."""
    schema_version: int | None = None
    phases: tuple[Phase, ...] = ()
    files_modified: tuple[ModifiedFile, ...] = ()
    claims: tuple[Claim, ...] = ()
    defects: tuple[Defect, ...] = ()
    verifications: tuple[Verification, ...] = ()
    prose: tuple[ProseClaim, ...] = ()
    body: markdown.Markdown = field(default_factory=lambda: markdown.Markdown((), (), ()), repr=False)
    keys: dict[str, int] = field(default_factory=dict)
    """The line of each key of the machine block."""
    hash: str = ""
    """SHA-256 of the file's bytes."""
    path: str = ""
    """Of the file, from the root."""

    def line_of(self, key: str) -> int:
        """The line of a key of the machine block; that block's first line for one that is not there."""
        return self.keys.get(key, min(self.keys.values(), default=1))


@dataclass(frozen=True, slots=True)
class ReportReading:
    """What reading a report gave: the report as far as it could be read, and what is wrong with its form."""

    report: Report
    findings: tuple[Finding, ...] = ()


def read_report(path: Path, root: Path) -> ReportReading:
    """Read the report at `path` of the repository at `root`.

    Raises `InputError` when the file cannot be read at all: missing, a link, a pipe, too large, or not UTF-8.
    """
    text, data = read_document(root, path)
    try:
        named = path.absolute().relative_to(root).as_posix()
    except ValueError:
        named = path.as_posix()
    return parse_report(text, named, hashlib.sha256(data).hexdigest())


def parse_report(text: str, path: str = "executor-report.md", digest: str = "") -> ReportReading:
    """A report's text, read. What it says about itself is checked by `mmcg.audit.consistency`."""
    reader = Fields(report_code_mismatch.KIND, path)
    document = markdown.parse(text)
    node = machine_block(reader, document, "report")
    fields: dict[str, object] = {}
    keys: dict[str, int] = {}
    if node is not None:
        entries = reader.entries(node, "the report", KEYS)
        keys = {key: line for key, (line, _) in entries.items()}
        fields = _read(reader, entries, node.line)
    prose = tuple(prose_claims(document))
    report = Report(**fields, prose=prose, body=document, keys=keys, hash=digest, path=path)  # type: ignore[arg-type]
    return ReportReading(report, tuple(reader.findings))


def _read(reader: Fields, entries: Entries, line: int) -> dict[str, object]:
    for key in ("schema_version", "files_modified"):
        if key not in entries:
            reader.wrong(f"`{key}` is missing.", line, [key], f"Add `{key}:`; `report template` writes all keys.")
    version = reader.integer(entries, "schema_version", least=1)
    if version not in (None, SCHEMA_VERSION):
        reader.wrong(
            f"`schema_version` is {version}; this program reads {SCHEMA_VERSION}.",
            entries["schema_version"][0],
            ["schema_version"],
        )
    if "status" not in entries:
        reader.wrong("`status` is missing.", line, ["status"], "Add `status: complete`, `partial` or `failed`.")
    return {
        "schema_version": version,
        "spec": reader.text(entries, "spec", required=True, line=line),
        "status": reader.choice(entries, "status", STATUSES, ""),
        "phases": tuple(_phases(reader, entries)),
        "files_modified": tuple(
            ModifiedFile(clean(path), place) for path, place in reader.texts(entries, "files_modified", of="paths")
        ),
        "claims": tuple(_claims(reader, entries)),
        "defects": tuple(_defects(reader, entries)),
        "verifications": tuple(_verifications(reader, entries)),
    }


def _phases(reader: Fields, entries: Entries) -> list[Phase]:
    found = []
    for item in reader.items(entries, "phases", of="`{id, status}`"):
        keys = reader.entries(item, "a phase", ("id", "status"))
        if isinstance(item, Mapping):
            name = reader.text(keys, "id", required=True, line=item.line)
            found.append(Phase(name, reader.choice(keys, "status", PHASE_STATUSES, ""), item.line))
            if "status" not in keys:
                reader.wrong(f"Phase `{name}` has no `status`.", item.line, [name], "Say `done`, `pending` or so.")
    return found


def _claims(reader: Fields, entries: Entries) -> list[Claim]:
    found = []
    every = ("kind", *dict.fromkeys(key for keys in _CLAIM_KEYS.values() for key in keys))
    for item in reader.items(entries, "claims", of="claims"):
        # An unknown kind is one fault, and its keys are not judged.
        known = every
        if isinstance(item, Mapping) and (given := item.entries.get("kind")):
            known = ("kind", *_CLAIM_KEYS.get(reader.scalar(given[1], "kind", given[0]) or "", every[1:]))
        keys = reader.entries(item, "a claim", known)
        if not isinstance(item, Mapping):
            continue
        if "kind" not in keys:
            reader.wrong("A claim has no `kind`.", item.line, ["kind"], f"Use one of {', '.join(CLAIM_KINDS)}.")
            continue
        kind = reader.choice(keys, "kind", CLAIM_KINDS, "")
        if kind:
            claim = _claim(reader, keys, kind, item)
            if claim is not None:
                found.append(claim)
    return found


def _claim(reader: Fields, keys: Entries, kind: str, item: Mapping) -> Claim | None:
    required = _CLAIM_KEYS[kind] if kind == "integration" else _CLAIM_KEYS[kind][:1]
    given = {
        key: reader.text(keys, key, required=key in required, line=item.line).strip()
        for key in _CLAIM_KEYS[kind]
        if key != "covers"
    }
    if not all(given[key] for key in required):
        return None
    return Claim(
        kind,
        given.get("symbol") or None,
        given.get("signature") or None,
        given.get("from") or None,
        given.get("to") or None,
        given.get("test") or None,
        _covers(reader, keys),
        item.line,
    )


def _covers(reader: Fields, keys: Entries) -> tuple[str, ...]:
    """One symbol, or a list of them."""
    if "covers" not in keys:
        return ()
    if isinstance(keys["covers"][1], Sequence):
        return tuple(name for name, _ in reader.texts(keys, "covers", of="symbols"))
    one = reader.text(keys, "covers").strip()
    return (one,) if one else ()


def _defects(reader: Fields, entries: Entries) -> list[Defect]:
    found = []
    for item in reader.items(entries, "defects", of="`{kind, phase, details, hint}`"):
        keys = reader.entries(item, "a defect", ("kind", "phase", "details", "hint"))
        if isinstance(item, Mapping):
            texts = {key: reader.text(keys, key) for key in ("phase", "details", "hint")}
            found.append(Defect(reader.text(keys, "kind", required=True, line=item.line), **texts, line=item.line))
    return found


def _verifications(reader: Fields, entries: Entries) -> list[Verification]:
    found = []
    known = ("id", "cmd", "result", "exit_code", "tests_run", "output_excerpt")
    for item in reader.items(entries, "verifications", of="`{id, result}`"):
        keys = reader.entries(item, "a verification", known)
        if not isinstance(item, Mapping):
            continue
        name = reader.text(keys, "id") or reader.text(keys, "cmd")
        if not name:
            reader.wrong("A verification has neither `id` nor `cmd`.", item.line, ["id"], "Name the spec's command.")
        if "result" not in keys:
            reader.wrong(f"Verification `{name}` has no `result`.", item.line, [name], "Say `pass` or `fail`.")
        found.append(
            Verification(
                name,
                reader.choice(keys, "result", RESULTS, ""),
                reader.integer(keys, "exit_code", least=-(2**31)),
                reader.integer(keys, "tests_run"),
                reader.text(keys, "output_excerpt"),
                item.line,
            )
        )
    return found
