//! `imports`: one row an import and file that it leads to, by importing file and line.

use super::{Columns, Give, Table};
use crate::core_api::ImportRow;
use crate::graph::Graph;
use mmcg_facts::{Import, ImportKind, NameId};

pub fn table(graph: &Graph, give: &mut Give<'_>) {
    let mut rows: Vec<&ImportRow> = graph.resolution.imports.iter().collect();
    rows.sort_by_key(|row| {
        let place = import(graph, row).place;
        (row.file, place.line, place.column(), row.import, row.target)
    });
    Table::give(
        "imports",
        &rows,
        |rows| {
            let imports = || rows.iter().map(|row| (*row, import(graph, row)));
            let text = |row: &ImportRow, name: NameId| {
                Some(graph.inputs[row.file.0 as usize].facts.name(name)).filter(|text| !text.is_empty())
            };
            Columns::new()
                .u32("file", rows.iter().map(|row| row.file.0))
                .repeated("module", imports().map(|(row, import)| text(row, import.module).unwrap_or_default()))
                .maybe_repeated("name", imports().map(|(row, import)| text(row, import.name)))
                .maybe_repeated("alias", imports().map(|(row, import)| text(row, import.alias)))
                .u32("line", imports().map(|(_, import)| import.place.line))
                .u32("column", imports().map(|(_, import)| import.place.column()))
                .maybe_u32("target_file", rows.iter().map(|row| row.target.map(|file| file.0)))
                .maybe_repeated("external", rows.iter().map(|row| row.external.as_deref()))
                .word("kind", imports().map(|(_, import)| word(import.kind)))
        },
        give,
    );
}

fn import<'a>(graph: &'a Graph, row: &ImportRow) -> &'a Import {
    &graph.inputs[row.file.0 as usize].facts.imports[row.import as usize]
}

fn word(kind: ImportKind) -> &'static str {
    match kind {
        ImportKind::Module => "module",
        ImportKind::Member => "member",
        ImportKind::Glob => "glob",
        ImportKind::Default => "default",
        ImportKind::File => "file",
    }
}
