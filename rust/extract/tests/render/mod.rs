//! Facts as compact text, for people and for tests.

use mmcg_facts::{Arg, CollectionKind, Expr, ExprId, FileFacts, ScopeId, SiteFlags, SymbolFlags, What};
use std::fmt::Write;

/// An expression as text.
pub fn expr(f: &FileFacts, id: ExprId) -> String {
    text(f, id, 0)
}

fn args(f: &FileFacts, range: std::ops::Range<u32>, depth: usize) -> String {
    let one = |arg: &Arg| {
        let name = arg.name.map_or(String::new(), |n| format!("{}=", f.name(n)));
        format!("{name}{}{}", if arg.spread { "*" } else { "" }, text(f, arg.value, depth + 1))
    };
    f.args[range.start as usize..range.end as usize].iter().map(one).collect::<Vec<_>>().join(", ")
}

fn text(f: &FileFacts, id: ExprId, depth: usize) -> String {
    if depth > 20 {
        return "…".to_owned();
    }
    let sub = |id| text(f, id, depth + 1);
    match f.expr(id) {
        Expr::Unknown => "?".to_owned(),
        Expr::Literal(kind, name) if f.name(name).is_empty() => format!("<{kind:?}>").to_lowercase(),
        Expr::Literal(_, name) => format!("{:?}", f.name(name)),
        Expr::Name { name, path, .. } => format!("{}{}", f.name(name), if path { "::" } else { "" }),
        Expr::Receiver(kind, _) => format!("<{kind:?}>").to_lowercase(),
        Expr::Member { object, name, path } => {
            let object = sub(object);
            format!("{}{}{}", object.trim_end_matches("::"), if path { "::" } else { "." }, f.name(name))
        }
        Expr::Call(site) => {
            let site = f.site(site);
            format!("{}({})", sub(site.callee), args(f, site.args.clone(), depth))
        }
        Expr::Index { object, args: a, count } => format!("{}[{}]", sub(object), args(f, a..a + count, depth)),
        Expr::Item(e, n) => format!("{}#{n}", sub(e)),
        Expr::Part { of, from, to: i32::MAX } => format!("{}#{from}..", sub(of)),
        Expr::Part { of, from, to } => format!("{}#{from}..{to}", sub(of)),
        Expr::Key(e) => format!("key({})", sub(e)),
        Expr::Element(e) => format!("element({})", sub(e)),
        Expr::Entered(e) => format!("entered({})", sub(e)),
        Expr::Symbol(s) => format!("symbol {}", f.name(f.symbol(s).qualified)),
        Expr::Lambda(s) => format!("lambda s{}", s.0),
        Expr::Collection { kind, args: a, count } => {
            let (open, close) = match kind {
                CollectionKind::Tuple => ("(", ")"),
                CollectionKind::List => ("[", "]"),
                CollectionKind::Map => ("{", "}"),
            };
            format!("{open}{}{close}", args(f, a..a + count, depth))
        }
        Expr::Await(e) => format!("await {}", sub(e)),
        Expr::Choice(a, b) => format!("({} | {})", sub(a), sub(b)),
        Expr::Cast(a, b) => format!("({} as {})", sub(a), sub(b)),
        Expr::OfType(e) => format!("of({})", sub(e)),
        Expr::Deref(e) => format!("*{}", sub(e)),
        Expr::Narrow(value, of) => format!("{} if {}", sub(value), sub(of)),
    }
}

fn scope(f: &FileFacts, id: ScopeId) -> String {
    let this = f.scopes[id.index()];
    let symbol = f.name(f.symbol(this.symbol).qualified);
    format!("{}s{} in {symbol}", format!("{:?} ", this.kind).to_lowercase(), id.0)
}

