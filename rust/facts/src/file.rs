//! All that one file says.

use crate::{Arg, Expr, ExprId, NameId, Names, Param, Place, ScopeId, SiteId, Symbol, SymbolId, Texts};
use std::ops::Range;
use std::sync::Arc;

/// What a scope is the inside of.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, serde::Serialize, serde::Deserialize)]
#[repr(u8)]
pub enum ScopeKind {
    /// The file; always `ScopeId(0)`, and the only one without a parent.
    File,
    /// A lexical namespace or inline module, whose members are shared with other parts of the same namespace.
    Namespace,
    /// A type's members.
    Class,
    /// Members added to a type from outside (Rust `impl`); see `FileFacts::extensions`.
    Extension,
    /// A function's parameters and variables, or a lambda's.
    Function,
    /// A block that declares names of its own.
    Block,
}

/// A lexical scope.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub struct Scope {
    /// What it is.
    pub kind: ScopeKind,
    /// The scope around; `None` for the file's.
    pub parent: Option<ScopeId>,
    /// The symbol whose body it is; for a block, lambda or extension, the nearest symbol around.
    pub symbol: SymbolId,
}

/// What a declared name stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub enum What {
    /// A symbol.
    Symbol(SymbolId),
    /// An import: index into `FileFacts::imports`.
    Import(u32),
    /// A parameter: index into `FileFacts::params`.
    Param(u32),
    /// A variable: its assignments are the entries of `FileFacts::binds` with this scope and name.
    Variable,
    /// A type parameter: index into `FileFacts::type_params`.
    TypeParam(u32),
}

/// A name declared in a scope. `FileFacts::decls` is sorted by (scope, name id, order of declaration).
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub struct Decl {
    /// The scope that declares it, after the language's rules (hoisting, `global`).
    pub scope: ScopeId,
    /// The name.
    pub name: NameId,
    /// What it stands for.
    pub what: What,
}

/// `name = value` in the scope that declares the name. `FileFacts::binds` is sorted by (scope, name, order).
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub struct Bind {
    /// The scope that declares the name.
    pub scope: ScopeId,
    /// The name.
    pub name: NameId,
    /// The value, if one is given.
    pub value: Option<ExprId>,
    /// The declared type, if one is written.
    pub declared: Option<ExprId>,
    /// Where.
    pub place: Place,
}

/// `object.name = value`, or `object[…] = value` with an empty name.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub struct MemberBind {
    /// What is assigned into.
    pub object: ExprId,
    /// The member's name.
    pub name: NameId,
    /// The value.
    pub value: Option<ExprId>,
    /// The declared type, if one is written.
    pub declared: Option<ExprId>,
    /// The symbol whose code does it.
    pub symbol: SymbolId,
    /// Where the member's name stands.
    pub place: Place,
}

/// Code that may be left out: a branch of a condition, the body of a loop. `FileFacts::branches` is in source order, outer
/// ones first.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub struct Branch {
    /// Where it begins.
    pub from: Place,
    /// Where what follows it begins.
    pub to: Place,
    /// Index of the branch around it.
    pub around: Option<u32>,
    /// Whether it is a loop, which may run again.
    pub repeats: bool,
    /// Of the branches with one number here only one runs; 0 for others.
    pub apart: u32,
}

/// How an import brings in its name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, serde::Serialize, serde::Deserialize)]
#[repr(u8)]
pub enum ImportKind {
    /// The module itself is bound to `alias` (`import a as b`, `import * as b from 'a'`); without an alias only the
    /// path's first segment is bound to what it names (`import a.b.c` binds `a`).
    Module,
    /// One of the module's members is bound to `alias` (`from a import b`, `use a::b`).
    Member,
    /// All its public members become visible (`from a import *`, `use a::*`, `import . "a"`).
    Glob,
    /// The module's default export (`import b from 'a'`).
    Default,
    /// Nothing is bound; the file is needed (`#include`, `import './a'`, `require_once`).
    File,
}

/// An import. A re-export is an import whose `exported` is set: other files see the name as a member of this one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub struct Import {
    /// The scope it is visible in.
    pub scope: ScopeId,
    /// How it brings in its name.
    pub kind: ImportKind,
    /// The module's name as written, dots and all, quotes removed (`..feed.shape`, `./a`, `crate::a`, `stdio.h`).
    pub module: NameId,
    /// The member's name, for `Member`; empty otherwise.
    pub name: NameId,
    /// The name bound here; empty for `Glob` and `File`, and for `Module` without an alias.
    pub alias: NameId,
    /// Whether the name is a member of this file for others (all imports in Python; `export … from`; `pub use`).
    pub exported: bool,
    /// Whether only types are meant, or only functions: for languages that keep them apart (0 any, 1 type, 2 function, 3 constant).
    pub space: u8,
    /// Whether a condition leaves it out of the ordinary build.
    pub aside: bool,
    /// The place of the name (or of the module's text).
    pub place: Place,
}

