//! Members of values: what `object.name` is for each thing that the object can be.

use crate::lookup::{Bound, Bounds};
use crate::modules::FileId;
use crate::program::Sym;
use crate::resolver::Resolver;
use crate::types::Syms;
use crate::values::{How, Value, ValueSet};
use mmcg_facts::{Expr, LiteralKind, NameId, SymbolFlags, SymbolKind};

/// A member and the object it was found through.
pub type Received = (Bound, Option<(Value, How)>);

impl Resolver<'_> {
    /// The members that a name means on each of several values. Values of which nothing is known give none.
    pub fn members_of_values(&mut self, file: FileId, values: &ValueSet, name: NameId) -> Vec<Received> {
        let mut all: Vec<Received> = Vec::new();
        for (value, how) in values.iter() {
            let (value, how) = self.seen_as_object(value, how);
            let (bounds, receiver) = self.members_of_value(file, value, name);
            for bound in bounds {
                let entry = (bound, receiver.map(|value| (value, how)));
                if !all.contains(&entry) {
                    all.push(entry);
                }
            }
        }
        all
    }

    fn members_of_value(&mut self, file: FileId, value: Value, name: NameId) -> (Bounds, Option<Value>) {
        match value {
            Value::Unit(unit) => {
                let mut found = self.unit_member(unit, name, Some(file));
                if found.is_empty() {
                    found.extend(self.outside_unit(file, unit, name));
                }
                (self.follow_all(found), None)
            }
            Value::Symbol(sym) => {
                let sym = self.through_aliases(sym);
                let symbol = self.program.symbol(sym);
                if symbol.kind == SymbolKind::Namespace {
                    let found = self.symbol_member(sym, name);
                    return (self.follow_all(found), None);
                }
                let found = self.instance_members(sym, name, true);
                if !found.iter().any(|bound| !matches!(bound, Bound::External(_))) {
                    if let Some(meta) = self.metaclass_with(sym, name) {
                        return (self.instance_members(meta, name, false), Some(Value::Instance(meta)));
                    }
                    if let Some(beside) = self.beside(sym, name) {
                        return (self.follow_all(beside), None);
                    }
                }
                (found, Some(Value::Symbol(self.types.whole(sym))))
            }
            Value::Instance(sym) => {
                let class = self.class_of_object(sym, name);
                if !class.is_empty() {
                    return (class, None);
                }
                (self.instance_members(sym, name, false), Some(value))
            }
            Value::Applied(_) => {
                let plain = self.members_of_value(file, self.plain(value), name).0;
                if plain.iter().all(|b| matches!(b, Bound::External(_))) {
                    // With its arguments known, what it gives access to may be, too.
                    let further = self.further_members(value, name);
                    if !further.is_empty() {
                        return (further, Some(value));
                    }
                }
                (plain, Some(value))
            }
            Value::SuperOf(sym) => {
                let found = self.members_above(sym, name);
                if found.is_empty() && self.has_external_base(sym) {
                    return (self.external_base_member(sym, name), Some(value));
                }
                if found.is_empty() && self.is_root_member(sym, name) {
                    let root = self.root_name(sym);
                    return self.foreign_member(&root, name, value);
                }
                (bounds(found), Some(value))
            }
            Value::Base(sym) => (bounds(self.members(sym, name)), Some(value)),
            Value::External(external) => {
                let text = self.program.text(name).to_owned();
                (Bounds::from_slice(&[Bound::External(self.external_member(external, &text))]), Some(value))
            }
            Value::Collection(home, expr) => {
                if let Expr::Collection { args, count, .. } = self.program.expr(home, expr) {
                    let items = self.args(home, args, count);
                    if let Some(item) = items.iter().rev().find(|item| item.name == Some(name)) {
                        return (Bounds::from_slice(&[Bound::Expr(home, item.value)]), None);
                    }
                    let written = self.written_member(home, expr, name);
                    if !written.is_empty() {
                        return (written, None);
                    }
                    if items.iter().any(|item| item.spread || item.name.is_some()) {
                        return (Bounds::new(), Some(value));
                    }
                }
                self.foreign_member("collection", name, value)
            }
            Value::Generic(home, expr) => {
                if let Some(inner) = self.dereferenced(value, name).filter(|_| self.depth < 200) {
                    self.depth += 1;
                    let mut found = (Bounds::new(), None);
                    for (value, _) in inner.iter() {
                        if found.0.is_empty() {
                            found = self.members_of_value(file, value, name);
                        }
                    }
                    self.depth -= 1;
                    if !found.0.is_empty() {
                        return found;
                    }
                }
                let text = self.last_name(home, expr).map(|n| self.program.text(n).to_owned()).unwrap_or_default();
                self.foreign_member(&text, name, value)
            }
            Value::Sequence(..)
            | Value::Elements(..)
            | Value::TypeTuple(..)
            | Value::Holding(..)
            | Value::Results(..)
            | Value::Items(..)
            | Value::Pair(..) => self.foreign_member("collection", name, value),
            Value::Library(..) => {
                let kind = self.kind_of(value).unwrap_or_else(|| "collection".to_owned());
                self.foreign_member(&kind, name, value)
            }
            Value::Future(..) => self.foreign_member("future", name, value),
            Value::Yields(_) => self.foreign_member("generator", name, value),
            Value::Lambda(..) => self.foreign_member("function", name, value),
            Value::Literal(kind) => {
                let text = match kind {
                    LiteralKind::String => "string",
                    LiteralKind::Integer | LiteralKind::Float => "number",
                    LiteralKind::Boolean => "boolean",
                    LiteralKind::Character => "character",
                    LiteralKind::Null | LiteralKind::Other => "literal",
                };
                self.foreign_member(text, name, value)
            }
        }
    }

    fn foreign_member(&mut self, of: &str, name: NameId, value: Value) -> (Bounds, Option<Value>) {
        let text = format!("{of}.{}", self.program.text(name));
        (Bounds::from_slice(&[Bound::External(self.external(&text))]), Some(value))
    }

    /// Members of an object (or, `of_type`, of the type itself).
    fn instance_members(&mut self, sym: Sym, name: NameId, of_type: bool) -> Bounds {
        let mut found = self.sided_members(sym, name, of_type);
        if found.len() > 1 && !self.program.file(self.program.file_of(sym)).rules.overloads {
            // One name may mean a member of the objects and one of the type.
            let fits = |s: &Sym| self.program.symbol(*s).flags.has(SymbolFlags::STATIC) == of_type;
            if found.iter().any(fits) {
                found.retain(|s| fits(s));
            }
        }
        if !found.is_empty() {
            return bounds(self.readable(found));
        }
        let order = self.order(sym);
        let has_field = order.iter().any(|at| {
            self.types.assigned.contains_key(&(*at, name)) || self.types.field_params.contains_key(&(*at, name))
        });
        if has_field {
            return Bounds::from_slice(&[Bound::Field(self.types.whole(sym), name)]);
        }
        if let Some((home, layout)) = self.layout(sym) {
            // A type of its own has the fields of the one that it is laid out like.
            for like in self.owner_types(home, layout) {
                let fields = self.members(like, name);
                if like != sym && fields.iter().all(|f| self.program.symbol(*f).kind == SymbolKind::Field) {
                    return bounds(fields);
                }
            }
        }
        let kind = self.program.symbol(sym).kind;
        if kind.is_callable() {
            return Bounds::new();
        }
        let further = self.further_members(Value::Instance(sym), name);
        if !further.is_empty() {
            return further;
        }
        if self.has_external_base(sym) {
            self.external_base_member(sym, name)
        } else if !of_type && self.is_given_outside(name) {
            Bounds::from_slice(&[Bound::Field(self.types.whole(sym), name)])
        } else if self.is_root_member(sym, name) {
            let text = format!("{}.{}", self.root_name(sym), self.program.text(name));
            Bounds::from_slice(&[Bound::External(self.external(&text))])
        } else {
            Bounds::new()
        }
    }

    fn is_root_member(&self, sym: Sym, name: NameId) -> bool {
        let rules = &self.program.file(self.program.file_of(sym)).rules;
        !rules.root_members.is_empty() && rules.root_members.iter().any(|m| m == self.program.text(name))
    }

    fn root_name(&self, sym: Sym) -> String {
        let rules = &self.program.file(self.program.file_of(sym)).rules;
        rules.top_types.first().cloned().unwrap_or_default()
    }

    /// Members that a type has by its bounds, or through the object that it gives access to (`Deref`).
    fn further_members(&mut self, value: Value, name: NameId) -> Bounds {
        let Value::Instance(sym) = self.plain(value) else { return Bounds::new() };
        let found = self.blanket_members(sym, name);
        if !found.is_empty() {
            return found.into_iter().map(Bound::Symbol).collect();
        }
        let rules = self.program.file(self.program.file_of(sym)).rules.clone();
        if self.depth > 100 {
            return Bounds::new();
        }
        for wanted in rules.deref_members.iter().filter_map(|wanted| self.program.name(wanted)).collect::<Vec<_>>() {
            for member in self.members(sym, wanted) {
                self.depth += 1;
                let values = self.returns(member, Some(value));
                let file = self.program.file_of(member);
                let found = values
                    .iter()
                    .filter(|(v, _)| self.plain(*v) != Value::Instance(sym))
                    .collect::<Vec<_>>()
                    .into_iter()
                    .find_map(|(value, _)| {
                        let found = self.members_of_value(file, value, name).0;
                        found.iter().any(|b| !matches!(b, Bound::External(_))).then_some(found)
                    });
                self.depth -= 1;
                if let Some(found) = found {
                    return found;
                }
            }
        }
        Bounds::new()
    }

    /// Of a getter and a setter of one name, the getter; of a type's own member and an interface's, the own one.
    fn readable(&self, mut found: Syms) -> Syms {
        if found.len() < 2 {
            return found;
        }
        let implements = |s: &Sym| self.types.implementing.contains_key(s);
        if found.iter().any(implements) && !found.iter().all(implements) {
            found.retain(|s| !implements(s));
        }
        if !found.iter().all(|s| self.is_aside(*s)) {
            found.retain(|s| !self.is_aside(*s));
        }
        let setter = |s: &Sym| {
            let flags = self.program.symbol(*s).flags;
            flags.has(mmcg_facts::SymbolFlags::SETTER) && !flags.has(mmcg_facts::SymbolFlags::GETTER)
        };
        if found.iter().all(setter) {
            found
        } else {
            found.into_iter().filter(|s| !setter(s)).collect()
        }
    }

    /// A member that a base outside the project must have.
    fn external_base_member(&mut self, sym: Sym, name: NameId) -> Bounds {
        let order = self.order(sym);
        for at in order.iter() {
            for base in self.types.bases.get(at).cloned().unwrap_or_default() {
                if base.target.is_none() {
                    let found = self.type_bounds(base.file, base.expr);
                    let text = self.program.text(name).to_owned();
                    let of = match found.first() {
                        Some(Bound::External(external)) => *external,
                        _ => {
                            let last = self.last_name(base.file, base.expr);
                            let last = last.map_or("?", |n| self.program.text(n)).to_owned();
                            self.external(&last)
                        }
                    };
                    return Bounds::from_slice(&[Bound::External(self.external_member(of, &text))]);
                }
            }
        }
        Bounds::new()
    }
}

fn bounds(syms: Syms) -> Bounds {
    syms.into_iter().map(Bound::Symbol).collect()
}
