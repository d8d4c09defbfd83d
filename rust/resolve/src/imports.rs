//! Following imports and exports to what they name.

use crate::lookup::{Bound, Bounds};
use crate::modules::FileId;
use crate::program::Sym;
use crate::resolver::Resolver;
use crate::values::External;
use mmcg_facts::{Expr, ExprId, ImportKind, NameId};

/// What so many files include is kept at a time.
const MOST_CLOSURES: usize = 256;
/// How many re-exports are followed one after another.
const CHAIN: usize = 32;

/// Files, a bit each: the headers that one file includes are thousands in a large tree.
pub(crate) struct FileSet(Vec<u64>);

impl FileSet {
    /// What a file leads to, directly or not.
    fn closure(from: FileId, leads_to: &[Vec<FileId>]) -> Self {
        let mut seen = Self(vec![0; leads_to.len().div_ceil(64)]);
        let mut waiting = vec![from];
        while let Some(next) = waiting.pop() {
            let targets = leads_to[next.0 as usize].iter().copied();
            waiting.extend(targets.filter(|target| seen.insert(*target)));
        }
        seen
    }

    fn contains(&self, file: FileId) -> bool {
        self.0[file.0 as usize / 64] & (1 << (file.0 % 64)) != 0
    }

    /// Whether it was not there.
    fn insert(&mut self, file: FileId) -> bool {
        let new = !self.contains(file);
        self.0[file.0 as usize / 64] |= 1 << (file.0 % 64);
        new
    }
}

