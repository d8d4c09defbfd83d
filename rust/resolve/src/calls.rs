//! Phase 5: call sites → edges.

use crate::lookup::{Bound, Bounds, Where};
use crate::modules::FileId;
use crate::outcome::Edge;
use crate::program::Sym;
use crate::resolver::Resolver;
use crate::types::Syms;
use crate::values::{How, Value, ValueSet};
use mmcg_facts::{Confidence, Expr, ExprId, NameId, Rule, Site, SiteFlags, SiteId, SymbolFlags, SymbolKind};

/// Override edges of one site are cut at this number; no person reads more.
const MOST_OVERRIDES: usize = 256;

/// What was found out about one site.
#[derive(Default)]
pub(crate) struct Targets {
    /// Targets with the rule that found each.
    found: Vec<(Sym, Rule)>,
    /// Dotted names of targets outside the project.
    external: Vec<(Box<str>, Rule)>,
    /// Whether something else may be called, too.
    open: bool,
}

impl Targets {
    /// The functions that may be called.
    pub(crate) fn symbols(self) -> impl Iterator<Item = Sym> {
        self.found.into_iter().map(|(sym, _)| sym)
    }

    fn add(&mut self, sym: Sym, rule: Rule) {
        match self.found.iter_mut().find(|(known, _)| *known == sym) {
            Some(known) => known.1 = known.1.min(rule),
            None => self.found.push((sym, rule)),
        }
    }
}

