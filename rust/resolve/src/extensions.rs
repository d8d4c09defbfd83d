//! Extension methods: functions called on a value of a type that they are not members of.

use crate::modules::FileId;
use crate::program::Sym;
use crate::resolver::Resolver;
use crate::values::Value;
use mmcg_facts::{LiteralKind, NameId, ParamKind, Site};

/// A fit that says nothing: the type is not known, or only may be the one.
const DOUBTFUL: [u32; 2] = [1, 4];

impl Resolver<'_> {
    /// The extension method whose receiver the value can be; none where several fit equally well.
    pub(crate) fn extension_for(&mut self, file: FileId, site: &Site, receiver: Value, name: NameId) -> Option<Sym> {
        let candidates = self.types.extensions.get(&name)?.clone();
        let family = self.program.file(file).family;
        let mut best: Option<(Sym, u32)> = None;
        let mut several = false;
        for sym in candidates {
            let home = self.program.file_of(sym);
            if self.program.file(home).family != family {
                continue;
            }
            let symbol = self.program.symbol(sym);
            let params = symbol.params.clone();
            let facts = &self.program.file(home).facts;
            let first = params.clone().next().map(|i| facts.params[i as usize]);
            let (declared, skipped) = match (symbol.owner, first) {
                (Some(owner), _) => (owner, 0),
                (None, Some(param)) => {
                    let Some(declared) = param.declared else { continue };
                    (declared, usize::from(param.kind != ParamKind::Receiver))
                }
                _ => continue,
            };
            if !self.takes(sym, site, skipped) {
                continue;
            }
            let wanted = self.instances(home, declared);
            let fit = wanted.iter().filter_map(|(want, _)| self.receives(file, receiver, want, home, declared)).max();
            match (fit, best) {
                (Some(fit), Some((_, known))) if fit == known => several = true,
                (Some(fit), Some((_, known))) if fit < known => {}
                (Some(fit), _) => {
                    best = Some((sym, fit));
                    several = false;
                }
                (None, _) => {}
            }
        }
        best.filter(|_| !several).map(|(sym, _)| sym)
    }

    /// How well a value can be the receiver where a type is declared.
    fn receives(
        &mut self,
        file: FileId,
        receiver: Value,
        wanted: Value,
        home: FileId,
        declared: mmcg_facts::ExprId,
    ) -> Option<u32> {
        let rules = std::sync::Arc::clone(&self.program.file(file).rules);
        if !rules.conversions.is_empty() {
            return self.convert(&rules, receiver, wanted, false).filter(|fit| !DOUBTFUL.contains(fit));
        }
        let fits = match (self.plain(receiver), self.plain(wanted)) {
            (Value::Instance(a), Value::Instance(b)) => self.order(a).contains(&b),
            (Value::External(a), Value::External(b)) => a == b,
            (Value::Generic(a, x), Value::Generic(b, y)) => {
                self.last_name(a, x).is_some() && self.last_name(a, x) == self.last_name(b, y)
            }
            (Value::Literal(kind), Value::External(_)) => {
                let text = self.type_text(home, declared).to_lowercase();
                matches!(
                    (kind, text.as_str()),
                    (LiteralKind::String, "string" | "str")
                        | (LiteralKind::Integer, "int" | "long")
                        | (LiteralKind::Boolean, "bool" | "boolean")
                        | (LiteralKind::Float, "double" | "float")
                )
            }
            _ => false,
        };
        fits.then_some(16)
    }
}
