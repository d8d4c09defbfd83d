//! All facts → edges with their rules. Pure: no I/O, no parser, no language by name.
//!
//! The phases are the files: `modules/` (which file does an import name), `units` and `lookup` (what does a name mean
//! where it stands), `imports` (re-exports to their end), `types` and `members` (hierarchies), `eval` with `solve` (what
//! can a value be), `calls`, `overloads`, `namesakes` and `references` (edges).

pub mod modules;

mod apart;
mod arity;
mod at_work;
mod builds;
mod calls;
mod constants;
mod containers;
mod contextual;
mod conversions;
mod decorated;
mod deps;
mod dispatch;
mod eval;
mod extensions;
mod flow;
mod foreign;
mod futures;
mod generics;
mod given;
mod held;
mod implicit;
mod imports;
mod itself;
mod keyed;
mod library;
mod linkage;
mod lookup;
mod macros;
mod members;
mod namesakes;
mod narrowed;
mod objects;
mod opened;
mod order;
mod outcome;
mod overloads;
mod places;
mod program;
mod receivers;
mod references;
mod resolver;
mod results;
mod rows;
mod solve;
mod structural;
mod types;
mod uniform;
mod units;
mod values;
mod variables;
mod wrappers;

pub use outcome::{BaseRow, Edge, ImportRow, Reference, Resolution};
pub use program::{FileInput, Sym};

use mmcg_facts::FileFacts;
use modules::{FileId, Manifest};
use program::Program;

/// Bytes of stack for a resolution: expressions and questions nest.
const STACK: usize = 1 << 30;

/// Resolves all files and gives their facts back, in the same order, with names of one table for all.
///
/// `files` must be in path order; the answer depends on nothing else.
pub fn resolve(files: Vec<FileInput>, manifests: Vec<Manifest>) -> (Vec<FileFacts>, Resolution) {
    std::thread::scope(|scope| {
        let work = || {
            let program = Program::new(files, manifests);
            let resolution = resolve_program(&program);
            let facts = program.files.into_iter().map(|file| file.facts).collect();
            (facts, resolution)
        };
        let thread =
            std::thread::Builder::new().name("mmcg-resolve".to_owned()).stack_size(STACK).spawn_scoped(scope, work);
        match thread.expect("a thread can be started").join() {
            Ok(done) => done,
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}

fn resolve_program(program: &Program) -> Resolution {
    let mut resolver = resolver::Resolver::new(program);
    let mut resolution = Resolution::default();
    resolver.index_writes();
    let mut called = Vec::with_capacity(program.files.len());
    for index in 0..program.files.len() as u32 {
        resolver.work_at(Some(FileId(index)));
        called.push(resolver.call_edges(FileId(index)));
    }
    resolver.work_at(None);
    resolver.follow_arguments(&mut called);
    for (index, calls) in called.into_iter().enumerate() {
        let file = FileId(index as u32);
        resolver.work_at(Some(file));
        let start = resolution.edges.len();
        resolution.edges.extend(calls);
        resolver.uses(file, &mut resolution.edges, &mut resolution.references);
        resolution.edges[start..].sort_by_key(|edge| (edge.place.line, edge.place.column(), edge.site.is_none()));
        resolver.import_rows(file, &mut resolution.imports);
    }
    resolution.bases = resolver.base_rows();
    resolution.overrides = resolver.override_rows();
    resolution
}
