use super::*;
use crate::modules::specimen::{beginnings, file, find, project};

const DEMO: &str = "[package]\nname = \"demo\"\nversion = \"0.1.0\"\nedition = \"2021\"\n";

fn around(crates: &Crates, p: &Project, path: &str) -> String {
    let file = file(p, path);
    let parent = crates.parent_unit(file).unwrap_or_default();
    format!("{parent} in {}", p.entry(crates.root(file).unwrap()).path)
}

#[test]
fn modules_by_their_files() {
    let p = project(
        "rust",
        "build.rs
         src/lib.rs
         src/main.rs
         src/opts/mod.rs
         src/opts/line.rs
         src/mill.rs
         src/mill/wheel.rs
         src/mill/wheel/cog.rs
         src/inline/deep/leaf.rs
         src/bin/tool.rs
         src/bin/big/main.rs
         src/bin/big/part.rs",
        &[("Cargo.toml", DEMO)],
    );
    let crates = Crates::new(&p);
    for (path, expected) in [
        ("src/lib.rs", " in src/lib.rs"),
        ("src/main.rs", " in src/main.rs"),
        ("build.rs", " in build.rs"),
        ("src/opts/mod.rs", "src/lib.rs in src/lib.rs"),
        ("src/opts/line.rs", "src/opts/mod.rs in src/lib.rs"),
        ("src/mill/wheel.rs", "src/mill.rs in src/lib.rs"),
        ("src/mill/wheel/cog.rs", "src/mill/wheel.rs in src/lib.rs"),
        ("src/inline/deep/leaf.rs", "src/lib.rs::inline::deep in src/lib.rs"),
        ("src/bin/tool.rs", " in src/bin/tool.rs"),
        ("src/bin/big/part.rs", "src/bin/big/main.rs in src/bin/big/main.rs"),
    ] {
        assert_eq!(around(&crates, &p, path), expected, "{path}");
    }
    let found = |path: &str| Found::File(file(&p, path));
    assert_eq!(crates.submodule("src/lib.rs", "opts"), found("src/opts/mod.rs"));
    assert_eq!(crates.submodule("src/opts/mod.rs", "line"), found("src/opts/line.rs"));
    assert_eq!(crates.submodule("src/mill.rs", "wheel"), found("src/mill/wheel.rs"));
    assert_eq!(crates.submodule("src/lib.rs::inline::deep", "leaf"), found("src/inline/deep/leaf.rs"));
    assert_eq!(crates.submodule("src/lib.rs", "r#mill"), found("src/mill.rs"));
    assert_eq!(crates.submodule("src/lib.rs", "gone"), Found::Missing);
    assert_eq!(crates.submodule("no/such.rs", "x"), Found::Missing);
}

#[test]
fn heads_with_a_meaning() {
    let p = project(
        "rust",
        "src/main.rs
         src/opts/mod.rs
         src/opts/line.rs
         src/inline/leaf.rs",
        &[("Cargo.toml", DEMO)],
    );
    let crates = Crates::new(&p);
    for (from, module, expected) in [
        ("src/opts/line.rs", "crate::opts::file::read", "file src/main.rs + opts file read"),
        ("src/opts/line.rs", "$crate::run", "file src/main.rs + run"),
        ("src/opts/line.rs", "self::x", "file src/opts/line.rs + x"),
        ("src/opts/line.rs", "super::file::r#try", "file src/opts/mod.rs + file try"),
        ("src/opts/line.rs", "super::super::run", "file src/main.rs + run"),
        ("src/opts/line.rs", "self::super::super", "file src/main.rs"),
        ("src/opts/line.rs", "super::super::super::run", "missing"),
        ("src/inline/leaf.rs", "super::near", "file src/main.rs + inline near"),
        ("src/inline/leaf.rs", "super::super::far", "file src/main.rs + far"),
        ("src/main.rs", "std::collections::HashMap", "external std + collections HashMap"),
        ("src/main.rs", "::std::fmt", "external std + fmt"),
        ("src/main.rs", "Colour::Red", "missing"),
        ("src/main.rs", "", "missing"),
        ("src/main.rs", "::", "missing"),
    ] {
        assert_eq!(find(&p, &crates, from, module), expected, "{module}");
    }
}

