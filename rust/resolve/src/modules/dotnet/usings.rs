//! The `using` directives that a project gives to all its files: `<Using Include="…"/>` in the project file, in what it
//! imports, and in the `Directory.Build.props` and `Directory.Build.targets` around it.
//!
//! Properties and conditions are evaluated as far as the files say them (the order is MSBuild's: props, project,
//! targets). A condition that needs more than that is taken to hold: a namespace too many is only looked into.

use crate::modules::{paths, xml, Implied};
use rustc_hash::FxHashMap;

/// Files that import each other are followed so deep.
const DEEPEST: usize = 16;
/// So many files are read for one project.
const MOST_FILES: usize = 200;

/// No value that people write is longer: one that names itself twice doubles with each line.
const LONGEST: usize = 10_000;

/// A file that MSBuild reads.
pub struct BuildFile<'a> {
    /// Path from the root.
    pub path: &'a str,
    /// What it says.
    pub elements: Vec<xml::Element>,
}

/// Build files by their path in lower case, as they were written on systems that do not tell case apart.
pub type BuildFiles<'a> = FxHashMap<String, &'a BuildFile<'a>>;

/// What a project file implies.
pub fn usings(project: &str, all: &BuildFiles<'_>) -> Vec<Implied> {
    let mut reading = Reading { all, properties: FxHashMap::default(), found: Vec::new(), files: 0 };
    let folder = paths::folder(project);
    let before = reading.above(folder, "Directory.Build.props");
    let after = reading.above(folder, "Directory.Build.targets");
    for path in [before, Some(project.to_lowercase()), after].into_iter().flatten() {
        reading.read(&path, 0);
    }
    reading.found
}

struct Reading<'a> {
    all: &'a BuildFiles<'a>,
    /// By their names in lower case.
    properties: FxHashMap<String, String>,
    found: Vec<Implied>,
    files: usize,
}

