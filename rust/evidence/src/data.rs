//! The form of `evidence.toml`, and what it becomes against a language's parser.

use mmcg_lang::{Language, Pattern};
use serde::Deserialize;
use std::collections::BTreeMap;

include!(concat!(env!("OUT_DIR"), "/files.rs"));

type Words = BTreeMap<String, String>;
type Tools = BTreeMap<String, Vec<String>>;

/// How tests are known that are no functions of their name.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RawTests {
    /// Calls whose first argument names a test and whose last one is its body.
    pub calls: Vec<String>,
    /// Calls among the definitions of a file or module whose first argument, a name, is that of a test.
    pub named: Vec<String>,
    /// Calls whose first argument names a group of tests.
    pub groups: Vec<String>,
    /// Calls whose body is the block behind them.
    pub blocks: Vec<String>,
    /// Definitions whose name is a macro and whose parameters make the test's name.
    pub macros: Vec<String>,
    /// Definitions that are tests by an attribute: patterns on its text.
    pub attributes: Vec<String>,
    /// Definitions that are tests by a line of their documentation.
    pub docs: Vec<String>,
    /// Functions are tests only where something names them: no runner finds them by their names.
    pub registered: bool,
}

/// How assertions are known. Patterns are on heads: what is called, with what stands in brackets left out.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RawAssertions {
    /// Node kinds.
    pub statements: Vec<String>,
    /// Functions of a library: their arguments are what is checked.
    pub calls: Vec<String>,
    /// Methods of what is checked: patterns on the last name.
    pub methods: Vec<String>,
    /// Beginnings of chains: what is given to them, and to the chain, is checked.
    pub fluent: Vec<String>,
    /// Heads of chains of which a single argument is a whole assertion already.
    pub whole: Vec<String>,
    /// First words of lines of a function's documentation that say what it must throw.
    pub docs: Vec<String>,
    /// Calls that fail where they are reached.
    pub fails: Vec<String>,
    /// Node kinds that fail where they are reached.
    pub throws: Vec<String>,
    /// Forms that check that something is thrown or called: their arguments may be constants.
    pub raises: Vec<String>,
    /// Forms that cannot fail.
    pub never: Vec<String>,
    /// Heads that fit a pattern and assert nothing.
    pub other: Vec<String>,
    /// Forms, by their last name, that say little about a value.
    pub weak: Vec<String>,
    /// Forms, by their last name, that two equal operands do not always satisfy.
    pub unequal: Vec<String>,
    /// Operands that are no values.
    pub context: Vec<String>,
    /// Functions around an operand that leave it as it is.
    pub wrappers: Vec<String>,
    /// Attributes of a test that are assertions: patterns on their text.
    pub attributes: Vec<String>,
    /// Calls, by their head, that fail by the way.
    pub implicit: Vec<String>,
    /// Node kinds that fail by the way.
    pub implicit_nodes: Vec<String>,
    /// Node kinds that catch what is thrown inside, and the kinds of their handlers.
    pub catching: BTreeMap<String, Vec<String>>,
}

/// How marks on tests are known: pattern → `skip`, `conditional`, `expected_failure`, `only`, `todo`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RawMarks {
    /// On an attribute's text.
    pub attributes: Words,
    /// On a call's head.
    pub calls: Words,
    /// On the head of the call that makes a test or a group.
    pub tests: Words,
    /// On a test's name.
    pub names: Words,
    /// On the text of an argument of the call that makes a test.
    pub arguments: Words,
    /// On an assignment's text.
    pub assignments: Words,
}

/// How suppressions are known: pattern → the tools that obey them.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RawSuppressions {
    /// Beginnings of comments; with `*` before them, anywhere in one.
    pub comments: Tools,
    /// On an attribute's text.
    pub attributes: Tools,
    /// On a call's text.
    pub calls: Tools,
    /// On the text of a node of `directives`.
    pub texts: Tools,
    /// Node kinds.
    pub directives: Vec<String>,
    /// Those that fail where there is nothing to suppress: in tests they are assertions.
    pub expecting: Vec<String>,
}

/// Everything in one `evidence.toml`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RawEvidence {
    /// The language whose data it continues.
    pub extends: String,
    /// Node kinds of attributes, annotations and decorators.
    pub attributes: Vec<String>,
    /// Node kinds of a call's arguments, where they may stand without brackets.
    pub arguments: Vec<String>,
    /// Words that are constants although the grammar knows them as names only.
    pub constants: Vec<String>,
    /// A list in parentheses is a value, and true.
    pub tuples: bool,
    pub tests: RawTests,
    pub assertions: RawAssertions,
    pub marks: RawMarks,
    pub suppressions: RawSuppressions,
}

