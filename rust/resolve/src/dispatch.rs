//! Dynamic dispatch: what a call may run besides the member that was found.

use crate::calls::Targets;
use crate::lookup::{Bound, Bounds};
use crate::modules::FileId;
use crate::program::Sym;
use crate::resolver::Resolver;
use crate::values::{How, Value, ValueSet};
use mmcg_facts::{NameId, Rule, ScopeId, Site, SymbolFlags};

/// Override edges of one site are cut at this number; no person reads more.
const MOST_OVERRIDES: usize = 256;

impl Resolver<'_> {
    /// Overrides of a method in the subtypes of the receiver's type.
    pub(crate) fn add_overrides(&mut self, file: FileId, sym: Sym, receiver: Value, how: How, targets: &mut Targets) {
        let of = match receiver {
            Value::Instance(of) if how != How::Constructed => of,
            // A class method or static called through the class around may be a subclass's.
            Value::Symbol(of) if how == How::Own && !self.program.symbol(sym).flags.has(SymbolFlags::STATIC) => of,
            _ => return,
        };
        let subtypes = self.all_subtypes(of);
        if subtypes.is_empty() {
            return;
        }
        let mut added = 0;
        let promoted = self.promoted(sym, of);
        for overriding in self.overrides(sym) {
            let owner = self.types.owner_of(overriding);
            if owner.is_some_and(|owner| owner == of || subtypes.binary_search(&owner).is_ok())
                || promoted.binary_search(&overriding).is_ok()
            {
                targets.add(overriding, self.override_rule(file, overriding));
                added += 1;
                if added >= MOST_OVERRIDES {
                    break;
                }
            }
        }
    }

    /// Overrides that only tests have are no more than possible for code that is no test.
    fn override_rule(&self, file: FileId, overriding: Sym) -> Rule {
        let in_test = self.program.file(self.program.file_of(overriding)).test;
        if in_test && !self.program.file(file).test {
            Rule::TestOverride
        } else {
            Rule::Override
        }
    }

    /// A member named through the class of the receiver at run time: also those of subtypes that hide it.
    pub(crate) fn add_late_static(&mut self, file: FileId, value: Value, name: NameId, targets: &mut Targets) {
        let (Value::Instance(of) | Value::Symbol(of)) = value else { return };
        for &subtype in self.all_subtypes(of).iter().take(MOST_OVERRIDES) {
            for member in self.types.members.get(&(subtype, name)).cloned().unwrap_or_default() {
                if self.program.symbol(member).kind.is_callable() {
                    targets.add(member, self.override_rule(file, member));
                }
            }
        }
    }

    /// A construction of the receiver's class at run time: that of any subtype, too.
    pub(crate) fn construct_subtypes(&mut self, file: FileId, site: &Site, values: &ValueSet, targets: &mut Targets) {
        for (value, _) in values.iter() {
            let Value::Symbol(of) = value else { continue };
            for &subtype in self.all_subtypes(of).iter().take(MOST_OVERRIDES) {
                let rule = self.override_rule(file, subtype);
                self.construct(file, site, subtype, rule, targets);
            }
        }
    }

    /// A mixin calls what the types that use it bring.
    pub(crate) fn add_brought_members(&mut self, file: FileId, receiver: Value, name: NameId, targets: &mut Targets) {
        let (Value::Instance(of) | Value::Symbol(of)) = receiver else { return };
        for &subtype in self.all_subtypes(of).iter().take(MOST_OVERRIDES) {
            for member in self.members(subtype, name) {
                if self.program.symbol(member).kind.is_callable() {
                    targets.add(member, self.override_rule(file, member));
                }
            }
        }
    }

    /// Without static types, code without a receiver may call what only subtypes, or users of a mixin, have.
    pub(crate) fn add_brought_by_subtypes(
        &mut self,
        file: FileId,
        scope: ScopeId,
        name: NameId,
        targets: &mut Targets,
    ) {
        let rules = &self.program.file(file).rules;
        if !rules.implicit_this || !rules.static_apart {
            return;
        }
        if let Some(around) = self.type_around(file, scope) {
            self.add_brought_members(file, Value::Instance(around), name, targets);
        }
    }

    /// Where bases are put in one line (C3), `super` in a class may be a sibling's member: the next one in the order
    /// of a subtype.
    pub(crate) fn add_siblings(&mut self, file: FileId, of: Sym, name: NameId, found: &Bounds, targets: &mut Targets) {
        let rules = &self.program.file(self.program.file_of(of)).rules;
        if rules.linearization != mmcg_facts::Linearization::C3 {
            return;
        }
        // Where the bases have no such member, it is that of something outside unless a subtype puts one between.
        let declared = found.iter().any(|bound| matches!(bound, Bound::Symbol(_)));
        for &subtype in self.all_subtypes(of).iter().take(MOST_OVERRIDES) {
            for member in self.members_after(subtype, of, name) {
                if !found.contains(&Bound::Symbol(member)) && self.program.symbol(member).kind.is_callable() {
                    let rule = if declared { self.override_rule(file, member) } else { Rule::Ambiguous };
                    targets.add(member, rule);
                }
            }
        }
    }
}
