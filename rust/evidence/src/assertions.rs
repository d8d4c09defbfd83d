//! Assertions: where they are, what they check, and whether they can fail.

use crate::found::{Assertion, At, Evidence};
use crate::locals;
use crate::source::{bare, join, split, Call, Token, View};
use crate::truth;
use crate::units::{attribute_text, last_name};
use mmcg_lang::Role;

/// Most tokens of an assertion that are kept.
const LONGEST: usize = 2_000;

/// What was recognised, before it is judged.
struct Seen<'a> {
    node: u32,
    form: String,
    sort: Sort,
    operands: Vec<Vec<Token<'a>>>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Sort {
    /// What is given must be true.
    Truth,
    /// A function or chain checks what is given.
    Check,
    /// A chain that says nothing about what is given.
    Unfinished,
    /// Fails where it is reached.
    Fails,
    /// Cannot fail.
    Never,
    /// Fails by the way.
    Implicit,
}

/// Finds all assertions.
pub fn find(view: &View<'_>, found: &mut Evidence) {
    documented(view, found);
    let seen: Vec<Seen<'_>> = view.everywhere().filter_map(|node| recognise(view, node)).collect();
    let places: Vec<At> = seen.iter().map(|s| view.at(s.node)).collect();
    for (one, &at) in seen.iter().zip(&places) {
        let unit = found.units.iter().filter(|u| u.at.holds(&at)).min_by_key(|u| u.at.end - u.at.start).map(|u| u.at);
        let operands: Vec<_> = one.operands.iter().map(|o| locals::value(view, o, unit, &places)).collect();
        let mut vacuous = judge(view, one, &operands);
        if vacuous.is_empty() {
            vacuous = out_of_reach(view, one.node, unit);
        }
        found.assertions.push(Assertion {
            at,
            form: one.form.clone(),
            text: join(&view.some_tokens(one.node, LONGEST, u32::MAX)),
            strength: if vacuous.is_empty() { strength(view, one) } else { 0 },
            vacuous,
            implicit: one.sort == Sort::Implicit,
        });
    }
}

/// Documentation that says what a function must throw.
fn documented(view: &View<'_>, found: &mut Evidence) {
    if view.data.asserting_docs.is_empty() {
        return;
    }
    for symbol in view.facts.symbols.iter().filter(|s| s.kind.is_callable()) {
        let doc = symbol.doc.map_or("", |doc| view.facts.texts.get(doc));
        for line in doc.lines() {
            let form = line.split_whitespace().next().unwrap_or_default();
            if view.data.asserting_docs.iter().any(|word| word == form) {
                found.assertions.push(Assertion {
                    at: view.whole(symbol),
                    form: form.to_owned(),
                    text: line.split_whitespace().collect::<Vec<_>>().join(" "),
                    strength: 3,
                    vacuous: String::new(),
                    implicit: false,
                });
            }
        }
    }
}

fn recognise<'a>(view: &View<'a>, node: u32) -> Option<Seen<'a>> {
    let kind = view.tree.get(node).kind;
    let data = view.data;
    let plain = |sort: Sort| {
        let form = view.tokens(node).first().map_or("", |t| t.text).to_owned();
        Some(Seen { node, form, sort, operands: Vec::new() })
    };
    if data.attributes.has(kind) {
        let text = attribute_text(view, node);
        let fits = data.asserting_attributes.fits(&text);
        return fits.then(|| Seen { node, form: text, sort: Sort::Fails, operands: Vec::new() });
    }
    if data.statements.has(kind) && !view.tree.is_leaf(node) {
        let mut tokens = view.tokens(node);
        if tokens.last().is_some_and(|t| t.text == ";") {
            tokens.pop();
        }
        let form = tokens.first()?.text.to_owned();
        let value = split(&tokens[1..], &[","])[0];
        let value = match value.iter().any(|t| t.text == "?") {
            true => value,
            false => split(value, &[":"])[0],
        };
        return Some(Seen { node, form, sort: Sort::Truth, operands: vec![value.to_vec()] });
    }
    if data.throws.has(kind) && !view.tree.is_leaf(node) {
        return plain(Sort::Fails);
    }
    if data.implicit_nodes.has(kind) {
        return plain(Sort::Implicit);
    }
    if let Some(call) = view.call(node) {
        return called(view, call);
    }
    if view.is(node, Role::Member) {
        let at = view.tree.get(node);
        let called =
            view.parent(node).and_then(|p| view.call(p)).is_some_and(|c| view.tree.get(c.arguments).start == at.end);
        if called {
            return None;
        }
        let head = view.head_between(at.start, at.end, node);
        if data.fluent.fits(&head) {
            let receiver = first_part(view, node);
            return Some(chain(view, node, &head, vec![receiver]));
        }
    }
    None
}

