//! Tokens of macros: parsed again, in a wrapping that makes them statements or expressions, and walked where they stand.

use crate::build::{Build, NONE};
use crate::tree::Shift;

/// How deep macros within macros are followed.
const DEPTH_MAX: u32 = 8;

impl Build<'_> {
    /// Walks what a macro's tokens say. `[tokens]` tells for each opening bracket what to put before and after them.
    pub(crate) fn enter_tokens(&mut self, node: u32) {
        let text = self.text(node);
        let mut chars = text.chars();
        let (Some(open), Some(_)) = (chars.next(), chars.next_back()) else { return };
        let wrapping = self.tables.tokens.iter().find(|(bracket, _, _)| bracket.starts_with(open));
        let Some((_, before, after)) = wrapping else { return };
        let inner = chars.as_str();
        if self.in_macro >= DEPTH_MAX || inner.trim().is_empty() {
            return;
        }
        let Some(parsed) = (self.parse)(&format!("{before}{inner}{after}")) else { return };
        let this = *self.tree.get(node);
        let shift = Shift {
            prefix: before.len() as u32,
            start: this.start + 1,
            end: this.end - 1,
            row: this.row,
            column: this.column + 1,
        };
        let root = self.tree.append(&parsed, self.tables, shift);
        self.values.resize(self.tree.nodes.len(), NONE);
        // What does not parse is no problem of the file.
        for node in &mut self.tree.nodes[root as usize..] {
            node.marks &= !(crate::tree::mark::ERROR | crate::tree::mark::MISSING);
        }
        self.in_macro += 1;
        self.walk(root);
        self.in_macro -= 1;
    }
}
