"""SCIP: places, symbols and roles, read back by the schema's numbers."""

from __future__ import annotations

import io
import re
import shutil
import sys

import pytest

from mmcg.errors import MissingPackageError
from mmcg.export.scip import index as scip
from mmcg.export.scip import schema
from mmcg.export.scip.names import external, identifier
from mmcg.export.scip.places import Places
from mmcg.graph import open_graph
from mmcg.query.answer import Options

# The grammar of the published schema, for symbols that are not local.
NAME = r"(?:[A-Za-z0-9_+\-$]+|`(?:[^`]|``)+`)"
SYMBOL = re.compile(
    rf"mastermind (?:[^ ]|  )+ (?:[^ ]|  )+ (?:[^ ]|  )+ (?:{NAME}(?:[/#.!:]|\([A-Za-z0-9_+\-$]*\)\.))+"
)

CART = "mastermind . . . shop/`cart.py`/"
TAX = "mastermind . . . shop/`tax.py`/"
APP = "mastermind . . . web/`app.ts`/"
TEST = "mastermind . . . tests/`test_cart.py`/"


def read(root, options=None):
    out = io.BytesIO()
    with open_graph(root) as graph:
        scip.writer(graph.context, options or Options())(out)
    return schema.messages()["Index"].FromString(out.getvalue())


@pytest.fixture(scope="module")
def index(project):
    return read(project)


def occurrences(index, path):
    """Of a document, by text of the range's line and columns."""
    document = next(each for each in index.documents if each.relative_path == path)
    return {(tuple(each.range), each.symbol): each.symbol_roles for each in document.occurrences}


def information(index):
    return {each.symbol: each for document in index.documents for each in document.symbols}


def test_the_head_and_the_documents(index, project):
    assert index.metadata.tool_info.name == "mastermind"
    assert index.metadata.project_root == project.as_uri()
    assert [document.relative_path for document in index.documents] == [
        "shop/cart.py", "shop/tax.py", "tests/test_cart.py", "web/app.ts",
    ]  # fmt: skip
    assert {document.language for document in index.documents} == {"Python", "TypeScript"}
    assert {document.position_encoding for document in index.documents} == {3}


def test_definitions_have_the_place_of_their_name_and_of_their_whole(index):
    document = index.documents[0]
    total = next(
        each for each in document.occurrences if each.symbol == CART + "Cart#total()." and each.symbol_roles == 1
    )
    assert list(total.range) == [9, 8, 13]
    assert list(total.enclosing_range) == [9, 4, 10, 38]


def test_columns_count_characters_and_end_with_the_token(index):
    found = occurrences(index, "shop/cart.py")
    # The alias is what stands there; two characters before it take two units each in UTF-16.
    assert (10, 28, 32) in {place for place, symbol in found if symbol.startswith(TAX + "rate(")}
    assert found[(13, 30, 33), "mastermind . requests . get."] == 0


def test_roles(index):
    found = occurrences(index, "shop/cart.py")
    assert found[(0, 7, 15), "mastermind . requests . requests/"] == schema.IMPORT
    assert found[(13, 13, 18), CART + "Cart#limit."] == schema.WRITE
    tested = occurrences(index, "tests/test_cart.py")
    assert tested[(3, 4, 14), TEST + "test_start()."] == schema.DEFINITION | schema.TEST
    assert tested[(4, 11, 16), CART + "start()."] == schema.TEST


def test_a_construction_refers_to_the_class(index):
    assert ((22, 11, 15), CART + "Cart#") in occurrences(index, "shop/cart.py")


def test_symbols_say_what_they_are_and_what_they_implement(index):
    known = information(index)
    cart = known[CART + "Cart#"]
    assert (cart.kind, cart.display_name, list(cart.documentation)) == (7, "Cart", ["What is to be paid."])
    assert cart.signature_documentation.text == "class Cart"
    (implemented,) = known[APP + "Box#"].relationships
    assert (implemented.symbol, implemented.is_implementation, implemented.is_reference) == (
        APP + "Shape#",
        True,
        False,
    )
    (overridden,) = known[CART + "GiftCart#total()."].relationships
    assert (overridden.symbol, overridden.is_implementation, overridden.is_reference) == (
        CART + "Cart#total().", True, True,
    )  # fmt: skip


def test_what_is_outside_is_named(index):
    assert {each.symbol: each.display_name for each in index.external_symbols} == {
        "mastermind . requests . requests/": "requests",
        "mastermind . requests . get.": "requests.get",
    }


