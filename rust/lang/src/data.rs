//! The form of `language.toml`.

use crate::rule::TestMeaning;
use mmcg_facts::LanguageRules;
use serde::Deserialize;
use std::collections::BTreeMap;

/// What a node means.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// Its value is that of its only valued child, else unknown. Nodes without a rule are transparent too.
    #[default]
    Transparent,
    /// Nothing inside matters, not even calls.
    Skip,
    /// Its value is not followed; what is inside counts.
    Opaque,
    /// A name that is looked up in the scopes.
    Name,
    /// `this`, `super` and the like.
    Receiver,
    /// `object.name`.
    Member,
    /// A call.
    Call,
    /// A JSX element.
    Element,
    /// A construction.
    New,
    /// A literal.
    Literal,
    /// A collection literal.
    Collection,
    /// A collection made by a loop, with names of its own.
    Comprehension,
    /// `key: value` in a collection, a call or a pattern.
    Pair,
    /// `object[index]`, or a generic type with its arguments.
    Index,
    /// An operator that may be a method of the user's.
    Operator,
    /// `from:to` as an index: several values.
    Slice,
    /// A statement that constructs a class given to it.
    Raise,
    /// One of several values.
    Choice,
    /// A value asserted to have a type.
    Cast,
    /// A wrapper that calls pass through.
    Deref,
    /// The awaited value.
    Await,
    /// A spread value.
    Spread,
    /// An argument with its name.
    Argument,
    /// A function, named or not, that is declared.
    Function,
    /// A function or class as a value; a symbol where something names it.
    Lambda,
    /// A type with members, an alias of a type.
    Class,
    /// A lexical namespace.
    Namespace,
    /// Members added to a type from outside.
    Extension,
    /// Declares names: variables, constants, fields, also destructured.
    Variable,
    /// Declares what each of its declarators says: variables, fields, prototypes, names for types.
    Declaration,
    /// Assigns to names and members.
    Assign,
    /// A parameter.
    Parameter,
    /// Marks the parameters around it: all before by position only, or all after by name only.
    ParameterMark,
    /// A type parameter.
    TypeParameter,
    /// The bound of a type parameter, written apart from it.
    TypeBound,
    /// A list of parameters whose last one, of any number, is no node of its own.
    Parameters,
    /// In a pattern: a target with a default value.
    PatternDefault,
    /// In a pattern: the rest.
    PatternRest,
    /// A statement or expression that imports.
    Import,
    /// Inside an import: one imported thing.
    ImportItem,
    /// Inside an import: a path for several items.
    ImportGroup,
    /// Inside an import: everything.
    ImportGlob,
    /// `export …` of names or values.
    Export,
    /// The package or namespace of the whole file.
    Package,
    /// A scope of its own, where something in it declares names for it.
    Block,
    /// Statements without a scope of their own: no value.
    Statements,
    /// A returned value.
    Return,
    /// A yielded value.
    Yield,
    /// Names that belong to a scope further out.
    OuterNames,
    /// A decorator applied to the definition that follows.
    Decorator,
    /// A base given outside the header (a mixin statement).
    Base,
    /// Tokens of a macro: read again as expressions.
    Tokens,
    /// A macro's text as one token: names before a parenthesis are calls.
    CallsInText,
}

/// Which scope a declared name belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Declares {
    /// Nothing is declared.
    #[default]
    None,
    /// The nearest block.
    Block,
    /// The rest of the nearest block: a name declared again is another one from here on.
    Shadow,
    /// The nearest function, class or file.
    Function,
    /// The file.
    File,
}

/// What becomes of an assigned value on its way to the target.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Wrap {
    /// Nothing.
    #[default]
    Plain,
    /// One element of it.
    Element,
    /// What it gives when entered.
    Entered,
    /// It is a type: a value of it.
    OfType,
    /// It is not followed.
    Unknown,
    /// One target gets what it is indexed by; of two, the second gets an element.
    Range,
}

/// When a declared name is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Late {
    /// In the whole scope.
    #[default]
    No,
    /// After its declaration, which hides earlier ones of the same block.
    Always,
    /// After its declaration; what the same block declares already is only assigned to.
    Fresh,
}

/// Where the head of a definition (annotations, defaults) is evaluated.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Head {
    /// Inside: parameters are seen, calls belong to the function.
    #[default]
    Inside,
    /// Outside: as Python does it.
    Outside,
}

/// A rule or several, of which the first whose conditions hold counts.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub enum OneOrMany {
    /// `[nodes.kind]`
    One(Box<RawRule>),
    /// `[[nodes.kind]]`
    Many(Vec<RawRule>),
}

/// A base of a type.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RawBase {
    /// Where the bases stand.
    pub at: String,
    /// `extends`, `implements`, `mixin` or `embeds`.
    pub kind: String,
    /// The base is the type written around.
    pub around: bool,
}

