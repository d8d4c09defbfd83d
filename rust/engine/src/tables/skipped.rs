//! `skipped`: one row a file that was left out, in path order.

use super::{Columns, Table};
use crate::skip::Skipped;

pub fn table(skipped: &[Skipped]) -> Table {
    Table::new("skipped", skipped, |rows| {
        Columns::new()
            .text("path", rows.iter().map(|row| &row.path))
            .word("reason", rows.iter().map(|row| row.reason.as_str()))
    })
}
