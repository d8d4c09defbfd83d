//! One file's text and its language → `FileFacts`. Pure: no I/O, no failure, no language by name.
//!
//! The parsed tree is copied once into a flat array (`tree`); one walk over it (`walk`) asks the language's tables what
//! each node means, opens scopes and symbols on the way in (`define`, `assign`, `imports`) and makes values of values
//! on the way out (`expressions`); `finish` puts everything in order.

mod assign;
mod bodies;
#[allow(missing_docs)]
mod build;
mod columns;
mod conditions;
mod declare;
#[allow(missing_docs)]
mod define;
mod doctypes;
mod expressions;
mod finish;
mod first_branches;
mod flatten;
mod groups;
mod implicit;
mod imports;
mod macro_text;
mod narrow;
mod params;
mod paths;
mod patterns;
mod prepass;
mod prune;
mod symbols;
mod text;
mod tokens;
#[allow(missing_docs)]
pub mod tree;
mod walk;

use build::{Build, NONE};
use mmcg_facts::{ExprId, FileFacts, Names, Problem, ProblemCode};
use mmcg_lang::{Language, Tables};
use std::borrow::Cow;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tree::Tree;

/// The parser reports after each hundred steps. So many reports a byte, and this many beside, a parse may take: many
/// times what a text needs that is of the language. Time is no limit, or facts would depend on the machine.
const REPORTS_A_BYTE: usize = 1;
const REPORTS_BESIDE: usize = 100_000;

/// Extracts facts; keeps its parser and buffers from file to file. One a thread.
#[derive(Default)]
pub struct Extractor {
    parsers: Vec<(&'static str, tree_sitter::Parser)>,
    tree: Tree,
    values: Vec<ExprId>,
    facts: FileFacts,
    /// Time spent parsing and extracting, for measurements.
    pub times: (Duration, Duration),
}

/// The facts of one file.
pub fn extract(source: &str, language: &'static Language) -> FileFacts {
    Extractor::default().extract(source, language)
}

impl Extractor {
    /// The facts of one file.
    pub fn extract(&mut self, source: &str, language: &'static Language) -> FileFacts {
        let Some(tables) = language.tables() else {
            return failed(source, ProblemCode::Internal, format!("no parser for `{}`", language.name));
        };
        let mut source = one_line_end(source);
        let begin = Instant::now();
        let prepared = match tables.preprocess.active {
            true => prepass::prepared(&source, &tables.preprocess),
            false => Cow::Borrowed(&*source),
        };
        let Some(mut parsed) = self.parse(&prepared, language.name, tables) else {
            return failed(&source, ProblemCode::TooDeep, "the parser took too long".to_owned());
        };
        drop(prepared);
        let mut left_out = false;
        if tables.first_branches && parsed.root_node().has_error() {
            if let Some(text) = first_branches::first_branches(&source) {
                let again = self.parse(&text, language.name, tables);
                if let Some(again) = again.filter(|again| errors(again) < errors(&parsed)) {
                    (parsed, source, left_out) = (again, Cow::Owned(text), true);
                }
            }
        }
        let middle = Instant::now();
        self.tree.nodes.clear();
        let root = self.tree.append(&parsed, tables, tree::Shift::default());
        self.values.clear();
        self.values.resize(self.tree.nodes.len(), NONE);
        let parser = self.parsers.iter_mut().find(|(n, _)| *n == language.name).map(|(_, p)| p);
        let parser = parser.expect("it has just parsed");
        let _ = parser.set_included_ranges(&[]);
        let mut parse = |text: &str| parser.parse(text, None);
        let facts = std::mem::take(&mut self.facts);
        let mut build = Build::new(&source, tables, &mut self.tree, &mut self.values, &mut parse, facts);
        build.broken = parsed.root_node().has_error();
        build.add_module(root);
        build.walk(root);
        self.facts = build.finish();
        if left_out {
            let message =
                "only the first branch of each `#if` was read: the text is not of the language with all".into();
            self.facts.problems.push(Problem { code: ProblemCode::SyntaxError, line: 1, message });
        }
        // A copy has no more room than it needs, and the room here serves the next file.
        let facts = self.facts.clone();
        let facts = FileFacts { names: Arc::new(Names::clone(&facts.names)), ..facts };
        self.facts.clear();
        self.times.0 += middle - begin;
        self.times.1 += middle.elapsed();
        facts
    }

