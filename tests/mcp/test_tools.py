"""The table of tools: small, made from the registry, and checked against what is given."""

from __future__ import annotations

import dataclasses
import json

import pytest

from mmcg.errors import InputError
from mmcg.mcp.arguments import LONGEST, checked
from mmcg.mcp.tools import MOST, TOOLS
from mmcg.query.answer import Options
from mmcg.query.registry import OPTIONS, QUESTIONS

MOST_TOOLS = 16
MOST_BYTES = 8_192


def test_all_tools_together_are_small() -> None:
    listed = json.dumps({"tools": [tool.listed() for tool in TOOLS.values()]})
    assert len(TOOLS) <= MOST_TOOLS
    assert len(listed.encode()) <= MOST_BYTES


def test_the_tools_that_agents_rely_on() -> None:
    assert {
        "search", "symbol", "callers", "callees", "references", "impact", "path", "outline", "imports", "hierarchy",
        "tests", "changed", "audit", "tasks", "index_status",
    } <= set(TOOLS)  # fmt: skip


@pytest.mark.parametrize("tool", TOOLS.values(), ids=list(TOOLS))
def test_a_tool_is_read_only_and_takes_what_its_question_does(tool) -> None:
    listed = tool.listed()
    assert listed["annotations"]["readOnlyHint"] is True
    assert listed["description"]
    if tool.question:
        question = QUESTIONS[tool.question]
        own = {each.name for each in tool.own}
        taken = set(listed["inputSchema"]["properties"]) - own
        paged = {"offset"} if "limit" in question.options else set()
        assert taken == {each.lower() for each in question.targets} | set(question.options) | paged
        assert tool.turned[1] in ("", *QUESTIONS)
    else:
        assert tool.answer


def test_options_are_declared_for_every_field() -> None:
    assert set(OPTIONS) == {field.name for field in dataclasses.fields(Options)}
    for question in QUESTIONS.values():
        assert set(question.options) <= set(OPTIONS)


def test_what_fits_is_taken_with_defaults() -> None:
    assert checked(TOOLS["callers"], {"symbol": "f", "limit": 7.0, "language": None}) == {
        "symbol": "f", "limit": 7, "offset": 0, "confidence": "inferred",
    }  # fmt: skip
    assert checked(TOOLS["changed"], None)["since"] == "HEAD"


@pytest.mark.parametrize(
    ("tool", "given", "says"),
    [
        ("callers", {}, "needs `symbol`"),
        ("callers", {"symbol": None}, "needs `symbol`"),
        ("callers", {"symbol": 3}, "must be a text"),
        ("callers", {"symbol": ["f"]}, "must be a text"),
        ("callers", {"symbol": " \n"}, "is empty"),
        ("callers", {"symbol": "x" * (LONGEST + 1)}, f"{LONGEST + 1} characters"),
        ("callers", {"symbl": "f"}, "Did you mean `symbol`?"),
        ("callers", {"symbol": "f", "limit": "many"}, "must be a whole number"),
        ("callers", {"symbol": "f", "limit": True}, "must be a whole number"),
        ("callers", {"symbol": "f", "limit": 1.5}, "must be a whole number"),
        ("callers", {"symbol": "f", "limit": 0}, f"from 1 to {MOST}"),
        ("callers", {"symbol": "f", "limit": MOST + 1}, f"from 1 to {MOST}"),
        ("callers", {"symbol": "f", "offset": -1}, "at least 0"),
        ("callers", {"symbol": "f", "confidence": "sure"}, "Give one of `exact`, `inferred`, `possible`."),
        ("imports", {"path": "a", "reverse": "yes"}, "must be true or false"),
        ("index_status", {"deep": True}, "takes no `deep`"),
    ],
)
def test_a_fault_is_named(tool, given, says) -> None:
    with pytest.raises(InputError) as caught:
        checked(TOOLS[tool], given)
    assert says in str(caught.value)