/// One rule. Fields that are selectors say where the part stands.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[allow(missing_docs)]
pub struct RawRule {
    pub role: Role,
    // Conditions
    pub when: Vec<String>,
    pub unless: Vec<String>,
    pub inside: Vec<String>,
    pub scope: Vec<String>,
    pub as_field: Vec<String>,
    #[serde(rename = "where")]
    pub text: BTreeMap<String, Vec<String>>,
    // Selectors
    pub name: String,
    pub object: String,
    pub callee: String,
    pub arguments: String,
    pub block: String,
    pub type_arguments: String,
    #[serde(rename = "type")]
    pub type_: String,
    pub value: String,
    pub body: String,
    pub parameters: String,
    pub returns: String,
    pub type_parameters: String,
    pub constraints: String,
    pub owner: String,
    pub receiver: String,
    pub target: String,
    pub key: String,
    pub items: String,
    pub module: String,
    pub alias: String,
    pub operator: String,
    pub left: String,
    pub right: String,
    pub default: String,
    pub interface: String,
    pub bases: Vec<RawBase>,
    pub exported: String,
    pub optional: String,
    pub marks: String,
    pub members: String,
    pub promoted: String,
    // Words
    pub kind: String,
    pub member_kind: String,
    pub flags: Vec<String>,
    pub site: Vec<String>,
    pub runs: Vec<String>,
    pub declares: Declares,
    pub wrap: Wrap,
    pub head: Head,
    pub late: Late,
    pub method: String,
    pub split: String,
    pub prefix: String,
    pub implicit: String,
    pub strip: String,
    pub space: BTreeMap<String, u8>,
    pub visibility: String,
    // Switches
    pub path: bool,
    pub names_functions: bool,
    pub owns_lambdas: bool,
    pub in_type: bool,
    pub value_last: bool,
    pub default_item: bool,
    pub last_name: bool,
    pub field: bool,
    pub constructs: bool,
    pub scoped: bool,
    pub local: bool,
    pub reads: String,
    pub writes: String,
    pub callables_only: bool,
    pub first_only: bool,
    pub each: bool,
}

/// Flags that go with a name.
pub type NameFlags = BTreeMap<String, Vec<String>>;

/// Documentation of definitions.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RawDocs {
    /// Where the documentation stands inside a definition.
    pub inside: String,
    /// Where the documentation of the whole file stands.
    pub module: String,
    /// Kinds of comments that may stand before a definition.
    pub comments: Vec<String>,
    /// How such a comment starts, if not every comment counts.
    pub starts: Vec<String>,
    /// Kinds that may stand between.
    pub between: Vec<String>,
    /// Tags that are followed by the type of a result (`@return`).
    pub return_tags: Vec<String>,
    /// Tags that are followed by the type of a variable (`@var`).
    pub type_tags: Vec<String>,
    /// Tags that are followed by a parameter's type and name (`@param`).
    pub parameter_tags: Vec<String>,
}

/// How tests are known.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RawTests {
    /// Names of functions.
    pub functions: Vec<String>,
    /// Names of methods.
    pub methods: Vec<String>,
    /// Names of classes.
    pub classes: Vec<String>,
    /// Decorators or attributes.
    pub decorators: Vec<String>,
    /// Called names that hold tests in callbacks.
    pub calls: Vec<String>,
    /// Paths.
    pub paths: Vec<String>,
}

/// Visibility of symbols.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RawVisibility {
    /// Where nothing else is said.
    pub default: String,
    /// Members of types, where it differs.
    pub members: String,
    /// Pattern and visibility, first match counts.
    pub names: Vec<(String, String)>,
}

/// What is said about names and parameters.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RawNames {
    /// Names that stand for the object or class at hand: text → `this`, `super`, `self_type`, `static_type`.
    pub receivers: BTreeMap<String, String>,
    /// Calls of a name that give the object at hand: Python's `super()`.
    pub receiver_calls: BTreeMap<String, String>,
    /// The first parameter of a method is its receiver.
    pub first_parameter_is_receiver: bool,
    /// Parameters after a variadic one are by name only.
    pub keyword_after_variadic: bool,
    /// Names of constants.
    pub constants: Vec<String>,
    /// Names that mean a constant where they stand in a pattern.
    pub pattern_constants: Vec<String>,
    /// Names that declare nothing (`_`).
    pub ignored: Vec<String>,
    /// Name of a function → flags.
    pub functions: NameFlags,
    /// The list of public names (`__all__`).
    pub public_list: String,
    /// A string where a type is expected is read as a name.
    pub types_in_strings: bool,
    /// What is put before the text of such a string that is more than a name, to read it as source.
    pub type_prefix: String,
    /// Texts of objects whose members are exports (`exports`, `module.exports`).
    pub export_objects: Vec<String>,
    /// Texts that, assigned to, replace the module (`module.exports`).
    pub export_whole: Vec<String>,
}

