//! `symbols`: one row a symbol, by file and in source order.

use super::parameters::{parameters, Arity};
use super::render::Render;
use super::{Columns, Give, Table};
use crate::core_api::{is_test, rules};
use crate::graph::Graph;
use mmcg_facts::{FileFacts, NameId, Symbol, SymbolFlags};
use rustc_hash::{FxHashMap, FxHashSet};
use std::borrow::Cow;

/// A symbol's file, and its index in there.
type Row = (u32, u32);

pub fn table(graph: &Graph, give: &mut Give<'_>) {
    let mut rows: Vec<Row> = Vec::with_capacity(graph.symbol_count());
    for (file, input) in graph.inputs.iter().enumerate() {
        rows.extend((0..input.facts.symbols.len() as u32).map(|index| (file as u32, index)));
    }
    let ambiguous = repeated_names(graph);
    Table::give("symbols", &rows, |rows| columns(graph, &ambiguous, rows), give);
}

fn columns(graph: &Graph, ambiguous: &FxHashSet<(u32, NameId)>, rows: &[Row]) -> Columns {
    let symbols = || {
        rows.iter().map(|&(file, index)| {
            let facts = &graph.inputs[file as usize].facts;
            (file, facts, &facts.symbols[index as usize])
        })
    };
    let language = |file: u32| graph.files[file as usize].language;
    let flag = |flag: SymbolFlags| symbols().map(move |(_, _, symbol)| symbol.flags.has(flag));
    let arities: Vec<Arity> = symbols().map(|(_, facts, symbol)| Arity::of(facts, symbol)).collect();
    Columns::new()
        .u32("id", rows.iter().map(|&(file, index)| graph.first_symbols[file as usize] + index))
        .u32("file", rows.iter().map(|row| row.0))
        .repeated("path", rows.iter().map(|row| &graph.files[row.0 as usize].path))
        .text(
            "address",
            symbols().map(|(file, facts, symbol)| {
                let path = &graph.files[file as usize].path;
                address(path, facts, symbol, ambiguous.contains(&(file, symbol.qualified)))
            }),
        )
        .repeated("name", symbols().map(|(_, facts, symbol)| facts.name(symbol.name)))
        .text("qualified", symbols().map(|(_, facts, symbol)| facts.name(symbol.qualified)))
        .word("kind", symbols().map(|(_, _, symbol)| symbol.kind.as_str()))
        .maybe_u32(
            "container",
            symbols().map(|(file, _, symbol)| {
                symbol.container.map(|container| graph.first_symbols[file as usize] + container.0)
            }),
        )
        .u32("line", symbols().map(|(_, _, symbol)| symbol.place.line))
        .u32("column", symbols().map(|(_, _, symbol)| symbol.place.column()))
        .u32("end_line", symbols().map(|(_, _, symbol)| symbol.span.end_line))
        .u32("start_byte", symbols().map(|(_, _, symbol)| symbol.span.start))
        .u32("end_byte", symbols().map(|(_, _, symbol)| symbol.span.end))
        .text("signature", symbols().map(|(_, facts, symbol)| facts.texts.get(symbol.signature)))
        .repeated(
            "parameters",
            symbols()
                .map(|(file, facts, symbol)| parameters(facts, symbol, &Render::new(facts, rules(language(file))))),
        )
        .u16("required", arities.iter().map(|arity| arity.required))
        .maybe_u16("maximum", arities.iter().map(|arity| arity.maximum))
        .repeated("decorators", symbols().map(|(_, facts, symbol)| decorators(facts, symbol)))
        .word("visibility", symbols().map(|(_, _, symbol)| symbol.visibility.as_str()))
        .maybe_text("doc", symbols().map(|(_, facts, symbol)| symbol.doc.map(|doc| facts.texts.get(doc))))
        .u64("body_hash", symbols().map(|(_, _, symbol)| symbol.body_hash))
        .bool(
            "test",
            symbols().map(|(file, _, symbol)| is_test(language(file), &graph.files[file as usize].path, symbol)),
        )
        .bool("static", flag(SymbolFlags::STATIC))
        .bool("async", flag(SymbolFlags::ASYNC))
        .bool(
            "abstract",
            symbols().map(|(_, _, symbol)| {
                symbol.flags.has(SymbolFlags::ABSTRACT) || symbol.flags.has(SymbolFlags::OVERLOAD_SIGNATURE)
            }),
        )
        .bool(
            "exported",
            symbols().map(|(_, _, symbol)| {
                symbol.flags.has(SymbolFlags::EXPORTED) || symbol.flags.has(SymbolFlags::DEFAULT_EXPORT)
            }),
        )
        .repeated("language", symbols().map(|(file, ..)| language(file).name))
}

/// Qualified names that several symbols of a file have.
pub fn repeated_names(graph: &Graph) -> FxHashSet<(u32, NameId)> {
    let mut repeated = FxHashSet::default();
    let mut counts: FxHashMap<NameId, u32> = FxHashMap::default();
    for (file, input) in graph.inputs.iter().enumerate() {
        counts.clear();
        for symbol in &input.facts.symbols {
            *counts.entry(symbol.qualified).or_default() += 1;
        }
        repeated.extend(counts.iter().filter(|(_, &count)| count > 1).map(|(&name, _)| (file as u32, name)));
    }
    repeated
}

/// What follows the path in a symbol's address.
pub fn local_name<'a>(graph: &'a Graph, repeated: &FxHashSet<(u32, NameId)>, id: u32) -> Cow<'a, str> {
    let file = graph.file_of(id);
    let (facts, symbol) = (&graph.inputs[file as usize].facts, graph.symbol(id));
    unique_name(facts, symbol, repeated.contains(&(file, symbol.qualified)))
}

fn unique_name<'a>(facts: &'a FileFacts, symbol: &Symbol, repeated: bool) -> Cow<'a, str> {
    let qualified = facts.name(symbol.qualified);
    if repeated {
        Cow::Owned(format!("{qualified}@{}", symbol.place.line))
    } else {
        Cow::Borrowed(qualified)
    }
}

fn address(path: &str, facts: &FileFacts, symbol: &Symbol, repeated: bool) -> String {
    format!("{path}::{}", unique_name(facts, symbol, repeated))
}

/// The texts of decorators as a JSON array.
fn decorators(facts: &FileFacts, symbol: &Symbol) -> String {
    let texts: Vec<&str> = symbol.decoration.map_or(Vec::new(), |texts| facts.texts.get(texts).lines().collect());
    serde_json::to_string(&texts).unwrap_or_default()
}
