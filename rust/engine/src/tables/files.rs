//! `files`: one row a file, in path order.

use super::{Columns, Give, Table};
use crate::facts::FileRecord;
use crate::graph::Graph;

pub fn table(graph: &Graph, give: &mut Give<'_>) {
    let ids: Vec<u32> = (0..graph.files.len() as u32).collect();
    Table::give(
        "files",
        &ids,
        |ids| {
            let files = || ids.iter().map(|&id| &graph.files[id as usize]);
            let lines = ids.iter().map(|&id| graph.inputs[id as usize].facts.lines);
            Columns::new()
                .u32("id", ids.iter().copied())
                .text("path", files().map(|file: &FileRecord| &file.path))
                .repeated("language", files().map(|file| file.language.name))
                .u64("size", files().map(|file| file.size))
                .u32("lines", lines)
                .text("hash", files().map(|file| &file.hash))
                .i64("mtime_ns", files().map(|file| file.mtime_ns))
        },
        give,
    );
}
