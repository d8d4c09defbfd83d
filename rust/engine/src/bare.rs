//! The facts of a file about which nothing is known but that it is there.

use mmcg_facts::{
    FileFacts, Place, Problem, ProblemCode, Scope, ScopeId, ScopeKind, Span, Symbol, SymbolFlags, SymbolId, SymbolKind,
    UseKind, Visibility,
};

/// Facts that hold the module symbol and nothing else.
pub fn bare_facts(text: &str) -> FileFacts {
    let mut facts = FileFacts { lines: count_lines(text), ..FileFacts::default() };
    let name = std::sync::Arc::make_mut(&mut facts.names).push("<module>");
    let signature = facts.texts.push("");
    facts.scopes.push(Scope { kind: ScopeKind::File, parent: None, symbol: SymbolId(0) });
    facts.symbols.push(Symbol {
        name,
        qualified: name,
        kind: SymbolKind::Module,
        container: None,
        scope: ScopeId(0),
        body: Some(ScopeId(0)),
        owner: None,
        span: Span { start: 0, end: text.len() as u32, line: 1, end_line: facts.lines.max(1) },
        place: Place::new(1, 1, UseKind::None),
        params: 0..0,
        declared: None,
        value: None,
        type_params: 0..0,
        decorators: 0..0,
        flags: SymbolFlags::default(),
        visibility: Visibility::Public,
        signature,
        doc: None,
        body_hash: 0,
    });
    facts
}

/// The same for a file whose extraction failed.
pub fn failed_facts(text: &str, message: String) -> FileFacts {
    let mut facts = bare_facts(text);
    facts.problems.push(Problem { code: ProblemCode::Internal, line: 1, message });
    facts
}

fn count_lines(text: &str) -> u32 {
    let ends = text.bytes().filter(|&b| b == b'\n').count();
    (ends + usize::from(!text.is_empty() && !text.ends_with('\n'))) as u32
}
