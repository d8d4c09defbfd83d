//! Patterns: the names in them, and what part of a value each stands for.

use crate::build::{Build, UNKNOWN};
use crate::tree::{mark, Nodes};
use mmcg_facts::{Expr, ExprId, ScopeId};
use mmcg_lang::{Declares, Role, Rule};

impl Build<'_> {
    /// The names in a pattern; they are no expressions.
    pub(crate) fn pattern_targets(&mut self, pattern: u32, names: &mut Vec<u32>) {
        let mut stack: Nodes = smallvec::smallvec![pattern];
        while let Some(at) = stack.pop() {
            let Some(rule) = self.rule(at) else {
                if self.tree.is_leaf(at) {
                    names.push(at);
                }
                stack.extend(self.tree.named(at).collect::<Nodes>().into_iter().rev());
                continue;
            };
            match rule.role {
                Role::Variable if at == pattern => names.push(at),
                Role::Name if self.is_pattern_constant(at) => {}
                Role::Name => {
                    self.tree.mark(at, mark::TARGET);
                    names.push(at);
                }
                Role::Member if rule.path => {}
                Role::Member => self.tree.mark(at, mark::TARGET),
                Role::Call | Role::Index if !rule.writes.is_empty() => self.tree.mark(at, mark::TARGET),
                Role::Index | Role::Receiver | Role::Call | Role::Literal | Role::Skip | Role::Opaque => {}
                Role::PatternDefault => stack.extend(self.tree.first(at, &rule.target)),
                Role::Pair => {
                    let value = self.tree.first(at, &rule.value).or_else(|| self.tree.first(at, &rule.key));
                    stack.extend(value);
                }
                Role::Parameter => stack.extend(self.tree.all(at, &rule.name)),
                _ => stack.extend(self.pattern_items(at, rule).into_iter().rev()),
            }
        }
    }

    pub(crate) fn is_pattern_constant(&self, node: u32) -> bool {
        let patterns = &self.tables.pattern_constants;
        !patterns.is_empty() && patterns.iter().any(|p| p.matches(self.text(node)))
    }

    pub(crate) fn pattern_items(&self, node: u32, rule: &Rule) -> Nodes {
        match rule.items.is_empty() {
            true => self.tree.named(node).collect(),
            false => self.tree.all(node, &rule.items),
        }
    }

    /// Binds the names and members of a pattern to the parts of a value.
    pub(crate) fn bind_pattern(&mut self, pattern: u32, value: ExprId, declares: Declares, scope: ScopeId) {
        let mut stack: Vec<(u32, ExprId)> = vec![(pattern, value)];
        while let Some((at, value)) = stack.pop() {
            let Some(rule) = self.rule(at) else {
                let children: Nodes = self.tree.named(at).collect();
                if let [only] = children[..] {
                    stack.push((only, value));
                }
                continue;
            };
            match rule.role {
                Role::Name if self.is_pattern_constant(at) => {}
                Role::Member if rule.path => {}
                Role::Name => {
                    let name = self.own_name(at, rule);
                    self.bind(at, name, Some(value), None, declares, scope);
                }
                Role::Member | Role::Index => self.bind_member(at, rule, Some(value), None),
                Role::Collection if rule.kind == "map" => {
                    let value = self.as_typed(at, rule, value);
                    self.bind_object(at, value, &mut stack);
                }
                Role::Collection => {
                    let value = self.as_typed(at, rule, value);
                    let children = self.pattern_items(at, rule);
                    if let ([only], true) = (&children[..], rule.default_item) {
                        stack.push((*only, value));
                        continue;
                    }
                    let rest = children.iter().position(|&child| self.is_rest(child));
                    let count = children.len() as i32;
                    let single = !matches!(self.facts.expr(value), Expr::Call(_) | Expr::Collection { .. });
                    for (index, child) in children.into_iter().enumerate() {
                        if rule.first_only && single {
                            stack.push((child, if index == 0 { value } else { UNKNOWN }));
                            continue;
                        }
                        let at = index as i32;
                        let part = match rest {
                            Some(rest) if rest == index => {
                                let to = if at + 1 == count { i32::MAX } else { at + 1 - count };
                                Expr::Part { of: value, from: at, to }
                            }
                            // Behind the rest, counted from the end.
                            Some(rest) if rest < index => Expr::Item(value, at - count),
                            _ => Expr::Item(value, at),
                        };
                        let part = self.made(part, child);
                        stack.push((child, part));
                    }
                }
                Role::PatternDefault => {
                    let default = self.value_at(at, &rule.value);
                    let value = self.made(Expr::Choice(value, default), at);
                    stack.extend(self.tree.first(at, &rule.target).map(|t| (t, value)));
                }
                Role::PatternRest | Role::Spread => {
                    let target = self.tree.first(at, &rule.target).or_else(|| self.tree.named(at).next());
                    stack.extend(target.map(|t| (t, value)));
                }
                Role::Parameter => stack.extend(self.tree.first(at, &rule.name).map(|t| (t, value))),
                Role::Transparent => stack.extend(self.tree.named(at).next().map(|t| (t, value))),
                // `&x`, `mut x`, `x @ y`, `x | y`: each is about the whole.
                Role::Deref => {
                    let parts: Nodes = self.tree.named(at).collect();
                    stack.extend(parts.into_iter().rev().map(|t| (t, value)));
                }
                _ => {}
            }
        }
    }

    /// A pattern that names a type is about a value of it.
    fn as_typed(&mut self, pattern: u32, rule: &Rule, value: ExprId) -> ExprId {
        match self.some_value(self.tree.first(pattern, &rule.type_)) {
            Some(of) => self.made(Expr::Cast(value, of), pattern),
            None => value,
        }
    }

    fn bind_object(&mut self, pattern: u32, value: ExprId, stack: &mut Vec<(u32, ExprId)>) {
        let Some(rule) = self.rule(pattern) else { return };
        let children = self.pattern_items(pattern, rule);
        for child in children {
            let Some(rule) = self.rule(child) else { continue };
            let (key, target) = match rule.role {
                Role::Name => (Some(self.own_name(child, rule)), Some(child)),
                Role::Pair => {
                    let key = self.key(child, rule);
                    (key, self.tree.first(child, &rule.value).or_else(|| self.tree.first(child, &rule.key)))
                }
                Role::PatternDefault => {
                    let inner = self.tree.first(child, &rule.target);
                    (inner.map(|n| self.own_name(n, rule)), Some(child))
                }
                _ => (None, Some(child)),
            };
            let part = match (key, rule.role) {
                (Some(name), _) => self.made(Expr::Member { object: value, name, path: false }, child),
                (None, Role::PatternRest | Role::Spread) => value,
                _ => UNKNOWN,
            };
            stack.extend(target.map(|t| (t, part)));
        }
    }
}
