//! What calls give, and which values a callee can be.

use crate::lookup::{Bound, Where};
use crate::modules::FileId;
use crate::program::Sym;
use crate::receivers::Received;
use crate::resolver::Resolver;
use crate::solve::Question;
use crate::types::Syms;
use crate::uniform::Message;
use crate::values::{How, Value, ValueSet};
use mmcg_facts::{Expr, LiteralKind, NameId, Site, SiteFlags, SiteId, SymbolKind};

impl Resolver<'_> {
    /// What a call gives; of an `async` function, before or after it is awaited.
    pub(crate) fn call_result(&mut self, file: FileId, id: SiteId, awaited: bool) -> ValueSet {
        let site = self.program.file(file).facts.site(id);
        let flags = site.flags;
        if let Some(passed) = self.passed_on(file, site) {
            return passed;
        }
        match self.message(file, site.callee) {
            Some(Message::Constructs(types)) => {
                let mut made = ValueSet::as_open_as(&types);
                for (value, how) in types.iter() {
                    if let Value::Symbol(sym) = value {
                        made.add(Value::Instance(sym), if how == How::Flow { How::Flow } else { How::Constructed });
                    }
                }
                return made;
            }
            Some(Message::Reads(values)) => return values,
            None => {}
        }
        if let Some(given) = self.callback_result(file, site) {
            return given;
        }
        if let Some(given) = self.mapped_results(file, site) {
            return given;
        }
        let mut all = self.held_by_wrapper(file, site.callee);
        // What the call is on is looked at once: twice at each link of a chain would double with its length.
        let mut on = None;
        if let Some((object, keyed)) = self.container_member(file, site) {
            let objects = self.eval(file, object);
            if let Some(given) = self.container_result(file, site, &objects, keyed) {
                return given;
            }
            on = Some(objects);
        }
        if let Some(given) = self.library_result(file, id) {
            return given;
        }
        if let Expr::Member { object, name, .. } = self.program.expr(file, site.callee) {
            if !self.program.file(file).rules.same_members.is_empty() {
                let objects = on.take().unwrap_or_else(|| self.eval(file, object));
                for (value, how) in objects.iter() {
                    if let Some(given) = self.wrapped_result(file, value, name) {
                        all.join(&if how == How::Flow { given.weaken(How::Flow) } else { given });
                    }
                }
                if !all.is_empty() {
                    return all;
                }
                on = Some(objects);
            }
        }
        // Where a construction has no form of its own, the class is what is called.
        let named = !self.program.file(file).rules.library.type_variables.is_empty();
        let lazy = !awaited && self.program.file(file).rules.lazy_async;
        for (callee, receiver, how) in self.callee_values_on(file, site, on) {
            if lazy && matches!(callee, Value::Symbol(sym) if self.gives_future(sym)) {
                all.add(Value::Future(file, id), how.max(How::Declared));
                continue;
            }
            let made = named && matches!(callee, Value::Symbol(sym) if self.program.symbol(sym).kind.is_type());
            let known = match (callee, receiver) {
                (Value::Symbol(sym), _) if made || flags.has(SiteFlags::NEW) => {
                    self.made_with_arguments(file, site, sym)
                }
                (Value::Symbol(sym), _) => match self.inferred_result(file, site, sym) {
                    None => self.passed_through(file, site, sym),
                    inferred => inferred,
                },
                (Value::External(_), Some(receiver)) => self.foreign_result(file, receiver, site.name),
                _ => None,
            };
            let result = known.unwrap_or_else(|| self.result_of(file, callee, receiver, flags));
            let flown =
                how == How::Flow && !matches!(callee, Value::Symbol(s) if self.program.symbol(s).kind.is_type());
            all.join(&if flown { result.weaken(How::Flow) } else { result });
        }
        if all.is_empty() {
            all.open = true;
        }
        if all.len() > 1 {
            all.weaken(How::Flow)
        } else {
            all
        }
    }

    /// `new Box<Foo>()`: the object with what its type parameters stand for.
    fn made_with_arguments(&mut self, file: FileId, site: &Site, sym: Sym) -> Option<ValueSet> {
        let generic = self.program.file(file).rules.generic_types && self.program.symbol(sym).kind.is_type();
        if !generic {
            return None;
        }
        let Expr::Index { count: 1.., .. } = self.program.expr(file, site.callee) else { return None };
        let named = self.instances(file, site.callee);
        let mut all = ValueSet::default();
        named.iter().for_each(|(value, _)| all.add(value, How::Constructed));
        (!all.is_empty()).then_some(all)
    }

    /// The values a callee can be, each with the receiver it is taken from.
    pub(crate) fn callee_values(&mut self, file: FileId, site: &Site) -> Vec<(Value, Option<Value>, How)> {
        self.callee_values_on(file, site, None)
    }

    /// The same, where it is known already what a method is called on.
    fn callee_values_on(
        &mut self,
        file: FileId,
        site: &Site,
        on: Option<ValueSet>,
    ) -> Vec<(Value, Option<Value>, How)> {
        let mut found = Vec::new();
        match self.program.expr(file, site.callee) {
            Expr::Member { object, name, .. } => {
                let objects = on.unwrap_or_else(|| self.eval(file, object));
                for (value, how) in objects.iter() {
                    let mut members = self.members_of_values(file, &ValueSet::one(value, how), name);
                    self.apart(file, &mut members, !site.flags.has(SiteFlags::NEW));
                    self.overload(file, site, value, name, &mut members);
                    let foreign = members.iter().all(|(bound, _)| matches!(bound, Bound::External(_)));
                    if foreign && !self.types.extensions.is_empty() {
                        let extensions = self.extensions_for(file, site, value, name);
                        if !extensions.is_empty() {
                            members = extensions.into_iter().map(|sym| (Bound::Symbol(sym), None)).collect();
                        }
                    }
                    for (bound, receiver) in members {
                        let (receiver, how) = receiver.map_or((None, How::Named), |(value, how)| (Some(value), how));
                        let values = self.member_value(bound, receiver);
                        found.extend(values.iter().map(|(value, own)| (value, receiver, own.max(how))));
                    }
                }
            }
            Expr::Name { name, scope, path } if !site.flags.has(SiteFlags::NEW) => {
                let looked = self.lookup_called(file, scope, name, path);
                if let Some(values) = self.value_in_order(file, site.callee, scope, &looked.bounds) {
                    return values.iter().map(|(value, how)| (value, None, how)).collect();
                }
                let owner = match looked.at {
                    Where::Member(owner) => Some(Value::Instance(owner)),
                    _ => None,
                };
                let bounds = self.follow_all(looked.bounds);
                let receiver = owner.map(|value| (value, How::Own));
                let mut members: Vec<_> = bounds.into_iter().map(|bound| (bound, receiver)).collect();
                self.overload(file, site, owner.unwrap_or(Value::Literal(LiteralKind::Null)), name, &mut members);
                let several = members.len() > 1;
                for (bound, receiver) in members {
                    let receiver = receiver.map(|(value, _)| value);
                    let values = self.member_value(bound, receiver);
                    let weakest = if several { How::Flow } else { How::Own };
                    found.extend(values.iter().map(|(value, how)| (value, receiver, how.max(weakest))));
                }
            }
            _ => {
                let values = self.eval(file, site.callee);
                found.extend(values.iter().map(|(value, how)| (value, None, how)));
            }
        }
        found
    }

    /// Of several functions of a name, the one that a call means.
    fn overload(&mut self, file: FileId, site: &Site, receiver: Value, name: NameId, members: &mut Vec<Received>) {
        if !self.program.file(file).rules.overloads {
            return;
        }
        let mut functions: Syms = match self.plain(receiver) {
            Value::Instance(sym) | Value::Symbol(sym) => self.called_members(sym, name),
            _ => Syms::new(),
        };
        if functions.is_empty() {
            functions =
                members.iter().filter_map(|(b, _)| if let Bound::Symbol(s) = b { Some(*s) } else { None }).collect();
        }
        let all = functions.iter().all(|s| self.program.symbol(*s).kind.is_callable());
        if functions.len() < 2 || !all {
            return;
        }
        let through = members.first().and_then(|(_, receiver)| *receiver);
        let chosen = self.fitting(file, site, functions);
        *members = chosen.into_iter().map(|sym| (Bound::Symbol(sym), through)).collect();
    }

    /// What calling a value gives.
    pub(crate) fn result_of(
        &mut self,
        file: FileId,
        callee: Value,
        receiver: Option<Value>,
        flags: SiteFlags,
    ) -> ValueSet {
        match self.plain(callee) {
            Value::Symbol(sym) if self.program.symbol(sym).kind.is_type() => {
                let sym = self.through_aliases(sym);
                ValueSet::one(Value::Instance(self.types.whole(sym)), How::Constructed)
            }
            Value::Symbol(sym) if self.program.symbol(sym).kind == SymbolKind::Constructor => {
                match self.types.owner_of(sym) {
                    Some(owner) => ValueSet::one(Value::Instance(owner), How::Constructed),
                    None => ValueSet::unknown(),
                }
            }
            Value::Symbol(sym) if flags.has(SiteFlags::NEW) && self.program.symbol(sym).kind.is_callable() => {
                // `new f()` of a plain function: its own type is the function.
                ValueSet::one(Value::Instance(sym), How::Constructed)
            }
            Value::Symbol(sym) => self.returns(sym, receiver),
            // A variant that is called or constructed.
            Value::Instance(sym) if self.program.symbol(sym).kind == SymbolKind::Enum => {
                ValueSet::one(callee, How::Declared)
            }
            Value::Instance(sym) => {
                let rules = self.program.file(self.program.file_of(sym)).rules.clone();
                let Some(name) = self.program.name(&rules.call_member).filter(|_| !rules.call_member.is_empty()) else {
                    return ValueSet::unknown();
                };
                let mut all = ValueSet::default();
                for member in self.members(sym, name) {
                    let result = self.returns(member, Some(callee));
                    all.join(&result);
                }
                all
            }
            Value::SuperOf(sym) => ValueSet::one(Value::Instance(sym), How::Own),
            Value::Lambda(home, scope) => self.ask(Question::LambdaReturns(home, scope)),
            Value::External(external) => {
                let text = format!("{}()", self.externals.text(external).trim_end_matches("()"));
                ValueSet::one(Value::External(self.external(&text)), How::Named)
            }
            _ => self.library_read(file, callee, "()").unwrap_or_else(ValueSet::unknown),
        }
    }
}
