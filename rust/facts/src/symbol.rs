//! Declared symbols and their parameters.

use crate::{ExprId, NameId, Place, ScopeId, Span, SymbolId, TextId};

/// What a symbol is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, serde::Serialize, serde::Deserialize)]
#[repr(u8)]
pub enum SymbolKind {
    /// Code of a file outside any definition; one a file, always `SymbolId(0)`.
    Module,
    /// A lexical namespace or inline module.
    Namespace,
    /// A function that is no member of a type.
    Function,
    /// A function that is a member of a type.
    Method,
    /// A function that makes instances.
    Constructor,
    /// A class (also: object, record, companion).
    Class,
    /// A structure.
    Struct,
    /// A union of C.
    Union,
    /// An interface or protocol.
    Interface,
    /// A trait or mixin.
    Trait,
    /// An enumeration.
    Enum,
    /// A member of an enumeration.
    Variant,
    /// A name for another type.
    Type,
    /// A macro.
    Macro,
    /// A declaration without a body whose definition is elsewhere.
    Prototype,
    /// A constant.
    Constant,
    /// A variable of a file or namespace.
    Variable,
    /// A field of a type.
    Field,
    /// A member that is read like a field and runs code.
    Property,
}

impl SymbolKind {
    /// The lower-case word used in SQL, JSON and text.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Module => "module",
            Self::Namespace => "namespace",
            Self::Function => "function",
            Self::Method => "method",
            Self::Constructor => "constructor",
            Self::Class => "class",
            Self::Struct => "struct",
            Self::Union => "union",
            Self::Interface => "interface",
            Self::Trait => "trait",
            Self::Enum => "enum",
            Self::Variant => "variant",
            Self::Type => "type",
            Self::Macro => "macro",
            Self::Prototype => "prototype",
            Self::Constant => "constant",
            Self::Variable => "variable",
            Self::Field => "field",
            Self::Property => "property",
        }
    }

    /// Whether it has members and instances.
    pub fn is_type(self) -> bool {
        matches!(
            self,
            Self::Class | Self::Struct | Self::Union | Self::Interface | Self::Trait | Self::Enum | Self::Type
        )
    }

    /// Whether a call can run it.
    pub fn is_callable(self) -> bool {
        matches!(
            self,
            Self::Function | Self::Method | Self::Constructor | Self::Macro | Self::Prototype | Self::Property
        )
    }
}

/// Who may use a symbol, as far as its declaration says.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, serde::Serialize, serde::Deserialize)]
#[repr(u8)]
pub enum Visibility {
    /// Anyone.
    Public,
    /// The package, module, crate or assembly.
    Internal,
    /// The type and its subtypes.
    Protected,
    /// The type or file.
    Private,
}

impl Visibility {
    /// The lower-case word used in SQL, JSON and text.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Public => "public",
            Self::Internal => "internal",
            Self::Protected => "protected",
            Self::Private => "private",
        }
    }
}

/// Yes-or-no properties of a symbol, as bits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, serde::Serialize, serde::Deserialize)]
pub struct SymbolFlags(pub u32);

impl SymbolFlags {
    /// Belongs to the type, not to instances.
    pub const STATIC: Self = Self(1);
    /// Runs asynchronously: a call gives a promise, future or coroutine.
    pub const ASYNC: Self = Self(1 << 1);
    /// Has no body of its own and must be overridden.
    pub const ABSTRACT: Self = Self(1 << 2);
    /// Is a test.
    pub const TEST: Self = Self(1 << 3);
    /// Is exported by its file (where exporting is written).
    pub const EXPORTED: Self = Self(1 << 4);
    /// Is its file's default export.
    pub const DEFAULT_EXPORT: Self = Self(1 << 5);
    /// A member added to a type from outside; the first parameter is the receiver.
    pub const EXTENSION: Self = Self(1 << 6);
    /// Receives the class as its first parameter.
    pub const CLASS_METHOD: Self = Self(1 << 7);
    /// Read like a field.
    pub const GETTER: Self = Self(1 << 8);
    /// Written like a field.
    pub const SETTER: Self = Self(1 << 9);
    /// Yields values; a call gives an iterator.
    pub const GENERATOR: Self = Self(1 << 10);
    /// May be overridden (written `virtual`, or methods of the language always may).
    pub const VIRTUAL: Self = Self(1 << 11);
    /// Marked as overriding a base's member.
    pub const OVERRIDE: Self = Self(1 << 12);
    /// Cannot be overridden or subclassed.
    pub const FINAL: Self = Self(1 << 13);
    /// Known to its file only, though its scope is shared (C `static`).
    pub const FILE_LOCAL: Self = Self(1 << 14);
    /// Some declaration parts of one type stand in several places (C# `partial`).
    pub const PARTIAL: Self = Self(1 << 15);
    /// Mutable variable or constant whose declared type says that it holds a function.
    pub const CALLABLE_VALUE: Self = Self(1 << 16);
    /// A declaration that other definitions of the same name implement (an overload signature).
    pub const OVERLOAD_SIGNATURE: Self = Self(1 << 17);
    /// Declared in a branch of a condition of which it is not known whether it holds.
    pub const CONDITIONAL: Self = Self(1 << 18);
    /// A variable that is a key to what it is declared to hold (a thread's own static).
    pub const HELD: Self = Self(1 << 19);
    /// Left out of the ordinary build by a condition; of the module: the whole file is.
    pub const ASIDE: Self = Self(1 << 20);
    /// An attribute or decorator says that it is a test, wherever it stands.
    pub const TEST_BY_MARK: Self = Self(1 << 21);
    /// A member that does not change its object, and so can be called on a constant one.
    pub const CONSTANT: Self = Self(1 << 22);
    /// A macro makes it, of a name that it is given: what that is called, only the macro knows.
    pub const MACRO_MADE: Self = Self(1 << 23);

