//! Edits of layout, comments and docs: code that stands elsewhere and says what it said.
//!
//! The resolver reads neither spans nor texts for people, and of places only their order within a file, their columns and
//! whether lines are the same. So two states of a file whose facts differ in nothing else, the lines in the same order, are
//! one to it, and every edge of the project stays between the same sites and symbols: only lines have to be written anew.

use crate::cache::{FactsCache, Key};
use crate::core_api::{Input, Resolution};
use crate::facts::{FileRecord, Indexed};
use crate::graph::Graph;
use crate::tables::{self, Table};
use mmcg_facts::{FileFacts, Place, Span, TextId, Texts, UseKind};

/// Of more files than this, all is resolved again: it is no edit by hand.
pub const MAX_FILES: usize = 32;

/// What an earlier run knew of a file: its path, hash and language.
pub type Before = (String, String, String);

/// What became of files that were only laid out anew.
#[derive(Debug)]
pub struct Relaid {
    /// Their rows of `files`, their symbols, and the lines of code that are others now (`path`, `before`, `line`).
    pub tables: Vec<Table>,
}

/// The new layout, if the files that differ from those of an earlier run differ in nothing else.
pub fn relaid(before: &[Before], now: &[FileRecord], changed: &[Indexed], cache: &dyn FactsCache) -> Option<Relaid> {
    if before.len() != now.len() {
        return None;
    }
    let mut files = Vec::new();
    let mut lines = Vec::new();
    for ((path, hash, language), record) in before.iter().zip(now) {
        if *path != record.path || language != record.language.name {
            return None;
        }
        if *hash == record.hash {
            continue;
        }
        let file = changed.iter().find(|file| file.record.path == *path)?;
        let old = cache.get(Key { hash, language })?;
        let moved = moved(&old, &file.facts)?;
        lines.extend(moved.into_iter().map(|(before, line)| (path.clone(), before, line)));
        files.push((file.record.clone(), Input { language: file.record.language, facts: file.facts.clone() }));
    }
    let (files, inputs) = files.into_iter().unzip();
    let graph = Graph::new(files, inputs, Resolution::default());
    let mut tables = Vec::new();
    tables::of_facts(&graph, &[], &mut |table| table.collect(&mut tables));
    tables.retain(|table: &Table| matches!(table.name, "files" | "symbols"));
    tables::lines(&lines, &mut |table| table.collect(&mut tables));
    Some(Relaid { tables })
}

/// The lines that became others, if there is no other difference that the resolver could see.
fn moved(old: &FileFacts, new: &FileFacts) -> Option<Vec<(u32, u32)>> {
    let (before, after) = (lines_of(old), lines_of(new));
    // What is said about a broken file names its lines.
    let sound = old.problems.is_empty() && new.problems.is_empty() && before.len() == after.len();
    (sound && essence(old, &before) == essence(new, &after)).then(|| {
        let pairs = before.into_iter().zip(after);
        pairs.filter(|(before, line)| before != line).collect()
    })
}

/// Every line that anything stands on, in order.
fn lines_of(facts: &FileFacts) -> Vec<u32> {
    let mut lines = Vec::new();
    each_place(&mut facts.clone(), |place| lines.push(place.line));
    lines.sort_unstable();
    lines.dedup();
    lines
}

/// The facts without what the resolver does not look at, lines counted by those that anything stands on.
fn essence(facts: &FileFacts, lines: &[u32]) -> FileFacts {
    let mut facts = facts.clone();
    each_place(&mut facts, |place| {
        let rank = lines.binary_search(&place.line).unwrap_or_default() as u32;
        *place = Place::new(rank, place.column(), place.used());
    });
    for symbol in &mut facts.symbols {
        symbol.span = Span::default();
        symbol.signature = TextId(0);
        symbol.decoration = None;
        symbol.doc = None;
        symbol.body_hash = 0;
    }
    facts.texts = Texts::default();
    facts.lines = 0;
    facts
}

fn each_place(facts: &mut FileFacts, mut visit: impl FnMut(&mut Place)) {
    // Whoever adds a place to the facts is to visit it here: taken apart, they do not compile before.
    let FileFacts {
        symbols,
        binds,
        member_binds,
        imports,
        places,
        sites,
        branches,
        names: _,
        texts: _,
        package: _,
        scopes: _,
        params: _,
        type_params: _,
        decorators: _,
        decls: _,
        exports: _,
        public_names: _,
        bases: _,
        extensions: _,
        exprs: _,
        args: _,
        returns: _,
        problems: _,
        lines: _,
    } = facts;
    // The module stands at the beginning, whatever comes after it.
    symbols.iter_mut().skip(1).for_each(|symbol| visit(&mut symbol.place));
    binds.iter_mut().for_each(|bind| visit(&mut bind.place));
    member_binds.iter_mut().for_each(|bind| visit(&mut bind.place));
    imports.iter_mut().for_each(|import| visit(&mut import.place));
    // Made-up expressions stand at the beginning too.
    places.iter_mut().filter(|place| **place != Place::new(1, 1, UseKind::None)).for_each(&mut visit);
    sites.iter_mut().for_each(|site| visit(&mut site.place));
    branches.iter_mut().flat_map(|branch| [&mut branch.from, &mut branch.to]).for_each(visit);
}
