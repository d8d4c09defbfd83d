//! What `async` functions give: futures until they are awaited. And what `**self` gives access to.

use crate::modules::FileId;
use crate::program::Sym;
use crate::resolver::Resolver;
use crate::values::{How, Value, ValueSet};
use mmcg_facts::{Expr, ExprId, NameId, ReceiverKind, SymbolFlags};

impl Resolver<'_> {
    /// What values give when they are awaited.
    pub(crate) fn awaited(&mut self, values: ValueSet) -> ValueSet {
        if !values.iter().any(|(v, _)| matches!(v, Value::Future(..))) {
            return values;
        }
        let mut all = ValueSet::as_open_as(&values);
        for (value, how) in values.iter() {
            match value {
                Value::Future(home, site) => {
                    let given = self.call_result(home, site, true);
                    all.join(&if how == How::Flow { given.weaken(How::Flow) } else { given });
                }
                _ => all.add(value, how),
            }
        }
        all
    }

    /// `**self`: what the object at hand gives access to. (`*self` is the object itself, which is given by reference.)
    pub(crate) fn dereferenced_self(&mut self, file: FileId, of: ExprId) -> Option<ValueSet> {
        let rules = &self.program.file(file).rules;
        if rules.deref_members.is_empty() {
            return None;
        }
        let Expr::Deref(inner) = self.program.expr(file, of) else { return None };
        let Expr::Receiver(ReceiverKind::This, _) = self.program.expr(file, inner) else { return None };
        let wanted: Vec<NameId> = rules.deref_members.iter().filter_map(|name| self.program.name(name)).collect();
        let values = self.eval(file, inner);
        for (value, _) in values.iter() {
            let Value::Instance(sym) = self.plain(value) else { continue };
            let first = wanted.iter().find_map(|name| self.members(sym, *name).first().copied());
            if let Some(member) = first {
                return Some(self.returns(member, Some(value)));
            }
        }
        None
    }

    /// Whether calling a function only makes a future.
    pub(crate) fn gives_future(&self, sym: Sym) -> bool {
        let flags = self.program.symbol(sym).flags;
        flags.has(SymbolFlags::ASYNC) && !flags.has(SymbolFlags::GENERATOR)
    }
}
