//! A thread that is checked: a worker, or the thread that has begun the parallel region.

use std::cell::{Cell as StdCell, UnsafeCell};
use std::mem::MaybeUninit;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicPtr, AtomicU32, AtomicU64, AtomicUsize};

use rosser_abi::run_file::{header, stop};
use rosser_detect::serial::log::Site;
use rosser_detect::sf_order::cell::Contents;
use rosser_detect::sf_order::log::{CHUNK, Id, LogStorage};
use rosser_detect::sf_order::order::ListStorage;
use rosser_detect::sf_order::records::Slot;
use rosser_detect::sf_order::shared::{Ended, Shared, Storage, WORKERS};
use rosser_detect::sf_order::spin::Spin;
use rosser_detect::sf_order::strands::StrandStorage;
use rosser_detect::sf_order::worker::Worker;
use rosser_detect::storage::Exhausted;

use super::atomics::Tries;
use super::cells::{self, block_of, set_own};
use super::evidence::Explained;
use super::pool;
use super::stacks::Begin;
use crate::backtrace::Here;
use crate::findings::{Access, Findings};
use crate::own::Busy;
use crate::recent::Recent;
use crate::shadow;
use crate::sites::Sites;
use crate::stack::StackBounds;
use crate::words::words;
use crate::{run_file, stuck, system, thread_locals, threads};

pub use super::atomics::{Held, hold, load_again};

/// How many tasks can be on one stack.
const DEEPEST: usize = 1 << 22;
/// How many places a worker remembers the ids of.
const IDS: usize = 256;

/// Everything about a checked thread.
pub struct Checked {
    /// Its number among the workers.
    pub number: usize,
    pub worker: Worker,
    pub sites: Sites,
    pub stack: StackBounds,
    /// The thread-local variables of the thread, not monitored while it is checked.
    locals: StackBounds,
    /// All histories of the stack since the current task began are at or above this address.
    pub lowest: usize,
    /// Locals of the current task are below this address and cannot be reached by a parallel one:
    /// while its children run it waits for them. 0 if it has opened a scope, or is the main task.
    pub private_top: usize,
    /// The tasks on the stack, from 1 on, and how many they are.
    begins: &'static mut [Begin],
    pub depth: usize,
    /// How many scopes the current task has opened.
    pub scopes: u32,
    /// Of a thread that is none of the pool's: how many joins and scopes of its main task are open.
    open: u32,
    /// Whether tasks that it forks are to run on it, one after the other.
    pub is_inline: bool,
    pub tries: Tries,
    pub recently_read: Recent,
    pub recently_written: Recent,
    /// Counts what makes words new to the step that has accessed them.
    pub forgotten: u32,
    ids: [(Site, Id); IDS],
}

// What is about the region that is under way is written by the thread that begins it, before its first fork: relaxed (W2).
// The states of workers: W6.

/// Counts the threads that began regions.
static SCOPE: AtomicUsize = AtomicUsize::new(0);
/// What was on the stack of the thread that began the region, before.
static OUTER: [AtomicUsize; 2] = [const { AtomicUsize::new(0) }; 2];
/// By number of the worker.
static ALL: [AtomicPtr<Checked>; WORKERS] =
    [const { AtomicPtr::new(std::ptr::null_mut()) }; WORKERS];
/// How many workers there are. Relaxed: set before there is a second thread (W7).
static COUNT: AtomicUsize = AtomicUsize::new(1);
/// The thread that has begun the region, by the address of one of its thread-locals; `NOBODY`, or
/// `DISABLED` if the program was not started by Rosser.
static OWNER: AtomicUsize = AtomicUsize::new(DISABLED);
const DISABLED: usize = 0;
const NOBODY: usize = 1;

/// What belongs to no thread.
struct States {
    shared: Shared,
    memory: Memory,
    /// To be used under its lock.
    findings: UnsafeCell<Findings>,
}

/// What grows from region to region.
struct Memory {
    words: &'static [AtomicU64],
    times: &'static [AtomicU32],
    records: &'static [Slot],
    /// Ids and records before these have been given back. Relaxed: used by the thread that ends a region.
    in_use: [AtomicU32; 2],
}

impl Memory {
    /// Returns the memory of ended regions to the system once they have used more than `MUCH` ids or records.
    fn discard(&self, ended: &Ended) {
        const MUCH: u32 = 1 << 17;
        let [ids, records] = &self.in_use;
        if ended.ids - ids.load(Relaxed) > MUCH {
            let first = ids.swap(ended.ids, Relaxed);
            discard(self.words, first, ended.ids);
            discard(self.times, first, ended.ids);
        }
        if ended.records - records.load(Relaxed) > MUCH {
            let first = records.swap(ended.records, Relaxed);
            discard(self.records, first, ended.records);
        }
        if ended.begins_anew {
            ids.store(0, Relaxed);
            records.store(0, Relaxed);
        }
    }
}