fn flags(bits: SymbolFlags) -> String {
    let names = [
        (SymbolFlags::STATIC, "static"),
        (SymbolFlags::ASYNC, "async"),
        (SymbolFlags::ABSTRACT, "abstract"),
        (SymbolFlags::TEST, "test"),
        (SymbolFlags::EXPORTED, "exported"),
        (SymbolFlags::DEFAULT_EXPORT, "default"),
        (SymbolFlags::EXTENSION, "extension"),
        (SymbolFlags::CLASS_METHOD, "class_method"),
        (SymbolFlags::GETTER, "getter"),
        (SymbolFlags::SETTER, "setter"),
        (SymbolFlags::GENERATOR, "generator"),
        (SymbolFlags::VIRTUAL, "virtual"),
        (SymbolFlags::OVERRIDE, "override"),
        (SymbolFlags::FINAL, "final"),
        (SymbolFlags::FILE_LOCAL, "file_local"),
        (SymbolFlags::PARTIAL, "partial"),
        (SymbolFlags::OVERLOAD_SIGNATURE, "overload"),
    ];
    names.iter().filter(|(flag, _)| bits.has(*flag)).map(|(_, name)| format!(" {name}")).collect()
}

/// All facts as text, one a line.
pub fn render(f: &FileFacts) -> String {
    let mut out = String::new();
    let _ = symbols(f, &mut out);
    let _ = names(f, &mut out);
    let _ = flow(f, &mut out);
    out
}

fn symbols(f: &FileFacts, out: &mut String) -> std::fmt::Result {
    for symbol in &f.symbols[1..] {
        write!(out, "{} {}{}", symbol.kind.as_str(), f.name(symbol.qualified), flags(symbol.flags))?;
        if symbol.visibility != mmcg_facts::Visibility::Public {
            write!(out, " {}", symbol.visibility.as_str())?;
        }
        write!(out, " @{}:{}-{}", symbol.place.line, symbol.place.column(), symbol.span.end_line)?;
        if !symbol.params.is_empty() {
            let param = |p: &mmcg_facts::Param| {
                let kind = format!("{:?}", p.kind).to_lowercase();
                let kind = if kind == "normal" { String::new() } else { format!("{kind} ") };
                let optional = if p.required || kind.contains("variadic") { "" } else { "?" };
                let declared = p.declared.map_or(String::new(), |d| format!(": {}", expr(f, d)));
                let default = p.default.map_or(String::new(), |d| format!(" = {}", expr(f, d)));
                let field = if p.field { "field " } else { "" };
                format!("{field}{kind}{}{optional}{declared}{default}", f.name(p.name))
            };
            let range = symbol.params.start as usize..symbol.params.end as usize;
            write!(out, " ({})", f.params[range].iter().map(param).collect::<Vec<_>>().join(", "))?;
        }
        if let Some(declared) = symbol.declared {
            write!(out, " -> {}", expr(f, declared))?;
        }
        if let Some(value) = symbol.value {
            write!(out, " = {}", expr(f, value))?;
        }
        if let Some(owner) = symbol.owner {
            write!(out, " of {}", expr(f, owner))?;
        }
        writeln!(out)?;
        writeln!(out, "    | {}", f.texts.get(symbol.signature))?;
        if let Some(doc) = symbol.doc {
            writeln!(out, "    \" {}", f.texts.get(doc).replace('\n', " / "))?;
        }
        for decorator in &f.decorators[symbol.decorators.start as usize..symbol.decorators.end as usize] {
            writeln!(out, "    @ {}", expr(f, *decorator))?;
        }
    }
    for base in &f.bases {
        let name = f.name(f.symbol(base.symbol).qualified);
        writeln!(out, "base {name} {} {}", base.kind.as_str(), expr(f, base.base))?;
    }
    for extension in &f.extensions {
        let interface = extension.interface.map_or(String::new(), |i| format!(" as {}", expr(f, i)));
        writeln!(out, "extension s{} of {}{interface}", extension.scope.0, expr(f, extension.target))?;
    }
    Ok(())
}

