"""The same kinds of work in every language family: what is found, and that nothing else is."""

# ruff: noqa: E501 (sources of other languages, a file a line)

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pytest

from tests.audit.working import Working, kinds

if TYPE_CHECKING:
    from pathlib import Path


@dataclass
class Case:
    """One change of some files, the spec's entries, and the kinds of findings."""

    name: str
    files: dict[str, str]
    edits: list[tuple[str, str, str]]
    touches: list[Any]
    expected: list[str]
    report: dict[str, Any] | None = None
    prose: str = ""
    new: dict[str, str] = field(default_factory=dict)
    keys: dict[str, Any] = field(default_factory=dict)


pytestmark = pytest.mark.slow

CASES: list[Case] = []


def case(
    name: str,
    files: dict[str, str],
    edits: list[tuple[str, str, str]],
    touches: list[Any],
    expected: list[str],
    *,
    report: dict[str, Any] | None = None,
    prose: str = "",
    write: dict[str, str] | None = None,
    **keys: Any,
) -> None:
    CASES.append(Case(name, files, edits, touches, expected, report, prose, write or {}, keys))


def claim(kind: str, **keys: Any) -> dict[str, Any]:
    return {"kind": kind, **keys}


def claims(*given: dict[str, Any]) -> dict[str, Any]:
    return {"claims": list(given)}


