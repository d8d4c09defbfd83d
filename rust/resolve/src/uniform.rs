//! Languages in which everything is a message to an object: a type is constructed by one of its members, a field is read
//! in the form of a call, and members of objects and of types are apart.

use crate::lookup::{Bound, Where};
use crate::modules::FileId;
use crate::program::Sym;
use crate::resolver::Resolver;
use crate::types::Syms;
use crate::values::{How, Value, ValueSet};
use mmcg_facts::{Expr, ExprId, NameId, ScopeId, SymbolFlags, SymbolKind};

/// What a callee means where it is no plain function.
pub(crate) enum Message {
    /// Types that it constructs.
    Constructs(ValueSet),
    /// Values that it reads.
    Reads(ValueSet),
}

impl Resolver<'_> {
    /// What a callee means besides functions: a construction or the reading of a field.
    pub(crate) fn message(&mut self, file: FileId, callee: ExprId) -> Option<Message> {
        let program = self.program;
        let rules = &program.file(file).rules;
        if rules.construct_member.is_empty() && !rules.uniform_access {
            return None;
        }
        match program.expr(file, callee) {
            Expr::Member { object, name, .. } => {
                let text = program.text(name);
                let (constructs, of_class) = (text == rules.construct_member, text == rules.class_member);
                if !constructs && !of_class && !rules.uniform_access {
                    return None;
                }
                let objects = self.eval(file, object);
                if of_class {
                    let mut types = ValueSet::as_open_as(&objects);
                    for (value, how) in objects.iter() {
                        match value {
                            Value::Instance(sym) => types.add(Value::Symbol(sym), how),
                            _ => return None,
                        }
                    }
                    return (!types.is_empty()).then_some(Message::Reads(types));
                }
                if constructs {
                    let mut types = ValueSet::as_open_as(&objects);
                    for (value, how) in objects.iter() {
                        if let Value::Symbol(sym) = value {
                            let sym = self.through_aliases(sym);
                            let own = self.sided_members(sym, name, true);
                            if own.is_empty() && self.program.symbol(sym).kind.is_type() {
                                types.add(Value::Symbol(self.types.whole(sym)), how);
                            }
                        }
                    }
                    return (!types.is_empty()).then_some(Message::Constructs(types));
                }
                let members = self.members_of_values(file, &objects, name);
                let fields = members.iter().filter(|(bound, _)| self.is_read(bound)).count();
                if members.is_empty() || fields < members.len() {
                    return None;
                }
                let mut all = ValueSet::default();
                for (bound, receiver) in members {
                    let values = self.member_value(bound, receiver.map(|(value, _)| value));
                    all.join(&values);
                }
                Some(Message::Reads(all))
            }
            Expr::Name { name, scope, path: false } => {
                let found = self.lookup(file, scope, name, false);
                if program.text(name) == rules.construct_member && matches!(found.at, Where::Nowhere) {
                    let around = self.type_around(file, scope)?;
                    let of_type = self.in_static_code(file, scope);
                    return of_type.then(|| Message::Constructs(ValueSet::one(Value::Symbol(around), How::Own)));
                }
                let reads = rules.uniform_access
                    && matches!(found.at, Where::Member(_))
                    && found.bounds.iter().all(|bound| self.is_read(bound));
                reads.then(|| Message::Reads(self.values_of(found.bounds)))
            }
            _ => None,
        }
    }

    fn is_read(&self, bound: &Bound) -> bool {
        match bound {
            Bound::Symbol(sym) => {
                matches!(
                    self.program.symbol(*sym).kind,
                    SymbolKind::Field | SymbolKind::Constant | SymbolKind::Variable
                )
            }
            Bound::Field(..) => true,
            _ => false,
        }
    }

    /// Whether code of a scope is run by the type around it, not by an object.
    pub(crate) fn in_static_code(&self, file: FileId, scope: ScopeId) -> bool {
        let static_apart = self.program.file(file).rules.static_apart;
        match self.program.function_around(file, scope) {
            Some((_, symbol)) => {
                let symbol = self.program.file(file).facts.symbol(symbol);
                // A function of the file is no member of anything.
                symbol.flags.has(SymbolFlags::STATIC)
            }
            None => static_apart,
        }
    }

    /// Members of objects, or of the type itself, where these are apart: of the nearest type that has any.
    pub(crate) fn sided_members(&mut self, sym: Sym, name: NameId, of_type: bool) -> Syms {
        let rules = &self.program.file(self.program.file_of(sym)).rules;
        if !rules.static_apart {
            let mut found = self.members(sym, name);
            let of = |sym: &Sym| self.program.symbol(*sym).flags.has(SymbolFlags::STATIC) == of_type;
            // One of each: the way it is named tells which is meant.
            if found.len() > 1 && !rules.overloads && found.iter().any(of) {
                found.retain(|sym| of(sym));
            }
            return found;
        }
        let order = self.order(sym);
        for at in order.iter() {
            let Some(found) = self.types.members.get(&(*at, name)) else { continue };
            let side = self.side(found, of_type);
            if !side.is_empty() {
                return side;
            }
        }
        Syms::new()
    }

    fn side(&self, found: &Syms, of_type: bool) -> Syms {
        let of = |wanted: bool| -> Syms {
            let fits = |s: &Sym| {
                let symbol = self.program.symbol(*s);
                let both = symbol.kind.is_type() || symbol.kind == SymbolKind::Constant;
                both || symbol.flags.has(SymbolFlags::STATIC) == wanted
            };
            found.iter().copied().filter(fits).collect()
        };
        let side = of(of_type);
        if !side.is_empty() || !of_type {
            return side;
        }
        // What a mixin holds may be a type's own, too: it is extended by it, or the mixin offers it itself.
        let mixed =
            |s: &Sym| self.types.owner_of(*s).is_some_and(|owner| self.program.symbol(owner).kind == SymbolKind::Trait);
        found.iter().copied().filter(mixed).collect()
    }
}
