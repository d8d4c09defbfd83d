//! Small projects for the tests of the strategies: paths in, answers out.

use super::{FileEntry, Found, Located, Manifest, ModuleSystem, Project};

/// A project of files, given as words: `path`, or `path@package` for files that declare one.
pub fn project(files: &str, manifests: &[(&str, &str)]) -> Project {
    let mut entries: Vec<FileEntry> = files
        .split_whitespace()
        .map(|word| {
            let (path, package) = word.split_once('@').map_or((word, None), |(path, name)| (path, Some(name)));
            let family = path.rsplit('.').next().unwrap_or_default();
            FileEntry { path: path.to_owned(), family: family.to_owned(), package: package.map(str::to_owned) }
        })
        .collect();
    entries.sort_by(|a, b| a.path.cmp(&b.path));
    let mut manifests: Vec<Manifest> =
        manifests.iter().map(|(path, text)| Manifest { path: (*path).to_owned(), text: (*text).to_owned() }).collect();
    manifests.sort_by(|a, b| a.path.cmp(&b.path));
    Project::new(entries, manifests)
}

/// An answer as a line: the path, `unit: key`, `external: name` or `missing`, then `+ rest` if some is left.
pub fn shown(project: &Project, located: &Located) -> String {
    let mut text = match &located.found {
        Found::File(file) => project.entry(*file).path.clone(),
        Found::Unit(key) => format!("unit: {key}"),
        Found::External(name) => format!("external: {name}"),
        Found::Missing => "missing".to_owned(),
    };
    if !located.rest.is_empty() {
        text.push_str(" + ");
        text.push_str(&located.rest.join("."));
    }
    text
}

/// Checks lines of the form `from: text -> answer`.
pub fn check(project: &Project, system: &dyn ModuleSystem, claims: &str) {
    let mut wrong = Vec::new();
    for line in claims.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let (question, expected) = line.split_once(" -> ").expect("a claim has an answer");
        let (from, text) = question.split_once(": ").expect("a claim has a file");
        let from = project.file(from).unwrap_or_else(|| panic!("no file `{from}`"));
        let answer = shown(project, &system.find(from, text.trim()));
        if answer != expected.trim() {
            wrong.push(format!("{question} -> {answer}, not {expected}"));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}
