"""The signature that the spec states is not the one that the symbol has.

Compared are the words of the header with its decorators and attributes, whatever their layout; comments, trailing
commas, and attributes that only silence warnings do not matter. A signature that is stated without any decorator leaves
them open. Of an overload set, one must fit.

What to do: copy the header from the source into `signature`; what it is to become goes into `becomes`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmcg.audit.documents.fields import shown
from mmcg.audit.findings import Kind
from mmcg.audit.signatures import stated
from mmcg.audit.symbols import signatures_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mmcg.audit.findings import Finding
    from mmcg.audit.verification import Subject

KIND = Kind("signature_mismatch", severity="error")


def verify(subject: Subject) -> Iterator[Finding]:
    """Named symbols with another signature than the stated one."""
    for each in subject.named:
        if each.plan.signature is None or not each.lookup.found:
            continue
        wanted = stated(each.plan.signature)
        live = signatures_of(subject.context, each.lookup.symbols)
        if any(wanted.means(signature) for _, signature in live.values()):
            continue
        found = "; ".join(dict.fromkeys(signature.text for _, signature in live.values()))
        yield KIND.in_spec(
            f"The signature of `{shown(each.plan.name)}` is not the stated one.",
            about=[each.plan.name, each.lookup.symbol.address],
            file=subject.spec.path,
            line=each.plan.line,
            expected=shown(each.plan.signature),
            found=found,
            hint=f"It is `{found}`; a planned signature goes into `becomes`.",
        )
