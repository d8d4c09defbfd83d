//! Values that may be missing (C# `int?`): one of two overloads that differ by that alone takes what is sure to be there.

use crate::lookup::Bound;
use crate::modules::FileId;
use crate::resolver::Resolver;
use crate::values::{Value, ValueSet};
use mmcg_facts::{Expr, ExprId, LanguageRules, Site};

impl Resolver<'_> {
    /// Which arguments of a call are declared as values that may be missing.
    pub(crate) fn optional_arguments(&mut self, file: FileId, site: &Site) -> Vec<bool> {
        if self.program.file(file).rules.primitive_types.is_empty() {
            return Vec::new();
        }
        let args = self.args(file, site.args.start, site.args.end - site.args.start).to_vec();
        args.iter().map(|arg| self.declared_optional(file, arg.value)).collect()
    }

    fn declared_optional(&mut self, file: FileId, value: ExprId) -> bool {
        let program = self.program;
        let declared = match program.expr(file, value) {
            Expr::Cast(_, of) => Some((file, of)),
            Expr::Name { name, scope, path } => match self.lookup(file, scope, name, path).bounds[..] {
                [Bound::Param(home, _, index)] => {
                    program.file(home).facts.params[index as usize].declared.map(|of| (home, of))
                }
                [Bound::Variable(home, scope, name)] => self.declared_variable(home, scope, name).map(|of| (home, of)),
                [Bound::Symbol(sym)] => program.symbol(sym).declared.map(|of| (program.file_of(sym), of)),
                _ => None,
            },
            _ => None,
        };
        declared.is_some_and(|(home, of)| matches!(program.expr(home, of), Expr::Deref(_)))
    }

    /// Whether a type is one of plain values with nothing added to them.
    pub(crate) fn is_optional_value(
        &self,
        rules: &LanguageRules,
        file: FileId,
        declared: ExprId,
        wanted: &ValueSet,
    ) -> bool {
        !rules.primitive_types.is_empty()
            && matches!(self.program.expr(file, declared), Expr::Deref(_))
            && wanted.iter().all(|(value, _)| matches!(self.plain(value), Value::External(_) | Value::Instance(_)))
    }

    /// Whether all that is wanted is a value that is always there.
    pub(crate) fn is_plain_value(&self, rules: &LanguageRules, wanted: &ValueSet) -> bool {
        let plain = |value| match value {
            Value::External(external) => rules.primitive_types.iter().any(|p| p == self.externals.text(external)),
            _ => false,
        };
        !wanted.is_empty() && wanted.iter().all(|(value, _)| plain(value))
    }
}
