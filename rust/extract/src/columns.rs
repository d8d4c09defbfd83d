//! Columns in characters, in about constant time, however long the lines are.

/// Bytes of a block.
const BLOCK: usize = 64;

/// How many bytes that begin no character stand before each block of a text; nothing where there are none.
#[derive(Debug, Default)]
pub struct Columns {
    blocks: Vec<u32>,
}

impl Columns {
    /// Of a text.
    pub fn new(source: &str) -> Self {
        if source.is_ascii() {
            return Self::default();
        }
        let mut count = 0;
        let before = source.as_bytes().chunks(BLOCK).map(|block| {
            let before = count;
            count += continuing(block);
            before
        });
        Self { blocks: before.collect() }
    }

    /// How many characters there are from one offset to another.
    pub fn in_characters(&self, source: &str, start: u32, end: u32) -> u32 {
        let bytes = end.saturating_sub(start);
        if self.blocks.is_empty() {
            return bytes;
        }
        let before = |offset: u32| {
            let offset = (offset as usize).min(source.len());
            let block = (offset / BLOCK).min(self.blocks.len() - 1);
            self.blocks[block] + continuing(&source.as_bytes()[block * BLOCK..offset])
        };
        bytes.saturating_sub(before(end).saturating_sub(before(start)))
    }
}

fn continuing(bytes: &[u8]) -> u32 {
    bytes.iter().filter(|&&b| b & 0xc0 == 0x80).count() as u32
}
