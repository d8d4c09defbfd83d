"""Planned tests: there or not, new or as they were, able to fail or not."""

from __future__ import annotations

import pytest

from tests.audit.repository import git
from tests.audit.working import Working, kinds, one, told

ASSERTS = "    assert checkout(Cart()) == 0\n"


@pytest.fixture
def work(tmp_path):
    """The shop, to be changed."""
    return Working(tmp_path / "shop")


def planned(work, *names, file="tests/test_cart.py", **keys):
    return work.audit("shop/cart.py", tests=[{"file": file, "names": list(names)}], **keys)


def add(work, body, name="test_empty", before=""):
    text = (work.root / "tests/test_cart.py").read_text()
    work.write({"tests/test_cart.py": f"{text}\n\n{before}def {name}():\n{body}"})
    return work.replace("shop/cart.py", "limit = 10", "limit = 11")


def test_a_new_test_that_asserts_is_fine(work):
    assert "missing_test" not in kinds(planned(add(work, ASSERTS), "test_empty"))
    assert "vacuous_test_pass" not in kinds(planned(work, "test_empty"))


def test_a_test_that_is_not_there_is_missing(work):
    done = planned(add(work, ASSERTS), "test_full")
    assert told(done, "missing_test") == [("tests/test_cart.py", "drift")]
    assert "`test_full`" in one(done, "missing_test").message


def test_a_test_in_a_comment_or_string_is_missing(work):
    add(work, ASSERTS + "    # def test_full(): assert 1 == 2\n    'test_full'\n")
    assert told(planned(work, "test_full"), "missing_test")


def test_a_test_as_it_was_is_missing(work):
    add(work, ASSERTS)
    assert one(planned(work, "test_tax"), "missing_test").line == 4


def test_a_test_whose_layout_changed_is_as_it_was(work):
    work.replace("tests/test_cart.py", "    cart = Cart()\n", "    cart = Cart(  )  # new\n\n")
    assert told(planned(work, "test_tax"), "missing_test")


def test_a_test_is_changed_with_a_helper_that_it_uses(work):
    work.write({"tests/test_cart.py": "from shop.cart import Cart, checkout\n\n\ndef make():\n    return Cart()\n\n\n"
                "def test_tax():\n    assert checkout(make()) == 0\n"})  # fmt: skip
    work.commit()
    work.base = git(work.root, "rev-parse", "HEAD")
    work.replace("tests/test_cart.py", "return Cart()", "return Cart(3)")
    assert not told(planned(work, "test_tax"), "missing_test")


def test_any_change_will_do_where_only_a_file_is_planned(work):
    add(work, ASSERTS)
    assert not told(work.audit("shop/cart.py", tests=[{"file": "tests/test_cart.py"}]), "missing_test")


def test_a_test_may_be_named_without_its_file(work):
    add(work, ASSERTS)
    assert not told(work.audit("shop/cart.py", "tests/test_cart.py", tests=["test_empty"]), "missing_test")
    assert told(work.audit("shop/cart.py", "tests/test_cart.py", tests=["test_full"]), "missing_test")


@pytest.mark.parametrize(
    "body",
    [
        "    checkout(Cart())\n",
        "    assert True\n",
        "    total = checkout(Cart())\n    assert total == total\n",
        "    print(checkout(Cart()))\n    assert 1 == 1\n",
        "    try:\n        assert checkout(Cart()) == 3\n    except AssertionError:\n        pass\n",
    ],
)
def test_a_planned_test_that_cannot_fail_is_vacuous(work, body):
    add(work, body)
    assert told(planned(work, "test_empty"), "vacuous_test_pass") == [("test_empty", "broken")]


@pytest.mark.parametrize(
    ("body", "before"),
    [
        ("    total_is(0)\n", "def total_is(x):\n    assert checkout(Cart()) == x\n\n\n"),
        ("    outer(0)\n", "def inner(x):\n    assert x == 0\n\n\ndef outer(x):\n    inner(checkout(Cart()))\n\n\n"),
        ("    list(map(total_is, [0]))\n", "def total_is(x):\n    assert checkout(Cart()) == x\n\n\n"),
        ("    verify_total(checkout(Cart()))\n", "from approvals import verify_total\n\n\n"),
        ("    if checkout(Cart()):\n        raise AssertionError\n", ""),
    ],
)
def test_assertions_of_helpers_count(work, body, before):
    add(work, body, before=before)
    assert not told(planned(work, "test_empty"), "vacuous_test_pass")


