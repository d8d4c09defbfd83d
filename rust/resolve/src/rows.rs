//! Imports, bases and overrides as rows.

use crate::lookup::Bound;
use crate::modules::{FileId, Found};
use crate::outcome::{BaseRow, ImportRow};
use crate::program::Sym;
use crate::resolver::Resolver;
use mmcg_facts::{Expr, Rule, SymbolKind};

impl Resolver<'_> {
    /// The imports of a file with the files they lead to.
    pub(crate) fn import_rows(&mut self, file: FileId, rows: &mut Vec<ImportRow>) {
        let program = self.program;
        for index in 0..program.file(file).facts.imports.len() as u32 {
            let (files, external) = self.imported_files(file, index);
            if files.is_empty() {
                rows.push(ImportRow { file, import: index, target: None, external });
            }
            rows.extend(files.into_iter().map(|target| ImportRow {
                file,
                import: index,
                target: Some(target),
                external: None,
            }));
        }
    }

    /// The files that an import leads to: the module's own; for a package, those of the imported member, else all.
    fn imported_files(&mut self, file: FileId, index: u32) -> (Vec<FileId>, Option<Box<str>>) {
        let program = self.program;
        let import = program.file(file).facts.imports[index as usize];
        let mut files: Vec<FileId> = Vec::new();
        let mut external = None;
        if import.kind == mmcg_facts::ImportKind::File {
            // The file that is named, not all that share a unit with it.
            if let Found::File(target) = program.system(file).find(file, program.text(import.module)).found {
                return (Vec::from_iter((target != file).then_some(target)), None);
            }
        }
        let modules = self.import_module(file, index);
        let mut whole_package = true;
        for bound in modules {
            match bound {
                Bound::Unit(unit) => {
                    let scopes = &program.units.get(unit).scopes;
                    if scopes.len() != 1 && import.kind == mmcg_facts::ImportKind::Member {
                        for target in self.import(file, index) {
                            match target {
                                Bound::Symbol(sym) => files.push(program.file_of(sym)),
                                Bound::External(name) => external = Some(self.externals.text(name).into()),
                                _ => continue,
                            }
                            whole_package = false;
                        }
                    }
                    if whole_package || scopes.len() == 1 {
                        files.extend(scopes.iter().map(|(home, _)| *home));
                    }
                }
                Bound::Symbol(sym) => files.push(program.file_of(sym)),
                Bound::External(name) => {
                    // The package alone, where files are modules.
                    let shared = program.file(file).rules.sharing != mmcg_facts::Sharing::File;
                    external = Some(match program.system(file).find(file, program.text(import.module)).found {
                        Found::External(package) if !shared => package.into(),
                        _ => self.externals.text(name).into(),
                    });
                }
                _ => {}
            }
        }
        if import.kind == mmcg_facts::ImportKind::Member {
            // `from package import module` needs the module's file as well.
            for target in self.import(file, index) {
                if let Bound::Unit(unit) = target {
                    files.extend(program.units.get(unit).scopes.iter().map(|(home, _)| *home));
                }
            }
        }
        files.retain(|target| *target != file);
        files.sort();
        files.dedup();
        (files, external)
    }

    /// The bases of all types, in symbol order.
    pub(crate) fn base_rows(&mut self) -> Vec<BaseRow> {
        let mut types: Vec<Sym> = self.types.bases.keys().copied().collect();
        types.sort();
        let mut rows = Vec::new();
        for symbol in types {
            for base in self.types.bases[&symbol].clone() {
                let facts = &self.program.file(base.file).facts;
                let line = facts.places[base.expr.index()].line;
                let name = self.written(base.file, base.expr).into();
                let rule = if base.target.is_some() { Rule::Lexical } else { Rule::External };
                rows.push(BaseRow { symbol, base: base.target, name, kind: base.kind, line, rule });
            }
        }
        rows
    }

    /// Whether an expression is the head of an absolute path.
    fn is_root_head(&self, file: FileId, expr: mmcg_facts::ExprId) -> bool {
        let Expr::Name { name, path: true, .. } = self.program.expr(file, expr) else { return false };
        let heads = &self.program.file(file).rules.path_heads;
        let text = self.program.text(name);
        !text.starts_with(char::is_alphabetic) && heads.get(text).is_some_and(|meaning| meaning == "root")
    }

    /// A dotted name as written.
    fn written(&self, file: FileId, expr: mmcg_facts::ExprId) -> String {
        match self.program.expr(file, expr) {
            Expr::Name { name, .. } => self.program.text(name).to_owned(),
            Expr::Member { object, name, .. } if self.is_root_head(file, object) => self.program.text(name).to_owned(),
            Expr::Member { object, name, .. } => {
                format!("{}.{}", self.written(file, object), self.program.text(name))
            }
            Expr::Index { object, .. } | Expr::Deref(object) => self.written(file, object),
            Expr::Call(site) => {
                let callee = self.program.file(file).facts.site(site).callee;
                format!("{}()", self.written(file, callee))
            }
            _ => String::from("?"),
        }
    }

    /// Each method with the nearest member of each base line that it overrides or implements.
    pub(crate) fn override_rows(&mut self) -> Vec<(Sym, Sym)> {
        let program = self.program;
        let mut rows = Vec::new();
        let mut supertypes: rustc_hash::FxHashMap<Sym, Vec<Sym>> = rustc_hash::FxHashMap::default();
        for (base, subtypes) in &self.types.subtypes {
            for subtype in subtypes {
                supertypes.entry(*subtype).or_default().push(*base);
            }
        }
        let mut owners: Vec<Sym> = supertypes.keys().copied().collect();
        owners.sort();
        for owner in owners {
            let mut bases = supertypes[&owner].clone();
            bases.sort();
            for sym in self.members_by_owner.get(&owner).cloned().unwrap_or_default() {
                let symbol = program.symbol(sym);
                if !matches!(symbol.kind, SymbolKind::Method | SymbolKind::Property) {
                    continue;
                }
                for &base in &bases {
                    for overridden in self.members(base, symbol.name) {
                        if overridden != sym && self.same_shape(overridden, sym) {
                            rows.push((sym, overridden));
                        }
                    }
                }
            }
        }
        rows.sort();
        rows.dedup();
        rows
    }
}
