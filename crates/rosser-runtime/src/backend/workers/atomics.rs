//! Atomic operations on several threads, and what code that is not instrumented does with them.
//!
//! Waiting is done inside the standard library: a lock that is taken is waited for there, and taken there;
//! a value that another thread computes likewise. So a task that has tried to acquire from a word may
//! have done so since. That is looked at when it matters: when an access of the task seems to be in
//! conflict, and before the task releases anything itself.

use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

use rosser_detect::kind::Kind;
use rosser_detect::kind::Ordering;
use rosser_detect::serial::log::Site;
use rosser_detect::sf_order::cell::Locked;
use rosser_detect::sf_order::history::Atomic;

use super::cells::block_of;
use super::checked::{Checked, if_on};
use crate::atomics::Done;
use crate::backtrace::Here;
use crate::sites::Sites;
use crate::stuck;
use crate::words::words;

/// The word of an atomic operation, held so that nobody else accesses it meanwhile; nothing if the
/// thread is not checked.
pub struct Held(Option<(&'static mut Checked, Locked<'static>)>);

/// An atomic operation is about to be carried out.
#[inline]
pub fn hold(address: usize) -> Held {
    Held(if_on().map(|checked| {
        let word = address & !7;
        // Before a word is held: no two are at once.
        checked.acquire_hidden_but(word);
        (checked, block_of(word).0.lock())
    }))
}

/// Carries out a relaxed load that is like the last one of its step, if it is. The entry point that was called has
/// its return address at `slot`.
#[inline]
pub fn load_again(
    address: usize,
    size: usize,
    slot: usize,
    load: impl FnOnce() -> u64,
) -> Option<u64> {
    if_on()?.load_again(address, size, Here::returning_at(slot), load)
}

impl Held {
    /// It has been.
    #[inline]
    pub fn tell(self, done: &Done, here: Here) {
        if let Some((checked, locked)) = self.0 {
            checked.atomic_held(locked, done, here);
        }
    }
}

/// The bytes of an operation in its word, and by how many bits its values are shifted there.
fn part_of_word(address: usize, size: usize) -> (u8, usize) {
    ((((1_u16 << size) - 1) as u8) << (address & 7), 8 * (address & 7))
}

/// Words that a task has tried to acquire from and not released to since.
#[derive(Clone, Copy, Default)]
pub struct Tries {
    list: [Try; Self::LEN],
    next: usize,
}

#[derive(Clone, Copy, Default)]
struct Try {
    /// 0 if there is none.
    word: usize,
    bytes: u8,
    place: Site,
}

impl Tries {
    const LEN: usize = 8;

    /// Notes one.
    fn add(&mut self, word: usize, bytes: u8, place: Site) {
        if !self.list.iter().any(|known| (known.word, known.bytes) == (word, bytes)) {
            self.list[self.next] = Try { word, bytes, place };
            self.next = (self.next + 1) % Self::LEN;
        }
    }

    /// The task has released to a word.
    fn remove(&mut self, word: usize, bytes: u8) {
        for entry in &mut self.list {
            if (entry.word, entry.bytes) == (word, bytes) {
                entry.word = 0;
            }
        }
    }

    /// The memory has a new owner.
    pub fn forget(&mut self, from: usize, to: usize) {
        for entry in &mut self.list {
            if (from..to).contains(&entry.word) {
                entry.word = 0;
            }
        }
    }
}

impl Checked {
    /// Carries out a relaxed load that is like the last one of its step, if it is.
    #[inline]
    fn load_again(
        &mut self,
        address: usize,
        size: usize,
        here: Here,
        load: impl FnOnce() -> u64,
    ) -> Option<u64> {
        let (block, index) = block_of(address & !7);
        let (bytes, shift) = part_of_word(address, size);
        let mut value = 0;
        let id = self.worker.loaded(block.cell(index), bytes, || {
            value = load();
            value << shift
        })?;
        (self.id_of(here) == id).then_some(value)
    }

    fn atomic_held(&mut self, mut locked: Locked<'static>, done: &Done, here: Here) {
        let word = done.address & !7;
        let Done { address, size, kind, ordering, old, new, failed } = *done;
        let (bytes, shift) = part_of_word(address, size);
        let place = Sites::plain(here.pc);
        let is_tried = failed || ordering.acquires && kind != Kind::Store;
        if ordering.releases {
            self.tries.remove(word, bytes);
        }
        self.note_stack(here);
        let id = self.id_of(here);
        let atomic = Atomic { kind, ordering, old: old << shift, new: new << shift };
        let index = block_of(word).1;
        let result = self.worker.atomic(&mut locked, index, &atomic, bytes, id, place);
        drop(locked);
        if is_tried {
            self.tries.add(word, bytes, place);
        }
        self.finish(result, word, here);
        self.refresh();
    }

    /// An atomic operation that was not held, and whose values are not looked at.
    pub fn atomic(
        &mut self,
        address: usize,
        size: usize,
        kind: Kind,
        ordering: Ordering,
        here: Here,
    ) {
        self.note_stack(here);
        let place = Sites::plain(here.pc);
        let atomic = Atomic { kind, ordering, old: 0, new: 0 };
        for (word, bytes) in words(address, size) {
            let id = self.id_of(here);
            let (block, index) = block_of(word);
            let locked = &mut block.lock();
            let result = self.worker.atomic(locked, index, &atomic, bytes, id, place);
            self.finish(result, word, here);
        }
        self.refresh();
    }

    /// A fence.
    pub fn fence(&mut self, ordering: Ordering, here: Here) {
        if ordering.releases {
            self.acquire_hidden();
        }
        let result = self.worker.fence(Sites::plain(here.pc), ordering);
        stuck::unless_exhausted(result, || here);
        self.refresh();
    }

    /// Acquires what the current task may have acquired unseen.
    pub fn acquire_hidden(&mut self) {
        self.acquire_hidden_but(0);
    }

    /// The same, but for a word that is going to be accessed.
    #[inline]
    fn acquire_hidden_but(&mut self, accessed: usize) {
        if crate::IS_STD_SEEN {
            return;
        }
        for Try { word, bytes, place } in self.tries.list {
            if word == 0 || word == accessed {
                continue;
            }
            // Relaxed: the value is compared, and the block's lock is taken before anything follows from it.
            // SAFETY: the program has accessed a part of the aligned word, and not freed it.
            let value = unsafe { AtomicU64::from_ptr(word as *mut u64) }.load(Relaxed);
            let (block, index) = block_of(word);
            let result = self.worker.acquire_hidden(block, index, bytes, value, place);
            stuck::unless_exhausted(result, || Here::at(0));
        }
    }
}
