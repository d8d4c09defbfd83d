"""A symbol was changed from which more code hangs than a rule admits: `max_blast_radius: N`.

Found when a symbol in the rule's `paths` got another signature or body, or is gone, and more than N symbols call it,
or call what calls it, over any number of calls that are sure. Tests do not count: they are what makes such a change
safe. A type stands for its members. Of a symbol that is gone the callers of the commit count. Moved and added symbols
are no findings.

What to do: look at `mastermind query impact SYMBOL`; make the change in smaller steps, beside the old symbol, or where
fewer call; or raise the number in the policy, with its owners.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmcg.audit.findings import Kind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mmcg.audit.documents.fields import Entries, Fields
    from mmcg.audit.findings import Finding
    from mmcg.audit.policy.change import Change
    from mmcg.audit.policy.rules import Rule
    from mmcg.query.compare import State
    from mmcg.query.context import Context

KIND = Kind("policy_blast_radius", effect="broken")
ACTION = "max_blast_radius"

_DEPTH = 50


def read(reader: Fields, keys: Entries) -> int | None:
    """The greatest number of symbols that may reach a changed one."""
    return reader.integer(keys, ACTION)


def hold(change: Change, rule: Rule) -> Iterator[Finding]:
    """The changed symbols that too many reach."""
    changed = [
        each
        for each in change.differences
        if each.change in ("signature_changed", "body_changed", "removed") and not change.in_test_code(each)
    ]
    now = [each.after for each in changed if each.after is not None and rule.scope.covers(each.after.path)]
    gone = [
        each.before
        for each in changed
        if each.after is None and each.before is not None and rule.scope.covers(each.before.path)
    ]
    yield from _of(change, rule, change.after, now)
    yield from _of(change, rule, change.before, gone)


def _of(change: Change, rule: Rule, context: Context, states: list[State]) -> Iterator[Finding]:
    from mmcg.audit.policy.change import Reach

    if not states:
        return
    reach = Reach(context, states)
    for state in states:
        found = [each for each, distance in reach.of(state.id, _DEPTH).items() if distance]
        callers = change.not_in_tests(context, context.symbols(found).values())
        if len(callers) > rule.value:
            there = context is change.after
            yield rule.finding(
                KIND,
                f"`{state.address}` was {'changed' if there else 'removed'}, and "
                f"{'' if reach.complete else 'at least '}{len(callers)} symbols reach it by calls; "
                f"the rule `{rule.id}` admits {rule.value}.",
                about=[state.address],
                file=state.path,
                line=state.line if there else None,
                expected=f"at most {rule.value}",
                found=str(len(callers)),
                hint=f"Look at `mastermind query impact {state.address}`; change less at once, or beside it.",
            )
