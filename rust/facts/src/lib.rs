//! The waist of the program: what a parsed file says (`FileFacts`) and what resolution answers (`Edge`).
//!
//! `lang` and `extract` produce `FileFacts` from one file's bytes; `resolve` reads the facts of all files and
//! produces edges. Neither knows the other, and nothing here does I/O or knows a language by name.

mod expr;
mod file;
mod ids;
mod library;
mod names;
mod place;
mod renumber;
mod resolved;
mod rules;
mod symbol;

pub use expr::{Arg, CollectionKind, Expr, LiteralKind, ReceiverKind};
pub use file::{
    Base, BaseKind, Bind, Branch, Decl, Export, Extension, FileFacts, Import, ImportKind, MemberBind, Problem,
    ProblemCode, Return, Scope, ScopeKind, Site, SiteFlags, What,
};
pub use ids::{ExprId, NameId, ScopeId, SiteId, SymbolId, TextId};
pub use library::{Library, Signature, Slot, Term};
pub use names::{Names, Texts};
pub use place::{Place, Span, UseKind};
pub use resolved::{Confidence, Rule};
pub use rules::{LanguageRules, Linearization, Sharing};
pub use symbol::{Param, ParamKind, Symbol, SymbolFlags, SymbolKind, Visibility};

/// Changes whenever the facts of an unchanged file may change: part of every cache key.
pub const FACTS_VERSION: u32 = 4;
