//! Values of which a condition has said what they are, and types that the language's library gives a meaning of its own.

use crate::lookup::{Bound, Bounds};
use crate::modules::FileId;
use crate::program::Sym;
use crate::resolver::Resolver;
use crate::types::Syms;
use crate::values::{How, Value, ValueSet};
use mmcg_facts::{Arg, Expr, ExprId};

impl Resolver<'_> {
    /// What a value is behind a condition: of what it was known to be, what fits the type; else the type.
    pub(crate) fn eval_narrowed(&mut self, file: FileId, value: ExprId, of: ExprId) -> ValueSet {
        let known = self.eval(file, value);
        let types = self.asked_types(file, of);
        let wanted: Syms = types
            .iter()
            .filter_map(|(wanted, _)| match self.plain(wanted) {
                Value::Instance(sym) => Some(sym),
                _ => None,
            })
            .collect();
        if wanted.is_empty() && types.iter().all(|(of, _)| matches!(of, Value::External(_))) && !types.is_empty() {
            return self.fitting_outside(known, types);
        }
        if wanted.is_empty() {
            return if known.is_empty() && !types.is_empty() { types } else { known };
        }
        let mut fitting = ValueSet::default();
        for (value, how) in known.iter() {
            if let Value::Instance(sym) = self.plain(value) {
                let order = self.order(sym);
                if wanted.iter().any(|of| order.contains(of)) {
                    fitting.add(value, how);
                }
            }
        }
        if fitting.is_empty() {
            types
        } else {
            fitting
        }
    }

    /// What a value is where all types that are asked for are from outside: of what it was known to be, only what is
    /// declared and may be a subtype of one of them; else these.
    fn fitting_outside(&mut self, known: ValueSet, types: ValueSet) -> ValueSet {
        let mut fitting = ValueSet::as_open_as(&known);
        for (value, how) in known.iter() {
            let fits = match self.plain(value) {
                Value::Instance(sym) => how != How::Flow && self.has_external_base(sym),
                _ => true,
            };
            if fits {
                fitting.add(value, how);
            }
        }
        if fitting.is_empty() {
            types
        } else {
            fitting
        }
    }

    /// The types that a condition asks for: named ones, or those that a function says something of (`x is T`).
    fn asked_types(&mut self, file: FileId, of: ExprId) -> ValueSet {
        let Expr::OfType(function) = self.program.expr(file, of) else { return self.instances(file, of) };
        let mut all = ValueSet::unknown();
        for bound in self.type_bounds(file, function) {
            let Bound::Symbol(sym) = bound else { continue };
            let home = self.program.file_of(sym);
            let declared = self.program.symbol(sym).declared.map(|declared| self.program.expr(home, declared));
            if let Some(Expr::OfType(told)) = declared {
                let found = self.instances(home, told);
                all.join(&found);
            }
        }
        all
    }

    /// The class around, where a type stands for it.
    pub(crate) fn own_type(&mut self, file: FileId, expr: ExprId, found: &Bounds) -> Option<Sym> {
        let Expr::Name { name, scope, .. } = self.program.expr(file, expr) else { return None };
        let library = &self.program.file(file).rules.library;
        if library.self_types.is_empty() || !library.self_types.iter().any(|own| own == self.program.text(name)) {
            return None;
        }
        let outside = found.iter().all(|bound| matches!(bound, Bound::External(_)));
        outside.then(|| self.type_around(file, scope)).flatten()
    }

    /// Values of a type from outside whose values are classes (`type[Row]`).
    pub(crate) fn classes(&mut self, file: FileId, text: &str, given: &[Arg]) -> Option<ValueSet> {
        let library = &self.program.file(file).rules.library;
        let of = given.first().filter(|_| library.class_types.iter().any(|class| class == text))?.value;
        let objects = self.instances(file, of);
        let mut all = ValueSet::as_open_as(&objects);
        for (value, _) in objects.iter() {
            match self.plain(value) {
                Value::Instance(sym) => all.add(Value::Symbol(sym), How::Declared),
                _ => all.open = true,
            }
        }
        Some(all)
    }

    /// Whether a member is the language's own that gives the class of an object.
    pub(crate) fn gives_class(&self, file: FileId, name: mmcg_facts::NameId) -> bool {
        let rules = &self.program.file(file).rules;
        let gives = !rules.class_member.is_empty() && !rules.uniform_access;
        gives && self.program.text(name) == rules.class_member
    }

    /// The class of an object, under the member's name that gives it (`__class__`).
    pub(crate) fn class_of_object(&self, sym: Sym, name: mmcg_facts::NameId) -> Bounds {
        match self.gives_class(self.program.file_of(sym), name) {
            true => Bounds::from_slice(&[Bound::Symbol(sym)]),
            false => Bounds::new(),
        }
    }
}
