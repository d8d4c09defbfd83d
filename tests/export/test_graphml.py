"""GraphML: read by a library of others."""

from __future__ import annotations

import io
from xml.etree import ElementTree

import networkx

from mmcg.export import graphml
from mmcg.graph import open_graph
from mmcg.query.answer import Options

CART, GIFT, TOTAL = "shop/cart.py::Cart", "shop/cart.py::GiftCart", "shop/cart.py::Cart.total"


def written(root, options=None) -> bytes:
    out = io.BytesIO()
    with open_graph(root) as graph:
        graphml.write(graph.context, options or Options(), out)
    return out.getvalue()


def read(root, options=None):
    """The edges by relation, between addresses."""
    graph = networkx.read_graphml(io.BytesIO(written(root, options)), force_multigraph=True)
    name = networkx.get_node_attributes(graph, "address")
    edges = {(name[a], name[b], data["relation"]): data for a, b, data in graph.edges(data=True)}
    assert len(edges) == graph.number_of_edges()
    return graph, edges


def test_symbols_are_nodes_and_relations_edges(project):
    graph, edges = read(project)
    nodes = {data["address"]: data for _, data in graph.nodes(data=True)}
    assert nodes[TOTAL] == {
        "address": TOTAL, "name": "total", "kind": "method", "file": "shop/cart.py", "line": 10, "end_line": 11,
        "language": "python", "test": False,
    }  # fmt: skip
    assert nodes["tests/test_cart.py::test_start"]["test"] is True
    call = edges["shop/cart.py::start", TOTAL, "call"]
    assert (call["confidence"], call["sites"], call["lines"]) == ("exact", 1, "23")
    assert call["rule"]
    assert (GIFT, CART, "extends") in edges
    assert ("web/app.ts::Box", "web/app.ts::Shape", "implements") in edges
    assert ("shop/cart.py::GiftCart.total", TOTAL, "override") in edges
    assert edges["shop/cart.py::Cart.send", "shop/cart.py::Cart.limit", "write"]["lines"] == "14"


def test_edges_that_are_not_sure_enough_are_left_out(bank):
    guard, opened = "src/bank/guard.py::watch", "src/bank/vault.py::Vault.open"
    assert (guard, opened, "call") not in read(bank)[1]
    assert (guard, opened, "call") in read(bank, Options(confidence="possible"))[1]
    seal = read(bank)[1][guard, "src/bank/vault.py::seal", "call"]
    assert (seal["confidence"], seal["rule"], seal["sites"], seal["lines"]) == ("exact", "import", 2, "4 5")


def test_what_xml_cannot_say_is_replaced(bank):
    text = written(bank)
    ElementTree.fromstring(text)
    assert "odd.js::\ufffd[31mred".encode() in text
    assert b"&lt;module&gt;" in text
