//! Phase 4b: members through the hierarchy.

use crate::program::Sym;
use crate::resolver::Resolver;
use crate::types::Syms;
use mmcg_facts::{BaseKind, Linearization, NameId, SymbolFlags, SymbolKind, Visibility};
use rustc_hash::FxHashSet;
use std::rc::Rc;

/// Longer hierarchies are cut; no program has such.
const LONGEST: usize = 256;

impl Resolver<'_> {
    /// A type and all its bases in the order in which members are searched.
    pub fn order(&mut self, sym: Sym) -> Rc<Vec<Sym>> {
        let sym = self.types.whole(sym);
        if let Some(known) = self.types.orders.get(&sym) {
            return Rc::clone(known);
        }
        // Set first: a circle of bases ends here.
        self.types.orders.insert(sym, Rc::new(vec![sym]));
        let rules = &self.program.file(self.program.file_of(sym)).rules;
        let order = match rules.linearization {
            Linearization::C3 => self.c3(sym),
            Linearization::DepthFirst => self.depth_first(sym),
            Linearization::BreadthFirst => self.breadth_first(sym),
        };
        let order = Rc::new(order);
        self.types.orders.insert(sym, Rc::clone(&order));
        order
    }

    pub(crate) fn direct_bases(&self, sym: Sym) -> Syms {
        let bases = self.types.bases.get(&sym).map_or(&[][..], Vec::as_slice);
        bases.iter().filter_map(|base| base.target).collect()
    }

    /// Whether the hierarchy leaves the project: members that are not found may be inherited from outside.
    pub(crate) fn has_external_base(&mut self, sym: Sym) -> bool {
        let order = self.order(sym);
        order
            .iter()
            .any(|s| self.types.bases.get(s).is_some_and(|bases| bases.iter().any(|base| base.target.is_none())))
    }

    /// Whether the classes above a type lead out of the project.
    fn class_is_outside(&self, sym: Sym) -> bool {
        let mut at = Some(sym);
        for _ in 0..LONGEST {
            let Some(bases) = at.and_then(|at| self.types.bases.get(&at)) else { return false };
            let Some(base) = bases.iter().find(|base| base.kind == BaseKind::Extends) else { return false };
            if base.target.is_none() {
                return true;
            }
            at = base.target;
        }
        false
    }

    /// Whether what is found under a name is only declared, in interfaces, and the type is one that objects are made of:
    /// then the class above it from outside brings the member.
    fn is_brought(&self, sym: Sym, found: &[Sym]) -> bool {
        let symbol = self.program.symbol(sym);
        let rules = &self.program.file(self.program.file_of(sym)).rules;
        if !rules.super_is_class || !symbol.kind.is_type() || symbol.kind == SymbolKind::Interface {
            return false;
        }
        let declared = |s: &Sym| {
            let in_interface =
                self.types.owner_of(*s).is_some_and(|o| self.program.symbol(o).kind == SymbolKind::Interface);
            in_interface && self.program.symbol(*s).flags.has(SymbolFlags::ABSTRACT)
        };
        let made =
            !symbol.flags.has(SymbolFlags::ABSTRACT) && matches!(symbol.kind, SymbolKind::Class | SymbolKind::Enum);
        made && !found.is_empty() && found.iter().all(declared) && self.class_is_outside(sym)
    }

    /// Whether a type's subtypes have a member, too.
    fn is_inherited(&self, sym: Sym) -> bool {
        let symbol = self.program.symbol(sym);
        if symbol.visibility != Visibility::Private || !symbol.kind.is_callable() {
            return true;
        }
        let apart = self.program.file(self.program.file_of(sym)).rules.private_apart;
        let owner = self.types.owner_of(sym).map(|owner| self.program.symbol(owner).kind);
        !apart || matches!(owner, Some(SymbolKind::Interface | SymbolKind::Trait))
    }

    /// The types that `super` in a type's code may mean, nearest first.
    fn above(&mut self, sym: Sym) -> Vec<Sym> {
        let order = self.order(sym);
        let classes = self.program.file(self.program.file_of(sym)).rules.super_is_class;
        let interface = |s: &Sym| self.program.symbol(*s).kind == SymbolKind::Interface;
        order[1..].iter().copied().filter(|s| !(classes && interface(s))).collect()
    }

    /// Members that `super` has under a name: of the nearest type that has any.
    pub(crate) fn members_above(&mut self, sym: Sym, name: NameId) -> Syms {
        let above = self.above(sym);
        self.members_in(&above, name)
    }

    /// Functions that `super` has under a name: what overloads are chosen from.
    pub(crate) fn called_above(&mut self, sym: Sym, name: NameId) -> Syms {
        let mut all = Syms::new();
        for base in self.above(sym) {
            let found = self.types.members.get(&(base, name)).map_or(&[][..], |found| found.as_slice());
            let callable = |s: &&Sym| self.program.symbol(**s).kind.is_callable() && self.is_inherited(**s);
            all.extend(found.iter().filter(callable).copied());
        }
        all
    }

    /// Whether a base from outside comes before a member's type in the order of a type's bases: it may have that member.
    pub(crate) fn may_come_from_outside(&mut self, of: Sym, member: Sym) -> bool {
        let rules = &self.program.file(self.program.file_of(of)).rules;
        let Some(owner) = self.types.owner_of(member).filter(|_| rules.linearization == Linearization::C3) else {
            return false;
        };
        let order = self.order(of);
        let bare = &self.program.file(self.program.file_of(of)).rules.bare_types;
        for at in order.iter().take_while(|at| **at != owner) {
            for base in self.types.bases.get(at).cloned().unwrap_or_default() {
                match base.target {
                    Some(target) if self.order(target).contains(&owner) => break,
                    Some(_) => {}
                    None => {
                        let last = self.last_name(base.file, base.expr).map_or("", |name| self.program.text(name));
                        if !bare.iter().any(|b| b == last) {
                            return true;
                        }
                    }
                }
            }
        }
        false
    }

    /// The C3 linearization (Barrett and others, 1996) as Python uses it; where none exists, depth first.
    fn c3(&mut self, sym: Sym) -> Vec<Sym> {
        let bases = self.direct_bases(sym);
        let mut lists: Vec<Vec<Sym>> = bases.iter().map(|base| self.order(*base).to_vec()).collect();
        lists.push(bases.to_vec());
        let mut order = vec![sym];
        while order.len() < LONGEST {
            lists.retain(|list| !list.is_empty());
            let good = lists.iter().map(|list| list[0]).find(|head| lists.iter().all(|l| !l[1..].contains(head)));
            match good {
                Some(head) => {
                    order.push(head);
                    lists.iter_mut().for_each(|list| list.retain(|s| *s != head));
                }
                None if lists.is_empty() => return order,
                None => break,
            }
        }
        self.depth_first(sym)
    }

    fn depth_first(&mut self, sym: Sym) -> Vec<Sym> {
        let mut order = vec![sym];
        let mut seen = FxHashSet::from_iter([sym]);
        // Mixins come before the base class, interfaces after it.
        let rank = |kind: BaseKind| match kind {
            BaseKind::Mixin => 0,
            BaseKind::Extends | BaseKind::Embeds => 1,
            BaseKind::Implements => 2,
            BaseKind::Meta => 3,
        };
        for wanted in 0..3 {
            let bases = self.types.bases.get(&sym).cloned().unwrap_or_default();
            for base in bases.iter().filter(|base| rank(base.kind) == wanted) {
                let Some(target) = base.target else { continue };
                for next in self.order(target).iter() {
                    if seen.insert(*next) && order.len() < LONGEST {
                        order.push(*next);
                    }
                }
            }
        }
        order
    }

    fn breadth_first(&mut self, sym: Sym) -> Vec<Sym> {
        let mut order = vec![sym];
        let mut seen = FxHashSet::from_iter([sym]);
        let mut at = 0;
        while at < order.len() && order.len() < LONGEST {
            for base in self.direct_bases(order[at]) {
                if seen.insert(base) {
                    order.push(base);
                }
            }
            at += 1;
        }
        order
    }

    /// Members of a type under a name: those of the first type in its order that has any.
    pub fn members(&mut self, sym: Sym, name: NameId) -> Syms {
        let sym = self.types.whole(sym);
        if let Some(own) = self.types.members.get(&(sym, name)) {
            return own.clone();
        }
        let order = self.order(sym);
        let found = self.members_in(&order[1..], name);
        if self.is_brought(sym, &found) {
            return Syms::new();
        }
        found
    }

    /// Members under a name in the bases of a type.
    pub fn base_members(&mut self, sym: Sym, name: NameId) -> Syms {
        let order = self.order(sym);
        self.members_in(&order[1..], name)
    }

    /// Members under a name that come after a type in the order of one of its subtypes.
    pub(crate) fn members_after(&mut self, subtype: Sym, of: Sym, name: NameId) -> Syms {
        let order = self.order(subtype);
        match order.iter().position(|at| *at == of) {
            Some(at) => self.members_in(&order[at + 1..], name),
            None => Syms::new(),
        }
    }

    fn members_in(&self, order: &[Sym], name: NameId) -> Syms {
        let inherited = |members: &&Syms| members.iter().any(|s| self.is_inherited(*s));
        let places =
            order.iter().filter_map(|base| self.types.members.get(&(*base, name)).map(|members| (*base, members)));
        let mut places = places.filter(|(_, members)| inherited(members));
        let Some((mut nearest, mut found)) = places.next() else { return Syms::new() };
        let interface = |sym: Sym| self.program.symbol(sym).kind == SymbolKind::Interface;
        if interface(nearest) {
            // Of an interface and one that extends it, the latter says more.
            for (base, members) in places {
                if interface(base) && self.types.orders.get(&base).is_some_and(|order| order.contains(&nearest)) {
                    (nearest, found) = (base, members);
                }
            }
        }
        found.clone()
    }

    /// All members under a name from the type and all its bases, nearest first: what overloads are chosen from.
    pub(crate) fn all_members(&mut self, sym: Sym, name: NameId) -> Syms {
        let order = self.order(sym);
        let hides = self.program.file(self.program.file_of(sym)).rules.members_hide_bases;
        let mut all = Syms::new();
        for base in order.iter() {
            if let Some(found) = self.types.members.get(&(*base, name)) {
                all.extend(found.iter().copied().filter(|s| *base == order[0] || self.is_inherited(*s)));
                if hides && !self.brings_from_bases(*base, name) {
                    break;
                }
            }
        }
        if self.is_brought(order[0], &all) {
            return Syms::new();
        }
        all
    }

    /// Whether a type's scope takes in the members of that name of its bases (`using Base::f;`).
    fn brings_from_bases(&self, sym: Sym, name: NameId) -> bool {
        let (file, symbol) = (self.program.file_of(sym), self.program.symbol(sym));
        let declared = symbol.body.map_or(&[][..], |body| self.program.file(file).facts.declared(body, name));
        declared.iter().any(|d| matches!(d.what, mmcg_facts::What::Import(_)))
    }

    /// The members that a construction of a type runs: own or inherited constructors.
    pub fn constructors(&mut self, sym: Sym) -> Syms {
        let sym = self.types.whole(sym);
        let rules = self.program.file(self.program.file_of(sym)).rules.clone();
        for wanted in &rules.constructors {
            let found = if wanted == "<type>" {
                // Constructors named after their type are not inherited.
                let name = self.program.symbol(sym).name;
                let own = self.types.members.get(&(sym, name)).cloned().unwrap_or_default();
                own.into_iter().filter(|s| self.program.symbol(*s).kind == SymbolKind::Constructor).collect()
            } else {
                match self.program.name(wanted) {
                    Some(name) => self.members(sym, name),
                    None => Syms::new(),
                }
            };
            if !found.is_empty() {
                return found;
            }
        }
        Syms::new()
    }

    /// All subtypes of a type, direct and not, in symbol order.
    pub(crate) fn all_subtypes(&mut self, sym: Sym) -> Rc<Vec<Sym>> {
        if let Some(known) = self.subtype_cache.get(&sym) {
            return Rc::clone(known);
        }
        let mut seen = FxHashSet::from_iter([sym]);
        let mut found = Vec::new();
        let mut waiting = vec![sym];
        while let Some(next) = waiting.pop() {
            for &subtype in self.types.subtypes.get(&next).map_or(&[][..], Vec::as_slice) {
                if seen.insert(subtype) {
                    found.push(subtype);
                    waiting.push(subtype);
                }
            }
        }
        found.sort();
        let found = Rc::new(found);
        self.subtype_cache.insert(sym, Rc::clone(&found));
        found
    }

    /// Whether a method may be replaced by one of a subtype.
    pub(crate) fn may_be_overridden(&self, sym: Sym) -> bool {
        let symbol = self.program.symbol(sym);
        let flags = self.flags_of(sym);
        if flags.has(SymbolFlags::FINAL)
            || !matches!(symbol.kind, SymbolKind::Method | SymbolKind::Property | SymbolKind::Prototype)
        {
            return false;
        }
        let rules = &self.program.file(self.program.file_of(sym)).rules;
        let in_interface = self
            .types
            .owner_of(sym)
            .is_some_and(|owner| matches!(self.program.symbol(owner).kind, SymbolKind::Interface | SymbolKind::Trait));
        in_interface
            || flags.has(SymbolFlags::VIRTUAL)
            || flags.has(SymbolFlags::ABSTRACT)
            || flags.has(SymbolFlags::OVERRIDE)
            || rules.virtual_by_default
    }

    /// Members of subtypes that override a method, in symbol order.
    pub fn overrides(&mut self, sym: Sym) -> Syms {
        let Some(owner) = self.types.owner_of(sym) else {
            return Syms::new();
        };
        if !self.may_be_overridden(sym) && !self.inherits_virtual(sym) {
            return Syms::new();
        }
        let name = self.program.symbol(sym).name;
        let mut found = Syms::new();
        for &subtype in self.all_subtypes(owner).iter() {
            if let Some(members) = self.types.members.get(&(subtype, name)) {
                // Signatures stand for the one function that implements them.
                let signature = |m: &Sym| self.program.symbol(*m).flags.has(SymbolFlags::OVERLOAD_SIGNATURE);
                let apart = !members.iter().all(signature);
                let meant = members.iter().copied().filter(|m| !(apart && signature(m)));
                found.extend(meant.filter(|m| *m != sym && self.replaces(sym, *m)));
            }
        }
        found
    }

    /// Whether a subtype's member replaces a base's: it fits, is seen by the base, and fits no other overload better.
    fn replaces(&self, base: Sym, member: Sym) -> bool {
        let symbol = self.program.symbol(member);
        if symbol.flags.has(SymbolFlags::FINAL) && symbol.visibility == Visibility::Private {
            return false;
        }
        if !self.same_shape(base, member) {
            return false;
        }
        let owner = self.types.owner_of(base);
        let all = owner.and_then(|owner| self.types.members.get(&(owner, symbol.name)));
        let overloads = self.program.file(self.program.file_of(member)).rules.overloads;
        let others = all.filter(|all| overloads && all.len() > 1).map_or(&[][..], |all| all.as_slice());
        self.same_parameter_types(base, member)
            || !others.iter().any(|o| *o != base && self.same_parameter_types(*o, member))
    }

    /// Where types implement an interface by having its methods: the members that its subtypes have from types that
    /// they hold, in symbol order.
    pub(crate) fn promoted(&mut self, sym: Sym, of: Sym) -> Rc<Vec<Sym>> {
        if !self.program.file(self.program.file_of(of)).rules.structural {
            return Rc::default();
        }
        if let Some(known) = self.promoted_cache.get(&(sym, of)) {
            return Rc::clone(known);
        }
        let name = self.program.symbol(sym).name;
        let mut found = Vec::new();
        for &subtype in self.all_subtypes(of).iter() {
            found.extend(self.members(subtype, name));
        }
        found.sort();
        found.dedup();
        let found = Rc::new(found);
        self.promoted_cache.insert((sym, of), Rc::clone(&found));
        found
    }

    /// Whether a member can stand for another: where names are overloaded, the parameters must fit.
    pub(crate) fn same_shape(&self, base: Sym, member: Sym) -> bool {
        let rules = &self.program.file(self.program.file_of(member)).rules;
        let (a, b) = (self.program.symbol(base), self.program.symbol(member));
        if self.flags_of(base).has(SymbolFlags::STATIC) != self.flags_of(member).has(SymbolFlags::STATIC)
            || a.kind.is_callable() != b.kind.is_callable()
            || !self.are_alike_constant(base, member)
        {
            return false;
        }
        !rules.overloads || a.params.len() == b.params.len() && self.parameters_agree(base, member)
    }
}
