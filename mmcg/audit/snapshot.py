"""`snapshot.json`: what was there when a spec was approved.

The commit that work is compared with, and for each symbol that the spec names its address, signature, the hash of its
body, and who calls it by which rule. Numbers that are hashes are texts: not every reader of JSON keeps 64 bits.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from mmcg.audit.files import read_bytes
from mmcg.audit.state import now, replace_file
from mmcg.errors import InputError
from mmcg.query.answer import Options
from mmcg.query.context import among
from mmcg.query.edges import edges_into, targets_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mmcg.audit.tasks import Task
    from mmcg.audit.verification import NamedSymbol
    from mmcg.query.context import Context

SCHEMA_VERSION = 1
LARGEST = 50_000_000


@dataclass(frozen=True, slots=True)
class SnapshotCaller:
    """Who calls a symbol."""

    symbol: str
    """Its address."""
    confidence: str
    rule: str
    """The rule that found the call."""
    test: bool = False
    """Whether it is test code."""


@dataclass(frozen=True, slots=True)
class SnapshotSymbol:
    """One definition of a symbol that the spec names."""

    name: str
    """As the spec names it."""
    address: str
    kind: str
    signature: str
    decorators: tuple[str, ...]
    body_hash: str
    """64 bits, as 16 hexadecimal digits."""
    callers: tuple[SnapshotCaller, ...] = ()


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The file's contents."""

    spec: str
    """The spec's id."""
    spec_hash: str
    baseline: str
    """The commit's object id."""
    created_at: str
    symbols: tuple[SnapshotSymbol, ...] = ()
    schema_version: int = SCHEMA_VERSION

    def named(self, name: str) -> list[SnapshotSymbol]:
        """The definitions of the symbol that the spec names so."""
        return [each for each in self.symbols if each.name == name]


def take(context: Context, named: Iterable[NamedSymbol], spec: str, spec_hash: str, baseline: str) -> Snapshot:
    """A snapshot of the symbols as the index has them."""
    symbols: list[SnapshotSymbol] = []
    for each in named:
        symbols += _symbols(context, each)
    unique = {(each.name, each.address, each.signature): each for each in symbols}
    return Snapshot(spec, spec_hash, baseline, now(), tuple(unique.values()))


def _symbols(context: Context, named: NamedSymbol) -> list[SnapshotSymbol]:
    if not named.lookup.found:
        return []
    wanted = among("id", named.lookup.ids)
    rows = context.rows(f"SELECT id, signature, decorators, body_hash FROM symbols WHERE {wanted}")  # noqa: S608 - ids
    facts = {row[0]: row[1:] for row in rows}
    found = []
    for symbol in named.lookup.symbols:
        signature, decorators, body_hash = facts[symbol.id]
        gathered = edges_into(context, targets_of(context, symbol))
        sure = {source: entry for source, entry in gathered.items() if Options().sure_enough(entry.confidence)}
        tests = {each.id for each in context.symbols(sure).values() if each.test} if sure else set()
        callers = sorted(
            (
                SnapshotCaller(str(entry.symbol["symbol"]), entry.confidence, entry.rule, source in tests)
                for source, entry in sure.items()
            ),
            key=lambda caller: caller.symbol,
        )
        found.append(
            SnapshotSymbol(
                named.plan.name,
                symbol.address,
                symbol.kind,
                signature,
                tuple(json.loads(decorators)),
                f"{body_hash:016x}",
                tuple(callers),
            )
        )
    return found


def write(task: Task, snapshot: Snapshot) -> None:
    """Put a snapshot in place of the old one."""
    replace_file(task.snapshot, json.dumps(asdict(snapshot), indent=2, ensure_ascii=False) + "\n")


def read(task: Task) -> Snapshot | None:
    """The snapshot of a task, if there is one. Raises `InputError` for a file that is none."""
    if not task.snapshot.exists():
        return None
    try:
        found = json.loads(read_bytes(task.snapshot, LARGEST))
        return _snapshot(found)
    except (ValueError, RecursionError, KeyError, TypeError, AttributeError):
        raise InputError(
            f"`{task.place(task.snapshot)}` is no snapshot.",
            f"The program writes it. Delete it and run `mastermind spec approve {task.id}`.",
        ) from None


def _snapshot(found: dict[str, Any]) -> Snapshot:
    symbols = tuple(
        SnapshotSymbol(
            str(each["name"]),
            str(each["address"]),
            str(each["kind"]),
            str(each["signature"]),
            tuple(map(str, each["decorators"])),
            str(each["body_hash"]),
            tuple(
                SnapshotCaller(str(one["symbol"]), str(one["confidence"]), str(one["rule"]), bool(one.get("test")))
                for one in each["callers"]
            ),
        )
        for each in found["symbols"]
    )
    baseline = str(found["baseline"])
    if not (len(baseline) in (40, 64) and all(each in "0123456789abcdef" for each in baseline)):
        raise ValueError(baseline)
    version = int(found.get("schema_version", SCHEMA_VERSION))
    return Snapshot(str(found["spec"]), str(found["spec_hash"]), baseline, str(found["created_at"]), symbols, version)
