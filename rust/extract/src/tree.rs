//! The parsed tree as one flat array in source order: children, siblings and whole subtrees are index arithmetic.

use crate::flatten::flatten;
use mmcg_lang::{Rule, Selector, Step, Tables};
use smallvec::{smallvec, SmallVec};

/// A list of nodes.
pub type Nodes = SmallVec<[u32; 8]>;

/// Marks of a node: what the parser says (set by `flatten.c`), and what the walk has decided about it.
pub mod mark {
    /// Has a name in the grammar.
    pub const NAMED: u16 = 1;
    /// Was put in by the parser to go on.
    pub const MISSING: u16 = 1 << 1;
    /// Text that the parser could not place.
    pub const ERROR: u16 = 1 << 2;
    /// Its text is used by the definition or member around it: no expression of its own.
    pub const TARGET: u16 = 1 << 3;
    /// Another context begins here.
    pub const SWITCH: u16 = 1 << 4;
    /// Names in it mean types.
    pub const TYPE: u16 = 1 << 5;
    /// Names in it are bases.
    pub const INHERIT: u16 = 1 << 6;
    /// Something around it gives it a name.
    pub const GIVEN_NAME: u16 = 1 << 7;
    /// Its value is taken care of; it is not walked.
    pub const DONE: u16 = 1 << 8;
    /// Made by what was put around the tokens of a macro: means nothing.
    pub const WRAPPING: u16 = 1 << 9;
    /// Selectors pass over it.
    pub const COMMENT: u16 = 1 << 10;
}

/// A node. Its children begin at the next index; `next` is the index after its subtree. `flatten.c` has the same.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Node {
    pub kind: u16,
    pub field: u16,
    pub marks: u16,
    pub start: u32,
    pub end: u32,
    pub row: u32,
    pub column: u32,
    pub next: u32,
    pub parent: u32,
    /// The sibling before, comments included.
    pub before: u32,
    pub end_row: u32,
}

impl Node {
    pub fn has(&self, mark: u16) -> bool {
        self.marks & mark != 0
    }
}

/// How places in a text that is parsed apart become places in the file.
#[derive(Clone, Copy, Default, Debug)]
pub struct Shift {
    /// Length of what is put before the text, on its first line.
    pub prefix: u32,
    /// Where the text stands in the file, if it is not the file.
    pub start: u32,
    pub end: u32,
    pub row: u32,
    pub column: u32,
}

impl Shift {
    fn apply(&self, node: &mut Node) {
        let last = self.prefix + (self.end - self.start);
        if node.start < self.prefix || node.end > last {
            node.marks |= mark::WRAPPING;
        }
        let byte = |byte: u32| (byte.saturating_sub(self.prefix) + self.start).min(self.end);
        (node.start, node.end) = (byte(node.start), byte(node.end));
        if node.row == 0 {
            node.column = node.column.saturating_sub(self.prefix) + self.column;
        }
        node.row += self.row;
        node.end_row += self.row;
    }
}

/// All nodes of a file in preorder.
#[derive(Default, Debug)]
pub struct Tree {
    pub nodes: Vec<Node>,
    /// By kind: wrappers that `field*` goes through though they lack the field.
    through: Vec<bool>,
}

impl Tree {
    /// Copies a parsed tree, appending to what is there. Returns the index of its root.
    pub fn append(&mut self, parsed: &tree_sitter::Tree, tables: &Tables, shift: Shift) -> u32 {
        if self.nodes.is_empty() {
            self.through.clone_from(&tables.through);
        }
        let root = self.nodes.len();
        flatten(parsed.root_node(), &tables.kinds, &mut self.nodes);
        if shift.end != 0 {
            // Tokens of a macro are parsed apart, in a wrapping; their places are those of the file.
            self.nodes[root..].iter_mut().for_each(|node| shift.apply(node));
        }
        root as u32
    }

    /// What a node that only brackets something holds.
    pub fn inside(&self, node: u32) -> Option<u32> {
        let through = self.through.get(self.get(node).kind as usize).copied().unwrap_or(false);
        if through {
            self.named(node).last()
        } else {
            None
        }
    }

    pub fn get(&self, node: u32) -> &Node {
        &self.nodes[node as usize]
    }

    pub fn mark(&mut self, node: u32, marks: u16) {
        self.nodes[node as usize].marks |= marks;
    }

    pub fn is_leaf(&self, node: u32) -> bool {
        self.get(node).next == node + 1
    }

    pub fn is_comment(&self, node: u32) -> bool {
        self.get(node).has(mark::COMMENT)
    }

