"""A walk as a Markdown page: prose, and the files of each step.

Below the title stands what it is about. Each `##` section is a step (`STEPS`); a paragraph that holds nothing but a
path in back-quotes and a colon names the file whose text is the code block after it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from markdown_it.token import Token

STEPS = ("Before", "Spec", "Meanwhile", "Work", "Report")
"""The steps in their order: the tree at the baseline, the spec, what others change after it was approved, the
executor's work, and the report about it. A walk without a report ends with a second look at the spec."""

_FOLDER = Path(__file__).parent / "stories"


@dataclass(frozen=True, slots=True)
class Story:
    """One walk."""

    name: str
    title: str
    about: str
    """What it shows, in a paragraph or two."""
    steps: dict[str, dict[str, str]] = field(default_factory=dict)
    """Files by path, for each step."""

    def document(self, step: str) -> str:
        """The only file of a step."""
        (text,) = self.steps[step].values()
        return text


def names() -> list[str]:
    """The names of all walks, in order."""
    return sorted(page.stem for page in _FOLDER.glob("*.md"))


def read(name: str) -> Story:
    """A walk by its name."""
    return parsed(name, (_FOLDER / f"{name}.md").read_text(encoding="utf-8"))


def parsed(name: str, text: str) -> Story:
    """A walk from the text of its page; raises `ValueError` if it has a step that there is not."""
    from markdown_it import MarkdownIt

    title, about = "", []
    steps: dict[str, dict[str, str]] = {}
    step = path = ""
    tokens = MarkdownIt("commonmark").parse(text)
    for before, token in pairwise(tokens):
        if token.type == "inline" and before.type == "heading_open":
            if before.tag == "h1":
                title = token.content
            else:
                step = token.content
                if step not in STEPS:
                    raise ValueError(f"`{name}` has a step `{step}`")
                steps[step] = {}
        elif token.type == "inline" and before.type == "paragraph_open":
            path = _path(token)
            if not path and not step:
                about.append(token.content.replace("\n", " "))
        elif token.type == "fence" and path:
            steps[step][path] = token.content
    return Story(name, title, "\n\n".join(about), steps)


def _path(paragraph: Token) -> str:
    """The path that a paragraph names a file with, if it does nothing else."""
    children = paragraph.children or []
    match [child.type for child in children]:
        case ["code_inline", "text"] if children[1].content == ":":
            return children[0].content
    return ""
