"""What the text of a spec allows: a directive that it names where it does not forbid it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from mmcg.audit.files import read_document
from mmcg.errors import MastermindError

if TYPE_CHECKING:
    from mmcg.audit.work import Work

_DENIED = re.compile(
    r"\b(?:no|not|never|without|nor|neither|cannot|can't|don't|mustn't|avoid|remove[sd]?|drop)\b", re.I
)
_FENCE = re.compile(r"(?:`{3,}+|~{3,}+)(?P<info>.*)")


def allows(work: Work, file: str, text: str, form: str) -> bool:
    """Whether an exact edit of the spec brings a directive, or a sentence names it and does not deny it."""
    squeezed = _squeezed(text)
    if any(each.file == file and squeezed in _squeezed(each.change_to or "") for each in work.spec.edits):
        return True
    wanted = {squeezed, _squeezed(form)}
    for sentence in _sentences(work):
        if _DENIED.search(sentence):
            continue
        spans = {_squeezed(each) for each in re.findall(r"`([^`]+)`", sentence)}
        if any(want in span for want in wanted for span in spans if want):
            return True
    return False


def _squeezed(text: str) -> str:
    return re.sub(r"\s+", "", text).lower()


def _sentences(work: Work) -> list[str]:
    key = ("sentences", "")
    if key not in work.kept:
        try:
            text, _ = read_document(work.root, work.task.spec)
        except MastermindError:
            text = ""
        body = re.split(r"^---\s*$", text, maxsplit=2, flags=re.MULTILINE)[-1]
        work.kept[key] = re.split(r"(?<=[.!?])\s+|\n\s*\n|\n(?=[-*] )", _without_fences(body))
    found: list[str] = work.kept[key]
    return found


def _without_fences(body: str) -> str:
    """A document without its blocks of code."""
    kept, inside = [], False
    for line in body.split("\n"):
        fence = _FENCE.match(line)
        if fence is not None and (not inside or not fence["info"].strip()):
            inside = not inside
        elif not inside:
            kept.append(line)
    return "\n".join(kept)