    /// Stands for an interface's member, and is reached through the interface only (C# `int IShape.Area()`).
    pub const EXPLICIT: Self = Self(1 << 24);

    /// Whether all bits of `other` are set.
    pub fn has(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// Sets the bits of `other`.
    pub fn set(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

impl std::ops::BitOr for SymbolFlags {
    type Output = Self;
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

/// How arguments reach a parameter.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, serde::Serialize, serde::Deserialize)]
#[repr(u8)]
pub enum ParamKind {
    /// The object or class the method is called on, where the language writes it (`self`, a Go receiver).
    Receiver,
    /// By position only.
    Positional,
    /// By position or name.
    Normal,
    /// By name only.
    Keyword,
    /// All further positional arguments.
    Variadic,
    /// All further named arguments.
    KeywordVariadic,
}

/// A parameter.
#[derive(Clone, Copy, PartialEq, Debug, serde::Serialize, serde::Deserialize)]
pub struct Param {
    /// Its name (the first one where it is a pattern; empty where it has none).
    pub name: NameId,
    /// How arguments reach it.
    pub kind: ParamKind,
    /// Whether a call must give it.
    pub required: bool,
    /// Whether it also declares a field of the type (PHP promotion, Kotlin `val`, TypeScript `private x`).
    pub field: bool,
    /// Its declared type.
    pub declared: Option<ExprId>,
    /// Its default value.
    pub default: Option<ExprId>,
}

/// A declared symbol.
#[derive(Clone, PartialEq, Debug, serde::Serialize, serde::Deserialize)]
pub struct Symbol {
    /// Its own name.
    pub name: NameId,
    /// The dotted name within the file, as in addresses (`Outer.Inner.method`; `<module>` for the file's code).
    pub qualified: NameId,
    /// What it is.
    pub kind: SymbolKind,
    /// The symbol it is lexically inside of; `None` for symbols of the file's top level and for the module itself.
    pub container: Option<SymbolId>,
    /// The scope it is declared in.
    pub scope: ScopeId,
    /// The scope of its own body or members, if it has one.
    pub body: Option<ScopeId>,
    /// The type it is a member of where it is not written inside it (a Go receiver's type, `C::f` in C++).
    pub owner: Option<ExprId>,
    /// The whole definition, decorators included.
    pub span: Span,
    /// Its name's place.
    pub place: Place,
    /// Its parameters: a range of `FileFacts::params`.
    pub params: std::ops::Range<u32>,
    /// The declared type of a value, or the declared return type of a function.
    pub declared: Option<ExprId>,
    /// The value of a constant, variable, field or type alias; of something decorated, what its decorators make of it.
    pub value: Option<ExprId>,
    /// Names of its type parameters: a range of `FileFacts::type_params` (name, bound).
    pub type_params: std::ops::Range<u32>,
    /// Its decorators or attributes: a range of `FileFacts::decorators`.
    pub decorators: std::ops::Range<u32>,
    /// The texts of those that run or may run something, one a line, without their marks.
    pub decoration: Option<TextId>,
    /// Yes-or-no properties.
    pub flags: SymbolFlags,
    /// Who may use it.
    pub visibility: Visibility,
    /// One line: how it is declared, without its body.
    pub signature: TextId,
    /// Its documentation, layout removed, if it has any.
    pub doc: Option<TextId>,
    /// A hash of its tokens without layout and comments; 0 where there is no body.
    pub body_hash: u64,
}
