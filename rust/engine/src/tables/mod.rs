//! The graph as Arrow tables, one file a table. Rows are in the order in which the store keeps them.
//!
//! A table is a list of rows (ids, mostly) and a function from some of these rows to columns, so that batches are
//! built in parallel and nothing is ever held twice.

mod bases;
mod calls;
mod columns;
mod files;
mod imports;
mod lines;
mod overrides;
mod parameters;
mod problems;
mod references;
mod render;
mod skipped;
mod symbols;

use crate::graph::Graph;
use crate::options::{BATCH_ROWS, PART_ROWS};
use crate::skip::Skipped;
use arrow_array::RecordBatch;
use columns::Columns;
use rayon::prelude::*;

/// A named table, or a part of a long one: at least one batch, all with the same columns.
#[derive(Clone, Debug)]
pub struct Table {
    /// Its name in the store.
    pub name: &'static str,
    /// Its rows.
    pub batches: Vec<RecordBatch>,
}

/// Who takes tables. The parts of a long one come one after the other.
pub type Give<'a> = dyn FnMut(Table) + Send + 'a;

impl Table {
    /// Builds a table from rows and gives it away, in parts if it is long: the whole of a large graph would take as much
    /// memory again as the facts. An empty one has one empty batch, for its columns.
    fn give<R: Sync>(name: &'static str, rows: &[R], columns: impl Fn(&[R]) -> Columns + Sync, give: &mut Give<'_>) {
        if rows.is_empty() {
            give(Self { name, batches: vec![columns(rows).into_batch()] });
        }
        for part in rows.chunks(PART_ROWS) {
            give(Self { name, batches: part.par_chunks(BATCH_ROWS).map(|rows| columns(rows).into_batch()).collect() });
        }
    }

    /// Puts a table or a part of one to those that are there.
    pub fn collect(self, tables: &mut Vec<Self>) {
        match tables.iter_mut().find(|table| table.name == self.name) {
            Some(table) => table.batches.extend(self.batches),
            None => tables.push(self),
        }
    }

    /// How many rows it has.
    pub fn rows(&self) -> usize {
        self.batches.iter().map(RecordBatch::num_rows).sum()
    }
}

/// The tables that files' facts alone decide; a graph without resolution will do. The long one comes first: with the next
/// it is known to be complete, and what is made from it need not wait for the edges.
pub fn of_facts(graph: &Graph, skipped: &[Skipped], give: &mut Give<'_>) {
    symbols::table(graph, give);
    files::table(graph, give);
    problems::table(graph, give);
    skipped::table(skipped, give);
}

pub use lines::{columns, lines};

/// The other tables. The graph is taken apart on the way.
pub fn of_edges(mut graph: Graph, give: &mut Give<'_>) {
    bases::table(&graph, give);
    overrides::table(&graph, give);
    imports::table(&graph, give);
    references::table(&graph, give);
    graph.resolution.references = Vec::new();
    calls::table(&graph, give);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_table_is_given_in_parts_that_make_the_whole() {
        let numbers: Vec<u32> = (0..PART_ROWS as u32 + 3).collect();
        let mut parts = Vec::new();
        Table::give("files", &numbers, |rows| Columns::new().u32("id", rows.iter().copied()), &mut |part| {
            parts.push(part);
        });
        assert_eq!(parts.iter().map(Table::rows).collect::<Vec<_>>(), [PART_ROWS, 3]);
        let mut whole = Vec::new();
        parts.into_iter().for_each(|part| part.collect(&mut whole));
        assert_eq!(whole.iter().map(Table::rows).collect::<Vec<_>>(), [PART_ROWS + 3]);
    }
}
