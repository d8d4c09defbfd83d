//! `calls`: one row a call site and target, by target (those without one last), source and place.

use super::{Columns, Table};
use crate::core_api::Edge;
use crate::graph::Graph;
use mmcg_facts::{FileFacts, Site, SiteFlags};

pub fn table(graph: &Graph) -> Table {
    let mut rows: Vec<&Edge> = graph.resolution.edges.iter().collect();
    rows.sort_by_cached_key(|row| {
        let place = site(graph, row).1.place;
        let target = (row.target.is_none(), row.target);
        (target, graph.source(row), place.line, place.column(), row.site, row.rule)
    });
    Table::new("calls", &rows, |rows| {
        let sites = || rows.iter().map(|row| site(graph, row));
        Columns::new()
            .maybe_u32("target", rows.iter().map(|row| row.target))
            .u32("source", rows.iter().map(|row| graph.source(row)))
            .u32("file", rows.iter().map(|row| row.file.0))
            .u32("line", sites().map(|(_, site)| site.place.line))
            .u32("column", sites().map(|(_, site)| site.place.column()))
            .repeated("name", rows.iter().map(|row| graph.names(row.file.0).get(site(graph, row).1.name)))
            .word("confidence", rows.iter().map(|row| row.confidence.as_str()))
            .word("rule", rows.iter().map(|row| row.rule.as_str()))
            .maybe_repeated("external", rows.iter().map(|row| row.external.as_deref()))
            .maybe_u16("arguments", sites().map(|(_, site)| arguments(site)))
            .maybe_repeated("keywords", rows.iter().map(|row| keywords(graph, row)))
            .bool("spread", sites().map(|(_, site)| site.flags.has(SiteFlags::SPREAD)))
            .word("form", sites().map(|(_, site)| form(site.flags)))
    })
}

fn site<'a>(graph: &'a Graph, row: &Edge) -> (&'a FileFacts, &'a Site) {
    let facts = graph.facts(row.file.0);
    (facts, facts.site(row.site))
}

/// How many arguments are written, named ones too; nothing where that does not say how many arrive.
fn arguments(site: &Site) -> Option<u16> {
    let unknown = [SiteFlags::SPREAD, SiteFlags::READ, SiteFlags::WRITE, SiteFlags::DECORATOR, SiteFlags::OPERATOR];
    let known = !unknown.iter().any(|&flag| site.flags.has(flag));
    known.then(|| u16::try_from(site.args.len()).unwrap_or(u16::MAX))
}

/// The names of named arguments as a JSON array.
fn keywords(graph: &Graph, row: &Edge) -> Option<String> {
    let ((facts, site), table) = (site(graph, row), graph.names(row.file.0));
    let args = &facts.args[site.args.start as usize..site.args.end as usize];
    let names: Vec<&str> = args.iter().filter_map(|arg| arg.name).map(|name| table.get(name)).collect();
    if names.is_empty() {
        return None;
    }
    serde_json::to_string(&names).ok()
}

fn form(flags: SiteFlags) -> &'static str {
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
    forms.iter().find(|(flag, _)| flags.has(*flag)).map_or("call", |(_, word)| word)
}
