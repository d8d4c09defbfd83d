"""Putting a server into a text and taking it out: nothing else changes, and nothing is left."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mmcg.setup import jsonc, toml
from mmcg.setup.broken import BrokenError

PATH = ("mcpServers", "mastermind")
ENTRY = {"type": "stdio", "command": "mastermind", "args": ["serve"]}

TEXTS = [
    "", "\n", "{}", "{}\n", "{\n}\n", '{"a":1}', '{\n  "a": 1\n}\n', '{\r\n  "a": 1\r\n}\r\n', '\ufeff{\n  "a": 1\n}',
    "// only a remark\n", '// head\n{\n  "a": "// no, }",\n}\n// foot\n',
    '{\n  "a": 1, // one\n  "b": {"c": 2} // two  \n  // "d": 3\n}\n', '{"a": 1 // c\n}',
    '{\n\t"mcpServers": {\n\t\t"x": {"command": "x"}\n\t}\n}', '{\n  "mcpServers": {}\n}\n',
    '{\n  "mcpServers": {\n  }\n}\n', '{\n  "mcpServers": { // none\n  },\n}\n', '{"mcpServers": {"x": 1,}}',
    '{\n  "mcpServers": {\n    "x": {"command": "x"}, /* long\n remark */\n  },\n}\n',
]  # fmt: skip


@pytest.mark.parametrize("text", TEXTS, ids=repr)
def test_put_and_taken_out(text):
    put = jsonc.put(text, PATH, ENTRY)
    said = jsonc.parsed(text)
    assert jsonc.parsed(put) == {**said, "mcpServers": {**said.get("mcpServers", {}), "mastermind": ENTRY}}
    assert jsonc.without(put, PATH) == text
    assert jsonc.put(put, PATH, ENTRY) == put


def test_a_file_that_was_not_there_goes_again():
    made = jsonc.put(None, PATH, ENTRY)
    assert json.loads(made) == {"mcpServers": {"mastermind": ENTRY}}
    assert made.endswith("}\n")
    assert jsonc.without(made, PATH) is None


GAPS = st.sampled_from(["", "", " ", "\n", "\n  ", "\r\n\t", "/* a, } */", " // b }\n", "\n  // c\n  "])
PLAIN = st.recursive(
    st.one_of(st.integers(), st.none(), st.text(max_size=4)),
    lambda inner: st.one_of(st.lists(inner, max_size=2), st.dictionaries(st.text(max_size=3), inner, max_size=2)),
    max_leaves=4,
)
ROOTS = st.dictionaries(st.sampled_from(["a", "mcpServers ", "é"]), PLAIN, max_size=2)
SERVERS = st.one_of(st.none(), st.dictionaries(st.sampled_from(["x", "y", 'q"']), ROOTS, max_size=2))


@st.composite
def texts(draw):
    """JSON with remarks and trailing commas, and what it says."""
    value = draw(ROOTS)
    servers = draw(SERVERS)
    if servers is not None:
        value["mcpServers"] = servers

    def write(each):
        def gap():
            return draw(GAPS)

        if isinstance(each, dict):
            parts = [f"{gap()}{json.dumps(key)}{gap()}:{gap()}{write(inner)}{gap()}" for key, inner in each.items()]
        elif isinstance(each, list):
            parts = [gap() + write(inner) + gap() for inner in each]
        else:
            return json.dumps(each, ensure_ascii=False)
        trailing = "," if parts and draw(st.booleans()) else ""
        opening, closing = "{}" if isinstance(each, dict) else "[]"
        return opening + ",".join(parts) + trailing + gap() + closing

    return draw(GAPS) + write(value) + draw(GAPS), value


@settings(max_examples=200, deadline=None)
@given(texts())
def test_any_text_is_as_before(drawn):
    text, value = drawn
    put = jsonc.put(text, PATH, ENTRY)
    assert jsonc.parsed(put) == {**value, "mcpServers": {**value.get("mcpServers", {}), "mastermind": ENTRY}}
    assert jsonc.without(put, PATH) == text


def test_a_changed_command_leaves_the_rest_of_the_entry():
    text = (
        '{ "mcpServers": { "mastermind": { // ours\n'
        '  "command": "/old/mastermind", "args": ["serve"], /* slow */ "timeout": 9 } } }'
    )
    changed = jsonc.put(text, PATH, ENTRY)
    assert jsonc.parsed(changed)["mcpServers"]["mastermind"] == {**ENTRY, "timeout": 9}
    assert "// ours" in changed
    assert "/* slow */" in changed


def test_others_that_came_later_stay():
    text = '{\n  "mcpServers": {\n    "a": 1\n  }\n}\n'
    both = jsonc.put(jsonc.put(text, PATH, ENTRY), ("mcpServers", "later"), ENTRY)
    assert jsonc.without(both, PATH) == jsonc.put(text, ("mcpServers", "later"), ENTRY)
    first = jsonc.put(jsonc.put(None, PATH, ENTRY), ("mcpServers", "later"), ENTRY)
    assert json.loads(jsonc.without(first, PATH)) == {"mcpServers": {"later": ENTRY}}


@pytest.mark.parametrize(
    ("text", "line"),
    [("{", 1), ('{\n"a" 1}', 2), ("[]", 1), ('{"a": }', 1), ('{\n"mcpServers": []}', 2), ("{" * 100_000, 1),
     ("{} {}", 1), ('{"a": "x\n"}', 1), ("/* open", 1), ('{"mcpServers": {},, }', 1)],
)  # fmt: skip
def test_what_is_broken_is_not_changed(text, line):
    with pytest.raises(BrokenError) as raised:
        jsonc.put(text, PATH, ENTRY)
    assert raised.value.line == line


TABLE = ("mcp_servers", "mastermind")
SERVER = {"command": "C:\\x\\mastermind.exe", "args": ["serve", "--watch"]}
TOMLS = [
    "", "\n", "a = 1", "a = 1\n", "a = 1\r\n", '# c\n[mcp_servers.x]\ncommand = "x" # y\n', "[a]\nb = 1\n\n\n",
    'mcp_servers = { x = { command = "x" } } # c\n', "mcp_servers = {}\n", 'mcp_servers.x.command = "x"\n',
    "[mcp_servers]\n", '[mcp_servers]\nx = { command = "x" }\n\n[other]\na = 1\n',
    't = """\n[mcp_servers.mastermind]\n"""\n',
]  # fmt: skip


@pytest.mark.parametrize("text", TOMLS, ids=repr)
def test_put_into_toml_and_taken_out(text):
    put = toml.put(text, TABLE, SERVER)
    said = toml.parsed(text)
    assert toml.parsed(put) == {**said, "mcp_servers": {**said.get("mcp_servers", {}), "mastermind": SERVER}}
    assert toml.without(put, TABLE) == text
    assert toml.put(put, TABLE, SERVER) == put


def test_a_toml_file_that_was_not_there_goes_again():
    assert toml.without(toml.put(None, TABLE, SERVER), TABLE) is None


def test_a_toml_table_that_was_edited():
    text = toml.put("[a]\nb = 1 # c\n", TABLE, SERVER) + "startup_timeout_sec = 9 # slow\n\n[later]\nx = 1 # y\n"
    changed = toml.put(text, TABLE, {**SERVER, "command": "mastermind"})
    assert toml.parsed(changed)["mcp_servers"]["mastermind"] == {
        **SERVER, "command": "mastermind", "startup_timeout_sec": 9,
    }  # fmt: skip
    for remark in ("# c", "# slow", "# y"):
        assert remark in changed
    left = toml.without(changed, TABLE)
    assert toml.parsed(left) == {"a": {"b": 1}, "later": {"x": 1}}
    assert "# c" in left
    assert "# y" in left


@pytest.mark.parametrize(("text", "line"), [("a = ", 1), ("a = 1\n[", 2), ("mcp_servers = 1\n", 1)])
def test_broken_toml_is_not_changed(text, line):
    with pytest.raises(BrokenError) as raised:
        toml.put(text, TABLE, SERVER)
    assert raised.value.line == line
