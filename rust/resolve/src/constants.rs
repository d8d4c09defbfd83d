//! Members that differ only by whether their object is constant (`T& at(i)` and `const T& at(i) const`).

use crate::lookup::Bound;
use crate::modules::FileId;
use crate::program::Sym;
use crate::resolver::Resolver;
use crate::types::Syms;
use mmcg_facts::{Expr, ExprId, Site, SymbolFlags};

/// So many steps of a receiver are looked at.
const STEPS: u32 = 8;

impl Resolver<'_> {
    /// Of members of one type with equal parameters the one that the receiver takes: for a constant object the one
    /// that leaves it alone, else the one that may change it.
    pub(crate) fn without_constant_twins(&mut self, file: FileId, site: &Site, candidates: Syms) -> Syms {
        if candidates.len() < 2 {
            return candidates;
        }
        let mut wanted = None;
        let mut kept = Syms::new();
        for sym in candidates {
            let linked = self.is_linked(self.program.file_of(sym)) && self.types.owner_of(sym).is_some();
            let twin = |first: &Sym| {
                self.types.owner_of(*first) == self.types.owner_of(sym) && self.same_parameter_types(*first, sym)
            };
            let Some(at) = kept.iter().position(twin).filter(|_| linked) else {
                kept.push(sym);
                continue;
            };
            if self.are_alike_constant(kept[at], sym) {
                match self.takes_constant(file, site, kept[at], sym) {
                    Some(true) => {}
                    Some(false) => kept[at] = sym,
                    None => kept.push(sym),
                }
                continue;
            }
            let wanted = *wanted.get_or_insert_with(|| self.receiver_is_constant(file, site).unwrap_or(false));
            if self.is_constant_member(kept[at]) != wanted && self.is_constant_member(sym) == wanted {
                kept[at] = sym;
            }
        }
        kept
    }

    /// Of two functions whose parameters differ by what is constant, whether the first takes the arguments; `None` where
    /// nothing tells.
    fn takes_constant(&mut self, file: FileId, site: &Site, first: Sym, other: Sym) -> Option<bool> {
        let constants = |this: &Self, sym: Sym| -> Vec<bool> {
            let home = this.program.file_of(sym);
            let params = this.program.symbol(sym).params.clone();
            let params = params.map(|index| this.program.file(home).facts.params[index as usize].declared);
            params.map(|declared| declared.is_some_and(|d| this.is_constant_type(home, d))).collect()
        };
        let (ours, theirs) = (constants(self, first), constants(self, other));
        let Some(at) = ours.iter().zip(&theirs).position(|(a, b)| a != b) else { return Some(true) };
        let own = self.is_constant_member(self.caller(file, site));
        let count = (site.args.end - site.args.start) as usize;
        let argument = self.args(file, site.args.start, count as u32).get(at)?.value;
        match self.program.expr(file, argument) {
            // A text cannot be changed.
            Expr::Literal(..) => Some(ours[at]),
            _ => self.is_constant(file, argument, own, STEPS).map(|constant| constant == ours[at]),
        }
    }

    fn is_constant_member(&self, sym: Sym) -> bool {
        self.program.symbol(sym).flags.has(SymbolFlags::CONSTANT)
    }

    /// Whether two members ask the same of their object.
    pub(crate) fn are_alike_constant(&self, a: Sym, b: Sym) -> bool {
        self.is_constant_member(a) == self.is_constant_member(b)
    }

    /// Whether the object that a call is made on is constant, as far as its declaration tells.
    fn receiver_is_constant(&mut self, file: FileId, site: &Site) -> Option<bool> {
        let mut callee = site.callee;
        while let Expr::Index { object, .. } = self.program.expr(file, callee) {
            callee = object;
        }
        let own = self.is_constant_member(self.caller(file, site));
        match self.program.expr(file, callee) {
            Expr::Name { .. } => Some(own),
            Expr::Member { object, .. } => self.is_constant(file, object, own, STEPS),
            _ => None,
        }
    }

    /// `own`: whether the object of the code around is constant.
    fn is_constant(&mut self, file: FileId, expr: ExprId, own: bool, steps: u32) -> Option<bool> {
        let steps = steps.checked_sub(1)?;
        let program = self.program;
        match program.expr(file, expr) {
            Expr::Receiver(..) => Some(own),
            Expr::Deref(of) => self.is_constant(file, of, own, steps),
            Expr::Choice(a, _) => self.is_constant(file, a, own, steps),
            Expr::Cast(_, to) => Some(self.is_constant_type(file, to)),
            Expr::Name { name, scope, path } => {
                let found = self.lookup(file, scope, name, path).bounds;
                match *found.first()? {
                    Bound::Param(home, _, index) => {
                        let declared = program.file(home).facts.params[index as usize].declared?;
                        Some(self.is_constant_type(home, declared))
                    }
                    Bound::Variable(home, scope, name) => {
                        let bind = *program.file(home).facts.bound(scope, name).first()?;
                        match (bind.declared, bind.value) {
                            (Some(declared), _) => Some(self.is_constant_type(home, declared)),
                            (None, Some(value)) => self.is_constant(home, value, own, steps),
                            _ => None,
                        }
                    }
                    Bound::Symbol(sym) => self.is_constant_field(sym).or(Some(own)),
                    _ => None,
                }
            }
            Expr::Member { object, name, .. } => {
                let objects = self.eval(file, object);
                let found = self.members_of_values(file, &objects, name);
                match found.first()?.0 {
                    Bound::Symbol(sym) => match self.is_constant_field(sym) {
                        None => self.is_constant(file, object, own, steps),
                        known => known,
                    },
                    _ => None,
                }
            }
            Expr::Call(inner) => {
                let site = program.file(file).facts.site(inner);
                let target = self.targets(file, site).found.first()?.0;
                let declared = program.symbol(target).declared?;
                Some(self.is_constant_type(program.file_of(target), declared))
            }
            _ => None,
        }
    }

    /// Whether what a variable or field holds is constant by its own declaration; `None` if that is as its object is.
    fn is_constant_field(&self, sym: Sym) -> Option<bool> {
        let file = self.program.file_of(sym);
        let declared = self.program.symbol(sym).declared?;
        if self.is_constant_type(file, declared) {
            return Some(true);
        }
        let apart = self.types.owner_of(sym).is_none() || matches!(self.program.expr(file, declared), Expr::Deref(_));
        apart.then_some(false)
    }

    fn is_constant_type(&self, file: FileId, mut declared: ExprId) -> bool {
        while let Expr::Deref(of) = self.program.expr(file, declared) {
            declared = of;
        }
        self.program.file(file).facts.constant_types.binary_search(&declared).is_ok()
    }
}
