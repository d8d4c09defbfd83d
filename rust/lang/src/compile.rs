//! From data to tables. Whatever does not fit is left out and named in a list, which a test wants empty.

use crate::data::{
    Declares, LanguageData, NameFlags, OneOrMany, RawDeclarators, RawNarrowing, RawPreprocess, RawRule, RawTypeTest,
    Role,
};
use crate::rule::{
    BaseRule, CommentRule, Declarators, Flags, Narrowing, PreWord, Preprocess, Rule, Tables, TestRules, TypeTest,
};
use crate::select::kind_id;
use crate::{Pattern, Selector};
use mmcg_facts::{BaseKind, ReceiverKind, SiteFlags, SymbolFlags, SymbolKind, Visibility};
use tree_sitter::Language as Parser;

struct Compiler<'a> {
    parser: &'a Parser,
    wrong: Vec<String>,
}

/// Compiles the data of a language; the list says what is wrong with it.
pub fn compile(data: &LanguageData, parser: Parser) -> (Tables, Vec<String>) {
    let kinds = parser.node_kind_count();
    let mut c = Compiler { parser: &parser, wrong: Vec::new() };
    // What is inherited may speak of nodes that this grammar lacks.
    let inherits = !data.extends.is_empty();
    let (mut by_kind, mut rules) = (vec![(0, 0); kinds + 1], Vec::new());
    let mut declaring = vec![false; kinds + 1];
    let mut literals = vec![false; kinds + 1];
    for (kind, raw) in &data.nodes {
        let own = !inherits || data.own_nodes.contains(kind);
        // `'this'`: a token that means something.
        let token = kind.strip_prefix('\'').and_then(|t| t.strip_suffix('\''));
        let id = match kind_id(token.unwrap_or(kind), token.is_none(), &parser) {
            Ok(id) => id,
            Err(error) => {
                if own {
                    c.wrong.push(error);
                }
                continue;
            }
        };
        let first = rules.len();
        let before = c.wrong.len();
        match raw {
            OneOrMany::One(rule) => rules.push(c.rule(rule)),
            OneOrMany::Many(many) => rules.extend(many.iter().map(|r| c.rule(r))),
        }
        if !own {
            c.wrong.truncate(before);
        }
        for error in &mut c.wrong[before..] {
            *error = format!("{kind}: {error}");
        }
        let declares = |r: &Rule| {
            matches!(r.role, Role::Function | Role::Class)
                || matches!(r.role, Role::Variable | Role::Declaration)
                    && matches!(r.declares, Declares::Block | Declares::Shadow)
        };
        declaring[id as usize] = rules[first..].iter().any(declares);
        literals[id as usize] = rules[first..].iter().all(|r| r.role == Role::Literal);
        by_kind[id as usize] = (first as u16, (rules.len() - first) as u16);
    }
    let ruled: Vec<bool> = by_kind.iter().map(|(_, count)| *count > 0).collect();
    let before = c.wrong.len();
    let mut exported_by = c.kind_set(&data.exported_by, kinds);
    exported_by.truncate(kinds + 1);
    let comments = c.kind_set(&data.comments, kinds);
    let bits = |kind: usize| {
        let named = parser.node_kind_is_named(kind as u16) || ruled[kind];
        u8::from(named) | u8::from(literals[kind]) << 1 | u8::from(comments[kind]) << 2
    };
    let kind_bits = (0..=kinds).map(bits).collect();
    let mut branches = vec![None; kinds + 1];
    for (kind, selector) in &data.branches {
        match kind_id(kind, true, &parser) {
            Ok(id) => branches[id as usize] = Some(Box::new(c.select(selector))),
            Err(error) => c.wrong.push(error),
        }
    }
    let tables = Tables {
        by_kind,
        rules,
        branches,
        loops: c.kind_set(&data.loops, kinds),
        exclusive: c.kind_set(&data.exclusive, kinds),
        wrappers: c.kind_set(&[&data.wrappers[..], &data.lone_wrappers[..]].concat(), kinds),
        lone_wrappers: c.kind_set(&data.lone_wrappers, kinds),
        through: c.kind_set(&data.through, kinds),
        modifier_groups: c.kind_set(&data.modifier_groups, kinds),
        exported_by,
        declaring,
        kinds: kind_bits,
        default_token: data.default_token.clone(),
        decorators: data.decorators.iter().map(|s| c.select(s)).collect(),
        modifiers: data.modifiers.iter().map(|(name, flags)| (name.clone(), c.flags(flags))).collect(),
        decorator_flags: c.name_flags(&data.decorator_flags),
        name_flags: c.name_flags(&data.names.functions),
        operators: data.operators.iter().map(|(k, v)| (k.clone(), v.clone())).collect(),
        receivers: data.names.receivers.iter().map(|(k, v)| (k.clone(), c.receiver(v))).collect(),
        receiver_calls: data.names.receiver_calls.iter().map(|(k, v)| (k.clone(), c.receiver(v))).collect(),
        first_parameter_is_receiver: data.names.first_parameter_is_receiver,
        keyword_after_variadic: data.names.keyword_after_variadic,
        constants: patterns(&data.names.constants),
        pattern_constants: patterns(&data.names.pattern_constants),
        ignored: data.names.ignored.clone(),
        tokens: data
            .tokens
            .iter()
            .flat_map(|(open, around)| around.chunks_exact(2).map(move |a| (open.clone(), a[0].clone(), a[1].clone())))
            .collect(),
        public_list: data.names.public_list.clone(),
        types_in_strings: data.names.types_in_strings,
        type_prefix: data.names.type_prefix.clone(),
        narrowings: data.type_tests.at.iter().filter_map(|raw| c.narrowing(raw)).collect(),
        type_tests: data.type_tests.tests.iter().filter_map(|raw| c.type_test(raw)).collect(),
        bracketing: c.kind_list(&data.type_tests.bracketing),
        leaving: c.kind_list(&data.type_tests.leaving),
        export_objects: data.names.export_objects.clone(),
        export_whole: data.names.export_whole.clone(),
        docs: CommentRule {
            inside: c.select(&data.docs.inside),
            module: c.select(&data.docs.module),
            comments: c.kind_list(&data.docs.comments),
            starts: data.docs.starts.clone(),
            between: c.kind_list(&data.docs.between),
            return_tags: data.docs.return_tags.clone(),
            type_tags: data.docs.type_tags.clone(),
            parameter_tags: data.docs.parameter_tags.clone(),
        },
        tests: TestRules {
            functions: patterns(&data.tests.functions),
            methods: patterns(&data.tests.methods),
            classes: patterns(&data.tests.classes),
            decorators: patterns(&data.tests.decorators),
            calls: data.tests.calls.clone(),
            paths: patterns(&data.tests.paths),
        },
        visibility: c.visibility(&data.visibility.default).unwrap_or(Visibility::Public),
        member_visibility: c
            .visibility(&data.visibility.members)
            .or_else(|| c.visibility(&data.visibility.default))
            .unwrap_or(Visibility::Public),
        visible_names: data
            .visibility
            .names
            .iter()
            .filter_map(|(name, word)| Some((Pattern::new(name), c.visibility(word)?)))
            .collect(),
        embedded_tags: data.embedded.tags.clone(),
        declarators: c.declarators(&data.declarators, kinds),
        preprocess: preprocess(&data.preprocess),
        declared_types: data.declared_types,
        first_branches: data.first_branches,
        condition_comment: data.conditions.comment.clone(),
        condition_decorators: data.conditions.decorators.clone(),
        condition_macros: patterns(&data.conditions.macros),
        given: patterns(&data.conditions.given),
        never: patterns(&data.conditions.never),
        groups: c.groups(data, kinds),
        negated: data.conditions.negated.clone(),
        key_macros: data.conditions.keys.clone(),
        constructors: data.resolution.constructors.clone(),
        resolution: data.resolution.clone(),
        parser: parser.clone(),
    };
    if inherits {
        c.wrong.truncate(before);
    }
    let wrong = std::mem::take(&mut c.wrong);
    (tables, wrong)
}

