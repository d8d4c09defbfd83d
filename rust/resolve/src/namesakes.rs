//! When nothing tells what is called: the few definitions that have the name, as possibilities.

use crate::modules::FileId;
use crate::program::Sym;
use crate::resolver::Resolver;
use crate::types::Syms;
use mmcg_facts::{Expr, NameId, ScopeKind, Site, SymbolKind};
use rustc_hash::FxHashMap;

/// More namesakes than this say nothing.
const MOST: usize = 5;

/// Callable symbols by family, name and whether they are members.
#[derive(Default)]
pub(crate) struct Namesakes {
    by_name: FxHashMap<(u16, NameId, bool), Syms>,
    macros: FxHashMap<(u16, NameId), Syms>,
}

impl Namesakes {
    /// The macros of a name in a language family.
    pub fn macros(&self, family: u16, name: NameId) -> &[Sym] {
        self.macros.get(&(family, name)).map_or(&[], |found| found.as_slice())
    }
}

impl Resolver<'_> {
    pub(crate) fn index_namesakes(&mut self) {
        let program = self.program;
        for file in &program.files {
            for (local, symbol) in file.facts.symbols.iter().enumerate() {
                if symbol.kind == SymbolKind::Macro {
                    self.namesakes
                        .macros
                        .entry((file.family, symbol.name))
                        .or_default()
                        .push(Sym(file.first + local as u32));
                }
                let member = match symbol.kind {
                    SymbolKind::Method => true,
                    SymbolKind::Function | SymbolKind::Macro => false,
                    _ => continue,
                };
                let found = self.namesakes.by_name.entry((file.family, symbol.name, member)).or_default();
                if found.len() <= MOST {
                    found.push(Sym(file.first + local as u32));
                }
            }
        }
    }

    /// At most a handful of symbols of the site's language family that have the called name.
    pub(crate) fn namesakes(&self, file: FileId, site: &Site) -> Syms {
        let member = matches!(self.program.expr(file, site.callee), Expr::Member { .. });
        self.few_of_name(file, site, member)
    }

    fn few_of_name(&self, file: FileId, site: &Site, member: bool) -> Syms {
        let source = self.program.file(file);
        let name = self.program.text(site.name);
        if member && source.rules.common_members.binary_search_by(|known| known.as_str().cmp(name)).is_ok() {
            return Syms::new();
        }
        match self.namesakes.by_name.get(&(source.family, site.name, member)) {
            Some(found) if found.len() <= MOST => found.clone(),
            _ => Syms::new(),
        }
    }

    /// The members that may be meant by a name without a receiver, which the code around does not know: none unless it
    /// stands in a block that may be run with another receiver.
    pub(crate) fn namesakes_in_block(&self, file: FileId, site: &Site) -> Syms {
        let source = self.program.file(file);
        let Expr::Name { scope, .. } = self.program.expr(file, site.callee) else { return Syms::new() };
        if !source.rules.rebound_blocks {
            return Syms::new();
        }
        let mut next = Some(scope);
        while let Some(at) = next {
            let current = source.facts.scopes[at.index()];
            match current.kind {
                ScopeKind::Function if source.facts.symbol(current.symbol).body != Some(at) => {
                    return self.few_of_name(file, site, true);
                }
                ScopeKind::Function | ScopeKind::Block => next = current.parent,
                _ => return Syms::new(),
            }
        }
        Syms::new()
    }
}