/// What a file exports under another name or through an expression (`export default f`, `module.exports = …`,
/// `export { a as b }`). Exports of plain declarations are flags of their symbols.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub struct Export {
    /// The exported name; `default` for the default export; empty where the whole module is replaced by the value.
    pub name: NameId,
    /// What it is.
    pub value: ExprId,
}

/// How a type names another one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, serde::Serialize, serde::Deserialize)]
#[repr(u8)]
pub enum BaseKind {
    /// Inherits from it.
    Extends,
    /// Promises its members.
    Implements,
    /// Takes its members in (PHP `use` of a trait, Ruby `include`).
    Mixin,
    /// Holds it and offers its members (Go embedding); the field's name is the type's.
    Embeds,
    /// Is an object of it: Python's metaclass.
    Meta,
}

impl BaseKind {
    /// The lower-case word used in SQL, JSON and text.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Extends => "extends",
            Self::Implements => "implements",
            Self::Mixin => "mixin",
            Self::Embeds => "embeds",
            Self::Meta => "metaclass",
        }
    }
}

/// A base of a type, in written order.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub struct Base {
    /// The type.
    pub symbol: SymbolId,
    /// How.
    pub kind: BaseKind,
    /// Its base.
    pub base: ExprId,
}

/// Members added to a type from outside it: Rust `impl`, Swift `extension`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub struct Extension {
    /// The scope that holds the members; its kind is `Extension`.
    pub scope: ScopeId,
    /// The type they are added to.
    pub target: ExprId,
    /// The trait or interface they implement.
    pub interface: Option<ExprId>,
}

/// What a function or lambda gives back: one entry a `return` (or the body of an expression function).
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub struct Return {
    /// The scope of the function or lambda. `FileFacts::returns` is sorted by it.
    pub scope: ScopeId,
    /// The value.
    pub value: ExprId,
    /// Whether it is yielded.
    pub yielded: bool,
}

/// Properties of a call site, as bits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, serde::Serialize, serde::Deserialize)]
pub struct SiteFlags(pub u16);

impl SiteFlags {
    /// Written as a construction (`new C`, `C { … }`).
    pub const NEW: Self = Self(1);
    /// A JSX element.
    pub const ELEMENT: Self = Self(1 << 1);
    /// An operator, an index, an iteration: the language calls a method by rule. The callee is a `Member`.
    pub const OPERATOR: Self = Self(1 << 2);
    /// A decorator applied to a definition.
    pub const DECORATOR: Self = Self(1 << 3);
    /// A macro's invocation.
    pub const MACRO: Self = Self(1 << 4);
    /// Reads a member that may be a property; an edge only where it is one.
    pub const READ: Self = Self(1 << 5);
    /// Writes a member that may be a property.
    pub const WRITE: Self = Self(1 << 6);
    /// Some arguments are spread, so their number is not known.
    pub const SPREAD: Self = Self(1 << 7);
    /// Names a constructor of a base or of the class itself (`super(…)`, a C++ initialiser list).
    pub const DELEGATE: Self = Self(1 << 8);
    /// Written inside a macro's arguments.
    pub const IN_MACRO: Self = Self(1 << 9);
    /// Left out of the ordinary build by a condition.
    pub const ASIDE: Self = Self(1 << 10);

