"""Machine blocks: one fenced YAML block between two comments, in a document for people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmcg.audit.documents.markdown import Fence, Markdown
from mmcg.audit.documents.nodes import Mapping, YamlError, load

if TYPE_CHECKING:
    from mmcg.audit.documents.fields import Fields


def machine_block(reader: Fields, document: Markdown, name: str) -> Mapping | None:
    """The mapping between `mastermind:NAME-begin` and `mastermind:NAME-end`; what is wrong is noted in `reader`.

    Comments inside of code blocks are text, and so is everything else outside of the marks.
    """
    begin, end = f"mastermind:{name}-begin", f"mastermind:{name}-end"
    opened = [line for text, line in document.comments if text == begin]
    closed = [line for text, line in document.comments if text == end]
    if not opened:
        hint = f"Put the YAML block between `<!-- {begin} -->` and `<!-- {end} -->`."
        reader.wrong(f"There is no `<!-- {begin} -->`.", 1, hint=hint)
        return None
    if len(opened) > 1:
        reader.wrong(f"`<!-- {begin} -->` stands twice: in line {opened[0]} and here.", opened[1])
        return None
    after = [line for line in closed if line > opened[0]]
    if len(closed) != 1 or not after:
        place = closed[-1] if closed else opened[0]
        wrong = "is missing" if not closed else "stands twice" if len(closed) > 1 else "stands before its begin"
        reader.wrong(f"`<!-- {end} -->` {wrong}.", place, hint="One begin and one end make a block.")
        return None
    fences = [each for each in document.blocks if isinstance(each, Fence) and opened[0] < each.line < after[0]]
    if len(fences) != 1 or fences[0].info.split(" ")[0].lower() not in ("yaml", "yml", ""):
        count = "no code block" if not fences else "more than one code block" if len(fences) > 1 else "another language"
        reader.wrong(
            f"Between the marks of the {name} there is {count}.", opened[0], hint="Put one ```yaml block there."
        )
        return None
    try:
        node = load(fences[0].text, fences[0].line + 1)
    except YamlError as error:
        reader.wrong(f"The {name} is no YAML that can be read: {error.message}.", error.line)
        return None
    if not isinstance(node, Mapping):
        reader.wrong(f"The {name} is no mapping of keys to values.", fences[0].line, hint="Write `key: value` lines.")
        return None
    return node
