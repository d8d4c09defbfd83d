"""A change, held against the rules of a policy."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmcg.audit.findings import in_order
from mmcg.audit.policy.rules import actions

if TYPE_CHECKING:
    from mmcg.audit.findings import Finding
    from mmcg.audit.policy.change import Change
    from mmcg.audit.policy.rules import Policy


def hold(change: Change, policy: Policy) -> tuple[Finding, ...]:
    """What the rules find; a policy with a fault is held against nothing, and its faults are given."""
    if policy.findings:
        return tuple(in_order(policy.findings))
    known = actions()
    for rule in policy.rules:
        files = [*change.after.files(), *change.changed]
        if rule.scope.paths and not any(one.fits_path(path) for one in rule.scope.paths for path in files):
            change.remarks.append(f"Rule `{rule.id}`: no file fits `paths`.")
    found = [finding for rule in policy.rules for finding in known[rule.action].hold(change, rule)]
    own = change.changed.get(policy.path)
    if own is not None and own.before is not None:
        change.remarks.append(f"`{policy.path}` was changed itself; the rules are those that it has now.")
    change.remarks[:] = dict.fromkeys(change.remarks)
    return tuple(in_order(found))
