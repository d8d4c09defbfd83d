//! Choosing among several functions of one name by the arguments of a call.

use crate::modules::FileId;
use crate::program::Sym;
use crate::resolver::Resolver;
use crate::types::Syms;
use crate::values::{Value, ValueSet};
use mmcg_facts::{
    CollectionKind, Expr, ExprId, LiteralKind, NameId, ParamKind, ScopeId, Site, SiteFlags, SymbolFlags, What,
};

/// How well a call fits a function; larger is better, `None` is not at all.
type Fit = Option<u32>;

impl Resolver<'_> {
    /// The functions whose parameters take a call's arguments: one where the arguments decide, several where they do
    /// not, all where none fits (a call that the facts describe wrongly is better answered with doubt than not).
    pub(crate) fn fitting(&mut self, file: FileId, site: &Site, candidates: Syms) -> Syms {
        self.fitting_after(file, site, candidates, false)
    }

    /// The same; `extension`: the first parameter is given by the receiver, not by an argument.
    pub(crate) fn fitting_after(&mut self, file: FileId, site: &Site, candidates: Syms, extension: bool) -> Syms {
        if candidates.len() < 2 {
            return candidates;
        }
        let candidates = self.without_explicit(candidates);
        let candidates = self.of_written_arity(file, site, candidates);
        let by_count: Syms = candidates
            .iter()
            .copied()
            .filter(|sym| {
                let skipped = self.extension_offset(*sym, site, extension);
                self.takes(*sym, site, skipped)
            })
            .collect();
        let left = if by_count.is_empty() { candidates } else { by_count };
        if left.len() < 2 {
            return left;
        }
        // The nearest type's member hides those of its bases with the same parameters.
        let left = self.without_overridden(left);
        if left.len() < 2 {
            return left;
        }
        let arguments = self.argument_values(file, site);
        let optional = self.optional_arguments(file, site);
        let fits: Vec<(Sym, Fit)> = left
            .iter()
            .map(|sym| (*sym, self.fit(*sym, self.extension_offset(*sym, site, extension), &arguments, &optional)))
            .collect();
        let fits = self.without_single(&arguments, fits);
        // A list of any length is the last resort.
        let fixed = |sym: Sym| !self.is_variadic(sym);
        let counted = fits.iter().filter(|(sym, fit)| fit.is_some() && fixed(*sym)).count();
        let fits: Vec<(Sym, Fit)> =
            fits.into_iter().filter(|(sym, fit)| fit.is_some() && (counted == 0 || fixed(*sym))).collect();
        let best = fits.iter().filter_map(|(_, fit)| *fit).max();
        match best {
            Some(best) => {
                let fitting = fits.into_iter().filter(|(_, fit)| *fit == Some(best)).map(|(sym, _)| sym).collect();
                let fitting = self.without_constant_twins(file, site, fitting);
                self.without_generic_twins(file, site, fitting)
            }
            None => left,
        }
    }

    /// Of members of one name those that are not reached through an interface only.
    fn without_explicit(&self, mut candidates: Syms) -> Syms {
        let explicit = |sym: &Sym| self.program.symbol(*sym).flags.has(SymbolFlags::EXPLICIT);
        if candidates.iter().any(explicit) && !candidates.iter().all(explicit) {
            candidates.retain(|sym| !explicit(sym));
        }
        candidates
    }

    /// A list is given as the list of any length before it is given as one thing of it: `add(E)` and `add(E...)`.
    fn without_single(&mut self, arguments: &[ValueSet], mut fits: Vec<(Sym, Fit)>) -> Vec<(Sym, Fit)> {
        let list = |given: &ValueSet| {
            !given.is_empty() && given.iter().all(|(v, _)| matches!(v, Value::Sequence(..) | Value::Collection(..)))
        };
        if !arguments.last().is_some_and(list) {
            return fits;
        }
        let lists: Vec<String> = fits
            .iter()
            .filter(|(sym, fit)| fit.is_some() && self.is_variadic(*sym))
            .filter_map(|(sym, _)| self.last_type(*sym, arguments.len()))
            .collect();
        let single = |this: &Self, sym: Sym| {
            let last = this.last_type(sym, arguments.len());
            !this.is_variadic(sym) && last.is_some_and(|last| lists.contains(&last))
        };
        fits.retain(|(sym, _)| !single(self, *sym));
        fits
    }

    /// The type of the last of a number of parameters, if a function has so many.
    fn last_type(&self, sym: Sym, count: usize) -> Option<String> {
        let file = self.program.file_of(sym);
        let params = &self.program.file(file).facts.params;
        let range = self.program.symbol(sym).params.clone();
        let mut own = range.map(|i| &params[i as usize]).filter(|p| p.kind != ParamKind::Receiver);
        let last = own.nth(count.checked_sub(1)?).filter(|_| own.next().is_none())?;
        last.declared.map(|declared| self.type_text(file, declared))
    }

    fn is_variadic(&self, sym: Sym) -> bool {
        let params = &self.program.file(self.program.file_of(sym)).facts.params;
        self.program.symbol(sym).params.clone().any(|i| params[i as usize].kind == ParamKind::Variadic)
    }

    fn extension_offset(&self, sym: Sym, site: &Site, extension: bool) -> usize {
        // An extension called through its receiver is given its first parameter by the receiver.
        let symbol = self.program.symbol(sym);
        let file = self.program.file_of(sym);
        let first = symbol.params.clone().next().map(|i| self.program.file(file).facts.params[i as usize].kind);
        usize::from(
            symbol.flags.has(SymbolFlags::EXTENSION)
                && first != Some(ParamKind::Receiver)
                && (extension || site.flags.has(SiteFlags::OPERATOR)),
        )
    }

    /// Whether a function can take as many arguments as the call gives, and those names.
    pub(crate) fn takes_count(&self, sym: Sym, site: &Site) -> bool {
        self.takes(sym, site, self.extension_offset(sym, site, false))
    }

    /// As `takes_count`, with the first `skipped` parameters given otherwise.
    pub(crate) fn takes(&self, sym: Sym, site: &Site, skipped: usize) -> bool {
        if site.flags.has(SiteFlags::SPREAD) {
            return true;
        }
        let given = (site.args.end - site.args.start) as usize + skipped;
        let symbol = self.program.symbol(sym);
        let facts = &self.program.file(self.program.file_of(sym)).facts;
        let params = &facts.params[symbol.params.start as usize..symbol.params.end as usize];
        let mut required = 0;
        let mut most = 0;
        for param in params.iter().filter(|p| p.kind != ParamKind::Receiver) {
            match param.kind {
                ParamKind::Variadic | ParamKind::KeywordVariadic => most = usize::MAX,
                _ => {
                    required += usize::from(param.required);
                    most = most.saturating_add(1);
                }
            }
        }
        if given < required && given <= most {
            return self.declared_required(sym).is_some_and(|required| required <= given);
        }
        required <= given && given <= most
    }

    /// Whether a function can take the arguments of a call: as many, and none that is a plain value (`5`, a `byte`)
    /// where an object is declared that plain values are never made into. Of other types too little is known.
    pub(crate) fn accepts(&mut self, file: FileId, site: &Site, sym: Sym) -> bool {
        if !self.takes_count(sym, site) {
            return false;
        }
        let home = self.program.file_of(sym);
        let facts = &self.program.file(home).facts;
        let params = self.program.symbol(sym).params.clone().map(|index| facts.params[index as usize]);
        let params: Vec<_> =
            params.take_while(|p| matches!(p.kind, ParamKind::Positional | ParamKind::Normal)).collect();
        let arguments = self.argument_values(file, site);
        params.iter().zip(&arguments).all(|(param, argument)| {
            let Some(declared) = param.declared else { return true };
            let wanted = self.instances(home, declared);
            wanted.is_empty() || !self.refuses_plain(home, argument, &wanted)
        })
    }

    fn without_overridden(&self, candidates: Syms) -> Syms {
        let mut kept = Syms::new();
        for sym in candidates {
            let owner = self.types.owner_of(sym);
            let same = kept.iter().position(|nearer| {
                self.types.owner_of(*nearer) != owner
                    && (self.same_parameter_types(*nearer, sym) || self.overrides_params(sym, *nearer))
            });
            match same {
                None => kept.push(sym),
                // Found later, yet below the other one: an interface that extends it.
                Some(at) => {
                    let above = self.types.owner_of(kept[at]);
                    let order = owner.and_then(|owner| self.types.orders.get(&owner));
                    if order.is_some_and(|order| order.iter().any(|s| Some(*s) == above)) {
                        kept[at] = sym;
                    }
                }
            }
        }
        kept
    }

    /// Whether two functions declare the same types in the same order.
    pub(crate) fn same_parameter_types(&self, a: Sym, b: Sym) -> bool {
        let types = |sym: Sym| -> Vec<Option<String>> {
            let symbol = self.program.symbol(sym);
            let file = self.program.file_of(sym);
            let params =
                &self.program.file(file).facts.params[symbol.params.start as usize..symbol.params.end as usize];
            let own = params.iter().filter(|p| p.kind != ParamKind::Receiver);
            own.map(|p| p.declared.map(|expr| self.type_text(file, expr))).collect()
        };
        types(a) == types(b)
    }

    /// Whether the parameters of an overriding member can be those of the overridden one: the same types, or type
    /// parameters that may stand for them.
    pub(crate) fn parameters_agree(&self, a: Sym, b: Sym) -> bool {
        let params = |sym: Sym| {
            let symbol = self.program.symbol(sym);
            let file = self.program.file_of(sym);
            let params = &self.program.file(file).facts.params;
            (file, &params[symbol.params.start as usize..symbol.params.end as usize])
        };
        let ((home, ours), (other, theirs)) = (params(a), params(b));
        ours.iter().zip(theirs).all(|(p, q)| match (p.declared, q.declared) {
            (Some(x), Some(y)) => {
                let variadic = |p: &mmcg_facts::Param| u32::from(p.kind == ParamKind::Variadic);
                let (left, right) = (self.type_head(home, x, variadic(p)), self.type_head(other, y, variadic(q)));
                let deep = left.1.abs_diff(right.1);
                if variadic(p) != variadic(q) && deep > 0 {
                    return false;
                }
                // A type parameter may stand for an array, but an array of it for nothing less.
                left == right
                    || left.0.is_none() && left.1 <= right.1
                    || right.0.is_none() && right.1 <= left.1 && deep == 0
            }
            _ => true,
        })
    }

    fn overrides_params(&self, base: Sym, nearer: Sym) -> bool {
        let count = |sym: Sym| self.program.symbol(sym).params.len();
        count(base) == count(nearer) && self.parameters_agree(base, nearer)
    }

    /// A type's name without arguments (none for type parameters and the like), and how many arrays are around it.
    fn type_head(&self, file: FileId, mut expr: ExprId, mut arrays: u32) -> (Option<NameId>, u32) {
        loop {
            match self.program.expr(file, expr) {
                Expr::Name { name, scope, .. } => {
                    return ((!self.is_type_parameter(file, scope, name)).then_some(name), arrays);
                }
                Expr::Member { name, .. } => return (Some(name), arrays),
                Expr::Index { object, .. } => expr = object,
                Expr::Deref(of) | Expr::OfType(of) => expr = of,
                Expr::Collection { kind: CollectionKind::List, args, count: 1 } => {
                    arrays += 1;
                    expr = self.args(file, args, 1)[0].value;
                }
                _ => return (None, 0),
            }
        }
    }

    fn is_type_parameter(&self, file: FileId, scope: ScopeId, name: NameId) -> bool {
        let facts = &self.program.file(file).facts;
        let mut next = Some(scope);
        while let Some(at) = next {
            if facts.declared(at, name).iter().any(|d| matches!(d.what, What::TypeParam(_))) {
                return true;
            }
            next = facts.scopes[at.index()].parent;
        }
        false
    }

    /// A type as text: its names without the paths before them.
    pub(crate) fn type_text(&self, file: FileId, expr: mmcg_facts::ExprId) -> String {
        match self.program.expr(file, expr) {
            Expr::Name { name, .. } | Expr::Member { name, .. } => self.program.text(name).to_owned(),
            Expr::Index { object, args, count } => {
                let inner: Vec<String> =
                    self.args(file, args, count).iter().map(|arg| self.type_text(file, arg.value)).collect();
                format!("{}<{}>", self.type_text(file, object), inner.join(","))
            }
            Expr::Collection { kind, args, count } => {
                let inner: Vec<String> =
                    self.args(file, args, count).iter().map(|arg| self.type_text(file, arg.value)).collect();
                format!("{kind:?}[{}]", inner.join(","))
            }
            Expr::Deref(of) => format!("*{}", self.type_text(file, of)),
            Expr::Choice(a, b) => {
                format!("{}|{}", self.type_text(file, a), self.type_text(file, b))
            }
            Expr::Receiver(kind, _) => format!("{kind:?}"),
            _ => String::from("?"),
        }
    }

    fn argument_values(&mut self, file: FileId, site: &Site) -> Vec<ValueSet> {
        let args = self.args(file, site.args.start, site.args.end - site.args.start).to_vec();
        args.iter().map(|arg| self.eval(file, arg.value)).collect()
    }

    /// Scores a function for known argument types: 2 for the same type, 1 for a base or an unknown one.
    fn fit(&mut self, sym: Sym, skipped: usize, arguments: &[ValueSet], given_optional: &[bool]) -> Fit {
        let symbol = self.program.symbol(sym);
        let file = self.program.file_of(sym);
        let rules = std::sync::Arc::clone(&self.program.file(file).rules);
        let facts = &self.program.file(file).facts;
        let params: Vec<mmcg_facts::Param> = facts.params[symbol.params.start as usize..symbol.params.end as usize]
            .iter()
            .filter(|p| p.kind != ParamKind::Receiver)
            .copied()
            .collect();
        // A fixed parameter list is preferred to a variadic one.
        let mut score = if params.iter().any(|p| p.kind == ParamKind::Variadic) { 0 } else { 1 };
        for (position, argument) in arguments.iter().enumerate() {
            let mut param = params.get(position + skipped).or(params.last().filter(|p| p.kind == ParamKind::Variadic));
            let behind = !rules.scope_functions.is_empty() && position + 1 == arguments.len();
            if behind && argument.iter().any(|(given, _)| matches!(given, Value::Lambda(..))) {
                // One that stands behind the call may leave out others.
                let fits = |this: &mut Self, p: &mmcg_facts::Param| {
                    p.declared.is_none_or(|declared| this.is_function_type(file, declared, 0))
                };
                param = params.last().filter(|p| fits(self, p)).or(param);
            }
            let Some(declared) = param.and_then(|p| p.declared) else {
                score += 4;
                continue;
            };
            let functions = argument.iter().map(|(given, _)| given);
            let functions: Vec<Value> =
                functions.filter(|v| matches!(v, Value::Lambda(..) | Value::Symbol(_))).collect();
            let refused = |this: &mut Self, given: &Value| this.takes_function(*given, file, declared) == Some(false);
            if !functions.is_empty() && functions.iter().all(|given| refused(self, given)) {
                return None;
            }
            if behind && !functions.is_empty() && self.is_function_type(file, declared, 0) {
                score += 16;
                continue;
            }
            let wanted = self.instances(file, declared);
            let variadic = param.is_some_and(|p| p.kind == ParamKind::Variadic);
            let fit = if rules.conversions.is_empty() {
                self.fit_one(argument, &wanted, file, declared)?
            } else {
                self.fit_converted(&rules, argument, &wanted, variadic)?
            };
            // A value is given for itself before it is given for one that may be missing.
            let optional = self.is_optional_value(&rules, file, declared, &wanted);
            let sure = !given_optional.get(position).is_some_and(|given| *given);
            if !sure && !optional && self.is_plain_value(&rules, &wanted) {
                return None;
            }
            score += if optional && sure { fit.saturating_sub(1) } else { fit };
        }
        Some(score)
    }

    fn fit_converted(
        &mut self,
        rules: &mmcg_facts::LanguageRules,
        argument: &ValueSet,
        wanted: &ValueSet,
        variadic: bool,
    ) -> Fit {
        let Some((given, _)) = argument.iter().next() else {
            // Nothing is known, or it is null.
            return (argument.open || self.takes_null(rules, wanted)).then_some(4);
        };
        if wanted.is_empty() {
            return Some(4);
        }
        let mut best = None;
        for (want, _) in wanted.iter() {
            best = best.max(self.convert(rules, given, want, variadic));
        }
        best
    }

    fn fit_one(&mut self, argument: &ValueSet, wanted: &ValueSet, file: FileId, declared: mmcg_facts::ExprId) -> Fit {
        let Some((given, _)) = argument.iter().next() else {
            return Some(4);
        };
        if wanted.is_empty() {
            return Some(4);
        }
        let mut best = None;
        for (want, _) in wanted.iter() {
            let fit = match (self.plain(given), self.plain(want)) {
                (Value::Instance(a), Value::Instance(b)) if a == b => Some(16),
                (Value::Instance(a), Value::Instance(b)) => {
                    let order = self.order(a);
                    match order.iter().position(|s| *s == b) {
                        Some(distance) => Some(15 - (distance as u32).min(10)),
                        // Its bases are not all known: it may still be one.
                        None => self.has_external_base(a).then_some(2),
                    }
                }
                (Value::Literal(kind), Value::External(_) | Value::Generic(..)) => {
                    let text = self.type_text(file, declared).to_lowercase();
                    match (kind, text.as_str()) {
                        // A text is an array of characters before it is made a string.
                        (LiteralKind::String, "*char") => Some(17),
                        _ => literal_fit(kind, text.trim_start_matches(['*', '&'])),
                    }
                }
                (Value::Literal(_), Value::Instance(_)) => None,
                (Value::External(a), Value::External(b)) => {
                    let last = |text: &str| {
                        text.rsplit(['.', ':', '\\']).next().unwrap_or("").trim_end_matches("()").to_owned()
                    };
                    if last(self.externals.text(a)) == last(self.externals.text(b)) {
                        Some(16)
                    } else {
                        Some(3)
                    }
                }
                (Value::External(_), Value::Instance(_)) => Some(2),
                (Value::Instance(a), Value::External(_)) => Some(if self.has_external_base(a) { 3 } else { 1 }),
                (Value::Lambda(..), Value::Instance(b)) => {
                    let kind = self.program.symbol(b).kind;
                    matches!(kind, mmcg_facts::SymbolKind::Interface | mmcg_facts::SymbolKind::Type).then_some(8)
                }
                (Value::Sequence(..) | Value::Collection(..), Value::Sequence(..)) => Some(12),
                (Value::Sequence(..) | Value::Collection(..), Value::Instance(_)) => None,
                _ => Some(4),
            };
            best = best.max(fit);
        }
        best
    }
}

