//! Parameters: who may be given how, and the names they declare.

use crate::build::Build;
use crate::define::Definition;
use crate::tree::{mark, Nodes};
use mmcg_facts::{Expr, NameId, Param, ParamKind, ScopeId, SymbolFlags, What};
use mmcg_lang::{Declares, Role, Rule};

/// A parameter whose type, default and pattern get their values later.
#[derive(Debug)]
pub struct PendingParam {
    index: u32,
    declared: Option<u32>,
    default: Option<u32>,
    pattern: Option<u32>,
    pointer: bool,
    scope: ScopeId,
}

/// What one node of a parameter list says.
#[derive(Default)]
struct Parts {
    name: Option<u32>,
    pattern: Option<u32>,
    kind: Option<ParamKind>,
    declared: Option<u32>,
    default: Option<u32>,
    optional: bool,
    field: bool,
    pointer: bool,
    callable: bool,
}

impl<'a> Build<'a> {
    /// The parameters of a list (or a single one), declared in `scope`.
    pub(crate) fn parameters(
        &mut self,
        list: u32,
        scope: ScopeId,
        flags: SymbolFlags,
        method: bool,
        definition: &mut Definition,
    ) {
        let first = self.facts.params.len();
        let single = self.rule(list).is_some_and(|r| is_parameter(r.role));
        let own = self.rule(list).filter(|r| r.role == Role::Parameters);
        let items: Nodes = match own {
            Some(rule) => self.tree.all(list, &rule.items),
            None if single => smallvec::smallvec![list],
            None => self.tree.named(list).collect(),
        };
        let mut keyword = false;
        for item in items {
            let Some(rule) = self.rule(item) else { continue };
            match rule.role {
                Role::ParameterMark if rule.kind == "positional" => {
                    for param in &mut self.facts.params[first..] {
                        if param.kind == ParamKind::Normal {
                            param.kind = ParamKind::Positional;
                        }
                    }
                }
                Role::ParameterMark => keyword = true,
                Role::Skip => {}
                _ => {
                    let names =
                        if rule.role == Role::Parameter { self.tree.all(item, &rule.name) } else { Nodes::new() };
                    for index in 0..names.len().max(1) {
                        let mut parts = Parts::default();
                        self.take_apart(item, names.get(index).copied(), &mut parts);
                        if keyword && parts.kind.is_none() {
                            parts.kind = Some(ParamKind::Keyword);
                        }
                        let receiver = self.tables.first_parameter_is_receiver
                            && method
                            && self.facts.params.len() == first
                            && !flags.has(SymbolFlags::STATIC);
                        if receiver && parts.kind.is_none() {
                            parts.kind = Some(ParamKind::Receiver);
                        }
                        if parts.kind == Some(ParamKind::Variadic) && self.tables.keyword_after_variadic {
                            keyword = true;
                        }
                        self.parameter(item, &parts, scope, definition);
                    }
                }
            }
        }
        if let Some((rule, name)) = own.and_then(|rule| Some((rule, self.tree.first(list, &rule.name)?))) {
            let declared = self.tree.first(list, &rule.type_);
            let parts = Parts { name: Some(name), kind: Some(ParamKind::Variadic), declared, ..Parts::default() };
            self.parameter(list, &parts, scope, definition);
        }
        if !single {
            self.bare_rest(list);
        }
    }

    /// `...` alone in a list.
    fn bare_rest(&mut self, list: u32) {
        let rest = self.tree.children(list).find(|&c| self.tree.is_leaf(c) && self.text(c) == "...");
        if rest.is_some_and(|c| self.rule(c).is_none()) {
            let (name, kind) = (crate::build::EMPTY, ParamKind::Variadic);
            self.facts.params.push(Param { name, kind, required: false, field: false, declared: None, default: None });
        }
    }

    /// The receiver that a function is declared with.
    pub(crate) fn receiver_parameters(&mut self, list: u32, scope: ScopeId, definition: &mut Definition) {
        // A type alone: the receiver has no name.
        let listed = |n: u32| self.rule(n).is_some_and(|r| r.role == Role::Parameter);
        if !self.tree.named(list).any(listed) {
            let parts = Parts { kind: Some(ParamKind::Receiver), declared: Some(list), ..Parts::default() };
            self.parameter(list, &parts, scope, definition);
            return;
        }
        let items: Nodes = self.tree.named(list).collect();
        for item in items {
            let mut parts = Parts::default();
            self.take_apart(item, None, &mut parts);
            parts.kind = Some(ParamKind::Receiver);
            self.parameter(item, &parts, scope, definition);
        }
    }

