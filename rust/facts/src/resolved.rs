//! The closed set of rules by which an edge is found, and how sure each makes it.

/// How sure an edge is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Confidence {
    /// Bound lexically, by import, or through a receiver whose type is known, to one definition.
    Exact,
    /// Found through value flow or dispatch to overrides.
    Inferred,
    /// Only the name matches, or several definitions do and nothing decides.
    Possible,
    /// Defined outside the project.
    External,
    /// Not found.
    Unresolved,
}

impl Confidence {
    /// The lower-case word used in SQL, JSON and text.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Inferred => "inferred",
            Self::Possible => "possible",
            Self::External => "external",
            Self::Unresolved => "unresolved",
        }
    }
}

macro_rules! rules {
    ($($(#[doc = $doc:literal])+ $name:ident = $text:literal, $confidence:ident;)*) => {
        /// How an edge was found.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[repr(u8)]
        pub enum Rule {
            $($(#[doc = $doc])+ $name,)*
        }

        impl Rule {
            /// All rules.
            pub const ALL: &'static [Rule] = &[$(Rule::$name,)*];

            /// The word used in SQL, JSON, text and fixtures.
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$name => $text,)* }
            }

            /// The confidence of an edge found by this rule alone.
            pub fn confidence(self) -> Confidence {
                match self { $(Self::$name => Confidence::$confidence,)* }
            }

            /// What the rule says, in a sentence.
            pub fn doc(self) -> &'static str {
                match self { $(Self::$name => concat!($($doc),+),)* }
            }
        }
    };
}

rules! {
    /// The name is declared in a scope around the call.
    Lexical = "lexical", Exact;
    /// The name is imported, also through re-exports, from the file that defines it.
    Import = "import", Exact;
    /// The name is a member of a module or package named in the call.
    Module = "module", Exact;
    /// The name is declared in another file of the same package or namespace.
    Package = "package", Exact;
    /// The one definition with external linkage that the file's includes declare.
    Linkage = "linkage", Exact;
    /// A member of the class around the call, through `self`, `this` or left out.
    SelfMember = "self", Exact;
    /// A member of a base of the class, found by the language's order of bases.
    Inherited = "inherited", Exact;
    /// A base's member named through `super`, `base` or `parent`.
    Super = "super", Exact;
    /// A member of the receiver's declared type.
    ReceiverType = "receiver_type", Exact;
    /// A member named through its type (`Type.member`, `Type::member`).
    Static = "static", Exact;
    /// The constructor that a construction runs, or the class where it has none.
    Constructor = "constructor", Exact;
    /// A member of the class whose construction gave the receiver.
    Constructed = "constructed", Exact;
    /// One of several overloads, chosen by the arguments.
    Overload = "overload", Exact;
    /// An extension method whose first parameter takes the receiver.
    Extension = "extension", Exact;
    /// A getter or setter that the read or write of a member runs.
    Property = "property", Exact;
    /// A member that an operator, an iteration or another form of the language calls by rule.
    Operator = "operator", Exact;
    /// A macro of the project.
    Macro = "macro", Exact;
    /// The function is a value that reached the call through variables, fields, tables, arguments or results.
    Flow = "flow", Inferred;
    /// A member of a type that reached the receiver through variables, fields, arguments or results.
    FlowType = "flow_type", Inferred;
    /// An override or implementation that the receiver's type admits.
    Override = "override", Inferred;
    /// An override that only test code has, seen from other code: it runs where a test brings its object.
    TestOverride = "test_override", Possible;
    /// Several definitions fit and nothing decides between them.
    Ambiguous = "ambiguous", Possible;
    /// Only the name matches.
    NameOnly = "name_only", Possible;
    /// Defined by the language itself.
    Builtin = "builtin", External;
    /// Defined by a package outside the project.
    External = "external", External;
    /// Not found.
    Unresolved = "unresolved", Unresolved;
}
