"""Something is taken for existing that is not there.

In a spec: a symbol under `touches` or `removes` is not in the index; the nearest names are given. A symbol under
`touches` must be in the file that it stands under.

In an audit: the report, in a claim or in a sentence such as "wired to the existing `x`", builds on a symbol that the
baseline does not have. A helper that the same change adds may be built on, unless the text calls it existing.

What to do: use a name that exists, or plan the symbol under `adds`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmcg.audit.documents.fields import shown
from mmcg.audit.findings import Kind
from mmcg.audit.symbols import look_up

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mmcg.audit.findings import Finding
    from mmcg.audit.verification import NamedSymbol, Subject
    from mmcg.audit.work import Work

KIND = Kind("hallucinated_existing_symbol", severity="error", effect="broken")


def verify(subject: Subject) -> Iterator[Finding]:
    """Named symbols that nothing in the index is."""
    for each in subject.named:
        if each.lookup.found or each.lookup.ambiguous:
            continue
        near = [str(row["symbol"]) for row in each.lookup.nearest[:3]]
        where = f"in `{each.file}`" if each.file else "in the index"
        yield KIND.in_spec(
            f"The symbol `{shown(each.plan.name)}` under `{each.key}` is not {where}.",
            about=[each.plan.name, *([each.file] if each.file else [])],
            file=subject.spec.path,
            line=each.plan.line,
            expected=each.plan.name,
            found=", ".join(near) or None,
            hint=_hint(subject, each, near),
        )


def audit(work: Work) -> Iterator[Finding]:
    """What the report builds on that was never there."""
    yield from work.found_in_claims(KIND)


def _hint(subject: Subject, each: NamedSymbol, near: list[str]) -> str:
    if each.file is not None:
        elsewhere = look_up(subject.context, each.plan.name, near=False)
        if elsewhere.found:
            return f"It is in `{elsewhere.symbol.path}`: name it under that file."
        known = subject.context.files()
        if each.file not in known and "*" not in each.file:
            return f"`{each.file}` is not in the index: it holds no symbols that could be named."
    if near:
        return "Did you mean " + " or ".join(f"`{name}`" for name in near) + "?"
    return "Use a name that exists; plan a new symbol under `adds`."