    fn take_apart(&mut self, node: u32, name: Option<u32>, parts: &mut Parts) {
        let mut at = node;
        let mut given = name;
        for _ in 0..8 {
            let Some(rule) = self.rule(at) else {
                parts.pattern = Some(at);
                return;
            };
            let inner = match rule.role {
                Role::Parameter => {
                    parts.kind = parts.kind.or(param_kind(rule));
                    parts.declared = parts.declared.or_else(|| self.tree.first(at, &rule.type_));
                    if let Some(declarator) = self.tree.first(at, &rule.target) {
                        let shape = self.shape(declarator);
                        parts.pointer |= shape.pointer;
                        if shape.callable || shape.function {
                            // What it holds is known by what is given.
                            parts.declared = None;
                            parts.callable = true;
                        }
                    }
                    parts.default = parts.default.or_else(|| self.tree.first(at, &rule.default));
                    parts.optional |= self.tree.first(at, &rule.optional).is_some();
                    parts.field |= rule.field || self.tree.first(at, &rule.promoted).is_some();
                    given.take().or_else(|| self.tree.first(at, &rule.name))
                }
                Role::PatternDefault => {
                    parts.default = parts.default.or_else(|| self.tree.first(at, &rule.value));
                    self.tree.first(at, &rule.target)
                }
                Role::PatternRest | Role::Spread => {
                    parts.kind = parts.kind.or(param_kind(rule)).or(Some(ParamKind::Variadic));
                    self.tree.first(at, &rule.target).or_else(|| self.tree.named(at).next())
                }
                Role::Name | Role::Receiver => {
                    if rule.role == Role::Receiver {
                        parts.kind = Some(ParamKind::Receiver);
                    }
                    parts.name = Some(at);
                    return;
                }
                _ => {
                    parts.pattern = Some(at);
                    return;
                }
            };
            match inner {
                Some(inner) if self.rule(inner).is_none() && self.tree.is_leaf(inner) => {
                    parts.name = Some(inner);
                    return;
                }
                Some(inner) if inner != at => at = inner,
                Some(_) => {
                    parts.name = Some(at);
                    return;
                }
                None => return,
            }
        }
    }

    fn parameter(&mut self, item: u32, parts: &Parts, scope: ScopeId, definition: &mut Definition) {
        let rule = self.rule(item);
        let name = match (parts.name, parts.pattern) {
            (Some(name), _) => {
                self.tree.mark(name, mark::TARGET);
                match rule {
                    Some(rule) => self.own_name(name, rule),
                    None => self.node_name(name),
                }
            }
            (None, Some(pattern)) => self.pattern_name(pattern),
            (None, None) => crate::build::EMPTY,
        };
        let kind = parts.kind.unwrap_or(ParamKind::Normal);
        let variadic = matches!(kind, ParamKind::Variadic | ParamKind::KeywordVariadic | ParamKind::Receiver);
        let index = self.facts.params.len() as u32;
        let required = !variadic && !parts.optional && parts.default.is_none();
        self.facts.params.push(Param { name, kind, required, field: parts.field, declared: None, default: None });
        if !self.is_ignored(name) {
            self.declare(scope, name, What::Param(index));
        }
        if let Some(declared) = parts.declared {
            self.tree.mark(declared, mark::TYPE);
        }
        if let Some(pattern) = parts.pattern {
            let mut targets = Vec::new();
            self.pattern_targets(pattern, &mut targets);
            for target in targets {
                let name = self.node_name(target);
                self.declare_variable(scope, name);
            }
        }
        let (declared, default, pattern) = (parts.declared, parts.default, parts.pattern);
        if declared.and_then(|d| self.rule(d)).is_some_and(|r| r.kind == "builtin") {
            self.plain.insert((scope, name));
        }
        definition.params.push(PendingParam { index, declared, default, pattern, pointer: parts.pointer, scope });
    }

    /// A field that is known by its position.
    pub(crate) fn positional_field(
        &mut self,
        name: NameId,
        declared: u32,
        scope: ScopeId,
        definition: &mut Definition,
    ) {
        let index = self.facts.params.len() as u32;
        let kind = ParamKind::Positional;
        self.facts.params.push(Param { name, kind, required: true, field: true, declared: None, default: None });
        self.declare(scope, name, What::Param(index));
        self.tree.mark(declared, mark::TYPE);
        let (declared, default, pattern) = (Some(declared), None, None);
        definition.params.push(PendingParam { index, declared, default, pattern, pointer: false, scope });
    }

    /// A pattern's text, short enough for a list of parameters.
    fn pattern_name(&mut self, pattern: u32) -> NameId {
        let words: Vec<&str> = self.text(pattern).split_whitespace().collect();
        let text: String = words.join(" ").chars().take(60).collect();
        self.name(&text)
    }

    /// Gives parameters their types, defaults and patterns, now that these have values.
    pub(crate) fn fill_parameters(&mut self, definition: &Definition) {
        for pending in &definition.params {
            let (mut declared, default) = (self.some_value(pending.declared), self.some_value(pending.default));
            if let (Some(value), true, Some(node)) = (declared, pending.pointer, pending.declared) {
                declared = Some(self.made(Expr::Deref(value), node));
            }
            let param = &mut self.facts.params[pending.index as usize];
            param.declared = declared;
            param.default = default;
            let name = param.name;
            if let Some(pattern) = pending.pattern {
                let scope = pending.scope;
                let value = self.made(Expr::Name { name, scope, path: false }, pattern);
                self.bind_pattern(pattern, value, Declares::Block, scope);
            }
        }
    }
}

fn is_parameter(role: Role) -> bool {
    matches!(role, Role::Parameter | Role::Name | Role::PatternDefault | Role::PatternRest)
}

fn param_kind(rule: &Rule) -> Option<ParamKind> {
    Some(match rule.kind.as_str() {
        "receiver" => ParamKind::Receiver,
        "positional" => ParamKind::Positional,
        "keyword" => ParamKind::Keyword,
        "variadic" => ParamKind::Variadic,
        "keyword_variadic" => ParamKind::KeywordVariadic,
        _ => return None,
    })
}
