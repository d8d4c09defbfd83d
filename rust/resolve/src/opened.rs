//! Namespaces that macros open (`FMT_BEGIN_NAMESPACE`): what stands between such macros is declared, as far as the
//! parser sees, in the scope around, so that these namespaces offer what that scope does.

use crate::lookup::{Bound, Bounds};
use crate::modules::FileId;
use crate::program::Program;
use crate::resolver::Resolver;
use crate::units::UnitId;
use mmcg_facts::NameId;
use rustc_hash::FxHashSet;

/// The namespaces that the texts of macros leave open, by family.
pub(crate) fn namespaces(program: &Program) -> FxHashSet<(u16, NameId)> {
    let files = program.files.iter();
    files.flat_map(|file| file.facts.opened.iter().map(|name| (file.family, *name))).collect()
}

impl Resolver<'_> {
    /// What a path means whose head is a namespace that only macros open.
    pub(crate) fn opened_head(&self, file: FileId, name: NameId) -> Option<Bound> {
        let source = self.program.file(file);
        let known = !self.opened.is_empty() && self.opened.contains(&(source.family, name));
        known.then(|| Bound::Unit(self.program.units.of_file(file)))
    }

    /// What a namespace that macros open offers beside what is declared in it.
    pub(crate) fn opened_member(&mut self, unit: UnitId, name: NameId, from: Option<FileId>) -> Bounds {
        if self.opened.is_empty() {
            return Bounds::new();
        }
        let data = self.program.units.get(unit);
        let Some(parent) = data.parent else {
            let nested = self.opened.contains(&(data.family, name));
            return nested.then_some(Bound::Unit(unit)).into_iter().collect();
        };
        let last = data.key.rsplit(':').next().and_then(|last| self.program.name(last));
        match last {
            Some(last) if self.opened.contains(&(data.family, last)) => self.unit_member(parent, name, from),
            _ => Bounds::new(),
        }
    }
}
