//! Extension methods: functions called on a value of a type that they are not members of.

use crate::lookup::Bound;
use crate::modules::FileId;
use crate::resolver::Resolver;
use crate::types::Syms;
use crate::values::Value;
use mmcg_facts::{LiteralKind, NameId, ParamKind, ScopeId, Site};

/// A fit that says nothing: the type is not known, or only may be the one.
const DOUBTFUL: [u32; 2] = [1, 4];

impl Resolver<'_> {
    /// The extension methods that a call on a value can mean: of those whose receiver fits best the ones that the
    /// arguments choose, and of these the ones in namespaces that the file sees.
    pub(crate) fn extensions_for(&mut self, file: FileId, site: &Site, receiver: Value, name: NameId) -> Syms {
        let Some(candidates) = self.types.extensions.get(&name).cloned() else { return Syms::new() };
        let family = self.program.file(file).family;
        let mut best = Syms::new();
        let mut known = 0;
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
            let Some(fit) = fit.filter(|fit| *fit >= known) else { continue };
            if fit > known {
                best.clear();
            }
            known = fit;
            best.push(sym);
        }
        let chosen = self.fitting_after(file, site, best, true);
        self.in_sight(file, chosen)
    }

    /// Of several extension methods those that the file brings in by their class's namespace.
    fn in_sight(&mut self, file: FileId, found: Syms) -> Syms {
        if found.len() < 2 {
            return found;
        }
        let mut seen = Syms::new();
        for sym in &found {
            let Some(class) = self.types.owner_of(*sym) else { continue };
            let name = self.program.symbol(class).name;
            let bounds = self.lookup(file, ScopeId(0), name, true).bounds;
            if bounds.iter().any(|b| matches!(b, Bound::Symbol(s) if self.types.whole(*s) == class)) {
                seen.push(*sym);
            }
        }
        if seen.is_empty() {
            found
        } else {
            seen
        }
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