/// Conditions under which files and definitions belong to a build.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RawConditions {
    /// What a comment at the top of the file that holds one begins with.
    pub comment: String,
    /// Decorators that hold one in parentheses.
    pub decorators: Vec<String>,
    /// Macros whose items are left out of the ordinary build.
    pub macros: Vec<String>,
    /// What is given in the ordinary build: patterns of names, and of `name=value`.
    pub given: Vec<String>,
    /// What is never given in it. Where anything is listed here, of all else it is not known.
    pub never: Vec<String>,
    /// Node kinds of which one branch is taken → where the first one's condition stands.
    pub groups: BTreeMap<String, String>,
    /// Node kinds of their further branches → where the condition of each stands, empty for the last resort.
    pub alternatives: BTreeMap<String, String>,
    /// Words that begin a group whose condition must not hold (`#ifndef`).
    pub negated: Vec<String>,
    /// Macros whose variables are keys to what they are declared to hold (`thread_local`).
    pub keys: Vec<String>,
}

/// A node with parts that are only reached if a condition holds, or fails.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[allow(missing_docs)]
pub struct RawNarrowing {
    pub kind: String,
    pub operator: String,
    pub words: Vec<String>,
    pub condition: String,
    pub holds: String,
    pub fails: String,
    pub asserts: bool,
    pub subject: String,
    pub of: String,
}

/// An expression that says something of a type where it holds.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[allow(missing_docs)]
pub struct RawTypeTest {
    pub kind: String,
    pub operator: String,
    pub words: Vec<String>,
    pub means: TestMeaning,
    pub subject: String,
    pub of: String,
}

/// Where conditions say of which type a value is.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RawTypeTests {
    /// Nodes with parts that a condition guards.
    pub at: Vec<RawNarrowing>,
    /// Conditions.
    pub tests: Vec<RawTypeTest>,
    /// Kinds that only bracket a condition.
    pub bracketing: Vec<String>,
    /// Kinds of statements that leave what is around.
    pub leaving: Vec<String>,
}

/// Script blocks in a file of another form.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RawEmbedded {
    /// Tags whose content is source.
    pub tags: Vec<String>,
}

/// Names that stand inside declarators (`*name`, `(*name)(int)`, `name[3]`).
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RawDeclarators {
    /// The field that leads inwards.
    pub field: String,
    /// Kinds that make a function of it.
    pub functions: Vec<String>,
    /// Kinds that make a pointer or array of it.
    pub pointers: Vec<String>,
    /// Kinds that only bracket it.
    pub brackets: Vec<String>,
    /// The kind of the word, beside a type, that says that it is constant (`const`).
    pub constant: String,
}

/// What a pre-pass blanks before the parser sees the text: see `extract/src/prepass.rs`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RawPreprocess {
    /// Names that look like macros.
    pub macros: Vec<String>,
    /// Names that look like macros but are types or operators.
    pub keep: Vec<String>,
    /// Beginnings of what attribute macros stand for.
    pub attributes: Vec<String>,
    /// Words that say nothing about the type.
    pub qualifiers: Vec<String>,
    /// Words that are types.
    pub types: Vec<String>,
    /// Words before the name of a type.
    pub tags: Vec<String>,
    /// Words that begin statements or stand in expressions.
    pub control: Vec<String>,
    /// Words among these that begin a declaration.
    pub openers: Vec<String>,
    /// Types may have arguments in angles.
    pub angles: bool,
}

/// Everything in one `language.toml`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[allow(missing_docs)]
pub struct LanguageData {
    pub name: String,
    pub family: String,
    pub extends: String,
    pub extensions: Vec<String>,
    pub file_names: Vec<String>,
    pub content_markers: Vec<String>,
    pub parser: String,
    pub wrappers: Vec<String>,
    pub lone_wrappers: Vec<String>,
    pub decorators: Vec<String>,
    pub comments: Vec<String>,
    pub modifier_groups: Vec<String>,
    pub through: Vec<String>,
    pub tokens: BTreeMap<String, Vec<String>>,
    pub exported_by: Vec<String>,
    pub default_token: String,
    pub modifiers: NameFlags,
    pub decorator_flags: NameFlags,
    pub operators: BTreeMap<String, String>,
    pub names: RawNames,
    pub docs: RawDocs,
    pub tests: RawTests,
    pub visibility: RawVisibility,
    pub conditions: RawConditions,
    pub type_tests: RawTypeTests,
    pub embedded: RawEmbedded,
    pub declarators: RawDeclarators,
    pub preprocess: RawPreprocess,
    /// Where code stands that may be left out: kind of a node around it → selectors. Where something is said here,
    /// the order of assignments is followed.
    pub branches: BTreeMap<String, String>,
    /// Kinds of loops.
    pub loops: Vec<String>,
    /// Kinds of which only one branch runs.
    pub exclusive: Vec<String>,
    /// Variables and fields have the types that are declared: what they are given matters only where it is a function.
    pub declared_types: bool,
    /// A text with syntax errors is read with the first branch of each `#if` alone, if that has fewer.
    pub first_branches: bool,
    pub resolution: LanguageRules,
    pub nodes: BTreeMap<String, OneOrMany>,
    #[serde(skip)]
    pub own_nodes: Vec<String>,
}
