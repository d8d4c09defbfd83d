//! `overrides`: one row a method and member that it overrides or implements.

use super::{Columns, Give, Table};
use crate::graph::Graph;

pub fn table(graph: &Graph, give: &mut Give<'_>) {
    let mut rows = graph.resolution.overrides.clone();
    rows.sort_unstable();
    rows.dedup();
    Table::give(
        "overrides",
        &rows,
        |rows| {
            Columns::new()
                .u32("symbol", rows.iter().map(|row| row.0 .0))
                .u32("overridden", rows.iter().map(|row| row.1 .0))
        },
        give,
    );
}
