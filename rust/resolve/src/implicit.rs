//! Calls that the language or its own functions make by rule.

use crate::calls::Targets;
use crate::lookup::{Bound, Where};
use crate::modules::FileId;
use crate::outcome::Edge;
use crate::resolver::Resolver;
use crate::values::{How, Value, ValueSet};
use mmcg_facts::{Expr, NameId, Rule, Site, SiteFlags, SiteId};

impl Resolver<'_> {
    /// A loop also runs the member that steps what the first one gives.
    pub(crate) fn add_steps(&mut self, file: FileId, site: &Site, name: NameId, targets: &mut Targets) {
        let program = self.program;
        let rules = &program.file(file).rules;
        if !site.flags.has(SiteFlags::OPERATOR) {
            return;
        }
        let pairs = [&rules.iterated_members[..], &rules.async_iterated_members[..]];
        let step = pairs.into_iter().find_map(|pair| match pair {
            [first, step] if first == program.text(name) => Some(step),
            _ => None,
        });
        let Some(step) = step else { return };
        let Some(step) = program.name(step) else { return };
        let Expr::Member { object, .. } = program.expr(file, site.callee) else { return };
        let objects = self.eval(file, object);
        for (value, how) in objects.iter() {
            let Value::Instance(sym) = self.plain(value) else { continue };
            for member in self.members(sym, name) {
                let given = self.returns(member, Some(value));
                for (stepped, _) in given.iter() {
                    let Value::Instance(of) = self.plain(stepped) else { continue };
                    let rule = if how == How::Flow || stepped != value { Rule::FlowType } else { Rule::Operator };
                    for member in self.members(of, step) {
                        targets.add(member, rule);
                    }
                }
            }
        }
    }

    /// Functions that are given to one of the language's own functions which calls them (`map(f, row)`).
    pub(crate) fn add_called_arguments(&mut self, file: FileId, id: SiteId, site: &Site, edges: &mut Vec<Edge>) {
        for (value, place) in self.called_arguments(file, site) {
            let Value::Symbol(sym) = value else { continue };
            let (source, rule) = (self.caller(file, site), Rule::Flow);
            let (target, confidence) = (Some(sym), rule.confidence());
            edges.push(Edge {
                file,
                site: Some(id),
                place,
                source,
                target,
                constructs: None,
                external: None,
                rule,
                confidence,
            });
        }
    }

    fn called_arguments(&mut self, file: FileId, site: &Site) -> Vec<(Value, mmcg_facts::Place)> {
        let program = self.program;
        let source = program.file(file);
        let calling = &source.rules.calling_functions;
        if calling.is_empty() || !calling.iter().any(|known| known == program.text(site.name)) {
            return Vec::new();
        }
        let Expr::Name { name, scope, path } = program.expr(file, site.callee) else { return Vec::new() };
        let found = self.lookup(file, scope, name, path);
        let foreign = |this: &mut Self| {
            this.follow_all(found.bounds.clone()).iter().all(|bound| matches!(bound, Bound::External(_)))
        };
        if found.at != Where::Builtin && (found.bounds.is_empty() || !foreign(self)) {
            return Vec::new();
        }
        let mut called = Vec::new();
        for index in site.args.clone() {
            let arg = source.facts.args[index as usize].value;
            let values = self.eval(file, arg);
            let place = source.facts.places[arg.index()];
            called.extend(
                values
                    .iter()
                    .filter(|(v, _)| matches!(v, Value::Symbol(s) if program.symbol(*s).kind.is_callable()))
                    .map(|(value, _)| (value, place)),
            );
        }
        called
    }

    /// What one of the language's own functions gives that makes a row of a function's results.
    pub(crate) fn mapped_results(&mut self, file: FileId, site: &Site) -> Option<ValueSet> {
        let program = self.program;
        let mapping = &program.file(file).rules.mapping_functions;
        if mapping.is_empty() || !mapping.iter().any(|known| known == program.text(site.name)) {
            return None;
        }
        let mut all = ValueSet::default();
        for (value, _) in self.called_arguments(file, site) {
            if let Value::Symbol(sym) = value {
                all.add(Value::Results(sym), How::Flow);
            }
        }
        (!all.is_empty()).then_some(all)
    }
}
