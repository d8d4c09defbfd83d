//! Methods that give the object that they are called on, or another one of its class: what such a call gives is of the
//! receiver's class, not of the class that the method is written in.

use crate::lookup::Bound;
use crate::modules::FileId;
use crate::program::Sym;
use crate::resolver::Resolver;
use crate::solve::Question;
use crate::types::Syms;
use crate::values::{How, Value, ValueSet};
use mmcg_facts::{Expr, ExprId, ParamKind, ReceiverKind, Site, SymbolFlags, Term};

/// Expressions are followed so deep.
const DEPTH: u32 = 6;

impl Resolver<'_> {
    /// What a method without a declared result gives, seen from its receiver.
    pub(crate) fn seen_from(&mut self, sym: Sym, receiver: Option<Value>, found: ValueSet) -> ValueSet {
        let own = match receiver.map(|value| (value, self.plain(value))) {
            Some((value @ Value::Applied(_), _)) => value,
            Some((_, Value::Instance(of) | Value::SuperOf(of))) => Value::Instance(of),
            _ => return found,
        };
        let Some(owner) = self.types.owner_of(sym).filter(|owner| Value::Instance(*owner) != own) else { return found };
        let written = Value::Instance(owner);
        if !found.iter().any(|(value, _)| value == written) || !self.returns_itself(sym) {
            return found;
        }
        let mut all = ValueSet::as_open_as(&found);
        found.iter().for_each(|(value, how)| all.add(if value == written { own } else { value }, how));
        all
    }

    /// Whether a method gives its receiver.
    fn returns_itself(&mut self, sym: Sym) -> bool {
        !self.ask(Question::Itself(sym)).is_empty()
    }

    /// Computes the answer of `Question::Itself`.
    pub(crate) fn giving_itself(&mut self, sym: Sym) -> ValueSet {
        let program = self.program;
        let file = program.file_of(sym);
        let symbol = program.symbol(sym);
        if let (Some(body), None) = (symbol.body, symbol.declared) {
            for given in program.file(file).facts.returned(body) {
                if !given.yielded && self.gives_itself(file, given.value, 0) {
                    return ValueSet::one(Value::Symbol(sym), How::Own);
                }
            }
        }
        ValueSet::default()
    }

    /// Whether an expression is the object at hand, a copy of it, or what such a method of it gives.
    fn gives_itself(&mut self, file: FileId, expr: ExprId, depth: u32) -> bool {
        if depth > DEPTH {
            return false;
        }
        let program = self.program;
        match program.expr(file, expr) {
            Expr::Receiver(ReceiverKind::This | ReceiverKind::Super, _) => true,
            Expr::Name { name, scope, path } => match self.lookup(file, scope, name, path).bounds[..] {
                [Bound::Param(home, scope, index)] => {
                    let class_method = program.function_around(home, scope).is_some_and(|(_, symbol)| {
                        program.file(home).facts.symbol(symbol).flags.has(SymbolFlags::CLASS_METHOD)
                    });
                    program.file(home).facts.params[index as usize].kind == ParamKind::Receiver && !class_method
                }
                [Bound::Variable(home, scope, name)] => {
                    let binds = program.file(home).facts.bound(scope, name);
                    binds.iter().filter_map(|b| b.value).any(|value| self.gives_itself(home, value, depth + 1))
                }
                _ => false,
            },
            Expr::Narrow(of, _) | Expr::Deref(of) | Expr::Await(of) => self.gives_itself(file, of, depth + 1),
            Expr::Choice(a, b) => self.gives_itself(file, a, depth + 1) || self.gives_itself(file, b, depth + 1),
            Expr::Call(site) => self.call_gives_itself(file, program.file(file).facts.site(site), depth + 1),
            _ => false,
        }
    }

    fn call_gives_itself(&mut self, file: FileId, site: &Site, depth: u32) -> bool {
        let program = self.program;
        // The class of the object at hand is called.
        match program.expr(file, site.callee) {
            Expr::Call(inner) => {
                let inner = program.file(file).facts.site(inner);
                if let (Some(arg), Some(Term::Class(_))) = self.handed_argument(file, inner) {
                    return self.gives_itself(file, arg, depth);
                }
            }
            Expr::Member { object, name, .. } if self.gives_class(file, name) => {
                return self.gives_itself(file, object, depth);
            }
            _ => {}
        }
        if let (Some(arg), Some(Term::Argument(_) | Term::Object(_))) = self.handed_argument(file, site) {
            return self.gives_itself(file, arg, depth);
        }
        let Expr::Member { object, name, .. } = program.expr(file, site.callee) else { return false };
        if !self.gives_itself(file, object, depth) {
            return false;
        }
        let Some(around) = self.type_around(file, site.scope) else { return false };
        let members: Syms = match program.expr(file, object) {
            Expr::Receiver(ReceiverKind::Super, _) => self.base_members(around, name),
            _ => self.members(around, name),
        };
        !members.is_empty() && members.into_iter().all(|sym| self.returns_itself(sym))
    }

    /// The first argument of a function of the library, with the term of what it gives.
    fn handed_argument(&mut self, file: FileId, site: &Site) -> (Option<ExprId>, Option<Term>) {
        let program = self.program;
        let library = &program.file(file).rules.library;
        if library.is_empty() || !self.library_names.contains(&site.name) {
            return (None, None);
        }
        let name = self.library_name(file, site.callee);
        let signature = name.and_then(|name| library.function(&name, site.args.len()));
        let arg = self.args(file, site.args.start, site.args.end - site.args.start).first().map(|arg| arg.value);
        (arg, signature.map(|signature| library.terms[signature.gives as usize].clone()))
    }
}
