//! Imports, exports and packages.

use crate::build::{Build, EMPTY, FILE, UNKNOWN};
use crate::define::Given;
use crate::expressions::unquoted;
use crate::tree::{mark, Nodes};
use mmcg_facts::{Export, Expr, Import, ImportKind, NameId, SymbolFlags, UseKind, What};
use mmcg_lang::{Role, Rule};

/// What all items of one import statement share.
struct Statement<'a> {
    rule: &'a Rule,
    module: Option<String>,
    exported: bool,
    space: u8,
    aside: bool,
}

/// One imported thing.
struct Item {
    node: u32,
    kind: ImportKind,
    module: String,
    name: String,
    alias: String,
}

impl<'a> Build<'a> {
    /// Facts of an import; nothing inside is walked.
    pub(crate) fn enter_import(&mut self, node: u32, rule: &'a Rule) -> bool {
        let statement = self.statement(node, rule);
        let items = self.tree.every(node, &rule.items);
        if rule.kind == "hidden" {
            return self.hidden_import(node, &statement);
        }
        if let Some(target) = self.tree.first(node, &rule.target) {
            self.required(target, &statement);
        } else if items.is_empty() {
            self.whole(node, &statement);
        } else {
            self.items(&items, &statement);
        }
        true
    }

    pub(crate) fn leave_import(&mut self, _node: u32, _rule: &Rule) -> mmcg_facts::ExprId {
        UNKNOWN
    }

