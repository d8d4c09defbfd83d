//! The order of assignments: which of them a use in the same function can see.

use crate::lookup::{Bound, Bounds};
use crate::modules::FileId;
use crate::resolver::Resolver;
use crate::solve::Question;
use crate::values::{How, ValueSet};
use mmcg_facts::{Expr, ExprId, FileFacts, NameId, Place, ScopeId, ScopeKind, SymbolKind, UseKind, What};
use smallvec::SmallVec;

/// An assignment as a use sees it.
pub(crate) struct Assigned {
    pub place: Place,
    /// What is assigned.
    pub value: Option<ExprId>,
    /// Whether nothing of what was there before is left.
    pub replaces: bool,
}

impl Resolver<'_> {
    /// What a variable holds where it is named, where the order of its assignments says more than all of them.
    pub(crate) fn value_in_order(
        &mut self,
        file: FileId,
        expr: ExprId,
        scope: ScopeId,
        bounds: &Bounds,
    ) -> Option<ValueSet> {
        self.ordered_variable(file, scope, bounds)?;
        Some(self.ask(Question::InOrder(file, expr)))
    }

    /// The variable of the same function that a name is bound to, if its order of assignments is known.
    fn ordered_variable(&self, file: FileId, scope: ScopeId, bounds: &Bounds) -> Option<(ScopeId, NameId)> {
        let program = self.program;
        let source = program.file(file);
        if !source.rules.ordered {
            return None;
        }
        let (of, name) = match bounds[..] {
            [Bound::Variable(home, of, name)] if home == file => (of, name),
            [Bound::Param(home, of, index)] if home == file && self.is_assigned(file, of, index) => {
                (of, source.facts.params[index as usize].name)
            }
            [Bound::Symbol(sym)] if program.file_of(sym) == file => {
                let symbol = program.symbol(sym);
                let variable = matches!(symbol.kind, SymbolKind::Variable | SymbolKind::Constant);
                variable.then_some((symbol.scope, symbol.name))?
            }
            _ => return None,
        };
        let facts = &source.facts;
        let binds = facts.bound(of, name);
        let first = usize::from(matches!(bounds[..], [Bound::Param(..)]));
        if binds.len() + first < 2 || binds.iter().any(|bind| bind.declared.is_some()) {
            return None;
        }
        let other = |what| match what {
            What::Symbol(symbol) => !matches!(facts.symbol(symbol).kind, SymbolKind::Variable | SymbolKind::Constant),
            What::Variable => false,
            What::Param(_) => first == 0,
            _ => true,
        };
        if facts.declared(of, name).iter().any(|decl| other(decl.what)) {
            return None;
        }
        let mut at = scope;
        while at != of {
            let current = &facts.scopes[at.index()];
            if current.kind != ScopeKind::Block {
                return None;
            }
            at = current.parent?;
        }
        Some((of, name))
    }

    /// Whether a function assigns to a parameter of its own that has no declared type.
    fn is_assigned(&self, file: FileId, scope: ScopeId, index: u32) -> bool {
        let source = self.program.file(file);
        let param = &source.facts.params[index as usize];
        source.rules.ordered && param.declared.is_none() && !source.facts.bound(scope, param.name).is_empty()
    }

    /// What a parameter holds for code that does not see the order of assignments: what it is given and all that the
    /// function assigns to it.
    pub(crate) fn param_at_any_time(&mut self, file: FileId, scope: ScopeId, index: u32) -> ValueSet {
        let mut all = self.param_value(file, scope, index);
        if self.is_assigned(file, scope, index) {
            let name = self.program.file(file).facts.params[index as usize].name;
            let assigned = self.ask(Question::Variable(file, scope, name));
            all.join(&assigned.weaken(How::Flow));
        }
        all
    }

    /// What a variable holds where it is named.
    pub(crate) fn variable_in_order(&mut self, file: FileId, expr: ExprId) -> ValueSet {
        let program = self.program;
        let facts = &program.file(file).facts;
        let Expr::Name { name, scope, path } = facts.expr(expr) else { return ValueSet::unknown() };
        let bounds = self.lookup(file, scope, name, path).bounds;
        let Some((of, name)) = self.ordered_variable(file, scope, &bounds) else { return ValueSet::unknown() };
        let binds = facts.bound(of, name);
        let mut assigned: SmallVec<[Assigned; 4]> =
            binds.iter().map(|b| Assigned { place: b.place, value: b.value, replaces: true }).collect();
        // What a parameter is given comes before all that the function assigns to it.
        let param = match bounds[..] {
            [Bound::Param(_, _, index)] => Some(index),
            _ => None,
        };
        if param.is_some() {
            assigned.push(Assigned { place: Place::new(0, 0, UseKind::None), value: None, replaces: true });
        }
        let mut all = ValueSet::default();
        for index in seen(facts, expr, &assigned) {
            if let (Some(param), true) = (param, index == binds.len()) {
                let found = self.param_value(file, of, param);
                all.join(&found);
                continue;
            }
            match binds[index].value {
                Some(value) => {
                    let found = self.eval(file, value);
                    all.join(&found);
                }
                None => all.open = true,
            }
        }
        if all.is_empty() {
            all.open = true;
        }
        self.as_variable_value(all)
    }
}