/// Returns the memory of a part of a slice to the system.
fn discard<T>(slice: &'static [T], from: u32, to: u32) {
    let part = slice[from as usize..to as usize].as_ptr_range();
    let start = (part.start as usize).next_multiple_of(system::PAGE);
    let end = part.end as usize & !(system::PAGE - 1);
    if start < end {
        // SAFETY: nobody uses it again before it is written, and zero is valid.
        unsafe { system::madvise(start as *mut _, end - start, system::MADV_DONTNEED) };
    }
}

struct Global<T>(UnsafeCell<MaybeUninit<T>>);

// SAFETY: what is in there is made before the first thread is checked, and can be shared or has a lock.
unsafe impl<T> Sync for Global<T> {}

static STATES: Global<States> = Global(UnsafeCell::new(MaybeUninit::uninit()));
static FINDINGS_LOCK: Spin = Spin::new();

thread_local! {
    /// The state of this thread, if it is being checked.
    static STATE: StdCell<*mut Checked> = const { StdCell::new(std::ptr::null_mut()) };
}

/// The number of workers that the user asked for.
pub fn set_workers(text: &[u8]) {
    let number = std::str::from_utf8(text).ok().and_then(|text| text.parse().ok());
    match number {
        Some(number @ 1..=WORKERS) => COUNT.store(number, Relaxed),
        _ => system::fail("ROSSER_WORKERS is not a number from 1 to 256", 2),
    }
}

/// How many workers there are.
pub fn workers() -> usize {
    COUNT.load(Relaxed)
}

/// Makes the state. To be called once, before any thread is checked.
pub fn init() {
    const IDS: usize = u32::MAX as usize;
    const STRANDS: usize = 1 << 30;
    shadow::map_all();
    run_file::set(header::WORKERS, workers() as u64);
    let memory = Memory {
        words: system::reserve_slice(IDS),
        times: system::reserve_slice(IDS),
        records: system::reserve_slice(1 << 31),
        in_use: [const { AtomicU32::new(0) }; 2],
    };
    let storage = Storage {
        log: LogStorage {
            words: memory.words,
            times: memory.times,
            owners: system::reserve_slice(IDS / CHUNK as usize),
        },
        strands: StrandStorage {
            english: list_storage(STRANDS),
            hebrew: list_storage(STRANDS),
            tasks: system::reserve_slice(STRANDS),
        },
        tasks: system::reserve_slice(1 << 30),
        futures: system::reserve_slice(1 << 28),
        sets: system::reserve_slice(1 << 31),
        records: memory.records,
        knowledge: system::reserve_slice(1 << 30),
        bounds: system::reserve_slice(1 << 30),
    };
    let shared = Shared::new(storage, workers(), !crate::IS_STD_SEEN);
    let findings = UnsafeCell::new(Findings::new());
    // SAFETY: nobody uses it yet.
    unsafe { (*STATES.0.get()).write(States { shared, memory, findings }) };
    OWNER.store(NOBODY, Release);
}

/// Memory for a list of so many elements.
fn list_storage(len: usize) -> ListStorage {
    ListStorage {
        links: system::reserve_slice(len),
        groups: system::reserve_slice(ListStorage::groups_for(len)),
    }
}

fn states() -> &'static States {
    // SAFETY: made before the first thread is checked.
    unsafe { (*STATES.0.get()).assume_init_ref() }
}

/// Where the state is in memory that may be taken for the program's.
pub fn state_bounds() -> StackBounds {
    let low = STATES.0.get() as usize;
    StackBounds { low, high: low + size_of::<States>() }
}

/// The state of the calling thread, if its tasks are being followed.
#[inline]
pub fn if_following() -> Option<&'static mut Checked> {
    // SAFETY: the state is this thread's alone; functions of the runtime do not nest.
    unsafe { STATE.get().as_mut() }
}

/// The state of the calling thread, which is checked.
#[inline]
pub fn here() -> &'static mut Checked {
    // SAFETY: the state is this thread's alone; functions of the runtime do not nest.
    unsafe { &mut *STATE.get() }
}

/// The state, if the calling thread's accesses are being checked.
#[inline]
pub fn if_on() -> Option<&'static mut Checked> {
    if shadow::is_on() { if_following() } else { None }
}

/// The state, if the calling thread is being checked, even while it does something unseen.
#[inline]
pub fn if_owner() -> Option<&'static mut Checked> {
    if_following()
}

/// The stack that the calling thread uses.
pub fn stack() -> StackBounds {
    StackBounds::of_this_thread()
}

