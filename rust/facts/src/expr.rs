//! The small language-neutral expression form in which files state the flow that matters for calls.
//!
//! Everything a language writes is reduced to it by the extractor: destructuring becomes binds of `Item` and
//! `Member`, a `for` variable is bound to `Element(iterable)`, a `with` variable to `Entered(manager)`.
//! A type is written in the same form: `List[Foo]` is `Index(Name List, [Name Foo])`, `A | B` is `Choice`.

use crate::{ExprId, NameId, ScopeId, SiteId, SymbolId};

/// What a literal is; `Expr::Literal` keeps short string and number texts for keys and module names.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, serde::Serialize, serde::Deserialize)]
#[repr(u8)]
pub enum LiteralKind {
    /// A string, also an interpolated one.
    String,
    /// An integer.
    Integer,
    /// A floating-point number.
    Float,
    /// `true` or `false`.
    Boolean,
    /// The absence of a value.
    Null,
    /// A single character where the language has such a type.
    Character,
    /// A regular expression, bytes, or another literal whose type is the language's own.
    Other,
}

/// The shape of a literal collection.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, serde::Serialize, serde::Deserialize)]
#[repr(u8)]
pub enum CollectionKind {
    /// Fixed positions: a tuple, or several returned values.
    Tuple,
    /// Like elements: list, array, set, slice.
    List,
    /// Keys and values, or an object literal; the items are `Arg`s with names where the keys are known.
    Map,
}

/// Names that stand for the object or class at hand.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, serde::Serialize, serde::Deserialize)]
#[repr(u8)]
pub enum ReceiverKind {
    /// The object whose method runs: `this`, `self`.
    This,
    /// The same object seen as its base: `super`, `base`, `parent`.
    Super,
    /// The class written around: Rust `Self`, PHP `self`.
    SelfType,
    /// The class of the receiver at run time: PHP `static`, `cls` in a class method.
    StaticType,
}

/// One expression. Children come before parents in `FileFacts::exprs`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub enum Expr {
    /// Something whose value is not followed.
    Unknown,
    /// A literal; the name is its text (quotes removed) where short, else empty.
    Literal(LiteralKind, NameId),
    /// A name used in a scope. `path` marks the head of a path (`a` in `a::b`), where values are not looked up.
    Name {
        /// The name.
        name: NameId,
        /// The scope it is used in.
        scope: ScopeId,
        /// Whether only types, modules and namespaces may be meant.
        path: bool,
    },
    /// `this`, `super` and the like, in a scope.
    Receiver(ReceiverKind, ScopeId),
    /// `object.name`; `path` where it is written as a path (`object::name`).
    Member {
        /// What the name is looked up in.
        object: ExprId,
        /// The member's name.
        name: NameId,
        /// Whether it is written as a path.
        path: bool,
    },
    /// The result of a call or construction; see `Site`.
    Call(SiteId),
    /// `object[index]` as a value; as a type, `object<args>`: `args` is a range of `FileFacts::args`.
    Index {
        /// The container, or the generic type.
        object: ExprId,
        /// First of `count` entries in `FileFacts::args`.
        args: u32,
        /// How many there are.
        count: u32,
    },
    /// The n-th value of a destructured one (`a, b = value`); a negative number counts from the end.
    Item(ExprId, i32),
    /// The values from one position up to another (`value[1:3]`, `*rest` in a pattern).
    Part {
        /// What they are taken from.
        of: ExprId,
        /// The first one; a negative number counts from the end.
        from: i32,
        /// One past the last; a negative number counts from the end, `i32::MAX` is the end.
        to: i32,
    },
    /// One element of an iterated value (`for x in value`).
    Element(ExprId),
    /// What an iterated value is indexed by (`for i := range value`).
    Key(ExprId),
    /// What a context manager gives (`with value as x`).
    Entered(ExprId),
    /// A function, lambda or class written as an expression, or a declared symbol's own value.
    Symbol(SymbolId),
    /// An anonymous function: its own scope; what it returns is in `FileFacts::returns` under that scope.
    Lambda(ScopeId),
    /// A collection literal: a range of `FileFacts::args`.
    Collection {
        /// Its shape.
        kind: CollectionKind,
        /// First of `count` entries in `FileFacts::args`.
        args: u32,
        /// How many there are.
        count: u32,
    },
    /// The awaited value.
    Await(ExprId),
    /// One of two values (conditional, `or`, `??`, a union type). Longer ones nest.
    Choice(ExprId, ExprId),
    /// A value with the type it is asserted to have: `(value, type)`.
    Cast(ExprId, ExprId),
    /// A value of which a condition has said that it is of a type: `(value, type)`; where a function has said so, the
    /// second is `OfType` of the function.
    Narrow(ExprId, ExprId),
    /// A value of the given type (the declared type of something that has no other value).
    OfType(ExprId),
    /// A pointer or reference taken or followed, or another wrapper that calls pass through (`*x`, `&x`, `x!`, `x?`).
    Deref(ExprId),
}

/// An argument of a call, a type argument, or an item of a collection.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub struct Arg {
    /// The keyword or key, where one is written.
    pub name: Option<NameId>,
    /// The value.
    pub value: ExprId,
    /// Whether it is spread (`*args`, `...rest`).
    pub spread: bool,
}