/// Patterns of which one must fit.
#[derive(Debug, Default)]
pub struct Any(Vec<Pattern>);

impl Any {
    fn new(texts: &[String]) -> Self {
        Self(texts.iter().map(|t| Pattern::new(t)).collect())
    }

    /// Whether a text fits.
    pub fn fits(&self, text: &str) -> bool {
        self.0.iter().any(|p| p.matches(text))
    }
}

/// Patterns with what they mean.
#[derive(Debug)]
pub struct Mapped<T>(Vec<(Pattern, String, T)>);

impl<T> Default for Mapped<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T: Clone> Mapped<T> {
    fn new(raw: &BTreeMap<String, T>) -> Self {
        // The longest pattern says most.
        let mut list: Vec<_> =
            raw.iter().map(|(text, value)| (Pattern::new(text), text.clone(), value.clone())).collect();
        list.sort_by_key(|(_, text, _)| std::cmp::Reverse(text.len()));
        Self(list)
    }

    /// The pattern that fits, as written, and what it means.
    pub fn get(&self, text: &str) -> Option<(&str, &T)> {
        self.0.iter().find(|(p, _, _)| p.matches(text)).map(|(_, text, value)| (text.as_str(), value))
    }
}

/// A set of node kinds.
#[derive(Debug, Default)]
pub struct Kinds(Vec<bool>);

impl Kinds {
    fn new(names: &[String], parser: &tree_sitter::Language, wrong: &mut Vec<String>) -> Self {
        let mut set = vec![false; parser.node_kind_count()];
        for name in names {
            // A name may have several kinds.
            let ids = (0..set.len() as u16).filter(|&id| parser.node_kind_for_id(id) == Some(name));
            let found: Vec<u16> = ids.collect();
            if found.is_empty() {
                wrong.push(format!("the grammar has no node `{name}`"));
            }
            found.into_iter().for_each(|id| set[id as usize] = true);
        }
        Self(set)
    }

    /// The kinds with a word in their names.
    fn named(word: &str, parser: &tree_sitter::Language) -> Self {
        let kinds = 0..parser.node_kind_count() as u16;
        Self(kinds.map(|id| parser.node_kind_for_id(id).is_some_and(|name| name.contains(word))).collect())
    }

    /// Whether it holds a kind.
    pub fn has(&self, kind: u16) -> bool {
        self.0.get(kind as usize).copied().unwrap_or(false)
    }
}

/// A language's evidence data, compiled against its parser.
#[derive(Debug, Default)]
#[allow(missing_docs)]
pub struct Data {
    /// What is left out of heads.
    pub type_arguments: Kinds,
    pub attributes: Kinds,
    pub arguments: Kinds,
    pub constants: Vec<String>,
    pub tuples: bool,
    pub test_calls: Any,
    pub test_groups: Any,
    pub test_named: Any,
    pub test_blocks: Any,
    pub test_macros: Any,
    pub test_attributes: Any,
    pub test_docs: Vec<String>,
    pub registered: bool,
    pub statements: Kinds,
    pub calls: Any,
    pub methods: Any,
    pub fluent: Any,
    pub whole: Any,
    pub asserting_docs: Vec<String>,
    pub fails: Any,
    pub throws: Kinds,
    pub raises: Any,
    pub never: Any,
    pub other: Any,
    pub weak: Any,
    pub unequal: Any,
    pub context: Any,
    pub wrappers: Any,
    pub asserting_attributes: Any,
    pub implicit: Any,
    pub implicit_nodes: Kinds,
    pub catching: Vec<(Kinds, Kinds)>,
    pub mark_attributes: Mapped<String>,
    pub mark_calls: Mapped<String>,
    pub mark_tests: Mapped<String>,
    pub mark_names: Mapped<String>,
    pub mark_arguments: Mapped<String>,
    pub mark_assignments: Mapped<String>,
    pub comments: Vec<(String, bool, Vec<String>)>,
    pub quiet_attributes: Mapped<Vec<String>>,
    pub quiet_calls: Mapped<Vec<String>>,
    pub quiet_texts: Mapped<Vec<String>>,
    pub directives: Kinds,
    pub expecting: Vec<String>,
}

