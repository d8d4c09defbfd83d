//! Text tables: interned names and plain texts, each one buffer with offsets.

use crate::{NameId, TextId};

/// Distinct names of one file in the order of first use.
#[derive(Clone, Default, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Names {
    buffer: String,
    ends: Vec<u32>,
}

impl Names {
    /// Appends a name that is not in the table yet; the caller interns.
    pub fn push(&mut self, name: &str) -> NameId {
        self.buffer.push_str(name);
        self.ends.push(self.buffer.len() as u32);
        NameId::from(self.ends.len() - 1)
    }

    /// The text of a name.
    pub fn get(&self, id: NameId) -> &str {
        slice(&self.buffer, &self.ends, id.index())
    }

    /// Forgets all names, but keeps the room.
    pub fn clear(&mut self) {
        self.buffer.clear();
        self.ends.clear();
    }

    /// How many names there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is no name.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// All names in id order.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        (0..self.ends.len()).map(|index| slice(&self.buffer, &self.ends, index))
    }
}

/// Texts of one file, not deduplicated.
#[derive(Clone, Default, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Texts {
    buffer: String,
    ends: Vec<u32>,
}

impl Texts {
    /// Appends a text.
    pub fn push(&mut self, text: &str) -> TextId {
        self.buffer.push_str(text);
        self.ends.push(self.buffer.len() as u32);
        TextId::from(self.ends.len() - 1)
    }

    /// The text of an id.
    pub fn get(&self, id: TextId) -> &str {
        slice(&self.buffer, &self.ends, id.index())
    }

    /// Forgets all texts, but keeps the room.
    pub fn clear(&mut self) {
        self.buffer.clear();
        self.ends.clear();
    }

    /// How many texts there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is no text.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }
}

fn slice<'a>(buffer: &'a str, ends: &[u32], index: usize) -> &'a str {
    let start = if index == 0 { 0 } else { ends[index - 1] as usize };
    &buffer[start..ends[index] as usize]
}
