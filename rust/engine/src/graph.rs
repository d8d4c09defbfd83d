//! Files, facts and resolution together: what the tables are made of.

use crate::core_api::{self, Resolution};
use crate::facts::FileRecord;
use mmcg_facts::{FileFacts, Names, Problem, Symbol};
use mmcg_resolve::modules::Manifest;

/// The resolved code graph of a project.
pub struct Graph {
    /// Files in path order.
    pub files: Vec<FileRecord>,
    facts: Vec<FileFacts>,
    /// The id of each file's first symbol, and the number of symbols at the end.
    pub first_symbols: Vec<u32>,
    /// What the resolver found.
    pub resolution: Resolution,
}

impl Graph {
    /// Resolves files with their facts, in path order, and numbers their symbols.
    pub fn resolve(files: Vec<FileRecord>, facts: Vec<FileFacts>, manifests: Vec<Manifest>) -> Self {
        let (facts, resolution) = core_api::resolve(&files, facts, manifests);
        let mut first_symbols = vec![0];
        let mut next = 0;
        for facts in &facts {
            next += facts.symbols.len() as u32;
            first_symbols.push(next);
        }
        Self { files, facts, first_symbols, resolution }
    }

    /// What a file says.
    pub fn facts(&self, file: u32) -> &FileFacts {
        &self.facts[file as usize]
    }

    /// The names that the ids in a file's facts stand for.
    pub fn names(&self, file: u32) -> &Names {
        &self.facts[file as usize].names
    }

    /// How many symbols there are.
    pub fn symbol_count(&self) -> usize {
        self.first_symbols.last().map_or(0, |&count| count as usize)
    }

    /// A symbol by its number.
    pub fn symbol(&self, id: u32) -> &Symbol {
        let file = self.first_symbols.partition_point(|first| *first <= id) - 1;
        &self.facts[file].symbols[(id - self.first_symbols[file]) as usize]
    }

    /// How many call sites have an edge. A read of a member is one only where it runs a property.
    pub fn call_site_count(&self) -> usize {
        let mut seen: Vec<Vec<bool>> = self.facts.iter().map(|facts| vec![false; facts.sites.len()]).collect();
        for edge in &self.resolution.edges {
            if let Some(site) = edge.site {
                seen[edge.file.0 as usize][site.index()] = true;
            }
        }
        seen.iter().flatten().filter(|&&seen| seen).count()
    }

    /// All problems with the paths of their files, by path and line.
    pub fn problems(&self) -> Vec<(&str, &Problem)> {
        let mut problems: Vec<(&str, &Problem)> = Vec::new();
        for (file, facts) in self.files.iter().zip(&self.facts) {
            let start = problems.len();
            problems.extend(facts.problems.iter().map(|problem| (file.path.as_str(), problem)));
            problems[start..].sort_by_key(|(_, problem)| (problem.line, problem.code));
        }
        problems
    }
}
