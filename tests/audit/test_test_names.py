# ruff: noqa: E501 - sources are specimens, a line each
"""Which test a name means, as specs, reports and runners spell it."""

from __future__ import annotations

import pytest

from mmcg.audit.evidence import read
from mmcg.audit.tests.names import named

FILES = {
    "tests/test_cart.py": "def test_sum(): pass\nclass CartTest:\n    def test_tax(self): pass\n    def test_sum(self): pass\n",
    "test/cart.test.js": "describe('Cart', () => { describe('tax', () => { it('rounds up', () => {}); });\n"
    "it.each([1])('adds %s', () => {}); it('drops a $name', () => {}); });",
    "cart/cart_test.go": 'package cart\nfunc TestTax(t *testing.T) {\n for _, x := range []struct{name string}{{"at noon"}} {\n'
    '  t.Run(x.name, func(t *testing.T) {}) }\n t.Run("rounds up", func(t *testing.T) {}) }',
    "src/lib.rs": "mod tests {\n #[test]\n fn rounds() {}\n #[rstest]\n #[case(1)]\n fn cases(x: u8) {}\n}",
    "src/CartTest.java": "class CartTest { @Test void rounds() {} @Nested class Tax { @Test void zero() {} } }",
    "tests/CartTests.cs": "namespace Shop.Tests { class CartTests { [Fact] public void Rounds() {} } }",
    "tests/CartTest.php": "<?php namespace Shop\\Tests; class CartTest { public function testRounds() {} }",
    "tests/cart_test.cpp": 'TEST(Cart, Rounds) {}\nTEST_P(Rows, Holds) {}\nTEST_CASE("sums up") { SECTION("empty") {} }',
}


@pytest.mark.parametrize(
    ("path", "name", "shown"),
    [
        ("tests/test_cart.py", "test_tax", "CartTest.test_tax"),
        ("tests/test_cart.py", "CartTest.test_tax", "CartTest.test_tax"),
        ("tests/test_cart.py", "CartTest::test_tax", "CartTest.test_tax"),
        ("tests/test_cart.py", "tests/test_cart.py::CartTest::test_tax[1-a]", "CartTest.test_tax"),
        ("tests/test_cart.py", "test_tax (tests.test_cart.CartTest.test_tax)", "CartTest.test_tax"),
        ("tests/test_cart.py", "test_tax (tests.test_cart.CartTest)", "CartTest.test_tax"),
        ("tests/test_cart.py", "tests.test_cart.CartTest.test_tax", "CartTest.test_tax"),
        ("tests/test_cart.py", "`test_tax()`", "CartTest.test_tax"),
        ("tests/test_cart.py", "CartTest.test_sum", "CartTest.test_sum"),
        ("tests/test_cart.py", "tests/test_cart.py::test_sum", "test_sum"),
        ("test/cart.test.js", "rounds up", "Cart > tax > rounds up"),
        ("test/cart.test.js", "Cart tax rounds up", "Cart > tax > rounds up"),
        ("test/cart.test.js", "Cart > tax > rounds up", "Cart > tax > rounds up"),
        ("test/cart.test.js", "tax rounds up", "Cart > tax > rounds up"),
        ("test/cart.test.js", "adds %s", "Cart > adds %s"),
        ("test/cart.test.js", "adds 12", "Cart > adds %s"),
        ("test/cart.test.js", "Cart drops a pear", "Cart > drops a $name"),
        ("cart/cart_test.go", "TestTax", "TestTax"),
        ("cart/cart_test.go", "TestTax/rounds_up", "TestTax > rounds up"),
        ("cart/cart_test.go", "TestTax/rounds up", "TestTax > rounds up"),
        ("cart/cart_test.go", "TestTax/at_noon", "TestTax"),
        ("src/lib.rs", "tests::rounds", "tests.rounds"),
        ("src/lib.rs", "rounds", "tests.rounds"),
        ("src/lib.rs", "shop::tests::cases::case_1", "tests.cases"),
        ("src/CartTest.java", "CartTest.rounds", "CartTest.rounds"),
        ("src/CartTest.java", "com.shop.CartTest#rounds", "CartTest.rounds"),
        ("src/CartTest.java", "rounds(int)[1]", "CartTest.rounds"),
        ("tests/CartTests.cs", "CartTests.Rounds", "Shop.Tests.CartTests.Rounds"),
        ("tests/CartTests.cs", 'Shop.Tests.CartTests.Rounds(text: "a")', "Shop.Tests.CartTests.Rounds"),
        ("tests/CartTest.php", "CartTest::testRounds", "CartTest.testRounds"),
        ("tests/CartTest.php", "Shop\\Tests\\CartTest::testRounds", "CartTest.testRounds"),
        ("tests/cart_test.cpp", "Cart.Rounds", "Cart.Rounds"),
        ("tests/cart_test.cpp", "Ends/Rows.Holds/0", "Rows.Holds"),
        ("tests/cart_test.cpp", "sums up", "sums up"),
        ("tests/cart_test.cpp", "sums up/empty", "sums up > empty"),
    ],
)
def test_a_name_means_one_test(path, name, shown):
    found = named(read(FILES[path].encode(), path), name)
    assert [each.shown.removeprefix("Shop.Tests.") for each in found] == [shown.removeprefix("Shop.Tests.")]


@pytest.mark.parametrize(
    ("path", "name", "shown"),
    [
        ("tests/test_cart.py", "test_sum", ["test_sum", "CartTest.test_sum"]),
        ("tests/test_cart.py", "CartTest", ["CartTest.test_tax", "CartTest.test_sum"]),
        ("test/cart.test.js", "tax", ["Cart > tax > rounds up"]),
        ("tests/test_cart.py", "other/test_cart.py::test_sum", []),
        ("tests/test_cart.py", "test_su", []),
        ("tests/test_cart.py", "OtherTest.test_tax", []),
        ("test/cart.test.js", "rounds", []),
        ("test/cart.test.js", "subtracts 12", []),
        ("cart/cart_test.go", "TestTax/rounds down", []),
        ("tests/cart_test.cpp", "Cart.Holds", []),
    ],
)
def test_a_name_means_all_or_none(path, name, shown):
    assert [each.shown for each in named(read(FILES[path].encode(), path), name)] == shown
