//! Phase 5: call sites → edges.

use crate::lookup::{Bound, Bounds, Where};
use crate::modules::FileId;
use crate::outcome::Edge;
use crate::program::Sym;
use crate::resolver::Resolver;
use crate::types::Syms;
use crate::uniform::Message;
use crate::values::{How, Value, ValueSet};
use mmcg_facts::{
    Confidence, Expr, ExprId, NameId, ReceiverKind, Rule, ScopeId, Site, SiteFlags, SiteId, SymbolFlags, SymbolKind,
};

/// What was found out about one site.
#[derive(Default)]
pub(crate) struct Targets {
    /// Targets with the rule that found each.
    pub(crate) found: Vec<(Sym, Rule)>,
    /// Of inherited constructors among them, the first type that is constructed.
    constructs: Vec<(Sym, Sym)>,
    /// Dotted names of targets outside the project.
    pub(crate) external: Vec<(Box<str>, Rule)>,
    /// Whether something else may be called, too.
    open: bool,
    /// Whether objects of several classes flowed to the receiver, and others may: overrides of theirs are too much to say.
    loose: bool,
    /// Whether it turned out to be no call.
    converts: bool,
    /// Anonymous functions that may be called.
    lambdas: Vec<(FileId, ScopeId)>,
}

impl Targets {
    /// The functions that may be called.
    pub(crate) fn symbols(self) -> impl Iterator<Item = Sym> {
        self.found.into_iter().map(|(sym, _)| sym)
    }

    /// The targets with the rule that found each.
    pub(crate) fn found(self) -> Vec<(Sym, Rule)> {
        self.found
    }

    pub(crate) fn add(&mut self, sym: Sym, rule: Rule) {
        match self.found.iter_mut().find(|(known, _)| *known == sym) {
            Some(known) => known.1 = known.1.min(rule),
            None => self.found.push((sym, rule)),
        }
    }
}

