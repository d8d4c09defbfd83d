"""A file needs what a rule denies it: `deny_imports: {from: …, to: …}`.

Found for an import of a file that fits `from` of a file, module or package that fits `to`. Where a language needs no
import, code that names a thing of the other file counts like one; calls through values and overrides do not, so that
what is handed over may be used. Only what the commit did not have is held against a change. What it had already is told
in one warning for each rule, and counts in full where the rule says `existing: true`. What moved or was renamed is not
new. `except` in `deny_imports` names what may be imported all the same.

What to do: take the dependency out, turn it around, or put what is shared where both may use it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from mmcg.audit.findings import Kind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mmcg.audit.documents.fields import Entries, Fields
    from mmcg.audit.findings import Finding
    from mmcg.audit.policy.change import Change
    from mmcg.audit.policy.dependencies import Dependency
    from mmcg.audit.policy.patterns import Pattern
    from mmcg.audit.policy.rules import Rule

KIND = Kind("policy_denied_import", effect="broken")
ACTION = "deny_imports"

_SHOWN = 5


@dataclass(frozen=True, slots=True)
class Denied:
    """What the action says."""

    begin: tuple[Pattern, ...]
    end: tuple[Pattern, ...]
    allowed: tuple[Pattern, ...] = ()
    existing: bool = False

    def means(self, each: Dependency) -> bool:
        """Whether it denies a dependency."""
        return (
            any(one.fits_path(each.file) for one in self.begin)
            and _fits(self.end, each)
            and not _fits(self.allowed, each)
        )


def read(reader: Fields, keys: Entries) -> Denied | None:
    """What the action says; None where that is nothing."""
    from mmcg.audit.policy.rules import paths, patterns

    line, node = keys[ACTION]
    entries = reader.entries(node, f"`{ACTION}`", ("from", "to", "except", "existing"))
    for key in ("from", "to"):
        if key not in entries:
            reader.wrong(f"`{ACTION}` has no `{key}`.", line, [key], f"Add `{key}:` with a path or a list of them.")
    begin, end = paths(reader, entries, "from"), patterns(reader, entries, "to")
    allowed, existing = patterns(reader, entries, "except"), reader.boolean(entries, "existing")
    return Denied(begin, end, allowed, existing) if begin and end else None


def hold(change: Change, rule: Rule) -> Iterator[Finding]:
    """The dependencies that the rule denies."""
    from mmcg.audit.policy.dependencies import dependencies, earlier_pairs, is_new

    denied: Denied = rule.value
    files = [path for path in change.after.files() if any(one.fits_path(path) for one in denied.begin)]
    if not files:
        change.remarks.append(f"Rule `{rule.id}`: no file fits `from`.")
    wanted = [each for each in files if rule.scope.covers(each)]
    found: dict[tuple[str, str], Dependency] = {}
    for each in dependencies(change.after, wanted):
        if denied.means(each):
            found.setdefault((each.file, each.what), each)
    if not found:
        return
    earlier = earlier_pairs(change)
    old = []
    for each in found.values():
        if denied.existing or is_new(each, earlier):
            yield _finding(rule, each)
        else:
            old.append(each)
    if old:
        yield _before(rule, old)


def _fits(given: tuple[Pattern, ...], each: Dependency) -> bool:
    return any(
        (each.target is not None and one.fits_path(each.target)) or any(map(one.fits_name, each.names)) for one in given
    )


def _finding(rule: Rule, each: Dependency) -> Finding:
    return rule.finding(
        KIND,
        f"`{each.file}` needs `{each.what}`, which the rule `{rule.id}` denies.",
        about=[each.file, each.what],
        file=each.file,
        line=each.line,
        expected=f"no import of {', '.join(f'`{one.text}`' for one in rule.value.end)}",
        found=f"`{each.what}`",
        hint="Take the dependency out, turn it around, or put what is shared where both may use it.",
    )


def _before(rule: Rule, old: list[Dependency]) -> Finding:
    some = ", ".join(f"`{each.file}:{each.line}` of `{each.what}`" for each in old[:_SHOWN])
    more = f" and {len(old) - _SHOWN} more" if len(old) > _SHOWN else ""
    was = "import that the rule denies was" if len(old) == 1 else "imports that the rule denies were"
    return rule.finding(
        KIND,
        f"{len(old)} {was} there before this change: {some}{more}.",
        effect="warning",
        about=[rule.id],
        file=old[0].file,
        line=old[0].line,
        hint=f"`existing: true` in the rule `{rule.id}` makes them count.",
    )
