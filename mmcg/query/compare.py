"""Which symbols of two states of some files are the same, and what became of each."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from mmcg.query.alike import share

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from mmcg.query.context import Context

RENAMED = 0.7
"""The share of its words that a definition keeps when it is renamed and edited."""

MOVED = 0.5
"""The same for one that is in another place and keeps its name."""

_PAIRS = 2_000
"""So many pairs of definitions are compared by their words."""

_COLUMNS = (
    "path, qualified, address, name, kind, line, signature, body_hash, id, decorators, test, start_byte, end_byte, "
    "doc, container, end_line, visibility, language"
)


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
    id: int = -1
    decorators: str = "[]"
    test: bool = False
    start_byte: int = 0
    end_byte: int = 0
    doc: str | None = None
    container: int | None = None
    end_line: int = 0
    visibility: str = "public"
    language: str = ""


Text = Callable[[State], str]
"""Gives the source of a definition."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A symbol that is not what it was; `change` says in which way."""

    change: str
    before: State | None
    after: State | None


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two states of some files, symbol by symbol."""

    pairs: list[tuple[State, State]]
    """Each symbol with what it is now, in its place or another one."""
    gone: list[State]
    came: list[State]
    renamed: list[tuple[State, State]]
    """Symbols that are gone, each with the new one that has most of its words; both are in `gone` and `came` too."""


def states(context: Context, condition: str) -> list[State]:
    """The symbols for which an SQL condition holds, in order of id; modules left out."""
    sql = f"SELECT {_COLUMNS} FROM symbols WHERE {condition} AND kind <> 'module' ORDER BY id"
    return [State(*row) for row in context.rows(sql)]


def paired(
    old: Iterable[State],
    new: Iterable[State],
    renamed: Mapping[str, str],
    texts: tuple[Text, Text] | None = None,
) -> Pairing:
    """Pair the symbols of two states; `renamed` tells the new path of files that are elsewhere now.

    `texts` gives the source of a definition then and now; without it only what kept its body is known to have moved.
    """
    gone, came, pairs = _by_name(old, new, renamed)
    moved, gone, came = _by_body(gone, came)
    pairs += moved
    others: list[tuple[State, State]] = []
    if texts is not None:
        moved, gone, came = _by_words(gone, came, renamed, texts)
        pairs += moved
        others = _renamed(gone, came, renamed, texts)
    return Pairing(pairs, gone, came, others)


def differences(pairing: Pairing) -> list[Difference]:
    """What differs. A symbol with another name is one that moved."""
    other = {before.id: after for before, after in pairing.renamed}
    taken = {after.id for after in other.values()}
    found = [Difference("removed", each, None) for each in pairing.gone if each.id not in other]
    found += [Difference("added", None, each) for each in pairing.came if each.id not in taken]
    found += [Difference("moved", before, after) for before, after in pairing.renamed]
    for before, after in pairing.pairs:
        if flat(before.signature) != flat(after.signature) or flat(before.decorators) != flat(after.decorators):
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
        same = next((o for o in others if flat(o.signature) == flat(state.signature)), None) or next(
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


def _by_words(
    gone: list[State], came: list[State], renamed: Mapping[str, str], texts: tuple[Text, Text]
) -> tuple[list[tuple[State, State]], list[State], list[State]]:
    """Pairs of one name and kind in different places, with most of the words: those moved and edited.

    Members go with their container: where that is elsewhere, theirs are sought there.
    """
    candidates = [
        (one, other)
        for one in gone
        for other in came
        if (one.name, one.kind) == (other.name, other.kind)
        and (one.container is None) == (other.container is None)
        and (one.path != other.path or renamed.get(one.path) == other.path)
    ]
    pairs = _best(candidates, MOVED, texts)
    taken = {before for before, _ in pairs}, {after for _, after in pairs}
    return pairs, [each for each in gone if each not in taken[0]], [each for each in came if each not in taken[1]]


def _renamed(
    gone: list[State], came: list[State], renamed: Mapping[str, str], texts: tuple[Text, Text]
) -> list[tuple[State, State]]:
    """Pairs of one kind in one file, with most of the words and different names."""
    candidates = [
        (one, other)
        for one in gone
        for other in came
        if one.kind == other.kind and renamed.get(one.path, one.path) == other.path and one.name != other.name
    ]
    return _best(candidates, RENAMED, texts)


def _best(candidates: list[tuple[State, State]], least: float, texts: tuple[Text, Text]) -> list[tuple[State, State]]:
    """The pairs with most of the same words, each symbol in one of them at most."""
    if len(candidates) > _PAIRS:
        return []
    then, now = texts
    scored = []
    for one, other in candidates:
        score = share(then(one).replace(one.name, "\0"), now(other).replace(other.name, "\0"))
        if score >= least:
            scored.append((-score, one, other))
    scored.sort(key=lambda each: (each[0], each[1].address, each[2].address))
    pairs: list[tuple[State, State]] = []
    before: set[State] = set()
    after: set[State] = set()
    for _, one, other in scored:
        if one not in before and other not in after:
            pairs.append((one, other))
            before.add(one)
            after.add(other)
    return pairs


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


def flat(signature: str) -> str:
    """A signature regardless of layout and trailing commas."""
    return "".join(signature.split()).replace(",)", ")")