fn called<'a>(view: &View<'a>, call: Call) -> Option<Seen<'a>> {
    let head = view.head(call);
    let data = view.data;
    // Links of a chain are judged with its beginning.
    let linked = head.split_once("()").is_some_and(|(root, _)| data.fluent.fits(root));
    if linked || data.other.fits(&head) {
        return None;
    }
    let last = last_name(&head).to_owned();
    let seen = |sort, operands| Some(Seen { node: call.node, form: head.clone(), sort, operands });
    if data.never.fits(&head) {
        return seen(Sort::Never, Vec::new());
    }
    if data.fails.fits(&head) {
        return seen(Sort::Fails, Vec::new());
    }
    if data.fluent.fits(&head) {
        let mut operands = view.operands(call.arguments);
        if operands.is_empty() {
            operands.push(first_part(view, call.node));
        }
        return Some(chain(view, call.node, &head, operands));
    }
    if data.calls.fits(&head) {
        return seen(Sort::Check, view.operands(call.arguments));
    }
    if data.methods.fits(&last) && head.len() > last.len() && view.is_statement(call.node) {
        let mut operands = vec![first_part(view, call.node)];
        operands.extend(view.operands(call.arguments));
        return seen(Sort::Check, operands);
    }
    if data.implicit.fits(&head) {
        return seen(Sort::Implicit, Vec::new());
    }
    None
}

/// What stands before the last name of a call or member.
fn first_part<'a>(view: &View<'a>, node: u32) -> Vec<Token<'a>> {
    let mut at = node;
    if let Some(call) = view.call(node) {
        let start = view.tree.get(node).start;
        let callee = view.tree.children(node).find(|&c| c != call.arguments && view.tree.get(c).start == start);
        at = callee.unwrap_or(node);
        // The object stands beside the name in some grammars, below a member in others.
        if !view.is(at, Role::Member) {
            return view.tokens(at);
        }
    }
    let start = view.tree.get(at).start;
    let first = view.tree.children(at).find(|&c| view.tree.get(c).start == start);
    first.map(|c| view.tokens(c)).unwrap_or_default()
}

/// A chain of calls and members that begins at a node.
fn chain<'a>(view: &View<'a>, root: u32, head: &str, mut operands: Vec<Vec<Token<'a>>>) -> Seen<'a> {
    let start = view.tree.get(root).start;
    let mut top = root;
    while let Some(parent) = view.parent(top) {
        let goes_on = view.tree.get(parent).start == start
            && parent < view.end
            && (view.is(parent, Role::Call) || view.is(parent, Role::Member));
        if !goes_on {
            break;
        }
        top = parent;
    }
    let (from, to) = (view.tree.get(root).end, view.tree.get(top).end);
    let rest = view.head_between(from, to, top);
    let given = operands.len();
    for node in view.inside(top) {
        if let Some(call) = view.call(node).filter(|c| view.tree.get(c.arguments).start >= from) {
            // Only calls of the chain itself start where it starts.
            if view.tree.get(node).start == start {
                operands.extend(view.operands(call.arguments));
            }
        }
    }
    // A matcher that is named and not called checks nothing.
    let named_only =
        !rest.ends_with(')') && last_name(&rest).strip_prefix("to").is_some_and(|r| r.starts_with(char::is_uppercase));
    let says = (rest.chars().any(char::is_alphanumeric) && !named_only) || (view.data.whole.fits(head) && given > 1);
    Seen {
        node: top,
        form: format!("{head}(){rest}").trim_end_matches("()").to_owned(),
        sort: if says { Sort::Check } else { Sort::Unfinished },
        operands,
    }
}

