//! What a decorated name means, and what functions give back of what they are given.

use crate::lookup::Bound;
use crate::modules::FileId;
use crate::program::Sym;
use crate::resolver::Resolver;
use crate::solve::Question;
use crate::values::{How, Value, ValueSet};
use mmcg_facts::{Expr, Site, SymbolFlags, SymbolKind};
use std::rc::Rc;

impl Resolver<'_> {
    /// What the name of a decorated function means, where its decorators give something else than the function.
    pub(crate) fn decorated(&mut self, sym: Sym) -> Option<ValueSet> {
        let symbol = self.program.symbol(sym);
        if symbol.value.is_none()
            || symbol.decorators.is_empty()
            || !matches!(symbol.kind, SymbolKind::Function | SymbolKind::Method)
            || !self.program.file(self.program.file_of(sym)).rules.decorators_replace
        {
            return None;
        }
        let found = self.ask(Question::Decorated(sym));
        let object = found.iter().any(|(value, _)| matches!(self.plain(value), Value::Instance(_)));
        (!found.is_empty() && !object).then_some(found)
    }

    /// What members are looked up in: of a decorated function, the object that its decorators make of it. Calls of the name
    /// still reach the function: what the object does with it is its own affair.
    pub(crate) fn seen_as_object(&mut self, value: Value, how: How) -> (Value, How) {
        let Value::Symbol(sym) = value else { return (value, how) };
        let symbol = self.program.symbol(sym);
        if symbol.decorators.is_empty()
            || symbol.value.is_none()
            || !matches!(symbol.kind, SymbolKind::Function | SymbolKind::Method)
            || !self.program.file(self.program.file_of(sym)).rules.decorators_replace
        {
            return (value, how);
        }
        let found = self.ask(Question::Decorated(sym));
        let object = found.iter().find(|(value, _)| matches!(self.plain(*value), Value::Instance(_)));
        object.map_or((value, how), |(object, _)| (object, How::Flow))
    }

    /// What decorators make of a function; nothing if they give it back, or what stands for it.
    pub(crate) fn made_by_decorators(&mut self, sym: Sym) -> ValueSet {
        let symbol = self.program.symbol(sym);
        let Some(value) = symbol.value else { return ValueSet::default() };
        let values = self.eval(self.program.file_of(sym), value);
        let mut all = ValueSet::default();
        let mut objects: Vec<Value> = Vec::new();
        for (value, _) in values.iter() {
            if let Value::Instance(of) = self.plain(value) {
                if !self.is_bound_apart(of) && !objects.contains(&value) {
                    objects.push(value);
                }
            }
        }
        let own = |this: &Self, value| matches!(value, Value::Symbol(o) if o == sym || this.stands_for_another(o));
        if let (&[object], false) = (&objects[..], values.iter().any(|(value, _)| own(self, value))) {
            all.add(object, How::Flow);
            return all;
        }
        if values.open {
            // It may be the function itself.
            return all;
        }
        for (value, how) in values.iter() {
            match value {
                Value::Symbol(other) if other == sym || self.stands_for_another(other) => return ValueSet::default(),
                Value::Symbol(other) if self.program.symbol(other).kind.is_callable() => all.add(value, how),
                Value::Lambda(..) => all.add(value, how),
                _ => {}
            }
        }
        all
    }

    /// Whether an object in a class gives something else than itself where it is read (Python's descriptors).
    fn is_bound_apart(&mut self, sym: Sym) -> bool {
        let reading = &self.program.file(self.program.file_of(sym)).rules.reading_member;
        let name = self.program.name(reading).filter(|_| !reading.is_empty());
        self.has_external_base(sym) || name.is_some_and(|name| !self.members(sym, name).is_empty())
    }

    /// Whether a decorator says that a function stands for another one (`functools.wraps`).
    fn stands_for_another(&self, sym: Sym) -> bool {
        let file = self.program.file_of(sym);
        let source = self.program.file(file);
        self.program.symbol(sym).decorators.clone().any(|index| {
            let mut decorator = source.facts.decorators[index as usize];
            while let Expr::Call(site) = source.facts.expr(decorator) {
                decorator = source.facts.site(site).callee;
            }
            let name = self.last_name(file, decorator).map_or("", |name| self.program.text(name));
            source.rules.keeping_decorators.iter().any(|keeping| keeping == name)
        })
    }

    /// What a call gives where the function gives back one of its parameters as it came.
    pub(crate) fn passed_through(&mut self, file: FileId, site: &Site, sym: Sym) -> Option<ValueSet> {
        let program = self.program;
        let symbol = program.symbol(sym);
        if symbol.declared.is_some() {
            return self.given_for_variable(file, site, sym);
        }
        if symbol.params.is_empty() || symbol.flags.has(SymbolFlags::GENERATOR) {
            return None;
        }
        let (home, body) = (program.file_of(sym), symbol.body?);
        let given = match self.passing.get(&sym) {
            Some(known) => known.clone(),
            None => {
                let given = self.passed_params(sym, home, body);
                self.passing.insert(sym, given.clone());
                given
            }
        }?;
        let mut all = ValueSet::default();
        for (returned, param) in program.file(home).facts.returned(body).iter().zip(given.iter()) {
            let found = match param.and_then(|index| self.slot(home, body, index, false)) {
                Some(slot) => self.given_by(file, site.args.start, site.args.end, &slot),
                None => self.eval(home, returned.value),
            };
            all.join(&found);
        }
        Some(all)
    }

    /// The parameter that each `return` of a function gives back, if any does.
    fn passed_params(&mut self, sym: Sym, home: FileId, body: mmcg_facts::ScopeId) -> Option<Rc<[Option<u32>]>> {
        let program = self.program;
        let facts = &program.file(home).facts;
        let range = program.symbol(sym).params.clone();
        let params = &facts.params[range.start as usize..range.end as usize];
        let mut given: Vec<Option<u32>> = Vec::new();
        for returned in facts.returned(body) {
            let Expr::Name { name, scope, path: false } = facts.expr(returned.value) else {
                given.push(None);
                continue;
            };
            if !params.iter().any(|param| param.name == name) {
                given.push(None);
                continue;
            }
            let own = facts.declared(body, name).iter().find_map(|decl| match decl.what {
                mmcg_facts::What::Param(index) => Some(index),
                _ => None,
            });
            let param = own.filter(|_| facts.bound(body, name).is_empty());
            let param = param.filter(|&index| {
                self.lookup(home, scope, name, false).bounds[..] == [Bound::Param(home, body, index)]
                    && facts.params[index as usize].declared.is_none()
            });
            given.push(param);
        }
        given.iter().any(Option::is_some).then(|| given.into())
    }
}
