"""Which symbols of two states of some files are the same, and what became of each."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


class State(NamedTuple):
    """A symbol as one state of the tree has it."""

    path: str
    qualified: str
    address: str
    name: str
    kind: str
    line: int
    signature: str
    body_hash: int


@dataclass(frozen=True, slots=True)
class Difference:
    """A symbol that is not what it was; `change` says in which way."""

    change: str
    before: State | None
    after: State | None


def differences(old: Iterable[State], new: Iterable[State], renamed: Mapping[str, str]) -> list[Difference]:
    """What differs; `renamed` tells the new path of files that git saw renamed."""
    gone, came, pairs = _by_name(old, new, renamed)
    moved, gone, came = _by_body(gone, came)
    found = [Difference("removed", each, None) for each in gone]
    found += [Difference("added", None, each) for each in came]
    for before, after in [*pairs, *moved]:
        if _flat(before.signature) != _flat(after.signature):
            found.append(Difference("signature_changed", before, after))
        elif before.body_hash != after.body_hash:
            found.append(Difference("body_changed", before, after))
        elif (before.path, before.qualified) != (after.path, after.qualified):
            found.append(Difference("moved", before, after))
    return _without_containers(found)


def _by_name(
    old: Iterable[State], new: Iterable[State], renamed: Mapping[str, str]
) -> tuple[list[State], list[State], list[tuple[State, State]]]:
    """Pairs of one path, qualified name and kind; overloads by signature, then by body, then in order."""
    here: dict[tuple[str, str], list[State]] = defaultdict(list)
    for state in new:
        here[state.path, state.qualified].append(state)
    gone: list[State] = []
    pairs: list[tuple[State, State]] = []
    unsure: list[State] = []
    for state in old:
        others = here[renamed.get(state.path, state.path), state.qualified]
        same = next((o for o in others if _flat(o.signature) == _flat(state.signature)), None) or next(
            (o for o in others if o.body_hash == state.body_hash and o.body_hash), None
        )
        if same is None:
            unsure.append(state)
        else:
            others.remove(same)
            pairs.append((state, same))
    for state in unsure:
        others = here[renamed.get(state.path, state.path), state.qualified]
        if others:
            pairs.append((state, others.pop(0)))
        else:
            gone.append(state)
    return gone, [state for states in here.values() for state in states], pairs


def _by_body(gone: list[State], came: list[State]) -> tuple[list[tuple[State, State]], list[State], list[State]]:
    """Pairs of one name and body in different places: those moved."""
    there: dict[tuple[str, str, int], list[State]] = defaultdict(list)
    for state in came:
        if state.body_hash:
            there[state.name, state.kind, state.body_hash].append(state)
    moved: list[tuple[State, State]] = []
    left: list[State] = []
    for state in gone:
        others = there.get((state.name, state.kind, state.body_hash))
        if others:
            moved.append((state, others.pop(0)))
        else:
            left.append(state)
    taken = {after for _, after in moved}
    return moved, left, [state for state in came if state not in taken]


def _without_containers(found: list[Difference]) -> list[Difference]:
    """A container's body changes with every member's; it is only named where no member says it already."""
    inner: set[tuple[str, str]] = set()
    for each in found:
        for state in (each.before, each.after):
            if state is not None:
                parts = state.qualified.split(".")
                inner |= {(state.path, ".".join(parts[:count])) for count in range(1, len(parts))}
    return [
        each
        for each in found
        if each.change != "body_changed" or each.after is None or (each.after.path, each.after.qualified) not in inner
    ]


def _flat(signature: str) -> str:
    """A signature regardless of layout and trailing commas."""
    return "".join(signature.split()).replace(",)", ")")
