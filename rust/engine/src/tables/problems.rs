//! `problems`: one row a problem, by path and line.

use super::{Columns, Give, Table};
use crate::graph::Graph;
use mmcg_facts::Problem;

pub fn table(graph: &Graph, give: &mut Give<'_>) {
    let rows = graph.problems();
    Table::give(
        "problems",
        &rows,
        |rows: &[(&str, &Problem)]| {
            Columns::new()
                .repeated("path", rows.iter().map(|(path, _)| *path))
                .word("code", rows.iter().map(|(_, problem)| problem.code.as_str()))
                .u32("line", rows.iter().map(|(_, problem)| problem.line))
                .text("message", rows.iter().map(|(_, problem)| &problem.message))
        },
        give,
    );
}
