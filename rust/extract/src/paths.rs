//! Paths whose rest stands in their name (`a::(b::c)`), and members named without their object.

use crate::build::{Build, FILE, UNKNOWN};
use crate::tree::Nodes;
use mmcg_facts::{Expr, ExprId, ReceiverKind, UseKind};
use mmcg_lang::{Role, Rule};

impl<'a> Build<'a> {
    /// Whether a node is a path whose rest stands in its name (`a::(b::c)`).
    pub(crate) fn is_path(&self, node: u32) -> bool {
        self.rule(node).is_some_and(|r| r.role == Role::Member && r.path)
    }

    /// The names of such a path in order.
    pub(crate) fn path_segments(&self, node: u32) -> Nodes {
        let (mut at, mut segments) = (node, Nodes::new());
        while let Some(rule) = self.rule(at).filter(|r| r.role == Role::Member && r.path) {
            segments.extend(self.tree.first(at, &rule.object));
            match self.tree.first(at, &rule.name) {
                Some(next) => at = next,
                None => return segments,
            }
        }
        segments.push(at);
        segments
    }

    /// A path with several segments; as the owner of a definition, without its last name.
    pub(crate) fn path_value(&mut self, node: u32, rule: &Rule) -> ExprId {
        let segments = self.path_segments(node);
        let rooted = self.tree.first(node, &rule.object).is_none();
        let mut value = UNKNOWN;
        let last = segments.len().saturating_sub(1);
        for (index, &segment) in segments.iter().enumerate() {
            let own = self.some_value(Some(segment));
            if index == 0 && !rooted {
                value = own.unwrap_or(UNKNOWN);
                if index < last {
                    self.as_path(value);
                }
                continue;
            }
            if let Some(own) = own {
                self.use_as(own, UseKind::None);
            }
            let inner = self.rule(segment).filter(|r| r.role == Role::Index);
            let name_node = inner.and_then(|r| self.tree.first(segment, &r.object)).unwrap_or(segment);
            let name = self.own_name(name_node, rule);
            let used = if rule.in_type || index < last { UseKind::Type } else { UseKind::Read };
            let place = self.place(name_node, used);
            value = if index == 0 {
                self.expr(Expr::Name { name, scope: FILE, path: index < last }, place)
            } else {
                self.expr(Expr::Member { object: value, name, path: true }, place)
            };
            // The arguments of a generic type stay.
            if let (Some(own), true) = (own, inner.is_some()) {
                if let Expr::Index { args, count, .. } = self.facts.expr(own) {
                    value = self.made(Expr::Index { object: value, args, count }, segment);
                }
            }
        }
        value
    }

    /// A member of the object at hand that is named alone, also by a path or with type arguments.
    pub(crate) fn own_member(&mut self, name_node: u32, rule: &Rule) -> ExprId {
        let mut at = name_node;
        if self.is_path(at) {
            at = self.path_segments(at).last().copied().unwrap_or(at);
        }
        if let Some(inner) = self.rule(at).filter(|r| r.role == Role::Index) {
            at = self.tree.first(at, &inner.object).unwrap_or(at);
        }
        let scope = self.context().scope;
        let object = self.made(Expr::Receiver(ReceiverKind::This, scope), name_node);
        let name = self.own_name(at, rule);
        let place = self.place(at, UseKind::Read);
        self.expr(Expr::Member { object, name, path: false }, place)
    }
}
