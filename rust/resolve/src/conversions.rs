//! How well an argument's type can stand where another one is declared, by the data of languages with overloads.

use crate::modules::FileId;
use crate::program::Sym;
use crate::resolver::Resolver;
use crate::values::{Value, ValueSet};
use mmcg_facts::{ExprId, LanguageRules, LiteralKind, SymbolFlags, SymbolKind};

/// The same type.
const SAME: u32 = 16;
/// Nothing is known.
const UNKNOWN: u32 = 4;
/// Steps are counted up to here.
const FAR: u32 = 11;

/// A type that is not the project's, as far as conversions go.
enum Foreign {
    Named(String),
    Array,
    /// The result of something outside.
    Unknown,
}

impl Resolver<'_> {
    /// How well a value can be given where a type is declared; `None`: not at all.
    pub(crate) fn convert(
        &mut self,
        rules: &LanguageRules,
        given: Value,
        wanted: Value,
        variadic: bool,
    ) -> Option<u32> {
        let (given, wanted) = (self.plain(given), self.plain(wanted));
        if let (Value::Generic(home, have), Value::Generic(other, want)) = (given, wanted) {
            if let Some(fit) = self.convert_generic(rules, (home, have), (other, want)) {
                return fit;
            }
        }
        if let Value::Instance(want) = wanted {
            return self.convert_to_own(rules, given, want);
        }
        let Some(target) = self.foreign(rules, wanted) else { return Some(UNKNOWN) };
        let target = match target {
            Foreign::Named(name) => name,
            Foreign::Array => return self.convert_to_array(rules, given, wanted),
            Foreign::Unknown => return Some(UNKNOWN),
        };
        let top = rules.top_types.contains(&target);
        match given {
            Value::Instance(_) if top => Some(3),
            Value::Instance(sym) => self.foreign_base_distance(rules, sym, &target),
            Value::Lambda(..) | Value::Symbol(_) => {
                let function = rules.function_types.contains_key(&target);
                let closed = self.is_plain_data(rules, &target) || !function && rules.conversions.contains_key(&target);
                // An object that is no function takes none, where plain values and objects are apart.
                let refused = closed || top && !rules.primitive_types.is_empty() && matches!(given, Value::Lambda(..));
                (!refused).then_some(if top { 1 } else { 6 })
            }
            // A list given as the list itself.
            Value::Sequence(..) | Value::Collection(..) if variadic => Some(8),
            other => match self.foreign(rules, other) {
                Some(Foreign::Named(name)) => conversion(rules, &name, &target),
                Some(Foreign::Array) => top.then_some(2),
                _ => Some(UNKNOWN),
            },
        }
    }

    /// How well one generic type from outside stands for another of the same name; `None`: their names differ.
    fn convert_generic(
        &mut self,
        rules: &LanguageRules,
        given: (FileId, ExprId),
        wanted: (FileId, ExprId),
    ) -> Option<Option<u32>> {
        if self.last_name(given.0, given.1)? != self.last_name(wanted.0, wanted.1)? || !rules.arity_apart {
            return None;
        }
        if self.given_arity(given.0, given.1) != self.given_arity(wanted.0, wanted.1) {
            return Some(None);
        }
        let same = self.type_text(given.0, given.1) == self.type_text(wanted.0, wanted.1);
        Some(Some(if same { SAME } else { SAME - 4 }))
    }

    fn convert_to_own(&mut self, rules: &LanguageRules, given: Value, want: Sym) -> Option<u32> {
        match given {
            Value::Instance(a) if a == want => Some(SAME),
            Value::Instance(a) => match self.order(a).iter().position(|s| *s == want) {
                Some(distance) => Some(15 - (distance as u32).min(10)),
                None => self.has_external_base(a).then_some(1),
            },
            Value::Lambda(..) | Value::Symbol(_) => {
                let kind = self.program.symbol(want).kind;
                let function = matches!(kind, SymbolKind::Interface | SymbolKind::Type) && !self.wants_several(want);
                function.then_some(8)
            }
            Value::Literal(_) => None,
            other => match self.foreign(rules, other) {
                Some(Foreign::Named(name)) => (!rules.conversions.contains_key(&name)).then_some(1),
                Some(Foreign::Array) => None,
                _ => Some(UNKNOWN),
            },
        }
    }

    /// Whether an interface leaves several methods open, so that no function can stand for it.
    fn wants_several(&self, sym: Sym) -> bool {
        let members = self.members_by_owner.get(&sym).map_or(&[][..], Vec::as_slice);
        let open = members.iter().filter(|member| {
            let symbol = self.program.symbol(**member);
            symbol.kind == SymbolKind::Method && symbol.flags.has(SymbolFlags::ABSTRACT)
        });
        let mut names = open.map(|member| self.program.symbol(*member).name);
        let rules = &self.program.file(self.program.file_of(sym)).rules;
        let first = names.find(|name| !rules.root_members.iter().any(|m| m == self.program.text(*name)));
        names.any(|name| Some(name) != first && !rules.root_members.iter().any(|m| m == self.program.text(name)))
    }

    fn convert_to_array(&mut self, rules: &LanguageRules, given: Value, wanted: Value) -> Option<u32> {
        match given {
            Value::Collection(..) => Some(12),
            Value::Sequence(a, x) => {
                let Value::Sequence(b, y) = wanted else { return Some(UNKNOWN) };
                let (left, right) = (self.instances(a, x), self.instances(b, y));
                let (Some((from, _)), Some((to, _))) = (left.iter().next(), right.iter().next()) else {
                    return Some(UNKNOWN);
                };
                let primitive = |this: &mut Self, value| match this.foreign(rules, value) {
                    Some(Foreign::Named(name)) => rules.primitive_types.contains(&name).then_some(name),
                    _ => None,
                };
                let (p, q) = (primitive(self, from), primitive(self, to));
                if p.is_some() || q.is_some() {
                    return (p == q).then_some(SAME);
                }
                self.convert(rules, from, to, false)
            }
            Value::Instance(_) | Value::Literal(_) | Value::Lambda(..) => None,
            other => match self.foreign(rules, other) {
                Some(Foreign::Named(name)) => (!rules.conversions.contains_key(&name)).then_some(1),
                _ => Some(UNKNOWN),
            },
        }
    }

    /// Whether null can stand where a type is declared.
    pub(crate) fn takes_null(&mut self, rules: &LanguageRules, wanted: &ValueSet) -> bool {
        wanted.iter().all(|(value, _)| match self.foreign(rules, value) {
            Some(Foreign::Named(name)) => !rules.primitive_types.contains(&name),
            _ => true,
        })
    }

    /// Whether a value is known to be a plain one, and what is wanted is known to be no type that one can be given for.
    pub(crate) fn refuses_plain(&mut self, file: FileId, given: &ValueSet, wanted: &ValueSet) -> bool {
        let program = self.program;
        let rules = &program.file(file).rules;
        let plain = |this: &mut Self, value| match this.foreign(rules, value) {
            Some(Foreign::Named(name)) => rules.primitive_types.contains(&name),
            _ => false,
        };
        // A member that is named for a function (`all::contains`) may be read as what it gives.
        let function = |this: &mut Self, value| match this.foreign(rules, value) {
            Some(Foreign::Named(name)) => rules.function_types.contains_key(&name),
            _ => false,
        };
        let all_plain = !given.is_empty() && !given.open && given.iter().all(|(value, _)| plain(self, value));
        all_plain
            && wanted.iter().all(|(want, _)| {
                !function(self, want)
                    && given.iter().all(|(value, _)| self.convert(rules, value, want, false).is_none())
            })
    }

    fn is_plain_data(&self, rules: &LanguageRules, name: &str) -> bool {
        rules.primitive_types.iter().any(|p| p == name) || rules.literal_types.values().any(|t| t == name)
    }

    fn foreign(&mut self, rules: &LanguageRules, value: Value) -> Option<Foreign> {
        Some(match value {
            Value::External(external) => {
                let mut text = self.externals.text(external);
                if text.ends_with(')') {
                    // What is called is a type, by its look.
                    let of = text.strip_suffix("()").unwrap_or("");
                    let last = of.rsplit('.').next().unwrap_or("");
                    let made = !rules.companion.is_empty() && !of.contains('(') && last.starts_with(char::is_uppercase);
                    if !made {
                        return Some(Foreign::Unknown);
                    }
                    text = of;
                }
                let last = text.rsplit(['.', ':', '\\']).next().unwrap_or("");
                // A member of something outside is no type, by its look, and one of a type that is known never.
                let head = text.rsplit_once('.').map_or("", |(head, _)| head.rsplit('.').next().unwrap_or(""));
                if rules.conversions.contains_key(head) || rules.literal_types.values().any(|t| t == head) {
                    return Some(Foreign::Unknown);
                }
                let known = rules.conversions.contains_key(last) || rules.top_types.iter().any(|t| t == last);
                if text.contains('.') && !known && last.starts_with(char::is_lowercase) {
                    return Some(Foreign::Unknown);
                }
                Foreign::Named(last.to_owned())
            }
            Value::Generic(file, expr) => {
                let name = self.last_name(file, expr)?;
                Foreign::Named(self.program.text(name).to_owned())
            }
            Value::Literal(kind) => {
                let word = match kind {
                    LiteralKind::String => "string",
                    LiteralKind::Integer => "integer",
                    LiteralKind::Float => "float",
                    LiteralKind::Boolean => "boolean",
                    LiteralKind::Character => "character",
                    LiteralKind::Null | LiteralKind::Other => "other",
                };
                Foreign::Named(rules.literal_types.get(word)?.clone())
            }
            Value::Sequence(..) | Value::Collection(..) => Foreign::Array,
            _ => return None,
        })
    }

    /// The distance to a base outside the project of that name.
    fn foreign_base_distance(&mut self, rules: &LanguageRules, sym: Sym, target: &str) -> Option<u32> {
        let mut outside = false;
        for (distance, at) in self.order(sym).iter().enumerate() {
            for base in self.types.bases.get(at).cloned().unwrap_or_default() {
                if base.target.is_some() {
                    continue;
                }
                let Some(name) = self.last_name(base.file, base.expr) else { continue };
                let name = self.program.text(name).to_owned();
                let known = rules.conversions.contains_key(&name);
                match conversion(rules, &name, target) {
                    Some(fit) if name == target || known => {
                        return Some(fit.saturating_sub(1 + distance as u32).max(4))
                    }
                    _ => outside |= !known,
                }
            }
        }
        outside.then_some(1)
    }
}