/// The data of a language with what it inherits; languages without any have none to find.
pub fn read(language: &str) -> Result<Option<RawEvidence>, String> {
    let Some(mut merged) = table(language)? else { return Ok(None) };
    let mut base = merged.get("extends").and_then(|v| v.as_str()).unwrap_or_default().to_owned();
    for _ in 0..8 {
        if base.is_empty() {
            break;
        }
        let mut below = table(&base)?.ok_or_else(|| format!("{language}: `{base}` has no evidence.toml"))?;
        base = below.get("extends").and_then(|v| v.as_str()).unwrap_or_default().to_owned();
        for (key, value) in merged {
            match (below.get_mut(&key), value) {
                (Some(toml::Value::Table(under)), toml::Value::Table(over)) => under.extend(over),
                (_, value) => {
                    below.insert(key, value);
                }
            }
        }
        merged = below;
    }
    merged.try_into().map(Some).map_err(|e| format!("{language}: {e}"))
}

fn table(language: &str) -> Result<Option<toml::Table>, String> {
    let text = FILES.iter().find(|(name, _)| *name == language).map(|(_, text)| *text);
    text.map(|t| t.parse().map_err(|e| format!("{language}: {e}"))).transpose()
}

/// Compiles a language's data; what its parser does not know is named.
pub fn compile(language: &Language) -> (Data, Vec<String>) {
    let mut wrong = Vec::new();
    let (raw, parser) = match (read(language.name), language.parser()) {
        (Ok(Some(raw)), Some(parser)) => (raw, parser),
        (Err(error), _) => return (Data::default(), vec![error]),
        _ => return (Data::default(), wrong),
    };
    let mut kinds = |names: &[String]| Kinds::new(names, &parser, &mut wrong);
    let RawEvidence { tests, assertions: a, marks: m, suppressions: s, .. } = &raw;
    let catching = a.catching.iter().map(|(k, h)| (kinds(std::slice::from_ref(k)), kinds(h))).collect();
    let data = Data {
        type_arguments: Kinds::named("type_argument", &parser),
        attributes: kinds(&raw.attributes),
        arguments: kinds(&raw.arguments),
        constants: raw.constants.clone(),
        tuples: raw.tuples,
        test_calls: Any::new(&tests.calls),
        test_groups: Any::new(&tests.groups),
        test_named: Any::new(&tests.named),
        test_blocks: Any::new(&tests.blocks),
        test_macros: Any::new(&tests.macros),
        test_attributes: Any::new(&tests.attributes),
        test_docs: tests.docs.clone(),
        registered: tests.registered,
        statements: kinds(&a.statements),
        calls: Any::new(&a.calls),
        methods: Any::new(&a.methods),
        fluent: Any::new(&a.fluent),
        whole: Any::new(&a.whole),
        asserting_docs: a.docs.clone(),
        fails: Any::new(&a.fails),
        throws: kinds(&a.throws),
        raises: Any::new(&a.raises),
        never: Any::new(&a.never),
        other: Any::new(&a.other),
        weak: Any::new(&a.weak),
        unequal: Any::new(&a.unequal),
        context: Any::new(&a.context),
        wrappers: Any::new(&a.wrappers),
        asserting_attributes: Any::new(&a.attributes),
        implicit: Any::new(&a.implicit),
        implicit_nodes: kinds(&a.implicit_nodes),
        catching,
        mark_attributes: Mapped::new(&m.attributes),
        mark_calls: Mapped::new(&m.calls),
        mark_tests: Mapped::new(&m.tests),
        mark_names: Mapped::new(&m.names),
        mark_arguments: Mapped::new(&m.arguments),
        mark_assignments: Mapped::new(&m.assignments),
        comments: s.comments.iter().map(|(text, tools)| comment(text, tools)).collect(),
        quiet_attributes: Mapped::new(&s.attributes),
        quiet_calls: Mapped::new(&s.calls),
        quiet_texts: Mapped::new(&s.texts),
        directives: kinds(&s.directives),
        expecting: s.expecting.clone(),
    };
    (data, wrong)
}

fn comment(text: &str, tools: &[String]) -> (String, bool, Vec<String>) {
    let anywhere = text.strip_prefix('*');
    (anywhere.unwrap_or(text).to_owned(), anywhere.is_some(), tools.to_vec())
}
