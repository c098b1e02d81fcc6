//! Reading a trace, however much of it is there.
//!
//! The header must be right. After it, blocks are read until one is not whole; what comes after that is not looked for.
//! A block that is whole and makes no sense was not written by us: that is an error, and so is another version.

use std::fmt;

use crate::bytes::{In, Malformed};
use crate::merge::{Merged, merge};
use crate::records::{Last, Record};
use crate::{About, MAGIC, MOST_BYTES, Place, Trace, VERSION, checksum, encoding, kind};
use rosser_validate::Word;

/// The most threads that a trace may have.
const MOST_THREADS: usize = 1 << 16;
/// The most records that are read.
const MOST_RECORDS: u64 = 1 << 30;
/// The bytes of a block before what it stores.
const HEAD: usize = 14;

/// Why a trace cannot be read at all.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unreadable {
    /// It is something else.
    NoTrace,
    /// It is of another version.
    Version(u32),
    /// A block that is whole makes no sense; it starts at this byte.
    Malformed(usize),
    /// It has more threads or records than are read.
    TooLarge,
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoTrace => write!(f, "it is no trace of Rosser"),
            Self::Version(version) => write!(
                f,
                "it is a trace of version {version}, and this is for version {VERSION}: record it again"
            ),
            Self::Malformed(at) => write!(f, "the block at byte {at} makes no sense"),
            Self::TooLarge => write!(f, "it has too many threads or records"),
        }
    }
}

/// What is missing in a trace that could be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Problem {
    /// It is not whole from this byte on.
    Torn(usize),
    /// It has no end: the program was killed, or is still running.
    NoEnd,
    /// So many records wait for something that is missing.
    LeftOut(usize),
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Torn(at) => {
                write!(f, "the trace is damaged from byte {at} on; what comes before is used")
            }
            Self::NoEnd => write!(f, "the trace has no end; what is there is used"),
            Self::LeftOut(1) => {
                write!(f, "1 record comes after one that is missing, and is left out")
            }
            Self::LeftOut(count) => {
                write!(f, "{count} records come after one that is missing, and are left out")
            }
        }
    }
}

/// What was read.
#[derive(Clone, Debug)]
pub struct Summary {
    /// The trace, as far as it is whole.
    pub trace: Trace,
    /// What is missing.
    pub problems: Vec<Problem>,
    /// How many blocks were read.
    pub blocks: usize,
    /// How many of them were of a kind that is not known, and skipped.
    pub skipped: usize,
    /// Their bytes before compression.
    pub raw_bytes: u64,
}

/// Reads a trace.
pub fn read(bytes: &[u8]) -> Result<Summary, Unreadable> {
    let header = bytes.get(..12).ok_or(Unreadable::NoTrace)?;
    if header[..8] != MAGIC {
        return Err(Unreadable::NoTrace);
    }
    let version = number(&header[8..]);
    if version != VERSION {
        return Err(Unreadable::Version(version));
    }
    let mut parts = Parts::default();
    let mut at = header.len();
    while at < bytes.len() {
        let Some((block, after)) = Block::at(bytes, at) else {
            parts.problems.push(Problem::Torn(at));
            break;
        };
        parts.take(&block).map_err(|error| match error {
            Wrong::Malformed => Unreadable::Malformed(at),
            Wrong::TooLarge => Unreadable::TooLarge,
        })?;
        at = after;
    }
    Ok(parts.finish())
}

fn number(bytes: &[u8]) -> u32 {
    u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])
}

/// A block that is whole.
struct Block<'a> {
    kind: u8,
    encoding: u8,
    thread: u32,
    raw: usize,
    stored: &'a [u8],
}

impl<'a> Block<'a> {
    /// The block at an offset, and where the next one is; none if it is not whole.
    fn at(bytes: &'a [u8], at: usize) -> Option<(Self, usize)> {
        let head = bytes.get(at..at + HEAD)?;
        let (raw, length) = (number(&head[6..]) as usize, number(&head[10..]) as usize);
        let end = (at + HEAD).checked_add(length)?;
        let stored = bytes.get(at + HEAD..end)?;
        let sum = bytes.get(end..end + 4)?;
        let is_whole = checksum::of(&bytes[at..end]) == number(sum);
        let block =
            Self { kind: head[0], encoding: head[1], thread: number(&head[2..]), raw, stored };
        is_whole.then_some((block, end + 4))
    }

