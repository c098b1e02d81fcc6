//! Stacks on Linux: carved out of large mappings, as many as there is memory for.
//!
//! ```text
//!   one slab, a single mapping
//!   ┌───────┬───────────────────┬───────┬───────────────────┬───────┬──────
//!   │ guard │   …… stack 0      │ guard │   …… stack 1      │ guard │   ……
//!   └───────┴───────────────────┴───────┴───────────────────┴───────┴──────
//!           limit ◄── grows ── base     limit ◄── grows ── base
//! ```
//!
//! A process may have 65,530 mappings by default, and a guard page made by `mprotect` splits one, so
//! a million guarded stacks would not fit. `MADV_GUARD_INSTALL` (Linux 6.13) marks pages as guards
//! *inside* a mapping. On older kernels `mprotect` is used and the limit is what it is.
//!
//! Only the pages that a task has touched are in memory: for most tasks one or two. Stacks that are
//! given back keep theirs if few are lying about; beyond that they are returned to the system.
#![allow(unsafe_code, reason = "maps memory")]

use std::io;
use std::num::NonZeroUsize;
use std::ops::Range;
use std::ptr;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Mutex, OnceLock, PoisonError};

use corosensei::stack::StackPointer;

use super::OutOfStacks;

/// How many stacks are mapped at once.
const SLAB: usize = 256;
/// How many free stacks keep their memory.
const WARM: usize = 256;

/// Address space for one stack if the user does not say otherwise: half of what a thread gets. Address
/// space is plentiful, and memory is used as the stack is; but every 2 MiB of it that are touched at
/// all cost a page for the page table.
///
/// Under the detector functions have larger frames.
const DEFAULT_SIZE: usize = if cfg!(rosser) { 2 << 20 } else { 1 << 20 };
/// Who decides instead. `cargo rosser` sets the one for threads itself, to a size that a million tasks
/// could not have, and passes the user's on.
const SIZE_VARIABLE: &str = if cfg!(rosser) { "ROSSER_TASK_STACK" } else { "RUST_MIN_STACK" };
/// With less, printing a panic would overflow it.
const LEAST_SIZE: usize = 1 << 16;

/// Not in `libc` for all targets yet.
const MADV_GUARD_INSTALL: libc::c_int = 102;

/// Whether the kernel has refused guards inside a mapping.
static OLD_KERNEL: AtomicBool = AtomicBool::new(false);

static POOL: Mutex<Pool> = Mutex::new(Pool { warm: Vec::new(), cold: Vec::new(), fresh: 0..0 });

/// How a stack is laid out, in bytes.
#[derive(Clone, Copy)]
struct Layout {
    /// One page: compilers touch a large frame page by page.
    guard: usize,
    /// The size, including the guard page.
    size: usize,
}

impl Layout {
    /// The layout of all stacks of the process. `RUST_MIN_STACK` decides about their size, as it does
    /// for threads.
    fn get() -> Self {
        static LAYOUT: OnceLock<Layout> = OnceLock::new();
        *LAYOUT.get_or_init(|| {
            // SAFETY: asks for a constant of the system.
            let page =
                usize::try_from(unsafe { libc::sysconf(libc::_SC_PAGESIZE) }).unwrap_or(4096);
            let wanted = std::env::var(SIZE_VARIABLE).ok().and_then(|size| size.parse().ok());
            let size: usize = wanted.unwrap_or(DEFAULT_SIZE).max(LEAST_SIZE);
            Self { guard: page, size: size.next_multiple_of(page) }
        })
    }
}

struct Pool {
    /// Free stacks with memory.
    warm: Vec<Stack>,
    /// Free stacks whose memory was given back.
    cold: Vec<Stack>,
    /// Address space that has not been carved up, in whole stacks.
    fresh: Range<usize>,
}

/// A stack, from its guard to its base.
#[derive(Debug)]
pub(in crate::runtime) struct Stack {
    bottom: NonZeroUsize,
}

impl Stack {
    pub(in crate::runtime) fn allocate() -> Result<Self, OutOfStacks> {
        let mut pool = POOL.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(stack) = pool.warm.pop() {
            return Ok(stack);
        }
        if let Some(stack) = pool.cold.pop() {
            return Ok(stack);
        }
        let stack = pool.carve()?;
        drop(pool);
        stack.install_guard()?;
        Ok(stack)
    }

    pub(in crate::runtime) fn release(self) {
        let mut pool = POOL.lock().unwrap_or_else(PoisonError::into_inner);
        if pool.warm.len() < WARM {
            pool.warm.push(self);
            return;
        }
        drop(pool);
        let Layout { guard, size } = Layout::get();
        let start = ptr::without_provenance_mut(self.bottom.get() + guard);
        // SAFETY: nobody uses the stack. If it fails the memory is merely kept.
        unsafe { libc::madvise(start, size - guard, libc::MADV_DONTNEED) };
        POOL.lock().unwrap_or_else(PoisonError::into_inner).cold.push(self);
    }

    fn install_guard(&self) -> Result<(), OutOfStacks> {
        let (guard, len) = (ptr::without_provenance_mut(self.bottom.get()), Layout::get().guard);
        if !OLD_KERNEL.load(Relaxed) {
            // SAFETY: the pages belong to this stack, and nobody uses them.
            if unsafe { libc::madvise(guard, len, MADV_GUARD_INSTALL) } == 0 {
                return Ok(());
            }
            OLD_KERNEL.store(true, Relaxed);
        }
        // SAFETY: as above.
        if unsafe { libc::mprotect(guard, len, libc::PROT_NONE) } == 0 {
            return Ok(());
        }
        Err(OutOfStacks(format!(
            "{}. This kernel needs two memory mappings for each blocked task; \
             `sysctl vm.max_map_count` is their limit, and Linux 6.13 does without",
            io::Error::last_os_error()
        )))
    }
}

impl Pool {
    fn carve(&mut self) -> Result<Stack, OutOfStacks> {
        if self.fresh.is_empty() {
            self.fresh = map_slab()?;
        }
        let bottom = NonZeroUsize::new(self.fresh.start).expect("nothing is mapped at zero");
        self.fresh.start += Layout::get().size;
        Ok(Stack { bottom })
    }
}

fn map_slab() -> Result<Range<usize>, OutOfStacks> {
    let (len, rights) = (SLAB * Layout::get().size, libc::PROT_READ | libc::PROT_WRITE);
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE | libc::MAP_STACK;
    // SAFETY: a new mapping, wherever there is room.
    let start = unsafe { libc::mmap(ptr::null_mut(), len, rights, flags, -1, 0) };
    if start == libc::MAP_FAILED {
        let error = io::Error::last_os_error();
        return Err(OutOfStacks(format!("mapping {} MiB failed: {error}", len >> 20)));
    }
    // A huge page would give every stack that is touched at all two megabytes.
    // SAFETY: our own mapping. Kernels without huge pages refuse, and need not be told.
    unsafe { libc::madvise(start, len, libc::MADV_NOHUGEPAGE) };
    let start = start.expose_provenance();
    Ok(start..start + len)
}

// SAFETY: the memory from `limit` to `base` is this stack's alone, mapped as long as the process
// lives, and begins with a guard.
unsafe impl corosensei::stack::Stack for Stack {
    fn base(&self) -> StackPointer {
        self.bottom.saturating_add(Layout::get().size)
    }

    fn limit(&self) -> StackPointer {
        self.bottom
    }
}
