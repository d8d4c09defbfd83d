//! Lines that became others; no table of the index, but what its tables are changed by.

use super::{Columns, Table};

/// Path, line before, line now.
pub fn table(lines: &[(String, u32, u32)]) -> Table {
    Table::new("lines", lines, |rows| {
        Columns::new()
            .repeated("path", rows.iter().map(|(path, ..)| path))
            .u32("before", rows.iter().map(|(_, before, _)| *before))
            .u32("line", rows.iter().map(|(.., line)| *line))
    })
}
