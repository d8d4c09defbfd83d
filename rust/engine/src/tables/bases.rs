//! `bases`: one row a base of a type, by type and in written order.

use super::{Columns, Give, Table};
use crate::graph::Graph;

pub fn table(graph: &Graph, give: &mut Give<'_>) {
    let mut rows: Vec<_> = graph.resolution.bases.iter().collect();
    rows.sort_by_key(|row| row.symbol);
    Table::give(
        "bases",
        &rows,
        |rows| {
            Columns::new()
                .u32("symbol", rows.iter().map(|row| row.symbol.0))
                .maybe_u32("base", rows.iter().map(|row| row.base.map(|sym| sym.0)))
                .repeated("name", rows.iter().map(|row| &row.name))
                .word("kind", rows.iter().map(|row| row.kind.as_str()))
                .u32("line", rows.iter().map(|row| row.line))
                .word("confidence", rows.iter().map(|row| row.rule.confidence().as_str()))
                .word("rule", rows.iter().map(|row| row.rule.as_str()))
        },
        give,
    );
}
