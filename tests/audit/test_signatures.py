"""Which signatures are one, whatever their layout, and which are not."""

from __future__ import annotations

import pytest

from mmcg.audit.signatures import stated, states, stored

SAME = [
    ("def f(a, b)", "[]", "def f(\n    a,\n    b,\n):"),
    ('def f(a, note="x")', "[]", "def f(a,   note = 'x')"),
    ("def f(a)", '["functools.cache"]', "@functools.cache\ndef f(a)"),
    ("def f(a)", '["cached(size=3)"]', "@cached( size = 3, )\ndef f( a )"),
    ("export function f(a: A, b=false): string[]", "[]", "export function f( a: A, b = false ) : string[] {"),
    ('@SuppressWarnings("unchecked") @Override public int f()', '["Override"]', "@Override\npublic int f() {"),
    ('[Obsolete("x")] public int G<T>(int a = 3)', '["Obsolete"]', '[Obsolete("x")]\npublic int G<T>(\n  int a = 3)'),
    ("pub fn f<'a>(x: &'a str) -> i32", "[]", "#[allow(dead_code)]\npub fn f<'a>( x : &'a str ) -> i32 {"),
    ("func (l *L) Allow() bool", "[]", "func (l *L)  Allow()  bool {"),
    ("int f(struct t *t)", "[]", "int f(struct t* t /* not null */);"),
    ("def f(a, b)", "[]", "def f(a,  # the first\n      b)"),
    ('def f(a="x y")', "[]", 'def f(a="x   y")'),
    (
        "def f(" + ", ".join(f"a{n}" for n in range(9)) + ", a1\u2026",
        "[]",
        "def f(" + "".join(f"a{n}, " for n in range(20)) + ")",
    ),
    (
        "template <typename T> auto h(T a, char c='x') -> int",
        "[]",
        "template<typename T>\nauto h(T a, char c = 'x') -> int",
    ),
]

DIFFERENT = [
    ("def f(a, b)", "[]", "def f(a)"),
    ("def f(a, *, b=1)", "[]", "def f(a, b=1)"),
    ("def f(a, b=1)", "[]", "def f(a, b=2)"),
    ("def f(a)", '["property"]', "def f(a)"),
    ("def f(a)", "[]", "@property\ndef f(a)"),
    ("async def f(a)", "[]", "def f(a)"),
    ("public int f()", "[]", "int f()"),
    ("@Override public int f()", "[]", "public int f()"),
    ("def f(a, b)", "[]", "def f(ab)"),
    ("f(a: string): void", "[]", "f(a?: string): void"),
    ("pub fn f(a: &mut T)", "[]", "pub fn f(a: &T)"),
    ("def f(a, b\u2026", "[]", "def f(c, b)"),
]


@pytest.mark.parametrize(("signature", "decorators", "text"), SAME)
def test_layout_and_silencing_attributes_do_not_matter(signature: str, decorators: str, text: str) -> None:
    assert stored(signature, decorators).agrees(stated(text))
    assert stated(text).agrees(stored(signature, decorators))


@pytest.mark.parametrize(("signature", "decorators", "text"), DIFFERENT)
def test_every_other_difference_matters(signature: str, decorators: str, text: str) -> None:
    assert not stored(signature, decorators).agrees(stated(text))


def test_a_stated_signature_without_decorators_leaves_them_open() -> None:
    assert stated("def f(a)").means(stored("def f(a)", '["cache"]'))
    assert not stated("@other\ndef f(a)").means(stored("def f(a)", '["cache"]'))
    assert not stated("@other\ndef f(a)").means(stored("def f(a)"))
    assert not stated("def f(b)").means(stored("def f(a)", '["cache"]'))


def test_a_text_states_a_header_that_it_holds() -> None:
    edit = "def tax(amount, year):\n    return amount\n"
    assert states(edit, stored("def tax( amount, year )"))
    assert not states(edit, stored("def tax(amount)"))
