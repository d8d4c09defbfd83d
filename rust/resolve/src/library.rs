//! What the library of a language hands on: results of its functions and members, and what these call functions with,
//! by the signatures of the language's data.
//!
//! A result that is a container of the library is remembered as the site and the term of the signature: what it holds is
//! found when it is asked for. So lists of lists of lists cannot grow without end.

use crate::lookup::{Bound, Where};
use crate::modules::FileId;
use crate::program::Sym;
use crate::resolver::Resolver;
use crate::solve::Question;
use crate::values::{How, Value, ValueSet};
use mmcg_facts::{
    CollectionKind, Expr, ExprId, LanguageRules, LiteralKind, NameId, ScopeId, Signature, Site, SiteFlags, SiteId,
    Slot, Term,
};
use smallvec::SmallVec;
use std::sync::Arc;

/// Signatures that a call means: one for each kind of receiver.
type Signatures = SmallVec<[Signature; 1]>;

impl Resolver<'_> {
    /// Names that are worth a look, by those of all languages.
    pub(crate) fn index_library(&mut self) {
        let mut seen: Vec<*const LanguageRules> = Vec::new();
        for file in &self.program.files {
            if !seen.contains(&Arc::as_ptr(&file.rules)) {
                seen.push(Arc::as_ptr(&file.rules));
                let names = file.rules.library.names().filter_map(|name| self.program.name(name));
                self.library_names.extend(names);
            }
        }
    }

    /// What a call of the library gives, where its data says so.
    pub(crate) fn library_result(&mut self, file: FileId, id: SiteId) -> Option<ValueSet> {
        let site = self.program.file(file).facts.site(id);
        let mut all: Option<ValueSet> = None;
        for signature in self.signatures(file, site) {
            let found = self.term(file, id, signature.gives);
            all.get_or_insert_with(ValueSet::default).join(&found);
        }
        let mut all = all?;
        all.open |= all.is_empty();
        Some(if all.len() > 1 { all.weaken(How::Flow) } else { all })
    }

    /// What a function given to the library as an argument gets as its n-th parameter.
    pub(crate) fn given_by_library(&mut self, file: FileId, id: SiteId, position: u32, nth: usize) -> Option<ValueSet> {
        let program = self.program;
        let site = program.file(file).facts.site(id);
        let arg = self.args(file, site.args.start, site.args.end - site.args.start).get(position as usize).copied()?;
        let mut all: Option<ValueSet> = None;
        for signature in self.signatures(file, site) {
            for (slot, with) in &signature.calls {
                let meant = match (slot, arg.name) {
                    (Slot::Position(at), None) => *at == position,
                    (Slot::Name(name), Some(given)) => program.text(given) == name,
                    _ => false,
                };
                if let (true, Some(term)) = (meant, with.get(nth)) {
                    let found = self.term(file, id, *term);
                    all.get_or_insert_with(ValueSet::default).join(&found);
                }
            }
        }
        all
    }

    /// The signatures of what a site calls: of a function by its dotted name, of a member by the receiver's kind.
    fn signatures(&mut self, file: FileId, site: &Site) -> Signatures {
        let program = self.program;
        let rules = &program.file(file).rules;
        let mut found = Signatures::new();
        if rules.library.is_empty() || !self.library_names.contains(&site.name) {
            return found;
        }
        let args = &program.file(file).facts.args[site.args.start as usize..site.args.end as usize];
        let count = args.iter().filter(|arg| arg.name.is_none()).count();
        match program.expr(file, site.callee) {
            Expr::Name { .. } => {
                let key = self.library_name(file, site.callee);
                found.extend(key.and_then(|key| rules.library.function(&key, count).cloned()));
            }
            Expr::Member { object, name, .. } => {
                if let Some(of) = self.library_name(file, object) {
                    let key = format!("{of}.{}", program.text(name));
                    if let Some(signature) = rules.library.function(&key, count) {
                        found.push(signature.clone());
                        return found;
                    }
                }
                let objects = self.eval(file, object);
                for (value, _) in objects.iter() {
                    if let Some(signature) = self.member_signature(file, value, name, count) {
                        if !found.contains(&signature) {
                            found.push(signature);
                        }
                    }
                }
            }
            Expr::Index { object, .. } if site.flags.has(SiteFlags::NEW) => {
                let key = self.library_name(file, object);
                found.extend(key.and_then(|key| rules.library.function(&key, count).cloned()));
            }
            _ => {}
        }
        found
    }

    /// The dotted name of something of the library: the language's own, or imported from outside.
    pub(crate) fn library_name(&mut self, file: FileId, expr: ExprId) -> Option<String> {
        let program = self.program;
        match program.expr(file, expr) {
            Expr::Name { name, scope, path } => {
                let found = self.lookup(file, scope, name, path);
                if found.at == Where::Builtin {
                    return Some(program.text(name).to_owned());
                }
                if !found.bounds.iter().any(|bound| matches!(bound, Bound::Import(..) | Bound::External(_))) {
                    return None;
                }
                match self.follow_all(found.bounds)[..] {
                    [Bound::External(external)] => Some(self.externals.text(external).to_owned()),
                    _ => None,
                }
            }
            Expr::Member { object, name, .. } => {
                Some(format!("{}.{}", self.library_name(file, object)?, program.text(name)))
            }
            _ => None,
        }
    }

    fn member_signature(&mut self, file: FileId, value: Value, name: NameId, count: usize) -> Option<Signature> {
        let program = self.program;
        let library = &program.file(file).rules.library;
        let text = program.text(name);
        // An object may stand for a promise of itself.
        let lifted = || library.member(&library.lifted, text, count).cloned();
        if let Some(kind) = self.kind_of(value) {
            return library.member(&kind, text, count).cloned().or_else(lifted);
        }
        match self.plain(value) {
            Value::Instance(sym) if self.members(sym, name).is_empty() => lifted(),
            _ => None,
        }
    }

    /// The kind of container of the library that a value is.
    pub(crate) fn kind_of(&mut self, value: Value) -> Option<String> {
        let program = self.program;
        let home = match value {
            Value::Generic(file, _)
            | Value::Sequence(file, _)
            | Value::Collection(file, _)
            | Value::Items(file, ..)
            | Value::TypeTuple(file, _)
            | Value::Library(file, ..) => file,
            Value::Yields(sym) => program.file_of(sym),
            _ => return None,
        };
        let library = &program.file(home).rules.library;
        let name = match value {
            Value::Generic(file, expr) => {
                let Expr::Index { object, .. } = program.expr(file, expr) else { return None };
                let full = self.library_name(file, object)?;
                let (module, name) = full.rsplit_once('.').unwrap_or(("", &full));
                let own = module.is_empty() || library.modules.iter().any(|known| known == module);
                return own.then(|| library.kind(name).to_owned());
            }
            Value::Sequence(..) => &library.list,
            Value::Collection(file, expr) => match program.expr(file, expr) {
                Expr::Collection { kind: CollectionKind::Map, .. } => &library.map,
                Expr::Collection { kind: CollectionKind::Tuple, .. } => &library.tuple,
                _ => &library.list,
            },
            Value::Items(..) | Value::TypeTuple(..) => &library.tuple,
            Value::Yields(_) => &library.generator,
            Value::Library(_, _, term) => match &library.terms[term as usize] {
                Term::Type(name, _) => name,
                _ => &library.tuple,
            },
            _ => return None,
        };
        Some(library.kind(name).to_owned()).filter(|kind| !kind.is_empty())
    }

    /// What a term of a signature stands for at a site: the answer of `Question::Library`.
    pub(crate) fn term(&mut self, file: FileId, id: SiteId, term: u16) -> ValueSet {
        let program = self.program;
        let site = program.file(file).facts.site(id);
        match &program.file(file).rules.library.terms[term as usize] {
            Term::Unknown => ValueSet::unknown(),
            Term::This => self.receiver_of(file, site),
            Term::Argument(at) => {
                let found = self.argument(file, site.args.start, site.args.end, Some(usize::from(*at)), None);
                if found.is_empty() {
                    return ValueSet::unknown();
                }
                found
            }
            Term::Each => {
                let plain = |at: &u32| program.file(file).facts.args[*at as usize].name.is_none();
                let end = site.args.clone().find(|at| !plain(at)).unwrap_or(site.args.end);
                self.ask(Question::Elements(file, site.args.start, end))
            }
            Term::Parameter(of, at) => {
                let objects = self.part_of_library(file, id, *of);
                let mut all = ValueSet::as_open_as(&objects);
                for (value, _) in objects.iter() {
                    let found = self.part(value, usize::from(*at));
                    all.join(&found);
                }
                all
            }
            Term::Written(at) => {
                let args = self.args(file, site.type_args.start, site.type_args.end - site.type_args.start);
                let mut written = args.get(usize::from(*at)).map(|arg| arg.value);
                if let Expr::Index { args, count, .. } = program.expr(file, site.callee) {
                    written = self.args(file, args, count).get(usize::from(*at)).map(|arg| arg.value);
                }
                written.map_or_else(ValueSet::default, |of| self.instances(file, of))
            }
            Term::Element(of) => {
                let values = self.part_of_library(file, id, *of);
                self.elements(&values)
            }
            Term::Result(of) => {
                let values = self.part_of_library(file, id, *of);
                self.results(file, &values)
            }
            Term::Awaited(of) => {
                let values = self.part_of_library(file, id, *of);
                self.awaited(values)
            }
            Term::Object(of) => {
                let values = self.part_of_library(file, id, *of);
                self.made_of(&values)
            }
            Term::Class(of) => {
                let values = self.part_of_library(file, id, *of);
                let mut all = ValueSet::as_open_as(&values);
                for (value, how) in values.iter() {
                    match self.plain(value) {
                        Value::Instance(sym) => all.add(Value::Symbol(sym), how),
                        _ => all.open = true,
                    }
                }
                all
            }
            Term::Any(of) => {
                let mut all = ValueSet::default();
                for &of in of {
                    let found = self.part_of_library(file, id, of);
                    all.join(&found);
                }
                all
            }
            Term::Type(name, of) if of.is_empty() => ValueSet::one(Value::External(self.external(name)), How::Declared),
            Term::Tuple(_) | Term::Type(..) => ValueSet::one(Value::Library(file, id, term), How::Declared),
        }
    }

    /// What a term stands for at a site, remembered.
    fn part_of_library(&mut self, file: FileId, id: SiteId, term: u16) -> ValueSet {
        self.ask(Question::Library(file, id, term))
    }

    fn receiver_of(&mut self, file: FileId, site: &Site) -> ValueSet {
        let Expr::Member { object, .. } = self.program.expr(file, site.callee) else { return ValueSet::unknown() };
        let objects = self.eval(file, object);
        // What has no such member is not the receiver.
        let mut all = ValueSet::as_open_as(&objects);
        for (value, how) in objects.iter() {
            if self.kind_of(value).is_some() || matches!(self.plain(value), Value::Instance(_)) {
                all.add(value, how);
            }
        }
        all
    }

    /// What calls of values give.
    pub(crate) fn results(&mut self, file: FileId, values: &ValueSet) -> ValueSet {
        let mut all = ValueSet::as_open_as(values);
        for (value, _) in values.iter() {
            let found = self.result_of(file, value, None, SiteFlags::default());
            all.join(&found);
        }
        all.weaken(How::Flow)
    }

    /// What the n-th type argument of a container stands for: its elements; of a table its keys and its values.
    fn part(&mut self, value: Value, at: usize) -> ValueSet {
        match value {
            Value::Generic(file, expr) => match self.program.expr(file, expr) {
                Expr::Index { args, count, .. } => match self.args(file, args, count).get(at).map(|arg| arg.value) {
                    Some(of) => self.instances(file, of),
                    None => ValueSet::unknown(),
                },
                _ => ValueSet::unknown(),
            },
            Value::Library(file, id, term) => match &self.program.file(file).rules.library.terms[term as usize] {
                Term::Type(_, of) => match of.get(at) {
                    Some(&of) => self.part_of_library(file, id, of),
                    None => ValueSet::unknown(),
                },
                _ if at == 0 => self.library_elements(file, id, term),
                _ => ValueSet::unknown(),
            },
            Value::Collection(file, expr) => match self.program.expr(file, expr) {
                Expr::Collection { kind: CollectionKind::Map, args, count } => match at {
                    0 => ValueSet::one(Value::Literal(LiteralKind::String), How::Declared),
                    _ if count <= 64 => self.ask(Question::Elements(file, args, args + count)),
                    _ => ValueSet::unknown(),
                },
                _ if at == 0 => self.like_elements(value),
                _ => ValueSet::unknown(),
            },
            Value::Yields(_) if at == 0 => self.like_elements(value),
            _ if at == 0 => self.elements(&ValueSet::one(value, How::Flow)),
            _ => ValueSet::unknown(),
        }
    }

    /// One element of what no type is declared for. Where objects of unrelated classes are put in, nothing is known of the
    /// one that comes out.
    fn like_elements(&mut self, value: Value) -> ValueSet {
        let found = self.elements(&ValueSet::one(value, How::Flow));
        let mut shared: Option<Vec<Sym>> = None;
        for (value, _) in found.iter() {
            if let Value::Instance(sym) = self.plain(value) {
                let order = self.order(sym);
                match &mut shared {
                    Some(shared) => shared.retain(|of| order.contains(of)),
                    None => shared = Some(order.to_vec()),
                }
            }
        }
        match shared {
            Some(shared) if shared.is_empty() => ValueSet::unknown(),
            _ => found,
        }
    }

    /// One element of a container that the library gave.
    pub(crate) fn library_elements(&mut self, file: FileId, id: SiteId, term: u16) -> ValueSet {
        let program = self.program;
        let rules = &program.file(file).rules;
        match &rules.library.terms[term as usize] {
            Term::Tuple(of) => {
                let mut all = ValueSet::default();
                for &of in of {
                    let found = self.part_of_library(file, id, of);
                    all.join(&found);
                }
                all.weaken(How::Flow)
            }
            // Pairs of its two arguments: the term itself serves as the pair.
            Term::Type(name, of) if rules.pair_types.iter().any(|pair| pair == name) && of.len() > 1 => {
                ValueSet::one(Value::Pair(file, id, term), How::Declared)
            }
            Term::Type(name, of) => match rules.element_types.get(name).and_then(|at| of.get(*at)) {
                Some(&of) => self.part_of_library(file, id, of),
                None => ValueSet::unknown(),
            },
            _ => ValueSet::unknown(),
        }
    }

    /// The n-th item of a tuple or list that the library gave.
    pub(crate) fn library_item(&mut self, file: FileId, id: SiteId, term: u16, position: i32) -> ValueSet {
        match &self.program.file(file).rules.library.terms[term as usize] {
            Term::Tuple(of) => match usize::try_from(position).ok().and_then(|position| of.get(position)) {
                Some(&of) => self.part_of_library(file, id, of),
                None => ValueSet::unknown(),
            },
            _ => self.library_elements(file, id, term),
        }
    }

    /// The n-th of the two that an element of a table is.
    pub(crate) fn pair_item(&mut self, file: FileId, id: SiteId, term: u16, position: i32) -> ValueSet {
        match (0..2).contains(&position) {
            true => self.part(Value::Library(file, id, term), position as usize),
            false => ValueSet::unknown(),
        }
    }

    /// What a container of the library has at a position: tuples and pairs differ by it.
    pub(crate) fn library_at(&mut self, file: FileId, id: SiteId, term: u16, position: i32) -> ValueSet {
        match &self.program.file(file).rules.library.terms[term as usize] {
            Term::Tuple(_) => self.library_item(file, id, term, position),
            _ => self.library_under_key(file, id, term),
        }
    }

    /// What a container of the library has under a key.
    pub(crate) fn library_under_key(&mut self, file: FileId, id: SiteId, term: u16) -> ValueSet {
        match &self.program.file(file).rules.library.terms[term as usize] {
            Term::Type(_, of) if of.len() == 2 => self.part_of_library(file, id, of[1]),
            _ => self.library_elements(file, id, term),
        }
    }

    /// What any member of an object is, where its type is a table of names (`kind.*`), and what a call of an object gives
    /// whose type says so (`kind.()`).
    pub(crate) fn library_read(&mut self, file: FileId, value: Value, what: &str) -> Option<ValueSet> {
        let library = &self.program.file(file).rules.library;
        if library.is_empty() || !matches!(value, Value::Generic(..) | Value::Library(..)) {
            return None;
        }
        let kind = self.kind_of(value)?;
        let signature = library.member(&kind, what, 0)?;
        match library.terms[signature.gives as usize] {
            Term::Parameter(_, at) => Some(self.part(value, usize::from(at))),
            _ => None,
        }
    }

    /// The parameters of a lambda that the library calls, if it does.
    pub(crate) fn param_by_library(&mut self, file: FileId, scope: ScopeId, index: u32) -> Option<ValueSet> {
        if self.program.file(file).rules.library.is_empty() {
            return None;
        }
        let (site, position) = self.lambda_site(file, scope)?;
        let nth = self.lambda_params(file, scope).iter().position(|param| *param == index)?;
        self.given_by_library(file, site, position, nth)
    }
}