    /// All children.
    pub fn children(&self, node: u32) -> Children<'_> {
        Children { tree: self, at: node + 1, end: self.get(node).next }
    }

    fn is_named(&self, node: u32) -> bool {
        self.get(node).marks & (mark::NAMED | mark::COMMENT) == mark::NAMED
    }

    /// The named children that are no comments.
    pub fn named(&self, node: u32) -> impl Iterator<Item = u32> + '_ {
        self.children(node).filter(|&c| self.is_named(c))
    }

    /// The siblings behind.
    fn after(&self, node: u32) -> Children<'_> {
        let this = self.get(node);
        let end = if this.parent == u32::MAX { this.next } else { self.get(this.parent).next };
        Children { tree: self, at: this.next, end }
    }

    /// The siblings before, the nearest first.
    pub fn all_before(&self, node: u32) -> impl Iterator<Item = u32> + '_ {
        let before = |n: u32| Some(self.get(n).before).filter(|&b| b != u32::MAX);
        std::iter::successors(before(node), move |&n| before(n))
    }

    /// The sibling before, comments and punctuation passed over.
    pub fn before(&self, node: u32) -> Option<u32> {
        self.all_before(node).find(|&c| self.is_named(c))
    }

    /// The first node that a selector finds.
    pub fn first(&self, node: u32, selector: &Selector) -> Option<u32> {
        for path in &selector.0 {
            let found = match &**path {
                [Step::Field(field)] => {
                    self.children(node).find(|&c| self.get(c).field == *field && !self.is_comment(c))
                }
                [Step::Nth(n)] => self.named(node).nth(*n as usize),
                [Step::Kind(kind)] => self.children(node).find(|&c| self.get(c).kind == *kind),
                path => self.follow(node, path).first().copied(),
            };
            if found.is_some() {
                return found;
            }
        }
        None
    }

    /// Whether a node is as a rule wants it, by all that the tree of a source can tell: what scope it stands in is left open.
    #[inline]
    pub fn fits(&self, node: u32, rule: &Rule, source: &str) -> bool {
        let parent = self.get(node).parent;
        let within = |kinds: &[u16]| parent != u32::MAX && kinds.contains(&self.get(parent).kind);
        let text = |n: u32| source.get(self.get(n).start as usize..self.get(n).end as usize).unwrap_or_default();
        (rule.inside.is_empty() || within(&rule.inside))
            && (rule.as_field.is_empty() || rule.as_field.contains(&self.get(node).field))
            && rule.when.iter().all(|s| self.first(node, s).is_some())
            && rule.unless.iter().all(|s| self.first(node, s).is_none())
            && rule.texts.iter().all(|(selector, texts)| {
                self.all(node, selector).iter().any(|&n| texts.iter().any(|t| t.matches(text(n))))
            })
    }

    /// All nodes that the first fruitful path of a selector finds.
    pub fn all(&self, node: u32, selector: &Selector) -> Nodes {
        selector.0.iter().map(|path| self.follow(node, path)).find(|n| !n.is_empty()).unwrap_or_default()
    }

    /// All nodes that any path of a selector finds.
    pub fn every(&self, node: u32, selector: &Selector) -> Nodes {
        selector.0.iter().flat_map(|path| self.follow(node, path)).collect()
    }

    fn follow(&self, node: u32, path: &[Step]) -> Nodes {
        let mut at: Nodes = smallvec![node];
        for step in path {
            let mut next = Nodes::new();
            for &n in &at {
                self.step(n, *step, &mut next);
            }
            if next.is_empty() {
                return next;
            }
            at = next;
        }
        at
    }

    fn step(&self, node: u32, step: Step, out: &mut Nodes) {
        let parent = self.get(node).parent;
        match step {
            Step::Here => out.push(node),
            Step::Is(kind) => out.extend((self.get(node).kind == kind).then_some(node)),
            Step::Field(field) => {
                out.extend(self.children(node).filter(|&c| self.get(c).field == field && !self.is_comment(c)));
            }
            Step::Kind(kind) => out.extend(self.children(node).filter(|&c| self.get(c).kind == kind)),
            Step::Token(kind) => out.extend(self.children(node).filter(|&c| self.get(c).kind == kind)),
            Step::Nth(n) => out.extend(self.named(node).nth(n as usize)),
            Step::Last => out.extend(self.named(node).last()),
            Step::All => out.extend(self.named(node)),
            Step::Unnamed => out.extend(self.named(node).filter(|&c| self.get(c).field == 0)),
            Step::Follow(field) => {
                let mut at = node;
                loop {
                    let next = self.children(at).find(|&c| self.get(c).field == field);
                    let through = self.through.get(self.get(at).kind as usize).copied().unwrap_or(false);
                    match next.or_else(|| self.named(at).last().filter(|_| through)) {
                        Some(next) => at = next,
                        None => break,
                    }
                }
                out.extend((at != node).then_some(at));
            }
            Step::Up(kind) => out.extend((parent != u32::MAX && self.get(parent).kind == kind).then_some(parent)),
            Step::Previous(kind) => out.extend(self.before(node).filter(|&b| self.get(b).kind == kind)),
            Step::Around(kind) => {
                let mut at = parent;
                while at != u32::MAX && self.get(at).kind != kind {
                    at = self.get(at).parent;
                }
                out.extend((at != u32::MAX).then_some(at));
            }
            Step::Before(kind) => {
                let first = out.len();
                let mut at = node;
                while let Some(before) = self.before(at).filter(|&b| self.get(b).kind == kind) {
                    out.push(before);
                    at = before;
                }
                out[first..].reverse();
            }
            Step::Next => {
                let next = self.after(node).find(|&c| self.is_named(c));
                out.extend(next);
            }
            Step::After(kind) => {
                let after = self.after(node).filter(|&c| self.is_named(c));
                out.extend(after.take_while(|&c| self.get(c).kind == kind));
            }
        }
    }
}

/// Children of a node.
pub struct Children<'a> {
    tree: &'a Tree,
    at: u32,
    end: u32,
}

impl Iterator for Children<'_> {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        if self.at >= self.end {
            return None;
        }
        let node = self.at;
        self.at = self.tree.get(node).next;
        Some(node)
    }
}
