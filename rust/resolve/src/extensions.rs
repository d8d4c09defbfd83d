//! Extension methods: functions called on a value of a type that they are not members of.

use crate::lookup::Bound;
use crate::modules::FileId;
use crate::program::Sym;
use crate::resolver::Resolver;
use crate::types::Syms;
use crate::values::Value;
use mmcg_facts::{LiteralKind, NameId, ParamKind, ScopeId, Site, SymbolFlags, Visibility};

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
            if self.program.file(home).family != family || self.is_aside(sym) || !self.extends_here(file, site, sym) {
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

    /// Whether code can see an extension where functions have names of their own, as in Kotlin: it stands in the same
    /// file or package, is imported, or is a member of a type around.
    fn extends_here(&mut self, file: FileId, site: &Site, sym: Sym) -> bool {
        let home = self.program.file_of(sym);
        if !self.calls_values(home) || !self.calls_values(file) {
            return true;
        }
        let symbol = self.program.symbol(sym);
        if let Some(owner) = self.types.owner_of(sym) {
            let mut around = self.type_around(file, site.scope);
            for _ in 0..16 {
                let Some(at) = around else { break };
                if self.order(at).contains(&owner) {
                    return true;
                }
                around = self.types.owner_of(at);
            }
        } else {
            let private = symbol.flags.has(SymbolFlags::FILE_LOCAL) || symbol.visibility == Visibility::Private;
            if home == file || !private && self.program.units.of_file(home) == self.program.units.of_file(file) {
                return true;
            }
            if private {
                return false;
            }
        }
        let found = self.lookup(file, ScopeId(0), symbol.name, false).bounds;
        let found = self.follow_all(found);
        found.contains(&Bound::Symbol(sym))
    }

    /// Whether nothing more is known of a value than that it is none of the project's.
    pub(crate) fn is_from_outside(&self, value: Value) -> bool {
        match value {
            // What a call outside gives, or a member there; a type that is named is known.
            Value::External(external) => self.externals.text(external).contains('.'),
            _ => false,
        }
    }

    /// The one extension that code names for itself, by an import or in its own file, where of the receiver it is only
    /// known that it is nothing of the project's: no other function of the project can be meant.
    pub(crate) fn named_extension(&mut self, file: FileId, site: &Site, name: NameId) -> Option<Sym> {
        if !self.calls_values(file) {
            return None;
        }
        let candidates = self.types.extensions.get(&name).cloned()?;
        let mut found = None;
        for sym in candidates {
            let home = self.program.file_of(sym);
            if self.program.file(home).family != self.program.file(file).family || !self.extends_here(file, site, sym) {
                continue;
            }
            let written = |b: &Bound| matches!(b, Bound::Import(..));
            let named = home == file
                || self.program.units.of_file(home) == self.program.units.of_file(file)
                || self.lookup(file, ScopeId(0), name, false).bounds.iter().any(written);
            if !named || found.is_some() {
                return None;
            }
            let receiver = self.program.symbol(sym).params.clone().next();
            let declared = receiver.and_then(|at| self.program.file(home).facts.params[at as usize].declared)?;
            let wanted = self.instances(home, declared);
            let own = |(value, _): (Value, _)| matches!(self.plain(value), Value::Instance(_));
            if !self.takes(sym, site, 0) || wanted.iter().any(own) {
                return None;
            }
            found = Some(sym);
        }
        found
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