/// Why an assertion cannot fail; empty where it can.
fn judge(view: &View<'_>, seen: &Seen<'_>, operands: &[Vec<Token<'_>>]) -> String {
    let last = last_name(&seen.form);
    match seen.sort {
        Sort::Fails | Sort::Implicit => return String::new(),
        Sort::Never => return "never fails".to_owned(),
        Sort::Unfinished => return "says nothing about what it is given".to_owned(),
        Sort::Truth => {
            let value = operands.first().map_or(&[][..], Vec::as_slice);
            let certain = truth::always(value, view.data.tuples) || (truth::constant(value) && !truth::never(value));
            return match certain {
                true => "is true whatever the code does".to_owned(),
                false => String::new(),
            };
        }
        Sort::Check => {}
    }
    if view.data.raises.fits(last) || view.data.raises.fits(&seen.form) {
        return String::new();
    }
    let values: Vec<&[Token<'_>]> = operands.iter().map(|o| unwrapped(view, o)).filter(|o| is_value(view, o)).collect();
    let Some(&first) = values.first() else { return String::new() };
    if values.iter().all(|v| truth::constant(v)) {
        if fails_always(last, &values) {
            return String::new();
        }
        return "compares constants only".to_owned();
    }
    let plain = !view.data.unequal.fits(last) && !denied(&seen.form);
    if plain && values.windows(2).any(|pair| truth::same(pair[0], pair[1])) {
        return format!("compares `{}` with itself", join(first));
    }
    let lower = last.to_lowercase().replace('_', "");
    if plain
        && truth::always(first, view.data.tuples)
        && !truth::constant(first)
        && values[1..].iter().all(|v| truth::constant(v))
    {
        return "is true whatever the code does".to_owned();
    }
    let there = ["notnull", "isnotnull", "notnil", "defined", "truthy", "instanceof", "isobject", "isnotnone"];
    if there.iter().any(|w| lower.ends_with(w)) && values.iter().any(|v| v.len() > 1 && v[0].text == "new") {
        return "a new object is always there".to_owned();
    }
    let at_least = ["greaterorequal", "greaterthanorequal", "greaterequal", "least", "ge", "expectge", "assertge"];
    if values.len() > 1
        && at_least.iter().any(|w| lower.ends_with(w))
        && truth::is_length(values[0])
        && truth::is_zero(values[1])
    {
        return "a length is never below zero".to_owned();
    }
    String::new()
}

/// Whether constants make an assertion fail where it is reached, which is one way to write that it must not be.
fn fails_always(name: &str, values: &[&[Token<'_>]]) -> bool {
    let name = name.to_lowercase();
    let about_nothing = ["not", "false", "falsy", "null", "none", "nil", "empty", "zero", "refute", "ne"];
    if about_nothing.iter().any(|w| name.contains(w) && (*w != "ne" || name.ends_with("_ne"))) {
        return false;
    }
    let text = |v: &[Token<'_>]| v.first().is_some_and(|t| t.text.starts_with(['"', '\'', '`']));
    match values {
        [one] => truth::never(one),
        [first, second, ..] if text(second) && !text(first) => truth::never(first),
        [first, second, ..] => {
            let compares = ["equal", "same", "tobe", "_eq", "deep", "eql"].iter().any(|w| name.contains(w));
            // What is worked out from constants may be the same all the same.
            compares && first.len() == 1 && second.len() == 1 && first[0].text != second[0].text
        }
        [] => false,
    }
}

fn denied(form: &str) -> bool {
    form.split(['.', '(', ')']).any(|word| matches!(word, "not" | "Not"))
}

/// An operand without functions that leave it as it is.
fn unwrapped<'t, 'a>(view: &View<'_>, operand: &'t [Token<'a>]) -> &'t [Token<'a>] {
    let mut tokens = bare(operand);
    for _ in 0..4 {
        let Some(open) = tokens.iter().position(|t| t.text == "(") else { break };
        let name: String = tokens[..open].iter().map(|t| t.text).collect();
        let last = tokens.len() - 1;
        if open == 0 || tokens[last].text != ")" || !view.data.wrappers.fits(&name) {
            break;
        }
        tokens = bare(&tokens[open + 1..last]);
    }
    tokens
}

/// Whether an operand is a value that is checked: not the framework's own object, nor an argument with a name.
fn is_value(view: &View<'_>, operand: &[Token<'_>]) -> bool {
    let text: String = operand.iter().map(|t| t.text).collect();
    let named = operand.len() > 2 && matches!(operand[1].text, "=" | ":");
    !operand.is_empty() && !named && !view.data.context.fits(&text)
}

/// Whether an assertion is never reached, or what it throws is caught and dropped.
fn out_of_reach(view: &View<'_>, node: u32, unit: Option<At>) -> String {
    let mut below = node;
    for around in view.around(node) {
        let this = view.tree.get(around);
        if unit.is_some_and(|u| this.start < u.start || this.end > u.end) {
            break;
        }
        let mut before = view.tree.children(around).take_while(|&c| c < below);
        if before.any(|c| view.is(c, Role::Return) && !view.is(around, Role::Choice)) {
            return "stands behind a `return`".to_owned();
        }
        if let Some(field) = view.tables.parser.field_id_for_name("condition") {
            let condition = view.tree.children(around).find(|&c| view.tree.get(c).field == field.get());
            let first = condition.and_then(|c| view.tree.named(around).find(|&n| n > c));
            if first == Some(below) && condition.is_some_and(|c| truth::never(&view.tokens(c))) {
                return "stands under a condition that never holds".to_owned();
            }
        }
        for (kinds, handlers) in &view.data.catching {
            if kinds.has(this.kind) && drops(view, around, below, handlers) {
                return "is caught and dropped where it stands".to_owned();
            }
        }
        below = around;
    }
    String::new()
}

/// Whether one of a node's handlers is empty and the assertion stands before all of them.
fn drops(view: &View<'_>, node: u32, below: u32, handlers: &crate::data::Kinds) -> bool {
    let mut of_it = view.tree.children(node).filter(|&c| handlers.has(view.tree.get(c).kind)).peekable();
    if of_it.peek().is_none_or(|&first| first <= below) {
        return false;
    }
    of_it.any(|handler| {
        let body: Vec<_> = view.tree.named(handler).collect();
        let quiet = |n: u32| {
            let text: String = view.tokens(n).iter().map(|t| t.text).collect();
            matches!(text.as_str(), "{}" | "pass" | "..." | "{;}")
        };
        let names: Vec<&str> = view.tokens(handler).iter().map(|t| t.text).collect();
        // Other exceptions than those of assertions may be expected.
        let wide = ["AssertionError", "Exception", "BaseException", "Throwable", "Error", "AssertionFailedError"];
        let body_at = body.last().map_or(u32::MAX, |&b| view.tree.get(b).start);
        let head: Vec<_> = view.tokens(handler).into_iter().filter(|t| view.tree.get(t.node).start < body_at).collect();
        let typed = head.iter().any(|t| t.text.starts_with(char::is_uppercase));
        body.last().is_some_and(|&b| quiet(b)) && (!typed || names.iter().any(|n| wide.contains(n)))
    })
}

fn strength(view: &View<'_>, seen: &Seen<'_>) -> u8 {
    let last = last_name(&seen.form);
    let first = || seen.operands.iter().map(|o| unwrapped(view, o)).find(|o| is_value(view, o)).unwrap_or_default();
    match seen.sort {
        Sort::Never | Sort::Unfinished => 0,
        Sort::Implicit => 1,
        Sort::Fails => 3,
        Sort::Truth => truth::strength(first()),
        Sort::Check if view.data.weak.fits(last) || view.data.weak.fits(&seen.form) => truth::strength(first()),
        Sort::Check if partial(last) => 2,
        Sort::Check => 3,
    }
}

/// Whether a form checks a part of a value, or that it lies within bounds.
fn partial(name: &str) -> bool {
    let name = name.to_lowercase();
    if ["_ge", "_gt", "_le", "_lt"].iter().any(|w| name.ends_with(w)) {
        return true;
    }
    let name = name.replace('_', "");
    let words = [
        "contain",
        "includ",
        "match",
        "regex",
        "startwith",
        "startswith",
        "endwith",
        "endswith",
        "greater",
        "less",
        "atleast",
        "atmost",
        "above",
        "below",
        "between",
        "almost",
        "close",
        "delta",
        "near",
        "approx",
        "like",
        "haskey",
        "assertin",
        "elementsmatch",
        "subset",
    ];
    words.iter().any(|w| name.contains(w))
}
