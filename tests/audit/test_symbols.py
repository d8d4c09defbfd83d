"""What names in specs and reports mean, in several languages; and what the index keeps as a signature."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from mmcg import indexing
from mmcg.audit.symbols import Lookup, look_up, signature_of
from mmcg.graph import open_graph
from tests.trees import write_tree

if TYPE_CHECKING:
    from mmcg.query.context import Context

FILES = {
    "shop/__init__.py": "",
    "shop/tax.py": """\
def rate_for(c):
    return 1


class Rate:
    def __init__(self):
        pass

    def get(self):
        return rate_for(1)
""",
    "shop/cart.py": """\
from shop.tax import rate_for


class Cart:
    def get(self):
        return rate_for(2)
""",
    "src/main/java/parcels/Tariff.java": """\
package parcels;
class Tariff {
  Tariff(int a) {}
  int price(int a) { return a; }
  int price(String b) { return 1; }
}
""",
    "src/stats.rs": """\
pub fn mean(v: &[f64]) -> f64 { 0.0 }
pub struct Ring<T> { v: Vec<T> }
impl<T> Ring<T> {
    #[inline]
    #[allow(dead_code)]
    pub fn len(
        &self, // how many
    ) -> usize { 0 }
}
""",
    "include/axis.hpp": """\
namespace plots {
class Axis {
 public:
  Axis(double low);
  bool holds(double value) const;
};
int loose(int a);
}
""",
    "src/axis.cpp": """\
#include "axis.hpp"
namespace plots {
Axis::Axis(double low) {}
bool Axis::holds(double value) const { return true; }
int loose(int a) { return a; }
}
""",
    "app/Dish.php": """\
<?php
namespace App;
class Dish {
    public function name(/* none */): string { return ''; }
}
""",
    "app/Card.php": """\
<?php
use App\\Dish;
function show() { return new Dish(); }
""",
    "web/form.ts": """\
export function check(a: string): void;
export function check(a: number): void;
export function check(a: any): void {}
""",
    "py/marked.py": """\
@cache(size=None, key="a  b",  # why
       flag=True)
@app.route("/x")
def g():
    pass
""",
    "py/odd.py": """\
def f(
    a,  # first, of all
    b='x',
):
    # c
    return a
""",
}


@pytest.fixture(scope="module")
def context(tmp_path_factory: pytest.TempPathFactory) -> Context:
    root = tmp_path_factory.mktemp("names")
    write_tree(root, FILES)
    indexing.index(root)
    return open_graph(root).context


MEANS = {
    "rate_for": "shop/tax.py::rate_for",
    "Rate": "shop/tax.py::Rate",
    "Rate.get": "shop/tax.py::Rate.get",
    "`Rate.get()`": "shop/tax.py::Rate.get",
    "shop/tax.py::rate_for": "shop/tax.py::rate_for",
    "tax.py::rate_for": "shop/tax.py::rate_for",
    "shop.tax.rate_for": "shop/tax.py::rate_for",
    "tax.rate_for": "shop/tax.py::rate_for",
    "Tariff": "src/main/java/parcels/Tariff.java::Tariff",
    "parcels.Tariff.price": "src/main/java/parcels/Tariff.java::Tariff.price@4",
    "crate::stats::mean": "src/stats.rs::mean",
    "stats::mean": "src/stats.rs::mean",
    "Ring::len": "src/stats.rs::Ring.len",
    "Ring<T>::len": "src/stats.rs::Ring.len",
    "src/stats.rs::Ring::len": "src/stats.rs::Ring.len",
    "plots::Axis::holds": "src/axis.cpp::plots.Axis.holds",
    "Axis.holds": "src/axis.cpp::plots.Axis.holds",
    "Dish::name": "app/Dish.php::Dish.name",
    "App\\Dish::name": "app/Dish.php::Dish.name",
    "Dish->name()": "app/Dish.php::Dish.name",
    "check": "web/form.ts::check@1",
}


@pytest.mark.parametrize("name", MEANS)
def test_names(context: Context, name: str) -> None:
    found = look_up(context, name)
    assert found.found, found
    assert found.symbol.address == MEANS[name]


@pytest.mark.parametrize(
    "name", ["AuditTrail.record", "get_rate", "shop.cart.Rate", "other::mean", "x.py::rate_for", "", "::", "."]
)
def test_names_that_nothing_has(context: Context, name: str) -> None:
    found = look_up(context, name)
    assert (found.found, found.ambiguous) == (False, False)


def test_a_name_of_several_is_ambiguous_unless_its_file_is_given(context: Context) -> None:
    found = look_up(context, "get")
    assert {each.address for each in found.candidates} == {"shop/tax.py::Rate.get", "shop/cart.py::Cart.get"}
    assert look_up(context, "get", "shop/cart.py").symbol.address == "shop/cart.py::Cart.get"
    assert look_up(context, "get", "shop/*.py").ambiguous
    assert not look_up(context, "get", "web/*").found


def test_overloads_are_one_symbol_unless_a_signature_picks(context: Context) -> None:
    def lines(found: Lookup) -> list[int]:
        return [each.line for each in found.symbols]

    assert lines(look_up(context, "Tariff.price")) == [4, 5]
    assert lines(look_up(context, "Tariff.price", signature="int price( String b )")) == [5]
    assert lines(look_up(context, "Tariff.price", signature="int price(long b)")) == [4, 5]
    assert lines(look_up(context, "check")) == [1, 2, 3]


def test_a_prototype_stands_for_its_definition(context: Context) -> None:
    for name in ("Axis.holds", "plots.loose"):
        assert look_up(context, name, "include/axis.hpp").symbol.path == "src/axis.cpp"
    assert look_up(context, "Axis", "include/axis.hpp").symbol.kind == "class"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("py/odd.py::f", "def f(a, b='x')"),
        ("py/marked.py::g", "@cache(size=None, key='a b', flag=True)\n@app.route('/x')\ndef g()"),
        ("Ring.len", "#[inline]\npub fn len(&self) -> usize"),
        ("Dish.name", "public function name(): string"),
    ],
)
def test_comments_are_no_part_of_a_signature_and_attributes_are(context: Context, name: str, text: str) -> None:
    from mmcg.audit.signatures import stated

    live = signature_of(context, look_up(context, name).symbol)
    assert live.agrees(stated(text)), live.text
    assert not live.agrees(stated("#[cold]\n" + text.removeprefix("#[inline]\n")))
    assert not live.agrees(stated(text.replace("None", "True").replace("def f(a,", "def f(").replace("(", "(x")))
