//! Small projects for the tests of the strategies.

use super::{FileEntry, FileId, Found, Located, Manifest, ModuleSystem, Project};

/// A project written as lines: `path` or `path : package` for files, and manifests with their texts.
pub fn project(family: &str, files: &str, manifests: &[(&str, &str)]) -> Project {
    let mut entries: Vec<FileEntry> = files
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .map(|line| {
            let (path, package) = line.split_once(':').map_or((line, None), |(path, package)| (path, Some(package)));
            FileEntry {
                path: path.trim().to_owned(),
                family: family.to_owned(),
                package: package.map(|package| package.trim().to_owned()).filter(|package| !package.is_empty()),
            }
        })
        .collect();
    entries.sort_by(|a, b| a.path.cmp(&b.path));
    let mut manifests: Vec<Manifest> =
        manifests.iter().map(|(path, text)| Manifest { path: (*path).into(), text: (*text).into() }).collect();
    manifests.sort_by(|a, b| a.path.cmp(&b.path));
    Project::new(entries, manifests)
}

/// All beginnings of a text, as a file cut off while it was written has them.
pub fn beginnings(text: &str) -> impl Iterator<Item = &str> {
    text.char_indices().map(|(at, _)| &text[..at])
}

/// The file of a path that must be there.
pub fn file(project: &Project, path: &str) -> FileId {
    project.file(path).unwrap_or_else(|| panic!("`{path}` is no file of the specimen"))
}

/// What `module` names in the file `from`, as a line: `file src/a.rs`, `unit a.b`, `external x`, `missing`, with the
/// rest of the segments behind ` + `.
pub fn find(project: &Project, system: &dyn ModuleSystem, from: &str, module: &str) -> String {
    show(project, &system.find(file(project, from), module))
}

/// A located module as a line.
pub fn show(project: &Project, located: &Located) -> String {
    let found = match &located.found {
        Found::File(file) => format!("file {}", project.entry(*file).path),
        Found::Unit(key) => format!("unit {key}"),
        Found::External(name) => format!("external {name}"),
        Found::Missing => "missing".to_owned(),
    };
    if located.rest.is_empty() {
        found
    } else {
        format!("{found} + {}", located.rest.join(" "))
    }
}

/// A project written as words: `path` or `path@package`. Each extension is a family.
pub fn words(files: &str, manifests: &[(&str, &str)]) -> Project {
    let lines: Vec<String> = files.split_whitespace().map(|word| word.replacen('@', " : ", 1)).collect();
    let mut project = project("", &lines.join("\n"), manifests);
    for entry in &mut project.files {
        entry.family = entry.path.rsplit('.').next().unwrap_or_default().to_owned();
    }
    project
}

/// Checks lines of the form `from: module -> answer`, with answers as `show` writes them, but for files the bare path.
pub fn check(project: &Project, system: &dyn ModuleSystem, claims: &str) {
    let mut wrong = Vec::new();
    for line in claims.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let (question, expected) = line.split_once(" -> ").expect("a claim has an answer");
        let (from, module) = question.split_once(": ").expect("a claim has a file");
        let answer = find(project, system, from, module.trim());
        let answer = answer.strip_prefix("file ").unwrap_or(&answer);
        if answer != expected.trim() {
            wrong.push(format!("{question} -> {answer}, not {expected}"));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}
