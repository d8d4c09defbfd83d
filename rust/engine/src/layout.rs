//! Edits of layout, comments, docs, operators and numbers: code that stands elsewhere and says, to the resolver, what it
//! said.
//!
//! The resolver reads neither spans nor texts for people, and of places only their order within a file and whether lines
//! are the same. So two states of a file whose facts differ in nothing else, what stands there in the same order on as many
//! lines, are one to it, and every edge of the project stays between the same sites and symbols: only lines and columns
//! have to be written anew.

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
    /// Their rows of `files`, their symbols, the lines of code that are others now (`path`, `before`, `line`), and then the
    /// columns that are (`path`, `line`, `before`, `column`).
    pub tables: Vec<Table>,
}

/// The new layout, if the files that differ from those of an earlier run differ in nothing else.
pub fn relaid(before: &[Before], now: &[&FileRecord], changed: &[Indexed], cache: &dyn FactsCache) -> Option<Relaid> {
    if before.len() != now.len() {
        return None;
    }
    let mut files = Vec::new();
    let (mut lines, mut columns) = (Vec::new(), Vec::new());
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
        lines.extend(moved.lines.into_iter().map(|(before, line)| (path.clone(), before, line)));
        columns.extend(moved.columns.into_iter().map(|(line, before, column)| (path.clone(), line, before, column)));
        files.push((file.record.clone(), Input { language: file.record.language, facts: file.facts.clone() }));
    }
    let (files, inputs) = files.into_iter().unzip();
    let graph = Graph::new(files, inputs, Resolution::default());
    let mut tables = Vec::new();
    tables::of_facts(&graph, &[], &mut |table| table.collect(&mut tables));
    tables.retain(|table: &Table| matches!(table.name, "files" | "symbols"));
    tables::lines(&lines, &mut |table| table.collect(&mut tables));
    tables::columns(&columns, &mut |table| table.collect(&mut tables));
    Some(Relaid { tables })
}

/// Lines and columns that became others.
#[derive(Default)]
struct Moved {
    /// Lines before and now.
    lines: Vec<(u32, u32)>,
    /// Columns before and now, by the line as it is now.
    columns: Vec<(u32, u32, u32)>,
}

/// What became others, if there is no other difference that the resolver could see.
fn moved(old: &FileFacts, new: &FileFacts) -> Option<Moved> {
    let (before, after) = (Stands::of(old), Stands::of(new));
    // What is said about a broken file names its lines.
    let sound = old.problems.is_empty() && new.problems.is_empty();
    let same = sound && before.is_like(&after) && before.essence(old) == after.essence(new);
    same.then(|| {
        let lines = before.lines.iter().copied().zip(after.lines.iter().copied());
        let places = before.places.iter().zip(&after.places);
        Moved {
            lines: lines.filter(|(before, line)| before != line).collect(),
            columns: places
                .filter(|((_, before), (_, column))| before != column)
                .map(|(&(_, before), &(line, column))| (line, before, column))
                .collect(),
        }
    })
}

/// Where anything of a file stands, in order.
struct Stands {
    places: Vec<(u32, u32)>,
    lines: Vec<u32>,
}

impl Stands {
    fn of(facts: &FileFacts) -> Self {
        let mut places = Vec::new();
        each_place(&mut facts.clone(), |place| places.push((place.line, place.column())));
        places.sort_unstable();
        places.dedup();
        let mut lines: Vec<u32> = places.iter().map(|(line, _)| *line).collect();
        lines.dedup();
        Self { places, lines }
    }

    /// Whether as much stands on each line as on the other's.
    fn is_like(&self, other: &Self) -> bool {
        let counts = |of: &Self| of.places.chunk_by(|a, b| a.0 == b.0).map(<[_]>::len).collect::<Vec<_>>();
        counts(self) == counts(other)
    }

    /// The facts without what the resolver does not look at, lines and columns counted by those that anything stands on.
    fn essence(&self, facts: &FileFacts) -> FileFacts {
        let mut facts = facts.clone();
        each_place(&mut facts, |place| {
            let line = self.lines.partition_point(|line| *line < place.line);
            let first = self.places.partition_point(|(line, _)| *line < place.line);
            let at = self.places.partition_point(|other| *other < (place.line, place.column()));
            *place = Place::new(line as u32, (at - first) as u32, place.used());
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
        opened: _,
        constant_types: _,
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
