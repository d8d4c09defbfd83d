//! `calls`: one row a call site and target, by target (those without one last), source and place.

use super::symbols::{local_name, repeated_names};
use super::{Columns, Give, Table};
use crate::core_api::Edge;
use crate::graph::Graph;
use mmcg_facts::{FileFacts, NameId, Site, SiteFlags, UseKind};
use rayon::prelude::*;

pub fn table(graph: &Graph, give: &mut Give<'_>) {
    let mut rows: Vec<&Edge> = graph.resolution.edges.iter().collect();
    rows.par_sort_by_cached_key(|row| {
        let target = (row.target.is_none(), row.target);
        (target, row.source, row.place.line, row.place.column(), row.site, row.rule)
    });
    let repeated = repeated_names(graph);
    Table::give(
        "calls",
        &rows,
        |rows| {
            let sites = || rows.iter().map(|row| site(graph, row));
            // Beside a call of something here stands what is said about its caller, so that nothing more need be read.
            let callers = || rows.iter().map(|row| row.target.map(|_| graph.symbol_in(row.file.0, row.source.0)));
            Columns::new()
                .maybe_u32("target", rows.iter().map(|row| row.target.map(|sym| sym.0)))
                .maybe_u32("constructs", rows.iter().map(|row| row.constructs.map(|sym| sym.0)))
                .u32("source", rows.iter().map(|row| row.source.0))
                .u32("file", rows.iter().map(|row| row.file.0))
                .u32("line", rows.iter().map(|row| row.place.line))
                .u32("column", rows.iter().map(|row| row.place.column()))
                .numbered("name", rows.iter().map(|row| called_name(graph, row)), |name| {
                    name.map_or("", |name| graph.name(name))
                })
                .word("confidence", rows.iter().map(|row| row.confidence.as_str()))
                .word("rule", rows.iter().map(|row| row.rule.as_str()))
                .maybe_repeated("external", rows.iter().map(|row| row.external.as_deref()))
                .maybe_u16("arguments", sites().map(|(_, site)| site.and_then(arguments)))
                .maybe_repeated("keywords", sites().map(|(facts, site)| site.and_then(|site| keywords(facts, site))))
                .bool("spread", sites().map(|(_, site)| site.is_some_and(|site| site.flags.has(SiteFlags::SPREAD))))
                .word("form", rows.iter().map(|row| form(graph, row)))
                .maybe_numbered("caller", rows.iter().map(|row| row.target.map(|_| row.source)), |source| {
                    local_name(graph, &repeated, source.0)
                })
                .maybe_word("caller_kind", callers().map(|caller| caller.map(|symbol| symbol.kind.as_str())))
                .maybe_u32("caller_line", callers().map(|caller| caller.map(|symbol| symbol.place.line)))
        },
        give,
    );
}

/// The site of an edge; reads and writes that run a property have none.
fn site<'a>(graph: &'a Graph, row: &Edge) -> (&'a FileFacts, Option<&'a Site>) {
    let facts = &graph.inputs[row.file.0 as usize].facts;
    (facts, row.site.map(|site| facts.site(site)))
}

/// The name as written at the site; for a property, its own.
fn called_name(graph: &Graph, row: &Edge) -> Option<NameId> {
    match (site(graph, row).1, row.target) {
        (Some(site), _) => Some(site.name),
        (None, target) => target.map(|target| graph.symbol(target.0).name),
    }
}

/// How many arguments are written, named ones too; nothing where that does not say how many arrive.
fn arguments(site: &Site) -> Option<u16> {
    let unknown = [SiteFlags::SPREAD, SiteFlags::READ, SiteFlags::WRITE, SiteFlags::DECORATOR, SiteFlags::OPERATOR];
    let known = !unknown.iter().any(|&flag| site.flags.has(flag));
    known.then(|| u16::try_from(site.args.len()).unwrap_or(u16::MAX))
}

/// The names of named arguments as a JSON array.
fn keywords(facts: &FileFacts, site: &Site) -> Option<String> {
    let args = &facts.args[site.args.start as usize..site.args.end as usize];
    let names: Vec<&str> = args.iter().filter_map(|arg| arg.name).map(|name| facts.name(name)).collect();
    if names.is_empty() {
        return None;
    }
    serde_json::to_string(&names).ok()
}

fn form(graph: &Graph, row: &Edge) -> &'static str {
    let Some(site) = site(graph, row).1 else {
        return if row.place.used() == UseKind::Write { "write" } else { "read" };
    };
    let forms = [
        (SiteFlags::DELEGATE, "delegate"),
        (SiteFlags::NEW, "new"),
        (SiteFlags::ELEMENT, "element"),
        (SiteFlags::OPERATOR, "operator"),
        (SiteFlags::DECORATOR, "decorator"),
        (SiteFlags::MACRO, "macro"),
        (SiteFlags::WRITE, "write"),
        (SiteFlags::READ, "read"),
    ];
    forms.iter().find(|(flag, _)| site.flags.has(*flag)).map_or("call", |(_, word)| word)
}
