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
        let inner = chars.as_str();
        if self.in_macro >= DEPTH_MAX || inner.trim().is_empty() {
            return;
        }
        // The first way to read them without an error, else the first.
        let tables = self.tables;
        let mut read: Option<(usize, tree_sitter::Tree)> = None;
        for (_, before, after) in tables.tokens.iter().filter(|(bracket, _, _)| bracket.starts_with(open)) {
            let Some(parsed) = (self.parse)(&format!("{before}{inner}{after}")) else { continue };
            let whole = !parsed.root_node().has_error();
            if whole || read.is_none() {
                read = Some((before.len(), parsed));
            }
            if whole || !begins_with_words(inner) {
                break;
            }
        }
        let Some((prefix, parsed)) = read else { return };
        let this = *self.tree.get(node);
        let shift = Shift {
            prefix: prefix as u32,
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
        let macro_name = self.macro_name(node);
        let aside = u32::from(self.tables.condition_macros.iter().any(|m| m.matches(macro_name)));
        let keys = u32::from(self.tables.key_macros.iter().any(|m| m == macro_name));
        self.in_macro += 1;
        self.aside += aside;
        self.keys += keys;
        self.walk(root);
        self.keys -= keys;
        self.aside -= aside;
        self.in_macro -= 1;
        // The value of a single argument.
        self.values[node as usize] = self.value(root);
    }

    /// The name of the macro that tokens are given to, without its path.
    fn macro_name(&self, node: u32) -> &str {
        let parent = self.tree.get(node).parent;
        if parent == u32::MAX {
            return "";
        }
        let path = self.text(parent).split('!').next().unwrap_or_default().trim();
        path.rsplit(':').next().unwrap_or(path)
    }
}

/// Whether a text begins with two words, as declarations do: only then another way to read it is tried.
fn begins_with_words(text: &str) -> bool {
    let text = text.trim_start();
    let end = text.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(text.len());
    let rest = &text[end..];
    end > 0 && rest.starts_with(char::is_whitespace) && rest.trim_start().starts_with(char::is_alphabetic)
}
