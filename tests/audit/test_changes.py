"""Files and symbols: what was declared, what was done, what is gone."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from tests.audit.repository import git
from tests.audit.working import SHOP, Working, kinds, one, told

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def shop(tmp_path: Path) -> Working:
    return Working(tmp_path / "shop")


TAX = {"file": "shop/tax.py", "symbols": ["rate_for"]}
BETTER = ("return RATE if category else 0", "return RATE if category else 1")


@pytest.mark.parametrize("committed", [True, False])
def test_honest_work_holds(shop: Working, committed: bool) -> None:
    shop.replace("shop/tax.py", *BETTER)
    if committed:
        shop.commit()
    claims = [{"kind": "symbol_changed", "symbol": "shop/tax.py::rate_for"}]
    done = shop.audit(TAX, report={"claims": claims})
    assert (done.verdict, done.findings) == ("held", ())
    assert [each.result for each in done.claims] == ["verified"]
    assert done.exit_code() == 0


def test_undeclared_files_are_creep(shop: Working) -> None:
    shop.replace("shop/tax.py", *BETTER).write(
        {"notes.txt": "x\n", "package-lock.json": "{}\n", "README.md": "# Other\n"}
    )
    done = shop.audit(TAX)
    assert told(done) == [("README.md", "drift"), ("notes.txt", "drift"), ("package-lock.json", "drift")]
    assert [each.message for each in done.findings][2].startswith(
        "A generated lock file, `package-lock.json`, was added"
    )
    assert done.verdict == "partial"
    assert (done.exit_code(), done.exit_code("broken")) == (1, 0)


@pytest.mark.parametrize("declared", ["shop/*.py", "**/tax.py", "./shop/tax.py", "shop\\tax.py"])
def test_declared_by_another_spelling(shop: Working, declared: str) -> None:
    shop.replace("shop/tax.py", *BETTER)
    assert shop.audit(declared).verdict == "held"


def test_caches_of_interpreters_are_no_creep(shop: Working) -> None:
    shop.replace("shop/tax.py", *BETTER)
    shop.write({"shop/__pycache__/tax.pyc": "x", ".pytest_cache/v/x": "", "__pycache__note.txt": ""})
    assert told(shop.audit(TAX)) == [("__pycache__note.txt", "drift")]


def test_of_a_rename_the_new_path_counts(shop: Working) -> None:
    git(shop.root, "mv", "shop/tax.py", "shop/vat.py")
    shop.replace("shop/cart.py", "shop.tax", "shop.vat")
    done = shop.audit("shop/tax.py", "shop/cart.py")
    assert told(done) == [("shop/vat.py", "drift")]
    assert shop.audit("shop/cart.py", creates=["shop/vat.py"], deletes=["shop/tax.py"]).verdict == "held"


def test_an_edit_of_equal_size_and_time_is_seen(shop: Working) -> None:
    path = shop.root / "shop/tax.py"
    status = path.stat()
    shop.replace("shop/tax.py", "category else 0", "category else 7")
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert shop.audit(TAX).verdict == "held"


def test_declared_and_not_done(shop: Working) -> None:
    done = shop.audit(
        TAX,
        docs=["README.md"],
        creates=["shop/new.py"],
        deletes=["shop/__init__.py"],
        adds=["fresh"],
        removes=["unused"],
    )
    assert kinds(done) == {"missing_change"}
    about = {about for about, _ in told(done)}
    assert about == {
        "shop/tax.py", "README.md", "shop/new.py", "shop/__init__.py", "fresh", "shop/tax.py::unused",
    }  # fmt: skip
    assert done.verdict == "partial"


def test_what_the_report_claims_too_is_broken(shop: Working) -> None:
    shop.replace("shop/tax.py", "RATE = 19", "RATE = 20")
    claims = [{"kind": "symbol_changed", "symbol": "rate_for"}]
    done = shop.audit(TAX, report={"claims": claims})
    assert told(done) == [("shop/tax.py::rate_for", "broken")]
    assert done.claims[0].result == "contradicted"


@pytest.mark.parametrize(
    "edit",
    [
        ("    return RATE if", "    # a comment\n    return RATE if"),
        ("def rate_for(category):", "def rate_for(\n    category\n):"),
    ],
    ids=["comment", "layout"],
)  # fmt: skip
def test_comments_and_layout_are_no_change_of_a_symbol(shop: Working, edit: tuple[str, str]) -> None:
    shop.replace("shop/tax.py", *edit)
    assert told(shop.audit(TAX)) == [("shop/tax.py::rate_for", "drift")]


def test_a_type_changes_with_its_members(shop: Working) -> None:
    shop.replace("shop/cart.py", "self.lines.append(line)", "self.lines += [line]")
    assert shop.audit({"file": "shop/cart.py", "symbols": ["Cart"]}).verdict == "held"


def test_members_outside_of_their_type(tmp_path: Path) -> None:
    go = Working(
        tmp_path / "go",
        {"go.mod": "module m\n", "a.go": "package a\n\ntype T struct{}\n\nfunc (t T) M() int { return 1 }\n"},
    )
    go.replace("a.go", "return 1", "return 2")
    assert go.audit({"file": "a.go", "symbols": ["T"]}).verdict == "held"


def test_exact_edits(shop: Working) -> None:
    shop.edits = (
        "**File:** `shop/tax.py`\n\nFIND:\n\n```python\n    return amount * rate_for(category) // 100\n```\n\n"
        "CHANGE TO:\n\n```python\n    return -(-amount * rate_for(category) // 100)\n```\n"
    )
    shop.replace("shop/tax.py", "amount * rate_for(category) // 100", "round(amount * rate_for(category) / 100)")
    finding = one(shop.audit("shop/tax.py"), "missing_change")
    assert finding.expected == "    return -(-amount * rate_for(category) // 100)"
    assert finding.file == ".mastermind/tasks/001-case/spec.md"
    shop.replace("shop/tax.py", "round(amount * rate_for(category) / 100)", "-(-amount * rate_for(category) // 100)")
    assert shop.audit("shop/tax.py").verdict == "held"


def test_an_edit_that_only_takes_lines_away(shop: Working) -> None:
    shop.edits = "**File:** `README.md`\n\nFIND:\n\n```\n# Shop\nold line\n```\n\nCHANGE TO:\n\n```\n# Shop\n```\n"
    shop.write({"README.md": "# Shop\nold line\nmore\n"})
    assert told(shop.audit("README.md")) == [("README.md", "drift")]
    shop.write({"README.md": "# Shop\nmore\n"})
    assert shop.audit("README.md").verdict == "held"


def test_a_symbol_that_is_gone(shop: Working) -> None:
    shop.replace("shop/tax.py", "def unused(a, b=1, *rest, key=None):\n    return a\n", "")
    finding = one(shop.audit("shop/tax.py"), "symbol_removed")
    assert (finding.effect, finding.about) == ("broken", ("shop/tax.py::unused",))
    assert shop.audit("shop/tax.py", removes=["unused"]).verdict == "held"
    assert shop.audit("shop/tax.py", removes=["shop/tax.py::unused"]).verdict == "held"


def test_not_to_be_removed_is_no_permission(shop: Working) -> None:
    shop.edits = "Do not remove `unused`.\n"
    shop.replace("shop/tax.py", "def unused(a, b=1, *rest, key=None):\n    return a\n", "")
    assert kinds(shop.audit("shop/tax.py")) == {"symbol_removed"}


def test_with_a_type_its_members_are_gone_once(shop: Working) -> None:
    text = SHOP["shop/cart.py"]
    base = text[text.index("class Base") : text.index("class Cart")]
    shop.replace("shop/cart.py", base, "").replace("shop/cart.py", "Cart(Base)", "Cart")
    assert told(shop.audit("shop/cart.py")) == [("shop/cart.py::Base", "broken")]


def test_a_symbol_that_moved_into_a_declared_file_is_there(shop: Working) -> None:
    text = SHOP["shop/tax.py"]
    moved = text[text.index("def unused") :]
    shop.replace("shop/tax.py", moved, "").write({"shop/extra.py": moved})
    assert shop.audit("shop/tax.py", creates=["shop/extra.py"]).verdict == "held"
    done = shop.audit("shop/tax.py")
    assert kinds(done) == {"scope_creep", "symbol_removed"}
    assert "moved" in one(done, "symbol_removed").message
    # Its place may be left; that there is no such symbol is not so.
    assert shop.audit("shop/tax.py", creates=["shop/extra.py"], removes=["shop/tax.py::unused"]).verdict == "held"
    done = shop.audit("shop/tax.py", creates=["shop/extra.py"], removes=["unused"])
    assert one(done, "missing_change").about == ("shop/extra.py::unused",)


def test_another_name_is_another_symbol(shop: Working) -> None:
    shop.replace("shop/tax.py", "def unused(", "def unneeded(")
    finding = one(shop.audit("shop/tax.py"), "symbol_removed")
    assert "shop/tax.py::unneeded" in finding.message
    assert shop.audit("shop/tax.py", removes=["unused"], adds=["unneeded"]).verdict == "held"


def test_a_deleted_file_takes_its_symbols_with_it(shop: Working) -> None:
    (shop.root / "shop/tax.py").unlink()
    shop.replace("shop/cart.py", "from shop.tax import tax_on\n", "").replace(
        "shop/cart.py", "tax_on(line, ", "max(line, "
    )
    assert shop.audit("shop/cart.py", deletes=["shop/tax.py"]).verdict == "held"
    done = shop.audit("shop/cart.py")
    assert kinds(done) == {"scope_creep", "symbol_removed"}


def test_tests_and_what_stands_in_bodies_are_no_removed_symbols(shop: Working) -> None:
    shop.replace("tests/test_cart.py", "def test_tax", "def test_vat")
    assert "symbol_removed" not in kinds(shop.audit("tests/test_cart.py"))


def test_an_overload_of_several(tmp_path: Path) -> None:
    java = Working(
        tmp_path / "java",
        {"A.java": "class A {\n  int f(int a) { return a; }\n  int f(int a, int b) { return a + b; }\n}\n"},
    )
    java.replace("A.java", "  int f(int a, int b) { return a + b; }\n", "")
    finding = one(java.audit("A.java"), "symbol_removed")
    assert finding.expected == "int f(int a, int b)"
    removes = [{"name": "A.f", "signature": "int f(int a, int b)"}]
    assert java.audit("A.java", removes=removes).verdict == "held"


def test_an_overload_that_gets_another_signature_is_removed_and_added(tmp_path: Path) -> None:
    cpp = Working(
        tmp_path / "cpp",
        {"a.hpp": "template <int A>\nint f(int a) { return a; }\ntemplate <bool B>\nint f(int a) { return a + 1; }\n"},
    )
    cpp.replace("a.hpp", "<int A>", "<long A>")
    gone = {"name": "a.hpp::f", "signature": "template <int A> int f(int a)"}
    assert cpp.audit("a.hpp", removes=[gone]).verdict == "held"
    stays = {"name": "a.hpp::f", "signature": "template <bool B> int f(int a)"}
    assert told(cpp.audit("a.hpp", removes=[stays])) == [("a.hpp::f@4", "drift")]


def test_a_prototype_and_its_definition(tmp_path: Path) -> None:
    c = Working(
        tmp_path / "c",
        {
            "a.h": "int f(int);\nint g(void);\n",
            "a.c": '#include "a.h"\nint f(int a) { return a; }\nint g(void) { return 1; }\n',
        },
    )
    c.write({"a.h": "int f(int);\n"})
    assert c.audit("a.h").verdict == "held"
    c.write({"a.c": '#include "a.h"\nint f(int a) { return a; }\n'})
    assert told(c.audit("a.h", "a.c")) == [("a.c::g", "broken")]
    assert c.audit("a.h", "a.c", removes=["g"]).verdict == "held"
