//! Groups of branches of which a program has one: `#if … #else … #endif`, `if TEST: def f() … else: def f() …`.

use crate::build::Build;
use crate::conditions;

/// A branch that is being walked.
#[derive(Clone, Copy)]
pub struct Branch {
    /// Its node.
    node: u32,
    /// What the code around the whole group is.
    around: Standing,
    /// Whether this branch or one before it is taken, as far as that is known.
    taken: Option<bool>,
    here: Standing,
}

/// How code stands to the conditions around it.
#[derive(Clone, Copy, Default)]
pub struct Standing {
    /// One of them does not hold in the ordinary build.
    pub aside: bool,
    /// The innermost node of which it is not known whether its condition holds.
    pub conditional: Option<u32>,
}

impl Build<'_> {
    /// How the code at hand stands to the conditions around it.
    pub(crate) fn standing(&self) -> Standing {
        let mut standing = self.branches.last().map_or_else(Standing::default, |branch| branch.here);
        standing.aside |= self.aside > 0;
        standing
    }

    /// Whether a definition may be one of several of its name in one scope, each in a branch of its own.
    pub(crate) fn is_conditional(&self) -> bool {
        let begin = self.context().node;
        self.standing().conditional.is_some_and(|branch| begin == u32::MAX || branch > begin)
    }

    /// Begins a branch, if the node is one.
    pub(crate) fn enter_group(&mut self, node: u32) {
        let Some(Some((condition, further))) = self.tables.groups.get(self.tree.get(node).kind as usize) else {
            return;
        };
        let first = self.branches.last().filter(|_| *further).filter(|b| b.node == self.tree.get(node).parent).copied();
        let around = first.map_or_else(|| self.standing(), |first| first.around);
        let holds = match self.tree.first(node, condition) {
            Some(at) => self.condition_holds(node, at),
            None if first.is_some() => Some(true),
            None => None,
        };
        let before = first.map_or(Some(false), |first| first.taken);
        let here = match (before, holds) {
            (Some(true), _) | (_, Some(false)) => Some(false),
            (Some(false), holds) => holds,
            (None, _) => None,
        };
        let taken = match (before, holds) {
            (Some(true), _) | (_, Some(true)) => Some(true),
            (Some(false), Some(false)) => Some(false),
            _ => None,
        };
        let here = Standing {
            aside: around.aside || here == Some(false),
            conditional: if here.is_none() { Some(node) } else { around.conditional },
        };
        self.branches.push(Branch { node, around, taken, here });
    }

    /// Ends the branches that began with a node.
    pub(crate) fn leave_branch(&mut self, node: u32) {
        while self.branches.last().is_some_and(|branch| branch.node == node) {
            self.branches.pop();
        }
    }

    /// Whether the condition of a branch holds in the ordinary build, as far as that is known.
    fn condition_holds(&self, node: u32, condition: u32) -> Option<bool> {
        let word = self.text(node).split_whitespace().next().unwrap_or_default();
        let negated = self.tables.negated.iter().any(|n| n == word);
        if negated && self.defines_first(condition) {
            // A header's guard, or a definition where there is none yet.
            return Some(true);
        }
        let holds = conditions::known(self.text(condition), &self.tables.given, &self.tables.never);
        holds.map(|holds| holds != negated)
    }

    /// Whether what follows a name in its branch defines that very name.
    fn defines_first(&self, name: u32) -> bool {
        let next = self.tree.get(name).next;
        let parent = self.tree.get(name).parent;
        let after = self.tree.named(parent).find(|&n| n >= next);
        after.is_some_and(|after| self.tree.named(after).next().is_some_and(|n| self.text(n) == self.text(name)))
    }
}
