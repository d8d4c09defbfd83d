//! Containers with known keys: what is put into a literal after it was made, and what is under a key.

use crate::lookup::{Bound, Bounds};
use crate::modules::FileId;
use crate::order::{seen, Assigned};
use crate::program::Sym;
use crate::resolver::Resolver;
use crate::solve::Question;
use crate::values::{How, Value, ValueSet};
use mmcg_facts::{CollectionKind, Expr, ExprId, LiteralKind, NameId, ParamKind, Place, Site, SymbolId, SymbolKind};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use std::rc::Rc;

/// Keys are followed through so many names.
const DEPTH: u32 = 4;
/// More keys than this are any key.
const MOST_KEYS: usize = 8;

/// Something put into a container after it was made.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Write {
    file: FileId,
    /// The key; empty if it may be any.
    key: NameId,
    value: ExprId,
    /// Whether what the value holds is put in, not the value.
    merged: bool,
    place: Place,
    /// Whose code does it.
    symbol: SymbolId,
}

/// A key of an access.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Key {
    /// As it is written.
    pub text: NameId,
    /// The name of items under it, if any has it.
    pub name: Option<NameId>,
}

/// Keys of an access.
type Keys = SmallVec<[Key; 2]>;

/// What is put into each literal.
pub(crate) type Writes = FxHashMap<(FileId, ExprId), Rc<Vec<Write>>>;