    fn statement(&self, node: u32, rule: &'a Rule) -> Statement<'a> {
        let module = self.tree.first(node, &rule.module).map(|n| {
            // An expression with more than one string in it is left to the module strategy.
            let text = self.text(n);
            let text = if text.find(['"', '\'', '`']).is_some_and(|at| at > 2) { text } else { unquoted(text) };
            let text: String = text.split_whitespace().collect();
            format!("{}{text}", rule.prefix)
        });
        let words = |word: &str| self.tree.children(node).any(|c| self.text(c) == word);
        let space = rule.space.iter().find(|(word, _)| words(word)).map_or(0, |(_, space)| *space);
        let exported = rule.flags.set.has(SymbolFlags::EXPORTED) || self.tree.first(node, &rule.exported).is_some();
        let aside = self.standing().aside || !self.tables.condition_decorators.is_empty() && self.decorated_aside(node);
        Statement { rule, module, exported, space, aside }
    }

    /// `import 'x'`, `#include "x"`, `using X;`, `import alias "x"`.
    fn whole(&mut self, node: u32, statement: &Statement<'a>) {
        let rule = statement.rule;
        let Some(module) = statement.module.clone().filter(|m| !m.is_empty()) else { return };
        let place = self.tree.first(node, &rule.module).unwrap_or(node);
        let alias = self.tree.first(node, &rule.alias).map(|a| self.text(a).to_owned());
        let last = |sep: &str| module.rsplit(sep).next().unwrap_or(&module).to_owned();
        let (kind, name, alias, module) = match rule.kind.as_str() {
            "glob" => (ImportKind::Glob, String::new(), String::new(), module),
            "module" => {
                let alias = alias.or_else(|| rule.last_name.then(|| last(&rule.split))).unwrap_or_default();
                // A file that the module's own name does not tell.
                let name = self.tree.first(node, &rule.name).map(|n| unquoted(self.text(n)).to_owned());
                (ImportKind::Module, name.unwrap_or_default(), alias, module)
            }
            "member" => {
                let name = last(&rule.split);
                let rest = module[..module.len() - name.len()].trim_end_matches(rule.split.as_str()).to_owned();
                let alias = alias.unwrap_or_else(|| name.clone());
                if rest.is_empty() {
                    (ImportKind::Module, String::new(), alias, module)
                } else {
                    (ImportKind::Member, name, alias, rest)
                }
            }
            _ => (ImportKind::File, String::new(), String::new(), module),
        };
        self.import(Item { node: place, kind, module, name, alias }, statement);
    }

    fn items(&mut self, items: &[u32], statement: &Statement<'a>) {
        let mut stack: Vec<(u32, Option<String>)> =
            items.iter().rev().map(|&i| (i, statement.module.clone())).collect();
        while let Some((at, module)) = stack.pop() {
            let rule = self.rule(at);
            let split = statement.rule.split.as_str();
            let path = |text: &str| {
                let text: String = text.split_whitespace().collect();
                match &module {
                    Some(module) if !split.is_empty() => format!("{module}{split}{text}"),
                    _ => text,
                }
            };
            match rule.map(|r| r.role) {
                Some(Role::ImportGroup) => {
                    let rule = rule.expect("it has a role");
                    let inner = match self.tree.first(at, &rule.name) {
                        Some(name) => Some(path(self.text(name))),
                        None => module.clone(),
                    };
                    let children = self.tree.every(at, &rule.items);
                    stack.extend(children.iter().rev().map(|&c| (c, inner.clone())));
                }
                Some(Role::ImportGlob) => {
                    let rule = rule.expect("it has a role");
                    let module = match self.tree.first(at, &rule.name) {
                        Some(name) => path(self.text(name)),
                        None => module.unwrap_or_default(),
                    };
                    let (name, alias) = (String::new(), String::new());
                    self.import(Item { node: at, kind: ImportKind::Glob, module, name, alias }, statement);
                }
                _ => {
                    let named = rule.filter(|r| r.role == Role::ImportItem);
                    let name_node = named.and_then(|r| self.tree.first(at, &r.name)).unwrap_or(at);
                    let alias = named.and_then(|r| self.tree.first(at, &r.alias)).map(|a| self.text(a));
                    let name = unquoted(self.text(name_node));
                    // Beside the braces stands the default.
                    let plain = if statement.rule.default_item && named.is_none() { "default" } else { "" };
                    let kind = named.map_or(plain, |r| r.kind.as_str());
                    let full = path(name);
                    let item = item(at, name_node, &full, name, alias, kind, module, statement.rule);
                    self.import(item, statement);
                }
            }
        }
    }

    /// `const a = require('x')`, `const {a, b: c} = require('x')`.
    fn required(&mut self, target: u32, statement: &Statement<'a>) {
        let module = statement.module.clone().unwrap_or_default();
        let rule = self.rule(target);
        if !rule.is_some_and(|r| r.role == Role::Collection) {
            let alias = self.text(target).to_owned();
            let (kind, name) = (ImportKind::Module, String::new());
            self.import(Item { node: target, kind, module, name, alias }, statement);
            return;
        }
        for child in self.tree.named(target).collect::<Nodes>() {
            let Some(rule) = self.rule(child) else { continue };
            let (name, alias) = match rule.role {
                Role::Pair => (self.tree.first(child, &rule.key), self.tree.first(child, &rule.value)),
                Role::PatternDefault => {
                    let name = self.tree.first(child, &rule.target);
                    (name, name)
                }
                Role::Name => (Some(child), Some(child)),
                _ => (None, None),
            };
            let (Some(name), Some(mut alias)) = (name, alias) else { continue };
            if let Some(inner) = self.rule(alias).filter(|r| r.role == Role::PatternDefault) {
                alias = self.tree.first(alias, &inner.target).unwrap_or(alias);
            }
            let (node, kind, module) = (name, ImportKind::Member, module.clone());
            let (name, alias) = (self.text(name).to_owned(), self.text(alias).to_owned());
            self.import(Item { node, kind, module, name, alias }, statement);
        }
    }

    /// `require('x')` in an expression: a name of its own that nobody can write.
    fn hidden_import(&mut self, node: u32, statement: &Statement<'a>) -> bool {
        let Some(module) = statement.module.clone().filter(|m| !m.is_empty()) else { return false };
        let alias = self.text(node).to_owned();
        let alias = if alias.len() > 200 || alias.contains('$') { return false } else { alias };
        let name = self.name(&alias);
        if !self.declared.contains_key(&(FILE, name)) {
            let kind = ImportKind::Module;
            self.import_into(FILE, Item { node, kind, module, name: String::new(), alias }, statement);
        }
        let scope = self.context().scope;
        let value = self.made(Expr::Name { name, scope, path: false }, node);
        self.values[node as usize] = value;
        true
    }

    fn import(&mut self, item: Item, statement: &Statement<'a>) {
        let scope = self.without_blocks(self.context().scope);
        self.import_into(scope, item, statement);
    }

    fn import_into(&mut self, scope: mmcg_facts::ScopeId, item: Item, statement: &Statement<'a>) {
        let place = self.place(item.node, UseKind::Import);
        let (module, name, alias) = (self.name(&item.module), self.name(&item.name), self.name(&item.alias));
        let (kind, exported, space, aside) = (item.kind, statement.exported, statement.space, statement.aside);
        let index = self.facts.imports.len() as u32;
        self.facts.imports.push(Import { scope, kind, module, name, alias, exported, space, aside, place });
        let bound = match kind {
            ImportKind::Glob | ImportKind::File => EMPTY,
            ImportKind::Module if alias == EMPTY => {
                let separator = self.tables.resolution.separator.as_str();
                let first = item.module.split(if separator.is_empty() { "." } else { separator }).next();
                self.name(first.unwrap_or_default())
            }
            _ => alias,
        };
        if bound != EMPTY {
            self.declare(scope, bound, What::Import(index));
        }
    }

    /// `export …`: `true` if nothing inside needs to be walked.
    pub(crate) fn enter_export(&mut self, node: u32, rule: &'a Rule) -> bool {
        let mut statement = self.statement(node, rule);
        statement.exported = true;
        let items = self.tree.every(node, &rule.items);
        if statement.module.is_some() {
            if items.is_empty() {
                let alias = self.tree.first(node, &rule.alias).map(|a| unquoted(self.text(a)).to_owned());
                let kind = if alias.is_some() { ImportKind::Module } else { ImportKind::Glob };
                let module = statement.module.clone().unwrap_or_default();
                let (name, alias) = (String::new(), alias.unwrap_or_default());
                self.import(Item { node, kind, module, name, alias }, &statement);
            } else {
                self.items(&items, &statement);
            }
            return true;
        }
        for &item in &items {
            let Some(rule) = self.rule(item).filter(|r| r.role == Role::ImportItem) else { continue };
            let Some(name_node) = self.tree.first(item, &rule.name) else { continue };
            let name = self.node_name(name_node);
            let exported = self.tree.first(item, &rule.alias).map_or(name, |a| {
                let text = unquoted(self.text(a));
                self.name(text)
            });
            let (scope, place) = (self.context().scope, self.place(name_node, UseKind::Read));
            let value = self.expr(Expr::Name { name, scope, path: false }, place);
            self.facts.exports.push(Export { name: exported, value });
        }
        if !items.is_empty() {
            return true;
        }
        if let Some(value) = self.tree.first(node, &rule.value) {
            self.name_default(node, value);
        }
        false
    }

    /// `export default () => …`: the function is called `default`.
    fn name_default(&mut self, node: u32, value: u32) {
        let Some(rule) = self.rule(value) else { return };
        if rule.role == Role::Collection {
            self.tree.mark(value, mark::GIVEN_NAME);
            return;
        }
        if !matches!(rule.role, Role::Lambda | Role::Class) || self.tree.first(value, &rule.name).is_some() {
            return;
        }
        let context = self.context();
        let name = self.name("default");
        let given = Given {
            name_node: value,
            name,
            outer: node,
            kind: None,
            scope: None,
            container: context.container,
            prefix: context.prefix,
            owner: None,
            flags: SymbolFlags::EXPORTED | SymbolFlags::DEFAULT_EXPORT,
        };
        self.tree.mark(value, mark::GIVEN_NAME);
        self.given.insert(value, given);
    }

    pub(crate) fn leave_export(&mut self, node: u32, rule: &'a Rule) {
        let value = self.some_value(self.tree.first(node, &rule.value));
        let Some(value) = value.filter(|_| self.context().scope == FILE) else { return };
        let name = if rule.kind == "whole" { EMPTY } else { self.name("default") };
        self.facts.exports.push(Export { name, value });
    }

    pub(crate) fn enter_package(&mut self, node: u32, rule: &'a Rule) {
        if let Some(name) = self.tree.first(node, &rule.name) {
            let text: String = self.text(name).split_whitespace().collect();
            let name: NameId = self.name(&text);
            self.facts.package = self.facts.package.or(Some(name));
        }
    }
}

/// One item by its full path and its name.
#[allow(clippy::too_many_arguments)]
fn item(
    at: u32,
    name_node: u32,
    full: &str,
    name: &str,
    alias: Option<&str>,
    kind: &str,
    module: Option<String>,
    rule: &Rule,
) -> Item {
    let name: String = name.split_whitespace().collect();
    let node = if kind.is_empty() { name_node } else { at };
    let bound = |default: &str| alias.unwrap_or(default).to_owned();
    let make = |kind, module: String, name: String, alias: String| Item { node: name_node, kind, module, name, alias };
    let around = module.clone().unwrap_or_default();
    match kind {
        "default" => return make(ImportKind::Default, around, String::new(), bound(&name)),
        "module" => return make(ImportKind::Module, around, String::new(), bound(&name)),
        "glob" => return make(ImportKind::Glob, around, String::new(), String::new()),
        _ => {}
    }
    if !rule.split.is_empty() {
        // The path says it all: its last segment is the member.
        let (rest, last) = full.rsplit_once(rule.split.as_str()).unwrap_or(("", full));
        if last == rule.strip && !rest.is_empty() {
            let own = rest.rsplit(rule.split.as_str()).next().unwrap_or(rest);
            return Item { node, ..make(ImportKind::Module, rest.to_owned(), String::new(), bound(own)) };
        }
        if rest.is_empty() {
            return make(ImportKind::Module, last.to_owned(), String::new(), bound(last));
        }
        return make(ImportKind::Member, rest.to_owned(), last.to_owned(), bound(last));
    }
    match module {
        Some(module) if rule.default_item && name == "default" => {
            make(ImportKind::Default, module, String::new(), bound(&name))
        }
        Some(module) => make(ImportKind::Member, module, name.clone(), bound(&name)),
        None => make(ImportKind::Module, name, String::new(), bound("")),
    }
}
