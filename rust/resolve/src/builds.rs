//! Which build code belongs to: what only builds for other systems have is no answer for code of the ordinary one.

use crate::lookup::{Bound, Bounds};
use crate::modules::FileId;
use crate::program::Sym;
use crate::resolver::Resolver;
use mmcg_facts::{Rule, Site, SiteFlags, SymbolFlags, SymbolKind};

impl Resolver<'_> {
    /// Of several definitions those that the ordinary build has, if it has any.
    pub(crate) fn without_aside(&self, found: Bounds) -> Bounds {
        let aside = |b: &Bound| match b {
            Bound::Symbol(sym) => self.is_aside(*sym),
            Bound::Import(file, index) => self.program.file(*file).facts.imports[*index as usize].aside,
            _ => false,
        };
        if found.len() < 2 || found.iter().all(aside) {
            return found;
        }
        found.into_iter().filter(|b| !aside(b)).collect()
    }

    /// Of several definitions those that the build of the asking file has: code for another system has what stands
    /// beside it.
    pub(crate) fn of_build(&self, from: Option<FileId>, found: Bounds) -> Bounds {
        let program = self.program;
        if let Some(from) = from.filter(|from| found.len() > 1 && self.is_file_aside(*from)) {
            let beside = |b: &Bound| {
                matches!(b, Bound::Symbol(s) if {
                    let home = program.file_of(*s);
                    self.is_definition(*s) && self.is_file_aside(home) && program.system(from).are_beside(from, home)
                })
            };
            let left: Bounds = found.iter().copied().filter(beside).collect();
            if !left.is_empty() {
                return left;
            }
        }
        self.without_aside(found)
    }

    fn is_file_aside(&self, file: FileId) -> bool {
        self.program.system(file).is_aside(file)
    }

    pub(crate) fn is_aside(&self, sym: Sym) -> bool {
        let file = self.program.file_of(sym);
        let module = self.program.file(file).facts.symbols[0].flags;
        module.has(SymbolFlags::ASIDE)
            || self.program.symbol(sym).flags.has(SymbolFlags::ASIDE)
            || self.is_file_aside(file)
    }

    /// Takes back what was found in one linkage pool, but is not there for the code that calls: what only other builds
    /// have, and functions that nothing declares to the file and that stand under conditions or are of a language that calls nothing undeclared.
    pub(crate) fn doubt_unbuilt(&self, file: FileId, site: &Site, found: &mut [(Sym, Rule)]) {
        let caller = self.caller(file, site);
        let ordinary = !site.flags.has(SiteFlags::ASIDE) && !self.is_file_aside(file);
        for (sym, rule) in found {
            if ordinary && self.is_aside(*sym)
                || matches!(*rule, Rule::Linkage | Rule::Lexical) && self.is_undeclared(file, caller, *sym)
            {
                *rule = Rule::NameOnly;
            }
        }
    }

    /// Whether a function is not known to be declared where the file may call it: one of another file that nothing
    /// included declares, or what a macro makes of a name, called from elsewhere or by itself.
    fn is_undeclared(&self, file: FileId, caller: Sym, sym: Sym) -> bool {
        let program = self.program;
        let home = program.file_of(sym);
        let symbol = program.symbol(sym);
        let plain = symbol.kind == SymbolKind::Function && self.types.owner_of(sym).is_none();
        let made = symbol.flags.has(SymbolFlags::MACRO_MADE) && (home != file || caller == sym);
        let strict = program.file(home).rules.overloads || symbol.flags.has(SymbolFlags::CONDITIONAL);
        let elsewhere = strict && home != file && !self.includes(file, home);
        if !plain || !(made || elsewhere) {
            return false;
        }
        let Some(unit) = self.unit_around_scope(home, symbol.scope) else { return false };
        let declared = self.declared_in(unit, symbol.name);
        !declared.iter().any(|other| {
            let at = program.file_of(*other);
            let prototype = *other != sym && !program.symbol(*other).flags.has(SymbolFlags::MACRO_MADE);
            prototype && (at == file || self.includes(file, at))
        })
    }
}
