//! Demand-driven least fixpoints: each question is answered once, questions that depend on each other are answered
//! together by repeating the round until nothing changes.
//!
//! Answers only grow from round to round (sets are joined, never cut), so the result does not depend on which of the
//! questions of a cycle was asked first. See Tarjan (1972) for the strongly connected components on the way.

use crate::deps::Deps;
use crate::modules::FileId;
use crate::program::Sym;
use crate::values::ValueSet;
use mmcg_facts::{ExprId, NameId, ScopeId, SiteId};
use rustc_hash::FxHashMap;

/// A question whose answer is remembered.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Question {
    /// What a variable of a scope can hold.
    Variable(FileId, ScopeId, NameId),
    /// What an attribute of a type's instances can hold.
    Field(Sym, NameId),
    /// What a function gives back.
    Returns(Sym),
    /// What an anonymous function gives back.
    LambdaReturns(FileId, ScopeId),
    /// The object that an anonymous function runs for, where it has one of its own.
    LambdaObject(FileId, ScopeId),
    /// What a call gives.
    Call(FileId, SiteId),
    /// What a generator yields.
    Yields(Sym),
    /// What a parameter without a declared type gets: from the calls of its function, or from what calls its lambda.
    Param(FileId, ScopeId, u32),
    /// What a macro stands for.
    Macro(Sym),
    /// What a term of the signature of a library's function stands for at a call.
    Library(FileId, SiteId, u16),
    /// The method itself, if it gives the object that it is called on; else nothing.
    Itself(Sym),
    /// Objects of the type that an alias stands for, its own type parameters left open.
    Alias(Sym),
    /// The argument at a position or under a name in a range of arguments, some of which are spread.
    Argument(FileId, u32, u32, Option<u32>, Option<NameId>),
    /// Any of a range of arguments.
    Elements(FileId, u32, u32),
    /// What a variable holds where it is named.
    InOrder(FileId, ExprId),
    /// What an expression is that others led to, one through the other.
    Expression(FileId, ExprId),
    /// What is put into a container literal after it was made.
    Written(FileId, ExprId),
    /// What is in a literal for an access, under a key.
    UnderKey(FileId, ExprId, FileId, ExprId, Option<ExprId>),
    /// What decorators make of a function.
    Decorated(Sym),
    /// What an import brings in, as a value.
    Import(FileId, u32),
}

/// A question is repeated at most so often; then its answer stands and is open.
const ROUNDS: u32 = 6;
/// Questions nest at most so deep; deeper ones are answered with "unknown".
const DEPTH: usize = 400;

enum Entry {
    Done(ValueSet, Deps),
    /// Position on the stack.
    Running(usize),
    /// An answer that holds for one round of a question below.
    Provisional(Stamp, ValueSet, Deps),
}

/// One round of one question on the stack.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Stamp {
    at: usize,
    serial: u64,
    round: u32,
}

struct Frame {
    question: Question,
    answer: ValueSet,
    /// The lowest stack position that the answer depends on.
    low: usize,
    round: u32,
    serial: u64,
    /// Whether a question above was given this one's unfinished answer.
    used: bool,
    /// Questions answered in this round whose answers depend on this one.
    members: Vec<Question>,
    /// The parameters that the answer depends on.
    deps: Deps,
}

/// Memory and stack of the solver.
#[derive(Default)]
pub struct Solver {
    memo: FxHashMap<Question, Entry>,
    stack: Vec<Frame>,
    serial: u64,
    /// How many questions were asked so far: who sees it unchanged knows that none was.
    pub(crate) asked: u64,
    /// The parameters that the answers given to who asks from outside depend on.
    outside: Deps,
}

/// What to do for a question that was asked.
pub enum Step {
    /// It is answered.
    Answer(ValueSet),
    /// It must be computed between `Solver::enter` and `Solver::leave`.
    Compute,
}

impl Solver {
    /// Forgets all answers.
    pub fn clear(&mut self) {
        self.memo.clear();
        self.stack.clear();
    }

