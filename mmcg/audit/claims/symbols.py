"""Claims about single symbols: added, changed, removed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmcg.audit.change.bodies import header, says_the_same
from mmcg.audit.checks import report_code_mismatch
from mmcg.audit.claims.judged import Ask, Judged, contradicted, unresolved, verified
from mmcg.audit.claims.known import absent, addresses, find
from mmcg.audit.signatures import stated

if TYPE_CHECKING:
    from mmcg.audit.findings import Finding
    from mmcg.audit.symbols import Lookup
    from mmcg.audit.work import Work


def added(work: Work, ask: Ask) -> Judged:
    """A symbol that is there now and was not there before."""
    now = find(work.after, ask.symbol, signature=ask.signature)
    if now.ambiguous:
        # Among several of a name, it is one that is new.
        new = [each for each in now.candidates if work.graphs.then(each.id) is None]
        if len({(each.path, each.qualified) for each in new}) != 1:
            return unresolved(ask, f"`{ask.symbol}` may be several symbols", addresses(now.candidates))
        now = type(now)(now.name, tuple(new))
    if not now.found or (all(each.kind == "prototype" for each in now.symbols) and not _header_asked(ask, now)):
        return contradicted(
            ask,
            _mismatch(
                ask,
                f"The report says that `{ask.symbol}` was added; there is no such definition.",
                expected=ask.signature or ask.symbol,
                found="only a prototype" if now.found else _near(now),
                hint="Add it, or take the claim out of the report.",
            ),
        )
    before = [work.graphs.then(each.id) for each in now.symbols]
    if all(each is not None for each in before) and not _came_here(work, now):
        old = work.before.symbols([each for each in before if each is not None])
        place = next(iter(old.values()))
        return contradicted(
            ask,
            _mismatch(
                ask,
                f"The report says that `{ask.symbol}` was added; the baseline has it, at {place.path}:{place.line}.",
                about=now.symbol.address,
                expected="a symbol that the baseline does not have",
                found=place.address,
                hint="Claim `symbol_changed` if it was changed.",
            ),
        )
    return _with_signature(work, ask, now) or verified(ask, f"`{now.symbol.address}` is new.")


def _header_asked(ask: Ask, now: Lookup) -> bool:
    """Whether the claim names the file that the prototype stands in."""
    return any(each.path in ask.symbol for each in now.symbols)


def _came_here(work: Work, now: Lookup) -> bool:
    """Whether the symbol has moved or got its name: then it is new in its place."""
    for each in now.symbols:
        then = work.graphs.then(each.id)
        if then is None:
            continue
        old = work.before.symbols([then])[then]
        if (old.path, old.qualified) != (each.path, each.qualified) and old.address not in ask_spellings(each.address):
            return True
    return False


def ask_spellings(address: str) -> tuple[str, ...]:
    """An address with and without its line."""
    return (address, address.partition("@")[0])


def changed(work: Work, ask: Ask) -> Judged:
    """A symbol that was there, is there, and says something else."""
    now = find(work.after, ask.symbol, signature=ask.signature)
    if now.ambiguous:
        return unresolved(ask, f"`{ask.symbol}` may be several symbols", addresses(now.candidates))
    if not now.found:
        then = find(work.before, ask.symbol)
        if then.found:
            return contradicted(
                ask,
                _mismatch(
                    ask,
                    f"The report says that `{ask.symbol}` was changed; it is gone.",
                    about=then.symbol.address,
                    expected="a changed symbol",
                    found="none",
                    hint="Restore it, or claim `symbol_removed`.",
                ),
            )
        return absent(work, ask, ask.symbol, now)
    ids = [work.graphs.then(each.id) for each in now.symbols]
    if all(each is None for each in ids):
        return contradicted(
            ask,
            _mismatch(
                ask,
                f"The report says that `{ask.symbol}` was changed; the baseline does not have it: it is new.",
                about=now.symbol.address,
                expected="a symbol that the baseline has",
                found="a new one",
                hint="Claim `symbol_added`.",
            ),
        )
    old = work.before.symbols([each for each in ids if each is not None]).values()
    if all(says_the_same(work, each) for each in old) and all(each is not None for each in ids):
        if _is_named(work, {each.id for each in old}):
            # `missing_change` says it.
            return Judged(ask, "contradicted", f"`{now.symbol.address}` says what it said before.")
        return contradicted(
            ask,
            _mismatch(
                ask,
                f"The report says that `{ask.symbol}` was changed; it says what it said before.",
                about=now.symbol.address,
                expected="another body or signature",
                found="the same",
                hint="Change it, or take the claim out of the report.",
            ),
        )
    return _with_signature(work, ask, now) or verified(ask, f"`{now.symbol.address}` says something else than before.")


def _is_named(work: Work, ids: set[int]) -> bool:
    return any(named.then.ids & ids and not named.plan.only_callers for named in work.named)


def removed(work: Work, ask: Ask) -> Judged:
    """A symbol that was there and is not there now."""
    then = find(work.before, ask.symbol, signature=ask.signature)
    if then.ambiguous:
        gone = [each for each in then.candidates if work.graphs.now(each.id) is None]
        if len({(each.path, each.qualified) for each in gone}) != 1:
            return unresolved(ask, f"`{ask.symbol}` may have been several symbols", addresses(then.candidates))
        return verified(ask, f"`{gone[0].address}` is gone.")
    if not then.found:
        return absent(work, ask, ask.symbol, then)
    left = [now for each in then.symbols if (now := work.graphs.now(each.id)) is not None]
    if left and not work.renamed_away(then.symbols) and (len(left) == len(then.symbols) or ask.signature):
        place = work.after.symbols(left)[left[0]]
        return contradicted(
            ask,
            _mismatch(
                ask,
                f"The report says that `{ask.symbol}` was removed; it is still there, at {place.path}:{place.line}.",
                about=place.address,
                expected="no such symbol",
                found=place.address,
                hint="Remove it, or take the claim out of the report.",
            ),
        )
    return verified(ask, f"`{then.symbol.address}` is gone.")


def _with_signature(work: Work, ask: Ask, now: Lookup) -> Judged | None:
    """The contradiction of a claimed signature that no definition has."""
    if ask.signature is None:
        return None
    wanted = stated(ask.signature)
    live = [work.state_now(each.id) for each in now.symbols]
    for each in live:
        if wanted.means(header(each)):
            return None
    return contradicted(
        ask,
        _mismatch(
            ask,
            f"The report gives `{ask.symbol}` the signature `{ask.signature}`; it is `{live[0].signature}`, "
            f"at {live[0].path}:{live[0].line}.",
            about=now.symbol.address,
            expected=ask.signature,
            found=live[0].signature,
            hint="Correct the signature in the code or in the report.",
        ),
    )


def _near(now: Lookup) -> str | None:
    return ", ".join(str(row["symbol"]) for row in now.nearest[:3]) or None


def _mismatch(
    ask: Ask, message: str, *, expected: str | None, found: str | None, hint: str, about: str | None = None
) -> Finding:
    return report_code_mismatch.KIND.in_audit(
        message,
        about=list(dict.fromkeys([ask.symbol, *([about] if about else [])])),
        file=ask.file,
        line=ask.line,
        expected=expected,
        found=found,
        hint=hint,
    )
