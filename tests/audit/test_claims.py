"""What reports claim, in their block and in their sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.audit.working import Working, kinds, one, told

if TYPE_CHECKING:
    from pathlib import Path

    from mmcg.audit.auditing import Audit


@pytest.fixture
def shop(tmp_path: Path) -> Working:
    """Work that adds a caller of `rate_for`, with a test that reaches it."""
    work = Working(tmp_path / "shop")
    work.replace("shop/cart.py", "import tax_on", "import rate_for, tax_on")
    return work.replace("shop/cart.py", "    return cart.tax()\n", "    return cart.tax() + rate_for(None)\n")


def claimed(work: Working, *claims: dict[str, Any], prose: str = "") -> Audit:
    return work.audit("shop/cart.py", report={"claims": list(claims)}, prose=prose)


def integration(begin: str, end: str) -> dict[str, Any]:
    return {"kind": "integration", "from": begin, "to": end}


NEW_EDGE = integration("shop/cart.py::checkout", "shop/tax.py::rate_for")


@pytest.mark.parametrize(
    "spelling", ["rate_for", "tax.rate_for", "shop.tax.rate_for", "rate_for()", "shop/tax.py::rate_for"]
)
def test_a_new_call_that_a_test_reaches(shop: Working, spelling: str) -> None:
    done = claimed(shop, integration("checkout", spelling))
    assert (done.verdict, [each.result for each in done.claims]) == ("held", ["verified"])


@pytest.mark.parametrize(
    ("claim", "part"),
    [
        (integration("checkout", "shop/tax.py::rate_of"), "there is no `shop/tax.py::rate_of`"),
        (integration("check_out", "rate_for"), "there is no `check_out`"),
        (integration("Cart.add", "rate_for"), "does not call"),
        (integration("Cart.tax", "tax_on"), "in the baseline already"),
    ],
)
def test_the_missing_part_is_named(shop: Working, claim: dict[str, Any], part: str) -> None:
    done = claimed(shop, claim)
    finding = one(done, "false_integration_claim")
    assert finding.effect == "broken"
    assert part in finding.message
    assert done.claims[0].result == "contradicted"


def test_without_a_test_that_reaches_it_is_drift(shop: Working) -> None:
    shop.replace(
        "shop/cart.py", "def checkout(cart):", "def refund(cart):\n    return rate_for(cart)\n\n\ndef checkout(cart):"
    )
    done = claimed(shop, integration("refund", "rate_for"))
    assert told(done) == [("rate_for", "drift")]
    assert "no test reaches" in done.findings[0].message


def test_an_ambiguous_name_is_never_counted(shop: Working) -> None:
    shop.write({"shop/other.py": "def rate_for(x):\n    return x\n"})
    done = shop.audit(
        "shop/cart.py", creates=["shop/other.py"], report={"claims": [integration("Cart.add", "rate_for")]}
    )
    assert done.verdict == "held"
    assert one(done, "claim_unresolved").effect == "warning"
    assert done.claims[0].result == "unresolved"
    assert done.exit_code("warning") == 1


def test_a_call_known_by_name_only_is_unresolved(shop: Working) -> None:
    shop.replace("shop/cart.py", "    return cart.tax() +", "    cart.describe()\n    return cart.tax() +")
    done = claimed(shop, integration("checkout", "Base.describe"))
    assert done.claims[0].result in ("unresolved", "verified")
    assert "false_integration_claim" not in kinds(done)


@pytest.mark.parametrize(
    "sentence",
    [
        "For batching it uses the existing `Sink.drain_all`.",
        "Wired `checkout` to call the existing `drain_all`.",
        "Everything is routed through `Audit.trail`.",
        "`checkout` now calls `drain_all`.",
    ],
)
def test_what_neither_state_has_is_hallucinated(shop: Working, sentence: str) -> None:
    done = claimed(shop, prose=sentence)
    assert one(done, "hallucinated_existing_symbol").effect == "broken"


@pytest.mark.parametrize(
    "sentence",
    [
        "It does not use the existing `drain_all`.",
        "```\nuses the existing `drain_all`\n```",
        "It uses the existing `rate_for`.",
        "`checkout` now calls the existing `rate_for`.",
        "The sum is routed through `rate_for`.",
        "`checkout` calls `Cart.tax`.",
    ],
)
def test_sentences_that_claim_nothing_false(shop: Working, sentence: str) -> None:
    assert claimed(shop, prose=sentence).verdict == "held"


def test_a_member_of_a_type_of_ours_that_it_does_not_have(shop: Working) -> None:
    done = claimed(shop, prose="It uses the existing `Cart.describe`.")
    assert "hallucinated_existing_symbol" not in kinds(done)
    done = claimed(shop, prose="It uses the existing `Cart.total`.")
    assert told(done, "hallucinated_existing_symbol") == [("Cart.total", "broken")]


def test_what_is_new_is_not_existing(shop: Working) -> None:
    shop.write({"shop/round.py": "def to_five(x):\n    return x // 5 * 5\n"})
    shop.replace("shop/cart.py", "import rate_for, tax_on", "import rate_for, tax_on\nfrom shop.round import to_five")
    shop.replace("shop/cart.py", "rate_for(None)", "to_five(rate_for(None))")
    keys = {"creates": ["shop/round.py"]}
    done = shop.audit("shop/cart.py", **keys, report={}, prose="`checkout` uses the existing `to_five`.")
    assert "it is new in this change" in one(done, "hallucinated_existing_symbol").message
    done = shop.audit("shop/cart.py", **keys, report={"claims": [integration("checkout", "to_five")]})
    assert done.verdict == "held"


def test_what_is_outside_is_no_hallucination(shop: Working) -> None:
    shop.replace("shop/cart.py", "from shop.tax", "import json\nfrom shop.tax")
    shop.replace("shop/cart.py", "rate_for(None)", "len(json.dumps(1))")
    done = claimed(shop, prose="It uses the existing `json.dumps`.")
    assert (done.verdict, done.claims[0].result) == ("held", "unresolved")


def test_something_named_and_not_used(shop: Working) -> None:
    done = claimed(shop, prose="It uses the existing `unused`.")
    assert "nothing in the changed files uses" in one(done, "false_integration_claim").message


def added(symbol: str, signature: str | None = None) -> dict[str, Any]:
    return {"kind": "symbol_added", "symbol": symbol} | ({"signature": signature} if signature else {})


def test_added_symbols(shop: Working) -> None:
    shop.replace(
        "shop/cart.py", "def checkout(cart):", "def refund(cart, part=1):\n    return part\n\n\ndef checkout(cart):"
    )
    assert claimed(shop, added("refund"), added("shop/cart.py::refund", "def refund(cart, part=1):")).verdict == "held"
    done = claimed(shop, added("refund", "def refund(cart)"), added("gone_by"), added("checkout"))
    assert kinds(done) == {"report_code_mismatch"}
    assert len(done.findings) == 3
    assert "the baseline has it" in " ".join(each.message for each in done.findings)


def test_changed_and_removed_symbols(shop: Working) -> None:
    changed = {"kind": "symbol_changed", "symbol": "checkout"}
    assert claimed(shop, changed).verdict == "held"
    done = claimed(
        shop,
        {"kind": "symbol_changed", "symbol": "Cart.add"},
        {"kind": "symbol_removed", "symbol": "Cart.add"},
        {"kind": "symbol_changed", "symbol": "nowhere_to_be_found"},
    )
    assert [each.kind for each in done.findings] == [
        "hallucinated_existing_symbol", "report_code_mismatch", "report_code_mismatch",
    ]  # fmt: skip


def test_files_modified_is_the_diff(shop: Working) -> None:
    done = shop.audit("shop/cart.py", report={"files_modified": ["shop/tax.py"]})
    assert told(done) == [("shop/cart.py", "broken"), ("shop/tax.py", "broken")]
    done = shop.audit("shop/cart.py", report={"files_modified": ["./shop/cart.py"]})
    assert done.verdict == "held"


def test_a_report_that_contradicts_itself(shop: Working) -> None:
    done = shop.audit("shop/cart.py", report={"spec": "002-other", "phases": [{"id": "x", "status": "pending"}]})
    assert kinds(done) == {"report_code_mismatch"}
    assert len(done.findings) == 2


def test_status_alone_claims_nothing(shop: Working) -> None:
    done = shop.audit("shop/cart.py", report={"status": "partial", "defects": [{"kind": "x"}]})
    assert done.verdict == "held"
