//! What code does not see of what is declared around it.

use crate::lookup::{Bound, Bounds, Lookup, Where};
use crate::modules::FileId;
use crate::resolver::Resolver;
use crate::units::UnitId;
use mmcg_facts::{NameId, SymbolKind};
use std::rc::Rc;

impl Resolver<'_> {
    /// What a function sees of the variables around it: nothing.
    pub(crate) fn without_variables(&self, mut found: Lookup) -> Option<Lookup> {
        found.bounds.retain(|bound| match bound {
            Bound::Variable(..) | Bound::Param(..) => false,
            Bound::Symbol(sym) => self.program.symbol(*sym).kind != SymbolKind::Variable,
            _ => true,
        });
        (!found.bounds.is_empty()).then_some(found)
    }

    /// What code sees of the members of types further out.
    pub(crate) fn without_methods(&self, mut found: Lookup) -> Option<Lookup> {
        if matches!(found.at, Where::Member(_)) {
            found.bounds.retain(|bound| match bound {
                Bound::Symbol(sym) => {
                    let kind = self.program.symbol(*sym).kind;
                    kind.is_type() || kind == SymbolKind::Constant
                }
                _ => false,
            });
        }
        (!found.bounds.is_empty()).then_some(found)
    }

    /// A name as further parts of a package have it: those in other source roots that a file sees.
    pub(crate) fn member_of_parts(&mut self, file: FileId, unit: UnitId, name: NameId) -> Bounds {
        let parts = match self.unit_parts.get(&(file, unit)) {
            Some(known) => Rc::clone(known),
            None => {
                let (units, family) = (&self.program.units, self.program.file(file).family);
                let keys = self.program.system(file).parts(file, &units.get(unit).key);
                let parts: Rc<[UnitId]> = keys.iter().filter_map(|key| units.by_key(family, key)).collect();
                self.unit_parts.insert((file, unit), Rc::clone(&parts));
                parts
            }
        };
        for part in parts.iter() {
            let found = self.unit_member(*part, name, None);
            if !found.is_empty() {
                return found;
            }
        }
        Bounds::new()
    }

    /// Where a unit defines a name several times, those of this file hide the others.
    pub(crate) fn nearest_definitions(&self, file: FileId, found: Bounds) -> Bounds {
        let own: Bounds = found
            .iter()
            .copied()
            .filter(|b| matches!(b, Bound::Symbol(s) if self.program.file_of(*s) == file && self.is_definition(*s)))
            .collect();
        if !own.is_empty() && !self.program.file(file).rules.overloads {
            return self.last_standing(own);
        }
        let system = self.program.system(file);
        let rank = |b: &Bound| match b {
            Bound::Symbol(sym) => system.rank(file, self.program.file_of(*sym)),
            _ => 0,
        };
        let nearest = found.iter().map(rank).min().unwrap_or(0);
        found.into_iter().filter(|b| rank(b) == nearest).collect()
    }
}
