//! Expressions as short texts for people: declared types and decorators.

use mmcg_facts::{Arg, CollectionKind, Expr, ExprId, FileFacts, LanguageRules, LiteralKind, ReceiverKind};

/// Deeper parts, and what comes after this many bytes, are given as `…`.
const MAX_DEPTH: u32 = 6;
const MAX_BYTES: usize = 200;

/// Writes the expressions of one file.
pub struct Render<'a> {
    facts: &'a FileFacts,
    separator: &'a str,
}

impl<'a> Render<'a> {
    /// A writer in a language's spelling.
    pub fn new(facts: &'a FileFacts, rules: &'a LanguageRules) -> Self {
        let separator = if rules.separator.is_empty() { "." } else { &rules.separator };
        Self { facts, separator }
    }

    /// The text of an expression.
    pub fn text(&self, expr: ExprId) -> String {
        let mut out = String::new();
        self.write(expr, MAX_DEPTH, &mut out);
        out
    }

    fn write(&self, expr: ExprId, depth: u32, out: &mut String) {
        if depth == 0 || out.len() > MAX_BYTES {
            if !out.ends_with('…') {
                out.push('…');
            }
            return;
        }
        let depth = depth - 1;
        match self.facts.expr(expr) {
            Expr::Unknown | Expr::Symbol(_) | Expr::Lambda(_) => out.push('…'),
            Expr::Literal(kind, text) => self.literal(kind, self.facts.name(text), out),
            Expr::Name { name, .. } => out.push_str(self.facts.name(name)),
            Expr::Receiver(kind, _) => out.push_str(match kind {
                ReceiverKind::This => "this",
                ReceiverKind::Super => "super",
                ReceiverKind::SelfType => "Self",
                ReceiverKind::StaticType => "static",
            }),
            Expr::Member { object, name, path } => {
                self.write(object, depth, out);
                out.push_str(if path { self.separator } else { "." });
                out.push_str(self.facts.name(name));
            }
            Expr::Call(site) => {
                let site = self.facts.site(site);
                self.write(site.callee, depth, out);
                let args = &self.facts.args[site.args.start as usize..site.args.end as usize];
                self.list('(', args, depth, ')', out);
            }
            Expr::Index { object, args, count } => {
                self.write(object, depth, out);
                self.list('[', self.args(args, count), depth, ']', out);
            }
            Expr::Collection { kind, args, count } => {
                let (open, close) = match kind {
                    CollectionKind::Tuple => ('(', ')'),
                    CollectionKind::List => ('[', ']'),
                    CollectionKind::Map => ('{', '}'),
                };
                self.list(open, self.args(args, count), depth, close, out);
            }
            Expr::Choice(left, right) => {
                self.write(left, depth, out);
                out.push_str(" | ");
                self.write(right, depth, out);
            }
            Expr::Cast(inner, _)
            | Expr::Narrow(inner, _)
            | Expr::OfType(inner)
            | Expr::Deref(inner)
            | Expr::Await(inner)
            | Expr::Item(inner, _)
            | Expr::Part { of: inner, .. }
            | Expr::Element(inner)
            | Expr::Key(inner)
            | Expr::Entered(inner) => self.write(inner, depth, out),
        }
    }

    fn args(&self, start: u32, count: u32) -> &'a [Arg] {
        &self.facts.args[start as usize..(start + count) as usize]
    }

    fn list(&self, open: char, args: &[Arg], depth: u32, close: char, out: &mut String) {
        out.push(open);
        for (index, arg) in args.iter().enumerate() {
            if out.len() > MAX_BYTES {
                out.push('…');
                break;
            }
            if index > 0 {
                out.push_str(", ");
            }
            if let Some(name) = arg.name {
                out.push_str(self.facts.name(name));
                out.push('=');
            }
            self.write(arg.value, depth, out);
        }
        out.push(close);
    }

    fn literal(&self, kind: LiteralKind, text: &str, out: &mut String) {
        match kind {
            LiteralKind::String => {
                out.push('"');
                out.push_str(text);
                out.push('"');
            }
            _ if text.is_empty() => out.push('…'),
            _ => out.push_str(text),
        }
    }
}
