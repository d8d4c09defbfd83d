//! Types from outside that hold others: under whatever name they are imported, and with the arguments that an alias of
//! the project gives them (`type Result<T> = std::result::Result<T, Error>`).

use crate::lookup::Bound;
use crate::modules::FileId;
use crate::resolver::Resolver;
use crate::values::ValueSet;
use mmcg_facts::{Expr, ExprId, NameId, SymbolKind};

impl<'p> Resolver<'p> {
    /// The last name of a type; where it is imported as another one, the name that the language's data knows.
    pub(crate) fn wrapper_name(&self, file: FileId, expr: ExprId) -> Option<&'p str> {
        let (name, program) = (self.last_name(file, expr)?, self.program);
        let source = program.file(file);
        let known = |name: NameId| source.rules.element_types.contains_key(program.text(name));
        if source.rules.deref_types.is_empty() || known(name) {
            return Some(program.text(name));
        }
        let renamed = source.facts.imports.iter().find(|i| i.alias == name && i.name != name && known(i.name));
        Some(program.text(renamed.map_or(name, |import| import.name)))
    }

    /// Objects of a type's n-th argument, whether it is written or given by an alias.
    pub(crate) fn type_argument_of(&mut self, file: FileId, expr: ExprId, index: usize) -> ValueSet {
        let object = match self.program.expr(file, expr) {
            Expr::Index { args, count, .. } if count as usize > index => {
                let of = self.args(file, args, count)[index].value;
                return self.instances(file, of);
            }
            Expr::Index { object, .. } => object,
            _ => expr,
        };
        let [Bound::Symbol(alias)] = self.type_bounds(file, object)[..] else { return ValueSet::unknown() };
        let (home, symbol) = (self.program.file_of(alias), self.program.symbol(alias));
        let Some(value) = symbol.value.filter(|_| symbol.kind == SymbolKind::Type) else { return ValueSet::unknown() };
        match self.program.expr(home, value) {
            Expr::Index { args, count, .. } if count as usize > index => {
                let of = self.args(home, args, count)[index].value;
                self.instances(home, of)
            }
            _ => ValueSet::unknown(),
        }
    }
}
