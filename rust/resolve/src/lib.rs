//! All facts → edges with their rules. Pure: no I/O, no parser, no language by name.

pub mod modules;
