//! `references`: one row a use that is no call, by target, file and line.

use super::{Columns, Give, Table};
use crate::graph::Graph;
use mmcg_facts::UseKind;
use rayon::prelude::*;

pub fn table(graph: &Graph, give: &mut Give<'_>) {
    let mut rows: Vec<_> = graph.resolution.references.iter().filter(|row| row.kind() != UseKind::None).collect();
    rows.par_sort_unstable_by_key(|row| {
        (row.target, row.file, row.place.line, row.place.column(), row.source, row.kind(), row.rule)
    });
    Table::give(
        "references",
        &rows,
        |rows| {
            Columns::new()
                .u32("target", rows.iter().map(|row| row.target.0))
                .u32("source", rows.iter().map(|row| row.source.0))
                .u32("file", rows.iter().map(|row| row.file.0))
                .u32("line", rows.iter().map(|row| row.place.line))
                .u32("column", rows.iter().map(|row| row.place.column()))
                .word("kind", rows.iter().map(|row| word(row.kind())))
                .word("confidence", rows.iter().map(|row| row.confidence.as_str()))
                .word("rule", rows.iter().map(|row| row.rule.as_str()))
        },
        give,
    );
}

fn word(used: UseKind) -> &'static str {
    match used {
        UseKind::None | UseKind::Read => "read",
        UseKind::Write => "write",
        UseKind::Call => "call",
        UseKind::Type => "type",
        UseKind::Import => "import",
        UseKind::Inherit => "inherit",
    }
}