def test_assertions_of_helpers_in_other_files_count(work):
    work.write({"tests/helpers.py": "def total_is(a, b):\n    assert a == b\n", "tests/__init__.py": ""})
    add(work, "    total_is(checkout(Cart()), 0)\n", before="from tests.helpers import total_is\n\n\n")
    assert not told(planned(work, "test_empty"), "vacuous_test_pass")


def test_a_helper_that_asserts_nothing_does_not_count(work):
    add(work, "    total_is(0)\n", before="def total_is(x):\n    return checkout(Cart()) == x\n\n\n")
    assert told(planned(work, "test_empty"), "vacuous_test_pass")


def test_production_code_that_raises_is_no_assertion(work):
    work.replace(
        "shop/cart.py", "    return cart.tax()", "    if cart is None:\n        raise ValueError\n    return cart.tax()"
    )
    add(work, "    checkout(Cart())\n")
    assert told(planned(work, "test_empty"), "vacuous_test_pass")


def claims(work, claim, prose=""):
    return work.audit("shop/cart.py", "tests/test_cart.py", report={"claims": [claim] if claim else []}, prose=prose)


def test_a_claimed_test_that_was_added_is_verified(work):
    add(work, ASSERTS)
    done = claims(work, {"kind": "test_added", "test": "test_empty", "covers": "shop/cart.py::checkout"})
    assert [each.result for each in done.claims] == ["verified"]
    assert kinds(done) == set()


@pytest.mark.parametrize(
    "claim",
    [
        {"kind": "test_added", "test": "test_full"},
        {"kind": "test_added", "test": "test_tax"},
        {"kind": "test_added", "test": "test_empty", "covers": "shop/tax.py::unused"},
    ],
)
def test_a_false_claim_of_a_test_is_broken(work, claim):
    add(work, ASSERTS)
    done = claims(work, claim)
    assert [each.result for each in done.claims] == ["contradicted"]
    assert {weight for _, weight in told(done, "report_code_mismatch")} == {"broken"}


def test_a_sentence_that_tests_were_added_is_checked(work):
    work.replace("shop/cart.py", "limit = 10", "limit = 11")
    done = claims(work, None, "Added tests for `checkout`.")
    assert told(done, "report_code_mismatch")
    add(work.replace("shop/cart.py", "limit = 11", "limit = 10"), ASSERTS)
    assert kinds(claims(work, None, "Added tests for `checkout`.")) == set()


C_FILES = {
    "src/tape.c": "int room(void) { return 3; }\n",
    "tests/test_tape.c": "#include <assert.h>\nint room(void);\nint main(void) { return 0; }\n",
}
C_TEST = """\
#include <assert.h>
int room(void);
void test_room(void) { assert(room() == 3); }
int main(void) { CALL return 0; }
"""


@pytest.mark.parametrize(("call", "vacuous"), [("", True), ("/* test_rooms(); */", True), ("test_room();", False)])
def test_a_test_that_no_runner_finds_must_be_named(tmp_path, call, vacuous):
    work = Working(tmp_path / "tape", C_FILES).write({"tests/test_tape.c": C_TEST.replace("CALL", call)})
    done = work.audit(tests=[{"file": "tests/test_tape.c", "names": ["test_room"]}])
    assert bool(told(done, "vacuous_test_pass")) == vacuous


MACROS = {
    "c": (
        {"src/tape.c": "int room(void) { return 3; }\n", "tests/test_tape.c": "int main(void) { return 0; }\n"},
        "#include <stdlib.h>\nint room(void);\n#define SAME(a, b) do { if ((a) != (b)) DONE; } while (0)\n"
        "void test_room(void) { SAME(room(), 3); }\nint main(void) { test_room(); return 0; }\n",
        "abort()",
    ),
    "rust": (
        {"src/lib.rs": "pub fn room() -> u8 { 3 }\n", "tests/tape.rs": "\n"},
        "use tape::room;\nmacro_rules! same {\n    ($a:expr, $b:expr) => { if $a != $b { DONE } };\n}\n"
        "#[test]\nfn test_room() { same!(room(), 3); }\n",
        'panic!("no")',
    ),
}


@pytest.mark.parametrize("language", MACROS)
@pytest.mark.parametrize("asserts", [True, False])
def test_macros_of_a_project_assert_if_their_text_does(tmp_path, language, asserts):
    files, source, fails = MACROS[language]
    path = list(files)[-1]
    work = Working(tmp_path / "tape", files).write({path: source.replace("DONE", fails if asserts else "room()")})
    done = work.audit(tests=[{"file": path, "names": ["test_room"]}])
    assert bool(told(done, "vacuous_test_pass")) == (not asserts)