C = {
    "tape.h": "#ifndef T\n#define T\nstruct tape { int n; };\nint tape_put(struct tape *t, int v);\nint tape_sum(const struct tape *t);\n#endif\n",
    "tape.c": '#include "tape.h"\nint tape_put(struct tape *t, int v)\n{\n    t->n = v;\n    return 0;\n}\nint tape_sum(const struct tape *t)\n{\n    return t->n;\n}\n',
    "main.c": '#include "tape.h"\nint main(void)\n{\n    struct tape t;\n    tape_put(&t, 1);\n    return tape_sum(&t);\n}\n',
}
case(
    "c sig",
    C,
    [("tape.h", "int v);", "int v, int w);"), ("tape.c", "int v)", "int v, int w)")],
    [{"file": "tape.c", "symbols": ["tape_put"]}, "tape.h"],
    ["signature_changed"],
)
case(
    "c sig declared in header",
    C,
    [("tape.h", "int v);", "long v);"), ("tape.c", "int v)", "long v)")],
    [
        {"file": "tape.c", "symbols": [{"name": "tape_put", "becomes": "int tape_put(struct tape *t, long v)"}]},
        "tape.h",
    ],
    [],
)
case(
    "c named in header",
    C,
    [("tape.h", "int v);", "long v);"), ("tape.c", "int v)", "long v)")],
    ["tape.c", {"file": "tape.h", "symbols": ["tape_put"]}],
    ["signature_changed"],
)
case(
    "c removed",
    C,
    [
        ("tape.h", "int tape_sum(const struct tape *t);\n", ""),
        ("tape.c", "int tape_sum(const struct tape *t)\n{\n    return t->n;\n}\n", ""),
        ("main.c", "tape_sum(&t)", "0"),
    ],
    ["tape.c", "tape.h", "main.c"],
    ["symbol_removed"],
)
case(
    "c removed declared",
    C,
    [
        ("tape.h", "int tape_sum(const struct tape *t);\n", ""),
        ("tape.c", "int tape_sum(const struct tape *t)\n{\n    return t->n;\n}\n", ""),
        ("main.c", "tape_sum(&t)", "0"),
    ],
    ["tape.c", "tape.h", "main.c"],
    [],
    removes=["tape_sum"],
)
case(
    "c static",
    C,
    [("tape.c", "int tape_sum(const", "static int tape_sum(const")],
    [{"file": "tape.c", "symbols": ["tape_sum"]}],
    ["signature_changed", "caller_drift"],
)
CPP = {
    "s.hpp": "#pragma once\nnamespace n {\nclass S {\n public:\n  void add(double v);\n  int size() const;\n private:\n  int c_ = 0;\n};\n}\n",
    "s.cpp": '#include "s.hpp"\nnamespace n {\nvoid S::add(double v) { c_ += 1; }\nint S::size() const { return c_; }\n}\n',
    "m.cpp": '#include "s.hpp"\nint main() {\n  n::S s;\n  s.add(1.0);\n  return s.size();\n}\n',
}
case(
    "cpp sig",
    CPP,
    [("s.hpp", "add(double v)", "add(double v, int k)"), ("s.cpp", "add(double v)", "add(double v, int k)")],
    [{"file": "s.cpp", "symbols": ["S.add"]}, "s.hpp"],
    ["signature_changed"],
)
case(
    "cpp default ok",
    CPP,
    [("s.hpp", "add(double v)", "add(double v, int k = 0)"), ("s.cpp", "add(double v)", "add(double v, int k)")],
    [{"file": "s.cpp", "symbols": [{"name": "S.add", "becomes": "void S::add(double v, int k)"}]}, "s.hpp"],
    [],
)
case(
    "cpp caller",
    CPP,
    [("s.cpp", "return c_;", "return c_ + 0;"), ("s.cpp", "c_ += 1;", "c_ += 1 + size();")],
    [{"file": "s.cpp", "symbols": ["S.size"]}],
    ["caller_drift"],
)
case(
    "cpp removed method",
    CPP,
    [
        ("s.hpp", "  int size() const;\n", ""),
        ("s.cpp", "int S::size() const { return c_; }\n", ""),
        ("m.cpp", "s.size()", "0"),
    ],
    ["s.cpp", "s.hpp", "m.cpp"],
    ["symbol_removed"],
)
JAVA = {
    "a/I.java": "package a;\npublic interface I { int f(int x); }\n",
    "a/A.java": "package a;\npublic class A implements I {\n  public int f(int x) { return x; }\n}\n",
    "a/B.java": "package a;\nclass B {\n  int g(I i) { return i.f(1); }\n  int h() { return new A().f(2); }\n}\n",
}
case(
    "java iface sig",
    JAVA,
    [("a/I.java", "int x", "int x, int y"), ("a/A.java", "int x", "int x, int y")],
    ["a/I.java", {"file": "a/A.java", "symbols": ["A.f"]}],
    ["signature_changed"],
)
case(
    "java caller lost",
    JAVA,
    [("a/B.java", "new A().f(2)", "2"), ("a/A.java", "return x", "return x + 0")],
    ["a/B.java", {"file": "a/A.java", "symbols": ["A.f"]}],
    ["caller_drift"],
)
GO = {
    "go.mod": "module m\n",
    "l/l.go": "package l\n\ntype L struct{ n int }\n\nfunc (l *L) Allow(k int) bool { return l.n > k }\n\nfunc New() *L { return &L{} }\n",
    "s/s.go": 'package s\n\nimport "m/l"\n\nfunc Serve(x *l.L) bool { return x.Allow(1) }\n',
    "l/l_test.go": 'package l\n\nimport "testing"\n\nfunc TestAllow(t *testing.T) {\n\tif New().Allow(1) {\n\t\tt.Fatal()\n\t}\n}\n',
}
case(
    "go sig",
    GO,
    [("l/l.go", "Allow(k int)", "Allow(k int, j int)")],
    [{"file": "l/l.go", "symbols": ["L.Allow"]}],
    ["signature_changed"],
)
case(
    "go gained",
    GO,
    [
        ("s/s.go", "func Serve", "func More(x *l.L) bool { return x.Allow(2) }\n\nfunc Serve"),
        ("l/l.go", "l.n > k", "l.n >= k"),
    ],
    ["s/s.go", {"file": "l/l.go", "symbols": ["L.Allow"]}],
    ["caller_drift"],
)
RUST = {
    "Cargo.toml": '[package]\nname = "m"\nversion = "0.1.0"\n',
    "src/lib.rs": "pub mod u;\nuse u::Unit;\npub struct M { pub u: Unit }\nimpl M {\n    pub fn watts(&self, v: f64) -> f64 { u::to_watts(v, &self.u) }\n}\n",
    "src/u.rs": "pub enum Unit { W, K }\nimpl Unit {\n    pub fn factor(&self) -> f64 { 1.0 }\n}\npub fn to_watts(v: f64, u: &Unit) -> f64 { v * u.factor() }\n",
}
case(
    "rs sig",
    RUST,
    [("src/u.rs", "to_watts(v: f64, u: &Unit)", "to_watts(v: f64, u: &Unit, s: f64)")],
    [{"file": "src/u.rs", "symbols": ["to_watts"]}],
    ["signature_changed"],
)
case(
    "rs attr",
    RUST,
    [("src/u.rs", "pub fn to_watts", "#[inline]\npub fn to_watts"), ("src/u.rs", "v * u", "1.0 * v * u")],
    [{"file": "src/u.rs", "symbols": ["to_watts"]}],
    ["signature_changed"],
)
case(
    "rs allow attr",
    RUST,
    [("src/u.rs", "pub fn to_watts", "#[must_use]\npub fn to_watts"), ("src/u.rs", "v * u", "1.0 * v * u")],
    [{"file": "src/u.rs", "symbols": ["to_watts"]}],
    ["signature_changed"],
)
case(
    "rs moved method body in other impl",
    RUST,
    [("src/u.rs", "1.0 }", "2.0 }")],
    [{"file": "src/u.rs", "symbols": ["Unit"]}],
    [],
)
TS = {
    "package.json": "{}",
    "src/st.ts": "export class Store {\n  items: string[] = [];\n  create(t: string, tags: string[] = []): number {\n    return this.items.push(t);\n  }\n}\n",
    "src/b.ts": 'import { Store } from "./st";\nexport function col(s: Store) {\n  return s.create("x");\n}\n',
    "src/index.ts": 'export * from "./b";\n',
}
case(
    "ts move fn keep",
    TS,
    [
        ("src/b.ts", 'export function col(s: Store) {\n  return s.create("x");\n}\n', "export const Z = 1;\n"),
        ("src/index.ts", '"./b"', '"./c"'),
        ("src/st.ts", "this.items.push(t)", "this.items.push(t) + 0"),
    ],
    ["src/b.ts", "src/index.ts", {"file": "src/st.ts", "symbols": ["Store.create"]}],
    [],
    write={"src/c.ts": 'import { Store } from "./st";\nexport function col(s: Store) {\n  return s.create("x");\n}\n'},
    creates=["src/c.ts"],
)
case(
    "ts decorator",
    TS,
    [("src/st.ts", "  create(", "  @log\n  create(")],
    [{"file": "src/st.ts", "symbols": ["Store.create"]}],
    ["signature_changed"],
)
case(
    "ts export removed",
    TS,
    [("src/b.ts", "export function col", "function col")],
    [{"file": "src/b.ts", "symbols": ["col"]}],
    ["signature_changed"],
)
PHP = {
    "composer.json": '{"autoload":{"psr-4":{"M\\\\":"src/"}}}',
    "src/D.php": "<?php\nnamespace M;\nclass D {\n  public function __construct(private int $c) {}\n  public function c(): int { return $this->c; }\n}\n",
    "src/K.php": "<?php\nnamespace M;\nclass K {\n  public function t(): int { return (new D(1))->c(); }\n}\n",
}
case(
    "php ctor",
    PHP,
    [("src/D.php", "private int $c)", "private int $c, private int $d)")],
    [{"file": "src/D.php", "symbols": ["D.__construct"]}],
    ["signature_changed"],
)
case(
    "php ctor default",
    PHP,
    [("src/D.php", "private int $c)", "private int $c, private int $d = 0)")],
    [
        {
            "file": "src/D.php",
            "symbols": [
                {"name": "D.__construct", "becomes": "public function __construct(private int $c, private int $d = 0)"}
            ],
        }
    ],
    [],
)
CS = {
    "A.cs": "namespace N {\n  public static class Ma {\n    public static bool Has(string t, string n) { return t == n; }\n  }\n}\n",
    "B.cs": 'namespace N {\n  public class B {\n    public bool F(string x) { return Ma.Has(x, n: "a"); }\n  }\n}\n',
}
case(
    "cs named arg",
    CS,
    [("A.cs", "string n)", "string needle)"), ("A.cs", "t == n", "t == needle")],
    [{"file": "A.cs", "symbols": ["Ma.Has"]}],
    ["signature_changed"],
)
JS = {
    "package.json": "{}",
    "a.js": "function merge(f, limit) {\n  return f.slice(0, limit);\n}\nmodule.exports = { merge };\n",
    "b.js": "const { merge } = require('./a');\nconst latest = (f) => merge(f, 3);\nmodule.exports = { latest };\n",
}
case(
    "js removed param",
    JS,
    [("a.js", "merge(f, limit)", "merge(f)"), ("a.js", "slice(0, limit)", "slice(0, 3)")],
    [{"file": "a.js", "symbols": ["merge"]}],
    ["signature_changed"],
)
case(
    "js arrow caller lost",
    JS,
    [("b.js", "merge(f, 3)", "f"), ("a.js", "slice(0, limit)", "slice(0, limit + 0)")],
    ["b.js", {"file": "a.js", "symbols": ["merge"]}],
    ["caller_drift"],
)
case(
    "js prose calls",
    JS,
    [("a.js", "slice(0, limit)", "slice(0, limit + 0)")],
    ["a.js"],
    ["false_integration_claim"],
    prose="`latest` now calls the existing `merge`.",
    report={},
)
case(
    "go added (*T).M",
    GO,
    [("l/l.go", "func New", "func (l *L) Left() int { return l.n }\n\nfunc New")],
    ["l/l.go"],
    [],
    report=claims(
        claim("symbol_added", symbol="l/l.go::L.Left", signature="func (l *L) Left() int"),
        claim("symbol_added", symbol="(*L).Left"),
        claim("symbol_added", symbol="L.Left"),
    ),
)
case(
    "go integration untested",
    GO,
    [("s/s.go", "func Serve", "func More(x *l.L) bool { return x.Allow(2) }\n\nfunc Serve")],
    ["s/s.go"],
    ["false_integration_claim"],
    report=claims(claim("integration", **{"from": "s/s.go::More", "to": "l/l.go::L.Allow"})),
)
case(
    "go integration tested",
    GO,
    [("s/s.go", "func Serve", "func More(x *l.L) bool { return x.Allow(2) }\n\nfunc Serve")],
    ["s/s.go"],
    [],
    report=claims(claim("integration", **{"from": "s/s.go::More", "to": "l/l.go::L.Allow"})),
    write={
        "s/s_test.go": 'package s\n\nimport (\n\t"m/l"\n\t"testing"\n)\n\nfunc TestMore(t *testing.T) {\n\tif More(l.New()) {\n\t\tt.Fatal()\n\t}\n}\n'
    },
    creates=["s/s_test.go"],
)
case(
    "go wrong sig claim",
    GO,
    [("l/l.go", "func New", "func (l *L) Left() int { return l.n }\n\nfunc New")],
    ["l/l.go"],
    ["report_code_mismatch"],
    report=claims(claim("symbol_added", symbol="L.Left", signature="func (l *L) Left() int64")),
)
case(
    "rs added Unit::is",
    RUST,
    [("src/u.rs", "1.0 }", "1.0 }\n    pub fn is_w(&self) -> bool { true }")],
    ["src/u.rs"],
    [],
    report=claims(
        claim("symbol_added", symbol="Unit::is_w", signature="pub fn is_w(&self) -> bool"),
        claim("symbol_added", symbol="crate::u::Unit::is_w"),
        claim("symbol_changed", symbol="Unit"),
    ),
)
case(
    "rs prose routed",
    RUST,
    [("src/lib.rs", "{ u::to_watts(v, &self.u) }", "{ u::to_watts(v, &self.u) * self.u.factor() }")],
    ["src/lib.rs"],
    [],
    report={},
    prose="`M::watts` is routed through the existing `Unit::factor`.",
)
case(
    "rs prose halluc",
    RUST,
    [("src/lib.rs", "{ u::to_watts(v, &self.u) }", "{ u::to_watts(v, &self.u) * self.u.factor() }")],
    ["src/lib.rs"],
    ["hallucinated_existing_symbol"],
    report={},
    prose="`M::watts` is routed through `Unit::scale`.",
)
case(
    "rs std is ok",
    RUST,
    [("src/lib.rs", "{ u::to_watts(v, &self.u) }", "{ u::to_watts(v, &self.u).abs() }")],
    ["src/lib.rs"],
    [],
    report={},
    prose="It uses the existing `f64::abs`.",
)
case(
    "ts arrow added",
    TS,
    [("src/b.ts", "export function col", "export const pick = (s: Store) => s.items[0];\nexport function col")],
    ["src/b.ts"],
    [],
    report=claims(
        claim("symbol_added", symbol="src/b.ts::pick"),
        claim("symbol_added", symbol="pick", signature="export const pick = (s: Store) =>"),
    ),
)
case(
    "ts claimed edge missing",
    TS,
    [("src/b.ts", 's.create("x")', 's.create("y")')],
    ["src/b.ts"],
    ["false_integration_claim"],
    report=claims(claim("integration", **{"from": "src/b.ts::col", "to": "src/st.ts::Store.items"})),
)
case(
    "ts interface new method type",
    TS,
    [("src/st.ts", "  items", "  private lock = false;\n  items")],
    ["src/st.ts"],
    [],
    report=claims(claim("symbol_changed", symbol="Store"), claim("symbol_added", symbol="Store.lock")),
)
case(
    "cpp claims",
    CPP,
    [
        ("s.hpp", "  int size() const;", "  int size() const;\n  void clear();"),
        ("s.cpp", "int S::size", "void S::clear() { c_ = 0; }\nint S::size"),
    ],
    ["s.cpp", "s.hpp"],
    [],
    report=claims(
        claim("symbol_added", symbol="s.cpp::n.S.clear"),
        claim("symbol_added", symbol="n::S::clear", signature="void S::clear()"),
        claim("symbol_added", symbol="S.clear"),
    ),
)
case(
    "cpp proto only",
    CPP,
    [("s.hpp", "  int size() const;", "  int size() const;\n  void clear();")],
    ["s.hpp"],
    ["report_code_mismatch"],
    report=claims(claim("symbol_added", symbol="S.clear")),
)
case(
    "java prose",
    JAVA,
    [("a/B.java", "return i.f(1);", "return i.f(1) + new A().f(3);")],
    ["a/B.java"],
    [],
    report={},
    prose="`B.g` now calls the existing `A.f`.",
)
case(
    "java removed claim false",
    JAVA,
    [("a/B.java", "return i.f(1);", "return i.f(2);")],
    ["a/B.java"],
    ["report_code_mismatch"],
    report=claims(claim("symbol_removed", symbol="A.f")),
)
case(
    "js express",
    JS,
    [("b.js", "merge(f, 3)", "merge(f, 4)")],
    ["b.js"],
    [],
    report=claims(claim("symbol_changed", symbol="b.js::latest")),
)
case(
    "js halluc in block changed",
    JS,
    [("b.js", "merge(f, 3)", "merge(f, 4)")],
    ["b.js"],
    ["hallucinated_existing_symbol"],
    report=claims(claim("symbol_changed", symbol="b.js::latests")),
)
case(
    "php added",
    PHP,
    [("src/D.php", "  public function c()", "  public function d(): int { return 2; }\n  public function c()")],
    ["src/D.php"],
    [],
    report=claims(
        claim("symbol_added", symbol="M\\D::d"),
        claim("symbol_added", symbol="D::d"),
        claim("symbol_added", symbol="src/D.php::D.d", signature="public function d(): int"),
    ),
)
case(
    "php prose arrow",
    PHP,
    [("src/K.php", "(new D(1))->c()", "(new D(1))->c() + 0")],
    ["src/K.php"],
    ["hallucinated_existing_symbol"],
    report={},
    prose="Sums use the existing `D->total()` now.",
)
case(
    "c added",
    C,
    [
        ("tape.c", "int tape_sum", "int tape_get(const struct tape *t)\n{\n    return t->n;\n}\nint tape_sum"),
        ("tape.h", "int tape_sum", "int tape_get(const struct tape *t);\nint tape_sum"),
    ],
    ["tape.c", "tape.h"],
    [],
    report=claims(
        claim("symbol_added", symbol="tape_get", signature="int tape_get(const struct tape *t)"),
        claim("symbol_added", symbol="tape.c::tape_get"),
    ),
)


@pytest.mark.parametrize("each", CASES, ids=lambda each: each.name)
def test_what_is_found(tmp_path: Path, each: Case) -> None:
    work = Working(tmp_path / "work", each.files)
    for edit in each.edits:
        work.replace(*edit)
    work.write(each.new)
    done = work.audit(*each.touches, report=each.report, prose=each.prose, **each.keys)
    assert kinds(done) == set(each.expected), [finding.message for finding in done.findings]
