//! The evidence data of every language names what its parser knows, and nothing else.

use mmcg_lang::Language;

#[test]
fn every_pattern_and_node_kind_is_known() {
    let wrong: Vec<String> = mmcg_lang::all()
        .iter()
        .flat_map(|language| mmcg_evidence::check(language).into_iter().map(|w| format!("{}: {w}", language.name)))
        .collect();
    assert_eq!(wrong, Vec::<String>::new());
}

#[test]
fn what_a_file_holds_is_found_again_in_its_text() {
    let source = "def test_a():\n    assert f() == 1  # noqa\n";
    let language = Language::by_name("python").expect("compiled in");
    let found = mmcg_evidence::evidence(source, "tests/test_a.py", language);
    let text = |at: mmcg_evidence::At| &source[at.start as usize..at.end as usize];
    assert_eq!(
        found.units.iter().map(|u| text(u.at)).collect::<Vec<_>>(),
        ["def test_a():\n    assert f() == 1  # noqa"]
    );
    assert_eq!(found.assertions.iter().map(|a| text(a.at)).collect::<Vec<_>>(), ["assert f() == 1"]);
    assert_eq!(found.suppressions.iter().map(|s| text(s.at)).collect::<Vec<_>>(), ["# noqa"]);
}
