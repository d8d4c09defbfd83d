//! `skipped`: one row a file that was left out, in path order.

use super::{Columns, Give, Table};
use crate::skip::Skipped;

pub fn table(skipped: &[Skipped], give: &mut Give<'_>) {
    Table::give(
        "skipped",
        skipped,
        |rows| {
            Columns::new()
                .text("path", rows.iter().map(|row| &row.path))
                .word("reason", rows.iter().map(|row| row.reason.as_str()))
        },
        give,
    );
}