impl Resolver<'_> {
    /// The edges of all call sites of a file, in source order.
    pub fn call_edges(&mut self, file: FileId, edges: &mut Vec<Edge>) {
        let program = self.program;
        for (index, site) in program.file(file).facts.sites.iter().enumerate() {
            let targets = self.targets(file, site);
            self.emit(file, SiteId::from(index), site, targets, edges);
        }
    }

    fn emit(&mut self, file: FileId, id: SiteId, site: &Site, targets: Targets, edges: &mut Vec<Edge>) {
        let program = self.program;
        let source = self.caller(file, site);
        let edge = |target, external, rule: Rule, confidence| Edge {
            file,
            site: Some(id),
            place: site.place,
            source,
            target,
            external,
            rule,
            confidence,
        };
        if !targets.found.is_empty() {
            for (sym, rule) in targets.found {
                edges.push(edge(Some(sym), None, rule, rule.confidence()));
            }
            return;
        }
        // Rules of the language call a member only where there is one: operators, implicit reads.
        if site.flags.has(SiteFlags::OPERATOR) || site.flags.has(SiteFlags::READ) || site.flags.has(SiteFlags::WRITE) {
            return;
        }
        if !targets.external.is_empty() {
            for (name, rule) in targets.external {
                edges.push(edge(None, Some(name), rule, Confidence::External));
            }
            return;
        }
        let candidates = if targets.open { self.namesakes(file, site) } else { Syms::new() };
        if candidates.is_empty() {
            let name = program.text(site.name);
            let shown = (!name.is_empty()).then(|| name.into());
            edges.push(edge(None, shown, Rule::Unresolved, Confidence::Unresolved));
        }
        for sym in candidates {
            edges.push(edge(Some(sym), None, Rule::NameOnly, Confidence::Possible));
        }
    }

    /// The symbol whose code makes a call: the nearest named function, method, constant or module.
    pub(crate) fn caller(&self, file: FileId, site: &Site) -> Sym {
        self.program.sym(file, site.symbol)
    }

    pub(crate) fn targets(&mut self, file: FileId, site: &Site) -> Targets {
        let mut targets = Targets::default();
        match self.program.expr(file, site.callee) {
            Expr::Name { name, scope, path } => {
                let found = self.lookup(file, scope, name, path);
                self.named_targets(file, site, name, found.bounds, found.at, &mut targets);
            }
            Expr::Member { object, name, .. } => self.member_targets(file, site, object, name, &mut targets),
            Expr::Receiver(kind, scope) if site.flags.has(SiteFlags::DELEGATE) => {
                self.delegate_targets(file, site, kind, scope, &mut targets);
            }
            Expr::Unknown => targets.open = true,
            _ => {
                let values = self.eval(file, site.callee);
                self.value_targets(file, site, &values, None, &mut targets);
            }
        }
        targets
    }

    /// Targets of a plain name.
    fn named_targets(
        &mut self,
        file: FileId,
        site: &Site,
        name: NameId,
        bounds: Bounds,
        at: Where,
        targets: &mut Targets,
    ) {
        match at {
            Where::Builtin => {
                targets.external.push((self.program.text(name).into(), Rule::Builtin));
                return;
            }
            Where::Nowhere if self.is_linked(file) => {
                let found = self.named_by_arguments(file, site, name, Bounds::new());
                if found.is_empty() {
                    // All that the project has is known here.
                    targets.external.push((self.program.text(name).into(), Rule::External));
                } else {
                    self.bound_targets(file, site, found, Rule::Package, None, targets);
                }
                return;
            }
            Where::Nowhere => {
                targets.open = true;
                return;
            }
            _ => {}
        }
        let rule = match at {
            Where::Unit if self.program.file(file).rules.sharing == mmcg_facts::Sharing::Linkage => Rule::Linkage,
            Where::Unit => Rule::Package,
            Where::Glob => Rule::Import,
            Where::Member(_) => Rule::SelfMember,
            _ => Rule::Lexical,
        };
        let imported = bounds.iter().any(|b| matches!(b, Bound::Import(..)));
        let rule = if imported { Rule::Import } else { rule };
        let mut bounds = self.follow_all(bounds);
        if bounds.is_empty() {
            targets.open = true;
            return;
        }
        if matches!(at, Where::Scope | Where::Unit | Where::Glob) {
            bounds = self.named_by_arguments(file, site, name, bounds);
        }
        if let Where::Member(owner) = at {
            if self.program.file(file).rules.overloads {
                bounds = self.all_members(owner, name).into_iter().map(Bound::Symbol).collect();
            }
        }
        let receiver = match at {
            Where::Member(owner) => Some((Value::Instance(owner), How::Own)),
            _ => None,
        };
        self.bound_targets(file, site, bounds, rule, receiver, targets);
    }

    /// The functions of a name with those that the arguments' types bring in.
    fn named_by_arguments(&mut self, file: FileId, site: &Site, name: NameId, mut bounds: Bounds) -> Bounds {
        if !self.program.file(file).rules.argument_lookup || site.args.is_empty() {
            return bounds;
        }
        let function = |b: &Bound| matches!(b, Bound::Symbol(s) if self.program.symbol(*s).kind.is_callable());
        if !bounds.iter().all(function) {
            return bounds;
        }
        let args = self.args(file, site.args.start, site.args.end - site.args.start).to_vec();
        let values: Vec<ValueSet> = args.iter().map(|arg| self.eval(file, arg.value)).collect();
        for found in self.by_arguments(file, name, &values) {
            if !bounds.contains(&found) {
                bounds.push(found);
            }
        }
        bounds
    }

    /// A macro that stands for another name.
    fn renamed_targets(&mut self, sym: Sym, values: &ValueSet, targets: &mut Targets) {
        for (value, _) in values.iter() {
            match value {
                Value::Symbol(other) if other != sym && self.program.symbol(other).kind.is_callable() => {
                    targets.add(other, Rule::Macro);
                }
                _ => {}
            }
        }
        if targets.found.is_empty() {
            targets.external.push((self.program.text(self.program.symbol(sym).name).into(), Rule::External));
        }
    }

    /// Targets among what a callee is bound to.
    fn bound_targets(
        &mut self,
        file: FileId,
        site: &Site,
        bounds: Bounds,
        rule: Rule,
        receiver: Option<(Value, How)>,
        targets: &mut Targets,
    ) {
        let mut functions = Syms::new();
        for bound in bounds {
            match bound {
                Bound::Symbol(sym) => {
                    let symbol = self.program.symbol(sym);
                    match symbol.kind {
                        SymbolKind::Macro if symbol.value.is_some() => {
                            let values = self.symbol_value(sym, None);
                            self.renamed_targets(sym, &values, targets);
                        }
                        SymbolKind::Field if self.holds_functions(sym) => {
                            let owner = self.types.owner_of(sym);
                            let held = owner.map(|owner| self.held_functions(owner, symbol.name)).unwrap_or_default();
                            held.into_iter().for_each(|held| targets.add(held, Rule::Flow));
                            targets.open = true;
                        }
                        SymbolKind::Function
                        | SymbolKind::Method
                        | SymbolKind::Constructor
                        | SymbolKind::Macro
                        | SymbolKind::Prototype => functions.push(sym),
                        SymbolKind::Module | SymbolKind::Namespace => targets.open = true,
                        SymbolKind::Variant => targets.add(sym, Rule::Constructor),
                        kind if kind.is_type() => self.construct(file, site, sym, Rule::Constructor, targets),
                        _ => {
                            let values = self.symbol_value(sym, receiver.map(|(value, _)| value));
                            self.value_targets(file, site, &values, Some(sym), targets);
                        }
                    }
                }
                Bound::External(external) => {
                    let text = self.externals.text(external).into();
                    targets.external.push((text, Rule::External));
                }
                Bound::Unit(_) | Bound::Import(..) => targets.open = true,
                other => {
                    let values = self.bound_value(other);
                    self.value_targets(file, site, &values, None, targets);
                }
            }
        }
        self.function_targets(file, site, functions, rule, receiver, targets);
    }

    /// Of several functions of one name those that the call means, with their overrides.
    fn function_targets(
        &mut self,
        file: FileId,
        site: &Site,
        functions: Syms,
        rule: Rule,
        receiver: Option<(Value, How)>,
        targets: &mut Targets,
    ) {
        if functions.is_empty() {
            return;
        }
        let overloaded = self.program.file(file).rules.overloads && functions.len() > 1;
        let several = functions.len() > 1;
        let chosen = if overloaded { self.fitting(file, site, functions) } else { functions };
        let rule = match (chosen.len(), overloaded) {
            (1, true) if rule.confidence() == Confidence::Exact => match rule {
                Rule::Lexical | Rule::SelfMember | Rule::ReceiverType | Rule::Static | Rule::Package => Rule::Overload,
                other => other,
            },
            (1, _) => rule,
            (_, true) => Rule::Ambiguous,
            // Conditional definitions: any of them may be the one.
            _ if several
                && rule.confidence() == Confidence::Exact
                && !matches!(rule, Rule::SelfMember | Rule::ReceiverType) =>
            {
                if rule == Rule::Linkage {
                    Rule::Ambiguous
                } else {
                    Rule::Flow
                }
            }
            _ => rule,
        };
        let constructs = site.flags.has(SiteFlags::NEW);
        for sym in chosen {
            let rule = match receiver {
                Some((value, _)) if rule == Rule::SelfMember || rule == Rule::ReceiverType => {
                    self.inherited_or(sym, value, rule)
                }
                _ if constructs && self.program.symbol(sym).kind == SymbolKind::Constructor => Rule::Constructor,
                _ if self.program.symbol(sym).kind == SymbolKind::Macro => Rule::Macro,
                _ => rule,
            };
            targets.add(sym, rule);
            if let Some((value, how)) = receiver {
                self.add_overrides(file, sym, value, how, targets);
            }
        }
    }

    fn inherited_or(&self, sym: Sym, receiver: Value, rule: Rule) -> Rule {
        let own = match receiver {
            Value::Instance(of) | Value::Symbol(of) => self.types.owner_of(sym) == Some(of),
            _ => true,
        };
        if own || rule != Rule::SelfMember {
            rule
        } else {
            Rule::Inherited
        }
    }

    /// Overrides of a method in the subtypes of the receiver's type.
    fn add_overrides(&mut self, file: FileId, sym: Sym, receiver: Value, how: How, targets: &mut Targets) {
        let of = match receiver {
            Value::Instance(of) if how != How::Constructed => of,
            // A class method or static called through the class around may be a subclass's.
            Value::Symbol(of) if how == How::Own && !self.program.symbol(sym).flags.has(SymbolFlags::STATIC) => of,
            _ => return,
        };
        let subtypes = self.all_subtypes(of);
        if subtypes.is_empty() {
            return;
        }
        let mut added = 0;
        for overriding in self.overrides(sym) {
            let owner = self.types.owner_of(overriding);
            if owner.is_some_and(|owner| owner == of || subtypes.binary_search(&owner).is_ok()) {
                targets.add(overriding, self.override_rule(file, overriding));
                added += 1;
                if added >= MOST_OVERRIDES {
                    break;
                }
            }
        }
    }

    /// Targets of `object.name`.
    fn member_targets(&mut self, file: FileId, site: &Site, object: ExprId, name: NameId, targets: &mut Targets) {
        if site.flags.has(SiteFlags::NEW) {
            let rules = &self.program.file(file).rules;
            if rules.constructors.iter().any(|known| known == self.program.text(name)) {
                // `new this.constructor()`: the class at run time, which nothing here tells.
                return;
            }
        }
        let objects = self.eval(file, object);
        if site.flags.has(SiteFlags::OPERATOR) && self.is_linked(file) {
            if self.is_pointer(file, object) {
                return;
            }
            let own = objects.iter().any(|(v, _)| matches!(v, Value::Instance(s) if !self.members(s, name).is_empty()));
            if !own {
                let found = self.free_operator(file, site, &objects, name);
                found.into_iter().for_each(|sym| targets.add(sym, Rule::Operator));
                return;
            }
        }
        targets.open = objects.open && objects.is_empty();
        let several = objects.len() > 1;
        for (value, how) in objects.iter() {
            let one = ValueSet::one(value, how);
            let overloads = self.program.file(file).rules.overloads;
            let members = self.members_of_values(file, &one, name);
            let mut bounds: Bounds = members.iter().map(|(bound, _)| *bound).collect();
            if overloads {
                if let Value::Instance(sym) | Value::Symbol(sym) = value {
                    let all = self.all_members(sym, name);
                    if all.len() > bounds.len() {
                        bounds = all.into_iter().map(Bound::Symbol).collect();
                    }
                }
            }
            if bounds.is_empty() || !self.any_takes(&bounds, site) {
                if let Some(extension) = self.extension_for(file, site, value, name) {
                    targets.add(extension, Rule::Extension);
                    continue;
                }
            }
            if bounds.is_empty() && how == How::Own {
                self.add_brought_members(file, value, name, targets);
            }
            if bounds.is_empty() && several {
                continue;
            }
            if let Value::SuperOf(sym) = value {
                self.add_siblings(file, sym, name, &bounds, targets);
            }
            let rule = member_rule(value, how);
            let rule = if site.flags.has(SiteFlags::OPERATOR) && rule.confidence() == Confidence::Exact {
                Rule::Operator
            } else {
                rule
            };
            let receiver =
                members.first().and_then(|(_, receiver)| *receiver).filter(|_| !matches!(value, Value::SuperOf(_)));
            self.bound_targets(file, site, bounds, rule, receiver, targets);
        }
        if targets.found.is_empty() && objects.is_empty() && targets.external.is_empty() {
            targets.open = true;
        }
    }

    /// Overrides that only tests have are no more than possible for code that is no test.
    fn override_rule(&self, file: FileId, overriding: Sym) -> Rule {
        let in_test = self.program.file(self.program.file_of(overriding)).test;
        if in_test && !self.program.file(file).test { Rule::TestOverride } else { Rule::Override }
    }

    /// A mixin calls what the types that use it bring.
    fn add_brought_members(&mut self, file: FileId, receiver: Value, name: NameId, targets: &mut Targets) {
        let (Value::Instance(of) | Value::Symbol(of)) = receiver else { return };
        for &subtype in self.all_subtypes(of).iter().take(MOST_OVERRIDES) {
            for member in self.members(subtype, name) {
                if self.program.symbol(member).kind.is_callable() {
                    targets.add(member, self.override_rule(file, member));
                }
            }
        }
    }

    /// Where bases are put in one line (C3), `super` in a class may be a sibling's member: the next one in the order
    /// of a subtype.
    fn add_siblings(&mut self, file: FileId, of: Sym, name: NameId, found: &Bounds, targets: &mut Targets) {
        let rules = &self.program.file(self.program.file_of(of)).rules;
        if rules.linearization != mmcg_facts::Linearization::C3 {
            return;
        }
        for &subtype in self.all_subtypes(of).iter().take(MOST_OVERRIDES) {
            for member in self.members_after(subtype, of, name) {
                if !found.contains(&Bound::Symbol(member)) && self.program.symbol(member).kind.is_callable() {
                    targets.add(member, self.override_rule(file, member));
                }
            }
        }
    }

    fn any_takes(&self, bounds: &Bounds, site: &Site) -> bool {
        bounds.iter().any(|b| match b {
            Bound::Symbol(sym) if self.program.symbol(*sym).kind.is_callable() => self.takes_count(*sym, site),
            _ => true,
        })
    }

    /// An extension method whose first parameter takes the receiver.
    fn extension_for(&mut self, file: FileId, site: &Site, receiver: Value, name: NameId) -> Option<Sym> {
        let candidates = self.types.extensions.get(&name)?.clone();
        let family = self.program.file(file).family;
        let mut best = None;
        for sym in candidates {
            let home = self.program.file_of(sym);
            if self.program.file(home).family != family {
                continue;
            }
            let symbol = self.program.symbol(sym);
            let params = symbol.params.clone();
            let facts = &self.program.file(home).facts;
            let first = params.clone().next().map(|i| facts.params[i as usize]);
            let (declared, skipped) = match (symbol.owner, first) {
                (Some(owner), _) => (owner, 0),
                (None, Some(param)) => (param.declared?, 1),
                _ => continue,
            };
            if !self.takes(sym, site, skipped) {
                continue;
            }
            let wanted = self.instances(home, declared);
            let mut fits = false;
            for (want, _) in wanted.iter() {
                fits |= match (receiver, want) {
                    (Value::Instance(a), Value::Instance(b)) => self.order(a).contains(&b),
                    (Value::External(a), Value::External(b)) => a == b,
                    (Value::Generic(a, x), Value::Generic(b, y)) => {
                        self.last_name(a, x).is_some() && self.last_name(a, x) == self.last_name(b, y)
                    }
                    (Value::Literal(kind), Value::External(_)) => {
                        let text = self.type_text(home, declared).to_lowercase();
                        matches!(
                            (kind, text.as_str()),
                            (mmcg_facts::LiteralKind::String, "string" | "str")
                                | (mmcg_facts::LiteralKind::Integer, "int" | "long")
                                | (mmcg_facts::LiteralKind::Boolean, "bool" | "boolean")
                                | (mmcg_facts::LiteralKind::Float, "double" | "float")
                        )
                    }
                    _ => false,
                };
            }
            if fits {
                if best.is_some() {
                    return None;
                }
                best = Some(sym);
            }
        }
        best
    }

    /// `super(…)`, `this(…)`, and constructors named in initialiser lists.
    fn delegate_targets(
        &mut self,
        file: FileId,
        site: &Site,
        kind: mmcg_facts::ReceiverKind,
        scope: mmcg_facts::ScopeId,
        targets: &mut Targets,
    ) {
        let Some(around) = self.type_around(file, scope) else {
            targets.open = true;
            return;
        };
        if kind != mmcg_facts::ReceiverKind::Super {
            self.construct(file, site, around, Rule::SelfMember, targets);
            return;
        }
        let bases = self.types.bases.get(&around).cloned().unwrap_or_default();
        for base in bases.iter().filter(|base| base.kind == mmcg_facts::BaseKind::Extends) {
            match base.target {
                Some(target) => self.construct(file, site, target, Rule::Super, targets),
                None => {
                    let last = self.last_name(base.file, base.expr);
                    let text = last.map_or("", |name| self.program.text(name)).into();
                    targets.external.push((text, Rule::External));
                }
            }
        }
        if targets.found.is_empty() && targets.external.is_empty() {
            targets.external.push(("super".into(), Rule::Builtin));
        }
    }

    /// A construction runs a constructor; where the project has none, the class stands for it.
    fn construct(&mut self, file: FileId, site: &Site, sym: Sym, rule: Rule, targets: &mut Targets) {
        let sym = self.through_aliases(sym);
        let sym = self.types.whole(sym);
        let constructors = self.constructors(sym);
        let chosen = if self.program.file(self.program.file_of(sym)).rules.overloads {
            self.fitting(file, site, constructors)
        } else {
            constructors.last().copied().into_iter().collect()
        };
        match chosen.len() {
            // A declaration alone calls only what is written.
            0 if site.flags.has(SiteFlags::OPERATOR) || site.flags.has(SiteFlags::DELEGATE) && self.is_linked(file) => {}
            0 => targets.add(sym, rule),
            1 => targets.add(chosen[0], rule),
            _ => chosen.into_iter().for_each(|sym| targets.add(sym, Rule::Ambiguous)),
        }
    }

    /// Targets among the values of a callee. `through`: the variable or field that holds them.
    fn value_targets(
        &mut self,
        file: FileId,
        site: &Site,
        values: &ValueSet,
        through: Option<Sym>,
        targets: &mut Targets,
    ) {
        targets.open |= values.open;
        let _ = through;
        for (value, how) in values.iter() {
            match value {
                Value::Symbol(sym) => {
                    let symbol = self.program.symbol(sym);
                    if symbol.kind.is_type() {
                        self.construct(
                            file,
                            site,
                            sym,
                            if how == How::Flow { Rule::Flow } else { Rule::Constructor },
                            targets,
                        );
                    } else if symbol.kind.is_callable() {
                        targets.add(sym, Rule::Flow);
                    }
                }
                Value::Instance(sym) => {
                    if site.flags.has(SiteFlags::DELEGATE) {
                        self.construct(file, site, sym, Rule::Constructor, targets);
                        continue;
                    }
                    let rules = self.program.file(self.program.file_of(sym)).rules.clone();
                    let Some(name) = self.program.name(&rules.call_member).filter(|_| !rules.call_member.is_empty())
                    else {
                        continue;
                    };
                    let rule = if how == How::Flow { Rule::FlowType } else { Rule::Operator };
                    let members = self.members(sym, name);
                    self.function_targets(file, site, members, rule, Some((value, how)), targets);
                }
                Value::External(external) => {
                    let text = self.externals.text(external).into();
                    targets.external.push((text, Rule::External));
                }
                _ => {}
            }
        }
    }
}

/// The rule by which a member of a value is found.
fn member_rule(value: Value, how: How) -> Rule {
    match (value, how) {
        (Value::Unit(_), _) => Rule::Module,
        (Value::SuperOf(_), _) => Rule::Super,
        (Value::Symbol(_), How::Own) => Rule::SelfMember,
        (Value::Symbol(_), How::Flow) => Rule::FlowType,
        (Value::Symbol(_), _) => Rule::Static,
        (Value::Instance(_), How::Own) => Rule::SelfMember,
        (Value::Instance(_), How::Declared | How::Named) => Rule::ReceiverType,
        (Value::Instance(_), How::Constructed) => Rule::Constructed,
        (Value::Instance(_), How::Flow) => Rule::FlowType,
        _ => Rule::Flow,
    }
}
