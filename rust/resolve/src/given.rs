//! What calls give to a parameter: arguments by position and by name, spread ones, and the rest.

use crate::modules::FileId;
use crate::resolver::Resolver;
use crate::solve::Question;
use crate::values::{How, Value, ValueSet};
use mmcg_facts::{Arg, Expr, ExprId, NameId, Param, ParamKind, ScopeId, SymbolFlags};

/// Where a parameter stands among those that arguments reach.
pub(crate) struct Slot {
    param: Param,
    /// Its position among the positional ones, if it can be given by position.
    position: Option<usize>,
    /// Names of parameters that are given by name.
    named: Vec<NameId>,
}

impl Resolver<'_> {
    /// What the known calls of a function give to one of its parameters; open, as there may be others.
    pub(crate) fn given_by_calls(&mut self, file: FileId, scope: ScopeId, index: u32) -> ValueSet {
        let callee = self.callee_of_scope(file, scope);
        let mut all = ValueSet::unknown();
        for call in self.flow.calls(callee) {
            let Some(slot) = self.slot(file, scope, index, call.of_type) else { continue };
            let site = self.program.file(call.file).facts.site(call.site);
            let given = self.given_by(call.file, site.args.start, site.args.end, &slot);
            for (value, _) in given.iter() {
                if !matches!(value, Value::External(_) | Value::Literal(_)) && !all.add_within(value, How::Flow) {
                    return ValueSet::unknown();
                }
            }
        }
        all
    }

    /// The expressions that known calls give to a parameter, where they are plainly written.
    pub(crate) fn given_expressions(&self, file: FileId, scope: ScopeId, index: u32) -> Vec<(FileId, ExprId)> {
        let calls = self.flow.calls(self.callee_of_scope(file, scope));
        let given = calls.into_iter().filter_map(|call| {
            let slot = self.slot(file, scope, index, call.of_type)?;
            let facts = &self.program.file(call.file).facts;
            let site = facts.site(call.site);
            let args = &facts.args[site.args.start as usize..site.args.end as usize];
            let named = args.iter().find(|arg| arg.name == Some(slot.param.name));
            let placed = || args.iter().take_while(|arg| !arg.spread && arg.name.is_none()).nth(slot.position?);
            Some((call.file, named.or_else(placed)?.value))
        });
        given.collect()
    }

    /// Where a parameter stands. `of_type`: the receiver is given like an argument.
    pub(crate) fn slot(&self, file: FileId, scope: ScopeId, index: u32, of_type: bool) -> Option<Slot> {
        let facts = &self.program.file(file).facts;
        let symbol = facts.symbol(facts.scopes[scope.index()].symbol);
        let all: Vec<u32> = match symbol.body == Some(scope) {
            true => symbol.params.clone().collect(),
            false => self.lambda_params(file, scope),
        };
        let receiver = of_type && !symbol.flags.has(SymbolFlags::CLASS_METHOD);
        let params = all.iter().map(|&i| (i, facts.params[i as usize]));
        let params: Vec<_> = params.filter(|(_, p)| receiver || p.kind != ParamKind::Receiver).collect();
        let param = params.iter().find(|(i, _)| *i == index)?.1;
        let positional = |kind| matches!(kind, ParamKind::Receiver | ParamKind::Positional | ParamKind::Normal);
        let before = params.iter().filter(|(i, p)| *i < index && positional(p.kind)).count();
        let position = (positional(param.kind) || param.kind == ParamKind::Variadic).then_some(before);
        let named = params.iter().filter(|(_, p)| matches!(p.kind, ParamKind::Normal | ParamKind::Keyword));
        Some(Slot { param, position, named: named.map(|(_, p)| p.name).collect() })
    }

    /// What one call gives to a parameter.
    pub(crate) fn given_by(&mut self, file: FileId, start: u32, end: u32, slot: &Slot) -> ValueSet {
        match slot.param.kind {
            ParamKind::Variadic => self.rest_by_position(file, start, end, slot.position.unwrap_or(0)),
            ParamKind::KeywordVariadic => self.rest_by_name(file, start, end, &slot.named),
            _ => {
                let by_name = !matches!(slot.param.kind, ParamKind::Positional | ParamKind::Receiver);
                let name = Some(slot.param.name).filter(|name| by_name && *name != self.program.known.empty);
                self.argument(file, start, end, slot.position, name)
            }
        }
    }

    /// The argument under a name or at a position among arguments, or among items of a collection.
    pub(crate) fn argument(
        &mut self,
        file: FileId,
        start: u32,
        end: u32,
        position: Option<usize>,
        name: Option<NameId>,
    ) -> ValueSet {
        let args = self.args(file, start, end - start);
        if let Some(named) = args.iter().find(|arg| arg.name.is_some() && arg.name == name) {
            return self.eval(file, named.value);
        }
        if args.iter().any(|arg| arg.spread) {
            return self.ask(Question::Argument(file, start, end, position.map(|at| at as u32), name));
        }
        let mut plain = args.iter().filter(|arg| arg.name.is_none());
        match position.and_then(|position| plain.nth(position)).copied() {
            Some(arg) => self.eval(file, arg.value),
            None => ValueSet::default(),
        }
    }

    /// The same where some are spread: what these hold counts.
    pub(crate) fn spread_argument(
        &mut self,
        file: FileId,
        start: u32,
        end: u32,
        position: Option<u32>,
        name: Option<NameId>,
    ) -> ValueSet {
        let mut all = ValueSet::unknown();
        let mut passed = 0;
        for index in start..end {
            match self.program.file(file).facts.args[index as usize] {
                Arg { spread: true, value, .. } => {
                    let values = self.eval(file, value);
                    for (value, _) in values.iter() {
                        let Some((home, from, to)) = self.items(value) else { continue };
                        let at = position.and_then(|position| position.checked_sub(passed));
                        let found = self.argument(home, from, to, at.map(|at| at as usize), name);
                        all.join(&found);
                    }
                }
                Arg { name: None, value, .. } => {
                    if position == Some(passed) {
                        let found = self.eval(file, value);
                        all.join(&found);
                        return all;
                    }
                    passed += 1;
                }
                _ => {}
            }
        }
        all
    }

    /// The items of a value that holds a row of them.
    pub(crate) fn items(&self, value: Value) -> Option<(FileId, u32, u32)> {
        match value {
            Value::Items(file, from, to) => Some((file, from, to)),
            Value::Collection(file, expr) => match self.program.expr(file, expr) {
                Expr::Collection { args, count, .. } => Some((file, args, args + count)),
                _ => None,
            },
            _ => None,
        }
    }

    /// All positional arguments from a position on.
    fn rest_by_position(&mut self, file: FileId, start: u32, end: u32, position: usize) -> ValueSet {
        let args = self.args(file, start, end - start);
        let plain = |arg: &&Arg| arg.name.is_none() && !arg.spread;
        let count = args.iter().take_while(plain).count();
        if let (Some(arg), true) = (args.get(position).filter(|arg| arg.spread), count == position) {
            // Handed on as they came.
            let value = arg.value;
            return self.eval(file, value);
        }
        match count > position {
            true => ValueSet::one(Value::Items(file, start + position as u32, start + count as u32), How::Flow),
            false => ValueSet::unknown(),
        }
    }

    /// All arguments that are given by names that no parameter has.
    fn rest_by_name(&mut self, file: FileId, start: u32, end: u32, taken: &[NameId]) -> ValueSet {
        let args = self.args(file, start, end - start);
        let free = |arg: &Arg| arg.name.is_some_and(|name| !taken.contains(&name));
        let Some(first) = args.iter().position(free) else {
            let Some(value) = args.last().filter(|arg| arg.spread).map(|arg| arg.value) else {
                return ValueSet::unknown();
            };
            return self.eval(file, value);
        };
        let last = args.iter().rposition(free).unwrap_or(first);
        ValueSet::one(Value::Items(file, start + first as u32, start + last as u32 + 1), How::Flow)
    }
}
