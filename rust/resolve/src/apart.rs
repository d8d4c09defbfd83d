//! Languages in which functions and variables of one name live side by side: what is called is a function, what is
//! read is not.

use crate::lookup::{Bound, Bounds, Lookup, Where};
use crate::modules::FileId;
use crate::program::Sym;
use crate::receivers::Received;
use crate::resolver::Resolver;
use crate::types::Syms;
use mmcg_facts::{NameId, ScopeId, ScopeKind, SymbolKind};

impl Resolver<'_> {
    /// Looks up a called name.
    pub(crate) fn lookup_called(&mut self, file: FileId, scope: ScopeId, name: NameId, path: bool) -> Lookup {
        let program = self.program;
        let source = program.file(file);
        if !source.rules.functions_apart {
            return self.lookup(file, scope, name, path);
        }
        let mut next = Some(scope);
        while let Some(at) = next {
            let current = source.facts.scopes[at.index()];
            next = current.parent;
            let (found, place) = match current.kind {
                ScopeKind::Function | ScopeKind::Block => {
                    (self.functions_of(self.declared(file, at, name, false)), Where::Scope)
                }
                ScopeKind::Class => {
                    let sym = self.types.whole(program.sym(file, current.symbol));
                    let members = self.called_members(sym, name);
                    (members.into_iter().map(Bound::Symbol).collect(), Where::Member(sym))
                }
                ScopeKind::Extension | ScopeKind::Namespace => continue,
                ScopeKind::File => {
                    let found = self.lookup(file, at, name, false);
                    let imported = found.bounds.iter().any(|b| matches!(b, Bound::Import(..)));
                    let followed = self.follow_all(found.bounds);
                    let place = if imported { Where::Glob } else { found.at };
                    (self.functions_of(followed), place)
                }
            };
            if !found.is_empty() {
                return Lookup { bounds: found, at: place };
            }
        }
        let text = program.text(name);
        let known = source.rules.root_members.iter().any(|m| m == text);
        Lookup { bounds: Bounds::new(), at: if known { Where::Builtin } else { Where::Nowhere } }
    }

    fn functions_of(&self, found: Bounds) -> Bounds {
        found.into_iter().filter(|b| self.may_be_called(b)).collect()
    }

    fn may_be_called(&self, bound: &Bound) -> bool {
        match bound {
            Bound::Symbol(sym) => self.is_function(*sym),
            Bound::External(_) => true,
            _ => false,
        }
    }

    fn is_function(&self, sym: Sym) -> bool {
        let kind = self.program.symbol(sym).kind;
        kind.is_callable() && kind != SymbolKind::Property
    }

    /// Functions of a name among the members of a type and its bases.
    pub(crate) fn called_members(&mut self, sym: Sym, name: NameId) -> Syms {
        let all = self.all_members(sym, name);
        all.into_iter().filter(|s| self.is_function(*s)).collect()
    }

    /// What is no function among the nearest members of a name.
    pub(crate) fn read_members(&mut self, sym: Sym, name: NameId) -> Syms {
        let all = self.all_members(sym, name);
        let mut found = Syms::new();
        for member in all {
            let nearest = found.first().is_none_or(|first| self.types.owner_of(*first) == self.types.owner_of(member));
            if nearest && !self.is_function(member) {
                found.push(member);
            }
        }
        found
    }

    /// Keeps of the members found under a name those that the use can mean.
    pub(crate) fn apart(&self, file: FileId, members: &mut Vec<Received>, called: bool) {
        if !self.program.file(file).rules.functions_apart {
            return;
        }
        if called {
            members.retain(|(bound, _)| self.may_be_called(bound));
        } else if members.iter().any(|(bound, _)| !self.may_be_called(bound)) {
            // A reference to a method is read, too: only a field hides it.
            members.retain(|(bound, _)| !self.may_be_called(bound));
        }
    }
}