/// Which assignments a use can see: the last one that surely ran before it, those that may have run since, and those
/// further down in a loop around both.
pub(crate) fn seen(facts: &FileFacts, used: ExprId, assigned: &[Assigned]) -> SmallVec<[usize; 4]> {
    let at = facts.places[used.index()].with_use(UseKind::None);
    let around: SmallVec<[u32; 8]> = chain(facts, innermost(facts, at)).collect();
    let before = |a: &Assigned| {
        a.place.with_use(UseKind::None) < at && a.value.is_none_or(|value| evaluated(facts, value) < used)
    };
    let surely = |a: &Assigned| {
        a.replaces && innermost(facts, a.place.with_use(UseKind::None)).is_none_or(|branch| around.contains(&branch))
    };
    let ran = assigned.iter().filter(|a| before(a) && surely(a));
    let last = ran.map(|a| a.place.with_use(UseKind::None)).max();
    let again = |a: &Assigned| {
        around.iter().any(|&branch| {
            let branch = &facts.branches[branch as usize];
            let inside = |place: Place| branch.from <= place && place < branch.to;
            branch.repeats && inside(a.place.with_use(UseKind::None)) && !last.is_some_and(inside)
        })
    };
    // Of an `if` and its `else` only one has run.
    let elsewhere = |a: &Assigned| {
        let place = a.place.with_use(UseKind::None);
        chain(facts, innermost(facts, place)).any(|index| {
            let apart = facts.branches[index as usize].apart;
            apart != 0 && around.iter().any(|&own| own != index && facts.branches[own as usize].apart == apart)
        })
    };
    let sees = |a: &Assigned| match before(a) && !elsewhere(a) {
        true => last.is_none_or(|last| a.place.with_use(UseKind::None) >= last),
        false => again(a),
    };
    let found: SmallVec<[usize; 4]> = (0..assigned.len()).filter(|&index| sees(&assigned[index])).collect();
    match found.is_empty() {
        true => (0..assigned.len()).collect(),
        false => found,
    }
}

/// The expression whose evaluation ends where an assigned value is made: what is gone over, entered or taken apart.
fn evaluated(facts: &FileFacts, mut value: ExprId) -> ExprId {
    loop {
        match facts.expr(value) {
            Expr::Element(of) | Expr::Entered(of) | Expr::Key(of) | Expr::Item(of, _) | Expr::Part { of, .. } => {
                value = of;
            }
            _ => return value,
        }
    }
}

/// The innermost branch that a place is in.
fn innermost(facts: &FileFacts, place: Place) -> Option<u32> {
    let start = facts.branches.partition_point(|branch| branch.from <= place).checked_sub(1)?;
    chain(facts, Some(start as u32)).find(|&index| facts.branches[index as usize].to > place)
}

/// A branch and those around it.
fn chain(facts: &FileFacts, from: Option<u32>) -> impl Iterator<Item = u32> + '_ {
    std::iter::successors(from, |&index| facts.branches[index as usize].around)
}
