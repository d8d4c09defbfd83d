//! Files, facts and resolution together: what the tables are made of.

use crate::core_api::{Input, Resolution};
use crate::facts::FileRecord;
use mmcg_facts::{NameId, Problem, Symbol};

/// The resolved code graph of a project.
pub struct Graph {
    /// Files in path order.
    pub files: Vec<FileRecord>,
    /// Their languages and facts, in parallel.
    pub inputs: Vec<Input>,
    /// The id of each file's first symbol, and the number of symbols at the end.
    pub first_symbols: Vec<u32>,
    /// What the resolver found.
    pub resolution: Resolution,
}

impl Graph {
    /// Puts the parts together and numbers the symbols.
    pub fn new(files: Vec<FileRecord>, inputs: Vec<Input>, resolution: Resolution) -> Self {
        let mut first_symbols = Vec::with_capacity(inputs.len() + 1);
        let mut next = 0;
        first_symbols.push(next);
        for input in &inputs {
            next += input.facts.symbols.len() as u32;
            first_symbols.push(next);
        }
        Self { files, inputs, first_symbols, resolution }
    }

    /// How many symbols there are.
    pub fn symbol_count(&self) -> usize {
        self.first_symbols.last().map_or(0, |&count| count as usize)
    }

    /// The file of a symbol's number.
    pub fn file_of(&self, id: u32) -> u32 {
        self.first_symbols.partition_point(|first| *first <= id) as u32 - 1
    }

    /// A symbol by its number.
    pub fn symbol(&self, id: u32) -> &Symbol {
        self.symbol_in(self.file_of(id), id)
    }

    /// A symbol by its number and file.
    pub fn symbol_in(&self, file: u32, id: u32) -> &Symbol {
        &self.inputs[file as usize].facts.symbols[(id - self.first_symbols[file as usize]) as usize]
    }

    /// The text of a name of resolved facts: they have one table for all files.
    pub fn name(&self, name: NameId) -> &str {
        self.inputs[0].facts.name(name)
    }

    /// How many call sites have an edge. A read of a member is one only where it runs a property.
    pub fn call_site_count(&self) -> usize {
        let mut seen: Vec<Vec<bool>> = self.inputs.iter().map(|input| vec![false; input.facts.sites.len()]).collect();
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
        for (file, input) in self.files.iter().zip(&self.inputs) {
            let start = problems.len();
            problems.extend(input.facts.problems.iter().map(|problem| (file.path.as_str(), problem)));
            problems[start..].sort_by_key(|(_, problem)| (problem.line, problem.code));
        }
        problems
    }
}
