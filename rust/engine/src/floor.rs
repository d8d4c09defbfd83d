//! The least that an indexer of this kind can do: the same walk, the same files read and parsed, nothing else.
//! Benchmarks compare with it.

use crate::core_api::{self, BareParser};
use crate::error::Error;
use crate::options::Options;
use crate::pool::{for_each_file, pool};
use crate::progress::Progress;
use crate::walk::{canonical_root, walk};
use crate::{guard, read};
use cpu_time::ProcessTime;
use std::time::Instant;

/// What the floor costs.
#[derive(Clone, Copy, Debug, Default)]
pub struct Floor {
    /// Files that were parsed.
    pub files: usize,
    /// Their bytes.
    pub bytes: u64,
    /// Processor time of the whole process, walk included.
    pub cpu_seconds: f64,
    /// Time on the clock.
    pub wall_seconds: f64,
}

/// Walks, reads and parses.
pub fn parse_floor(options: &Options) -> Result<Floor, Error> {
    let (wall, cpu) = (Instant::now(), ProcessTime::now());
    let root = canonical_root(&options.root)?;
    let found = walk(&root, options.threads()).sources;
    let (pool, progress) = (pool(options.threads())?, Progress::default());
    let sizes = for_each_file(
        &pool,
        &found,
        |file| file.size,
        &progress,
        BareParser::default,
        |parser, file| {
            let source = read::read(&root, file).ok()?;
            let language = core_api::language_for(&file.path, &source.decoded.text)?;
            guard::guarded(|| parser.parse(&source.decoded.text, language)).ok()?.then_some(source.size)
        },
    )?;
    let parsed = || sizes.iter().flatten();
    Ok(Floor {
        files: parsed().count(),
        bytes: parsed().sum(),
        cpu_seconds: cpu.elapsed().as_secs_f64(),
        wall_seconds: wall.elapsed().as_secs_f64(),
    })
}
