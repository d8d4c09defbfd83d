//! Small specimens: source in, facts as text out. Each asks for the lines that it is about.

mod render;

use mmcg_lang::Language;

/// Checks that the facts of a source have these lines, and none that begin with one of `not`.
#[track_caller]
fn check(language: &str, source: &str, lines: &[&str], not: &[&str]) {
    let language = Language::by_name(language).expect("a known language");
    let text = render::render(&mmcg_extract::extract(source, language));
    let have: Vec<&str> = text.lines().map(str::trim).collect();
    for line in lines {
        assert!(have.contains(line), "no line `{line}` in\n{text}");
    }
    for start in not {
        assert!(!have.iter().any(|l| l.starts_with(start)), "a line `{start}…` in\n{text}");
    }
}

#[test]
fn python_functions_and_parameters() {
    check(
        "python",
        "async def f(a, /, b: int = 3, *args, k, **kw) -> list['Foo']:\n    '''Does f.\n\n    Well.\n    '''\n    return b\n",
        &[
            "function f async @1:11-6 (positional a, b?: int = \"3\", variadic args, keyword k, keywordvariadic kw) -> list[Foo]",
            "| async def f(a, /, b: int = 3, *args, k, **kw) -> list['Foo']",
            "\" Does f. /  / Well.",
            "return function s1 in f: b",
            "use type Foo @1:56",
        ],
        &["problem", "return function s1 in f: <string>"],
    );
}

#[test]
fn python_classes_and_decorators() {
    check(
        "python",
        "class A(B, C[int], metaclass=M):\n    x: int = make()\n    @property\n    def p(self): return self.v\n    @staticmethod\n    def s(a): yield a\n    def __init__(self, v: V):\n        super().__init__(v)\n        self.v: V = v\n",
        &[
            "base A extends B",
            "base A extends C[int]",
            "field A.x @2:5-2 -> int = make()",
            "property A.p getter @4:9-4 (receiver self?) = property(symbol A.p)",
            "method A.s static generator @6:9-6 (a) = staticmethod(symbol A.s)",
            "constructor A.__init__ @7:9-9 (receiver self?, v: V)",
            "set self.v: V = v in A.__init__ @9:14",
            "call __init__ from A.__init__ s4 @8:17: <super>.__init__(v)",
            "decorator call property from <module> s1 @3:6: property(symbol A.p)",
            "use inherit B @1:9",
            "use inherit C @1:12",
        ],
        &["base A extends M", "call super"],
    );
}

#[test]
fn python_flow() {
    check(
        "python",
        "def f(a):\n    global G\n    G = 1\n    x, (y, a.z) = h(a)\n    with open(a) as fh: fh.read()\n    for i in a: i.go()\n    try: pass\n    except E as e: e.stop()\n    return [one.run() for one in x], (w := g())\n",
        &[
            "bind s0 G = \"1\" @3:5",
            "bind s1 x = h(a)#0 @4:5",
            "bind s1 y = h(a)#1#0 @4:9",
            "set a.z = h(a)#1#1 in f @4:14",
            "bind s1 fh = entered(open(a)) @5:21",
            "bind s1 i = element(a) @6:9",
            "bind s1 e = of(E) @8:17",
            "bind s2 one = element(x) @9:27",
            "bind s1 w = g() @9:39",
            "call run from f s2 @9:17: one.run()",
        ],
        &["use read a ", "use read x "],
    );
}

#[test]
fn python_imports() {
    check(
        "python",
        "import os, a.b\nimport numpy as np\nfrom . import x\nfrom ..p.q import (y as z, w)\nfrom m import *\n__all__ = ['f']\n__all__ += ['g']\n",
        &[
            "import module os exported s0 @1:8",
            "import module a.b exported s0 @1:12",
            "decl a in file s0 in <module>: import 1",
            "import module numpy as np exported s0 @2:8",
            "import member . name x as x exported s0 @3:15",
            "import member ..p.q name y as z exported s0 @4:20",
            "import glob m exported s0 @5:15",
            "public f g",
        ],
        &["problem"],
    );
}