    fn contents(&self) -> Result<Vec<u8>, Malformed> {
        if self.raw > MOST_BYTES {
            return Err(Malformed);
        }
        let contents = match self.encoding {
            encoding::PLAIN => self.stored.to_vec(),
            encoding::LZ4 => {
                lz4_flex::block::decompress(self.stored, self.raw).map_err(|_| Malformed)?
            }
            _ => return Err(Malformed),
        };
        if contents.len() == self.raw { Ok(contents) } else { Err(Malformed) }
    }
}

enum Wrong {
    Malformed,
    TooLarge,
}

impl From<Malformed> for Wrong {
    fn from(_: Malformed) -> Self {
        Self::Malformed
    }
}

#[derive(Default)]
struct Parts {
    trace: Trace,
    only_first_touches: bool,
    semaphores: Vec<u32>,
    names: Vec<String>,
    threads: Vec<(u32, Vec<Record>)>,
    records: u64,
    has_end: bool,
    problems: Vec<Problem>,
    blocks: usize,
    skipped: usize,
    raw_bytes: u64,
}

impl Parts {
    fn take(&mut self, block: &Block<'_>) -> Result<(), Wrong> {
        self.blocks += 1;
        let known = kind::ABOUT..=kind::END;
        if !known.contains(&block.kind) {
            self.skipped += 1;
            return Ok(());
        }
        let contents = block.contents()?;
        self.raw_bytes += contents.len() as u64;
        let mut input = In(&contents);
        if block.kind == kind::ACTIONS {
            return self.actions(block.thread, &mut input);
        }
        let mut last = 0;
        while !input.is_empty() {
            match block.kind {
                kind::ABOUT => {
                    let [program, recorder, ended] = [input.text()?, input.text()?, input.text()?];
                    self.trace.about = About { program, recorder, ended };
                    self.trace.is_precise = input.number()? != 0;
                    self.only_first_touches = input.number()? != 0;
                    // There may be more, which later versions write.
                    return Ok(());
                }
                kind::SITES => self.trace.sites.push(Place {
                    file: input.text()?,
                    line: input.small()?,
                    column: input.small()?,
                    text: input.text()?,
                }),
                kind::NAMES => {
                    let word = Word(input.difference(&mut last)?);
                    self.trace.names.push((word, input.text()?));
                }
                kind::THREADS => self.names.push(input.text()?),
                kind::SEMAPHORES => self.semaphores.push(input.small()?),
                _ => {
                    input.number()?;
                    self.has_end = true;
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    fn actions(&mut self, thread: u32, input: &mut In<'_>) -> Result<(), Wrong> {
        let at = match self.threads.iter().rposition(|(other, _)| *other == thread) {
            Some(at) => at,
            None if self.threads.len() == MOST_THREADS => return Err(Wrong::TooLarge),
            None => {
                self.threads.push((thread, Vec::new()));
                self.threads.len() - 1
            }
        };
        let records = &mut self.threads[at].1;
        let mut last = Last::default();
        while !input.is_empty() {
            self.records += 1;
            if self.records > MOST_RECORDS {
                return Err(Wrong::TooLarge);
            }
            if records.last() == Some(&Record::End) {
                return Err(Wrong::Malformed);
            }
            records.push(Record::read(input, &mut last)?);
        }
        Ok(())
    }

    fn finish(mut self) -> Summary {
        let Merged { mut execution, threads, left_out } = merge(&self.semaphores, self.threads);
        execution.only_first_touches = self.only_first_touches;
        if !self.has_end && self.problems.is_empty() {
            self.problems.push(Problem::NoEnd);
        }
        if left_out > 0 {
            self.problems.push(Problem::LeftOut(left_out));
        }
        let name = |thread: &u32| {
            let name = self.names.get(*thread as usize).cloned();
            name.unwrap_or_else(|| format!("t{thread}"))
        };
        self.trace.threads = threads.iter().map(name).collect();
        self.trace.names.sort_by_key(|(word, _)| *word);
        self.trace.execution = execution;
        Summary {
            trace: self.trace,
            problems: self.problems,
            blocks: self.blocks,
            skipped: self.skipped,
            raw_bytes: self.raw_bytes,
        }
    }
}
