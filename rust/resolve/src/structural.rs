//! Types that implement an interface by having its methods (Go): they become its subtypes.

use crate::program::Sym;
use crate::resolver::Resolver;
use mmcg_facts::{NameId, ParamKind, SymbolKind};
use rustc_hash::FxHashMap;

/// An interface that more types than this implement is of no use for dispatch (`String() string`).
const MOST_TYPES: usize = 4096;

impl Resolver<'_> {
    /// Finds the implementations of every interface of languages whose interfaces are structural.
    pub(crate) fn attach_structural(&mut self) {
        let program = self.program;
        let mut by_name: FxHashMap<NameId, Vec<(Sym, Sym)>> = FxHashMap::default();
        let mut interfaces = Vec::new();
        let mut owners: Vec<(&(Sym, NameId), &crate::types::Syms)> = self.types.members.iter().collect();
        owners.sort_by_key(|(key, _)| **key);
        for (&(owner, name), members) in owners {
            let file = program.file(program.file_of(owner));
            if !file.rules.structural {
                continue;
            }
            if program.symbol(owner).kind == SymbolKind::Interface {
                if interfaces.last() != Some(&owner) {
                    interfaces.push(owner);
                }
            } else if let Some(method) = members.iter().find(|m| program.symbol(**m).kind == SymbolKind::Method) {
                by_name.entry(name).or_default().push((owner, *method));
            }
        }
        interfaces.dedup();
        for interface in interfaces {
            let wanted = self.method_set(interface);
            let rarest = wanted.iter().min_by_key(|(name, _)| by_name.get(name).map_or(0, Vec::len));
            let Some(candidates) = rarest.and_then(|(name, _)| by_name.get(name)) else {
                continue;
            };
            if candidates.len() > MOST_TYPES {
                continue;
            }
            let mut found = Vec::new();
            let mut owners: Vec<Sym> = candidates.iter().map(|(owner, _)| *owner).collect();
            owners.dedup();
            for owner in owners {
                let has_all = wanted.iter().all(|(name, method)| {
                    self.members(owner, *name).iter().any(|own| self.same_signature(*method, *own))
                });
                if has_all {
                    found.push(owner);
                }
            }
            // Types that embed an implementation have its methods, too.
            let subtypes = self.types.subtypes.entry(interface).or_default();
            for owner in found {
                if !subtypes.contains(&owner) {
                    subtypes.push(owner);
                }
            }
        }
    }

    fn method_set(&mut self, interface: Sym) -> Vec<(NameId, Sym)> {
        let order = self.order(interface);
        let mut all: Vec<(NameId, Sym)> = Vec::new();
        let mut keys: Vec<(NameId, Sym)> = Vec::new();
        for at in order.iter() {
            let symbols = self.members_by_owner.get(at).cloned().unwrap_or_default();
            keys.extend(symbols.into_iter().map(|sym| (self.program.symbol(sym).name, sym)));
        }
        for (name, sym) in keys {
            let method = matches!(self.program.symbol(sym).kind, SymbolKind::Method | SymbolKind::Prototype);
            if method && !all.iter().any(|(known, _)| *known == name) {
                all.push((name, sym));
            }
        }
        all
    }

    /// Whether two methods take and give the same types.
    fn same_signature(&self, a: Sym, b: Sym) -> bool {
        let shape = |sym: Sym| {
            let symbol = self.program.symbol(sym);
            let file = self.program.file_of(sym);
            let params =
                &self.program.file(file).facts.params[symbol.params.start as usize..symbol.params.end as usize];
            let types: Vec<String> = params
                .iter()
                .filter(|p| p.kind != ParamKind::Receiver)
                .map(|p| p.declared.map_or(String::new(), |expr| self.type_text(file, expr)))
                .collect();
            let gives = symbol.declared.map_or(String::new(), |expr| self.type_text(file, expr));
            (types, gives)
        };
        shape(a) == shape(b)
    }
}