    /// Whether all bits of `other` are set.
    pub fn has(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// Sets the bits of `other`.
    pub fn set(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

/// A call site, in source order.
#[derive(Clone, PartialEq, Debug, serde::Serialize, serde::Deserialize)]
pub struct Site {
    /// What is called.
    pub callee: ExprId,
    /// The called name as written; empty where the callee has none.
    pub name: NameId,
    /// The nearest named function, method or module around.
    pub symbol: SymbolId,
    /// The scope of the call.
    pub scope: ScopeId,
    /// Its arguments: a range of `FileFacts::args`.
    pub args: Range<u32>,
    /// Explicit type arguments: a range of `FileFacts::args`.
    pub type_args: Range<u32>,
    /// Properties.
    pub flags: SiteFlags,
    /// The place of the called name's token.
    pub place: Place,
}

/// What went wrong in a file without stopping the run.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, serde::Serialize, serde::Deserialize)]
#[repr(u8)]
pub enum ProblemCode {
    /// The parser found text that is not of the language.
    SyntaxError,
    /// The file's encoding is not valid; some characters were replaced.
    Encoding,
    /// Something is nested deeper than is followed.
    TooDeep,
    /// The extractor failed; the file has no facts but its name.
    Internal,
}

impl ProblemCode {
    /// The word used in SQL, JSON and text.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::SyntaxError => "syntax_error",
            Self::Encoding => "encoding",
            Self::TooDeep => "too_deep",
            Self::Internal => "internal",
        }
    }
}

/// A problem of a file.
#[derive(Clone, PartialEq, Debug, serde::Serialize, serde::Deserialize)]
pub struct Problem {
    /// What kind.
    pub code: ProblemCode,
    /// Line, from 1.
    pub line: u32,
    /// A sentence for people.
    pub message: String,
}

/// All that one file says. Pure: a function of the file's bytes and its language.
#[derive(Clone, Default, PartialEq, Debug, serde::Serialize, serde::Deserialize)]
pub struct FileFacts {
    /// Interned names: the file's own, or, once files are resolved together, those of all files.
    pub names: Arc<Names>,
    /// Signatures and docs.
    pub texts: Texts,
    /// The package or namespace that the file declares for all of itself, as written (`com.acme`, `Zoo\Birds`).
    pub package: Option<NameId>,
    /// Scopes, parents first; 0 is the file.
    pub scopes: Vec<Scope>,
    /// Symbols in source order, containers first; 0 is the module.
    pub symbols: Vec<Symbol>,
    /// Parameters of all symbols and lambdas.
    pub params: Vec<Param>,
    /// Type parameters: name and bound.
    pub type_params: Vec<(NameId, Option<ExprId>)>,
    /// Decorators and attributes.
    pub decorators: Vec<ExprId>,
    /// Declared names, sorted.
    pub decls: Vec<Decl>,
    /// Assignments to names, sorted.
    pub binds: Vec<Bind>,
    /// Assignments to members, in source order.
    pub member_binds: Vec<MemberBind>,
    /// Imports in source order.
    pub imports: Vec<Import>,
    /// Exports that are no plain declarations.
    pub exports: Vec<Export>,
    /// The names listed as public (`__all__`), if the file lists them.
    pub public_names: Option<Vec<NameId>>,
    /// Types that are declared with the word for constants, sorted.
    pub constant_types: Vec<ExprId>,
    /// Namespaces that the text of a macro opens and leaves open.
    pub opened: Vec<NameId>,
    /// Bases of types.
    pub bases: Vec<Base>,
    /// Members added to types from outside.
    pub extensions: Vec<Extension>,
    /// Expressions, children first.
    pub exprs: Vec<Expr>,
    /// The place of each expression's name, in parallel with `exprs`.
    pub places: Vec<Place>,
    /// Arguments, type arguments and collection items.
    pub args: Vec<Arg>,
    /// Returned values, sorted by scope.
    pub returns: Vec<Return>,
    /// Call sites in source order.
    pub sites: Vec<Site>,
    /// Code that may be left out, where the order of assignments is followed.
    pub branches: Vec<Branch>,
    /// What went wrong.
    pub problems: Vec<Problem>,
    /// Number of lines.
    pub lines: u32,
}

impl FileFacts {
    /// Forgets everything, but keeps the room for another file's facts.
    pub fn clear(&mut self) {
        Arc::make_mut(&mut self.names).clear();
        self.texts.clear();
        self.package = None;
        self.scopes.clear();
        self.symbols.clear();
        self.params.clear();
        self.type_params.clear();
        self.decorators.clear();
        self.decls.clear();
        self.binds.clear();
        self.member_binds.clear();
        self.imports.clear();
        self.exports.clear();
        self.public_names = None;
        self.opened.clear();
        self.constant_types.clear();
        self.bases.clear();
        self.extensions.clear();
        self.exprs.clear();
        self.places.clear();
        self.args.clear();
        self.returns.clear();
        self.sites.clear();
        self.branches.clear();
        self.problems.clear();
        self.lines = 0;
    }

    /// The text of a name.
    pub fn name(&self, id: NameId) -> &str {
        self.names.get(id)
    }

    /// An expression.
    pub fn expr(&self, id: ExprId) -> Expr {
        self.exprs[id.index()]
    }

    /// A symbol.
    pub fn symbol(&self, id: SymbolId) -> &Symbol {
        &self.symbols[id.index()]
    }

    /// A call site.
    pub fn site(&self, id: SiteId) -> &Site {
        &self.sites[id.index()]
    }

    /// The declarations of a name in one scope, in order.
    pub fn declared(&self, scope: crate::ScopeId, name: NameId) -> &[Decl] {
        named(&self.decls, scope, name, |d| (d.scope, d.name))
    }

    /// The assignments to a name of one scope, in order.
    pub fn bound(&self, scope: crate::ScopeId, name: NameId) -> &[Bind] {
        named(&self.binds, scope, name, |b| (b.scope, b.name))
    }

    /// What a function's or lambda's scope gives back.
    pub fn returned(&self, scope: crate::ScopeId) -> &[Return] {
        let start = self.returns.partition_point(|r| r.scope < scope);
        let end = start + self.returns[start..].partition_point(|r| r.scope == scope);
        &self.returns[start..end]
    }
}

/// Of rows sorted by scope and name those of one name in one scope: few, so their end is near.
fn named<T>(rows: &[T], scope: crate::ScopeId, name: NameId, key: impl Fn(&T) -> (crate::ScopeId, NameId)) -> &[T] {
    let number = |(scope, name): (crate::ScopeId, NameId)| (scope.index() as u64) << 32 | name.index() as u64;
    let wanted = number((scope, name));
    let rest = &rows[rows.partition_point(|row| number(key(row)) < wanted)..];
    let count = rest.iter().take_while(|row| number(key(row)) == wanted).count();
    &rest[..count]
}