/// How well a type converts to another one, by their names.
fn conversion(rules: &LanguageRules, given: &str, wanted: &str) -> Option<u32> {
    if given == wanted {
        return Some(SAME);
    }
    let primitive = |name: &str| rules.primitive_types.iter().any(|p| p == name);
    if let Some(fit) = subtype(rules, given, wanted) {
        return Some(fit);
    }
    if rules.top_types.iter().any(|t| t == wanted) {
        return Some(if primitive(given) { 2 } else { 3 });
    }
    // Values and their objects stand for each other where nothing else fits.
    let partners = rules.boxes.iter().filter_map(|(value, object)| match () {
        _ if value == given => Some(object),
        _ if object == given => Some(value),
        _ => None,
    });
    for partner in partners {
        if partner == wanted || subtype(rules, partner, wanted).is_some() {
            return Some(2);
        }
    }
    // Only where both ends are known is there no way from one to the other.
    let known = |name: &str| rules.conversions.contains_key(name);
    (!known(given) && !primitive(wanted)).then_some(1)
}

/// How near a type is to one that its values may be given for.
fn subtype(rules: &LanguageRules, given: &str, wanted: &str) -> Option<u32> {
    let mut waiting = std::collections::VecDeque::from([(given, 0u32)]);
    let mut seen = vec![given];
    while let Some((at, steps)) = waiting.pop_front() {
        let nexts = rules.conversions.get(at).map_or(&[][..], Vec::as_slice);
        for (index, next) in nexts.iter().enumerate() {
            let steps = steps + 1 + index as u32;
            if next == wanted {
                return Some(15u32.saturating_sub(steps.min(FAR)));
            }
            if !seen.contains(&next.as_str()) {
                seen.push(next);
                waiting.push_back((next, steps));
            }
        }
    }
    None
}
