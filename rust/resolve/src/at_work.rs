//! What is remembered while the code of one file is resolved.

use crate::lookup::Lookup;
use crate::modules::FileId;
use crate::resolver::Resolver;
use mmcg_facts::{NameId, ScopeId};
use rustc_hash::FxHashMap;

/// What names mean in the file whose code is being resolved, below functions and types.
#[derive(Default)]
pub(crate) struct AtWork {
    file: Option<FileId>,
    names: FxHashMap<(ScopeId, NameId, bool), Option<Lookup>>,
}

impl Resolver<'_> {
    /// A file's or namespace's scope. A file names the same things again and again: what they are is remembered while
    /// that file is at work, except on the way through circles of imports, and unless values decided it: those may grow.
    pub(crate) fn lookup_in_unit_scope(
        &mut self,
        file: FileId,
        scope: ScopeId,
        name: NameId,
        path: bool,
    ) -> Option<Lookup> {
        let on_the_way = !self.guard.is_empty()
            || !self.guard_names.is_empty()
            || !self.running_imports.is_empty()
            || !self.running_names.is_empty();
        if on_the_way || self.at_work.file != Some(file) {
            return self.unremembered_in_unit_scope(file, scope, name, path);
        }
        if let Some(known) = self.at_work.names.get(&(scope, name, path)) {
            return known.clone();
        }
        let asked = self.solver.asked;
        let found = self.unremembered_in_unit_scope(file, scope, name, path);
        if asked == self.solver.asked {
            self.at_work.names.insert((scope, name, path), found.clone());
        }
        found
    }

    /// Says which file's code is resolved next, if any is as a whole.
    pub(crate) fn work_at(&mut self, file: Option<FileId>) {
        self.at_work.file = file;
        self.at_work.names.clear();
    }
}