    /// The tree of the last file, with what was parsed apart at its end. Its places are those of the text that was given.
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    fn parse(&mut self, source: &str, name: &'static str, tables: &Tables) -> Option<tree_sitter::Tree> {
        let index = match self.parsers.iter().position(|(n, _)| *n == name) {
            Some(index) => index,
            None => {
                let mut parser = tree_sitter::Parser::new();
                parser.set_language(&tables.parser).ok()?;
                self.parsers.push((name, parser));
                self.parsers.len() - 1
            }
        };
        let parser = &mut self.parsers[index].1;
        let ranges = embedded_ranges(source, &tables.embedded_tags);
        parser.set_included_ranges(&ranges).ok()?;
        let mut left = source.len() * REPORTS_A_BYTE + REPORTS_BESIDE;
        let mut progress = |_: &tree_sitter::ParseState| {
            left = left.saturating_sub(1);
            if left > 0 {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(())
            }
        };
        let options = tree_sitter::ParseOptions::new().progress_callback(&mut progress);
        let bytes = source.as_bytes();
        let mut read = |at: usize, _| bytes.get(at..).unwrap_or_default();
        let tree = parser.parse_with_options(&mut read, None, Some(options));
        if tree.is_none() {
            parser.reset();
        }
        tree
    }
}

/// How many places of a tree the grammar has no sense for.
fn errors(tree: &tree_sitter::Tree) -> usize {
    let mut cursor = tree.walk();
    let mut found = 0;
    loop {
        let node = cursor.node();
        found += usize::from(node.is_error() || node.is_missing());
        // Only what holds an error is gone into.
        if node.has_error() && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return found;
            }
        }
    }
}

/// Line ends of old (`\r` alone) become new ones: positions stay.
fn one_line_end(source: &str) -> Cow<'_, str> {
    let bytes = source.as_bytes();
    let old = |i: usize| bytes[i] == b'\r' && bytes.get(i + 1) != Some(&b'\n');
    if !bytes.contains(&b'\r') || !(0..bytes.len()).any(old) {
        return Cow::Borrowed(source);
    }
    let mut text = String::with_capacity(source.len());
    let mut chars = source.chars().peekable();
    while let Some(c) = chars.next() {
        text.push(if c == '\r' && chars.peek() != Some(&'\n') { '\n' } else { c });
    }
    Cow::Owned(text)
}

/// The insides of `<script>` blocks; no range means the whole text.
fn embedded_ranges(source: &str, tags: &[String]) -> Vec<tree_sitter::Range> {
    let mut ranges = Vec::new();
    if tags.is_empty() {
        return ranges;
    }
    let mut from = 0;
    while let Some(open) = tags.iter().filter_map(|t| Some((source[from..].find(&format!("<{t}"))? + from, t))).min() {
        let (at, tag) = open;
        let Some(begin) = source[at..].find('>').map(|i| at + i + 1) else { break };
        let end = source[begin..].find(&format!("</{tag}")).map_or(source.len(), |i| begin + i);
        let point = |byte: usize| {
            let row = source[..byte].bytes().filter(|&b| b == b'\n').count();
            let column = byte - source[..byte].rfind('\n').map_or(0, |i| i + 1);
            tree_sitter::Point { row, column }
        };
        ranges.push(tree_sitter::Range {
            start_byte: begin,
            end_byte: end,
            start_point: point(begin),
            end_point: point(end),
        });
        from = end;
    }
    if ranges.is_empty() {
        // No block: nothing of the text is source.
        let end = source.len();
        let row = source.bytes().filter(|&b| b == b'\n').count();
        let point = tree_sitter::Point { row, column: end - source.rfind('\n').map_or(0, |i| i + 1) };
        ranges.push(tree_sitter::Range { start_byte: end, end_byte: end, start_point: point, end_point: point });
    }
    ranges
}

/// The facts of a file that could not be read.
fn failed(source: &str, code: ProblemCode, message: String) -> FileFacts {
    let mut facts = empty(source);
    facts.problems.push(Problem { code, line: 1, message });
    facts
}

/// The facts of a file of which nothing is known: its module alone.
pub fn empty(source: &str) -> FileFacts {
    let lines = source.lines().count() as u32;
    let mut facts = FileFacts { lines, ..FileFacts::default() };
    let names = std::sync::Arc::make_mut(&mut facts.names);
    let name = names.push("");
    debug_assert_eq!(name, mmcg_facts::NameId(0));
    let module = names.push("<module>");
    let signature = facts.texts.push("");
    facts.scopes.push(mmcg_facts::Scope {
        kind: mmcg_facts::ScopeKind::File,
        parent: None,
        symbol: mmcg_facts::SymbolId(0),
    });
    facts.exprs.push(mmcg_facts::Expr::Unknown);
    facts.places.push(mmcg_facts::Place::new(1, 1, mmcg_facts::UseKind::None));
    facts.symbols.push(mmcg_facts::Symbol {
        name: module,
        qualified: module,
        kind: mmcg_facts::SymbolKind::Module,
        container: None,
        scope: mmcg_facts::ScopeId(0),
        body: Some(mmcg_facts::ScopeId(0)),
        owner: None,
        span: mmcg_facts::Span { start: 0, end: source.len() as u32, line: 1, end_line: lines.max(1) },
        place: mmcg_facts::Place::new(1, 1, mmcg_facts::UseKind::None),
        params: 0..0,
        declared: None,
        value: None,
        type_params: 0..0,
        decorators: 0..0,
        decoration: None,
        flags: mmcg_facts::SymbolFlags::default(),
        visibility: mmcg_facts::Visibility::Public,
        signature,
        doc: None,
        body_hash: 0,
    });
    facts
}
