//! Invocations of macros in languages where macros have a name space of their own.

use crate::calls::Targets;
use crate::modules::FileId;
use crate::program::Sym;
use crate::resolver::Resolver;
use mmcg_facts::{Expr, Rule, Site};

impl Resolver<'_> {
    /// The macro that an invocation means: of the own file the last one before it, else one of the same program or
    /// library, else one that the file imports or names by a path.
    pub(crate) fn macro_targets(&mut self, file: FileId, site: &Site, targets: &mut Targets) {
        let program = self.program;
        let source = program.file(file);
        let all: Vec<Sym> = self.namesakes.macros(source.family, site.name).to_vec();
        let own = all.iter().copied().filter(|sym| program.file_of(*sym) == file);
        let before = own.clone().rfind(|sym| program.symbol(*sym).place.line <= site.place.line);
        if let Some(sym) = before.or_else(|| own.clone().next()) {
            targets.add(sym, Rule::Macro);
            return;
        }
        let root = |file: FileId| program.system(file).root(file);
        let near: Vec<Sym> = all.iter().copied().filter(|sym| root(program.file_of(*sym)) == root(file)).collect();
        let by_path = matches!(program.expr(file, site.callee), Expr::Member { .. });
        let imported = source.facts.imports.iter().any(|import| import.alias == site.name);
        let found = match near.is_empty() {
            false => near,
            true if by_path || imported => all,
            true => Vec::new(),
        };
        match found[..] {
            [] => targets.external.push((program.text(site.name).into(), Rule::External)),
            [only] => targets.add(only, Rule::Macro),
            _ => found.iter().for_each(|sym| targets.add(*sym, Rule::Ambiguous)),
        }
    }
}
