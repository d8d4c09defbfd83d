//! Prints the parsed tree of a file, with fields: for writers of `language.toml`.

fn main() {
    for path in std::env::args().skip(1) {
        let source = std::fs::read_to_string(&path).expect("a readable file");
        let language = mmcg_lang::Language::for_path(&path, &source).expect("a known language");
        let mut parser = tree_sitter::Parser::new();
        parser.set_language(&language.parser().expect("a parser")).expect("a fitting parser");
        let tree = parser.parse(&source, None).expect("a tree");
        print(tree.walk(), &source);
    }
}

fn print(mut cursor: tree_sitter::TreeCursor<'_>, source: &str) {
    let mut depth = 0;
    loop {
        let node = cursor.node();
        let field = cursor.field_name().map_or(String::new(), |f| format!("{f}: "));
        let kind = if node.is_named() { node.kind().to_owned() } else { format!("'{}'", node.kind()) };
        let text = if node.child_count() == 0 { &source[node.byte_range()] } else { "" };
        println!("{:depth$}{field}{kind} {text:?}", "", depth = depth * 2);
        if cursor.goto_first_child() {
            depth += 1;
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return;
            }
            depth -= 1;
        }
    }
}
