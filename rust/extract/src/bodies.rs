//! Hashes of what definitions say: their tokens, without layout, comments and documentation.

use crate::build::Build;
use crate::text::TokenHash;

impl Build<'_> {
    /// Gives all symbols their hashes. A definition inside another one counts as a token of it, so that every token is
    /// read once, however deep definitions nest.
    pub(crate) fn hash_bodies(&mut self) {
        let mut bodies = std::mem::take(&mut self.bodies);
        bodies.sort_unstable();
        // Definitions that are done and not inside another one, the nearest last.
        let mut done: Vec<(u32, u64)> = Vec::with_capacity(bodies.len());
        for &(node, symbol, behind) in bodies.iter().rev() {
            let hash = match done.last() {
                Some(&(same, hash)) if same == node => hash,
                _ => self.hash_body(node, &mut done),
            };
            // The body of some stands behind them.
            self.facts.symbols[symbol.index()].body_hash ^= if behind { hash.rotate_left(1) } else { hash };
        }
    }

    /// Hashes one definition, and puts it in the place of those inside it.
    fn hash_body(&self, node: u32, done: &mut Vec<(u32, u64)>) -> u64 {
        let (source, end) = (self.source.as_bytes(), self.tree.get(node).next);
        let doc = self.tree.first(node, &self.tables.docs.inside).unwrap_or(u32::MAX);
        let mut hash = TokenHash::default();
        let mut at = node;
        while at < end {
            let this = self.tree.get(at);
            if let Some(&(inside, known)) = done.last() {
                if inside == at {
                    hash.add_hash(known);
                    done.pop();
                    at = this.next;
                    continue;
                }
                if inside < at {
                    done.pop();
                    continue;
                }
            }
            if at == doc || self.tree.is_comment(at) {
                at = this.next;
                continue;
            }
            if this.next == at + 1 {
                let token = source.get(this.start as usize..this.end as usize).unwrap_or_default();
                // A checkout may change the line ends inside of a token: of a macro's text, of a long string.
                match token.contains(&b'\r') {
                    true => hash.add(plain(token).as_slice()),
                    false => hash.add(token),
                }
            }
            at += 1;
        }
        while done.last().is_some_and(|d| d.0 < end) {
            done.pop();
        }
        let hash = hash.finish();
        done.push((node, hash));
        hash
    }
}

/// A text with the line ends of every system written as one.
fn plain(token: &[u8]) -> Vec<u8> {
    let ends = |at: usize| token[at] == b'\r' && token.get(at + 1).is_none_or(|&next| next == b'\n');
    (0..token.len()).filter(|&at| !ends(at)).map(|at| token[at]).collect()
}
