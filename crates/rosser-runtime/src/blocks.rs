//! Who allocated what: for each heap block its size and the stack that allocated it.
//!
//! A table over all memory has a word for every 16 bytes, the alignment of the heap: where a block
//! begins the number of its *origin* (size and stack, each distinct one kept once), zero elsewhere.
//! Allocators of the program's own may have blocks begin anywhere, so the origin tells where in the 16
//! bytes that is; of several that begin in the same 16 bytes the last is known. The block around an address is found by looking back for the first non-zero word, no
//! further than the largest block is long, and skipping pages where no block ever began.
//! All threads allocate, so words are atomic and origins are added under a lock.
//!
//! Orderings: the tables are there when `TABLE` is, which is stored last with release, and loaded first with acquire.
//! A number is put into the table with release and read with acquire, so that its origin is complete, also for somebody
//! who comes by an address in ways of his own. The rest is relaxed: the index and the numbers in it are used under the
//! lock; pages, the largest size and the count of freed blocks are the same or newer for whoever has got a block by the
//! program's own order, and nothing is read by them that might not be there.

use std::sync::atomic::{
    AtomicBool, AtomicPtr, AtomicU8, AtomicU32, AtomicUsize,
    Ordering::{Acquire, Relaxed, Release},
};

use rosser_abi::run_file::ALLOCATION;

use crate::backtrace::{callers, frame_pointer};
use crate::layout::MASK;
use crate::stack::StackBounds;
use crate::system::{self, reserve};

/// How a block came about.
#[derive(Clone, Copy)]
pub struct Origin {
    /// Where in its 16 bytes the block begins.
    offset: usize,
    pub size: usize,
    pub len: usize,
    pub stack: [usize; ALLOCATION],
}

const ORIGINS: usize = 1 << 22;
const SLOTS: usize = 1 << 23;
const PAGE: usize = 4096;
/// Bytes of memory for each word of the table.
const GRAIN: usize = 16;

static TABLE: AtomicPtr<AtomicU32> = AtomicPtr::new(std::ptr::null_mut());
static KEPT: AtomicPtr<Origin> = AtomicPtr::new(std::ptr::null_mut());
static INDEX: AtomicPtr<AtomicU32> = AtomicPtr::new(std::ptr::null_mut());
/// A byte for each page of memory: if a block ever began there, the part of the address that the mask
/// drops. A word that is no address must not be taken for one of a block elsewhere.
static PAGES: AtomicPtr<AtomicU8> = AtomicPtr::new(std::ptr::null_mut());
/// The size of the largest block so far.
static LARGEST: AtomicUsize = AtomicUsize::new(0);
static FREED: AtomicUsize = AtomicUsize::new(0);
static LEN: AtomicU32 = AtomicU32::new(1);
static LOCK: AtomicBool = AtomicBool::new(false);

/// Reserves the table.
pub fn init() {
    let table = reserve(0, (MASK + 8) / GRAIN * 4);
    let kept = reserve(0, ORIGINS * size_of::<Origin>());
    let index = reserve(0, SLOTS * 4);
    let pages = reserve(0, (MASK + 8) / PAGE);
    let (Some(table), Some(kept), Some(index), Some(pages)) = (table, kept, index, pages) else {
        system::fail(system::NO_ADDRESS_SPACE, 2)
    };
    PAGES.store(pages.cast(), Relaxed);
    KEPT.store(kept.cast(), Relaxed);
    INDEX.store(index.cast(), Relaxed);
    TABLE.store(table.cast(), Release);
}

fn entry(address: usize) -> Option<&'static AtomicU32> {
    let table = TABLE.load(Acquire);
    // SAFETY: the table covers all masked addresses and is never unmapped.
    (!table.is_null()).then(|| unsafe { &*table.add((address & MASK) / GRAIN) })
}

/// Whether a block ever began in the page. The table must have been reserved.
fn has_blocks(address: usize) -> bool {
    page(address).load(Relaxed) == dropped(address)
}

fn page(address: usize) -> &'static AtomicU8 {
    // SAFETY: the pages cover all masked addresses and are never unmapped.
    unsafe { &*PAGES.load(Relaxed).add((address & MASK) / PAGE) }
}

/// What the mask drops of an address, and never 0.
fn dropped(address: usize) -> u8 {
    ((address >> (MASK + 8).trailing_zeros()) as u8).wrapping_add(1)
}

