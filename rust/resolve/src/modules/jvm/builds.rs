//! Which modules of the project a module depends on, as far as `pom.xml` and `build.gradle` say it plainly.

use crate::modules::{paths, xml, Project};
use rustc_hash::FxHashMap;

/// A dependency on another module of the project, as written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Dependency {
    /// Maven: group (empty if it is not written out) and artifact.
    Artifact(String, String),
    /// Gradle: the project's path, with `/` for `:`.
    Project(String),
}

/// What one module's build files say.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Build {
    /// The module's folder.
    pub folder: String,
    /// Group and artifact, where Maven builds it.
    pub artifact: Option<(String, String)>,
    /// The modules it may depend on.
    pub dependencies: Vec<Dependency>,
    /// Folders of Gradle projects that are elsewhere than their path says (`settings.gradle`).
    pub project_folders: FxHashMap<String, String>,
}

/// Build files by folder, in path order.
pub fn builds(project: &Project) -> Vec<Build> {
    let mut all: Vec<Build> = Vec::new();
    let mut known: FxHashMap<&str, usize> = FxHashMap::default();
    let accept = |name: &str| {
        matches!(name, "pom.xml" | "build.gradle" | "build.gradle.kts" | "settings.gradle" | "settings.gradle.kts")
    };
    for (folder, path, text) in paths::manifests(project, accept) {
        let at = *known.entry(folder).or_insert_with(|| {
            all.push(Build { folder: folder.to_owned(), ..Build::default() });
            all.len() - 1
        });
        match paths::base(path) {
            "pom.xml" => read_pom(text, &mut all[at]),
            name if name.starts_with("settings") => read_settings(text, &mut all[at]),
            _ => read_gradle(text, &mut all[at]),
        }
    }
    all
}

fn read_pom(text: &str, build: &mut Build) {
    let elements = xml::elements(text);
    let plain = |text: &str| if text.contains("${") { String::new() } else { text.to_owned() };
    let (mut group, mut around, mut artifact) = (String::new(), String::new(), String::new());
    for element in &elements {
        match element.path.as_str() {
            "project/groupId" => group = plain(&element.text),
            "project/parent/groupId" => around = plain(&element.text),
            "project/artifactId" => artifact = plain(&element.text),
            path => {
                let path = path.strip_prefix("project/").unwrap_or_default();
                let path = path.strip_prefix("profiles/profile/").unwrap_or(path);
                // Elements are in document order: a dependency's children follow it.
                if path == "dependencies/dependency" {
                    build.dependencies.push(Dependency::Artifact(String::new(), String::new()));
                } else if let Some(Dependency::Artifact(group, artifact)) = build.dependencies.last_mut() {
                    match path {
                        "dependencies/dependency/groupId" => *group = plain(&element.text),
                        "dependencies/dependency/artifactId" => *artifact = plain(&element.text),
                        _ => {}
                    }
                }
            }
        }
    }
    if !artifact.is_empty() {
        build.artifact = Some((if group.is_empty() { around } else { group }, artifact));
    }
}

fn code_lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().map(str::trim).filter(|line| !line.starts_with("//") && !line.starts_with('*'))
}

/// `project(':a:b')`, `project(path: ":a:b")`, and `projects.a.b` of the typed accessors.
fn read_gradle(text: &str, build: &mut Build) {
    for line in code_lines(text) {
        for (at, found) in line.match_indices("project(") {
            build
                .dependencies
                .extend(quoted(&line[at + found.len()..]).and_then(project_path).map(Dependency::Project));
        }
        for (at, found) in line.match_indices("projects.") {
            if line[..at].ends_with(|c: char| c.is_alphanumeric() || c == '.' || c == '_') {
                continue;
            }
            let names = &line[at + found.len()..];
            let end = names.find(|c: char| !c.is_alphanumeric() && c != '.' && c != '_').unwrap_or(names.len());
            build.dependencies.push(Dependency::Project(names[..end].trim_matches('.').replace('.', "/")));
        }
    }
}

/// `project(':a').projectDir = file('elsewhere')`.
fn read_settings(text: &str, build: &mut Build) {
    for line in code_lines(text) {
        let Some((_, rest)) = line.split_once("project(") else { continue };
        let Some((name, folder)) = rest.split_once("projectDir") else { continue };
        let Some(name) = quoted(name).and_then(project_path) else { continue };
        let folder =
            quoted(folder).and_then(|written| paths::join(&build.folder, written.trim_start_matches("$rootDir/")));
        build.project_folders.extend(folder.map(|folder| (name, folder)));
    }
}

/// The first quoted text.
fn quoted(text: &str) -> Option<&str> {
    let start = text.find(['"', '\''])?;
    let quote = text[start..].chars().next()?;
    let inner = &text[start + 1..];
    inner.find(quote).map(|end| &inner[..end])
}

fn project_path(written: &str) -> Option<String> {
    written.strip_prefix(':').map(|path| path.replace(':', "/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_poms() {
        let mut build = Build::default();
        read_pom(
            "<project xmlns='m'><parent><groupId>com.acme</groupId><artifactId>all</artifactId></parent>
             <artifactId>app</artifactId><dependencies><dependency><groupId>${project.groupId}</groupId>
             <artifactId>core</artifactId><exclusions><exclusion><artifactId>no</artifactId></exclusion></exclusions>
             </dependency><dependency><groupId>org.x</groupId><artifactId>y</artifactId></dependency></dependencies>
             <dependencyManagement><dependencies><dependency><artifactId>managed</artifactId></dependency></dependencies>
             </dependencyManagement></project>",
            &mut build,
        );
        let artifact = |group: &str, name: &str| Dependency::Artifact(group.into(), name.into());
        assert_eq!(build.artifact, Some(("com.acme".into(), "app".into())));
        assert_eq!(build.dependencies, [artifact("", "core"), artifact("org.x", "y")]);
    }

    #[test]
    fn reads_gradle() {
        let mut build = Build::default();
        read_gradle(
            "dependencies {\n  implementation project(':core:api')\n  api(project(path: \":x\", configuration: 'y'))\n\
             // implementation project(':not')\n  testImplementation(projects.coreUtil.io)\n  project(\n  project('\n}",
            &mut build,
        );
        let names = ["core/api", "x", "coreUtil/io"].map(|name| Dependency::Project(name.into()));
        assert_eq!(build.dependencies, names);
        read_settings("include ':x'\nproject(':x').projectDir = new File(settingsDir, 'libs/x')\n", &mut build);
        assert_eq!(build.project_folders["x"], "libs/x");
    }
}