/// The state of a worker, which is made the first time.
fn state_of(number: usize) -> &'static mut Checked {
    let mut state = ALL[number].load(Acquire);
    if state.is_null() {
        let room: &'static mut [MaybeUninit<Checked>] = system::reserve_slice(1);
        state = room[0].write(Checked {
            number,
            worker: Worker::new(&states().shared, number as u32),
            sites: Sites::new(),
            stack: StackBounds::default(),
            locals: StackBounds::default(),
            lowest: usize::MAX,
            private_top: 0,
            begins: system::reserve_slice(DEEPEST),
            depth: 0,
            scopes: 0,
            open: 0,
            is_inline: false,
            tries: Tries::default(),
            recently_read: Recent::NONE,
            recently_written: Recent::NONE,
            forgotten: 0,
            ids: [(0, 0); IDS],
        });
        ALL[number].store(state, Release);
    }
    // SAFETY: each number is one thread's at a time.
    unsafe { &mut *state }
}

/// The calling thread is a worker of the pool from now on.
pub fn become_worker(number: usize) -> &'static mut Checked {
    let checked = state_of(number);
    checked.bind();
    checked.sites.prepare();
    STATE.set(checked);
    checked
}

/// The state of a worker, for what was published before somebody learnt of it.
///
/// # Safety
/// Only parts are read that do not change any more.
pub unsafe fn other(number: u32) -> Option<&'static Checked> {
    // SAFETY: never freed.
    unsafe { ALL[number as usize].load(Acquire).as_ref() }
}

/// The number of the region that is under way, or was last.
pub fn region() -> usize {
    SCOPE.load(Relaxed)
}

/// The state, if the calling thread is checked or can begin a parallel region.
pub fn enter() -> Option<&'static mut Checked> {
    if let Some(checked) = if_following() {
        return Some(checked);
    }
    let me = STATE.with(|state| std::ptr::from_ref(state) as usize);
    // Acquire, with the release in `leave`: what the last region has left behind is there.
    match OWNER.compare_exchange(NOBODY, me, Acquire, Relaxed) {
        Ok(_) => {}
        Err(DISABLED) => return None,
        Err(_) => {
            run_file::add(header::OTHER_REGIONS, 1);
            return None;
        }
    }
    let checked = state_of(0);
    checked.bind();
    checked.sites.prepare();
    threads::note_region(checked.sites.is_harness());
    SCOPE.fetch_add(1, Relaxed);
    OUTER[0].store(crate::backtrace::frame_pointer(), Relaxed);
    OUTER[1].store(checked.stack.high, Relaxed);
    checked.worker.enter_region();
    checked.open = 0;
    STATE.set(checked);
    pool::wake();
    checked.refresh();
    Some(checked)
}

/// The thread that has begun the region goes on alone.
pub fn leave(checked: &mut Checked) {
    checked.publish();
    for state in &ALL[1..workers()] {
        // SAFETY: the worker has nothing to do until the next region.
        if let Some(other) = unsafe { state.load(Acquire).as_mut() } {
            other.publish();
        }
    }
    run_file::add(header::REGIONS, 1);
    let ended = checked.worker.shared().end_region();
    states().memory.discard(&ended);
    if ended.begins_anew {
        cells::forget_all();
    }
    checked.unbind();
    cells::look_away();
    STATE.set(std::ptr::null_mut());
    OWNER.store(NOBODY, Release);
}

/// Before the program ends. Tasks that nobody joins may have done all they had to do, and said so to the one who
/// ends the program, but not have ended yet: they get a moment.
pub fn settle() {
    const MOMENTS: u32 = 1000;
    if if_following().is_some_and(|checked| checked.depth > 0 || checked.open > 0) {
        return;
    }
    let mut moments = 0;
    while run_file::is_own() && run_file::get(header::OPEN) > 0 && moments < MOMENTS {
        std::thread::sleep(std::time::Duration::from_millis(1));
        moments += 1;
    }
}

/// The process was forked. Its run file counts nothing that is under way.
pub fn inherit() {}

fn mark(range: StackBounds, contents: Contents) {
    for (word, _) in words(range.low, range.high - range.low) {
        let (block, index) = block_of(word);
        block.lock().set(index, contents);
    }
}

impl Checked {
    /// The calling thread is the one that is checked.
    fn bind(&mut self) {
        self.stack = StackBounds::of_this_thread();
        self.locals = thread_locals::bounds();
        self.lowest = usize::MAX;
        self.private_top = 0;
        self.depth = 0;
        self.sites.set_task(0, None);
        mark(self.locals, Contents::UNMONITORED);
    }

    /// It may end, and its memory become another's.
    fn unbind(&self) {
        mark(self.locals, Contents::default());
    }

