//! The last steps: facts in their documented order, uses of local names blanked.

use crate::build::{Build, FILE};
use mmcg_facts::{
    Expr, FileFacts, NameId, Problem, ProblemCode, ScopeId, ScopeKind, Site, SiteFlags, SiteId, SymbolKind, UseKind,
    What,
};

/// Most problems reported of a file.
const PROBLEMS_MAX: usize = 20;

impl Build<'_> {
    /// The finished facts.
    pub fn finish(mut self) -> FileFacts {
        self.documented_imports();
        self.bare_calls();
        self.blank_local_uses();
        self.hash_bodies();
        let mut binds = std::mem::take(&mut self.binds);
        for pending in &mut binds {
            if pending.lookup {
                pending.bind.scope = self.declaring(pending.bind.scope, pending.bind.name).unwrap_or(FILE);
            }
        }
        self.facts.binds.extend(binds.into_iter().map(|p| p.bind));
        self.facts.binds.sort_by_key(|b| (b.scope, b.name));
        self.facts.decls.sort_by_key(|d| (d.scope, d.name));
        self.facts.returns.sort_by_key(|r| r.scope);
        self.order_sites();
        self.order_branches();
        self.prune();
        if self.broken {
            self.find_problems();
        }
        self.facts.lines = self.source.lines().count() as u32;
        let module = &mut self.facts.symbols[0];
        module.span.end = self.source.len() as u32;
        module.span.line = 1;
        module.span.end_line = self.facts.lines.max(1);
        self.facts
    }

    /// Names that nothing declares are calls where the language calls without parentheses.
    fn bare_calls(&mut self) {
        for (call, symbol) in std::mem::take(&mut self.bare_calls) {
            let Expr::Deref(callee) = self.facts.exprs[call.index()] else { continue };
            let Expr::Name { name, scope, .. } = self.facts.exprs[callee.index()] else { continue };
            let what = self.declaring(scope, name).and_then(|s| self.declared.get(&(s, name)));
            if matches!(what, Some(What::Variable | What::Param(_))) {
                continue;
            }
            let end = self.facts.args.len() as u32;
            let place = self.facts.places[callee.index()].with_use(UseKind::Call);
            self.facts.places[callee.index()] = place;
            let (args, type_args, flags) = (end..end, end..end, SiteFlags::default());
            self.facts.sites.push(Site { callee, name, symbol, scope, args, type_args, flags, place });
            self.facts.exprs[call.index()] = Expr::Call(SiteId::from(self.facts.sites.len() - 1));
        }
    }

    /// Whether a name means a function or class that was defined before.
    pub(crate) fn is_function_or_class(&mut self, text: &str) -> bool {
        if text.contains(|c: char| !c.is_alphanumeric() && c != '_' && c != '$') {
            return false;
        }
        let name = self.name(text);
        let scope = self.declaring(self.context().scope, name);
        match scope.and_then(|scope| self.declared.get(&(scope, name))) {
            Some(What::Symbol(symbol)) => {
                matches!(self.facts.symbol(*symbol).kind, SymbolKind::Function | SymbolKind::Class)
            }
            _ => false,
        }
    }

    /// The scope that declares a name, seen from another one.
    pub(crate) fn declaring(&self, mut scope: ScopeId, name: NameId) -> Option<ScopeId> {
        let rules = &self.tables.resolution;
        let (mut inside, mut closed) = (false, false);
        loop {
            let this = self.facts.scopes[scope.index()];
            let hidden = rules.class_scope_hidden && inside && this.kind == ScopeKind::Class;
            match self.declared.get(&(scope, name)) {
                Some(What::Variable | What::Param(_)) if closed => {}
                Some(_) if !hidden => return Some(scope),
                _ => {}
            }
            inside |= this.kind == ScopeKind::Function;
            closed |= rules.closed_functions
                && this.kind == ScopeKind::Function
                && self.facts.symbol(this.symbol).body == Some(scope);
            scope = this.parent?;
        }
    }

    /// Names of function-local variables and parameters are no references to symbols.
    fn blank_local_uses(&mut self) {
        let mut may_be_local = vec![false; self.facts.names.len()];
        for decl in &self.facts.decls {
            may_be_local[decl.name.index()] |= !matches!(decl.what, What::Symbol(_) | What::Import(_));
        }
        for index in 0..self.facts.exprs.len() {
            let Expr::Name { name, scope, .. } = self.facts.exprs[index] else { continue };
            if self.facts.places[index].used() == UseKind::None || !may_be_local[name.index()] {
                continue;
            }
            let Some(declaring) = self.declaring(scope, name) else { continue };
            let local = matches!(self.scope_kind(declaring), ScopeKind::Function | ScopeKind::Block);
            let what = self.declared.get(&(declaring, name));
            if local && matches!(what, Some(What::Variable | What::Param(_) | What::TypeParam(_))) {
                self.facts.places[index] = self.facts.places[index].with_use(UseKind::None);
            }
        }
    }

    /// Sites in source order: inner calls end first, but stand behind.
    fn order_sites(&mut self) {
        let count = self.facts.sites.len();
        let mut order: Vec<u32> = (0..count as u32).collect();
        order.sort_by_key(|&i| {
            let place = self.facts.sites[i as usize].place;
            (place.line, place.column(), i)
        });
        if order.iter().enumerate().all(|(i, &o)| i as u32 == o) {
            return;
        }
        let mut renamed = vec![SiteId(0); count];
        for (new, &old) in order.iter().enumerate() {
            renamed[old as usize] = SiteId(new as u32);
        }
        let mut old: Vec<_> = std::mem::take(&mut self.facts.sites).into_iter().map(Some).collect();
        self.facts.sites = order.iter().filter_map(|&i| old[i as usize].take()).collect();
        for expr in &mut self.facts.exprs {
            if let Expr::Call(site) = expr {
                *site = renamed[site.index()];
            }
        }
    }

    fn find_problems(&mut self) {
        let mut after = 0;
        for index in 0..self.tree.nodes.len() {
            let node = self.tree.nodes[index];
            if index < after || node.marks & (crate::tree::mark::ERROR | crate::tree::mark::MISSING) == 0 {
                continue;
            }
            if self.facts.problems.len() >= PROBLEMS_MAX {
                return;
            }
            after = node.next as usize;
            let message = if node.has(crate::tree::mark::MISSING) {
                let name = self.tables.parser.node_kind_for_id(node.kind).unwrap_or("something");
                format!("`{name}` is missing here")
            } else {
                let text = crate::text::one_line(self.text(index as u32), 40);
                format!("`{text}` is not understood here")
            };
            self.facts.problems.push(Problem { code: ProblemCode::SyntaxError, line: node.row + 1, message });
        }
    }
}
