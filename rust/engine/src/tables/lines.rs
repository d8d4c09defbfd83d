//! Lines and columns that became others; no tables of the index, but what its tables are changed by.

use super::{Columns, Give, Table};

/// Path, line before, line now.
pub fn lines(lines: &[(String, u32, u32)], give: &mut Give<'_>) {
    let columns = |rows: &[(String, u32, u32)]| {
        Columns::new()
            .repeated("path", rows.iter().map(|(path, ..)| path))
            .u32("before", rows.iter().map(|(_, before, _)| *before))
            .u32("line", rows.iter().map(|(.., line)| *line))
    };
    Table::give("lines", lines, columns, give);
}

/// Path, line as it is now, column before, column now.
pub fn columns(moved: &[(String, u32, u32, u32)], give: &mut Give<'_>) {
    let columns = |rows: &[(String, u32, u32, u32)]| {
        Columns::new()
            .repeated("path", rows.iter().map(|(path, ..)| path))
            .u32("line", rows.iter().map(|(_, line, ..)| *line))
            .u32("before", rows.iter().map(|(_, _, before, _)| *before))
            .u32("column", rows.iter().map(|(.., column)| *column))
    };
    Table::give("columns", moved, columns, give);
}
