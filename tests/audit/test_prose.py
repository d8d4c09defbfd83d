"""Which sentences are claims, of what kind, and about which names."""

from __future__ import annotations

import pytest

from mmcg.audit.documents import markdown
from mmcg.audit.documents.prose import prose_claims

CLAIMS = {
    "Wired `Cart.tax` to call the existing `rate_for`.": [("integration", ("Cart.tax", "rate_for"), True)],
    "`Cart.tax` is now wired to `rate_for`.": [("integration", ("Cart.tax", "rate_for"), False)],
    "I hooked `a.b` into the existing `Pipe::run`.": [("uses_existing", ("Pipe::run",), True)],
    "Integrated the existing `rate_for` into `Cart.tax`.": [("uses_existing", ("rate_for",), True)],
    "Wires `a` to use `b`.": [("integration", ("a", "b"), False)],
    "The cart now calls the existing `Tax.rate`.": [("integration", ("Tax.rate",), True)],
    "`a` and `b` now call `c`.": [("integration", ("b", "c"), False)],
    "The parser was integrated with `Cache`.": [("integration", ("Cache",), False)],
    "Connected `x` to use `y` and ran the tests.": [("integration", ("x", "y"), False)],
    "`parse` now calls `isDate`, which insists on a year.": [("integration", ("parse", "isDate"), False)],
    "`x` now calls the existing `y()`.": [("integration", ("x", "y()"), True)],
    "`x` calls now `y`.": [("integration", ("x", "y"), False)],
    "This uses the existing `Sink.drain_all`, so nothing new was needed.": [
        ("uses_existing", ("Sink.drain_all",), True)
    ],
    "`f` uses the existing `A.b` and `C.d`, under an alias.": [
        ("uses_existing", ("f", "A.b"), True),
        ("uses_existing", ("f", "C.d"), True),
    ],
    "Reuses the existing helper `to_five`.": [("uses_existing", ("to_five",), True)],
    "The rounding is routed through `Canvas::snap`.": [("routed_through", ("Canvas::snap",), False)],
    "It is routed through `Trail.record`, the existing log.": [("routed_through", ("Trail.record",), True)],
    "Added tests for `Cart.tax`.": [("tests_added", ("Cart.tax",), False)],
    "Added a test for `Cart.tax` and `Cart.total`.": [
        ("tests_added", ("Cart.tax",), False),
        ("tests_added", ("Cart.total",), False),
    ],
    "Adds three new unit tests covering `lib/parse.js`.": [("tests_added", ("lib/parse.js",), False)],
    "Wrote a test case for rate_for.": [("tests_added", ("rate_for",), False)],
    "- `a` now calls `b`\n- `c` now calls `d`": [
        ("integration", ("a", "b"), False),
        ("integration", ("c", "d"), False),
    ],
    "| done |\n|---|\n| `a` now calls `b` |": [("integration", ("a", "b"), False)],
    "Nothing else changed; `a` now calls `b`.": [("integration", ("a", "b"), False)],
}

NO_CLAIMS = [
    "`x` does not call `y`; it is not wired to the existing `y`.",
    "I didn't wire `a` to call the existing `b`.",
    "Never hooked `a` into `b`.",
    "`a` is no longer routed through `b`.",
    "Added no tests for `b`.",
    "No tests were added for `b`.",
    "It works without using the existing `b`.",
    "`a` should be wired to `b`.",
    "`a` will be connected to `b` in the next phase.",
    "Is `a` wired to `b`?",
    "If `a` now calls `b`, the cache grows.",
    "It uses the existing cache.",
    "It uses the existing `application/json` type.",
    "The client connects to `https://example.org`.",
    "`a` now calls for attention.",
    "`Client` connects to `Server.listen`.",
    "Everything goes through `a`.",
    "Wired `a` into `b`.",
    "```\n`a` now calls `b`.\n```",
    "    `a` now calls `b`.",
    "<!-- `a` now calls `b`. -->",
    "`` `a` now calls `b` ``",
]


def claims(text: str) -> list[tuple[str, tuple[str, ...], bool]]:
    return [(each.kind, each.names, each.existing) for each in prose_claims(markdown.parse(text))]


@pytest.mark.parametrize("text", CLAIMS)
def test_claims(text: str) -> None:
    assert claims(text) == CLAIMS[text]


@pytest.mark.parametrize("text", NO_CLAIMS)
def test_no_claims(text: str) -> None:
    assert claims(text) == []


def test_claims_know_their_sentence_and_line() -> None:
    text = "# T\n\nFirst. Then we\nwired `a` to call the\nexisting `b`. Last."
    (claim,) = prose_claims(markdown.parse(text))
    assert (claim.line, claim.text) == (5, "Then we wired `a` to call the existing `b`.")
    assert (claim.source, claim.target) == ("a", "b")
