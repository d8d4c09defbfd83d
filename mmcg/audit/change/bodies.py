"""Whether a symbol says the same as before."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmcg.audit.signatures import stated, stored
from mmcg.query.context import TYPE_KINDS

if TYPE_CHECKING:
    from mmcg.audit.signatures import Signature
    from mmcg.audit.work import Named, Work
    from mmcg.query.compare import State
    from mmcg.query.context import Symbol

_VALUES = ("constant", "variable", "field", "variant")
"""Kinds whose header ends where their value begins."""


def header(state: State) -> Signature:
    """The signature without a value that is given to what is declared: that is its body."""
    found = stored(state.signature, state.decorators)
    if state.kind not in _VALUES or "=" not in found.header:
        return found
    return type(found)(found.header[: found.header.index("=")], found.attributes)


def says_the_same(work: Work, symbol: Symbol) -> bool:
    """Whether a symbol of the baseline is still there, in its place, with the same header, body and inner text."""
    pair = work.pairs.get(symbol.id)
    if pair is None:
        # Not in a changed file, or gone.
        return work.graphs.now(symbol.id) is not None and not work.renamed_away([symbol])
    then, now = pair
    if _moved(work, then, now) or header(then) != header(now) or then.body_hash != now.body_hash:
        return False
    if then.doc != now.doc and _inner_doc(work, then, now):
        return False
    # Members may stand outside of their type's body.
    return symbol.kind not in TYPE_KINDS or not _members_changed(work, then, now)


def _moved(work: Work, then: State, now: State) -> bool:
    return (work.graphs.renamed.get(then.path, then.path), then.qualified) != (now.path, now.qualified)


def _inner_doc(work: Work, then: State, now: State) -> bool:
    """Whether the documentation is part of the definition, and not a comment before it."""
    texts = ((then.doc, work.graphs.source_then(then)), (now.doc, work.graphs.source_now(now)))
    return any(doc and doc.strip().splitlines()[0].strip() in source for doc, source in texts)


def _members_changed(work: Work, then: State, now: State) -> bool:
    head = then.qualified + "."
    pairing = work.graphs.pairing
    outside = [each for each in pairing.gone if each.path == then.path and each.qualified.startswith(head)]
    outside += [each for each in pairing.came if each.path == now.path and each.qualified.startswith(head)]
    return bool(outside) or any(
        one.path == then.path
        and one.qualified.startswith(head)
        and (header(one) != header(other) or one.body_hash != other.body_hash)
        for one, other in pairing.pairs
    )


def became(work: Work, named: Named) -> bool:
    """Whether one of a symbol's definitions has the signature that the spec plans for it."""
    wanted = stated(named.plan.becomes or "")
    return any(wanted.means(header(work.state_now(each))) for each in work.definitions_now(named))
