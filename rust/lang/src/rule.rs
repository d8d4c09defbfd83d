//! Rules compiled to node kind and field ids.

use crate::data::{Declares, Head, Late, Role, Wrap};
use crate::{Pattern, Selector};
use mmcg_facts::{BaseKind, LanguageRules, ReceiverKind, SiteFlags, SymbolFlags, SymbolKind, Visibility};
use rustc_hash::FxHashMap;

/// What a modifier, decorator or name says about a symbol.
#[derive(Clone, Copy, Debug, Default)]
pub struct Flags {
    /// Properties to set.
    pub set: SymbolFlags,
    /// The visibility it gives.
    pub visibility: Option<Visibility>,
    /// The kind it gives.
    pub kind: Option<SymbolKind>,
}

/// Where bases of a type stand, and of what kind they are.
#[derive(Clone, Debug)]
pub struct BaseRule {
    /// Where.
    pub at: Selector,
    /// How.
    pub kind: BaseKind,
    /// The base is the type written around.
    pub around: bool,
}

/// What a node kind means. Selectors are empty where the data says nothing.
#[derive(Clone, Debug, Default)]
#[allow(missing_docs)]
pub struct Rule {
    pub role: Role,
    pub when: Box<[Selector]>,
    pub unless: Box<[Selector]>,
    pub inside: Box<[u16]>,
    pub scope: Box<[String]>,
    pub as_field: Box<[u16]>,
    pub texts: Box<[(Selector, Vec<Pattern>)]>,
    pub name: Selector,
    pub object: Selector,
    pub callee: Selector,
    pub arguments: Selector,
    pub block: Selector,
    pub type_arguments: Selector,
    pub type_: Selector,
    pub value: Selector,
    pub body: Selector,
    pub parameters: Selector,
    pub returns: Selector,
    pub type_parameters: Selector,
    pub constraints: Selector,
    pub owner: Selector,
    pub receiver: Selector,
    pub target: Selector,
    pub key: Selector,
    pub items: Selector,
    pub module: Selector,
    pub alias: Selector,
    pub operator: Selector,
    pub left: Selector,
    pub right: Selector,
    pub default: Selector,
    pub interface: Selector,
    pub exported: Selector,
    pub optional: Selector,
    pub marks: Selector,
    pub members: Selector,
    pub promoted: Selector,
    pub bases: Box<[BaseRule]>,
    pub kind: String,
    pub symbol_kind: Option<SymbolKind>,
    pub member_kind: Option<SymbolKind>,
    pub flags: Flags,
    pub site: SiteFlags,
    pub runs: Box<[String]>,
    pub declares: Declares,
    pub wrap: Wrap,
    pub head: Head,
    pub late: Late,
    pub method: String,
    pub split: String,
    pub prefix: String,
    pub implicit: String,
    pub strip: String,
    pub space: Vec<(String, u8)>,
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

/// Names that stand inside declarators.
#[derive(Clone, Debug, Default)]
#[allow(missing_docs)]
pub struct Declarators {
    pub field: u16,
    pub functions: Vec<bool>,
    pub pointers: Vec<bool>,
    pub brackets: Vec<bool>,
    /// The kind of words that say that a type is constant; 0 for none.
    pub constant: u16,
}

/// What a word means to the pre-pass.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PreWord {
    /// `static`, `const`: says nothing about the type.
    Qualifier,
    /// `int`, `unsigned`: a type by itself.
    Type,
    /// `struct`, `class`: a tag follows.
    Tag,
    /// `if`, `return`: no declaration.
    Control,
    /// It looks like a macro and is none.
    Kept,
}

/// What the pre-pass looks for.
#[derive(Clone, Debug, Default)]
#[allow(missing_docs)]
pub struct Preprocess {
    pub active: bool,
    pub macros: Vec<Pattern>,
    pub words: FxHashMap<String, PreWord>,
    pub attributes: Vec<String>,
    pub openers: Vec<String>,
    pub angles: bool,
}

/// How tests are known.
#[derive(Clone, Debug, Default)]
#[allow(missing_docs)]
pub struct TestRules {
    pub functions: Vec<Pattern>,
    pub methods: Vec<Pattern>,
    pub classes: Vec<Pattern>,
    pub decorators: Vec<Pattern>,
    pub calls: Vec<String>,
    pub paths: Vec<Pattern>,
}

/// How documentation is found.
#[derive(Clone, Debug, Default)]
#[allow(missing_docs)]
pub struct CommentRule {
    pub inside: Selector,
    pub module: Selector,
    pub comments: Vec<u16>,
    pub starts: Vec<String>,
    pub between: Vec<u16>,
    pub return_tags: Vec<String>,
    pub type_tags: Vec<String>,
    pub parameter_tags: Vec<String>,
}

/// Where the parts of a node stand of which some are only reached if a condition holds, or fails.
#[derive(Debug)]
#[allow(missing_docs)]
pub struct Narrowing {
    pub kind: u16,
    /// Only where one of some words stands at a place.
    pub operator: Option<(Selector, Vec<String>)>,
    pub condition: Selector,
    pub holds: Selector,
    pub fails: Selector,
    /// What comes behind is only reached if it holds.
    pub asserts: bool,
    /// The condition is not written: what is asked, and the type.
    pub subject: Selector,
    pub of: Selector,
}

