//! Prints what is found in a file: `cargo run --example dump FILE`.
use mmcg_lang::Language;

fn main() {
    let path = std::env::args().nth(1).expect("a file");
    let text = std::fs::read_to_string(&path).expect("readable");
    let language = Language::for_path(&path, &text).expect("a language");
    for wrong in mmcg_evidence::check(language) {
        println!("WRONG {wrong}");
    }
    let e = mmcg_evidence::evidence(&text, &path, language);
    for u in &e.units {
        println!(
            "UNIT {} {} test={} {:?} sym={} {}-{}",
            u.kind, u.name, u.test, u.path, u.symbol, u.at.line, u.at.end_line
        );
    }
    for a in &e.assertions {
        println!(
            "ASSERT {} {} [{}] s={} {} :: {}",
            a.at.line,
            a.form,
            a.vacuous,
            a.strength,
            if a.implicit { "implicit" } else { "" },
            a.text
        );
    }
    for m in &e.marks {
        println!("MARK {} {} {} -> {}-{}", m.at.line, m.kind, m.text, m.target.line, m.target.end_line);
    }
    for s in &e.suppressions {
        println!("QUIET {} {} | {} | {:?} in {} on {}", s.at.line, s.form, s.text, s.tools, s.symbol, s.target);
    }
    for n in &e.numbers {
        println!("NUMBER {} {} {} in {}", n.at.line, n.name, n.value, n.symbol);
    }
    if std::env::args().nth(2).is_some() {
        let parser = language.parser().expect("a parser");
        let mut p = tree_sitter::Parser::new();
        p.set_language(&parser).expect("a parser");
        println!("{}", p.parse(&text, None).expect("a tree").root_node().to_sexp());
        for c in &e.calls {
            println!("CALL {} {} {}", c.at.line, c.head, c.name);
        }
    }
}