impl Reading<'_> {
    /// The nearest file of a name in a folder or above it.
    fn above(&self, folder: &str, name: &str) -> Option<String> {
        paths::upwards(folder).map(|at| paths::child(at, name).to_lowercase()).find(|path| self.all.contains_key(path))
    }

    fn read(&mut self, path: &str, depth: usize) {
        let Some(&file) = self.all.get(path) else { return };
        self.files += 1;
        if depth > DEEPEST || self.files > MOST_FILES {
            return;
        }
        let folder = paths::folder(file.path);
        // What does not hold, by the depth of the element that says so: all below is passed over.
        let mut off: Option<usize> = None;
        for element in &file.elements {
            let level = element.path.matches('/').count();
            if off.is_some_and(|at| level > at) {
                continue;
            }
            off = None;
            if element.attribute("Condition").is_some_and(|condition| self.fails(condition, folder)) {
                off = Some(level);
                continue;
            }
            let mut names = element.path.rsplit('/');
            let (name, around) = (names.next().unwrap_or_default(), names.next().unwrap_or_default());
            match name {
                "Import" => self.import(folder, element, depth),
                "Using" => self.using(folder, element),
                _ if around == "PropertyGroup" => {
                    let value = self.expanded(&element.text, folder).unwrap_or_default();
                    self.properties.insert(name.to_lowercase(), value);
                }
                _ => {}
            }
        }
    }

    fn import(&mut self, folder: &str, element: &xml::Element, depth: usize) {
        let Some(written) = element.attribute("Project") else { return };
        let path = match written.split_once("GetPathOfFileAbove(") {
            // `$([MSBuild]::GetPathOfFileAbove('Directory.Build.props', '$(MSBuildThisFileDirectory)../'))`
            Some((_, rest)) => rest
                .split(['\'', '"', ',', ')'])
                .map(str::trim)
                .find(|part| !part.is_empty())
                .and_then(|name| self.above(paths::folder(folder), name).filter(|_| !folder.is_empty())),
            None => self
                .expanded(written, folder)
                .and_then(|written| match written.strip_prefix(ROOT) {
                    Some(from_root) => paths::join("", from_root.trim_start_matches(['/', '\\'])),
                    None => paths::join(folder, &written),
                })
                .map(|path| path.to_lowercase()),
        };
        if let Some(path) = path {
            self.read(&path, depth + 1);
        }
    }

    fn using(&mut self, folder: &str, element: &xml::Element) {
        let listed = |this: &Self, attribute: &str| -> Vec<String> {
            let text = element.attribute(attribute).and_then(|text| this.expanded(text, folder)).unwrap_or_default();
            text.split(';').map(|each| each.trim().to_owned()).filter(|each| !each.is_empty()).collect()
        };
        for module in listed(self, "Include") {
            let alias = element.attribute("Alias").map(str::trim).filter(|alias| !alias.is_empty()).map(str::to_owned);
            self.found.push(Implied { module: format!("global::{module}"), alias });
        }
        for module in listed(self, "Remove") {
            let module = format!("global::{module}");
            self.found.retain(|implied| implied.module != module);
        }
    }

    /// A text with its properties filled in; `None` if one of them is not known here, or it is longer than any.
    fn expanded(&self, text: &str, folder: &str) -> Option<String> {
        let mut found = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(at) = rest.find("$(") {
            let end = at + rest[at..].find(')')?;
            let name = rest[at + 2..end].to_lowercase();
            found.push_str(&rest[..at]);
            match name.as_str() {
                "msbuildthisfiledirectory" => {
                    found.push_str(ROOT);
                    found.push_str(folder);
                    found.push('/');
                }
                _ if outside(&name) => return None,
                // What nobody sets is empty.
                _ => found.push_str(self.properties.get(&name).map_or("", String::as_str)),
            }
            if found.len() > LONGEST {
                return None;
            }
            rest = &rest[end + 1..];
        }
        found.push_str(rest);
        Some(found).filter(|found| found.len() <= LONGEST)
    }

    /// Whether a condition is known not to hold: comparisons of two texts, joined by `and` or `or`.
    fn fails(&self, condition: &str, folder: &str) -> bool {
        let lower = condition.to_lowercase();
        let (parts, all): (Vec<&str>, bool) = match (lower.contains(" or "), lower.contains(" and ")) {
            (true, true) => return false,
            (true, false) => (lower.split(" or ").collect(), true),
            _ => (lower.split(" and ").collect(), false),
        };
        let mut failing = parts.iter().map(|part| {
            let (equal, sides) = match (part.split_once("=="), part.split_once("!=")) {
                (Some(sides), None) => (true, sides),
                (None, Some(sides)) => (false, sides),
                _ => return false,
            };
            let side = |text: &str| {
                let text = text.trim().trim_start_matches('(').trim_end_matches(')');
                // The parenthesis of a property is no one of the condition's.
                let text =
                    if text.contains("$(") && !text.contains(')') { format!("{text})") } else { text.to_owned() };
                self.expanded(text.trim().trim_matches('\''), folder).map(|text| text.to_lowercase())
            };
            match (side(sides.0), side(sides.1)) {
                (Some(left), Some(right)) => (left == right) != equal,
                _ => false,
            }
        });
        if all {
            failing.all(|fails| fails)
        } else {
            failing.any(|fails| fails)
        }
    }
}

/// Stands for the root of the tree in a path that a property gave.
const ROOT: &str = "\u{0}/";

/// Whether a property comes from the build itself or from the frameworks it is run for.
fn outside(name: &str) -> bool {
    name.starts_with(['[', '@', '%'])
        || ["msbuild", "targetframework", "targetplatform", "runtimeidentifier"]
            .iter()
            .any(|start| name.starts_with(start))
        || ["os", "configuration", "platform", "designtimebuild", "solutiondir", "solutionname"].contains(&name)
}
