//! Uses that are no calls: reads, writes, types, imports, inheritance; and reads that run a property.

use crate::lookup::Bound;
use crate::modules::FileId;
use crate::outcome::{Edge, Reference};
use crate::program::Sym;
use crate::resolver::Resolver;
use crate::values::{How, Value};
use mmcg_facts::{Expr, ExprId, Place, Rule, ScopeId, SymbolFlags, SymbolId, SymbolKind, UseKind};
use rustc_hash::FxHashSet;

impl Resolver<'_> {
    /// The references of a file in source order; property reads and writes are added to `edges`.
    pub fn uses(&mut self, file: FileId, edges: &mut Vec<Edge>, references: &mut Vec<Reference>) {
        let program = self.program;
        let facts = &program.file(file).facts;
        let start = references.len();
        let arities = self.written_arities(file);
        for (index, (expr, place)) in facts.exprs.iter().zip(&facts.places).enumerate() {
            if matches!(place.used(), UseKind::None | UseKind::Call) {
                continue;
            }
            match *expr {
                Expr::Name { name, scope, path } if self.symbol_names.contains(&name) => {
                    let found = match place.used() {
                        UseKind::Type | UseKind::Inherit => {
                            let mut found = self.lookup_type(file, scope, name, path);
                            let given = arities.get(&ExprId::from(index)).copied().unwrap_or(0);
                            found.bounds = self.of_arity(file, found.bounds, given);
                            found
                        }
                        _ => self.lookup(file, scope, name, path),
                    };
                    let imported = found.bounds.iter().any(|b| matches!(b, Bound::Import(..)));
                    let rule = if imported { Rule::Import } else { Rule::Lexical };
                    let source = program.sym(file, facts.scopes[scope.index()].symbol);
                    for bound in self.follow_all(found.bounds) {
                        let Bound::Symbol(target) = bound else { continue };
                        let member = matches!(found.at, crate::lookup::Where::Member(_));
                        if member && program.symbol(target).kind == SymbolKind::Property {
                            edges.push(self.property_edge(file, *place, source, target, false));
                        } else {
                            self.refer(file, *place, source, target, rule, references);
                        }
                    }
                }
                Expr::Member { object, name, .. } if self.symbol_names.contains(&name) => {
                    self.member_use(file, ExprId::from(index), object, name, *place, edges, references);
                }
                _ => {}
            }
        }
        for (index, import) in facts.imports.iter().enumerate() {
            if import.name == program.known.empty && import.kind != mmcg_facts::ImportKind::Default {
                continue;
            }
            let source = program.sym(file, facts.scopes[import.scope.index()].symbol);
            for bound in self.import(file, index as u32) {
                if let Bound::Symbol(target) = bound {
                    self.refer(file, import.place.with_use(UseKind::Import), source, target, Rule::Import, references);
                }
            }
        }
        references[start..].sort_by_key(|r| (r.place.line, r.place.column(), r.target));
    }

    fn refer(&self, file: FileId, place: Place, source: Sym, target: Sym, rule: Rule, references: &mut Vec<Reference>) {
        references.push(Reference { file, place, source, target, rule, confidence: rule.confidence() });
    }

    #[allow(clippy::too_many_arguments)]
    fn member_use(
        &mut self,
        file: FileId,
        _expr: ExprId,
        object: ExprId,
        name: mmcg_facts::NameId,
        place: Place,
        edges: &mut Vec<Edge>,
        references: &mut Vec<Reference>,
    ) {
        let source = self.symbol_of_expr(file, object);
        let objects = self.eval(file, object);
        let mut members = self.members_of_values(file, &objects, name);
        self.apart(file, &mut members, false);
        for (bound, receiver) in members {
            let Bound::Symbol(target) = bound else {
                continue;
            };
            let flown = matches!(receiver, Some((_, How::Flow)));
            let symbol = self.program.symbol(target);
            if symbol.kind == SymbolKind::Property {
                if let Some((Value::Instance(_) | Value::Applied(_) | Value::SuperOf(_), _)) = receiver {
                    edges.push(self.property_edge(file, place, source, target, flown));
                    continue;
                }
            }
            let rule = match receiver {
                None => Rule::Module,
                Some((_, How::Flow)) => Rule::FlowType,
                Some((Value::Symbol(_), _)) => Rule::Static,
                Some((_, How::Own)) => Rule::SelfMember,
                Some(_) => Rule::ReceiverType,
            };
            self.refer(file, place, source, target, rule, references);
        }
    }

    /// A read or write that runs a property.
    fn property_edge(&self, file: FileId, place: Place, source: Sym, property: Sym, flown: bool) -> Edge {
        let wanted = if place.used() == UseKind::Write { SymbolFlags::SETTER } else { SymbolFlags::GETTER };
        let target = Some(self.accessor(property, wanted));
        let rule = if flown { Rule::FlowType } else { Rule::Property };
        let confidence = rule.confidence();
        Edge { file, site: None, place, source, target, constructs: None, external: None, rule, confidence }
    }

    /// The getter or setter beside a property's symbol, where they are two.
    fn accessor(&self, sym: Sym, wanted: SymbolFlags) -> Sym {
        if self.program.symbol(sym).flags.has(wanted) {
            return sym;
        }
        let Some(owner) = self.types.owner_of(sym) else {
            return sym;
        };
        let name = self.program.symbol(sym).name;
        let all = self.types.members.get(&(owner, name));
        let found = all.and_then(|all| all.iter().find(|s| self.program.symbol(**s).flags.has(wanted)));
        found.copied().unwrap_or(sym)
    }

    /// The symbol whose code an expression is part of, by the scope of its head.
    pub(crate) fn symbol_of_expr(&self, file: FileId, mut expr: ExprId) -> Sym {
        let facts = &self.program.file(file).facts;
        loop {
            let scope: ScopeId = match facts.exprs[expr.index()] {
                Expr::Name { scope, .. } | Expr::Receiver(_, scope) => scope,
                Expr::Member { object, .. } | Expr::Index { object, .. } => {
                    expr = object;
                    continue;
                }
                Expr::Call(site) => return self.program.sym(file, facts.site(site).symbol),
                Expr::Await(of)
                | Expr::Deref(of)
                | Expr::Cast(of, _)
                | Expr::Narrow(of, _)
                | Expr::Element(of)
                | Expr::Key(of)
                | Expr::Item(of, _)
                | Expr::Part { of, .. } => {
                    expr = of;
                    continue;
                }
                Expr::Choice(a, _) => {
                    expr = a;
                    continue;
                }
                _ => return self.program.sym(file, SymbolId(0)),
            };
            return self.program.sym(file, facts.scopes[scope.index()].symbol);
        }
    }

    pub(crate) fn index_symbol_names(&mut self) {
        let mut names = FxHashSet::default();
        for file in &self.program.files {
            names.extend(file.facts.symbols.iter().map(|symbol| symbol.name));
            // A symbol may be used under the name that an import gives it.
            names.extend(file.facts.imports.iter().map(|import| import.alias));
        }
        names.remove(&self.program.known.empty);
        self.symbol_names = names;
    }
}
