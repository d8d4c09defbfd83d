"""A symbol was added or changed that no test reaches: `require_tests: any` or `changed`.

Looked at are functions, methods, constructors, properties and macros in the rule's `paths` that are new or have another
signature or body; test code, and declarations without a body, are not. Found when no test calls such a symbol, over at
most twelve calls that are sure. `any` takes every test; `changed` wants one that is new or changed in the same change,
or uses something of its own file that is. Tests in function values (`it("…")`, `TEST_CASE("…")`) count.

What to do: write a test that calls it. `mastermind query tests SYMBOL` lists those that do.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmcg.audit.findings import Kind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from mmcg.audit.documents.fields import Entries, Fields
    from mmcg.audit.evidence import Unit
    from mmcg.audit.findings import Finding
    from mmcg.audit.policy.change import Change
    from mmcg.audit.policy.rules import Rule
    from mmcg.query.compare import State

KIND = Kind("policy_untested_change", effect="broken")
ACTION = "require_tests"

WANTED = ("any", "changed")


def read(reader: Fields, keys: Entries) -> str | None:
    """Which tests count."""
    return reader.choice(keys, ACTION, WANTED, "any")


def hold(change: Change, rule: Rule) -> Iterator[Finding]:
    """The changed symbols that no such test reaches."""
    from mmcg.audit.policy.change import Reach
    from mmcg.query.tests import DEPTH

    states = _changed(change, rule)
    if not states:
        return
    reach = Reach(change.after, states)
    for state in states:
        reached = set(reach.of(state.id, DEPTH))
        if not _tested(change, reached, only_changed=rule.value == "changed"):
            which = "test that was added or changed" if rule.value == "changed" else "test"
            yield rule.finding(
                KIND,
                f"No {which} reaches `{state.address}`, as the rule `{rule.id}` requires.",
                about=[state.address],
                file=state.path,
                line=state.line,
                expected=f"a {which} that calls it",
                found="none",
                hint=f"Write a test that calls `{state.name}` in a way that can be followed.",
            )


def _changed(change: Change, rule: Rule) -> list[State]:
    """The symbols to be tested."""
    from mmcg.query.context import CALLABLE_KINDS, among

    found = [
        each.after
        for each in change.differences
        if each.change in ("added", "signature_changed", "body_changed")
        and each.after is not None
        and each.after.kind in CALLABLE_KINDS - {"prototype"}
        and rule.scope.covers(each.after.path)
        and not change.in_test_code(each)
    ]
    ids = among("id", (each.id for each in found))
    bodiless = {row[0] for row in change.after.rows(f"SELECT id FROM symbols WHERE {ids} AND abstract")}  # noqa: S608
    return [each for each in found if each.id not in bodiless]


def _tested(change: Change, reached: set[int], *, only_changed: bool) -> bool:
    """Whether a test is among the symbols from which calls lead to another, or holds such a call."""
    from mmcg.audit import evidence
    from mmcg.audit.tests import planned
    from mmcg.audit.tests.reach import reaches

    symbols = change.after.symbols(reached).values()
    if not only_changed and any(each.test for each in symbols):
        return True
    files = {each.path for each in symbols}
    # Where tests are kept is looked first: files are read for this.
    for file in sorted(files, key=lambda path: (not change.is_test_path(path), path)):
        if only_changed and file not in change.changed:
            continue
        names = {each.qualified for each in symbols if each.path == file and each.kind != "module"}
        for unit in _tests(evidence.now(change, file).tests, names):
            if only_changed and not planned.changed(change, file, unit):
                continue
            if unit.symbol in names or reaches(change, file, unit, reached):
                return True
    return False


def _tests(units: Iterable[Unit], names: set[str]) -> list[Unit]:
    """Tests, those first that are symbols from which calls lead there."""
    return sorted(units, key=lambda each: each.symbol not in names)