fn patterns(texts: &[String]) -> Vec<Pattern> {
    texts.iter().map(|t| Pattern::new(t)).collect()
}

impl Compiler<'_> {
    fn narrowing(&mut self, raw: &RawNarrowing) -> Option<Narrowing> {
        let kind = *self.kind_list(std::slice::from_ref(&raw.kind)).first()?;
        let operator = (!raw.operator.is_empty()).then(|| (self.select(&raw.operator), raw.words.clone()));
        let (condition, holds, fails) = (self.select(&raw.condition), self.select(&raw.holds), self.select(&raw.fails));
        let (subject, of) = (self.select(&raw.subject), self.select(&raw.of));
        Some(Narrowing { kind, operator, condition, holds, fails, asserts: raw.asserts, subject, of })
    }

    fn type_test(&mut self, raw: &RawTypeTest) -> Option<TypeTest> {
        let kind = *self.kind_list(std::slice::from_ref(&raw.kind)).first()?;
        let (operator, words) = (self.select(&raw.operator), raw.words.clone());
        let (subject, of) = (self.select(&raw.subject), self.select(&raw.of));
        Some(TypeTest { kind, operator, words, means: raw.means, subject, of })
    }

    fn select(&mut self, text: &str) -> Selector {
        Selector::compile(text, self.parser, &mut self.wrong)
    }

    fn field(&mut self, name: &str) -> Option<u16> {
        let id = self.parser.field_id_for_name(name).map(|f| f.get());
        if id.is_none() {
            self.wrong.push(format!("the grammar has no field `{name}`"));
        }
        id
    }

    fn kind_list(&mut self, kinds: &[String]) -> Vec<u16> {
        let mut ids = Vec::new();
        for kind in kinds {
            match kind_id(kind, true, self.parser) {
                Ok(id) => ids.push(id),
                Err(error) => self.wrong.push(error),
            }
        }
        ids
    }

    fn kind_set(&mut self, names: &[String], kinds: usize) -> Vec<bool> {
        let mut set = vec![false; kinds + 1];
        for id in self.kind_list(names) {
            set[id as usize] = true;
        }
        set
    }

    fn groups(&mut self, data: &LanguageData, kinds: usize) -> Vec<Option<(Selector, bool)>> {
        let (groups, further) = (&data.conditions.groups, &data.conditions.alternatives);
        let mut found = Vec::new();
        if !groups.is_empty() {
            found.resize(kinds + 1, None);
        }
        for (kinds, further) in [(groups, false), (further, true)] {
            for (kind, condition) in kinds {
                let condition = self.select(condition);
                for id in self.kind_list(std::slice::from_ref(kind)) {
                    if let Some(place) = found.get_mut(id as usize) {
                        *place = Some((condition.clone(), further));
                    }
                }
            }
        }
        found
    }

    fn name_flags(&mut self, names: &NameFlags) -> Vec<(Pattern, Flags)> {
        names.iter().map(|(name, flags)| (Pattern::new(name), self.flags(flags))).collect()
    }

    fn visibility(&mut self, word: &str) -> Option<Visibility> {
        Some(match word {
            "public" => Visibility::Public,
            "internal" => Visibility::Internal,
            "protected" => Visibility::Protected,
            "private" => Visibility::Private,
            "" => return None,
            other => {
                self.wrong.push(format!("`{other}` is no visibility"));
                return None;
            }
        })
    }

    fn receiver(&mut self, word: &str) -> ReceiverKind {
        match word {
            "this" => ReceiverKind::This,
            "super" => ReceiverKind::Super,
            "self_type" => ReceiverKind::SelfType,
            "static_type" => ReceiverKind::StaticType,
            other => {
                self.wrong.push(format!("`{other}` is no receiver"));
                ReceiverKind::This
            }
        }
    }

    fn flags(&mut self, words: &[String]) -> Flags {
        let mut flags = Flags::default();
        for word in words {
            let set = match word.as_str() {
                "static" => SymbolFlags::STATIC,
                "async" => SymbolFlags::ASYNC,
                "abstract" => SymbolFlags::ABSTRACT,
                "test" => SymbolFlags::TEST,
                "exported" => SymbolFlags::EXPORTED,
                "default_export" => SymbolFlags::DEFAULT_EXPORT,
                "extension" => SymbolFlags::EXTENSION,
                "class_method" => SymbolFlags::CLASS_METHOD,
                "getter" => SymbolFlags::GETTER,
                "setter" => SymbolFlags::SETTER,
                "generator" => SymbolFlags::GENERATOR,
                "virtual" => SymbolFlags::VIRTUAL,
                "override" => SymbolFlags::OVERRIDE,
                "final" => SymbolFlags::FINAL,
                "constant_object" => SymbolFlags::CONSTANT,
                "macro_made" => SymbolFlags::MACRO_MADE,
                "file_local" => SymbolFlags::FILE_LOCAL,
                "partial" => SymbolFlags::PARTIAL,
                "callable_value" => SymbolFlags::CALLABLE_VALUE,
                "overload_signature" => SymbolFlags::OVERLOAD_SIGNATURE,
                "public" | "internal" | "protected" | "private" => {
                    flags.visibility = self.visibility(word);
                    continue;
                }
                other => {
                    flags.kind = symbol_kind(other);
                    if flags.kind.is_none() {
                        self.wrong.push(format!("`{other}` is no flag"));
                    }
                    continue;
                }
            };
            flags.set.set(set);
        }
        flags
    }

    fn site_flags(&mut self, words: &[String]) -> SiteFlags {
        let mut flags = SiteFlags::default();
        for word in words {
            flags.set(match word.as_str() {
                "new" => SiteFlags::NEW,
                "element" => SiteFlags::ELEMENT,
                "operator" => SiteFlags::OPERATOR,
                "decorator" => SiteFlags::DECORATOR,
                "macro" => SiteFlags::MACRO,
                "delegate" => SiteFlags::DELEGATE,
                other => {
                    self.wrong.push(format!("`{other}` is no flag of a call"));
                    continue;
                }
            });
        }
        flags
    }

    fn rule(&mut self, raw: &RawRule) -> Rule {
        let mut flags = self.flags(&raw.flags);
        if let Some(visibility) = self.visibility(&raw.visibility) {
            flags.visibility = Some(visibility);
        }
        let defines = matches!(
            raw.role,
            Role::Function | Role::Lambda | Role::Class | Role::Namespace | Role::Variable | Role::Assign
        ) || raw.role == Role::Declaration;
        if defines && !raw.kind.is_empty() && symbol_kind(&raw.kind).is_none() {
            self.wrong.push(format!("`{}` is no kind of symbol", raw.kind));
        }
        Rule {
            role: raw.role,
            when: raw.when.iter().map(|s| self.select(s)).collect(),
            unless: raw.unless.iter().map(|s| self.select(s)).collect(),
            inside: self.kind_list(&raw.inside).into(),
            scope: raw.scope.clone().into(),
            as_field: raw.as_field.iter().filter_map(|f| self.field(f)).collect(),
            texts: raw.text.iter().map(|(s, texts)| (self.select(s), patterns(texts))).collect(),
            name: self.select(&raw.name),
            object: self.select(&raw.object),
            callee: self.select(&raw.callee),
            arguments: self.select(&raw.arguments),
            block: self.select(&raw.block),
            type_arguments: self.select(&raw.type_arguments),
            type_: self.select(&raw.type_),
            value: self.select(&raw.value),
            body: self.select(&raw.body),
            parameters: self.select(&raw.parameters),
            returns: self.select(&raw.returns),
            type_parameters: self.select(&raw.type_parameters),
            constraints: self.select(&raw.constraints),
            owner: self.select(&raw.owner),
            receiver: self.select(&raw.receiver),
            target: self.select(&raw.target),
            key: self.select(&raw.key),
            items: self.select(&raw.items),
            module: self.select(&raw.module),
            alias: self.select(&raw.alias),
            operator: self.select(&raw.operator),
            left: self.select(&raw.left),
            right: self.select(&raw.right),
            default: self.select(&raw.default),
            interface: self.select(&raw.interface),
            exported: self.select(&raw.exported),
            optional: self.select(&raw.optional),
            marks: self.select(&raw.marks),
            members: self.select(&raw.members),
            promoted: self.select(&raw.promoted),
            bases: raw
                .bases
                .iter()
                .map(|b| BaseRule { at: self.select(&b.at), kind: self.base(&b.kind), around: b.around })
                .collect(),
            kind: raw.kind.clone(),
            symbol_kind: symbol_kind(&raw.kind),
            member_kind: symbol_kind(&raw.member_kind),
            flags,
            site: self.site_flags(&raw.site),
            runs: raw.runs.clone().into(),
            declares: raw.declares,
            wrap: raw.wrap,
            head: raw.head,
            late: raw.late,
            method: raw.method.clone(),
            split: raw.split.clone(),
            prefix: raw.prefix.clone(),
            implicit: raw.implicit.clone(),
            strip: raw.strip.clone(),
            space: raw.space.iter().map(|(k, v)| (k.clone(), *v)).collect(),
            path: raw.path,
            names_functions: raw.names_functions,
            owns_lambdas: raw.owns_lambdas,
            in_type: raw.in_type,
            value_last: raw.value_last,
            default_item: raw.default_item,
            last_name: raw.last_name,
            field: raw.field,
            constructs: raw.constructs,
            scoped: raw.scoped,
            local: raw.local,
            reads: raw.reads.clone(),
            writes: raw.writes.clone(),
            callables_only: raw.callables_only,
            first_only: raw.first_only,
            each: raw.each,
        }
    }

    fn declarators(&mut self, raw: &RawDeclarators, kinds: usize) -> Declarators {
        let field = match raw.field.as_str() {
            "" => 0,
            name => match self.parser.field_id_for_name(name) {
                Some(id) => id.get(),
                None => {
                    self.wrong.push(format!("the grammar has no field `{name}`"));
                    0
                }
            },
        };
        Declarators {
            field,
            functions: self.kind_set(&raw.functions, kinds),
            pointers: self.kind_set(&raw.pointers, kinds),
            brackets: self.kind_set(&raw.brackets, kinds),
            constant: match raw.constant.as_str() {
                "" => 0,
                kind => self.kind_set(&[kind.to_owned()], kinds).iter().position(|set| *set).unwrap_or(0) as u16,
            },
        }
    }

    fn base(&mut self, word: &str) -> BaseKind {
        match word {
            "" | "extends" => BaseKind::Extends,
            "implements" => BaseKind::Implements,
            "mixin" => BaseKind::Mixin,
            "embeds" => BaseKind::Embeds,
            other => {
                self.wrong.push(format!("`{other}` is no kind of base"));
                BaseKind::Extends
            }
        }
    }
}