#[test]
fn targets_of_a_package() {
    let manifest = format!(
        "{DEMO}autobenches = false\n[lib]\nname = \"demo_lib\"\npath = \"source/entry.rs\"\n[[bin]]\nname = \"cli\"\n\
         path = \"cli/start.rs\"\n[[bench]]\nname = \"speed\"\n[[test]]\npath = \"checks/all.rs\"\n"
    );
    let p = project(
        "rust",
        "source/entry.rs
         source/part.rs
         cli/start.rs
         cli/flags.rs
         checks/all.rs
         checks/one.rs
         benches/speed.rs
         benches/helper.rs
         tests/a.rs
         tests/b.rs
         tests/common/mod.rs
         tests/common/net.rs
         tests/it/main.rs
         tests/it/util.rs
         tests/data/odd.rs
         examples/show.rs",
        &[("Cargo.toml", &manifest)],
    );
    let crates = Crates::new(&p);
    for (path, expected) in [
        ("source/part.rs", "source/entry.rs in source/entry.rs"),
        ("cli/flags.rs", "cli/start.rs in cli/start.rs"),
        ("checks/one.rs", "checks/all.rs in checks/all.rs"),
        ("benches/helper.rs", "benches/speed.rs in benches/speed.rs"),
        ("tests/b.rs", " in tests/b.rs"),
        ("tests/common/net.rs", "tests/common/mod.rs in tests/a.rs"),
        ("tests/it/util.rs", "tests/it/main.rs in tests/it/main.rs"),
        ("tests/data/odd.rs", " in tests/data/odd.rs"),
    ] {
        assert_eq!(around(&crates, &p, path), expected, "{path}");
    }
    for from in ["tests/a.rs", "tests/common/net.rs", "examples/show.rs", "cli/flags.rs", "benches/speed.rs"] {
        assert_eq!(find(&p, &crates, from, "demo_lib::Job"), "file source/entry.rs + Job", "{from}");
    }
    assert_eq!(find(&p, &crates, "tests/a.rs", "demo::Job"), "missing");
}

#[test]
fn crates_of_a_workspace() {
    let p = project(
        "rust",
        "crates/app/src/main.rs
         crates/app/tests/t.rs
         crates/my-core/src/lib.rs
         crates/my-core/src/deep.rs
         crates/other/src/lib.rs
         crates/odd/src/lib.rs
         crates/shared/src/lib.rs
         crates/patched/src/lib.rs
         left-out/src/lib.rs
         fake/serde/src/lib.rs",
        &[
            (
                "Cargo.toml",
                "[workspace]\nmembers = [\"crates/*\"]\nexclude = [\"left-out\"]\n[workspace.dependencies]\n\
                 sh = { path = \"crates/shared\", package = \"shared\" }\n[patch.crates-io]\n\
                 patched = { path = \"crates/patched\" }\n",
            ),
            (
                "crates/app/Cargo.toml",
                "[package]\nname = \"app\"\nedition = \"2021\"\n[dependencies]\nmy-core = { path = \"../my-core\" }\n\
                 renamed = { path = \"../other\", package = \"other\" }\nodd = { path = \"../odd\" }\n\
                 sh.workspace = true\npatched = \"1\"\nserde = \"1\"\njson = { version = \"1\", package = \"serde_json\" }\n\
                 away = { path = \"../../../outside\" }\n[target.'cfg(unix)'.dependencies]\nmy-nix = \"1\"\n\
                 [dev-dependencies]\nleft-out = { path = \"../../left-out\" }\n",
            ),
            ("crates/my-core/Cargo.toml", "[package]\nname = \"my-core\"\nedition.workspace = true\n"),
            ("crates/other/Cargo.toml", "[package]\nname = \"other\"\nedition = \"2021\"\n"),
            ("crates/odd/Cargo.toml", "[package]\nname = \"odd\"\nedition = \"2021\"\n[lib]\nname = \"even\"\n"),
            ("crates/shared/Cargo.toml", "[package]\nname = \"shared\"\nedition = \"2021\"\n"),
            ("crates/patched/Cargo.toml", "[package]\nname = \"patched\"\nedition = \"2021\"\n"),
            ("left-out/Cargo.toml", "[package]\nname = \"left-out\"\nedition = \"2021\"\n"),
            ("fake/serde/Cargo.toml", "[package]\nname = \"serde\"\nedition = \"2021\"\n[workspace]\n"),
        ],
    );
    let crates = Crates::new(&p);
    let main = "crates/app/src/main.rs";
    for (from, module, expected) in [
        (main, "my_core::Job", "file crates/my-core/src/lib.rs + Job"),
        ("crates/app/tests/t.rs", "my_core::deep::x", "file crates/my-core/src/lib.rs + deep x"),
        (main, "renamed::launch", "file crates/other/src/lib.rs + launch"),
        (main, "even::x", "file crates/odd/src/lib.rs + x"),
        (main, "sh::x", "file crates/shared/src/lib.rs + x"),
        (main, "patched::x", "file crates/patched/src/lib.rs + x"),
        (main, "left_out::x", "file left-out/src/lib.rs + x"),
        // A crate of that name is here, but in a workspace of its own.
        (main, "serde::de::Visitor", "external serde + de Visitor"),
        (main, "json::Value", "external serde_json + Value"),
        (main, "my_nix::x", "external my-nix + x"),
        (main, "away::x", "external away + x"),
        ("crates/my-core/src/deep.rs", "my_core::x", "file crates/my-core/src/lib.rs + x"),
        ("crates/my-core/src/deep.rs", "crate::x", "file crates/my-core/src/lib.rs + x"),
        ("left-out/src/lib.rs", "my_core::x", "missing"),
    ] {
        assert_eq!(find(&p, &crates, from, module), expected, "{module}");
    }
}

