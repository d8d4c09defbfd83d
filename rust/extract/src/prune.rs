//! Facts that nobody asks for go: assignments that say nothing beside declared types, and expressions that nothing
//! refers to any more. What is left keeps its order.

use crate::build::{Build, UNKNOWN};
use mmcg_facts::{Expr, ExprId, FileFacts, NameId, ScopeId, UseKind};
use rustc_hash::FxHashSet;

impl Build<'_> {
    /// Leaves out what only function values need where types are always declared.
    pub(crate) fn prune(&mut self) {
        if self.tables.declared_types {
            self.prune_assignments();
        }
        prune_expressions(&mut self.facts);
    }

    fn prune_assignments(&mut self) {
        let facts = &mut self.facts;
        let exprs = &facts.exprs;
        let declared: FxHashSet<(ScopeId, NameId)> =
            facts.binds.iter().filter(|b| b.declared.is_some()).map(|b| (b.scope, b.name)).collect();
        facts.binds.retain_mut(|bind| {
            bind.value = bind.value.filter(|&value| bind.declared.is_none() || may_hold_function(exprs, value));
            bind.declared.is_some()
                || !declared.contains(&(bind.scope, bind.name))
                || bind.value.is_some_and(|value| may_hold_function(exprs, value))
        });
        facts.member_binds.retain(|bind| bind.value.is_some_and(|value| may_hold_function(exprs, value)));
    }
}

/// Whether a value can be a function without being called.
fn may_hold_function(exprs: &[Expr], value: ExprId) -> bool {
    let mut at = value;
    loop {
        match exprs[at.index()] {
            Expr::Deref(of) | Expr::Cast(of, _) | Expr::Narrow(of, _) => at = of,
            Expr::Unknown | Expr::Literal(..) | Expr::Call(_) | Expr::Receiver(..) | Expr::OfType(_) => return false,
            _ => return true,
        }
    }
}

/// Drops the expressions that no fact leads to, and numbers the others anew.
fn prune_expressions(facts: &mut FileFacts) {
    let mut kept = vec![false; facts.exprs.len()];
    kept[UNKNOWN.index()] = true;
    let mut waiting: Vec<ExprId> = Vec::new();
    each(facts, &mut |expr| waiting.push(*expr));
    for (index, place) in facts.places.iter().enumerate() {
        if !matches!(place.used(), UseKind::None | UseKind::Call) {
            waiting.push(ExprId::from(index));
        }
    }
    let range = |waiting: &mut Vec<ExprId>, from: u32, count: u32| {
        waiting.extend(facts.args[from as usize..(from + count) as usize].iter().map(|a| a.value));
    };
    for site in &facts.sites {
        range(&mut waiting, site.args.start, site.args.end - site.args.start);
        range(&mut waiting, site.type_args.start, site.type_args.end - site.type_args.start);
    }
    while let Some(expr) = waiting.pop() {
        if std::mem::replace(&mut kept[expr.index()], true) {
            continue;
        }
        match facts.exprs[expr.index()] {
            Expr::Index { object, args, count } => {
                waiting.push(object);
                range(&mut waiting, args, count);
            }
            Expr::Collection { args, count, .. } => range(&mut waiting, args, count),
            other => children(other).into_iter().flatten().for_each(|child| waiting.push(child)),
        }
    }
    let mut renamed = vec![UNKNOWN; kept.len()];
    let mut next = 0;
    for (old, _) in kept.iter().enumerate().filter(|(_, kept)| **kept) {
        renamed[old] = ExprId::from(next);
        facts.exprs[next] = facts.exprs[old];
        facts.places[next] = facts.places[old];
        next += 1;
    }
    facts.exprs.truncate(next);
    facts.places.truncate(next);
    let to = |id: &mut ExprId| *id = renamed[id.index()];
    for expr in &mut facts.exprs {
        match expr {
            Expr::Member { object: of, .. }
            | Expr::Index { object: of, .. }
            | Expr::Item(of, _)
            | Expr::Part { of, .. }
            | Expr::Element(of)
            | Expr::Key(of)
            | Expr::Entered(of)
            | Expr::Await(of)
            | Expr::OfType(of)
            | Expr::Deref(of) => to(of),
            Expr::Choice(a, b) | Expr::Cast(a, b) | Expr::Narrow(a, b) => {
                to(a);
                to(b);
            }
            Expr::Unknown
            | Expr::Literal(..)
            | Expr::Name { .. }
            | Expr::Receiver(..)
            | Expr::Call(_)
            | Expr::Symbol(_)
            | Expr::Lambda(_)
            | Expr::Collection { .. } => {}
        }
    }
    facts.args.iter_mut().for_each(|arg| to(&mut arg.value));
    facts.constant_types.retain(|expr| kept[expr.index()]);
    facts.constant_types.iter_mut().for_each(to);
    facts.constant_types.sort_unstable();
    facts.constant_types.dedup();
    each(facts, &mut |expr| *expr = renamed[expr.index()]);
}

/// The expressions inside an expression, those of argument ranges left out.
fn children(expr: Expr) -> [Option<ExprId>; 2] {
    match expr {
        Expr::Member { object: of, .. }
        | Expr::Item(of, _)
        | Expr::Part { of, .. }
        | Expr::Element(of)
        | Expr::Key(of)
        | Expr::Entered(of)
        | Expr::Await(of)
        | Expr::OfType(of)
        | Expr::Index { object: of, .. }
        | Expr::Deref(of) => [Some(of), None],
        Expr::Choice(a, b) | Expr::Cast(a, b) | Expr::Narrow(a, b) => [Some(a), Some(b)],
        Expr::Unknown
        | Expr::Literal(..)
        | Expr::Name { .. }
        | Expr::Receiver(..)
        | Expr::Call(_)
        | Expr::Symbol(_)
        | Expr::Lambda(_)
        | Expr::Collection { .. } => [None, None],
    }
}

/// Every place outside expressions and arguments where a fact names an expression.
fn each(facts: &mut FileFacts, to: &mut dyn FnMut(&mut ExprId)) {
    for symbol in &mut facts.symbols {
        [&mut symbol.owner, &mut symbol.declared, &mut symbol.value].into_iter().flatten().for_each(&mut *to);
    }
    facts.params.iter_mut().for_each(|p| [&mut p.declared, &mut p.default].into_iter().flatten().for_each(&mut *to));
    facts.type_params.iter_mut().filter_map(|(_, bound)| bound.as_mut()).for_each(&mut *to);
    facts.decorators.iter_mut().for_each(&mut *to);
    facts.binds.iter_mut().for_each(|b| [&mut b.value, &mut b.declared].into_iter().flatten().for_each(&mut *to));
    for bind in &mut facts.member_binds {
        to(&mut bind.object);
        [&mut bind.value, &mut bind.declared].into_iter().flatten().for_each(&mut *to);
    }
    facts.exports.iter_mut().for_each(|e| to(&mut e.value));
    facts.bases.iter_mut().for_each(|b| to(&mut b.base));
    for extension in &mut facts.extensions {
        to(&mut extension.target);
        extension.interface.iter_mut().for_each(&mut *to);
    }
    facts.returns.iter_mut().for_each(|r| to(&mut r.value));
    facts.sites.iter_mut().for_each(|s| to(&mut s.callee));
}