    /// Whether the thread has begun the region.
    pub fn is_first(&self) -> bool {
        self.number == 0
    }

    /// A task begins on the stack.
    pub fn push_task(&mut self, begin: Begin) {
        self.depth += 1;
        if let Some(slot) = self.begins.get_mut(self.depth) {
            *slot = begin;
        }
    }

    /// A task on the stack, from 1 on.
    pub fn begin(&self, depth: usize) -> Begin {
        self.begins.get(depth).copied().unwrap_or_default()
    }

    /// A join or a scope of the current task begins.
    pub fn open(&mut self) {
        if self.depth == 0 {
            if self.open == 0 {
                run_file::add(header::OPEN, 1);
            }
            self.open += 1;
        }
    }

    /// It has ended. If it was the outermost, the region is over, unless there are tasks that nobody joins.
    pub fn close(&mut self) {
        if self.depth == 0 {
            self.open -= 1;
            if self.open == 0 {
                run_file::count_down(header::OPEN);
                if pool::rest() {
                    leave(self);
                }
            }
        }
    }

    /// After a task begins or ends, or opens or ends a scope.
    pub fn set_private(&mut self) {
        self.private_top = if self.scopes == 0 { self.begin(self.depth).entry } else { 0 };
    }

    /// Others may know of variables of the current task.
    pub fn share_stack(&mut self) {
        if self.depth > 0 {
            self.scopes += 1;
            self.set_private();
        }
    }

    /// Whether tasks that it forks run on it, one after the other.
    pub fn runs_alone(&self) -> bool {
        self.is_inline || workers() == 1
    }

    /// Brings the access path up to date after a task event.
    #[inline]
    pub fn refresh(&mut self) {
        set_own(true, self.worker.own());
    }

    /// The thread does something that is not looked at.
    #[allow(clippy::unused_self, reason = "as on one worker")]
    pub fn begin_unseen(&mut self) {
        cells::look_away();
    }

    /// It has done it.
    pub fn end_unseen(&mut self) {
        self.refresh();
    }

    /// Adds the counts to those in the run file.
    pub fn publish(&mut self) {
        let counts = std::mem::take(&mut self.worker.counts);
        run_file::add(header::TASKS, counts.tasks);
        run_file::add(header::STEPS, counts.steps);
        run_file::add(header::ACCESSES, counts.accesses);
        run_file::add(header::COMMUTING, counts.commuting);
        run_file::add(header::CROWDED, counts.crowded);
    }

    /// Notes the stack that an access may leave histories on: the locals of a function are above its
    /// stack pointer.
    #[inline]
    pub fn note_stack(&mut self, here: Here) {
        self.lowest = self.lowest.min(here.sp);
    }

    /// Whether memory is private to the current task.
    #[inline]
    pub fn is_private(&self, address: usize, len: usize, here: Here) -> bool {
        address >= here.sp && address + len <= self.private_top
    }

    /// The id of what the present step does here.
    #[inline]
    pub fn id_of(&mut self, here: Here) -> Id {
        let site = self.sites.site_of(here, self.stack).0;
        let slot = site as usize % IDS;
        let (known, id) = self.ids[slot];
        if known == site && self.worker.is_own(id) {
            return id;
        }
        let id = stuck::unless_exhausted(self.worker.id_of(site), || here);
        self.ids[slot] = (site, id);
        // The first id of a chunk changes what the access path compares with.
        self.refresh();
        id
    }

    /// Goes on after an access: reports what it was in conflict with.
    #[inline]
    pub fn finish(&mut self, result: Result<(), Exhausted>, address: usize, here: Here) {
        if result.is_err() {
            stuck::stop(stop::EXHAUSTED, here);
        }
        if self.worker.has_conflicts() {
            self.report(address, here);
        }
    }

    #[cold]
    #[inline(never)]
    fn report(&mut self, address: usize, here: Here) {
        let _busy = Busy::begin();
        self.acquire_hidden();
        let mut is_new = false;
        while let Some(conflict) = self.worker.take_conflict() {
            let access = Access {
                sites: &self.sites,
                stack: self.stack,
                thread_stack: self.stack,
                locals: self.locals,
                outer_stack: StackBounds {
                    low: OUTER[0].load(Relaxed),
                    high: OUTER[1].load(Relaxed),
                },
                scope: SCOPE.load(Relaxed) as u64,
                each_caller: &|each| self.each_caller(here, each),
                word: address & !7,
                here,
            };
            let explained = Explained { checked: self, conflict: &conflict };
            let _held = FINDINGS_LOCK.lock();
            // SAFETY: the lock is held.
            let findings = unsafe { &mut *states().findings.get() };
            is_new |= findings.report(&access, &explained);
        }
        if is_new {
            self.publish();
        }
    }
}
