//! Phase 6: arguments reach parameters, in rounds.
//!
//! First every site is resolved as if nothing were known of parameters without a declared type. The edges say which
//! sites call which function; what is asked of a parameter then is what these sites give it. Only sites whose answers
//! came from such parameters are resolved again, and again where that brings further calls of a function.

use crate::deps::Deps;
use crate::modules::FileId;
use crate::outcome::Edge;
use crate::program::Sym;
use crate::resolver::Resolver;
use crate::solve::Question;
use crate::values::ValueSet;
use mmcg_facts::{Confidence, Rule, ScopeId, SiteId};
use rustc_hash::{FxHashMap, FxHashSet};

/// Sites are resolved at most so often again; what would be found later is not found.
const ROUNDS: usize = 4;
/// The arguments of more calls than this are not looked at: what reaches the parameter is open.
pub(crate) const MOST_CALLS: usize = 32;

/// A function as what a call runs.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Callee {
    /// A function of its own.
    Symbol(Sym),
    /// An anonymous one, by its scope.
    Lambda(FileId, ScopeId),
}

/// A site that calls a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Call {
    pub file: FileId,
    pub site: SiteId,
    /// Whether the function is named through its type: its receiver is an argument, too.
    pub of_type: bool,
}

/// A parameter without a declared type that was asked about.
struct Asked {
    file: FileId,
    scope: ScopeId,
    index: u32,
    /// What it was found to be.
    given: ValueSet,
    /// Whether what stands under it as a key was asked.
    key: bool,
}

/// Which calls are known, and which parameters matter.
#[derive(Default)]
pub(crate) struct Flow {
    /// Whether parameters are given what calls give them.
    pub(crate) following: bool,
    numbers: FxHashMap<(FileId, u32), u32>,
    asked: Vec<Asked>,
    of_callee: FxHashMap<Callee, Vec<u32>>,
    calls: FxHashMap<Callee, Vec<Call>>,
    /// Functions that got calls in this round.
    grown: Vec<Callee>,
    /// Sites whose answers depend on parameters.
    sites: Vec<(FileId, SiteId, Deps)>,
}

impl Flow {
    /// Notes a call, unless there are too many already.
    fn add(&mut self, callee: Callee, call: Call) {
        let calls = self.calls.entry(callee).or_default();
        if calls.len() <= MOST_CALLS && !calls.contains(&call) {
            calls.push(call);
            if self.following {
                self.grown.push(callee);
            }
        }
    }

    /// Notes that a parameter is used as a key.
    pub(crate) fn used_as_key(&mut self, file: FileId, index: u32) {
        if let Some(&number) = self.numbers.get(&(file, index)) {
            self.asked[number as usize].key = true;
        }
    }

    /// The calls of a function; none where they are too many to say what it is given.
    pub(crate) fn calls(&self, callee: Callee) -> Vec<Call> {
        self.calls.get(&callee).filter(|calls| calls.len() <= MOST_CALLS).cloned().unwrap_or_default()
    }
}

impl Resolver<'_> {
    /// The function whose scope is given.
    pub(crate) fn callee_of_scope(&self, file: FileId, scope: ScopeId) -> Callee {
        let facts = &self.program.file(file).facts;
        let local = facts.scopes[scope.index()].symbol;
        match facts.symbol(local).body == Some(scope) {
            true => Callee::Symbol(self.program.sym(file, local)),
            false => Callee::Lambda(file, scope),
        }
    }

    /// Notes that the answer at work depends on what a parameter is given.
    pub(crate) fn depend_on_param(&mut self, file: FileId, scope: ScopeId, index: u32) {
        let callee = self.callee_of_scope(file, scope);
        let flow = &mut self.flow;
        let number = *flow.numbers.entry((file, index)).or_insert_with(|| {
            let number = flow.asked.len() as u32;
            flow.asked.push(Asked { file, scope, index, given: ValueSet::unknown(), key: false });
            flow.of_callee.entry(callee).or_default().push(number);
            number
        });
        self.solver.depends_on_params(&Deps::one(number));
    }

    /// Notes which functions the edges of a site say that it calls, and on which parameters they depend.
    pub(crate) fn note_calls(&mut self, file: FileId, site: SiteId, edges: &[Edge], lambdas: &[(FileId, ScopeId)]) {
        for edge in edges.iter().filter(|edge| edge.confidence <= Confidence::Inferred) {
            let Some(sym) = edge.target.filter(|sym| !self.program.symbol(*sym).params.is_empty()) else { continue };
            self.flow.add(Callee::Symbol(sym), Call { file, site, of_type: edge.rule == Rule::Static });
        }
        for &(home, scope) in lambdas {
            self.flow.add(Callee::Lambda(home, scope), Call { file, site, of_type: false });
        }
        let deps = self.solver.take_deps();
        if !deps.is_empty() {
            self.flow.sites.push((file, site, deps));
        }
    }

    /// Resolves sites that depend on parameters with what the parameters are given. `edges`: those of each file.
    pub(crate) fn follow_arguments(&mut self, edges: &mut [Vec<Edge>]) {
        self.flow.following = true;
        let mut params: Vec<u32> = (0..self.flow.asked.len() as u32).collect();
        for _ in 0..ROUNDS {
            params.retain(|&number| {
                let asked = &self.flow.asked[number as usize];
                !self.flow.calls(self.callee_of_scope(asked.file, asked.scope)).is_empty()
            });
            let changed = self.changed_params(&params);
            if changed.is_empty() {
                return;
            }
            self.resolve_again(&changed, edges);
            let mut grown = std::mem::take(&mut self.flow.grown);
            grown.dedup();
            params = grown.iter().filter_map(|callee| self.flow.of_callee.get(callee)).flatten().copied().collect();
            params.sort_unstable();
            params.dedup();
        }
    }

    /// Asks parameters anew. Which of them are given something else than before, by number; empty if none is.
    fn changed_params(&mut self, params: &[u32]) -> Vec<bool> {
        let mut of = vec![false; self.flow.asked.len()];
        params.iter().for_each(|&number| of[number as usize] = true);
        self.solver.forget_those_of(&of);
        let mut changed = Vec::new();
        for &number in params {
            let Asked { file, scope, index, .. } = self.flow.asked[number as usize];
            let given = self.ask(Question::Param(file, scope, index));
            let asked = &self.flow.asked[number as usize];
            if given != asked.given || asked.key {
                self.flow.asked[number as usize].given = given;
                changed.resize(of.len().max(number as usize + 1), false);
                changed[number as usize] = true;
            }
        }
        self.solver.take_deps();
        changed
    }

    fn resolve_again(&mut self, changed: &[bool], edges: &mut [Vec<Edge>]) {
        let program = self.program;
        let sites = std::mem::take(&mut self.flow.sites);
        let (again, kept): (Vec<_>, Vec<_>) = sites.into_iter().partition(|(_, _, deps)| deps.any_of(changed));
        self.flow.sites = kept;
        let mut found: FxHashMap<FileId, (FxHashSet<SiteId>, Vec<Edge>)> = FxHashMap::default();
        for (file, site, _) in again {
            let (sites, edges) = found.entry(file).or_default();
            sites.insert(site);
            self.site_edges(file, site, program.file(file).facts.site(site), edges);
        }
        for (file, (sites, new)) in found {
            let edges = &mut edges[file.0 as usize];
            edges.retain(|edge| edge.site.is_none_or(|site| !sites.contains(&site)));
            edges.extend(new);
        }
    }
}