    /// Looks a question up, or puts it on the stack.
    pub fn enter(&mut self, question: Question) -> Step {
        self.asked += 1;
        match self.memo.get(&question) {
            Some(Entry::Done(answer, deps)) => {
                let above = self.stack.last_mut().map_or(&mut self.outside, |frame| &mut frame.deps);
                above.join(deps);
                return Step::Answer(answer.clone());
            }
            Some(&Entry::Running(at)) => {
                let answer = self.stack[at].answer.clone();
                self.stack[at].used = true;
                self.depends_on(at);
                return Step::Answer(answer);
            }
            Some(Entry::Provisional(stamp, answer, deps))
                if self.stack.get(stamp.at).is_some_and(|f| f.stamp(stamp.at) == *stamp) =>
            {
                let (at, answer, deps) = (stamp.at, answer.clone(), deps.clone());
                self.depends_on_params(&deps);
                self.depends_on(at);
                return Step::Answer(answer);
            }
            _ => {}
        }
        if self.stack.len() >= DEPTH {
            // The answer would depend on the way here: everything on the way must not be remembered for good.
            self.depends_on(0);
            return Step::Answer(ValueSet::unknown());
        }
        self.memo.insert(question, Entry::Running(self.stack.len()));
        let low = self.stack.len();
        self.serial += 1;
        let serial = self.serial;
        let answer = ValueSet::default();
        let (members, deps) = (Vec::new(), Deps::default());
        self.stack.push(Frame { question, answer, low, round: 0, serial, used: false, members, deps });
        Step::Compute
    }

    /// Notes that the answer at work depends on parameters.
    pub fn depends_on_params(&mut self, deps: &Deps) {
        self.stack.last_mut().map_or(&mut self.outside, |frame| &mut frame.deps).join(deps);
    }

    /// The parameters that the answers since the last time depend on, as asked from outside.
    pub fn take_deps(&mut self) -> Deps {
        std::mem::take(&mut self.outside)
    }

    /// Forgets the answers that depend on any of a set of parameters.
    pub fn forget_those_of(&mut self, params: &[bool]) {
        self.memo.retain(|_, entry| matches!(entry, Entry::Done(_, deps) if !deps.any_of(params)));
    }

    fn depends_on(&mut self, at: usize) {
        if let Some(top) = self.stack.last_mut() {
            top.low = top.low.min(at);
        }
    }

    /// Gives the computed answer of the question on top. `None`: compute it once more.
    pub fn leave(&mut self, computed: ValueSet) -> Option<ValueSet> {
        let at = self.stack.len() - 1;
        let frame = &mut self.stack[at];
        let head_of_cycle = frame.low >= at;
        let mut answer = frame.answer.clone();
        answer.join(&computed);
        let grew = answer != frame.answer;
        if head_of_cycle && frame.used && grew {
            if frame.round < ROUNDS {
                frame.answer = answer;
                frame.round += 1;
                frame.members.clear();
                return None;
            }
            answer.open = true;
        }
        let frame = self.stack.pop().expect("entered before");
        self.depends_on_params(&frame.deps);
        if head_of_cycle {
            for member in frame.members {
                if let Some(entry) = self.memo.get_mut(&member) {
                    if let Entry::Provisional(_, value, deps) = entry {
                        let mut all = std::mem::take(deps);
                        all.join(&frame.deps);
                        *entry = Entry::Done(std::mem::take(value), all);
                    }
                }
            }
            self.memo.insert(frame.question, Entry::Done(answer.clone(), frame.deps));
        } else {
            let stamp = self.stack[frame.low].stamp(frame.low);
            self.memo.insert(frame.question, Entry::Provisional(stamp, answer.clone(), frame.deps));
            let parent = self.stack.last_mut().expect("a question that is no head has one below");
            parent.low = parent.low.min(frame.low);
            parent.members.extend(frame.members);
            parent.members.push(frame.question);
        }
        Some(answer)
    }
}

impl Frame {
    fn stamp(&self, at: usize) -> Stamp {
        Stamp { at, serial: self.serial, round: self.round }
    }
}