/// A block was allocated by the caller of the calling function.
#[inline(always)]
pub fn allocated(block: usize, size: usize) {
    if let Some(entry) = entry(block)
        && block != 0
    {
        entry.store(origin(block % GRAIN, size, frame_pointer()), Release);
        // Both are written seldom once the program is under way.
        if !has_blocks(block) {
            page(block).store(dropped(block), Relaxed);
        }
        if LARGEST.load(Relaxed) < size {
            LARGEST.fetch_max(size, Relaxed);
        }
    }
}

/// A block is about to be freed. Returns its size, if it is known.
pub fn freed(block: usize) -> Option<usize> {
    let entry = entry(block)?;
    let origin = origin_at(block)?;
    // Another one may have begun in the same 16 bytes since.
    (origin.offset == block % GRAIN).then(|| {
        entry.store(0, Relaxed);
        FREED.fetch_add(1, Relaxed);
        origin.size
    })
}

/// How many blocks were freed so far: as long as it is the same, so is the block at an address.
pub fn count_freed() -> usize {
    FREED.load(Relaxed)
}

fn origin(offset: usize, size: usize, frame: usize) -> u32 {
    // The stack's real bounds would cost a system call for each new thread; a megabyte above the
    // present frame is enough for a short stack and is mapped as far as frames are linked.
    let bounds = StackBounds { low: frame, high: frame + (1 << 20) };
    let mut stack = [0; ALLOCATION];
    let mut len = 0;
    let mut hash = (size ^ offset.rotate_right(8)) as u64;
    for caller in callers(frame, bounds).take(ALLOCATION) {
        stack[len] = caller.return_address;
        len += 1;
        hash = (hash ^ caller.return_address as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        hash ^= hash >> 29;
    }
    let wanted = Origin { offset, size, len, stack };
    let _held = Lock::hold();
    let index = INDEX.load(Relaxed);
    let kept = KEPT.load(Relaxed);
    let mut slot = hash as usize % SLOTS;
    for _ in 0..64 {
        // SAFETY: within the index, which the lock protects.
        let number = unsafe { &*index.add(slot) };
        let known = number.load(Relaxed);
        if known == 0 {
            let new = LEN.load(Relaxed);
            if new as usize >= ORIGINS {
                return 1;
            }
            // SAFETY: within the kept origins, which the lock protects.
            unsafe { kept.add(new as usize).write(wanted) };
            LEN.store(new + 1, Relaxed);
            number.store(new, Relaxed);
            return new;
        }
        // SAFETY: a number in the index is that of an origin.
        let there = unsafe { &*kept.add(known as usize) };
        let is_same = (there.offset, there.size, there.len) == (offset, size, len);
        if is_same && there.stack == wanted.stack {
            return known;
        }
        slot = (slot + 1) % SLOTS;
    }
    1
}

struct Lock;

impl Lock {
    fn hold() -> Self {
        while LOCK.compare_exchange_weak(false, true, Acquire, Relaxed).is_err() {
            std::hint::spin_loop();
        }
        Self
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        LOCK.store(false, Release);
    }
}

/// The block around a word that may be an address, if it is not too large or too far away.
pub fn near(word: usize) -> Option<StackBounds> {
    const LARGE: usize = 1 << 18;
    if !(1 << 16..1 << 47).contains(&word) {
        return None;
    }
    let (start, origin) = look_back(word, LARGE)?;
    Some(StackBounds { low: start, high: start + origin.size })
}

fn origin_at(block: usize) -> Option<Origin> {
    let number = entry(block)?.load(Acquire);
    // SAFETY: a number in the table is that of an origin; origins never change.
    (number != 0).then(|| unsafe { *KEPT.load(Relaxed).add(number as usize) })
}

/// The block around an address and how it came about.
pub fn around(address: usize) -> Option<(usize, Origin)> {
    look_back(address, usize::MAX)
}

fn look_back(address: usize, far: usize) -> Option<(usize, Origin)> {
    entry(address)?;
    let mut block = address & !(GRAIN - 1);
    let end = block.saturating_sub(LARGEST.load(Relaxed).min(far)).max(1 << 16);
    while block >= end {
        if !has_blocks(block) {
            block = (block & !(PAGE - 1)) - GRAIN;
            continue;
        }
        if let Some(origin) = origin_at(block)
            && block + origin.offset <= address
        {
            let start = block + origin.offset;
            return (address < start + origin.size.max(1)).then_some((start, origin));
        }
        block -= GRAIN;
    }
    None
}
