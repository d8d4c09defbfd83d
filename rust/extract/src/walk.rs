//! The one walk over the tree: contexts and definitions begin on the way in, values are made on the way out.

use crate::build::{Build, Context, EMPTY, FILE, MODULE, NONE};
use crate::define::Definition;
use crate::tree::mark;
use mmcg_facts::{Expr, ExprId, UseKind};
use mmcg_lang::{Role, Rule, Wrap};

/// A node whose inside is being walked.
struct Frame<'a> {
    node: u32,
    rule: Option<&'a Rule>,
    /// Length of the expressions when it began.
    first: u32,
    /// How many of its children have a value, and the last of them.
    values: u32,
    last: ExprId,
    definition: Option<Box<Definition>>,
}

impl<'a> Build<'a> {
    /// Walks the subtree of `root`.
    pub fn walk(&mut self, root: u32) {
        if self.contexts.is_empty() {
            let node = u32::MAX;
            let (container, constant) = (None, None);
            let (prefix, function, local) = (EMPTY, FILE, false);
            let context = Context { scope: FILE, symbol: MODULE, container, prefix, function, constant, local, node };
            self.contexts.push(context);
        }
        let (mut node, end) = (root, self.tree.get(root).next);
        let mut frames: Vec<Frame<'a>> = Vec::with_capacity(64);
        loop {
            while frames.last().is_some_and(|f| self.tree.get(f.node).next <= node) {
                let frame = frames.pop().expect("there is one");
                let (inside, value) = (frame.node, self.leave(frame));
                self.close(inside, value, &mut frames);
            }
            if node >= end {
                break;
            }
            let this = *self.tree.get(node);
            if this.marks == 0 && this.next == node + 1 {
                node += 1;
                continue;
            }
            if this.has(mark::DONE) || self.tree.is_comment(node) {
                node = this.next;
                continue;
            }
            if this.has(mark::SWITCH) {
                if let Some(context) = self.switches.remove(&node) {
                    self.contexts.push(context);
                }
            }
            if this.has(mark::TYPE) {
                self.types += 1;
            }
            if !self.tables.groups.is_empty() {
                self.enter_group(node);
            }
            let rule = if this.marks & (mark::NAMED | mark::WRAPPING) == mark::NAMED { self.rule(node) } else { None };
            if !self.tables.narrowings.is_empty() && this.marks & (mark::NAMED | mark::WRAPPING) == mark::NAMED {
                self.enter_condition(node);
            }
            if self.tables.loops[this.kind as usize] || self.tables.branches[this.kind as usize].is_some() {
                self.enter_branches(node);
            }
            let first = self.facts.exprs.len() as u32;
            let mut frame = Frame { node, rule, first, values: 0, last: NONE, definition: None };
            let skip = match rule {
                Some(rule) => self.enter(node, rule, &mut frame.definition),
                None => false,
            };
            if skip || this.next == node + 1 {
                let value = if skip { self.value(node) } else { self.leave(frame) };
                self.close(node, value, &mut frames);
                node = this.next;
            } else {
                frames.push(frame);
                node += 1;
            }
        }
    }

    /// The value of the last of some expressions, clauses that catch errors or clean up left out.
    fn last_value(&self, node: u32) -> ExprId {
        let clause = |n: u32| {
            self.rule(n).is_some_and(|r| r.role == Role::Statements || r.role == Role::Assign && r.wrap == Wrap::OfType)
        };
        self.tree.named(node).filter(|&n| !clause(n)).last().map_or(NONE, |last| self.value(last))
    }