/// Whether a literal can be given where a built-in type of that name is declared.
fn literal_fit(kind: LiteralKind, declared: &str) -> Fit {
    let has = |names: &[&str]| names.contains(&declared);
    let texts = has(&["string", "str", "std::string", "charsequence", "string_view", "char", "const char"]);
    let integers =
        has(&["int", "long", "short", "byte", "integer", "uint", "size_t", "i32", "u32", "i64", "u64", "number"]);
    let floats = has(&["float", "double", "decimal", "f32", "f64", "number"]);
    let booleans = has(&["bool", "boolean"]);
    let any = has(&["object", "any", "t", "e", "k", "v", "mixed", "unknown", "dynamic"]);
    match kind {
        LiteralKind::String if texts => Some(16),
        LiteralKind::Integer if has(&["int", "number", "i32"]) => Some(16),
        LiteralKind::Integer if integers => Some(12),
        LiteralKind::Integer if floats => Some(10),
        LiteralKind::Float if floats => Some(16),
        LiteralKind::Boolean if booleans => Some(16),
        LiteralKind::Character if has(&["char", "character"]) => Some(16),
        LiteralKind::Character if integers => Some(8),
        LiteralKind::Null => (!(integers || floats || booleans)).then_some(6),
        _ if any => Some(5),
        _ if texts || integers || floats || booleans => None,
        _ => Some(2),
    }
}