impl Resolver<'_> {
    /// Finds what is put into container literals where they are known by a name.
    pub(crate) fn index_writes(&mut self) {
        let program = self.program;
        let mut found: FxHashMap<(FileId, ExprId), Vec<Write>> = FxHashMap::default();
        let names = self.names_of_literals();
        for index in 0..program.files.len() {
            let file = FileId(index as u32);
            let source = program.file(file);
            for bind in &source.facts.member_binds {
                let Some(value) = bind.value else { continue };
                if !self.may_be_literal(file, bind.object, &names) {
                    continue;
                }
                let key = bind.name;
                let write = Write { file, key, value, merged: false, place: bind.place, symbol: bind.symbol };
                self.add_write(bind.object, write, &mut found);
            }
            let rules = &source.rules;
            if rules.storing_members.is_empty() && rules.merging_members.is_empty() {
                continue;
            }
            let storing: Vec<(NameId, usize)> =
                rules.storing_members.iter().filter_map(|(name, at)| Some((program.name(name)?, *at))).collect();
            let merging: Vec<NameId> = rules.merging_members.iter().filter_map(|name| program.name(name)).collect();
            for site in &source.facts.sites {
                let Expr::Member { object, name, .. } = program.expr(file, site.callee) else { continue };
                let stored = storing.iter().find(|(member, _)| *member == name).map(|(_, at)| *at);
                if (stored.is_some() || merging.contains(&name)) && self.may_be_literal(file, object, &names) {
                    self.writes_of_call(file, site, object, stored, &mut found);
                }
            }
        }
        if !found.is_empty() {
            self.writes = found.into_iter().map(|(literal, writes)| (literal, Rc::new(writes))).collect();
            // What was found out on the way did not know of them.
            self.solver.clear();
        }
    }

    fn writes_of_call(
        &mut self,
        file: FileId,
        site: &Site,
        object: ExprId,
        stored: Option<usize>,
        found: &mut FxHashMap<(FileId, ExprId), Vec<Write>>,
    ) {
        let program = self.program;
        let empty = program.known.empty;
        let write = |key, value, merged| Write { file, key, value, merged, place: site.place, symbol: site.symbol };
        let args = &program.file(file).facts.args[site.args.start as usize..site.args.end as usize];
        if let Some(at) = stored {
            if let Some(arg) = args.get(at).filter(|arg| !arg.spread) {
                self.add_write(object, write(empty, arg.value, false), found);
            }
            return;
        }
        for arg in args {
            match (arg.name, program.expr(file, arg.value)) {
                (Some(key), _) => self.add_write(object, write(key, arg.value, false), found),
                (None, Expr::Collection { kind: CollectionKind::Map, args, count }) => {
                    for item in self.args(file, args, count).to_vec() {
                        let key = item.name.unwrap_or(empty);
                        self.add_write(object, write(key, item.value, item.spread), found);
                    }
                }
                _ => self.add_write(object, write(empty, arg.value, true), found),
            }
        }
    }

    fn add_write(&mut self, object: ExprId, write: Write, found: &mut FxHashMap<(FileId, ExprId), Vec<Write>>) {
        let objects = self.eval(write.file, object);
        for (value, _) in objects.iter() {
            if let Value::Collection(home, literal) = value {
                found.entry((home, literal)).or_default().push(write);
            }
        }
    }

    /// Names that are bound to container literals anywhere, also by imports.
    fn names_of_literals(&self) -> FxHashSet<NameId> {
        let mut names = FxHashSet::default();
        for file in &self.program.files {
            let literal = |value: ExprId| matches!(file.facts.expr(value), Expr::Collection { .. });
            let bound = file.facts.binds.iter().filter(|bind| bind.value.is_some_and(literal));
            names.extend(bound.map(|bind| bind.name));
        }
        let imported: Vec<NameId> = self
            .program
            .files
            .iter()
            .flat_map(|file| &file.facts.imports)
            .filter(|import| names.contains(&import.name))
            .map(|import| import.alias)
            .collect();
        names.extend(imported);
        names
    }

    /// Whether a name, or what stands under a key of it, may be bound to a container literal.
    fn may_be_literal(&mut self, file: FileId, mut object: ExprId, names: &FxHashSet<NameId>) -> bool {
        let program = self.program;
        loop {
            match program.expr(file, object) {
                Expr::Index { object: of, .. } => object = of,
                Expr::Name { name, scope, path: false } if names.contains(&name) => {
                    let found = self.lookup(file, scope, name, false).bounds;
                    return self.follow_all(found).into_iter().any(|bound| {
                        let (home, scope, name) = match bound {
                            Bound::Variable(home, scope, name) => (home, scope, name),
                            Bound::Symbol(sym) => {
                                let symbol = program.symbol(sym);
                                if !matches!(symbol.kind, SymbolKind::Variable | SymbolKind::Constant) {
                                    return false;
                                }
                                (program.file_of(sym), symbol.scope, symbol.name)
                            }
                            _ => return false,
                        };
                        let facts = &program.file(home).facts;
                        let literal = |value| matches!(facts.expr(value), Expr::Collection { .. });
                        facts.bound(scope, name).iter().filter_map(|bind| bind.value).any(literal)
                    });
                }
                _ => return false,
            }
        }
    }

    /// What is put into a literal under a name, for access by member.
    pub(crate) fn written_member(&self, home: FileId, literal: ExprId, name: NameId) -> Bounds {
        let writes = self.writes.get(&(home, literal));
        let named = writes.iter().flat_map(|all| all.iter()).filter(|write| write.key == name && !write.merged);
        named.map(|write| Bound::Expr(write.file, write.value)).take(MOST_KEYS).collect()
    }

    /// All that is put into a literal.
    pub(crate) fn written_elements(&mut self, home: FileId, literal: ExprId) -> ValueSet {
        match self.writes.contains_key(&(home, literal)) {
            true => self.ask(Question::Written(home, literal)),
            false => ValueSet::default(),
        }
    }

    pub(crate) fn all_written(&mut self, home: FileId, literal: ExprId) -> ValueSet {
        let mut all = ValueSet::default();
        for write in self.writes.get(&(home, literal)).cloned().iter().flat_map(|all| all.iter()) {
            let found = self.put_by(write);
            all.join(&found);
        }
        all.weaken(How::Flow)
    }

    fn put_by(&mut self, write: &Write) -> ValueSet {
        let values = self.eval(write.file, write.value);
        match write.merged {
            true => self.elements(&values),
            false => values,
        }
    }

    /// The item of a literal under the key of an access; under an unknown one all items.
    pub(crate) fn collection_item(
        &mut self,
        home: FileId,
        literal: ExprId,
        file: FileId,
        access: ExprId,
        key: Option<ExprId>,
    ) -> ValueSet {
        match self.writes.contains_key(&(home, literal)) {
            // What is put in may come from the container itself.
            true => self.ask(Question::UnderKey(home, literal, file, access, key)),
            false => self.under_key(home, literal, file, access, key),
        }
    }

    pub(crate) fn under_key(
        &mut self,
        home: FileId,
        literal: ExprId,
        file: FileId,
        access: ExprId,
        key: Option<ExprId>,
    ) -> ValueSet {
        let Expr::Collection { kind, args, count } = self.program.expr(home, literal) else {
            return ValueSet::unknown();
        };
        let keys = key.map(|key| self.keys_of(file, key, 0)).unwrap_or_default();
        if keys.is_empty() {
            let mut all = ValueSet::unknown();
            for item in self.args(home, args, count).to_vec().iter().take(16) {
                let found = self.eval(home, item.value);
                all.join(&found.weaken(How::Flow));
            }
            let written = self.written_elements(home, literal);
            all.join(&written);
            return all;
        }
        let mut all = ValueSet::default();
        for &key in &keys {
            let items = self.args(home, args, count);
            let picked = match kind {
                CollectionKind::Map => items.iter().rev().find(|item| item.name.is_some() && item.name == key.name),
                _ => self.position(key.text).filter(|_| !items.iter().any(|item| item.spread)).and_then(|at| {
                    let at = if at < 0 { at + items.len() as i64 } else { at };
                    usize::try_from(at).ok().and_then(|at| items.get(at))
                }),
            };
            let picked = picked.map(|item| item.value);
            let found = self.item_and_writes((home, literal), picked, (file, access), key.name);
            all.join(&found);
        }
        if all.is_empty() {
            all.open = true;
        }
        if all.len() > 1 {
            all.weaken(How::Flow)
        } else {
            all
        }
    }

    /// What is under a key: the literal's own item, and what is put there before the access.
    fn item_and_writes(
        &mut self,
        literal: (FileId, ExprId),
        item: Option<ExprId>,
        access: (FileId, ExprId),
        key: Option<NameId>,
    ) -> ValueSet {
        let program = self.program;
        let empty = program.known.empty;
        let writes: SmallVec<[Write; 2]> = match self.writes.get(&literal) {
            Some(all) => all.iter().filter(|w| Some(w.key) == key || w.key == empty).copied().collect(),
            None => SmallVec::new(),
        };
        if writes.is_empty() {
            return item.map_or_else(ValueSet::unknown, |item| self.eval(literal.0, item));
        }
        let (file, used) = access;
        let facts = &program.file(file).facts;
        let whose = self.symbol_of_expr(file, used);
        let together = program.file(file).rules.ordered
            && literal.0 == file
            && writes.iter().all(|w| w.file == file && program.sym(file, w.symbol) == whose);
        let mut taken = vec![true; writes.len() + 1];
        if together {
            let made = Assigned { place: facts.places[literal.1.index()], value: Some(literal.1), replaces: true };
            let mut assigned: SmallVec<[Assigned; 4]> = SmallVec::new();
            assigned.push(made);
            assigned.extend(writes.iter().map(|w| Assigned {
                place: w.place,
                value: Some(w.value),
                replaces: w.key != empty,
            }));
            let sees = seen(facts, self.root_of_access(file, used), &assigned);
            taken.iter_mut().enumerate().for_each(|(index, taken)| *taken = sees.contains(&index));
        }
        let mut all = ValueSet::default();
        if let Some(item) = item.filter(|_| taken[0]) {
            let found = self.eval(literal.0, item);
            all.join(&found);
        }
        for (index, write) in writes.iter().enumerate() {
            if taken[index + 1] {
                let found = self.put_by(write);
                all.join(&found);
            }
        }
        all.weaken(How::Flow)
    }

    /// The name at the root of an access, which has a place.
    fn root_of_access(&self, file: FileId, mut expr: ExprId) -> ExprId {
        while let Expr::Index { object, .. } | Expr::Member { object, .. } = self.program.expr(file, expr) {
            expr = object;
        }
        expr
    }

    /// The position that a key stands for.
    pub(crate) fn position(&self, key: NameId) -> Option<i64> {
        self.program.text(key).parse().ok()
    }

    /// The keys that an expression can be, as far as literals reach it.
    pub(crate) fn keys_of(&mut self, file: FileId, expr: ExprId, depth: u32) -> Keys {
        let program = self.program;
        match program.expr(file, expr) {
            Expr::Literal(LiteralKind::Integer, text) if program.file(file).rules.typed_keys => {
                Keys::from_slice(&[Key { text, name: program.name(&format!("#{}", program.text(text))) }])
            }
            Expr::Literal(_, text) if text != program.known.empty => {
                Keys::from_slice(&[Key { text, name: Some(text) }])
            }
            Expr::Name { name, scope, path: false } if depth < DEPTH => {
                let found = self.lookup(file, scope, name, false).bounds;
                let mut all = Keys::new();
                for bound in self.follow_all(found) {
                    let keys = self.keys_of_bound(bound, depth + 1);
                    all.extend(keys);
                }
                all.sort_unstable();
                all.dedup();
                all.truncate(if all.len() > MOST_KEYS { 0 } else { MOST_KEYS });
                all
            }
            _ => Keys::new(),
        }
    }

    fn keys_of_bound(&mut self, bound: Bound, depth: u32) -> Keys {
        let program = self.program;
        let (home, scope, name) = match bound {
            Bound::Variable(home, scope, name) => (home, scope, name),
            Bound::Symbol(sym) => {
                let symbol = program.symbol(sym);
                if !matches!(symbol.kind, SymbolKind::Variable | SymbolKind::Constant) {
                    return Keys::new();
                }
                (program.file_of(sym), symbol.scope, symbol.name)
            }
            Bound::Param(home, scope, index) => {
                let mut all = Keys::new();
                let param = program.file(home).facts.params[index as usize];
                if param.kind == ParamKind::Receiver {
                    return all;
                }
                if let Some(default) = param.default {
                    all.extend(self.keys_of(home, default, depth));
                }
                self.depend_on_param(home, scope, index);
                self.flow.used_as_key(home, index);
                for (file, given) in self.given_expressions(home, scope, index) {
                    all.extend(self.keys_of(file, given, depth));
                }
                return all;
            }
            _ => return Keys::new(),
        };
        let facts = &program.file(home).facts;
        let mut all = Keys::new();
        for bind in facts.bound(scope, name) {
            let keys = bind.value.map(|value| self.keys_of(home, value, depth)).unwrap_or_default();
            if keys.is_empty() {
                return keys;
            }
            all.extend(keys);
        }
        all
    }

    /// What a call is on whose member may be one of a container's, and whether it takes a key.
    pub(crate) fn container_member(&self, file: FileId, site: &Site) -> Option<(ExprId, bool)> {
        let program = self.program;
        let rules = &program.file(file).rules;
        if rules.keyed_members.is_empty() && rules.value_members.is_empty() {
            return None;
        }
        let Expr::Member { object, name, .. } = program.expr(file, site.callee) else { return None };
        let text = program.text(name);
        let keyed = rules.keyed_members.iter().any(|member| member == text);
        (keyed || rules.value_members.iter().any(|member| member == text)).then_some((object, keyed))
    }

    /// What a member of a container literal gives when called: the item under a key, or all of them in a row.
    pub(crate) fn container_result(
        &mut self,
        file: FileId,
        site: &Site,
        objects: &ValueSet,
        keyed: bool,
    ) -> Option<ValueSet> {
        let key = site.args.clone().next().map(|arg| self.program.file(file).facts.args[arg as usize].value);
        let mut all = ValueSet::default();
        for (value, _) in objects.iter() {
            let Some((home, from, to)) = self.items(value) else { continue };
            let found = match (keyed, value) {
                (true, Value::Collection(_, literal)) => self.collection_item(home, literal, file, site.callee, key),
                (true, _) => self.item_of_items(home, from, to, file, key),
                (false, _) => ValueSet::one(Value::Items(home, from, to), How::Flow),
            };
            all.join(&found);
        }
        (!all.is_empty()).then_some(all)
    }

    /// Values that only subtypes put into a field of the object at hand.
    pub(crate) fn fields_of_subtypes(&mut self, value: Value, name: NameId) -> ValueSet {
        let mut all = ValueSet::default();
        let Value::Instance(of) = value else { return all };
        let subtypes: Vec<Sym> = self.all_subtypes(of).iter().copied().take(32).collect();
        for subtype in subtypes {
            if self.types.assigned.contains_key(&(subtype, name)) {
                let found = self.ask(Question::Field(subtype, name));
                all.join(&found);
            }
        }
        all.weaken(How::Flow)
    }
}