@pytest.mark.parametrize("root", ["project", "bank"])
def test_every_symbol_keeps_to_the_grammar_is_defined_once_and_explained(root, request):
    index = read(request.getfixturevalue(root), Options(confidence="possible"))
    uses = [each for document in index.documents for each in document.occurrences]
    assert [each.symbol for each in uses if not SYMBOL.fullmatch(each.symbol)] == []
    defined = [each.symbol for each in uses if each.symbol_roles & schema.DEFINITION]
    assert len(defined) == len(set(defined))
    assert set(defined) == set(information(index))
    assert {each.symbol for each in uses} == set(defined) | {each.symbol for each in index.external_symbols}


def test_overloads_and_repeated_names_are_told_apart(index):
    known = set(information(index))
    assert {APP + "open().", APP + "open(+1).", APP + "open(+2)."} <= known
    assert {TAX + "rate().", TAX + "rate(+1)."} <= known
    assert any("odd" in symbol and "``name``" in symbol for symbol in known)


def test_a_file_that_was_edited_since_keeps_its_places_by_name(project, tmp_path):
    root = tmp_path / "copy"
    shutil.copytree(project, root)
    (root / "shop/cart.py").write_text("edited\n")
    index = read(root)
    assert ((9, 8, 13), CART + "Cart#total().") in occurrences(index, "shop/cart.py")
    assert [each for each in index.documents[0].occurrences if each.enclosing_range] == []


def test_edges_that_are_not_sure_enough_are_left_out(bank):
    opened = "mastermind . . . src/bank/`vault.py`/Vault#open()."
    assert [each for each in occurrences(read(bank), "src/bank/guard.py") if each[1] == opened] == []
    assert [each for each in occurrences(read(bank, Options(confidence="possible")), "src/bank/guard.py")
            if each[1] == opened]  # fmt: skip


def test_the_bytes_are_those_of_the_published_schema():
    """Written by hand from `scip.proto`: field number and wire type, then the value."""
    messages = schema.messages()
    occurrence = messages["Occurrence"](range=[1, 2, 3], symbol="s", symbol_roles=9, enclosing_range=[0, 0, 4, 0])
    assert occurrence.SerializeToString() == b"\x0a\x03\x01\x02\x03\x12\x01s\x18\x09\x3a\x04\x00\x00\x04\x00"
    related = messages["Relationship"](symbol="t", is_reference=True, is_implementation=True)
    known = messages["SymbolInformation"](
        symbol="s", documentation=["d"], relationships=[related], kind=7, display_name="n"
    )
    assert known.SerializeToString() == (b"\x0a\x01s\x1a\x01d\x22\x07\x0a\x01t\x10\x01\x18\x01\x28\x07\x32\x01n")
    document = messages["Document"](relative_path="a", language="C", position_encoding=3, symbols=[known])
    assert document.SerializeToString().startswith(b"\x0a\x01a\x1a")
    assert document.SerializeToString().endswith(b"\x22\x01C\x30\x03")


@pytest.mark.parametrize(
    ("name", "written"),
    [("total", "total"), ("a-b$_+", "a-b$_+"), ("été", "`été`"), ("a`b", "`a``b`"), ("a b", "`a b`"), ("", "`?`")],
)
def test_identifiers(name, written):
    assert identifier(name) == written


@pytest.mark.parametrize(
    ("name", "symbol"),
    [
        ("requests.get", "requests . get."),
        ("requests.Session.get", "requests . Session/get."),
        ("requests", "requests . requests/"),
        ("requestsx.get", ". . requestsx/get."),
        ("example.org/x/y.Open", "example.org/x/y . Open."),
        ("list.append", ". . list/append."),
        ("f().g", ". . `f()`/g."),
        ("..", ". . `?`/`?`/`?`."),
    ],
)
def test_external_names(name, symbol):
    assert external(name, {"requests", "example.org/x/y"}) == f"mastermind . {symbol}"
    assert SYMBOL.fullmatch(external(name, {"requests", "example.org/x/y"}))


@pytest.mark.parametrize(
    ("text", "name", "token"),
    [
        ("a.b.Gson;", "Gson", [0, 4, 8]),
        ("A::B::c()", "B", [0, 3, 4]),
        ("Alias()", "Real", [0, 0, 5]),
        ("+ x", "operator+", [0, 0, 1]),
        ("", "gone", [0, 0, 0]),
    ],
)
def test_tokens(text, name, token):
    assert Places(text).token(1, 1, name) == token


def test_without_the_package_it_is_said_what_to_install(monkeypatch, bank):
    monkeypatch.setitem(sys.modules, "google.protobuf", None)
    with open_graph(bank) as graph, pytest.raises(MissingPackageError, match="protobuf") as raised:
        scip.writer(graph.context, Options())
    assert "mastermind-code-graph[scip]" in raised.value.advice