fn names(f: &FileFacts, out: &mut String) -> std::fmt::Result {
    if let Some(package) = f.package {
        writeln!(out, "package {}", f.name(package))?;
    }
    for import in &f.imports {
        let kind = format!("{:?}", import.kind).to_lowercase();
        write!(out, "import {kind} {}", f.name(import.module))?;
        for (word, name) in [("name", import.name), ("as", import.alias)] {
            if !f.name(name).is_empty() {
                write!(out, " {word} {}", f.name(name))?;
            }
        }
        if import.exported {
            write!(out, " exported")?;
        }
        if import.space > 0 {
            write!(out, " space {}", import.space)?;
        }
        writeln!(out, " s{} @{}:{}", import.scope.0, import.place.line, import.place.column())?;
    }
    for export in &f.exports {
        writeln!(out, "export {:?} {}", f.name(export.name), expr(f, export.value))?;
    }
    if let Some(public) = &f.public_names {
        writeln!(out, "public {}", public.iter().map(|n| f.name(*n)).collect::<Vec<_>>().join(" "))?;
    }
    if !f.opened.is_empty() {
        writeln!(out, "opens {}", f.opened.iter().map(|n| f.name(*n)).collect::<Vec<_>>().join(" "))?;
    }
    for decl in &f.decls {
        let what = match decl.what {
            What::Symbol(s) => format!("symbol {}", f.name(f.symbol(s).qualified)),
            What::Import(i) => format!("import {i}"),
            What::Param(i) => format!("param {i}"),
            What::Variable => "variable".to_owned(),
            What::TypeParam(i) => format!("type_param {i}"),
        };
        writeln!(out, "decl {} in {}: {what}", f.name(decl.name), scope(f, decl.scope))?;
    }
    Ok(())
}

fn flow(f: &FileFacts, out: &mut String) -> std::fmt::Result {
    for bind in &f.binds {
        write!(out, "bind s{} {}", bind.scope.0, f.name(bind.name))?;
        if let Some(declared) = bind.declared {
            write!(out, ": {}", expr(f, declared))?;
        }
        if let Some(value) = bind.value {
            write!(out, " = {}", expr(f, value))?;
        }
        writeln!(out, " @{}:{}", bind.place.line, bind.place.column())?;
    }
    for bind in &f.member_binds {
        write!(out, "set {}.{}", expr(f, bind.object), f.name(bind.name))?;
        if let Some(declared) = bind.declared {
            write!(out, ": {}", expr(f, declared))?;
        }
        if let Some(value) = bind.value {
            write!(out, " = {}", expr(f, value))?;
        }
        writeln!(out, " in {} @{}:{}", f.name(f.symbol(bind.symbol).qualified), bind.place.line, bind.place.column())?;
    }
    for result in &f.returns {
        let word = if result.yielded { "yield" } else { "return" };
        writeln!(out, "{word} {}: {}", scope(f, result.scope), expr(f, result.value))?;
    }
    for site in &f.sites {
        let names = [
            (SiteFlags::NEW, "new "),
            (SiteFlags::ELEMENT, "element "),
            (SiteFlags::OPERATOR, "operator "),
            (SiteFlags::DECORATOR, "decorator "),
            (SiteFlags::MACRO, "macro "),
            (SiteFlags::DELEGATE, "delegate "),
            (SiteFlags::SPREAD, "spread "),
            (SiteFlags::IN_MACRO, "in_macro "),
        ];
        let flags: String = names.iter().filter(|(flag, _)| site.flags.has(*flag)).map(|(_, n)| *n).collect();
        let from = f.name(f.symbol(site.symbol).qualified);
        let types =
            if site.type_args.is_empty() { String::new() } else { format!("<{}>", args(f, site.type_args.clone(), 0)) };
        let call = format!("{}{types}({})", expr(f, site.callee), args(f, site.args.clone(), 0));
        writeln!(
            out,
            "{flags}call {} from {from} s{} @{}:{}: {call}",
            f.name(site.name),
            site.scope.0,
            site.place.line,
            site.place.column()
        )?;
    }
    for (index, place) in f.places.iter().enumerate() {
        let used = place.used();
        if matches!(used, mmcg_facts::UseKind::None | mmcg_facts::UseKind::Call) {
            continue;
        }
        let used = format!("{used:?}").to_lowercase();
        writeln!(out, "use {used} {} @{}:{}", expr(f, ExprId(index as u32)), place.line, place.column())?;
    }
    for problem in &f.problems {
        writeln!(out, "problem {} @{}: {}", problem.code.as_str(), problem.line, problem.message)?;
    }
    Ok(())
}
