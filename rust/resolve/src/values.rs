//! What a value can be, as far as calls need it.

use crate::generics::Applied;
use crate::modules::FileId;
use crate::program::Sym;
use crate::units::UnitId;
use mmcg_facts::{ExprId, LiteralKind, ScopeId, SiteId};
use smallvec::SmallVec;

/// A dotted name outside the project: index into `Resolver::externals`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct External(pub u32);

/// One thing a value can be.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Value {
    /// A module, package or namespace.
    Unit(UnitId),
    /// A class, function or other symbol itself.
    Symbol(Sym),
    /// An object of a type.
    Instance(Sym),
    /// An object of a generic type of the project with its arguments.
    Applied(Applied),
    /// The object whose method runs, seen as the bases of a type.
    SuperOf(Sym),
    /// The object whose method runs, seen as one of its bases and no more.
    Base(Sym),
    /// An anonymous function.
    Lambda(FileId, ScopeId),
    /// A collection literal.
    Collection(FileId, ExprId),
    /// A row of arguments or items: a range of the file's arguments.
    Items(FileId, u32, u32),
    /// An object of a type outside the project written with arguments: the `Index` expression.
    Generic(FileId, ExprId),
    /// A container of some kind from outside with the elements of a generic type: the `Index` expression.
    Elements(FileId, ExprId),
    /// A sequence of objects of a type: the type's expression.
    Sequence(FileId, ExprId),
    /// An object of a type outside the project that holds the value of an expression (`Some(x)`).
    Holding(FileId, ExprId),
    /// Several objects with the types of a tuple type: the `Collection` expression of types.
    TypeTuple(FileId, ExprId),
    /// What a generator function yields.
    Yields(Sym),
    /// A container that a call of the language's library gave: the call and a term of its signature.
    Library(FileId, SiteId, u16),
    /// A key and a value of such a table.
    Pair(FileId, SiteId, u16),
    /// A row of what calls of a function give.
    Results(Sym),
    /// What a call gives once it is awaited.
    Future(FileId, SiteId),
    /// Something outside the project by its dotted name.
    External(External),
    /// An object of the language's own types.
    Literal(LiteralKind),
}

/// How a value was found out; the weakest step counts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum How {
    /// It is the object or class around the code.
    Own,
    /// It is named where it is used.
    Named,
    /// Its type is declared.
    Declared,
    /// It was constructed and bound once.
    Constructed,
    /// It came through assignments, arguments, results.
    Flow,
}

/// How many different values are followed; more make the set open and further ones are dropped.
const CAP: usize = 8;

/// A set of values. `open` says that it can be something else, too.
#[derive(Clone, Default, PartialEq, Debug)]
pub struct ValueSet {
    items: SmallVec<[(Value, How); 2]>,
    /// Whether it may hold values that are not listed.
    pub open: bool,
}

impl ValueSet {
    /// Nothing is known.
    pub fn unknown() -> Self {
        Self { items: SmallVec::new(), open: true }
    }

    /// No value, open if another set is.
    pub fn as_open_as(other: &ValueSet) -> Self {
        Self { items: SmallVec::new(), open: other.open }
    }

    /// One value.
    pub fn one(value: Value, how: How) -> Self {
        Self { items: SmallVec::from_slice(&[(value, how)]), open: false }
    }

    /// Adds a value.
    pub fn add(&mut self, value: Value, how: How) {
        if let Some(known) = self.items.iter_mut().find(|(known, _)| *known == value) {
            known.1 = known.1.min(how);
        } else if self.items.len() < CAP {
            self.items.push((value, how));
        } else {
            self.open = true;
        }
    }

    /// Adds a value if there is room for it. Whether there was.
    pub fn add_within(&mut self, value: Value, how: How) -> bool {
        let room = self.items.len() < CAP || self.items.iter().any(|(known, _)| *known == value);
        self.add(value, how);
        room
    }

    /// Adds all values of another set.
    pub fn join(&mut self, other: &ValueSet) {
        for &(value, how) in &other.items {
            self.add(value, how);
        }
        self.open |= other.open;
    }

    /// Makes every value at least as weak as `how`.
    pub fn weaken(mut self, how: How) -> Self {
        self.items.iter_mut().for_each(|(_, known)| *known = (*known).max(how));
        self
    }

    /// The values.
    pub fn iter(&self) -> impl Iterator<Item = (Value, How)> + '_ {
        self.items.iter().copied()
    }

    /// How many values are listed.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether none is listed.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }
}