/// What an expression says of a type where it holds.
#[derive(Debug)]
#[allow(missing_docs)]
pub struct TypeTest {
    pub kind: u16,
    pub operator: Selector,
    pub words: Vec<String>,
    pub means: TestMeaning,
    pub subject: Selector,
    pub of: Selector,
}

/// The meaning of a condition.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TestMeaning {
    /// The subject is of a type, or a function says so of it.
    #[default]
    Is,
    /// The subject is not of a type.
    IsNot,
    /// The opposite of the subject.
    Not,
    /// Both parts hold.
    And,
    /// One of the parts holds.
    Or,
}

/// A language's data, compiled against its parser.
#[derive(Debug)]
#[allow(missing_docs)]
pub struct Tables {
    pub parser: tree_sitter::Language,
    /// By node kind: first of the kind's rules, and how many there are.
    pub by_kind: Vec<(u16, u16)>,
    pub rules: Vec<Rule>,
    /// By kind: what in it may be left out, if anything.
    pub branches: Vec<Option<Box<Selector>>>,
    /// Kinds of loops.
    pub loops: Vec<bool>,
    /// Kinds of which only one branch runs.
    pub exclusive: Vec<bool>,
    /// Kinds that belong to the definition inside them.
    pub wrappers: Vec<bool>,
    /// Kinds that belong to the definition inside them where they hold only one.
    pub lone_wrappers: Vec<bool>,
    /// By kind: whether it has a name in the grammar (1), is a literal (2), is a comment (4).
    pub kinds: Vec<u8>,
    /// Kinds that `field*` goes through.
    pub through: Vec<bool>,
    /// Kinds whose children are looked through for modifiers.
    pub modifier_groups: Vec<bool>,
    /// Kinds around a definition that export it.
    pub exported_by: Vec<bool>,
    /// Kinds that make a block a scope when they stand in it.
    pub declaring: Vec<bool>,
    pub default_token: String,
    pub decorators: Vec<Selector>,
    pub modifiers: FxHashMap<String, Flags>,
    pub decorator_flags: Vec<(Pattern, Flags)>,
    pub name_flags: Vec<(Pattern, Flags)>,
    pub operators: FxHashMap<String, String>,
    pub receivers: FxHashMap<String, ReceiverKind>,
    pub receiver_calls: FxHashMap<String, ReceiverKind>,
    pub first_parameter_is_receiver: bool,
    pub keyword_after_variadic: bool,
    pub constants: Vec<Pattern>,
    pub pattern_constants: Vec<Pattern>,
    pub ignored: Vec<String>,
    pub tokens: Vec<(String, String, String)>,
    pub public_list: String,
    pub types_in_strings: bool,
    /// What is put before the text of a type to read it as source.
    pub type_prefix: String,
    pub narrowings: Vec<Narrowing>,
    pub type_tests: Vec<TypeTest>,
    /// Kinds that only bracket a condition.
    pub bracketing: Vec<u16>,
    /// Kinds of statements that leave what is around.
    pub leaving: Vec<u16>,
    pub export_objects: Vec<String>,
    pub export_whole: Vec<String>,
    pub docs: CommentRule,
    pub tests: TestRules,
    pub visibility: Visibility,
    pub member_visibility: Visibility,
    pub visible_names: Vec<(Pattern, Visibility)>,
    pub embedded_tags: Vec<String>,
    pub declarators: Declarators,
    pub preprocess: Preprocess,
    pub declared_types: bool,
    /// A text with syntax errors is read with the first branch of each `#if` alone, if that has fewer.
    pub first_branches: bool,
    /// See `RawConditions`.
    pub condition_comment: String,
    pub condition_decorators: Vec<String>,
    pub condition_macros: Vec<Pattern>,
    pub given: Vec<Pattern>,
    pub never: Vec<Pattern>,
    /// By kind: where its condition stands, and whether it is a further branch of a group. Empty where there are none.
    pub groups: Vec<Option<(Selector, bool)>>,
    pub negated: Vec<String>,
    pub key_macros: Vec<String>,
    pub constructors: Vec<String>,
    pub resolution: LanguageRules,
}

impl Tables {
    /// The rules of a node kind.
    pub fn rules_of(&self, kind: u16) -> &[Rule] {
        match self.by_kind.get(kind as usize) {
            Some(&(first, count)) => &self.rules[first as usize..(first + count) as usize],
            None => &[],
        }
    }
}

impl Rule {
    /// Whether a word of a macro's text is no function: it is listed in the rule's words.
    pub fn texts_skip(&self, word: &str) -> bool {
        self.split.split(' ').any(|w| w == word)
    }

    /// Whether it holds only under conditions.
    pub fn conditional(&self) -> bool {
        !(self.when.is_empty()
            && self.unless.is_empty()
            && self.inside.is_empty()
            && self.scope.is_empty()
            && self.as_field.is_empty()
            && self.texts.is_empty())
    }
}
