//! The few things that stop a run. Everything that is wrong with one file is a `Problem` or a `Skipped` instead.

use std::fmt;
use std::path::PathBuf;

/// Why a run could not be done.
#[derive(Debug)]
pub enum Error {
    /// The root is not a folder that can be read.
    Root(PathBuf, std::io::Error),
    /// The caller asked to stop.
    Cancelled,
    /// A fault that facts kept from earlier runs may be the cause of: its message.
    Kept(String),
    /// A fault of this program: its message.
    Internal(String),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Root(path, error) => write!(f, "`{}` cannot be read as a folder: {error}", path.display()),
            Self::Cancelled => write!(f, "stopped before the end"),
            Self::Kept(message) | Self::Internal(message) => write!(f, "internal error: {message}"),
        }
    }
}

impl std::error::Error for Error {}
