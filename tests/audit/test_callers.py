"""Callers that came and went, and calls that no longer fit a signature."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.audit.repository import git
from tests.audit.working import SHOP, Working, kinds, one, told

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def shop(tmp_path: Path) -> Working:
    return Working(tmp_path / "shop")


def rate(**callers: int) -> dict[str, Any]:
    plan: dict[str, Any] = {"name": "rate_for"}
    return {"file": "shop/tax.py", "symbols": [plan | ({"callers": callers} if callers else {})]}


CALL = ("    def add(self, line):\n", "    def add(self, line):\n        rate_for(line)\n")
IMPORT = ("import tax_on", "import rate_for, tax_on")


def new_caller(shop: Working) -> Working:
    return shop.replace("shop/cart.py", *IMPORT).replace("shop/cart.py", *CALL)


def test_a_new_caller_is_named(shop: Working) -> None:
    new_caller(shop).replace("shop/tax.py", "RATE if category", "RATE if not category")
    finding = one(shop.audit(rate(), "shop/cart.py"), "caller_drift")
    assert finding.about == ("shop/tax.py::rate_for", "shop/cart.py::Cart.add")
    assert (finding.file, finding.line, finding.effect) == ("shop/cart.py", 16, "drift")
    assert "gained: 1" in finding.hint


@pytest.mark.parametrize(("declared", "held"), [(1, True), (0, False), (2, False)])
def test_exactly_the_planned_number(shop: Working, declared: int, held: bool) -> None:
    new_caller(shop)
    done = shop.audit(rate(gained=declared), "shop/cart.py")
    assert kinds(done) == (set() if held else {"caller_drift"})


def test_a_planned_caller_that_never_came(shop: Working) -> None:
    shop.replace("shop/tax.py", "RATE if category", "RATE if not category")
    finding = one(shop.audit(rate(gained=1)), "caller_drift")
    assert "was to gain 1 caller and gained none" in finding.message


def test_a_lost_caller_is_named(shop: Working) -> None:
    shop.replace("shop/tax.py", "amount * rate_for(category) // 100", "amount * 19 // 100")
    finding = one(shop.audit(rate(lost=0)), "caller_drift")
    assert finding.about == ("shop/tax.py::rate_for", "shop/tax.py::tax_on")
    assert shop.audit(rate(lost=1)).verdict == "held"


def test_callers_in_tests_do_not_count(shop: Working) -> None:
    shop.replace("shop/tax.py", "RATE if category", "RATE if not category")
    shop.write({
        "tests/test_tax.py": "from shop.tax import rate_for\n\n\ndef helper():\n    return rate_for(1)\n\n\n"
        "class TestTax:\n    def test_rate(self):\n        assert rate_for(0) == 19\n"
    })  # fmt: skip
    assert "caller_drift" not in kinds(shop.audit(rate(), creates=["tests/test_tax.py"]))


def test_recursion_is_no_caller(shop: Working) -> None:
    shop.replace("shop/tax.py", "return RATE if category else 0", "return RATE if category else rate_for(1)")
    assert shop.audit(rate()).verdict == "held"


def test_a_caller_of_a_namesake_does_not_count(shop: Working) -> None:
    shop.replace("shop/tax.py", "RATE if category", "RATE if not category")
    shop.write({"shop/other.py": "def rate_for(x):\n    return x\n\n\ndef user():\n    return rate_for(1)\n"})
    assert shop.audit(rate(), creates=["shop/other.py"]).verdict == "held"


def test_callers_that_move_with_their_file_are_the_same(shop: Working) -> None:
    git(shop.root, "mv", "shop/cart.py", "shop/basket.py")
    shop.replace("shop/tax.py", "amount * rate", "1 * amount * rate").replace(
        "tests/test_cart.py", "shop.cart", "shop.basket"
    )
    touched = {"file": "shop/tax.py", "symbols": ["tax_on"]}
    done = shop.audit(touched, "tests/test_cart.py", creates=["shop/basket.py"], deletes=["shop/cart.py"])
    assert done.verdict == "held"


def test_a_caller_that_moves_alone_is_the_same(shop: Working) -> None:
    text = SHOP["shop/tax.py"]
    moved = text[text.index("def tax_on") : text.index("def unused")]
    shop.replace("shop/tax.py", moved, "").replace("shop/cart.py", "shop.tax", "shop.due")
    shop.replace("shop/tax.py", "RATE if category", "RATE if not category")
    shop.write({"shop/due.py": f"from shop.tax import rate_for\n\n\n{moved}"})
    assert shop.audit(rate(), "shop/cart.py", creates=["shop/due.py"]).verdict == "held"


def test_a_caller_with_another_name_is_the_same(shop: Working) -> None:
    shop.replace("shop/tax.py", "def tax_on", "def vat_on").replace(
        "shop/tax.py", "RATE if category", "RATE if 1 and category"
    )
    shop.replace("shop/cart.py", "tax_on", "vat_on")
    assert shop.audit(rate(), "shop/cart.py", removes=["tax_on"], adds=["vat_on"]).verdict == "held"


def test_a_caller_that_is_declared_to_go(shop: Working) -> None:
    text = SHOP["shop/tax.py"]
    shop.replace("shop/tax.py", text[text.index("def tax_on") : text.index("def unused")], "")
    shop.replace("shop/tax.py", "RATE if category", "RATE if not category")
    shop.replace("shop/cart.py", "from shop.tax import tax_on\n", "").replace(
        "shop/cart.py", "tax_on(line, ", "max(line, "
    )
    assert shop.audit(rate(), "shop/cart.py", removes=["tax_on"]).verdict == "held"


def test_calls_of_an_exact_edit_are_planned(shop: Working) -> None:
    shop.edits = (
        "**File:** `shop/cart.py`\n\nFIND:\n\n```python\n        self.lines.append(line)\n```\n\nCHANGE TO:\n\n"
        "```python\n        rate_for(line)\n        self.lines.append(line)\n```\n"
    )
    new_caller(shop).replace("shop/tax.py", "RATE if category", "RATE if not category")
    assert shop.audit(rate(), "shop/cart.py").verdict == "held"


def test_constructions_are_calls_of_a_type(shop: Working) -> None:
    shop.replace("shop/cart.py", "    return cart.tax()", "    return Cart().tax() + cart.tax()")
    shop.replace("shop/cart.py", "        self.lines = []", "        self.lines = list()")
    done = shop.audit({"file": "shop/cart.py", "symbols": ["Cart"]})
    assert told(done) == [("shop/cart.py::checkout", "drift")]


ON = {"file": "shop/tax.py", "symbols": ["tax_on"]}
HEAD = "def tax_on(amount, category)"


def test_an_undeclared_signature_is_drift_where_all_calls_fit(shop: Working) -> None:
    shop.replace("shop/tax.py", HEAD, "def tax_on(amount, category, year=2024)")
    finding = one(shop.audit(ON), "signature_changed")
    assert (finding.effect, finding.expected) == ("drift", "def tax_on(amount, category)")
    assert finding.found == "def tax_on(amount, category, year=2024)"


@pytest.mark.parametrize(
    ("head", "why"),
    [
        ("def tax_on(amount, category, year)", "it does not pass `year`"),
        ("def tax_on(amount)", "it passes 2 arguments where at most 1 are taken"),
        ("def tax_on(amount, *, category)", "it passes 2 arguments where at most 1 are taken"),
        ("def tax_on(amount, category, *, year)", "it does not pass `year`"),
    ],
)
def test_calls_that_no_longer_fit_are_broken(shop: Working, head: str, why: str) -> None:
    shop.replace("shop/tax.py", HEAD, head)
    done = shop.audit(ON)
    assert [each.effect for each in done.findings] == ["broken", "broken"]
    call = next(each for each in done.findings if each.file == "shop/cart.py")
    assert call.line == 19
    assert why in call.message
    declared = {"file": "shop/tax.py", "symbols": [{"name": "tax_on", "becomes": head}]}
    assert [each.file for each in shop.audit(declared).findings] == ["shop/cart.py"]


@pytest.mark.parametrize(
    "head", ["def tax_on(*both)", "def tax_on(amount, category=None, **more)", "def tax_on(amount, kind)"]
)
def test_calls_that_still_fit_are_not(shop: Working, head: str) -> None:
    shop.replace("shop/tax.py", HEAD, head)
    assert told(shop.audit(ON)) == [("shop/tax.py::tax_on", "drift")]


def test_keywords(shop: Working) -> None:
    shop.replace("shop/cart.py", 'tax_on(line, "food")', 'tax_on(line, category="food")').commit()
    shop.base = git(shop.root, "rev-parse", "HEAD")
    shop.replace("shop/tax.py", HEAD, "def tax_on(amount, kind)").replace(
        "shop/tax.py", "rate_for(category) //", "rate_for(kind) //"
    )
    assert (
        "passes `category`, which is no parameter"
        in shop.audit(ON).findings[-1].message + shop.audit(ON).findings[0].message
    )


def test_spread_arguments_are_passed_over(shop: Working) -> None:
    shop.replace("shop/cart.py", 'tax_on(line, "food")', 'tax_on(*[line, "food"])').commit()
    shop.base = git(shop.root, "rev-parse", "HEAD")
    shop.replace("shop/tax.py", HEAD, "def tax_on(amount, category, year)")
    assert told(shop.audit(ON)) == [("shop/tax.py::tax_on", "drift")]


@pytest.mark.parametrize("header", ["def tax_on(\n    amount,\n    category,\n)", "def tax_on( amount , category )"])
def test_layout_is_no_change_of_a_signature(shop: Working, header: str) -> None:
    shop.replace("shop/tax.py", HEAD, header).replace("shop/tax.py", "amount * rate", "1 * amount * rate")
    assert shop.audit(ON).verdict == "held"


def test_a_decorator_is_part_of_the_signature(shop: Working) -> None:
    shop.replace("shop/tax.py", HEAD, f"@staticmethod\n{HEAD}")
    finding = one(shop.audit(ON), "signature_changed")
    assert "staticmethod" in finding.message


def test_a_constant_of_another_value_keeps_its_signature(shop: Working) -> None:
    shop.replace("shop/tax.py", "RATE = 19", "RATE = 20")
    assert shop.audit({"file": "shop/tax.py", "symbols": ["RATE"]}).verdict == "held"


def test_the_header_in_an_exact_edit_declares_it(shop: Working) -> None:
    shop.edits = (
        "**File:** `shop/tax.py`\n\nFIND:\n\n```python\ndef tax_on(amount, category):\n```\n\nCHANGE TO:\n\n"
        "```python\ndef tax_on(amount, category, year=1):\n```\n"
    )
    shop.replace("shop/tax.py", HEAD, "def tax_on(amount, category, year=1)")
    assert shop.audit(ON).verdict == "held"


LANGUAGES: dict[str, tuple[dict[str, str], tuple[str, str], str]] = {
    "go": (
        {"go.mod": "module m\n", "a.go": "package a\n\nfunc F(x int) int { return x }\nfunc G() int { return F(1) }\n"},
        ("func F(x int)", "func F(x int, y int)"), "F",
    ),
    "rust": (
        {"Cargo.toml": "[package]\nname = 'm'\n", "lib.rs": "pub fn f(x: u8) -> u8 { x }\npub fn g() -> u8 { f(1) }\n"},
        ("pub fn f(x: u8)", "pub fn f(x: u8, y: u8)"), "f",
    ),
    "java": (
        {"A.java": "class A {\n  static int f(int x) { return x; }\n  static int g() { return f(1); }\n}\n"},
        ("int f(int x)", "int f(int x, int y)"), "f",
    ),
    "typescript": (
        {"a.ts": "export function f(x: number) { return x; }\nexport function g() { return f(1); }\n"},
        ("f(x: number)", "f(x: number, y: string)"), "f",
    ),
    "php": (
        {"a.php": "<?php\nfunction f($x) { return $x; }\nfunction g() { return f(1); }\n"},
        ("function f($x)", "function f($x, $y)"), "f",
    ),
    "csharp": (
        {"A.cs": "class A {\n  static int F(int x) { return x; }\n  static int G() { return F(1); }\n}\n"},
        ("int F(int x)", "int F(int x, int y)"), "F",
    ),
    "c": (
        {"a.c": "static int f(int x) { return x; }\nint g(void) { return f(1); }\n"},
        ("f(int x)", "f(int x, int y)"), "f",
    ),
    "cpp": (
        {"a.cpp": "struct S { int f(int x) { return x; } };\nint g() { S s; return s.f(1); }\n"},
        ("f(int x)", "f(int x, int y)"), "f",
    ),
}  # fmt: skip


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_new_required_parameter_in_every_family(tmp_path: Path, language: str) -> None:
    files, edit, name = LANGUAGES[language]
    path = next(each for each in files if each not in ("go.mod", "Cargo.toml"))
    work = Working(tmp_path / "work", files)
    work.replace(path, *edit)
    done = work.audit({"file": path, "symbols": [name]})
    assert done.verdict == "broken"
    assert {each.kind for each in done.findings} == {"signature_changed"}
    assert len(done.findings) == 2
