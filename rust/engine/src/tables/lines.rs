//! Lines that became others; no table of the index, but what its tables are changed by.

use super::{Columns, Give, Table};

/// Path, line before, line now.
pub fn table(lines: &[(String, u32, u32)], give: &mut Give<'_>) {
    let columns = |rows: &[(String, u32, u32)]| {
        Columns::new()
            .repeated("path", rows.iter().map(|(path, ..)| path))
            .u32("before", rows.iter().map(|(_, before, _)| *before))
            .u32("line", rows.iter().map(|(.., line)| *line))
    };
    Table::give("lines", lines, columns, give);
}
