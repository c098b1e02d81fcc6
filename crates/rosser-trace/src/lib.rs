//! Recorded executions as files: what a trace is made of, how it is written, and how much of a damaged one is read.
//!
//! ```text
//!   Trace ─writer─► blocks ─► file           bytes     numbers of variable length
//!         ◄─merge── records ◄─reader─┘       checksum  what tells whether a block is whole
//! ```
//!
//! A recorder of real threads knows no global order: each thread writes what it did, and of each synchronisation which
//! one it was on its object. `merge` makes one linear order of that. The format is described in docs/trace.md.

mod bytes;
mod checksum;
mod merge;
mod reader;
mod records;
mod writer;

use rosser_validate::{Execution, Word};

pub use reader::{Problem, Summary, Unreadable, read};
pub use writer::write;

/// The first bytes of every trace.
pub const MAGIC: [u8; 8] = *b"RSRTRACE";
/// Incremented when a reader of before would misunderstand a trace.
pub const VERSION: u32 = 1;
/// The most bytes of a block before it is compressed.
pub const MOST_BYTES: usize = 1 << 20;

/// What stands in a trace.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    /// What was run, and by whom it was recorded.
    pub about: About,
    /// The places of the program, by [`Site`](rosser_validate::Site).
    pub sites: Vec<Place>,
    /// Names of words, in ascending order.
    pub names: Vec<(Word, String)>,
    /// Names of the threads.
    pub threads: Vec<String>,
    /// What happened.
    pub execution: Execution,
    /// Whether accesses have the order in which they were made.
    pub is_precise: bool,
}

/// What was run, and by whom it was recorded.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct About {
    /// The program with its arguments.
    pub program: String,
    /// Who recorded it, with its version.
    pub recorder: String,
    /// How the run ended, in a word; empty if that is not known.
    pub ended: String,
}

/// A place in the source.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Place {
    /// The file.
    pub file: String,
    /// The line, from one.
    pub line: u32,
    /// The column, from one, or zero.
    pub column: u32,
    /// The statement there, or the function.
    pub text: String,
}

/// Kinds of blocks. A reader skips those that it does not know.
mod kind {
    pub const ABOUT: u8 = 1;
    pub const SITES: u8 = 2;
    pub const NAMES: u8 = 3;
    pub const THREADS: u8 = 4;
    pub const SEMAPHORES: u8 = 5;
    pub const ACTIONS: u8 = 6;
    pub const END: u8 = 7;
}

/// How the bytes of a block are stored.
mod encoding {
    pub const PLAIN: u8 = 0;
    pub const LZ4: u8 = 1;
}
