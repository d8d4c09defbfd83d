//! No import text and no manifest, whole or cut off, stops a strategy.

use mmcg_resolve::modules::{
    ecmascript::EcmaScript, includes::Includes, php::Php, python::Python, ruby::Ruby, FileEntry, FileId, Manifest,
    ModuleSystem, Project,
};

const MANIFESTS: [(&str, &str); 6] = [
    (
        "package.json",
        r##"{ "name": "@é/a", "main": "./../x", "workspaces": ["**", "!é{"], "exports": { "./*": { "import": ["./é/*.js", null] }, ".": "." }, "imports": { "#*": "#*", "#é": "@é/a/é" } }"##,
    ),
    (
        "a/tsconfig.json",
        r#"{ "extends": ["./tsconfig.json", "..", "", "é"], "references": [{ "path": "." }, 3], /* é */ "compilerOptions": { "baseUrl": "..\\..", "rootDirs": ["", "."], "paths": { "é*": ["${configDir}", "*é", "/"], "*": ["é/*"] } }, }"#,
    ),
    (
        "pyproject.toml",
        "[project]\nname = 'é'\ndependencies = ['é>1', '']\n[tool.poetry]\npackages = [{ from = '../é' }]",
    ),
    ("setup.cfg", "[options]\npackage_dir =\n    = é\n    =\ninstall_requires = é\n"),
    ("requirements.txt", "é\n-e .\nhttp://é\n@\n"),
    (
        "compile_commands.json",
        r#"[{ "directory": "/é", "file": "a/b.c", "command": "cc -I -Ié '-I x'" }, { "file": "/", "arguments": ["-I"] }]"#,
    ),
];

const TEXTS: [&str; 40] = [
    "",
    " ",
    ".",
    "..",
    "...",
    "/",
    "//",
    "./",
    "../",
    "../..",
    "\\",
    "\\\\",
    "@",
    "@/",
    "@é",
    "@é/",
    "@é/a",
    "@é/a/é",
    "#",
    "#é",
    "#x",
    ":",
    "é:",
    "?",
    "!",
    "*",
    "é",
    "é*",
    ".é",
    "a..b",
    "a.é.b",
    "'",
    "\"'",
    "__DIR__",
    "dirname(__DIR__, 99999999999) . '/a'",
    "dirname(dirname(__FILE__",
    "é.php",
    "a/\u{0}/b",
    "C:\\a\\b.h",
    "namespace\\",
];

fn project(cut: usize) -> Project {
    let files =
        ["a/__init__.py", "a/b.c", "a/b.php", "a/b.py", "a/b.rb", "a/b.ts", "a/é.ts", "b.ts", "index.js", "é.py"];
    let files = files.map(|path| FileEntry {
        path: path.to_owned(),
        family: "any".to_owned(),
        package: path.ends_with(".php").then(|| "\\é\\É\\".to_owned()),
    });
    let manifests = MANIFESTS.map(|(path, text)| {
        let end = (cut..=text.len()).find(|&end| text.is_char_boundary(end)).unwrap_or(text.len());
        Manifest { path: path.to_owned(), text: text[..end].to_owned() }
    });
    Project::new(files.into(), manifests.into())
}

#[test]
fn nothing_stops_a_strategy() {
    let longest = MANIFESTS.iter().map(|(_, text)| text.len()).max().unwrap_or_default();
    let long =
        [".".repeat(100_000), "../".repeat(50_000), "a/".repeat(50_000), "@a/".repeat(50_000), "a.".repeat(50_000)];
    for cut in (0..=longest).step_by(5).chain([longest]) {
        let project = project(cut);
        let systems: [Box<dyn ModuleSystem>; 5] = [
            Box::new(Python::new(&project)),
            Box::new(EcmaScript::new(&project)),
            Box::new(Php::new(&project, &[])),
            Box::new(Ruby::new(&project)),
            Box::new(Includes::new(&project)),
        ];
        let more = if cut == longest { &long[..] } else { &[] };
        for system in &systems {
            for file in (0..project.files.len() as u32).map(FileId) {
                let key = system.unit_key(file);
                for text in TEXTS.iter().copied().chain(more.iter().map(String::as_str)) {
                    system.find(file, text);
                    system.submodule(&key, text);
                    system.submodule(text, "b");
                }
            }
        }
    }
}
