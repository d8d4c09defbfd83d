//! What the text of a macro calls, where the grammar gives it as one token.

use crate::build::{Build, NONE, UNKNOWN};
use crate::tree::Nodes;
use mmcg_facts::{Expr, ExprId, Place, SiteFlags, UseKind};
use mmcg_lang::Rule;

impl<'a> Build<'a> {
    /// A macro's text: a name before a parenthesis is called, a name alone is what the macro stands for.
    pub(crate) fn calls_in_text(&mut self, node: u32, rule: &'a Rule) -> ExprId {
        let text = self.text(node);
        let (start, trimmed) = (text.len() - text.trim_start().len(), text.trim());
        let word = |c: char| c.is_alphanumeric() || c == '_';
        if !trimmed.is_empty() && trimmed.chars().all(word) && !trimmed.starts_with(|c: char| c.is_ascii_digit()) {
            return self.named_in_text(node, start, trimmed, UseKind::Read);
        }
        for name in opened_namespaces(text) {
            let name = self.name(name);
            self.facts.opened.push(name);
        }
        for call in crate::text::calls(text) {
            let name = &text[call.start..call.end];
            if rule.texts_skip(name) {
                continue;
            }
            let callee = self.named_in_text(node, call.start, name, UseKind::Read);
            let args = vec![mmcg_facts::Arg { name: None, value: UNKNOWN, spread: false }; call.arguments];
            let first = self.facts.args.len() as u32;
            self.facts.args.extend(args);
            let last = self.facts.args.len() as u32;
            self.site(node, callee, &Nodes::new(), last..last, SiteFlags::IN_MACRO);
            let site = self.facts.sites.last_mut().expect("just made");
            site.args = first..last;
        }
        NONE
    }

    /// A name at an offset of a node's text.
    fn named_in_text(&mut self, node: u32, offset: usize, text: &str, used: UseKind) -> ExprId {
        let place = self.place(node, used);
        let before = &self.text(node)[..offset];
        let place = match before.rfind('\n') {
            None => Place::new(place.line, place.column() + before.chars().count() as u32, used),
            Some(at) => {
                let lines = before.bytes().filter(|&b| b == b'\n').count() as u32;
                Place::new(place.line + lines, before[at + 1..].chars().count() as u32 + 1, used)
            }
        };
        let scope = self.context().scope;
        let name = self.name(text);
        self.expr(Expr::Name { name, scope, path: false }, place)
    }
}

/// The namespaces of a text that opens more braces than it closes.
fn opened_namespaces(text: &str) -> Vec<&str> {
    const KEYWORD: &str = "namespace";
    if !text.contains(KEYWORD) || text.matches('{').count() <= text.matches('}').count() {
        return Vec::new();
    }
    let word = |c: char| c.is_alphanumeric() || c == '_';
    let mut found = Vec::new();
    for (at, _) in text.match_indices(KEYWORD) {
        let (before, rest) = (&text[..at], &text[at + KEYWORD.len()..]);
        let Some((head, _)) = rest.split_once('{').filter(|_| !before.ends_with(word) && !rest.starts_with(word))
        else {
            continue;
        };
        let parts = head.split("::").map(|part| part.trim_matches(|c: char| c.is_whitespace() || c == '\\'));
        found.extend(parts.filter(|part| !part.is_empty() && part.chars().all(word)));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::opened_namespaces;

    #[test]
    fn namespaces_left_open() {
        let both = "namespace nl \\\n { \\\n inline namespace v1 {";
        assert_eq!(opened_namespaces(both), ["nl", "v1"]);
        assert_eq!(opened_namespaces("namespace a::b { namespace NAME(c) {"), ["a", "b"]);
        assert_eq!(opened_namespaces("namespace a { int b; }"), [""; 0]);
        assert_eq!(opened_namespaces("my_namespace x {"), [""; 0]);
    }
}
