//! What objects and classes do by rules of a language whose classes are objects: metaclasses, members that operators fall
//! back on, functions of the language that run members, and attributes that other code gives to objects.

use crate::calls::Targets;
use crate::lookup::Where;
use crate::modules::FileId;
use crate::outcome::Edge;
use crate::program::Sym;
use crate::resolver::Resolver;
use crate::values::{How, Value, ValueSet};
use mmcg_facts::{Expr, NameId, Rule, Site, SiteFlags, SiteId, UseKind};
use rustc_hash::FxHashMap;

/// Most assignments from outside that are looked at for one attribute.
const MOST: usize = 32;
/// Most members that an operator falls back on, one after the other.
const FALLBACKS: usize = 3;

/// What is known of objects besides their classes.
#[derive(Default)]
pub(crate) struct Objects {
    /// Classes that say which class they are objects of.
    pub(crate) metaclasses: FxHashMap<Sym, Sym>,
    /// Assignments to attributes of objects that are not at hand, by name: positions in `member_binds`.
    outside: FxHashMap<NameId, Vec<(FileId, u32)>>,
}

impl Resolver<'_> {
    /// The class in the project that a class is an object of.
    fn metaclass_of(&mut self, sym: Sym) -> Option<Sym> {
        if self.objects.metaclasses.is_empty() || !self.program.symbol(sym).kind.is_type() {
            return None;
        }
        let order = self.order(sym);
        order.iter().find_map(|at| self.objects.metaclasses.get(at)).copied()
    }

    /// The metaclass of a class, if it has a member.
    pub(crate) fn metaclass_with(&mut self, sym: Sym, name: NameId) -> Option<Sym> {
        let meta = self.metaclass_of(sym)?;
        (!self.members(meta, name).is_empty()).then_some(meta)
    }

    /// Constructing an object of a class calls the class, which its metaclass may have a member for.
    pub(crate) fn add_call_of_class(&mut self, sym: Sym, rule: Rule, targets: &mut Targets) {
        let Some(meta) = self.metaclass_of(sym) else { return };
        let program = self.program;
        let call = &program.file(program.file_of(meta)).rules.call_member;
        let Some(name) = program.name(call).filter(|_| !call.is_empty()) else { return };
        let rule = if rule == Rule::Constructor { Rule::Operator } else { rule };
        for member in self.members(meta, name) {
            targets.add(member, rule);
        }
    }

    /// What an operator is looked up in and under which name: of a class its metaclass; where an object has no such
    /// member, the one that the language runs instead.
    pub(crate) fn operand(&mut self, file: FileId, value: Value, name: NameId) -> Option<(Value, NameId)> {
        let program = self.program;
        let rules = &program.file(file).rules;
        if rules.instead_members.is_empty() {
            return Some((value, name));
        }
        let (value, sym) = match value {
            Value::Symbol(sym) => {
                let meta = self.metaclass_of(sym)?;
                (Value::Instance(meta), meta)
            }
            Value::Unit(_) => return None,
            _ => match self.plain(value) {
                Value::Instance(sym) => (value, sym),
                _ => return Some((value, name)),
            },
        };
        if !self.members(sym, name).is_empty() || self.has_external_base(sym) {
            return Some((value, name));
        }
        let mut wanted = program.text(name);
        for _ in 0..FALLBACKS {
            let Some(next) = rules.instead_members.get(wanted) else { break };
            match program.name(next) {
                Some(next) if !self.members(sym, next).is_empty() => return Some((value, next)),
                _ => wanted = next,
            }
        }
        Some((value, name))
    }

    /// Whether no class of the program has the member that an operator runs, nor one that it falls back on.
    pub(crate) fn runs_nothing(&self, file: FileId, name: NameId) -> bool {
        let program = self.program;
        let rules = &program.file(file).rules;
        if rules.instead_members.is_empty() {
            return false;
        }
        self.first_declared(file, program.text(name)).is_none()
    }

    /// Of the member that an operator runs and those that it falls back on, the first that any class may have.
    fn first_declared(&self, file: FileId, member: &str) -> Option<NameId> {
        let rules = &self.program.file(file).rules;
        let mut wanted = Some(member);
        for _ in 0..=FALLBACKS {
            let declared = self.program.name(wanted?).filter(|name| self.symbol_names.contains(name));
            if declared.is_some() {
                return declared;
            }
            wanted = rules.instead_members.get(wanted?).map(String::as_str);
        }
        None
    }

    /// Members that one of the language's own functions runs on its argument (`len(x)`).
    pub(crate) fn add_run_members(&mut self, file: FileId, id: SiteId, site: &Site, edges: &mut Vec<Edge>) {
        let program = self.program;
        let rules = &program.file(file).rules;
        if rules.running_functions.is_empty() {
            return;
        }
        let Expr::Name { name: called, scope, path } = program.expr(file, site.callee) else { return };
        let Some(member) = rules.running_functions.get(program.text(called)) else { return };
        let Some(name) = self.first_declared(file, member) else { return };
        let Some(arg) = program.file(file).facts.args.get(site.args.start as usize).filter(|_| !site.args.is_empty())
        else {
            return;
        };
        if arg.spread || arg.name.is_some() || self.lookup(file, scope, called, path).at != Where::Builtin {
            return;
        }
        let runs = Site { flags: SiteFlags::OPERATOR, name, args: 0..0, ..site.clone() };
        let mut targets = Targets::default();
        self.member_targets(file, &runs, arg.value, name, &mut targets);
        let (source, place) = (self.caller(file, site), program.file(file).facts.places[arg.value.index()]);
        for (sym, rule) in targets.found() {
            edges.push(Edge {
                file,
                site: Some(id),
                place,
                source,
                target: Some(sym),
                constructs: None,
                external: None,
                rule,
                confidence: rule.confidence(),
            });
        }
    }

    /// Notes an assignment to an attribute of an object that is not at hand.
    pub(crate) fn note_outside(&mut self, file: FileId, position: usize) {
        let source = self.program.file(file);
        let bind = source.facts.member_binds[position];
        if source.rules.open_objects && bind.place.used() == UseKind::Write && bind.value.is_some() {
            self.objects.outside.entry(bind.name).or_default().push((file, position as u32));
        }
    }

    /// Whether some code gives some objects an attribute of a name.
    pub(crate) fn is_given_outside(&self, name: NameId) -> bool {
        self.objects.outside.contains_key(&name)
    }

    /// What code outside a class assigns to an attribute of its objects.
    pub(crate) fn given_outside(&mut self, owner: Sym, name: NameId) -> ValueSet {
        let assigned = self.objects.outside.get(&name).cloned().unwrap_or_default();
        let mut all = ValueSet::unknown();
        if assigned.len() > MOST {
            return all;
        }
        for (home, position) in assigned {
            let bind = self.program.file(home).facts.member_binds[position as usize];
            let objects = self.eval(home, bind.object);
            let mut fits = false;
            for (value, _) in objects.iter() {
                if let Value::Instance(of) = self.plain(value) {
                    fits |= self.order(owner).contains(&of) || self.order(of).contains(&owner);
                }
            }
            if let (true, Some(value)) = (fits, bind.value) {
                let found = self.eval(home, value);
                all.join(&found.weaken(How::Flow));
            }
        }
        all
    }
}
