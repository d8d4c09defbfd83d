//! Every folder in `grammars/` fits its grammar.

#[test]
fn all_grammar_data_fits_its_parser() {
    let mut wrong = Vec::new();
    for language in mmcg_lang::all() {
        wrong.extend(language.check().into_iter().map(|e| format!("{}: {e}", language.name)));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
