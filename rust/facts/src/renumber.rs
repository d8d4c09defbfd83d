//! Rewriting a file's name ids to those of a table shared by all files.

use crate::{Expr, FileFacts, NameId};
use std::sync::Arc;

impl FileFacts {
    /// Replaces every name id by `map[id]`, drops the file's own name table and sorts the sorted tables again.
    ///
    /// Resolution compares names across files, so it works on one table for all of them.
    pub fn renumber(&mut self, map: &[NameId]) {
        let to = |id: &mut NameId| *id = map[id.index()];
        self.package.iter_mut().for_each(to);
        for symbol in &mut self.symbols {
            to(&mut symbol.name);
            to(&mut symbol.qualified);
        }
        self.params.iter_mut().for_each(|p| to(&mut p.name));
        self.type_params.iter_mut().for_each(|(name, _)| to(name));
        self.decls.iter_mut().for_each(|d| to(&mut d.name));
        self.binds.iter_mut().for_each(|b| to(&mut b.name));
        self.member_binds.iter_mut().for_each(|b| to(&mut b.name));
        for import in &mut self.imports {
            to(&mut import.module);
            to(&mut import.name);
            to(&mut import.alias);
        }
        self.exports.iter_mut().for_each(|e| to(&mut e.name));
        self.public_names.iter_mut().flatten().for_each(to);
        self.opened.iter_mut().for_each(to);
        for expr in &mut self.exprs {
            match expr {
                Expr::Literal(_, name) | Expr::Name { name, .. } | Expr::Member { name, .. } => to(name),
                _ => {}
            }
        }
        self.args.iter_mut().filter_map(|a| a.name.as_mut()).for_each(to);
        self.sites.iter_mut().for_each(|s| to(&mut s.name));
        // Stable sorts: entries of one name keep their source order.
        self.decls.sort_by_key(|d| (d.scope, d.name));
        self.binds.sort_by_key(|b| (b.scope, b.name));
        self.names = Arc::default();
    }
}