#[test]
fn javascript_modules() {
    check(
        "javascript",
        "import d, { a as b, default as e } from './x';\nimport * as ns from './y';\nimport './z';\nexport { b as c };\nexport { f, default as g } from './u';\nexport * from './v';\nexport default new Clock();\nconst { p, q: r } = require('./w'), m = require('./n');\nrequire('./side').go();\nexports.f = function (a) { return a };\nmodule.exports = { p, tick() { t(); } };\n",
        &[
            "import default ./x as d s0 @1:8",
            "import member ./x name a as b s0 @1:13",
            "import default ./x as e s0 @1:21",
            "import module ./y as ns s0 @2:13",
            "import file ./z s0 @3:8",
            "export \"c\" b",
            "import member ./u name f as f exported s0 @5:10",
            "import default ./u as g exported s0 @5:13",
            "import glob ./v exported s0 @6:1",
            "export \"default\" Clock()",
            "import member ./w name p as p s0 @8:9",
            "import member ./w name q as r s0 @8:12",
            "import module ./n as m s0 @8:37",
            "import module ./side as require('./side') s0 @9:1",
            "function f @10:9-10 (a)",
            "export \"f\" symbol f",
            "export \"p\" p",
            "export \"tick\" symbol tick",
            "call t from tick s2 @11:32: t()",
        ],
        &["problem", "call require"],
    );
}

#[test]
fn javascript_named_values_and_blocks() {
    check(
        "javascript",
        "export const every = (l) => l.map((n) => scale(n));\nconst desk = { tick() { return g(); }, run: steep };\nconst list = all.map((n) => deep(n));\nfunction f(items) {\n  for (const k of items) k();\n  const send = (t) => t;\n  return send(1);\n}\nclass A extends B { static make = () => new A(); get v() { return super.v } constructor({ a }) { super(a); } }\n",
        &[
            "function every exported @1:14-1 (l)",
            "call scale from every s2 @1:42: scale(n)",
            "method desk.tick @2:16-2",
            "constant desk @2:7-2 = {tick=symbol desk.tick, run=steep}",
            "call deep from list s4 @3:29: deep(n)",
            "decl k in block s6 in f: variable",
            "function f.send @6:9-6 (t)",
            "method A.make static @9:28-9",
            "property A.v getter @9:54-9",
            "bind s11 a = { a }.a @9:91",
            "delegate call super from A.constructor s11 @9:98: <super>(a)",
            "base A extends B",
        ],
        &["problem"],
    );
}

#[test]
fn typescript_types() {
    check(
        "typescript",
        "export interface I extends L { id: number; run(a: Foo): void }\nabstract class A<T extends K> extends B<T> implements I {\n  private x: Foo = make();\n  constructor(private svc: Svc, n?: T) { super(); }\n  abstract area(): Box<T>;\n}\ntype U = X | Y;\nenum E { P, Q = 2 }\nnamespace N { export function f() { return <Foo>raw(); } }\n",
        &[
            "interface I exported @1:18-1",
            "base I extends L",
            "method I.run abstract @1:44-1 (a: Foo) -> ?",
            "base A extends B",
            "base A implements I",
            "field A.x private @3:11-3 -> Foo = make()",
            "constructor A.constructor @4:3-4 (field svc: Svc, n?: T)",
            "method A.area abstract @5:12-5 -> Box[T]",
            "type U @7:6-7 = (X | Y)",
            "variant E.P @8:10-8",
            "function N.f exported @9:31-9",
            "return function s10 in N.f: (raw() as Foo)",
        ],
        &["problem", "use type T"],
    );
}

#[test]
fn elements_are_calls() {
    check(
        "tsx",
        "export function Screen() { return <section><Banner text={tag()} {...rest} /><Kit.Pill></Kit.Pill></section>; }\n",
        &[
            "element spread call Banner from Screen s1 @1:45: Banner(text=tag(), *rest)",
            "element call Pill from Screen s1 @1:82: Kit.Pill()",
            "call tag from Screen s1 @1:58: tag()",
        ],
        &["problem", "element call section"],
    );
}

#[test]
fn only_script_blocks_of_components_are_read() {
    check(
        "vue",
        "<template>\n  <p>{{ label() }}</p>\n</template>\n<script setup lang=\"ts\">\nfunction label(): string { return money(3); }\n</script>\n",
        &["function label @5:10-5 -> ?", "call money from label s1 @5:35: money(\"3\")"],
        &["problem"],
    );
}

#[test]
fn a_mistake_leaves_the_rest() {
    check(
        "typescript",
        "export function one(): number { return two(); }\nconst x = ;\nexport function two(): number { return 1; }\n",
        &[
            "function one exported @1:17-1 -> ?",
            "function two exported @3:17-3 -> ?",
            "call two from one s1 @1:40: two()",
        ],
        &[],
    );
}
