//! Paths as text: always with `/`, relative to the root, which is the empty path.

use super::Project;
use std::cmp::Ordering;

/// The folder of a path; empty for the root, and for the root itself.
pub fn folder(path: &str) -> &str {
    path.rfind('/').map_or("", |at| &path[..at])
}

/// The last part of a path.
pub fn base(path: &str) -> &str {
    path.rfind('/').map_or(path, |at| &path[at + 1..])
}

/// The last part without its extension.
pub fn stem(path: &str) -> &str {
    let base = base(path);
    base.rfind('.').map_or(base, |at| &base[..at])
}

/// `name` in `folder`.
pub fn child(folder: &str, name: &str) -> String {
    match (folder.is_empty(), name.is_empty()) {
        (true, _) => name.to_owned(),
        (_, true) => folder.to_owned(),
        _ => format!("{folder}/{name}"),
    }
}

/// A relative path as written in a file of `folder`, with `.` and `..` taken out and `\` read as `/`.
/// `None` if it is absolute or leads out of the root.
pub fn join(folder: &str, written: &str) -> Option<String> {
    let written = written.replace('\\', "/");
    let bytes = written.as_bytes();
    if written.starts_with('/') || (bytes.len() > 1 && bytes[1] == b':') {
        return None;
    }
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in written.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// A folder and the folders around it, the nearest first and the root (the empty path) last.
pub fn upwards(folder: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(folder), |at| (!at.is_empty()).then(|| self::folder(at)))
}

/// Whether `path` is `folder` or inside it.
pub fn within(path: &str, folder: &str) -> bool {
    folder.is_empty() || path.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// How many leading folders two paths share.
pub fn shared(a: &str, b: &str) -> usize {
    a.split('/').zip(b.split('/')).take_while(|(x, y)| x == y && !x.is_empty()).count()
}

/// The order of paths by their parts: what is in one folder stands together.
pub fn order(a: &str, b: &str) -> Ordering {
    a.split('/').cmp(b.split('/'))
}

/// Of things in the order of their paths, the one whose path shares the most leading folders with `path`: it is always
/// next to where `path` would stand.
pub fn nearest<'s, 'p, T>(sorted: &'s [T], path_of: impl Fn(&T) -> &'p str, path: &str) -> Option<&'s T> {
    let at = sorted.partition_point(|thing| order(path_of(thing), path) == Ordering::Less);
    let (before, after) = (at.checked_sub(1).map(|at| &sorted[at]), sorted.get(at));
    match (before, after) {
        (Some(a), Some(b)) => Some(if shared(path_of(a), path) >= shared(path_of(b), path) { a } else { b }),
        (one, other) => one.or(other),
    }
}

/// Manifests above this size are machine-made or hostile; they are not read.
const LARGEST_MANIFEST: usize = 4 << 20;

/// The manifests whose file name is accepted, as (folder, path, text), in path order.
pub fn manifests<'p>(
    project: &'p Project,
    accept: impl Fn(&str) -> bool + 'p,
) -> impl Iterator<Item = (&'p str, &'p str, &'p str)> + 'p {
    project
        .manifests
        .iter()
        .filter(move |manifest| manifest.text.len() <= LARGEST_MANIFEST && accept(base(&manifest.path)))
        .map(|manifest| {
            let text = manifest.text.strip_prefix('\u{feff}').unwrap_or(&manifest.text);
            (folder(&manifest.path), manifest.path.as_str(), text)
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joins_and_walks() {
        assert_eq!(join("app", "../third/paint").as_deref(), Some("third/paint"));
        assert_eq!(join("app", "..\\Lib\\Lib.csproj").as_deref(), Some("Lib/Lib.csproj"));
        assert_eq!(join("app", ".").as_deref(), Some("app"));
        assert_eq!(join("", "./x").as_deref(), Some("x"));
        assert_eq!(join("app", "../../out"), None);
        assert_eq!(join("app", "C:/x"), None);
        assert_eq!(upwards("a/b").collect::<Vec<_>>(), ["a/b", "a", ""]);
        assert!(within("a/b/c", "a/b") && within("a", "") && !within("a/bc", "a/b"));
        assert_eq!(shared("a/b/c", "a/b/d"), 2);
        assert_eq!(shared("", ""), 0);
    }

    #[test]
    fn finds_the_nearest() {
        let all = ["a", "a/x/y", "a-b", "b/x", "b/y/z"];
        let near = |path: &str| nearest(&all, |path| *path, path).copied();
        assert_eq!(near("a/x/z"), Some("a/x/y"));
        assert_eq!(near("b/y/q"), Some("b/y/z"));
        assert_eq!(near("b/x"), Some("b/x"));
        assert_eq!(near("0"), Some("a"));
        assert_eq!(near("z"), Some("b/y/z"));
        assert_eq!(nearest(&[], |path: &&'static str| *path, "a"), None);
    }
}
