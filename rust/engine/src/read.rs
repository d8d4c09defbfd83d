//! One file → bytes read once, what was read hashed, text for the parser.

use crate::classify::classify;
use crate::decode::{decode, Decoded};
use crate::options::MAX_FILE_BYTES;
use crate::skip::Reason;
use crate::walk::{nanoseconds, Found, Mark};
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// A file as it was at the moment of reading.
#[derive(Debug)]
pub struct Source {
    /// Its text.
    pub decoded: Decoded,
    /// Its size in bytes.
    pub size: u64,
    /// Its time of change, taken before reading: a change in between makes the index stale, never wrongly fresh.
    pub mtime_ns: i64,
    /// What else was known of it then.
    pub mark: Mark,
    /// First half of the BLAKE3 hash of its bytes, in hexadecimal digits.
    pub hash: String,
}

/// Reads a file of a canonical root.
pub fn read(root: &Path, found: &Found) -> Result<Source, Reason> {
    if found.size > MAX_FILE_BYTES {
        return Err(Reason::TooLarge);
    }
    let (bytes, mtime_ns, mark) = read_bytes(&root.join(&found.path)).map_err(|_| Reason::Unreadable)?;
    understood(&found.path, bytes, mtime_ns, mark)
}

/// What the bytes of a file say.
pub fn understood(path: &str, bytes: Vec<u8>, mtime_ns: i64, mark: Mark) -> Result<Source, Reason> {
    if bytes.len() as u64 > MAX_FILE_BYTES {
        return Err(Reason::TooLarge);
    }
    if let Some(reason) = classify(path, &bytes) {
        return Err(reason);
    }
    let (size, hash) = (bytes.len() as u64, hash(&bytes));
    let decoded = decode(bytes).ok_or(Reason::Undecodable)?;
    Ok(Source { decoded, size, mtime_ns, mark, hash })
}

/// Never reads much more than the limit, however fast the file grows.
fn read_bytes(path: &Path) -> std::io::Result<(Vec<u8>, i64, Mark)> {
    let file = File::open(path)?;
    let metadata = file.metadata()?;
    let mtime_ns = metadata.modified().map_or(0, nanoseconds);
    let mut bytes = Vec::with_capacity(metadata.len().min(MAX_FILE_BYTES) as usize + 1);
    file.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes)?;
    Ok((bytes, mtime_ns, Mark::of(&metadata)))
}

/// The hash of a file's content as the index keeps it.
pub fn hash(bytes: &[u8]) -> String {
    let mut hex = blake3::hash(bytes).to_hex().to_string();
    hex.truncate(32);
    hex
}
