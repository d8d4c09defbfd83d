//! What the language calls by rule: iteration, context managers, decorators on what they stand before; and code that may
//! be left out.

use crate::build::{Build, NONE, UNKNOWN};
use crate::tree::Nodes;
use mmcg_facts::{Arg, Branch, Expr, ExprId, Place, SiteFlags, SiteId, SymbolId, UseKind};
use mmcg_lang::{Role, Rule};

impl<'a> Build<'a> {
    /// A loop that runs members of what it goes over.
    pub(crate) fn iteration(&mut self, iterated: ExprId, node: u32, rule: &Rule) {
        if self.is_of_language(iterated) {
            return;
        }
        for method in rule.method.split(' ') {
            self.implicit_call(node, Some(iterated), method);
        }
    }

    /// Whether a value is surely no object of the project: a literal, or what one of the language's own functions gives.
    pub(crate) fn is_of_language(&self, value: ExprId) -> bool {
        match self.facts.expr(value) {
            Expr::Literal(..) | Expr::Collection { .. } => true,
            Expr::Call(site) => match self.facts.expr(self.facts.site(site).callee) {
                Expr::Name { name, scope, .. } => {
                    let text = self.facts.names.get(name);
                    let own = &self.tables.resolution.builtins;
                    own.binary_search_by(|known| known.as_str().cmp(text)).is_ok()
                        && self.declaring(scope, name).is_none()
                }
                _ => false,
            },
            _ => false,
        }
    }

    /// A member that the language calls on a value by rule. What it gives.
    pub(crate) fn implicit_call(&mut self, node: u32, object: Option<ExprId>, method: &str) {
        let Some(object) = object.filter(|&o| o != UNKNOWN) else { return };
        let name = self.name(method);
        let callee = self.made(Expr::Member { object, name, path: false }, node);
        let end = self.facts.args.len() as u32;
        self.site(node, callee, &Nodes::new(), end..end, SiteFlags::OPERATOR);
    }

    /// `raise C`: a class alone is constructed.
    pub(crate) fn raise_value(&mut self, node: u32, rule: &Rule) -> ExprId {
        let Some(raised) = self.tree.first(node, &rule.value) else { return NONE };
        let value = self.value(raised);
        if value == NONE || !matches!(self.facts.expr(value), Expr::Name { .. } | Expr::Member { .. }) {
            return NONE;
        }
        let end = self.facts.args.len() as u32;
        let used = self.facts.places[value.index()].used();
        self.site(raised, value, &Nodes::new(), end..end, SiteFlags(SiteFlags::NEW.0 | SiteFlags::OPERATOR.0));
        self.use_as(value, used);
        NONE
    }

    /// Decorators are called with what they stand before, the last one first. The value of what they make of it.
    pub(crate) fn apply_decorators(&mut self, nodes: &Nodes, symbol: SymbolId) -> Option<ExprId> {
        if !self.tables.resolution.decorators_replace || nodes.is_empty() {
            return None;
        }
        let mut value = self.made(Expr::Symbol(symbol), nodes[0]);
        let mut applied = false;
        for &node in nodes.iter().rev() {
            let callee = self.some_value(Some(node))?;
            let of = |site: &mmcg_facts::Site| site.callee == callee && site.flags.has(SiteFlags::DECORATOR);
            let index = self.facts.sites.iter().rposition(of)?;
            let start = self.facts.args.len() as u32;
            self.facts.args.push(Arg { name: None, value, spread: false });
            self.facts.sites[index].args = start..start + 1;
            value = self.made(Expr::Call(SiteId::from(index)), node);
            applied = true;
        }
        applied.then_some(value)
    }

    /// `[1:3]`: the values between two positions.
    pub(crate) fn slice_value(&mut self, object: ExprId, node: u32) -> ExprId {
        let mut bounds = self.text(node).split(':');
        let (from, to, step) = (bounds.next().unwrap_or_default(), bounds.next(), bounds.next());
        let number = |text: &str, left_out: i32| match text.trim() {
            "" => Some(left_out),
            text => text.parse().ok(),
        };
        let known = step.is_none_or(|step| step.trim().is_empty());
        let part = match (number(from, 0), number(to.unwrap_or_default(), i32::MAX)) {
            (Some(from), Some(to)) if known => Expr::Part { of: object, from, to },
            // Any of them, at any position.
            _ => {
                let element = self.made(Expr::Element(object), node);
                let args = self.facts.args.len() as u32;
                self.facts.args.push(Arg { name: None, value: element, spread: false });
                Expr::Collection { kind: mmcg_facts::CollectionKind::List, args, count: 1 }
            }
        };
        self.made(part, node)
    }

    /// Whether a part of a pattern stands for all that the others leave.
    pub(crate) fn is_rest(&self, node: u32) -> bool {
        self.rule(node).is_some_and(|rule| matches!(rule.role, Role::PatternRest | Role::Spread))
    }

    /// Notes what may be left out in a node.
    pub(crate) fn enter_branches(&mut self, node: u32) {
        let kind = self.tree.get(node).kind as usize;
        if self.tables.loops[kind] {
            self.branch(node, true, 0);
        }
        if let Some(selector) = &self.tables.branches[kind] {
            let apart = if self.tables.exclusive[kind] { self.facts.branches.len() as u32 + 1 } else { 0 };
            for part in self.tree.every(node, selector) {
                self.branch(part, false, apart);
            }
        }
    }

    fn branch(&mut self, node: u32, repeats: bool, apart: u32) {
        let next = self.tree.get(node).next;
        let from = self.place(node, UseKind::None);
        let to = match (next as usize) < self.tree.nodes.len() {
            true => self.place(next, UseKind::None),
            false => Place::new(u32::MAX, 1, UseKind::None),
        };
        if from < to {
            self.facts.branches.push(Branch { from, to, around: None, repeats, apart });
        }
    }

    /// Puts branches in order and says which one is around each.
    pub(crate) fn order_branches(&mut self) {
        let branches = &mut self.facts.branches;
        branches.sort_by_key(|b| (b.from, std::cmp::Reverse(b.to), !b.repeats));
        let mut around: Vec<u32> = Vec::new();
        for index in 0..branches.len() {
            while around.last().is_some_and(|&at| branches[at as usize].to < branches[index].to) {
                around.pop();
            }
            branches[index].around = around.last().copied();
            around.push(index as u32);
        }
    }
}