#[test]
fn declared_modules_decide_between_crates() {
    let p = project(
        "rust",
        "src/lib.rs
         src/main.rs
         src/both.rs
         src/cli.rs
         src/cli/flags.rs
         src/sys/unix.rs
         src/sys/part.rs
         src/gen/table.rs",
        &[("Cargo.toml", DEMO)],
    );
    let item = |from: &str, inside: &str, name: &str, path: Option<&str>| ModDeclaration {
        file: file(&p, from),
        inside: inside.into(),
        name: name.into(),
        path: path.map(str::to_owned),
    };
    let declarations = [
        item("src/main.rs", "", "both", None),
        item("src/main.rs", "", "cli", None),
        item("src/cli.rs", "", "flags", None),
        item("src/lib.rs", "", "both", None),
        item("src/lib.rs", "", "platform", Some("sys/unix.rs")),
        item("src/sys/unix.rs", "", "part", None),
        item("src/lib.rs", "gen", "t", Some("table.rs")),
        item("src/both.rs", "", "looped", Some("lib.rs")),
        item("src/cli.rs", "", "gone", None),
    ];
    let crates = Crates::with_declarations(&p, &declarations);
    for (path, expected) in [
        ("src/both.rs", "src/lib.rs in src/lib.rs"),
        ("src/cli.rs", "src/main.rs in src/main.rs"),
        ("src/cli/flags.rs", "src/cli.rs in src/main.rs"),
        ("src/sys/unix.rs", "src/lib.rs in src/lib.rs"),
        ("src/sys/part.rs", "src/sys/unix.rs in src/lib.rs"),
        ("src/gen/table.rs", "src/lib.rs::gen in src/lib.rs"),
        ("src/lib.rs", " in src/lib.rs"),
    ] {
        assert_eq!(around(&crates, &p, path), expected, "{path}");
    }
    assert_eq!(crates.submodule("src/lib.rs", "platform"), Found::File(file(&p, "src/sys/unix.rs")));
    assert_eq!(crates.submodule("src/lib.rs::gen", "t"), Found::File(file(&p, "src/gen/table.rs")));
    assert_eq!(find(&p, &crates, "src/cli/flags.rs", "crate::run"), "file src/main.rs + run");
}

#[test]
fn edition_2015() {
    let p = project(
        "rust",
        "src/lib.rs
         src/grain.rs
         src/serde.rs
         src/deep/mod.rs",
        &[("Cargo.toml", "[package]\nname = \"old\"\n[dependencies]\nserde = \"1\"\nregex = \"1\"\n")],
    );
    let crates = Crates::new(&p);
    let from = "src/deep/mod.rs";
    assert_eq!(find(&p, &crates, from, "grain::sift"), "file src/lib.rs + grain sift");
    assert_eq!(find(&p, &crates, from, "::grain::sift"), "file src/lib.rs + grain sift");
    assert_eq!(find(&p, &crates, from, "Thing"), "file src/lib.rs + Thing");
    assert_eq!(find(&p, &crates, from, "regex::Regex"), "external regex + Regex");
    assert_eq!(find(&p, &crates, from, "serde::x"), "file src/lib.rs + serde x");
}

#[test]
fn without_a_manifest_or_with_a_broken_one() {
    let p = project(
        "rust",
        "loose/src/main.rs
         loose/src/a.rs
         single.rs
         broken/src/lib.rs
         broken/src/b.rs",
        &[("broken/Cargo.toml", "[package\nname=")],
    );
    let crates = Crates::new(&p);
    assert_eq!(around(&crates, &p, "loose/src/a.rs"), "loose/src/main.rs in loose/src/main.rs");
    assert_eq!(around(&crates, &p, "single.rs"), " in single.rs");
    assert_eq!(around(&crates, &p, "broken/src/b.rs"), "broken/src/lib.rs in broken/src/lib.rs");
    assert_eq!(find(&p, &crates, "loose/src/a.rs", "serde::x"), "external serde + x");
    assert_eq!(find(&p, &crates, "broken/src/b.rs", "serde::x"), "external serde + x");
    assert_eq!(find(&p, &crates, "broken/src/b.rs", "crate::x"), "file broken/src/lib.rs + x");
}

#[test]
fn hostile_manifests_and_paths() {
    let text = "[package]\nname = \"é\"\n[lib]\npath = \"../../x.rs\"\n[[bin]]\nname = \"..\"\n[workspace]\nexclude = [\"..\"]\n\
                [dependencies]\ne = { path = \".\", package = \"é\" }\n[patch.x]\ny = { path = \"/etc\" }\n";
    for text in beginnings(text) {
        let p = project("rust", "src/lib.rs\nsrc/é.rs\nmod.rs\nsrc/mod/mod.rs", &[("Cargo.toml", text)]);
        let crates = Crates::new(&p);
        for path in ["src/lib.rs", "src/é.rs", "mod.rs", "src/mod/mod.rs"] {
            for module in ["é::x", "super::super", "self", "crate", "$crate", "::", "r#", "e::", "super::self::crate"]
            {
                crates.find(file(&p, path), module);
            }
            crates.parent_unit(file(&p, path));
        }
        crates.submodule("src/lib.rs::::", "..");
    }
}
