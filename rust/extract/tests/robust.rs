//! Whatever the text, there are facts.

use mmcg_extract::{extract, Extractor};
use mmcg_lang::Language;

const PYTHON: &str = "@d(1)\nclass A(B):\n    '''Doc'''\n    x: 'T' = [f(i) for i in y if (z := i)]\n    async def m(self, *a, k=lambda q: q.r, **kw):\n        global g\n        with a as b, c() as (d, e):\n            self.p[0].q, g = await h(*a, **kw)\n        return super().m()\nfrom .x import (y as z, *)\n";
const TSX: &str = "import d, { a as b } from './x';\nexport const f = async ({ p, q: [r = 2] }: P<T>, ...z): Promise<U[]> => <A.B x={g(1)} {...z}>é{h()}</A.B>;\nexport default class<T extends K> extends M(N) implements I { static #x = () => this.y!; get [k]() { return `${v}` } }\nmodule.exports = { a, b() {}, ...require('c') };\n";

#[test]
fn every_beginning_and_every_gap_of_a_text_has_facts() {
    let mut extractor = Extractor::default();
    for (name, source) in [("python", PYTHON), ("tsx", TSX), ("javascript", TSX), ("vue", TSX)] {
        let language = Language::by_name(name).expect("a known language");
        for (at, c) in source.char_indices() {
            let facts = extractor.extract(&source[..at], language);
            assert!(!facts.symbols.is_empty());
            let mut gap = source[..at].to_owned();
            gap.push_str(&source[at + c.len_utf8()..]);
            extractor.extract(&gap, language);
        }
    }
}

#[test]
fn depth_does_not_matter() {
    let depth = 100_000;
    let language = Language::by_name("javascript").expect("a known language");
    let source = format!("function f(){{{}g();{}}}", "{".repeat(depth), "}".repeat(depth));
    assert_eq!(extract(&source, language).sites.len(), 1);
    let language = Language::by_name("python").expect("a known language");
    let source = format!("x = {}g(){}\n", "[".repeat(20_000), "]".repeat(20_000));
    assert_eq!(extract(&source, language).sites.len(), 1);
}

#[test]
fn old_and_mixed_line_ends_count() {
    let language = Language::by_name("python").expect("a known language");
    for source in ["def a():\r    b()\r", "def a():\r\n    b()\r\n", "\u{feff}def a():\n    b()\n"] {
        let facts = extract(source, language);
        assert_eq!(facts.symbols[1].place.line, 1, "{source:?}");
        assert_eq!((facts.sites[0].place.line, facts.sites[0].place.column()), (2, 5), "{source:?}");
    }
}

#[test]
fn an_extractor_forgets_the_file_before() {
    let language = Language::by_name("tsx").expect("a known language");
    let mut extractor = Extractor::default();
    let first = extractor.extract(TSX, language);
    extractor.extract("const x = 1;", Language::by_name("vue").expect("a known language"));
    assert_eq!(extractor.extract(TSX, language), first);
    assert_eq!(extract(TSX, language), first);
}