fn preprocess(raw: &RawPreprocess) -> Preprocess {
    let lists = [
        (&raw.keep, PreWord::Kept),
        (&raw.control, PreWord::Control),
        (&raw.tags, PreWord::Tag),
        (&raw.types, PreWord::Type),
        (&raw.qualifiers, PreWord::Qualifier),
    ];
    // Of a word in several lists the last one counts.
    let words = lists.into_iter().flat_map(|(list, class)| list.iter().map(move |word| (word.clone(), class)));
    Preprocess {
        active: !raw.macros.is_empty(),
        macros: patterns(&raw.macros),
        words: words.collect(),
        attributes: raw.attributes.clone(),
        openers: raw.openers.clone(),
        angles: raw.angles,
    }
}

fn symbol_kind(word: &str) -> Option<SymbolKind> {
    use SymbolKind::{
        Class, Constant, Constructor, Enum, Field, Function, Interface, Macro, Method, Namespace, Property, Prototype,
        Struct, Trait, Type, Union, Variable, Variant,
    };
    [
        Namespace,
        Function,
        Method,
        Constructor,
        Class,
        Struct,
        Union,
        Interface,
        Trait,
        Enum,
        Variant,
        Type,
        Macro,
        Prototype,
        Constant,
        Variable,
        Field,
        Property,
    ]
    .into_iter()
    .find(|k| k.as_str() == word)
}
