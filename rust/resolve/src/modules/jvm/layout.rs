//! Source roots: the folders below which packages are folders.

use crate::modules::paths;

/// Names of folders that hold the sources of one language below `src/<set>/`.
const LANGUAGES: &[&str] = &["java", "kotlin", "groovy", "scala"];

/// Names of folders that divide one module's sources, where no build file tells the module.
const PARTS: &[&str] = &[
    "src",
    "source",
    "sources",
    "main",
    "test",
    "tests",
    "java",
    "javatests",
    "kotlin",
    "gen",
    "generated",
    "testsrc",
];

/// Folders that builds write sources into, below the module's own.
const GENERATED: &[&str] = &["build/generated", "target/generated-sources", "target/generated-test-sources"];

/// The folder that the file's package begins in: what is left of its folder without the package, or, where the folders
/// do not follow the package, the usual one around (`src/main/kotlin`), or what is left without as much of the
/// package's end as there is (Kotlin leaves the common start of packages out).
pub fn source_root(path: &str, package: &str) -> String {
    let folder = paths::folder(path);
    let package = package.replace('.', "/");
    let without = |end: &str| {
        let root = folder.strip_suffix(end)?;
        if root.is_empty() {
            Some(root)
        } else {
            root.strip_suffix('/')
        }
    };
    if let Some(root) = without(&package).filter(|_| !package.is_empty()) {
        return root.to_owned();
    }
    if let Some((_, root)) = usual_root(folder) {
        return root.to_owned();
    }
    let mut ends = package.match_indices('/').map(|(at, _)| &package[at + 1..]);
    ends.find_map(without).unwrap_or(folder).to_owned()
}

/// The module's folder and the source root in `module/src/set/language/…`; the innermost, if there are several.
fn usual_root(folder: &str) -> Option<(&str, &str)> {
    let mut end = folder.len();
    let mut parts: Vec<(usize, usize)> = Vec::new();
    for part in folder.rsplit('/') {
        parts.push((end - part.len(), end));
        end = (end - part.len()).saturating_sub(1);
    }
    parts.windows(3).find_map(|window| {
        let [language, _, src] = window else { return None };
        let name = &folder[language.0..language.1];
        // `java9` holds the sources for newer runtimes.
        let known = LANGUAGES.contains(&name.trim_end_matches(|c: char| c.is_ascii_digit()));
        let module = folder[..src.0].trim_end_matches('/');
        (known && &folder[src.0..src.1] == "src").then(|| (module, &folder[..language.1]))
    })
}

/// The folder of the build module that a source root belongs to.
pub fn module_folder(root: &str, has_build_file: impl Fn(&str) -> bool) -> &str {
    if let Some((module, _)) = usual_root(root) {
        return module;
    }
    for generated in GENERATED {
        if let Some(at) = root.find(generated).filter(|&at| at == 0 || root.as_bytes()[at - 1] == b'/') {
            return root[..at].trim_end_matches('/');
        }
    }
    if let Some(module) = paths::upwards(root).find(|folder| has_build_file(folder)) {
        return module;
    }
    paths::upwards(root).find(|folder| !PARTS.contains(&paths::base(folder))).unwrap_or("")
}

/// Whether the root holds tests.
pub fn is_test(root: &str, module: &str) -> bool {
    root[module.len().min(root.len())..].to_ascii_lowercase().contains("test")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roots() {
        for (path, package, root) in [
            ("src/main/java/com/acme/Desk.java", "com.acme", "src/main/java"),
            ("com/acme/Desk.java", "com.acme", ""),
            ("Desk.java", "", ""),
            ("a/Desk.java", "", "a"),
            ("src/test/java/odd/Desk.java", "", "src/test/java"),
            ("app/src/main/kotlin/net/Wire.kt", "com.acme.net", "app/src/main/kotlin"),
            ("app/code/net/Wire.kt", "com.acme.net", "app/code"),
            ("app/code/Wire.kt", "com.acme", "app/code"),
            ("xcom/acme/Desk.java", "com.acme", "xcom"),
            ("src/main/java9/com/acme/Desk.java", "com.other", "src/main/java9"),
        ] {
            assert_eq!(source_root(path, package), root, "{path}");
        }
    }

    #[test]
    fn modules() {
        let none = |_: &str| false;
        assert_eq!(module_folder("app/src/main/java", none), "app");
        assert_eq!(module_folder("src/jvmMain/kotlin", none), "");
        assert_eq!(module_folder("app/build/generated/source/proto/main/java", none), "app");
        assert_eq!(module_folder("app/src", none), "app");
        assert_eq!(module_folder("app/gen", none), "app");
        assert_eq!(module_folder("app/code", |folder| folder == "app"), "app");
        assert_eq!(module_folder("test", none), "");
        assert!(is_test("app/src/integrationTest/java", "app") && !is_test("test-kit/src/main/java", "test-kit"));
    }
}
