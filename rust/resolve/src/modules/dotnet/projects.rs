//! Project files: which source files belong together, and which projects refer to which.

use super::usings::{usings, BuildFile, BuildFiles};
use crate::modules::{paths, xml, FileId, Implied, Project};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use std::sync::OnceLock;

struct ProjectFile {
    path: String,
    /// Projects referred to.
    references: Vec<u32>,
    /// Files and folders elsewhere that are compiled into this one.
    linked: Vec<String>,
    implied: Vec<Implied>,
    distances: OnceLock<FxHashMap<u32, u32>>,
}

/// All project files of the run.
pub struct Projects {
    all: Vec<ProjectFile>,
    /// The project of each file, by the nearest project file upwards.
    of_file: Vec<Option<u32>>,
    paths: Vec<String>,
}

impl Projects {
    /// Reads `*.csproj` and its kin.
    pub fn new(project: &Project) -> Self {
        let files: Vec<BuildFile<'_>> = paths::manifests(project, |name| ending_is(name, BUILD_FILES))
            .map(|(_, path, text)| BuildFile { path, elements: xml::elements(text) })
            .collect();
        let build_files: BuildFiles<'_> = files.iter().map(|file| (file.path.to_lowercase(), file)).collect();
        let manifests: Vec<_> = files.iter().filter(|file| ending_is(file.path, PROJECT_FILES)).collect();
        let mut by_path: FxHashMap<String, u32> = FxHashMap::default();
        let mut by_name: FxHashMap<String, Vec<u32>> = FxHashMap::default();
        let mut by_folder: FxHashMap<&str, u32> = FxHashMap::default();
        for (at, BuildFile { path, .. }) in (0..).zip(manifests.iter().copied()) {
            by_path.insert(path.to_lowercase(), at);
            by_name.entry(paths::base(path).to_lowercase()).or_default().push(at);
            by_folder.entry(paths::folder(path)).or_insert(at);
        }
        // Paths in project files were written on systems that do not tell case apart, and may hold variables.
        let find = |folder: &str, written: &str| {
            let joined = paths::join(folder, plain(written)).map(|path| path.to_lowercase());
            joined.and_then(|path| by_path.get(&path).copied()).or_else(|| {
                let name = written.rsplit(['/', '\\']).next().unwrap_or(written).to_lowercase();
                by_name.get(&name).filter(|all| all.len() == 1).map(|all| all[0])
            })
        };
        let mut all = Vec::with_capacity(manifests.len());
        for BuildFile { path, elements } in manifests {
            let folder = paths::folder(path);
            let mut references = Vec::new();
            let mut linked = Vec::new();
            for element in elements {
                match paths::base(&element.path) {
                    "ProjectReference" => {
                        let includes = element.attribute("Include").unwrap_or_default();
                        references.extend(includes.split(';').filter_map(|written| find(folder, written.trim())));
                    }
                    "Import" => {
                        let imported = element.attribute("Project").filter(|path| path.ends_with(".projitems"));
                        references.extend(imported.and_then(|written| find(folder, written)));
                    }
                    "Compile" => {
                        let includes = element.attribute("Include").unwrap_or_default();
                        let fixed = |written: &str| {
                            let written = plain(written).replace('\\', "/");
                            let end =
                                written.find('*').map_or(written.len(), |at| written[..at].rfind('/').unwrap_or(0));
                            paths::join(folder, &written[..end])
                        };
                        let includes = includes.split(';').map(str::trim).filter(|written| !written.is_empty());
                        linked.extend(includes.filter_map(fixed).filter(|path| !paths::within(path, folder)));
                    }
                    _ => {}
                }
            }
            let implied = usings(path, &build_files);
            all.push(ProjectFile { path: (*path).to_owned(), references, linked, implied, distances: OnceLock::new() });
        }
        let nearest =
            |path: &str| paths::upwards(paths::folder(path)).find_map(|folder| by_folder.get(folder).copied());
        let of_file = project.files.iter().map(|entry| nearest(&entry.path)).collect();
        Self { all, of_file, paths: project.files.iter().map(|entry| entry.path.clone()).collect() }
    }

    /// The project file of a source file.
    pub fn of(&self, file: FileId) -> Option<&str> {
        let at = (*self.of_file.get(file.0 as usize)?)?;
        Some(&self.all[at as usize].path)
    }

    /// The number of a file's project, and what that imports for all its files.
    pub fn implied(&self, file: FileId) -> (u32, &[Implied]) {
        match self.of_file.get(file.0 as usize) {
            Some(&Some(at)) => (at, &self.all[at as usize].implied),
            _ => (0, &[]),
        }
    }

    /// Whether two files are compiled together.
    pub fn together(&self, a: FileId, b: FileId) -> bool {
        self.of_file[a.0 as usize] == self.of_file[b.0 as usize] || self.rank(a, b) == 0 || self.rank(b, a) == 0
    }

    /// How far `candidate` is from `from`: 0 in the same project (or linked into it), then the number of references,
    /// then all others, those first that share more of the path.
    pub fn rank(&self, from: FileId, candidate: FileId) -> u32 {
        let (a, b) = (&self.paths[from.0 as usize], &self.paths[candidate.0 as usize]);
        let (own, other) = (self.of_file[from.0 as usize], self.of_file[candidate.0 as usize]);
        if own.is_some() && own == other {
            return 0;
        }
        if let Some(own) = own {
            if self.all[own as usize].linked.iter().any(|linked| paths::within(b, linked)) {
                return 0;
            }
            if let Some(&steps) = other.and_then(|other| self.distances(own).get(&other)) {
                return steps;
            }
        }
        u32::MAX - paths::shared(a, b) as u32
    }

    fn distances(&self, project: u32) -> &FxHashMap<u32, u32> {
        self.all[project as usize].distances.get_or_init(|| {
            let mut distances = FxHashMap::from_iter([(project, 0)]);
            let mut queue = VecDeque::from([project]);
            while let Some(at) = queue.pop_front() {
                let next = distances[&at] + 1;
                for &reference in &self.all[at as usize].references {
                    distances.entry(reference).or_insert_with(|| {
                        queue.push_back(reference);
                        next
                    });
                }
            }
            distances
        })
    }
}

/// Endings of project files.
const PROJECT_FILES: &[&str] = &["csproj", "vbproj", "fsproj", "projitems"];
/// Endings of all files that MSBuild reads.
const BUILD_FILES: &[&str] = &["csproj", "vbproj", "fsproj", "projitems", "props", "targets"];

fn ending_is(path: &str, endings: &[&str]) -> bool {
    let ending = path.rsplit('.').next().unwrap_or_default();
    endings.iter().any(|each| each.eq_ignore_ascii_case(ending))
}

/// A path without the variable for the folder it is relative to anyway.
fn plain(written: &str) -> &str {
    ["$(MSBuildThisFileDirectory)", "$(MSBuildProjectDirectory)", "$(ProjectDir)"]
        .iter()
        .find_map(|variable| written.strip_prefix(variable))
        .map_or(written, |rest| rest.trim_start_matches(['/', '\\']))
}
