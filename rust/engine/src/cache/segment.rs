//! A file of facts that is written once: blobs one after the other, then where each of them is.
//!
//! ```text
//! magic, stamp · blobs · entries (key, offset, length, checksum) · offset of the entries, their number, magic
//! ```
//! Numbers are little-endian. A file that ends too early has no closing magic and is nobody's segment.

use std::fs::File;
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

const MAGIC: &[u8; 8] = b"mmcgfct1";
const STAMP: &str = env!("MMCG_FACTS_STAMP");
const HEADER_BYTES: u64 = (MAGIC.len() + STAMP.len()) as u64;
const FOOTER_BYTES: u64 = 20;
const ENTRY_BYTES: usize = 36;

/// What a blob is found by.
pub type BlobKey = [u8; 16];

/// Where a blob is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// What it is found by.
    pub key: BlobKey,
    offset: u64,
    /// Its length in bytes.
    pub length: u32,
    checksum: u64,
}

/// A finished segment.
#[derive(Debug)]
pub struct Segment {
    /// Where the file is.
    pub path: PathBuf,
    file: Mutex<File>,
}

impl Segment {
    /// Opens a segment and reads its entries; an error for anything that is not a whole segment of this build.
    pub fn open(path: &Path) -> io::Result<(Self, Vec<Entry>)> {
        let mut file = File::open(path)?;
        let size = file.metadata()?.len();
        let mut header = [0; HEADER_BYTES as usize];
        file.read_exact(&mut header)?;
        let mut footer = [0; FOOTER_BYTES as usize];
        file.seek(SeekFrom::Start(size.checked_sub(FOOTER_BYTES).ok_or_else(foreign)?))?;
        file.read_exact(&mut footer)?;
        if header[..8] != MAGIC[..] || header[8..] != *STAMP.as_bytes() || footer[12..] != MAGIC[..] {
            return Err(foreign());
        }
        let start = u64::from_le_bytes(array(&footer[..8]));
        let count = u32::from_le_bytes(array(&footer[8..12]));
        let length = u64::from(count) * ENTRY_BYTES as u64;
        if start.checked_add(length).and_then(|end| end.checked_add(FOOTER_BYTES)) != Some(size) {
            return Err(foreign());
        }
        let mut bytes = vec![0; length as usize];
        file.seek(SeekFrom::Start(start))?;
        file.read_exact(&mut bytes)?;
        let entries = bytes.chunks_exact(ENTRY_BYTES).map(Entry::from_bytes).collect();
        Ok((Self { path: path.to_owned(), file: Mutex::new(file) }, entries))
    }

    /// A blob, if it is as it was written.
    pub fn blob(&self, entry: &Entry) -> Option<Vec<u8>> {
        let mut bytes = vec![0; entry.length as usize];
        {
            let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
            file.seek(SeekFrom::Start(entry.offset)).ok()?;
            file.read_exact(&mut bytes).ok()?;
        }
        (checksum(&bytes) == entry.checksum).then_some(bytes)
    }
}

/// A segment that is being written, under a name that no reader looks for. Dropped unfinished, it goes away.
#[derive(Debug)]
pub struct Writer {
    path: PathBuf,
    file: BufWriter<File>,
    offset: u64,
    entries: Vec<Entry>,
    finished: bool,
}

impl Writer {
    /// Begins a segment.
    pub fn create(path: PathBuf) -> io::Result<Self> {
        let mut file = BufWriter::with_capacity(1 << 18, File::create(&path)?);
        file.write_all(MAGIC)?;
        file.write_all(STAMP.as_bytes())?;
        Ok(Self { path, file, offset: HEADER_BYTES, entries: Vec::new(), finished: false })
    }

    /// Appends a blob.
    pub fn add(&mut self, key: BlobKey, blob: &[u8]) -> io::Result<()> {
        let length = u32::try_from(blob.len()).map_err(io::Error::other)?;
        self.file.write_all(blob)?;
        self.entries.push(Entry { key, offset: self.offset, length, checksum: checksum(blob) });
        self.offset += u64::from(length);
        Ok(())
    }

    /// Completes the segment and gives it the name by which readers find it.
    pub fn finish(mut self, path: &Path) -> io::Result<()> {
        for entry in &self.entries {
            self.file.write_all(&entry.to_bytes())?;
        }
        self.file.write_all(&self.offset.to_le_bytes())?;
        self.file.write_all(&(self.entries.len() as u32).to_le_bytes())?;
        self.file.write_all(MAGIC)?;
        self.file.flush()?;
        std::fs::rename(&self.path, path)?;
        self.finished = true;
        Ok(())
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        if !self.finished {
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

impl Entry {
    fn to_bytes(self) -> [u8; ENTRY_BYTES] {
        let mut bytes = [0; ENTRY_BYTES];
        bytes[..16].copy_from_slice(&self.key);
        bytes[16..24].copy_from_slice(&self.offset.to_le_bytes());
        bytes[24..28].copy_from_slice(&self.length.to_le_bytes());
        bytes[28..].copy_from_slice(&self.checksum.to_le_bytes());
        bytes
    }

    fn from_bytes(bytes: &[u8]) -> Self {
        Self {
            key: array(&bytes[..16]),
            offset: u64::from_le_bytes(array(&bytes[16..24])),
            length: u32::from_le_bytes(array(&bytes[24..28])),
            checksum: u64::from_le_bytes(array(&bytes[28..])),
        }
    }
}

fn array<const N: usize>(bytes: &[u8]) -> [u8; N] {
    bytes.try_into().expect("the slice has the length of the type")
}

fn checksum(bytes: &[u8]) -> u64 {
    u64::from_le_bytes(array(&blake3::hash(bytes).as_bytes()[..8]))
}

fn foreign() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "not a segment of this version")
}
