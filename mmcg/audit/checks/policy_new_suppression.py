"""A suppression was added that a rule does not allow: `allow_suppressions: {only: …, most: N}`.

Looked at are comments, attributes and pragmas that silence a tool, in the rule's `paths`. What moved with its line or
its function is not new, nor is one that covers less than before. Found when a new one fits none of the patterns under
`only`, which are compared with its text (`noqa: E501`, `type: ignore*`), its form and the tools that obey it; and
when there are more of those that fit than `most`. Without `only` all kinds are allowed up to `most`; without `most`
there is no limit to those that are named under `only`.

What to do: mend what the tool finds.
"""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from mmcg.audit.findings import Kind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mmcg.audit.documents.fields import Entries, Fields
    from mmcg.audit.findings import Finding
    from mmcg.audit.masking.quiet import Added
    from mmcg.audit.policy.change import Change
    from mmcg.audit.policy.rules import Rule

KIND = Kind("policy_new_suppression", effect="broken")
ACTION = "allow_suppressions"


@dataclass(frozen=True, slots=True)
class Allowed:
    """What the action says."""

    only: tuple[str, ...] | None = None
    most: int | None = None

    def fits(self, new: Added) -> bool:
        """Whether a suppression is of an allowed kind."""
        if self.only is None:
            return True
        known = [_flat(each) for each in (new.each.text, new.each.form, *new.each.tools)]
        return any(fnmatchcase(one, _flat(pattern)) for pattern in self.only for one in known)


def read(reader: Fields, keys: Entries) -> Allowed | None:
    """What the action says; None where that is nothing."""
    from mmcg.audit.policy.rules import patterns

    line, node = keys[ACTION]
    entries = reader.entries(node, f"`{ACTION}`", ("only", "most"))
    only = tuple(each.text for each in patterns(reader, entries, "only")) if "only" in entries else None
    most = reader.integer(entries, "most")
    if only is None and "most" not in entries:
        reader.wrong(f"`{ACTION}` says nothing.", line, [ACTION], "Write `{most: 0}` to allow none.")
        return None
    return Allowed(only, most)


def hold(change: Change, rule: Rule) -> Iterator[Finding]:
    """The new suppressions that are too many, or of another kind."""
    from mmcg.audit.masking.quiet import new_suppressions

    allowed: Allowed = rule.value
    new = [each for each in new_suppressions(change) if not each.doubtful and rule.scope.covers(each.file)]
    fitting = [each for each in new if allowed.fits(each)]
    for each in new:
        if each not in fitting:
            kinds = ", ".join(f"`{one}`" for one in allowed.only or ())
            yield _finding(rule, each, f"which the rule `{rule.id}` does not allow", f"only {kinds}")
    if allowed.most is not None:
        for each in fitting[allowed.most :]:
            why = f"where the rule `{rule.id}` allows {allowed.most} new ones, and there are {len(fitting)}"
            yield _finding(rule, each, why, f"at most {allowed.most}")


def _finding(rule: Rule, new: Added, why: str, expected: str) -> Finding:
    each = new.each
    where = f" in `{each.symbol}`" if each.symbol else ""
    return rule.finding(
        KIND,
        f"`{each.text}` was added{where}, {why}.",
        about=[new.file, *([each.symbol] if each.symbol else [])],
        file=new.file,
        line=each.at.line,
        expected=expected,
        found=each.text,
        hint="Mend what the tool finds.",
    )


def _flat(text: str) -> str:
    """A text as patterns are compared: without its layout, and without the marks of comments around it."""
    return " ".join(text.strip("#/*-;!<> \t").split()).lower()
