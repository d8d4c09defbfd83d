//! `compile_commands.json`: the include folders of each compiled file.

use crate::modules::{paths, FileId, Project};
use rustc_hash::{FxHashMap, FxHashSet};
use serde::Deserialize;
use std::sync::Arc;

/// Databases above this size are not read: they repeat the same folders.
const LARGEST: usize = 64 << 20;
/// More folders than this are not tried for files that are not compiled themselves.
const MOST_FOLDERS: usize = 64;
/// Flags that name an include folder, joined to it or followed by it.
const FLAGS: [&str; 5] = ["-I", "-iquote", "-isystem", "-idirafter", "/I"];

#[derive(Deserialize)]
struct Command {
    #[serde(default)]
    directory: String,
    file: String,
    #[serde(default)]
    arguments: Vec<String>,
    #[serde(default)]
    command: String,
}

/// The include folders, as paths from the root.
#[derive(Default)]
pub struct Database {
    of_file: FxHashMap<FileId, Arc<Vec<String>>>,
    /// For headers: all folders, in the order in which they come up.
    all: Vec<String>,
}

impl Database {
    /// Reads all databases of the project. `folders` are the folders (and files) that exist.
    pub fn new(project: &Project, folders: &FxHashSet<&str>) -> Self {
        let mut database = Self::default();
        let mut shared: FxHashMap<Vec<String>, Arc<Vec<String>>> = FxHashMap::default();
        let mut seen = FxHashSet::default();
        let manifests = project.manifests.iter().filter(|manifest| {
            paths::base(&manifest.path) == "compile_commands.json" && manifest.text.len() <= LARGEST
        });
        for manifest in manifests {
            let Ok(commands) = serde_json::from_str::<Vec<Command>>(&manifest.text) else { continue };
            let Some(root) = commands.iter().find_map(|command| root(command, project)) else { continue };
            for command in &commands {
                let inside = |path: &str| inside(&root, &command.directory, path);
                let Some(file) = inside(&command.file).and_then(|path| project.file(&path)) else { continue };
                let mut list: Vec<String> = Vec::new();
                for folder in command.folders().iter().filter_map(|folder| inside(folder)) {
                    if folders.contains(folder.as_str()) && !list.contains(&folder) {
                        list.push(folder);
                    }
                }
                for folder in &list {
                    if database.all.len() < MOST_FOLDERS && seen.insert(folder.clone()) {
                        database.all.push(folder.clone());
                    }
                }
                let list = shared.entry(list).or_insert_with_key(|list| Arc::new(list.clone())).clone();
                database.of_file.entry(file).or_insert(list);
            }
        }
        database
    }

    /// Where a file's includes are looked up.
    pub fn folders(&self, file: FileId) -> impl Iterator<Item = &str> {
        self.of_file.get(&file).map_or(&self.all, |list| list).iter().map(String::as_str)
    }
}

impl Command {
    fn folders(&self) -> Vec<String> {
        let words = if self.arguments.is_empty() { shlex::split(&self.command) } else { None };
        let words = words.as_ref().unwrap_or(&self.arguments);
        let mut found = Vec::new();
        let mut named = false;
        for word in words {
            if std::mem::take(&mut named) {
                found.push(word.clone());
                continue;
            }
            let Some(rest) = FLAGS.iter().find_map(|flag| word.strip_prefix(flag)) else { continue };
            if rest.is_empty() {
                named = true;
            } else {
                found.push(rest.trim_start_matches('=').to_owned());
            }
        }
        found
    }
}

/// The absolute path of the project's root on the machine that wrote the database, by a file that both know.
fn root(command: &Command, project: &Project) -> Option<String> {
    let file = absolute(&command.directory, &command.file)?;
    // The longest ending that is a path of the project.
    let at = file.match_indices('/').map(|(at, _)| at).find(|&at| project.file(&file[at + 1..]).is_some())?;
    Some(file[..at].to_owned())
}

/// A path of that machine as a path from the root, if it is inside.
fn inside(root: &str, directory: &str, path: &str) -> Option<String> {
    let path = absolute(directory, path)?;
    let rest = path.strip_prefix(root)?;
    (rest.is_empty() || rest.starts_with('/')).then(|| rest.trim_start_matches('/').to_owned())
}

/// An absolute path without `.` and `..`, with `/`.
fn absolute(directory: &str, path: &str) -> Option<String> {
    let path = path.replace('\\', "/");
    let whole = if is_absolute(&path) { path } else { format!("{}/{path}", directory.replace('\\', "/")) };
    let mut parts: Vec<&str> = Vec::new();
    for part in whole.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()?),
            part => parts.push(part),
        }
    }
    Some(format!("/{}", parts.join("/")))
}

fn is_absolute(path: &str) -> bool {
    path.starts_with('/') || path.as_bytes().get(1) == Some(&b':')
}

#[cfg(test)]
mod tests {
    use crate::modules::includes::Includes;
    use crate::modules::specimen::{check, words};

    #[test]
    fn folders_of_the_build() {
        let commands = r#"[
            { "directory": "/home/me/work/build", "file": "/usr/gen/x.c", "arguments": ["cc"] },
            { "directory": "/home/me/work/build", "file": "../app/one.c", "command": "cc -I../api/v1 -isystem /usr/include -c 'x y.c'" },
            { "directory": "/home/me/work/build", "file": "/home/me/work/app/two.c", "arguments": ["cc", "-I", "/home/me/work/api/v2", "-I/home/me/work"] }
        ]"#;
        let project = words(
            "app/one.c app/two.c api/v1/api.h api/v2/api.h api/v2/only.h hidden/deep/only.h other/three.c",
            &[("build/compile_commands.json", commands), ("x/compile_commands.json", "[{]")],
        );
        check(
            &project,
            &Includes::new(&project),
            "app/one.c: api.h -> api/v1/api.h
             app/two.c: api.h -> api/v2/api.h
             app/two.c: hidden/deep/only.h -> hidden/deep/only.h
             other/three.c: only.h -> api/v2/only.h",
        );
    }

    #[test]
    fn broken_databases_are_survived() {
        let project = words(
            "a.c",
            &[(
                "compile_commands.json",
                r#"[{ "file": "../../..", "directory": "" }, { "file": "a.c", "directory": "/w", "command": "cc -I 'open" }]"#,
            )],
        );
        check(&project, &Includes::new(&project), "a.c: b.h -> external b.h");
    }
}