impl Resolver<'_> {
    /// The module or type that an import's module text names, all its segments walked.
    pub fn import_module(&mut self, file: FileId, index: u32) -> Bounds {
        if let Some(known) = self.import_modules.get(&(file, index)) {
            return known.clone();
        }
        let import = self.program.file(file).facts.imports[index as usize];
        let text = self.program.text(import.module).to_owned();
        let found = match self.names_submodule(file, &import) {
            true => self.declared_below(file, &import),
            false => self.module_by_text(file, import.scope, &text),
        };
        // Inside a circle of imports an answer may lack what is still on the way.
        if self.running_imports.len() < 2 || !found.is_empty() {
            self.import_modules.insert((file, index), found.clone());
        }
        found
    }

    /// What a module's text names, seen from a scope.
    pub(crate) fn module_by_text(&mut self, file: FileId, scope: mmcg_facts::ScopeId, text: &str) -> Bounds {
        let program = self.program;
        let source = program.file(file);
        if let Some((head, rest)) = self.path_head(file, scope, text) {
            return self.walk(file, head, rest.iter().map(String::as_str));
        }
        let located = program.system(file).find(file, text);
        let external = matches!(located.found, crate::modules::Found::External(_));
        let missing = located.found == crate::modules::Found::Missing;
        if missing || external {
            // The head may be a name of the scope (`use grain::sift` beside `mod grain`, `use Enum::Variant`).
            let separator = &source.rules.separator;
            let linked = source.rules.sharing == mmcg_facts::Sharing::Linkage;
            if !separator.is_empty() && (linked || !source.rules.path_heads.is_empty()) {
                let mut segments = text.trim_start_matches(separator.as_str()).split(separator.as_str());
                let head = segments.next().and_then(|s| program.name(s));
                if let Some(head) = head {
                    if !self.guard_names.contains(&(file, head)) {
                        self.guard_names.push((file, head));
                        let found = self.lookup(file, scope, head, true).bounds;
                        let followed = self.follow_all(found);
                        self.guard_names.pop();
                        let inside: Bounds =
                            followed.into_iter().filter(|b| !matches!(b, Bound::External(_))).collect();
                        if !inside.is_empty() {
                            return self.walk(file, inside, segments);
                        }
                    }
                }
            }
        }
        let family = source.family;
        let start: Bounds = self.found_module(family, located.found).into_iter().collect();
        self.walk(file, start, located.rest.iter().map(String::as_str))
    }

    /// Heads with a fixed meaning: the root, this or the parent module, also from inline modules.
    fn path_head(&self, file: FileId, scope: mmcg_facts::ScopeId, text: &str) -> Option<(Bounds, Vec<String>)> {
        let program = self.program;
        let rules = &program.file(file).rules;
        let mut segments = text.split(rules.separator.as_str()).peekable();
        rules.path_heads.get(*segments.peek()?)?;
        let mut at = self.unit_around_scope(file, scope);
        while let Some(meaning) = segments.peek().and_then(|s| rules.path_heads.get(*s)) {
            at = match meaning.as_str() {
                "root" => match program.system(file).root(file) {
                    Some(root) => Some(program.units.of_file(root)),
                    None => at.and_then(|unit| self.outermost_unit(unit)),
                },
                "parent_module" => at.and_then(|unit| self.parent_unit(unit)),
                _ => at,
            };
            segments.next();
        }
        Some((at.map(Bound::Unit).into_iter().collect(), segments.map(str::to_owned).collect()))
    }

    /// Whether an import only says that a module of that name is below this one (`mod x;`).
    pub(crate) fn names_submodule(&self, file: FileId, import: &mmcg_facts::Import) -> bool {
        let rules = &self.program.file(file).rules;
        if import.kind != ImportKind::Module || !rules.module_tree {
            return false;
        }
        let below = self.program.text(import.module).split_once(rules.separator.as_str());
        below.is_some_and(|(head, name)| {
            rules.path_heads.get(head).is_some_and(|m| m == "this_module") && name == self.program.text(import.alias)
        })
    }

    /// The module that a file says is below it.
    fn declared_below(&mut self, file: FileId, import: &mmcg_facts::Import) -> Bounds {
        let program = self.program;
        let Some(unit) = self.unit_around_scope(file, import.scope) else { return Bounds::new() };
        let found = program.system(file).submodule(&program.units.get(unit).key, program.text(import.alias));
        self.found_module(program.file(file).family, found).into_iter().collect()
    }

    /// Whether a path begins in the module around.
    pub(crate) fn starts_above(&self, file: FileId, text: &str) -> bool {
        let rules = &self.program.file(file).rules;
        let head = text.split(rules.separator.as_str()).next().unwrap_or(text);
        !rules.separator.is_empty() && rules.path_heads.get(head).is_some_and(|meaning| meaning == "parent_module")
    }

    /// The unit that the head of a path stands for by its own meaning.
    pub(crate) fn unit_of_head(
        &self,
        file: FileId,
        scope: mmcg_facts::ScopeId,
        name: NameId,
    ) -> Option<crate::units::UnitId> {
        let program = self.program;
        let heads = &program.file(file).rules.path_heads;
        if heads.is_empty() {
            return None;
        }
        let at = self.unit_around_scope(file, scope);
        match heads.get(program.text(name))?.as_str() {
            "root" => match program.system(file).root(file) {
                Some(root) => Some(program.units.of_file(root)),
                None => at.and_then(|unit| self.outermost_unit(unit)),
            },
            "parent_module" => at.and_then(|unit| self.parent_unit(unit)),
            _ => at,
        }
    }

    fn outermost_unit(&self, mut unit: crate::units::UnitId) -> Option<crate::units::UnitId> {
        while let Some(parent) = self.program.units.get(unit).parent {
            unit = parent;
        }
        Some(unit)
    }

    /// What a unit does not have comes from outside, where the language says so.
    pub(crate) fn outside_unit(&mut self, file: FileId, unit: crate::units::UnitId, name: NameId) -> Option<Bound> {
        let program = self.program;
        if !program.file(file).rules.closed_units {
            return None;
        }
        let key = program.units.get(unit).key.as_str();
        let text = match key {
            "" => program.text(name).to_owned(),
            key => format!("{key}{}{}", program.file(file).rules.separator, program.text(name)),
        };
        Some(Bound::External(self.external(&text)))
    }

    /// The unit that code of a scope belongs to.
    pub(crate) fn unit_around_scope(&self, file: FileId, scope: mmcg_facts::ScopeId) -> Option<crate::units::UnitId> {
        let facts = &self.program.file(file).facts;
        let mut next = Some(scope);
        while let Some(at) = next {
            if let Some(unit) = self.program.units.of_scope(file, at) {
                return Some(unit);
            }
            next = facts.scopes[at.index()].parent;
        }
        None
    }

    pub(crate) fn parent_unit(&self, unit: crate::units::UnitId) -> Option<crate::units::UnitId> {
        let program = self.program;
        let data = program.units.get(unit);
        data.parent.or_else(|| {
            let &(file, _) = data.scopes.first()?;
            program.system(file).parent(file).map(|parent| program.units.of_file(parent))
        })
    }

    /// Members of members, segment by segment.
    pub(crate) fn walk<'s>(&mut self, file: FileId, mut at: Bounds, rest: impl Iterator<Item = &'s str>) -> Bounds {
        for segment in rest {
            at = match self.program.name(segment) {
                Some(name) => self.members_of_bounds(file, &at, name),
                None => {
                    let externals: Vec<External> =
                        at.iter().filter_map(|b| if let Bound::External(e) = b { Some(*e) } else { None }).collect();
                    externals.into_iter().map(|e| Bound::External(self.external_member(e, segment))).collect()
                }
            };
            at = self.follow_all(at);
        }
        at
    }

    /// A member of each of several modules, types or externals.
    pub(crate) fn members_of_bounds(&mut self, file: FileId, at: &Bounds, name: NameId) -> Bounds {
        let mut found = Bounds::new();
        for bound in at {
            match *bound {
                Bound::Unit(unit) => {
                    let members = self.unit_member(unit, name, Some(file));
                    if members.is_empty() {
                        found.extend(self.outside_unit(file, unit, name));
                    }
                    found.extend(members);
                }
                Bound::Symbol(sym) => found.extend(self.symbol_member(sym, name)),
                Bound::External(external) => {
                    let text = self.program.text(name).to_owned();
                    found.push(Bound::External(self.external_member(external, &text)));
                }
                _ => {}
            }
        }
        found
    }

    /// A member named through a type or namespace symbol.
    pub(crate) fn symbol_member(&mut self, sym: Sym, name: NameId) -> Bounds {
        let file = self.program.file_of(sym);
        let symbol = self.program.symbol(sym);
        if let Some(unit) = symbol.body.and_then(|body| self.program.units.of_scope(file, body)) {
            return self.unit_member(unit, name, None);
        }
        let members = self.members(sym, name);
        if members.is_empty() && self.is_companion(sym, name) {
            return Bounds::from_slice(&[Bound::Symbol(sym)]);
        }
        if members.is_empty() {
            return self.beside(sym, name).unwrap_or_default();
        }
        members.into_iter().map(Bound::Symbol).collect()
    }

    /// Whether a name after a type's means the type itself, with its own members.
    pub(crate) fn is_companion(&self, sym: Sym, name: NameId) -> bool {
        let companion = &self.program.file(self.program.file_of(sym)).rules.companion;
        !companion.is_empty() && companion == self.program.text(name) && self.program.symbol(sym).kind.is_type()
    }

    /// A member of the namespace that is called like a type and stands beside it.
    pub(crate) fn beside(&mut self, sym: Sym, name: NameId) -> Option<Bounds> {
        let program = self.program;
        let (file, symbol) = (program.file_of(sym), program.symbol(sym));
        if !symbol.kind.is_type() || symbol.container.is_some_and(|c| program.file(file).facts.symbol(c).kind.is_type())
        {
            return None;
        }
        let around = self.unit_around_scope(file, symbol.scope)?;
        let unit = program.units.child(around, symbol.name)?;
        let found = self.unit_member(unit, name, Some(file));
        if found.is_empty() {
            return self.outside_unit(file, unit, name).map(|external| Bounds::from_slice(&[external]));
        }
        Some(found)
    }

    /// What an import binds, re-exports followed to the end.
    pub fn import(&mut self, file: FileId, index: u32) -> Bounds {
        if let Some(known) = self.import_targets.get(&(file, index)) {
            return known.clone();
        }
        if self.running_imports.contains(&(file, index)) || self.running_imports.len() > CHAIN {
            return Bounds::new();
        }
        self.running_imports.push((file, index));
        let found = self.import_uncached(file, index);
        self.running_imports.pop();
        // Inside a circle of imports an answer may lack what is still on the way.
        if self.running_imports.is_empty() {
            self.import_targets.insert((file, index), found.clone());
        }
        found
    }

    fn import_uncached(&mut self, file: FileId, index: u32) -> Bounds {
        let program = self.program;
        let import = program.file(file).facts.imports[index as usize];
        match import.kind {
            ImportKind::Module if import.alias == program.known.empty || self.binds_first_segment(file, index) => {
                let text = program.text(import.module);
                let separator = &program.file(file).rules.separator;
                let first =
                    if separator.is_empty() { text } else { text.split(separator.as_str()).next().unwrap_or(text) };
                let first = first.to_owned();
                self.module_by_text(file, import.scope, &first)
            }
            ImportKind::Module => {
                let module = self.import_module(file, index);
                self.whole_exports(module)
            }
            ImportKind::Member | ImportKind::Default => {
                let name = if import.kind == ImportKind::Default { program.known.default } else { import.name };
                if program.file(file).rules.sharing == mmcg_facts::Sharing::Unit {
                    // Where a package has parts in several places, the member tells which part is meant.
                    let separator = &program.file(file).rules.separator;
                    let whole = format!("{}{separator}{}", program.text(import.module), program.text(name));
                    let found = self.module_by_text(file, import.scope, &whole);
                    if found.iter().any(|b| !matches!(b, Bound::External(_))) {
                        return self.by_space(found, import.space);
                    }
                }
                let module = self.import_module(file, index);
                let mut found = Bounds::new();
                for bound in module {
                    found.extend(self.import_member(file, bound, name, import.kind));
                }
                self.follow_all(self.by_space(found, import.space))
            }
            ImportKind::Glob | ImportKind::File => self.import_module(file, index),
        }
    }

    /// An import without an alias of its own whose extracted alias is just its first segment (`import a.b` binds `a`).
    fn binds_first_segment(&self, file: FileId, index: u32) -> bool {
        let import = &self.program.file(file).facts.imports[index as usize];
        import.alias == self.program.known.empty
    }

    fn import_member(&mut self, file: FileId, module: Bound, name: NameId, kind: ImportKind) -> Bounds {
        let mut found = self.members_of_bounds(file, &Bounds::from_slice(&[module]), name);
        if found.is_empty() && kind == ImportKind::Default {
            // A CommonJS module's whole export is its default; without one the module itself is.
            found = self.whole_exports(Bounds::from_slice(&[module]));
        } else if found.is_empty() {
            if let Some(whole) = self.whole_export(module) {
                found = self.member_of_export(whole, name);
            }
        }
        found
    }

    /// Keeps what fits the name space that an import is limited to (types, functions).
    fn by_space(&self, mut found: Bounds, space: u8) -> Bounds {
        if space != 0 {
            found.retain(|b| match b {
                Bound::Symbol(s) => {
                    let kind = self.program.symbol(*s).kind;
                    match space {
                        1 => !matches!(kind, mmcg_facts::SymbolKind::Function | mmcg_facts::SymbolKind::Constant),
                        2 => kind.is_callable(),
                        _ => true,
                    }
                }
                _ => true,
            });
        }
        found
    }

    /// A module whose export is one value stands for that value.
    fn whole_exports(&mut self, module: Bounds) -> Bounds {
        let mut all = Bounds::new();
        for bound in module {
            match self.whole_export(bound) {
                Some(export) => {
                    let followed = self.follow(export);
                    all.extend(followed);
                }
                None => all.push(bound),
            }
        }
        all
    }

    /// `module.exports = value` of a module.
    fn whole_export(&self, module: Bound) -> Option<Bound> {
        let Bound::Unit(unit) = module else {
            return None;
        };
        let &(file, _) = self.program.units.get(unit).scopes.first()?;
        let exports = &self.program.file(file).facts.exports;
        let export = exports.iter().rev().find(|e| e.name == self.program.known.empty)?;
        Some(Bound::Expr(file, export.value))
    }

    fn member_of_export(&mut self, export: Bound, name: NameId) -> Bounds {
        let Bound::Expr(file, value) = export else {
            return Bounds::new();
        };
        let values = self.eval(file, value);
        self.members_of_values(file, &values, name).into_iter().map(|(bound, _)| bound).collect()
    }

    /// Follows imports and plain exports to what they name.
    pub fn follow(&mut self, bound: Bound) -> Bounds {
        match bound {
            Bound::Import(file, index) => self.import(file, index),
            Bound::Expr(file, value) => self.follow_expr(file, value).unwrap_or_else(|| Bounds::from_slice(&[bound])),
            other => Bounds::from_slice(&[other]),
        }
    }

    /// Follows several bindings.
    pub fn follow_all(&mut self, bounds: Bounds) -> Bounds {
        let mut all = Bounds::new();
        for bound in bounds {
            for target in self.follow(bound) {
                if !all.contains(&target) {
                    all.push(target);
                }
            }
        }
        all
    }

    /// What an exported expression names, if it only names something.
    fn follow_expr(&mut self, file: FileId, expr: ExprId) -> Option<Bounds> {
        match self.program.expr(file, expr) {
            Expr::Symbol(symbol) => Some(Bounds::from_slice(&[Bound::Symbol(self.program.sym(file, symbol))])),
            Expr::Name { name, scope, path } => {
                let found = self.lookup(file, scope, name, path).bounds;
                let mut all = Bounds::new();
                for bound in found {
                    if !self.running_names.contains(&bound) {
                        self.running_names.push(bound);
                        all.extend(self.follow(bound));
                        self.running_names.pop();
                    }
                }
                (!all.is_empty()).then_some(all)
            }
            _ => None,
        }
    }

    /// Imports of a file that bring in all names of a module.
    pub(crate) fn globs(&self, file: FileId) -> std::rc::Rc<[u32]> {
        std::rc::Rc::clone(&self.glob_imports[file.0 as usize])
    }

    /// A module imported without an alias whose package calls itself otherwise than its path's last segment.
    pub(crate) fn import_by_package_name(&self, file: FileId, name: NameId) -> Bounds {
        let found = self.package_names.get(&(file, name));
        found.map(|&index| Bound::Import(file, index)).into_iter().collect()
    }

    /// Whether a file includes another one, directly or not.
    pub(crate) fn includes(&self, from: FileId, file: FileId) -> bool {
        let mut cache = self.include_cache.borrow_mut();
        if cache.len() >= MOST_CLOSURES && !cache.contains_key(&from) {
            cache.clear();
        }
        cache.entry(from).or_insert_with(|| FileSet::closure(from, &self.file_imports)).contains(file)
    }

    /// Of the definitions that an unqualified name of one linkage pool has, those that the asking file means.
    pub(crate) fn prefer_linked(&self, from: FileId, found: Bounds) -> Bounds {
        let program = self.program;
        if found.len() < 2 || program.file(from).rules.sharing != mmcg_facts::Sharing::Linkage {
            return found;
        }
        let callable = |b: &Bound| matches!(b, Bound::Symbol(s) if program.symbol(*s).kind.is_callable());
        if program.file(from).rules.overloads && found.iter().all(callable) {
            return self.nearest_overloads(from, found);
        }
        let home = |b: &Bound| {
            if let Bound::Symbol(s) = b {
                Some(program.file_of(*s))
            } else {
                None
            }
        };
        let definition = |b: &Bound| matches!(b, Bound::Symbol(s) if self.is_definition(*s));
        let own: Bounds = found.iter().copied().filter(|b| definition(b) && home(b) == Some(from)).collect();
        if !own.is_empty() {
            return self.last_standing(own);
        }
        let included: Bounds = found
            .iter()
            .copied()
            .filter(|b| definition(b) && home(b).is_some_and(|f| self.includes(from, f)))
            .collect();
        if !included.is_empty() {
            return included;
        }
        let definitions: Bounds = found.iter().copied().filter(definition).collect();
        if definitions.len() < 2 {
            return if definitions.is_empty() { found } else { definitions };
        }
        // Several programs define it: the one that includes the header which declares it to the asking file.
        let headers: Vec<FileId> = found
            .iter()
            .filter(|b| !definition(b))
            .filter_map(home)
            .filter(|f| *f == from || self.includes(from, *f))
            .collect();
        let declared: Bounds = definitions
            .iter()
            .copied()
            .filter(|b| {
                home(b).is_some_and(|f| self.file_imports[f.0 as usize].iter().any(|target| headers.contains(target)))
            })
            .collect();
        if declared.is_empty() {
            definitions
        } else {
            declared
        }
    }
}