    /// Hands a finished node's value to the node around it and ends the context that began with it.
    fn close(&mut self, node: u32, value: ExprId, frames: &mut [Frame<'a>]) {
        let this = *self.tree.get(node);
        if this.has(mark::TYPE) {
            self.types = self.types.saturating_sub(1);
            if value != NONE && self.is_constant_type(node) {
                self.facts.constant_types.push(value);
            }
        }
        if value != NONE {
            self.values[node as usize] = value;
            if let Some(parent) = frames.last_mut() {
                parent.values += 1;
                parent.last = value;
            }
        }
        while self.contexts.last().is_some_and(|c| c.node == node) {
            self.contexts.pop();
        }
        self.leave_branch(node);
    }

    /// Whether the word for constants stands beside a type.
    fn is_constant_type(&self, node: u32) -> bool {
        let (kind, parent) = (self.tables.declarators.constant, self.tree.get(node).parent);
        if kind == 0 || parent == u32::MAX {
            return false;
        }
        // The word stands beside the name of the type, or in what names a type alone.
        let mut around = self.tree.children(parent).chain(self.tree.children(node));
        around.any(|at| self.tree.get(at).kind == kind && self.text(at) == "const")
    }

    /// What has to be known before the inside of a node is walked. `true` leaves the inside out.
    fn enter(&mut self, node: u32, rule: &'a Rule, definition: &mut Option<Box<Definition>>) -> bool {
        match rule.role {
            Role::Skip | Role::ParameterMark => return true,
            Role::Name if !self.tree.is_leaf(node) => {
                // `$x` and the like: one name, whatever is inside.
                let marks = self.tree.get(node);
                let used = if marks.has(mark::INHERIT) { UseKind::Inherit } else { UseKind::Type };
                let (target, typed) = (marks.has(mark::TARGET), marks.has(mark::TYPE | mark::INHERIT));
                if target && !self.narrowed.is_empty() {
                    self.end_narrowing(node);
                }
                if !target {
                    let first = self.facts.exprs.len() as u32;
                    let mut value = self.name_value(node, rule);
                    if !self.narrowed.is_empty() {
                        value = self.as_narrowed(node, rule, value);
                    }
                    self.values[node as usize] = value;
                    if typed {
                        self.used_as(first, value, used);
                    }
                }
                return true;
            }
            Role::Tokens => {
                self.enter_tokens(node);
                return true;
            }
            Role::Member | Role::Call | Role::Element | Role::Operator => {
                // `@x` is its own name.
                if let Some(name) = self.tree.first(node, &rule.name).filter(|&name| name != node) {
                    self.tree.mark(name, mark::TARGET);
                }
                self.mark_at(node, &rule.type_arguments, mark::TYPE);
            }
            Role::New | Role::Cast => {
                self.mark_at(node, &rule.type_, mark::TYPE);
                self.mark_at(node, &rule.type_arguments, mark::TYPE);
                if rule.role == Role::New {
                    self.enter_new(node, rule);
                }
            }
            Role::TypeBound => {
                self.mark_at(node, &rule.name, mark::TARGET);
                self.mark_at(node, &rule.type_, mark::TYPE);
            }
            Role::Argument | Role::Pair => {
                self.mark_at(node, &rule.name, mark::TARGET);
                if rule.role == Role::Pair {
                    self.enter_pair(node, rule);
                }
            }
            Role::Function => *definition = self.enter_function(node, rule).map(Box::new),
            Role::Lambda => *definition = self.enter_lambda(node, rule).map(Box::new),
            Role::Class => *definition = self.enter_class(node, rule).map(Box::new),
            Role::Namespace => *definition = self.enter_namespace(node, rule).map(Box::new),
            Role::Extension => *definition = self.enter_extension(node, rule).map(Box::new),
            Role::Variable | Role::Assign => {
                self.mark_at(node, &rule.name, mark::TARGET);
                *definition = self.enter_assign(node, rule).map(Box::new);
            }
            Role::Declaration => *definition = self.enter_declaration(node, rule).map(Box::new),
            Role::Index if self.tree.get(node).has(mark::TARGET) && rule.writes.is_empty() => {
                self.mark_at(node, &rule.object, mark::TARGET);
            }
            Role::Comprehension => self.enter_block(node, true),
            Role::Import => return self.enter_import(node, rule),
            Role::Export => return self.enter_export(node, rule),
            Role::Package => {
                self.enter_package(node, rule);
                return true;
            }
            Role::OuterNames => {
                self.enter_outer_names(node, rule);
                return true;
            }
            Role::Base => {
                self.mark_at(node, &rule.name, mark::TARGET);
                *definition = self.enter_base(node, rule).map(Box::new);
            }
            Role::Block => {
                let around = self.context();
                self.enter_block(node, rule.scoped);
                // The part that does not see what the block declares.
                if let Some(outside) = self.tree.first(node, &rule.default) {
                    self.switch(outside, around);
                }
                // Names that are declared further in.
                for at in self.tree.all(node, &rule.target) {
                    self.pattern_targets(at, &mut Vec::new());
                }
            }
            Role::Parameter => {
                for at in self.tree.all(node, &rule.name) {
                    if self.tree.is_leaf(at) {
                        self.tree.mark(at, mark::TARGET);
                    }
                }
            }
            _ => {}
        }
        false
    }

    /// The value of a node whose inside is done.
    fn leave(&mut self, mut frame: Frame<'a>) -> ExprId {
        let node = frame.node;
        let this = *self.tree.get(node);
        let alone = if frame.values == 1 { frame.last } else { NONE };
        let value = match frame.rule {
            None => alone,
            Some(_) if this.has(mark::TARGET) && this.next == node + 1 => {
                if !self.narrowed.is_empty() {
                    self.end_narrowing(node);
                }
                NONE
            }
            // The rest of a path: what stands around it puts it together.
            Some(rule) if this.has(mark::TARGET) && rule.path && rule.role == Role::Member => NONE,
            Some(rule) if this.has(mark::TARGET) && rule.role == Role::Index && rule.method == "call" => NONE,
            Some(rule) => match rule.role {
                Role::TypeBound => self.leave_bound(node, rule),
                Role::Transparent if !rule.value.is_empty() => {
                    self.some_value(self.tree.first(node, &rule.value)).unwrap_or(NONE)
                }
                Role::Transparent | Role::ImportItem | Role::TypeParameter | Role::Parameters => alone,
                Role::Skip | Role::ParameterMark | Role::Package | Role::OuterNames | Role::Statements => NONE,
                Role::ImportGroup | Role::ImportGlob => NONE,
                Role::Opaque => crate::build::UNKNOWN,
                Role::Function | Role::Class | Role::Namespace | Role::Extension | Role::Lambda => {
                    self.leave_definition(node, rule, frame.definition.take())
                }
                Role::Variable | Role::Assign => self.leave_assign(node, rule, frame.definition.take()),
                Role::Declaration => self.leave_declaration(node, rule, frame.definition.take()),
                Role::CallsInText => self.calls_in_text(node, rule),
                Role::Return | Role::Yield => self.leave_return(node, rule, alone),
                Role::Block if !rule.left.is_empty() => self.choice_value(node, rule),
                Role::Block if rule.value_last => self.last_value(node),
                Role::Block => NONE,
                Role::Import => self.leave_import(node, rule),
                Role::Export => {
                    self.leave_export(node, rule);
                    NONE
                }
                Role::Decorator => self.leave_decorator(node, rule, alone),
                Role::Base => self.leave_base(node, rule, frame.definition.take()),
                _ => self.leave_expression(node, rule, alone),
            },
        };
        let value = match frame.rule {
            Some(rule) if !self.narrowed.is_empty() && matches!(rule.role, Role::Name | Role::Member) => {
                match this.has(mark::TARGET) {
                    true if this.next != node + 1 => {
                        self.end_narrowing(node);
                        value
                    }
                    true => value,
                    false => self.as_narrowed(node, rule, value),
                }
            }
            _ => value,
        };
        if this.has(mark::TYPE | mark::INHERIT) {
            let used = if this.has(mark::INHERIT) { UseKind::Inherit } else { UseKind::Type };
            self.used_as(frame.first, value, used);
        }
        value
    }

    /// Turns reads among the expressions from `first` on into another use; of a base, only the base itself.
    fn used_as(&mut self, first: u32, value: ExprId, used: UseKind) {
        if used == UseKind::Inherit {
            let mut base = value;
            while base != NONE {
                match self.facts.expr(base) {
                    Expr::Index { object, .. } | Expr::Deref(object) => base = object,
                    _ => return self.use_as(base, used),
                }
            }
            return;
        }
        for place in &mut self.facts.places[first as usize..] {
            if place.used() == UseKind::Read {
                *place = place.with_use(used);
            }
        }
    }
}
