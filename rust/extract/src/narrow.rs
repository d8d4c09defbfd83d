//! What a condition asks about the type of a value is known where it holds: in the branch, behind the `and`, and after a
//! branch that leaves when it does not hold.

use crate::build::{Build, NONE, UNKNOWN};
use crate::tree::mark;
use mmcg_facts::{CollectionKind, Expr, ExprId, ScopeId};
use mmcg_lang::{Role, Rule, TestMeaning};

/// A name or path of members, between two nodes, is of a type.
#[derive(Clone, Copy)]
pub(crate) struct Narrowed {
    from: u32,
    to: u32,
    /// The node that it was asked of.
    subject: u32,
    /// The node of the type, or of the function that says it.
    of: u32,
    told: bool,
}

/// Conditions in conditions are followed so deep.
const DEPTH: u32 = 6;

impl Build<'_> {
    /// Notes where the conditions of a node hold.
    pub(crate) fn enter_condition(&mut self, node: u32) {
        let tables = self.tables;
        let kind = self.tree.get(node).kind;
        for rule in tables.narrowings.iter().filter(|rule| rule.kind == kind) {
            if rule.operator.as_ref().is_some_and(|(at, words)| !self.has_word(node, at, words)) {
                continue;
            }
            if let (Some(subject), Some(of)) = (self.tree.first(node, &rule.subject), self.tree.first(node, &rule.of)) {
                for from in self.tree.all(node, &rule.holds) {
                    let to = self.tree.get(from).next;
                    self.narrowed.push(Narrowed { from, to, subject, of, told: false });
                }
            }
            let Some(condition) = self.tree.first(node, &rule.condition) else { continue };
            for part in self.tree.all(node, &rule.holds) {
                let to = self.tree.get(part).next;
                self.narrow(condition, true, (part, to), 0);
            }
            for part in self.tree.all(node, &rule.fails) {
                let to = self.tree.get(part).next;
                self.narrow(condition, false, (part, to), 0);
            }
            // What comes behind: to the end of the statements around.
            let parent = self.tree.get(node).parent;
            if parent == u32::MAX {
                continue;
            }
            let rest = (self.tree.get(node).next, self.tree.get(parent).next);
            if rule.asserts {
                self.narrow(condition, true, rest, 0);
            }
            let (holds, fails) = (self.tree.first(node, &rule.holds), self.tree.first(node, &rule.fails));
            match (holds, fails) {
                (Some(part), None) if self.leaves(part) => self.narrow(condition, false, rest, 0),
                (None, Some(part)) if self.leaves(part) => self.narrow(condition, true, rest, 0),
                _ => {}
            }
        }
    }

    fn has_word(&self, node: u32, at: &mmcg_lang::Selector, words: &[String]) -> bool {
        self.tree.first(node, at).is_some_and(|found| words.iter().any(|word| word == self.text(found)))
    }

    /// Whether a branch ends by leaving what is around.
    fn leaves(&self, part: u32) -> bool {
        let leaving = |node: u32| self.tables.leaving.contains(&self.tree.get(node).kind);
        let last = self.tree.named(part).last();
        // A statement may be one for the grammar because an expression is (PHP `throw`).
        let inside = last.and_then(|last| self.tree.named(last).next().filter(|_| self.tree.named(last).count() == 1));
        leaving(part) || last.is_some_and(leaving) || inside.is_some_and(leaving)
    }

    /// Notes what a condition says between two nodes, where it holds or (`!holds`) fails.
    fn narrow(&mut self, condition: u32, holds: bool, (from, to): (u32, u32), depth: u32) {
        if depth > DEPTH || from >= to {
            return;
        }
        let tables = self.tables;
        let kind = self.tree.get(condition).kind;
        if tables.bracketing.contains(&kind) {
            let inner = self.tree.named(condition).next();
            if let Some(inner) = inner {
                self.narrow(inner, holds, (from, to), depth + 1);
            }
            return;
        }
        for test in tables.type_tests.iter().filter(|test| test.kind == kind) {
            if !test.words.is_empty() && !self.has_word(condition, &test.operator, &test.words) {
                continue;
            }
            match test.means {
                TestMeaning::Not => {
                    if let Some(inner) = self.tree.first(condition, &test.subject) {
                        self.narrow(inner, !holds, (from, to), depth + 1);
                    }
                }
                TestMeaning::And if holds => {
                    for part in [&test.subject, &test.of] {
                        if let Some(inner) = self.tree.first(condition, part) {
                            self.narrow(inner, holds, (from, to), depth + 1);
                        }
                    }
                }
                TestMeaning::Or if !holds => {
                    for part in [&test.subject, &test.of] {
                        if let Some(inner) = self.tree.first(condition, part) {
                            self.narrow(inner, holds, (from, to), depth + 1);
                        }
                    }
                }
                TestMeaning::Is | TestMeaning::IsNot if holds == (test.means == TestMeaning::Is) => {
                    let subject = self.tree.first(condition, &test.subject);
                    if let (Some(subject), Some(of)) = (subject, self.tree.first(condition, &test.of)) {
                        self.narrowed.retain(|known| known.to > condition);
                        let told = test.words.is_empty();
                        self.narrowed.push(Narrowed { from, to, subject, of, told });
                    }
                }
                _ => {}
            }
        }
    }

    /// The value of a name or member where a condition has said what it is.
    pub(crate) fn as_narrowed(&mut self, node: u32, rule: &Rule, value: ExprId) -> ExprId {
        if rule.in_type || value == UNKNOWN || value == NONE {
            return value;
        }
        let text = self.text(node);
        let inside = |known: &&Narrowed| known.from <= node && node < known.to;
        let known = self.narrowed.iter().rev().filter(inside).find(|known| self.text(known.subject) == text).copied();
        let Some(known) = known.filter(|known| {
            !self.is_hidden(value, self.value(known.subject)) && !self.in_loop_of_its_own(node, known.from)
        }) else {
            return value;
        };
        let of = self.value(known.of);
        if of == NONE || of == UNKNOWN {
            return value;
        }
        let of = match known.told {
            true => self.made(Expr::OfType(of), node),
            false => self.any_of(of, node),
        };
        self.made(Expr::Narrow(value, of), node)
    }

    /// Whether a name no longer means what was asked about: something declares it in between.
    fn is_hidden(&self, used: ExprId, asked: ExprId) -> bool {
        let root = |mut at: ExprId| loop {
            // What stands behind is not known yet (`x.run if x.is_a?(Run)`).
            if at == NONE {
                return None;
            }
            match self.facts.expr(at) {
                Expr::Member { object, .. } => at = object,
                Expr::Narrow(of, _) => at = of,
                Expr::Name { name, scope, .. } => return Some((name, scope)),
                _ => return None,
            }
        };
        let (Some((name, used)), Some((_, asked))) = (root(used), root(asked)) else { return false };
        let around = |at: ScopeId| std::iter::successors(Some(at), |at| self.facts.scopes[at.index()].parent);
        let outer: Vec<ScopeId> = around(asked).collect();
        let Some(common) = around(used).find(|at| outer.contains(at)) else { return true };
        let between = |from: ScopeId| around(from).take_while(|at| *at != common);
        between(used).chain(between(asked)).any(|at| self.declared.contains_key(&(at, name)))
    }

    /// Whether a collection made by a loop is around, which declares names only behind what uses them.
    fn in_loop_of_its_own(&self, node: u32, from: u32) -> bool {
        let mut at = self.tree.get(node).parent;
        while at != u32::MAX && at >= from {
            if self.rule(at).is_some_and(|rule| rule.role == Role::Comprehension) {
                return true;
            }
            at = self.tree.get(at).parent;
        }
        false
    }

    /// A tuple of types is any of them.
    fn any_of(&mut self, of: ExprId, node: u32) -> ExprId {
        let Expr::Collection { kind: CollectionKind::Tuple, args, count } = self.facts.expr(of) else { return of };
        let parts: Vec<ExprId> =
            self.facts.args[args as usize..(args + count) as usize].iter().map(|arg| arg.value).collect();
        let mut parts = parts.into_iter();
        let Some(mut all) = parts.next() else { return UNKNOWN };
        for part in parts {
            all = self.made(Expr::Choice(all, part), node);
        }
        all
    }

    /// What is assigned anew is no longer what it was.
    pub(crate) fn end_narrowing(&mut self, node: u32) {
        let parent = self.tree.get(node).parent;
        if parent == u32::MAX || self.tree.get(node).has(mark::TYPE) {
            return;
        }
        let assigned =
            self.rule(parent).is_some_and(|rule| !matches!(rule.role, Role::Argument | Role::Pair | Role::Member));
        if !assigned {
            return;
        }
        let end = self.tree.get(parent).next;
        let mut known = std::mem::take(&mut self.narrowed);
        let text = self.text(node);
        known.iter_mut().filter(|k| self.text(k.subject) == text).for_each(|k| k.to = k.to.min(end));
        known.retain(|k| k.from < k.to);
        self.narrowed = known;
    }
}
