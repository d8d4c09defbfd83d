//! A symbol's parameters as JSON, and how many arguments it takes.

use super::render::Render;
use mmcg_facts::{FileFacts, Param, ParamKind, Symbol};
use serde::Serialize;

#[derive(Serialize)]
struct Row<'a> {
    name: &'a str,
    kind: &'static str,
    required: bool,
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    declared: Option<String>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    default: bool,
}

fn params<'a>(facts: &'a FileFacts, symbol: &Symbol) -> &'a [Param] {
    &facts.params[symbol.params.start as usize..symbol.params.end as usize]
}

/// The parameters as a JSON array of `{name, kind, required, type?, default?}`.
pub fn parameters(facts: &FileFacts, symbol: &Symbol, render: &Render<'_>) -> String {
    let rows: Vec<Row<'_>> = params(facts, symbol)
        .iter()
        .map(|param| Row {
            name: facts.name(param.name),
            kind: word(param.kind),
            required: param.required,
            declared: param.declared.map(|declared| render.text(declared)),
            default: param.default.is_some(),
        })
        .collect();
    serde_json::to_string(&rows).unwrap_or_default()
}

fn word(kind: ParamKind) -> &'static str {
    match kind {
        ParamKind::Receiver => "receiver",
        ParamKind::Positional => "positional",
        ParamKind::Normal => "normal",
        ParamKind::Keyword => "keyword",
        ParamKind::Variadic => "variadic",
        ParamKind::KeywordVariadic => "keyword_variadic",
    }
}

/// How many arguments a call may give, the receiver not counted.
pub struct Arity {
    /// At least.
    pub required: u16,
    /// At most; `None` if there is no bound.
    pub maximum: Option<u16>,
}

impl Arity {
    /// The arity of a symbol; 0 and 0 for what has no parameters.
    pub fn of(facts: &FileFacts, symbol: &Symbol) -> Self {
        let (mut required, mut maximum, mut bounded) = (0u16, 0u16, true);
        for param in params(facts, symbol) {
            match param.kind {
                ParamKind::Receiver => {}
                ParamKind::Variadic | ParamKind::KeywordVariadic => bounded = false,
                ParamKind::Positional | ParamKind::Normal | ParamKind::Keyword => {
                    maximum = maximum.saturating_add(1);
                    required = required.saturating_add(u16::from(param.required));
                }
            }
        }
        Self { required, maximum: bounded.then_some(maximum) }
    }
}
