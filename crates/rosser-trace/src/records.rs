//! What one thread did, as bytes.
//!
//! A record is a byte that says what was done, the place and the group as differences to the record before, and what it
//! was done with. Synchronisation has its number on the object that it was done on: which operation on the lock, semaphore,
//! flag or word it was. Blocks begin anew: each can be read without the others.

use rosser_detect::{Access, Operator};
use rosser_validate::{Act, Flag, Group, Lock, Ordering, Semaphore, Site, Thread, Word};

use crate::bytes::{In, Malformed, Out};

mod tag {
    pub const READ: u8 = 1;
    pub const WRITE: u8 = 2;
    pub const UPDATE: u8 = 3;
    pub const ATOMIC: u8 = 4;
    pub const FORK: u8 = 5;
    pub const JOIN: u8 = 6;
    pub const SET: u8 = 7;
    pub const GET: u8 = 8;
    pub const SIGNAL: u8 = 9;
    pub const WAIT: u8 = 10;
    pub const ACQUIRE: u8 = 11;
    pub const RELEASE: u8 = 12;
    pub const END: u8 = 13;
}

/// Bits above the tag, of accesses: a value follows; a number on the word follows.
const HAS_VALUE: u8 = 0x20;
const HAS_NUMBER: u8 = 0x40;
const TAG: u8 = 0x1f;

/// What a thread did.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Record {
    /// Something that the analysis knows.
    Act {
        /// What.
        act: Act,
        /// Where.
        site: Site,
        /// With what it belongs together.
        group: Group,
        /// Which operation on its object it was.
        number: Option<u64>,
    },
    /// It ended.
    End,
}

/// What something is done on, so that operations on it have numbers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Object {
    Semaphore(Semaphore),
    Lock(Lock),
    Flag(Flag),
    Word(Word),
}

/// What an action is done on.
pub fn object(act: Act) -> Option<Object> {
    match act {
        Act::Access { word, .. } | Act::Atomic { word, .. } => Some(Object::Word(word)),
        Act::Set(flag) | Act::Get(flag) => Some(Object::Flag(flag)),
        Act::Signal(semaphore) | Act::Wait(semaphore) => Some(Object::Semaphore(semaphore)),
        Act::Acquire { lock, .. } | Act::Release(lock) => Some(Object::Lock(lock)),
        Act::Fork(_) | Act::Join(_) => None,
    }
}

/// What records are differences to.
#[derive(Default)]
pub struct Last {
    site: u64,
    group: u64,
    word: u64,
}

impl Record {
    /// Writes it.
    pub fn write(self, out: &mut Out, last: &mut Last) {
        let Self::Act { act, site, group, number } = self else {
            out.0.push(tag::END);
            return;
        };
        let at = out.0.len();
        out.0.push(0);
        out.difference(site.0.into(), &mut last.site);
        out.difference(group.0.into(), &mut last.group);
        let tag = match act {
            Act::Access { word, access, value } => {
                out.difference(word.0, &mut last.word);
                let tag = match access {
                    Access::Read => tag::READ,
                    Access::Write => tag::WRITE,
                    Access::Update(operator) => {
                        let code = Operator::ALL.iter().position(|it| *it == operator);
                        out.number(code.expect("all operators are listed") as u64);
                        tag::UPDATE
                    }
                    Access::AtomicRead | Access::AtomicWrite | Access::Fetch(_) => {
                        unreachable!("atomic operations have records of their own")
                    }
                };
                value.map_or(tag, |value| {
                    out.number(value);
                    tag | HAS_VALUE
                })
            }
            Act::Atomic { word, found, left, ordering } => {
                out.difference(word.0, &mut last.word);
                let bits = [found.is_some(), left.is_some(), ordering.acquire, ordering.release];
                out.number(bits.iter().enumerate().map(|(at, bit)| u64::from(*bit) << at).sum());
                for value in [found, left].into_iter().flatten() {
                    out.number(value);
                }
                tag::ATOMIC
            }
            Act::Fork(child) => with(out, child.0.into(), tag::FORK),
            Act::Join(child) => with(out, child.0.into(), tag::JOIN),
            Act::Set(flag) => with(out, flag.0, tag::SET),
            Act::Get(flag) => with(out, flag.0, tag::GET),
            Act::Signal(semaphore) => with(out, semaphore.0.into(), tag::SIGNAL),
            Act::Wait(semaphore) => with(out, semaphore.0.into(), tag::WAIT),
            Act::Acquire { lock, shared } => {
                out.number(shared.into());
                with(out, lock.0, tag::ACQUIRE)
            }
            Act::Release(lock) => with(out, lock.0, tag::RELEASE),
        };
        out.0[at] = number.map_or(tag, |number| {
            out.number(number);
            tag | HAS_NUMBER
        });
    }

    /// Reads one.
    pub fn read(input: &mut In<'_>, last: &mut Last) -> Result<Self, Malformed> {
        let first = input.byte()?;
        if first & TAG == tag::END {
            return Ok(Self::End);
        }
        let site = Site(small(input.difference(&mut last.site)?)?);
        let group = Group(small(input.difference(&mut last.group)?)?);
        let act = match first & TAG {
            tag @ (tag::READ | tag::WRITE | tag::UPDATE) => {
                let word = Word(input.difference(&mut last.word)?);
                let access = match tag {
                    tag::READ => Access::Read,
                    tag::WRITE => Access::Write,
                    _ => {
                        let code = usize::try_from(input.number()?).map_err(|_| Malformed)?;
                        Access::Update(*Operator::ALL.get(code).ok_or(Malformed)?)
                    }
                };
                let has_value = first & HAS_VALUE != 0;
                let value = has_value.then(|| input.number()).transpose()?;
                Act::Access { word, access, value }
            }
            tag::ATOMIC => {
                let word = Word(input.difference(&mut last.word)?);
                let bits = input.number()?;
                let bit = |at: u32| bits >> at & 1 == 1;
                let found = bit(0).then(|| input.number()).transpose()?;
                let left = bit(1).then(|| input.number()).transpose()?;
                if found.is_none() && left.is_none() {
                    return Err(Malformed);
                }
                let ordering = Ordering { acquire: bit(2), release: bit(3) };
                Act::Atomic { word, found, left, ordering }
            }
            tag::FORK => Act::Fork(Thread(input.small()?)),
            tag::JOIN => Act::Join(Thread(input.small()?)),
            tag::SET => Act::Set(Flag(input.number()?)),
            tag::GET => Act::Get(Flag(input.number()?)),
            tag::SIGNAL => Act::Signal(Semaphore(input.small()?)),
            tag::WAIT => Act::Wait(Semaphore(input.small()?)),
            tag::ACQUIRE => {
                let shared = input.number()? != 0;
                Act::Acquire { lock: Lock(input.number()?), shared }
            }
            tag::RELEASE => Act::Release(Lock(input.number()?)),
            _ => return Err(Malformed),
        };
        let number = (first & HAS_NUMBER != 0).then(|| input.number()).transpose()?;
        Ok(Self::Act { act, site, group, number })
    }
}

fn with(out: &mut Out, operand: u64, tag: u8) -> u8 {
    out.number(operand);
    tag
}

fn small(number: u64) -> Result<u32, Malformed> {
    u32::try_from(number).map_err(|_| Malformed)
}