impl Resolver<'_> {
    /// The edges of all call sites of a file, in source order.
    pub fn call_edges(&mut self, file: FileId) -> Vec<Edge> {
        let program = self.program;
        let mut edges = Vec::new();
        for (index, site) in program.file(file).facts.sites.iter().enumerate() {
            self.site_edges(file, SiteId::from(index), site, &mut edges);
        }
        edges
    }

    /// The edges of one call site.
    pub(crate) fn site_edges(&mut self, file: FileId, id: SiteId, site: &Site, edges: &mut Vec<Edge>) {
        let mut targets = self.targets(file, site);
        let lambdas = std::mem::take(&mut targets.lambdas);
        let start = edges.len();
        self.emit(file, id, site, targets, edges);
        self.add_called_arguments(file, id, site, edges);
        self.note_calls(file, id, &edges[start..], &lambdas);
        self.add_run_members(file, id, site, edges);
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
            constructs: None,
            external,
            rule,
            confidence,
        };
        if !targets.found.is_empty() {
            for (sym, rule) in targets.found {
                let constructs = targets.constructs.iter().find(|(known, _)| *known == sym).map(|(_, of)| *of);
                edges.push(Edge { constructs, ..edge(Some(sym), None, rule, rule.confidence()) });
            }
            return;
        }
        if targets.converts {
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
        if site.flags.has(SiteFlags::OPERATOR) && !site.flags.has(SiteFlags::NEW) && self.runs_nothing(file, site.name)
        {
            return targets;
        }
        if site.flags.has(SiteFlags::MACRO) && self.program.file(file).rules.macros_apart {
            self.macro_targets(file, site, &mut targets);
            return targets;
        }
        let callee = match self.program.expr(file, site.callee) {
            Expr::Index { object, .. } if site.flags.has(SiteFlags::NEW) => object,
            _ => self.instantiated(file, site.callee),
        };
        match self.message(file, callee) {
            Some(Message::Constructs(types)) => {
                self.value_targets(file, site, &types, None, &mut targets);
                return targets;
            }
            Some(Message::Reads(_)) => {
                targets.converts = true;
                return targets;
            }
            None => {}
        }
        match self.program.expr(file, callee) {
            Expr::Name { name, scope, path } => {
                let found = if site.flags.has(SiteFlags::NEW) {
                    let mut found = self.lookup_type(file, scope, name, path);
                    found.bounds = self.of_arity(file, found.bounds, self.given_arity(file, site.callee));
                    // Which type a type parameter stands for is not known here.
                    if !found.bounds.is_empty() && found.bounds.iter().all(|b| matches!(b, Bound::TypeParam(..))) {
                        return targets;
                    }
                    found
                } else {
                    self.lookup_called(file, scope, name, path)
                };
                let found = if self.is_linked(file) { self.defined_before(file, site, name, found) } else { found };
                match self.value_in_order(file, callee, scope, &found.bounds) {
                    Some(values) => self.value_targets(file, site, &values, None, &mut targets),
                    None => self.named_targets(file, site, name, found.bounds, found.at, &mut targets),
                }
            }
            Expr::Member { object, name, .. } => {
                if !self.extension_targets(file, object, name, &mut targets) {
                    self.member_targets(file, site, object, name, &mut targets);
                    if !targets.found.is_empty() {
                        self.add_steps(file, site, name, &mut targets);
                    }
                }
            }
            Expr::Receiver(kind, scope) if site.flags.has(SiteFlags::DELEGATE) => {
                self.delegate_targets(file, site, kind, scope, &mut targets);
            }
            Expr::Unknown => targets.open = true,
            given => {
                let values = self.eval(file, callee);
                self.value_targets(file, site, &values, None, &mut targets);
                let late = matches!(given, Expr::Receiver(ReceiverKind::StaticType, _));
                if late && self.program.file(file).rules.late_static {
                    self.construct_subtypes(file, site, &values, &mut targets);
                }
            }
        }
        if self.is_linked(file) {
            self.doubt_unbuilt(file, site, &mut targets.found);
        }
        targets
    }

    /// `f[int]` and `C<T>` are called as `f` and `C`.
    fn instantiated(&mut self, file: FileId, callee: ExprId) -> ExprId {
        let Expr::Index { object, .. } = self.program.expr(file, callee) else { return callee };
        let names = self.type_bounds(file, object);
        let generic = |b: &Bound| {
            matches!(b, Bound::Symbol(s) if {
                let kind = self.program.symbol(*s).kind;
                kind.is_type() || kind.is_callable() && kind != SymbolKind::Property
            })
        };
        if !names.is_empty() && names.iter().all(generic) {
            object
        } else {
            callee
        }
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
                if let Expr::Name { scope, .. } = self.program.expr(file, site.callee) {
                    self.add_brought_by_subtypes(file, scope, name, targets);
                    if !targets.found.is_empty() {
                        return;
                    }
                }
                let (rules, text) = (&self.program.file(file).rules, self.program.text(name));
                let variable = !text.starts_with(|c: char| c.is_alphabetic() || c == '_');
                if rules.closed_units && !variable {
                    for sym in self.namesakes_in_block(file, site) {
                        targets.add(sym, Rule::NameOnly);
                    }
                    targets.external.push((text.into(), Rule::External));
                } else {
                    targets.open = true;
                }
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
                let all = self.called_members(owner, name);
                if !all.is_empty() {
                    bounds = all.into_iter().map(Bound::Symbol).collect();
                }
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
        let bounds = if self.calls_values(file) { self.types_or_functions(file, site, bounds) } else { bounds };
        let bounds = self.without_types_alone(file, bounds);
        let mut functions = Syms::new();
        let conditional =
            |b: &Bound| matches!(b, Bound::Symbol(s) if self.program.symbol(*s).flags.has(SymbolFlags::CONDITIONAL));
        // Of several under conditions any may be the one.
        let unsure = bounds.len() > 1 && bounds.iter().any(conditional);
        // What is defined only where something from outside is not to be had may never be there.
        let instead = unsure && bounds.iter().any(|b| matches!(b, Bound::External(_)));
        let rule = if instead { Rule::Ambiguous } else { rule };
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
                        | SymbolKind::Prototype => match self.decorated(sym) {
                            Some(values) => self.value_targets(file, site, &values, None, targets),
                            None => functions.push(sym),
                        },
                        SymbolKind::Module | SymbolKind::Namespace => targets.open = true,
                        SymbolKind::Variant => targets.add(sym, Rule::Constructor),
                        kind if kind.is_type() && self.converts(file, site) => targets.converts = true,
                        kind if kind.is_type() => {
                            let rule = match (instead, unsure) {
                                (true, _) => Rule::Ambiguous,
                                (false, true) => Rule::Flow,
                                (false, false) => Rule::Constructor,
                            };
                            self.construct(file, site, sym, rule, targets);
                        }
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
        mut functions: Syms,
        rule: Rule,
        receiver: Option<(Value, How)>,
        targets: &mut Targets,
    ) {
        if functions.is_empty() {
            return;
        }
        // Signatures stand for the one function that implements them.
        let signature = |s: &Sym| self.program.symbol(*s).flags.has(SymbolFlags::OVERLOAD_SIGNATURE);
        if !functions.iter().all(signature) {
            functions.retain(|s| !signature(s));
        }
        let overloaded = self.program.file(file).rules.overloads && functions.len() > 1;
        let several = functions.len() > 1;
        if let Some(outside) = self.meant_outside(file, site, &functions, receiver) {
            targets.external.push((outside, Rule::External));
            return;
        }
        let owners: Vec<_> = functions.iter().map(|sym| self.types.owner_of(*sym)).collect();
        // Implementations of several interfaces for one type: the arguments tell which is meant.
        let apart = !overloaded && several && functions.iter().all(|sym| self.types.implementing.contains_key(sym));
        let chosen = if overloaded || apart { self.fitting(file, site, functions) } else { functions };
        let overloaded = overloaded || apart;
        // What a nearer type overrides is no choice.
        let beside = |sym: &Sym| owners.iter().filter(|owner| **owner == self.types.owner_of(*sym)).count();
        let rule = match (chosen.len(), overloaded) {
            (1, true) if beside(&chosen[0]) == 1 => rule,
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
                let home = |s: &Sym| self.program.file_of(*s);
                if rule == Rule::Linkage && chosen.iter().any(|s| home(s) != home(&chosen[0])) {
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
                _ if rule.confidence() == Confidence::Exact && self.program.symbol(sym).kind == SymbolKind::Macro => {
                    Rule::Macro
                }
                _ => rule,
            };
            targets.add(sym, rule);
            let sure = |how: How| rule != Rule::Ambiguous && !(targets.loose && how == How::Flow);
            if let Some((value, how)) = receiver.filter(|(_, how)| sure(*how)) {
                self.add_overrides(file, sym, value, how, targets);
            }
        }
    }

    /// Where no function of the name takes the arguments, but the type has others from outside: that one's name.
    fn meant_outside(
        &mut self,
        file: FileId,
        site: &Site,
        functions: &Syms,
        receiver: Option<(Value, How)>,
    ) -> Option<Box<str>> {
        let rules = &self.program.file(file).rules;
        if !rules.overloads || rules.conversions.is_empty() {
            return None;
        }
        let (Value::Instance(of) | Value::Symbol(of), _) = receiver? else { return None };
        let name = self.program.text(site.name);
        let everyone = rules.root_members.iter().any(|m| m == name);
        if !everyone && !self.has_external_base(of) || functions.iter().any(|sym| self.accepts(file, site, *sym)) {
            return None;
        }
        Some(name.into())
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

    /// Targets of `object.name`.
    pub(crate) fn member_targets(
        &mut self,
        file: FileId,
        site: &Site,
        object: ExprId,
        name: NameId,
        targets: &mut Targets,
    ) {
        if site.flags.has(SiteFlags::NEW) {
            let rules = &self.program.file(file).rules;
            if rules.constructors.iter().any(|known| known == self.program.text(name)) {
                // `new this.constructor()`: the class at run time, which nothing here tells.
                return;
            }
        }
        if self.gives_class(file, name) {
            // A member of the language's own: which class it gives is a value only.
            targets.external.push((self.program.text(name).into(), Rule::Builtin));
            return;
        }
        let objects = self.eval(file, object);
        if site.flags.has(SiteFlags::OPERATOR) && self.is_linked(file) {
            if self.is_pointer(file, object) {
                return;
            }
            let own = objects
                .iter()
                .any(|(v, _)| matches!(self.plain(v), Value::Instance(s) if !self.members(s, name).is_empty()));
            if !own {
                let found = self.free_operator(file, site, &objects, name);
                found.into_iter().for_each(|sym| targets.add(sym, Rule::Operator));
                return;
            }
        }
        targets.open = objects.open && objects.is_empty();
        let several = objects.len() > 1;
        targets.loose = several && objects.open;
        let late = self.program.file(file).rules.late_static;
        let word = match self.program.expr(file, object) {
            Expr::Receiver(kind, _) => Some(kind),
            _ => None,
        };
        for (value, how) in objects.iter() {
            let (value, how) = self.seen_as_object(self.plain(value), how);
            let value = self.plain(value);
            let (value, name) = match site.flags.has(SiteFlags::OPERATOR) && !site.flags.has(SiteFlags::NEW) {
                true => match self.operand(file, value, name) {
                    Some(meant) => meant,
                    None => continue,
                },
                false => (value, name),
            };
            let one = ValueSet::one(value, how);
            let overloads = self.program.file(file).rules.overloads;
            let mut members = self.members_of_values(file, &one, name);
            self.apart(file, &mut members, !site.flags.has(SiteFlags::NEW));
            self.implemented(file, site, value, name, &mut members);
            let mut bounds: Bounds = members.iter().map(|(bound, _)| *bound).collect();
            if overloads {
                if let Value::Instance(sym) | Value::Symbol(sym) | Value::SuperOf(sym) = value {
                    let all = match value {
                        Value::SuperOf(_) => self.called_above(sym, name),
                        _ => self.called_on(sym, name),
                    };
                    if all.len() > bounds.len() {
                        bounds = all.into_iter().map(Bound::Symbol).collect();
                    }
                }
            }
            let foreign = bounds.iter().all(|b| matches!(b, Bound::External(_)));
            if foreign || !self.any_takes(&bounds, site) {
                let extensions = self.extensions_for(file, site, value, name);
                let rule = if extensions.len() > 1 { Rule::Ambiguous } else { Rule::Extension };
                extensions.iter().for_each(|extension| targets.add(*extension, rule));
                if !extensions.is_empty() {
                    continue;
                }
            }
            if bounds.is_empty() && how == How::Own {
                self.add_brought_members(file, value, name, targets);
                let values = self.fields_of_subtypes(value, name);
                self.value_targets(file, site, &values, None, targets);
            }
            if bounds.is_empty() && several {
                continue;
            }
            if let Value::SuperOf(sym) = value {
                self.add_siblings(file, sym, name, &bounds, targets);
            }
            let rule = match value {
                Value::Symbol(sym) if self.program.symbol(sym).kind == SymbolKind::Namespace => Rule::Module,
                _ => member_rule(value, how),
            };
            let first = bounds.first().copied();
            let rule = match (value, first) {
                (Value::Instance(of) | Value::Symbol(of) | Value::SuperOf(of), Some(Bound::Symbol(sym)))
                    if rule.confidence() == Confidence::Exact && self.may_come_from_outside(of, sym) =>
                {
                    Rule::FlowType
                }
                _ => rule,
            };
            let rule = if site.flags.has(SiteFlags::OPERATOR) && rule.confidence() == Confidence::Exact {
                Rule::Operator
            } else {
                rule
            };
            let receiver = members
                .first()
                .and_then(|(_, receiver)| *receiver)
                .filter(|_| !matches!(value, Value::SuperOf(_) | Value::Base(_)));
            let receiver = match word {
                Some(ReceiverKind::SelfType) if late => None,
                Some(ReceiverKind::StaticType) if late => {
                    self.add_late_static(file, value, name, targets);
                    receiver
                }
                _ => receiver,
            };
            self.bound_targets(file, site, bounds, rule, receiver, targets);
        }
        if targets.found.is_empty() && objects.iter().all(|(value, _)| self.is_from_outside(value)) {
            if let Some(sym) = self.named_extension(file, site, name) {
                targets.external.clear();
                targets.add(sym, Rule::Extension);
            }
        }
        if targets.found.is_empty() && objects.is_empty() && targets.external.is_empty() {
            targets.open = true;
        }
    }

    /// Whether calling a type is no call.
    fn converts(&self, file: FileId, site: &Site) -> bool {
        self.program.file(file).rules.type_calls_convert && !site.flags.has(SiteFlags::NEW)
    }

    pub(crate) fn any_takes(&self, bounds: &Bounds, site: &Site) -> bool {
        bounds.iter().any(|b| match b {
            Bound::Symbol(sym) if self.program.symbol(*sym).kind.is_callable() => self.takes_count(*sym, site),
            _ => true,
        })
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
    pub(crate) fn construct(&mut self, file: FileId, site: &Site, sym: Sym, rule: Rule, targets: &mut Targets) {
        let sym = self.through_aliases(sym);
        let sym = self.types.whole(sym);
        let symbol = self.program.symbol(sym);
        if symbol.kind == SymbolKind::Type && symbol.value.is_some() && self.is_linked(file) {
            // A name for a type from outside.
            targets.external.push((self.program.text(symbol.name).into(), Rule::External));
            return;
        }
        let mut constructors = self.constructors(sym);
        // The parameters of the type itself are those of one more constructor, unless it is written out.
        let primary = self.program.symbol(sym);
        if !constructors.is_empty() && primary.kind.is_type() && !primary.params.is_empty() {
            let written = constructors.iter().any(|c| self.same_parameter_types(*c, sym));
            constructors.extend((!written).then_some(sym));
        }
        let chosen = if self.program.file(self.program.file_of(sym)).rules.overloads {
            self.fitting(file, site, constructors)
        } else {
            constructors.last().copied().into_iter().collect()
        };
        if !site.flags.has(SiteFlags::DELEGATE) {
            for &each in &chosen {
                if each != sym && self.types.owner_of(each) != Some(sym) {
                    targets.constructs.push((each, sym));
                }
            }
        }
        match chosen.len() {
            // A declaration alone calls only what is written.
            0 if site.flags.has(SiteFlags::OPERATOR) || site.flags.has(SiteFlags::DELEGATE) && self.is_linked(file) => {
            }
            0 => targets.add(sym, rule),
            1 => targets.add(chosen[0], rule),
            _ => chosen.into_iter().for_each(|sym| targets.add(sym, Rule::Ambiguous)),
        }
        if !site.flags.has(SiteFlags::DELEGATE) {
            self.add_call_of_class(sym, rule, targets);
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
            match self.plain(value) {
                Value::Symbol(sym) => {
                    let symbol = self.program.symbol(sym);
                    if symbol.kind.is_type() && self.converts(file, site) {
                        targets.converts = true;
                    } else if symbol.kind.is_type() {
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
                    if site.flags.has(SiteFlags::NEW) && site.flags.has(SiteFlags::OPERATOR) {
                        // An object is given where a class would be constructed.
                        continue;
                    }
                    let program = self.program;
                    let rules = &program.file(program.file_of(sym)).rules;
                    let Some(name) = program.name(&rules.call_member).filter(|_| !rules.call_member.is_empty()) else {
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
                Value::Lambda(home, scope) => targets.lambdas.push((home, scope)),
                _ => {}
            }
        }
    }
}

/// The rule by which a member of a value is found.
fn member_rule(value: Value, how: How) -> Rule {
    match (value, how) {
        (Value::Unit(_), _) => Rule::Module,
        (Value::SuperOf(_) | Value::Base(_), _) => Rule::Super,
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
