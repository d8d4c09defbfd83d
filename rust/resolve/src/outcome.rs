//! What a resolution answers.

use crate::modules::FileId;
use crate::program::Sym;
use mmcg_facts::{BaseKind, Confidence, Place, Rule, SiteId, UseKind};

/// One call site and one target; a site without a target has one edge, too.
#[derive(Clone, PartialEq, Debug)]
pub struct Edge {
    /// The file of the site.
    pub file: FileId,
    /// The site; `None` for a read or write that runs a property.
    pub site: Option<SiteId>,
    /// The place of the called name.
    pub place: Place,
    /// The symbol whose code calls.
    pub source: Sym,
    /// The called symbol.
    pub target: Option<Sym>,
    /// The constructed type, where the target is a constructor that it inherits: the target's container is another.
    pub constructs: Option<Sym>,
    /// The dotted name of a target outside the project.
    pub external: Option<Box<str>>,
    /// How it was found.
    pub rule: Rule,
    /// How sure it is.
    pub confidence: Confidence,
}

/// A use of a symbol that is no call.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Reference {
    /// The file of the use.
    pub file: FileId,
    /// Its place; the kind is `place.used()`.
    pub place: Place,
    /// The symbol whose code uses it.
    pub source: Sym,
    /// The used symbol.
    pub target: Sym,
    /// How it was found.
    pub rule: Rule,
    /// How sure it is.
    pub confidence: Confidence,
}

impl Reference {
    /// How the symbol is used.
    pub fn kind(&self) -> UseKind {
        self.place.used()
    }
}

/// One import and one file that it leads to; an import that leads nowhere has one row, too.
#[derive(Clone, PartialEq, Debug)]
pub struct ImportRow {
    /// The importing file.
    pub file: FileId,
    /// Index into the file's imports.
    pub import: u32,
    /// The file it leads to.
    pub target: Option<FileId>,
    /// The package outside the project.
    pub external: Option<Box<str>>,
}

/// One base of a type.
#[derive(Clone, PartialEq, Debug)]
pub struct BaseRow {
    /// The type.
    pub symbol: Sym,
    /// Its base in the project.
    pub base: Option<Sym>,
    /// The base's name as written.
    pub name: Box<str>,
    /// How it is a base.
    pub kind: BaseKind,
    /// Line of the base's name.
    pub line: u32,
    /// How it was found.
    pub rule: Rule,
}

/// All answers of a run, in file and source order.
#[derive(Default)]
pub struct Resolution {
    /// Call edges.
    pub edges: Vec<Edge>,
    /// Uses that are no calls.
    pub references: Vec<Reference>,
    /// Imports.
    pub imports: Vec<ImportRow>,
    /// Bases.
    pub bases: Vec<BaseRow>,
    /// Methods and the members of bases that they override.
    pub overrides: Vec<(Sym, Sym)>,
}
