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
use crate::options::BATCH_ROWS;
use crate::skip::Skipped;
use arrow_array::RecordBatch;
use columns::Columns;
use rayon::prelude::*;

/// A named table: at least one batch, all with the same columns.
#[derive(Clone, Debug)]
pub struct Table {
    /// Its name in the store.
    pub name: &'static str,
    /// Its rows.
    pub batches: Vec<RecordBatch>,
}

impl Table {
    /// Builds a table from rows; an empty one has one empty batch, for its columns.
    fn new<R: Sync>(name: &'static str, rows: &[R], columns: impl Fn(&[R]) -> Columns + Sync) -> Self {
        let batches = if rows.is_empty() {
            vec![columns(rows).into_batch()]
        } else {
            rows.par_chunks(BATCH_ROWS).map(|rows| columns(rows).into_batch()).collect()
        };
        Self { name, batches }
    }

    /// How many rows it has.
    pub fn rows(&self) -> usize {
        self.batches.iter().map(RecordBatch::num_rows).sum()
    }
}

/// The tables that files' facts alone decide; a graph without resolution will do.
pub fn of_facts(graph: &Graph, skipped: &[Skipped]) -> Vec<Table> {
    vec![files::table(graph), problems::table(graph), skipped::table(skipped), symbols::table(graph)]
}

pub use lines::table as lines;

/// The other tables, each given away as soon as it is there. The graph is taken apart on the way.
pub fn of_edges(mut graph: Graph, give: &mut (dyn FnMut(Table) + Send)) {
    give(bases::table(&graph));
    give(overrides::table(&graph));
    give(imports::table(&graph));
    give(references::table(&graph));
    graph.resolution.references = Vec::new();
    give(calls::table(&graph));
}
