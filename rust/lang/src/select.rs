//! Selectors: where, seen from a node, one of its parts stands.

use tree_sitter::Language as Parser;

/// One step of a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// `name`: children in the field.
    Field(u16),
    /// `name*`: follows the field again and again, to the last node that has none.
    Follow(u16),
    /// `#n`: the n-th named child (comments not counted).
    Nth(u16),
    /// `#-1`: the last named child.
    Last,
    /// `#`: all named children.
    All,
    /// `_`: all named children that are in no field.
    Unnamed,
    /// `@kind`: children of the kind.
    Kind(u16),
    /// `'text'`: anonymous children of the text.
    Token(u16),
    /// `^kind`: the parent, if it is of the kind.
    Up(u16),
    /// `^^kind`: the nearest node around of the kind.
    Around(u16),
    /// `<kind`: the siblings of the kind directly before (nearest last).
    Before(u16),
    /// `-kind`: the sibling directly before, if it is of the kind.
    Previous(u16),
    /// `>kind`: the siblings of the kind directly after.
    After(u16),
    /// `>`: the sibling directly after.
    Next,
    /// `:kind`: stays only if the node is of the kind.
    Is(u16),
    /// `.`: the node itself.
    Here,
}

/// Steps, one after the other.
pub type Path = Box<[Step]>;

/// Alternatives: the first path that finds something counts.
#[derive(Clone, Default, Debug)]
pub struct Selector(pub Box<[Path]>);

impl Selector {
    /// Whether nothing can be found.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Reads `a/b|@c`; unknown kinds and fields are named in `wrong` and their path is left out.
    pub fn compile(text: &str, parser: &Parser, wrong: &mut Vec<String>) -> Self {
        let paths = text.split('|').filter(|p| !p.is_empty()).filter_map(|path| {
            let mut steps = Vec::new();
            for step in path.split('/') {
                compile_step(step.trim(), parser, &mut steps).map_err(|e| wrong.push(e)).ok()?;
            }
            Some(steps.into_boxed_slice())
        });
        Self(paths.collect())
    }
}

fn compile_step(text: &str, parser: &Parser, steps: &mut Vec<Step>) -> Result<(), String> {
    let (text, filter) = match text.split_once(':') {
        Some((text, filter)) if !text.starts_with('\'') => (text, Some(filter)),
        _ => (text, None),
    };
    if let Some(token) = text.strip_prefix('\'').and_then(|t| t.strip_suffix('\'')) {
        steps.push(Step::Token(kind_id(token, false, parser)?));
    } else if let Some(kind) = text.strip_prefix('@') {
        steps.push(Step::Kind(kind_id(kind, true, parser)?));
    } else if let Some(kind) = text.strip_prefix("^^") {
        steps.push(Step::Around(kind_id(kind, true, parser)?));
    } else if let Some(kind) = text.strip_prefix('^') {
        steps.push(Step::Up(kind_id(kind, true, parser)?));
    } else if let Some(kind) = text.strip_prefix('<') {
        steps.push(Step::Before(kind_id(kind, true, parser)?));
    } else if text == ">" {
        steps.push(Step::Next);
    } else if let Some(kind) = text.strip_prefix('-') {
        steps.push(Step::Previous(kind_id(kind, true, parser)?));
    } else if let Some(kind) = text.strip_prefix('>') {
        steps.push(Step::After(kind_id(kind, true, parser)?));
    } else if text == "." || (text.is_empty() && filter.is_some()) {
        steps.push(Step::Here);
    } else if text == "#-1" {
        steps.push(Step::Last);
    } else if text == "_" {
        steps.push(Step::Unnamed);
    } else if text == "#" {
        steps.push(Step::All);
    } else if let Some(number) = text.strip_prefix('#') {
        steps.push(Step::Nth(number.parse().map_err(|_| format!("`{text}` is no step"))?));
    } else if let Some(field) = text.strip_suffix('*') {
        steps.push(Step::Follow(field_id(field, parser)?));
    } else {
        steps.push(Step::Field(field_id(text, parser)?));
    }
    if let Some(kind) = filter {
        steps.push(Step::Is(kind_id(kind, true, parser)?));
    }
    Ok(())
}

/// The id of a node kind.
pub fn kind_id(kind: &str, named: bool, parser: &Parser) -> Result<u16, String> {
    match parser.id_for_node_kind(kind, named) {
        0 => Err(format!("the grammar has no node `{kind}`")),
        // Errors have the kind that no node has.
        u16::MAX => Ok(0),
        id => Ok(id),
    }
}

fn field_id(field: &str, parser: &Parser) -> Result<u16, String> {
    parser.field_id_for_name(field).map(|f| f.get()).ok_or_else(|| format!("the grammar has no field `{field}`"))
}
