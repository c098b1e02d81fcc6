//! The thread that is checked.
//!
//! The first thread to start a task owns everything here until its parallel region is over. It
//! runs its tasks one after the other, so nothing here is ever touched by two threads at once: the
//! owner's number is taken and given back with one compare-exchange each, and every function below
//! is called only by a thread whose checks are on.

use std::cell::{Cell as StdCell, UnsafeCell};
use std::mem::MaybeUninit;
use std::ptr::read_volatile;
use std::sync::atomic::{AtomicUsize, Ordering};

use rosser_abi::run_file::{header, stop};
use rosser_detect::kind::Kind;
use rosser_detect::order::{GeneralStorage, JoinStorage};
use rosser_detect::serial::cell::Cell;
use rosser_detect::serial::compaction::InUse;
use rosser_detect::serial::engine::Engine;
use rosser_detect::serial::judge::Judge;
use rosser_detect::serial::log::Id;
use rosser_detect::serial::memory::Storage;
use rosser_detect::storage::{Exhausted, Stack};

use crate::atomics::Done;
use crate::backend::serial::births::Births;
use crate::backend::serial::cells::{self, set_hot};
use crate::backend::serial::evidence::Explained;
use crate::backend::serial::loads::{Load, Loads};
use crate::backend::serial::loops::Leaf;
use crate::backend::serial::other::Other;
use crate::backend::serial::places::Places;
use crate::backend::serial::repetition::Repetition;
use crate::backend::serial::touched::Touched;
use crate::backend::serial::unseen;
use crate::backend::serial::watch::Watch;
use crate::backtrace::Here;
use crate::findings::{Access, Findings};
use crate::own::Busy;
use crate::recent::Recent;
use crate::shadow::{self, cell_of};
use crate::sites::{DependsOn, Sites};
use crate::stack::StackBounds;
use crate::stuck;
use crate::words::words;
use crate::{run_file, system, thread_locals, threads};

/// Everything about the checked thread.
pub struct Checked {
    pub engine: Engine,
    /// Where the engine's log is: an access that is made quickly logs its site there.
    #[allow(dead_code, reason = "it is read in assembly")]
    pub log: *mut u32,
    pub findings: Findings,
    pub sites: Sites,
    /// The stack in use.
    pub stack: StackBounds,
    /// The thread's own stack, and how far down it was used when another was last switched to.
    pub thread_stack: StackBounds,
    pub thread_stack_used: usize,
    /// The thread-local variables of the thread, not monitored while it is checked.
    pub locals: StackBounds,
    /// All histories of the stack since the current task began are at or above this address.
    pub lowest: usize,
    /// Locals of the current task are below this address and cannot be reached by a parallel one:
    /// while its children run it waits for them. 0 if it has opened a scope, or is the main task.
    pub private_top: usize,
    /// Accesses by code whose stack is below this address are not made quickly: they may have to
    /// lower `lowest`, or to look at what is watched.
    pub limit: usize,
    /// Counts the threads that were checked one after the other.
    pub scope: u64,
    pub watch: Watch,
    /// When the region has used so many ids, those in use get new numbers.
    compact_at: u32,
    pub places: Places,
    pub recently_read: Recent,
    pub recently_written: Recent,
    /// Counts what makes words new to the step that has accessed them.
    pub forgotten: u32,
    /// Where the last access was that could not be made quickly.
    pub here: Here,
    repetition: Repetition,
    loads: Loads,
    /// Another detector than the engine, if one was chosen. Then accesses go there.
    pub other: Option<Box<Other>>,
    /// The leaves of parallel loops that are being run, innermost last, and how many have begun so far.
    pub leaves: Stack<Leaf>,
    pub leaves_begun: u32,
    pub births: Births,
    /// How many joins, scopes and tasks that nobody joins are under way, and how many of them are those of the
    /// process that has forked this one.
    open: u32,
    inherited: u32,
}

pub struct Global(UnsafeCell<MaybeUninit<Checked>>);

// SAFETY: only the owning thread touches the contents.
unsafe impl Sync for Global {}

pub static CHECKED: Global = Global(UnsafeCell::new(MaybeUninit::uninit()));
/// The owning thread, by the address of one of its thread-locals; `NOBODY`, or `DISABLED` if the
/// program was not started by Rosser.
static OWNER: AtomicUsize = AtomicUsize::new(DISABLED);
const DISABLED: usize = 0;
const NOBODY: usize = 1;

thread_local! {
    static MARK: StdCell<u8> = const { StdCell::new(0) };
    /// Gives the ownership back when its thread ends with a region still open.
    static AT_EXIT: AtExit = const { AtExit };
}

/// A region uses at least so many ids before they get new numbers.
const COMPACT_AT: u32 = 8 << 20;

struct AtExit;

impl Drop for AtExit {
    fn drop(&mut self) {
        if OWNER.load(Ordering::Relaxed) == me() {
            // SAFETY: this thread is the owner.
            let checked = unsafe { checked() };
            checked.abandon_region();
            Checked::fill(checked.locals, Cell::default());
            set_hot(false, 0);
            OWNER.store(NOBODY, Ordering::Release);
        }
    }
}

fn me() -> usize {
    MARK.with(|mark| std::ptr::from_ref(mark) as usize)
}

/// Makes the state. To be called once, before any thread is checked.
pub fn init() {
    shadow::map_all();
    // Cells use the largest id for words that are not monitored.
    let log: &mut [u32] = system::reserve_slice(u32::MAX as usize);
    let log_words = log.as_mut_ptr();
    let storage = Storage {
        log,
        spans: system::reserve_slice(1 << 26),
        knowledge: system::reserve_slice(1 << 28),
        to_visit: system::reserve_slice(1 << 24),
        found: system::reserve_slice(1 << 16),
        records: system::reserve_slice(1 << 30),
        frames: system::reserve_slice(1 << 26),
        scopes: system::reserve_slice(1 << 26),
        crowds: system::reserve_slice(1 << 30),
        readers: system::reserve_slice(1 << 30),
        general: GeneralStorage {
            english: system::reserve_slice(1 << 30),
            hebrew: system::reserve_slice(1 << 30),
            runs: system::reserve_slice(1 << 30),
            points: system::reserve_slice(1 << 28),
            tasks: system::reserve_slice(1 << 26),
            scopes: system::reserve_slice(1 << 26),
            loose: system::reserve_slice(1 << 28),
            joins: JoinStorage {
                joins: system::reserve_slice(1 << 28),
                to_visit: system::reserve_slice(1 << 29),
                sources: system::reserve_slice(1 << 28),
                leaves: system::reserve_slice(1 << 30),
                nodes: system::reserve_slice(1 << 30),
                bounds: system::reserve_slice(1 << 23),
                answers: system::reserve_slice(1 << 12),
            },
        },
        in_use: InUse::new(
            system::reserve_slice(1 << 26),
            system::reserve_slice(1 << 26),
            system::reserve_slice(1 << 26),
        ),
    };
    let checked = Checked {
        engine: Engine::new(storage),
        log: log_words,
        findings: Findings::new(),
        sites: Sites::new(),
        stack: StackBounds::default(),
        thread_stack: StackBounds::default(),
        thread_stack_used: 0,
        locals: StackBounds::default(),
        lowest: usize::MAX,
        private_top: 0,
        limit: usize::MAX,
        scope: 0,
        watch: Watch::default(),
        compact_at: COMPACT_AT,
        places: Places::new(),
        recently_read: Recent::NONE,
        recently_written: Recent::NONE,
        forgotten: 0,
        here: Here { pc: 0, sp: 0, frame: 0 },
        repetition: Repetition::default(),
        loads: Loads::new(),
        other: None,
        leaves: Stack::new(system::reserve_slice(1 << 20)),
        leaves_begun: 0,
        births: Births::new(),
        open: 0,
        inherited: 0,
    };
    // SAFETY: nobody owns it yet.
    unsafe { (*CHECKED.0.get()).write(checked) };
    OWNER.store(NOBODY, Ordering::Release);
}

/// Where the state is in memory.
pub fn state_bounds() -> StackBounds {
    let low = CHECKED.0.get() as usize;
    StackBounds { low, high: low + size_of::<Checked>() }
}

/// The state of the checked thread.
///
/// # Safety
/// The calling thread is the owner, and holds no other reference to the state.
#[inline]
pub unsafe fn checked() -> &'static mut Checked {
    // SAFETY: initialised before the first thread could become the owner; the caller is the owner.
    unsafe { (*CHECKED.0.get()).assume_init_mut() }
}

/// The state, if the calling thread's accesses are being checked.
#[inline]
pub fn if_on() -> Option<&'static mut Checked> {
    // SAFETY: only the owner's checks are ever on; functions of the runtime do not nest.
    if shadow::is_on() { Some(unsafe { checked() }) } else { None }
}

/// The state, if the calling thread is being checked, even while it does something unseen.
#[inline]
pub fn if_owner() -> Option<&'static mut Checked> {
    // SAFETY: only the owner's checks are ever on, and it alone does unseen things.
    if shadow::is_on() || unseen::is_under_way() { Some(unsafe { checked() }) } else { None }
}

/// The state, if the tasks of the calling thread are being followed, whether or not its accesses are
/// looked at.
#[inline]
pub fn if_following() -> Option<&'static mut Checked> {
    let follows = || shadow::looks_at_nothing() && OWNER.load(Ordering::Relaxed) == me();
    // SAFETY: this thread is the owner.
    if_on().or_else(|| follows().then(|| unsafe { checked() }))
}

/// The stack that the calling thread uses.
pub fn stack() -> StackBounds {
    if_on().map_or_else(StackBounds::of_this_thread, |checked| checked.stack)
}

/// The state, if the calling thread is or can become the one that is checked.
pub fn enter() -> Option<&'static mut Checked> {
    if let Some(checked) = if_on() {
        return Some(checked);
    }
    let me = me();
    // Acquire, with the releases where it is given up: the state is as its last owner has left it. A thread that finds
    // its own number has written that itself, so relaxed is enough elsewhere.
    let taken = OWNER.compare_exchange(NOBODY, me, Ordering::Acquire, Ordering::Relaxed);
    match taken {
        Ok(_) => AT_EXIT.with(|_| ()),
        Err(owner) if owner == me => {}
        Err(DISABLED) => return None,
        Err(_) => {
            run_file::add(header::OTHER_REGIONS, 1);
            return None;
        }
    }
    // SAFETY: this thread is the owner.
    let checked = unsafe { checked() };
    if taken.is_ok() {
        checked.sites.prepare();
        threads::note_region(checked.sites.is_harness());
        checked.scope += 1;
        checked.thread_stack = StackBounds::of_this_thread();
        checked.stack = checked.thread_stack;
        checked.locals = thread_locals::bounds();
        Checked::fill(checked.locals, Cell::UNMONITORED);
        checked.watch.clear();
        checked.prepare_other();
        checked.set_limit();
    }
    Some(checked)
}

/// Before the program ends. All tasks that have begun on one thread have ended, or never will.
pub fn settle() {}

/// The process was forked: what is under way is left to the one that has forked it, and what it begins itself is
/// its own.
pub fn inherit() {
    if OWNER.load(Ordering::Relaxed) == me() {
        // SAFETY: this thread is the owner.
        let checked = unsafe { checked() };
        checked.inherited = checked.open;
    }
}

/// The number of workers that the user asked for. This backend has one.
pub fn set_workers(_number: &[u8]) {}

/// Carries out a relaxed load that is like the last one of its step, if nobody need be told of it.
#[inline]
pub fn load_again(_: usize, _: usize, _slot: usize, _: impl FnOnce() -> u64) -> Option<u64> {
    None
}

/// The word of an atomic operation. One thread runs all tasks, so it need not be held.
pub struct Held;

/// An atomic operation is about to be carried out.
#[inline]
pub fn hold(_address: usize) -> Held {
    Held
}

impl Held {
    /// It has been.
    #[allow(clippy::unused_self, reason = "on several threads there is something to let go")]
    #[inline]
    pub fn tell(self, done: &Done, here: Here) {
        let Done { address, size, kind, ordering, new, .. } = *done;
        if let Some(checked) = if_on() {
            if kind == Kind::Load {
                checked.atomic_load(address, size, new, ordering, here);
            } else {
                checked.atomic(address, size, kind, ordering, here);
            }
        }
    }
}

impl Checked {
    /// Brings the access path up to date after a task event.
    #[inline]
    pub fn refresh(&mut self) {
        set_hot(true, self.engine.base());
    }

    /// The thread does something that is not looked at.
    #[allow(clippy::unused_self, reason = "as on several workers")]
    pub fn begin_unseen(&mut self) {
        unseen::set_under_way(true);
        cells::look_away();
    }

    /// It has done it.
    pub fn end_unseen(&mut self) {
        unseen::set_under_way(false);
        self.refresh();
    }

    /// A join or a scope begins, or a task that nobody joins. If the program ends before [`close`](Self::close), some
    /// task was not executed to its end.
    #[inline]
    pub fn open(&mut self) {
        if self.open == self.inherited {
            run_file::add(header::OPEN, 1);
        }
        self.open += 1;
    }

    /// It has ended.
    #[inline]
    pub fn close(&mut self) {
        self.open = self.open.saturating_sub(1);
        if self.open == self.inherited {
            run_file::count_down(header::OPEN);
        }
        self.inherited = self.inherited.min(self.open);
    }

    /// After a scope or a detached task has ended: if nothing is parallel any more, checks are off
    /// until the next task begins.
    pub fn rest(&mut self) {
        if !self.engine.is_quiet() {
            self.refresh();
            return;
        }
        self.close_region();
    }

    fn close_region(&mut self) {
        self.publish();
        discard_much(self.engine.end_region());
        run_file::add(header::REGIONS, 1);
        self.compact_at = COMPACT_AT;
        self.end_region_elsewhere();
        set_hot(false, 0);
        if self.engine.open_scopes() == 0 {
            // The thread may end, and its memory become another's.
            Self::fill(self.locals, Cell::default());
            OWNER.store(NOBODY, Ordering::Release);
        }
    }

    /// A task has begun, and done nothing yet: what is due from time to time is done now. If the region
    /// has used many ids, those in use get new numbers; readers that no cell names are forgotten; and
    /// the counts are made known.
    #[inline]
    pub fn note_begun(&mut self) {
        if self.engine.used_ids() > self.compact_at {
            self.compact();
        }
        if self.engine.judge.readers_are_due() {
            self.sweep_readers();
        }
        if self.engine.counts().tasks.is_multiple_of(4096) {
            self.publish();
        }
    }

    /// Whether nothing of that is due, nor anything to be looked at that was done unseen.
    #[inline]
    pub fn is_nothing_due(&self) -> bool {
        self.engine.used_ids() <= self.compact_at
            && !self.engine.judge.readers_are_due()
            && self.watch.is_empty()
    }

    #[cold]
    fn compact(&mut self) {
        if self.other.is_some() {
            // Nobody knows which ids it remembers.
            self.compact_at = u32::MAX;
            return;
        }
        system::keeping_errno(|| {
            if let Some(touched) = Touched::open()
                && self.engine.compact(|each| touched.each_cell(each))
            {
                // The log keeps its memory: it is going to be as long again.
                self.places.clear();
                self.forget_recent();
            }
            self.compact_at = self.engine.used_ids().saturating_mul(2).saturating_add(COMPACT_AT);
        });
    }

    #[cold]
    fn sweep_readers(&mut self) {
        system::keeping_errno(|| {
            let touched = Touched::open();
            let each_cell = touched
                .as_ref()
                .map(|touched| |each: &mut dyn FnMut(&mut [Cell])| touched.each_cell(each));
            self.engine.judge.sweep_readers(each_cell);
        });
    }

    /// The thread ends in the middle of a region: tasks that nobody joins are left alone. What is under way stays
    /// so for ever.
    fn abandon_region(&mut self) {
        self.publish();
        (self.open, self.inherited) = (0, 0);
        self.leaves.clear();
        self.engine.abandon();
        self.end_region_elsewhere();
        self.sites.set_task(0, None);
        run_file::add(header::REGIONS, 1);
    }

    /// Copies the counts into the run file.
    pub fn publish(&mut self) {
        let counts = self.engine.counts();
        run_file::set(header::TASKS, counts.tasks);
        run_file::set(header::STEPS, counts.steps);
        run_file::set(header::ACCESSES, counts.accesses);
        run_file::set(header::COMMUTING, counts.commuting);
        run_file::set(header::CROWDED, counts.crowded);
    }

    /// Goes on after an access: reports what it was in conflict with.
    #[inline]
    fn finish(&mut self, result: Result<(), Exhausted>, address: usize, here: Here) {
        if result.is_err() {
            stuck::stop(stop::EXHAUSTED, here);
        }
        self.report_conflicts(address, here);
    }

    /// Reports what the last event was in conflict with, if anything.
    #[inline]
    pub fn report_conflicts(&mut self, address: usize, here: Here) {
        if !self.engine.judge.conflicts().is_empty() {
            self.drop_carried(address & !7);
            self.report(address, here);
        }
    }

    #[cold]
    #[inline(never)]
    fn report(&mut self, address: usize, here: Here) {
        let _busy = Busy::begin();
        let outer_stack = self.outer_stack(here);
        let Self { engine, findings, sites, stack, thread_stack, locals, scope, .. } = self;
        let (stack, thread_stack, locals, scope) = (*stack, *thread_stack, *locals, *scope);
        let word = address & !7;
        let access = Access {
            sites,
            stack,
            thread_stack,
            locals,
            outer_stack,
            scope,
            each_caller: &|each| here.callers(stack).for_each(each),
            word,
            here,
        };
        let mut is_new = false;
        for conflict in engine.judge.conflicts() {
            is_new |= findings.report(&access, &Explained { engine, sites, conflict });
        }
        if is_new {
            self.publish();
        }
    }

    /// Whether the stack in use is the thread's own.
    pub fn is_on_thread_stack(&self) -> bool {
        self.stack.low == self.thread_stack.low
    }

    /// What was on the thread's own stack before the outermost task that runs began.
    fn outer_stack(&self, here: Here) -> StackBounds {
        let low = if self.is_on_thread_stack() {
            self.engine.outermost_running().map_or(here.sp, |task| task.note)
        } else {
            self.thread_stack_used
        };
        StackBounds { low, high: self.thread_stack.high }
    }

    /// After a task begins or ends, or opens or ends a scope.
    pub fn set_private(&mut self) {
        let frame = self.engine.frame();
        self.private_top = frame.filter(|frame| frame.scopes == 0).map_or(0, |frame| frame.note);
    }

    /// Whether memory is private to the current task: others that have used the same part of the stack
    /// are over and their histories forgotten, or they precede. So nothing is to be found there, and
    /// accesses need not be noted.
    #[inline]
    pub fn is_private(&self, address: usize, len: usize, here: Here) -> bool {
        address >= here.sp && address + len <= self.private_top
    }

    /// Makes an access that is private to the current task, if it is. It is noted for the sake of those
    /// that follow: its step makes them quickly.
    #[inline]
    fn touches_private(&mut self, address: usize, bytes: u8, here: Here) -> bool {
        let private = self.is_private(address, 1, here);
        if private {
            // SAFETY: the cell is mapped and only this thread uses it.
            let cell = unsafe { &mut *cell_of(address) };
            let result = self.engine.touch_private(cell, bytes);
            self.finish(result, address, here);
        }
        private
    }

    /// After a change of what is watched or of the lowest stack address.
    #[inline]
    pub fn set_limit(&mut self) {
        self.limit = if self.watch.is_empty() { self.lowest } else { usize::MAX };
    }

    /// What comes before an access: the stack that it may leave histories on is noted, and what
    /// code that is not instrumented may have done. Returns whether the access is for the engine to
    /// judge, and not for another detector, which has done so then.
    #[inline]
    pub fn prepare(&mut self, address: usize, len: usize, kind: Kind, here: Here) -> bool {
        if !self.watch.is_empty() && self.look(address, len, kind, here) {
            return false;
        }
        self.note_stack(here);
        true
    }

    /// Looks before an access whether something was done unseen. Returns whether another detector has
    /// judged the access.
    #[cold]
    #[inline(never)]
    fn look(&mut self, address: usize, len: usize, kind: Kind, here: Here) -> bool {
        if self.other.is_some() {
            self.access_elsewhere(address, len, kind, here);
            return true;
        }
        self.notice_hidden_releases(here);
        false
    }

    /// Notes the stack that an access may leave histories on: the locals of a function are above its
    /// stack pointer.
    #[inline]
    pub fn note_stack(&mut self, here: Here) {
        if here.sp < self.lowest {
            self.lowest = here.sp;
            self.set_limit();
        }
    }

    /// Makes an access if the answer is plain; `quickly` is the judge's part. If it is not, where
    /// the access was made is left behind for a slow one.
    #[cfg_attr(rosser_inline, allow(dead_code, reason = "it is written in assembly"))]
    #[inline]
    pub fn touch_quickly(
        &mut self,
        address: usize,
        bytes: u8,
        here: Here,
        quickly: impl FnOnce(&Judge, &mut Cell, u8, Id) -> bool,
    ) -> bool {
        self.here = here;
        if here.sp < self.limit {
            if !self.watch.is_empty() {
                return false;
            }
            self.note_stack(here);
        }
        if self.touches_private(address, bytes, here) {
            return true;
        }
        let id = self.id_of(here);
        // SAFETY: the cell is mapped and only this thread uses it.
        quickly(&self.engine.judge, unsafe { &mut *cell_of(address) }, bytes, id)
    }

    /// Where the last access was that could not be made quickly. It was written word by word just
    /// now; to read it otherwise would make the processor wait.
    #[inline]
    fn last_here(&self) -> Here {
        let Here { pc, sp, frame } = &self.here;
        // SAFETY: they are references.
        unsafe {
            Here { pc: read_volatile(pc), sp: read_volatile(sp), frame: read_volatile(frame) }
        }
    }

    /// A plain read of a word that may be the current task's own, after a quick one has failed.
    pub fn read_slowly(&mut self, address: usize, bytes: u8) {
        let here = self.last_here();
        if self.prepare(address, len_of(bytes), Kind::Read, here)
            && !self.touches_private(address, bytes, here)
        {
            let id = self.id_of(here);
            self.read_word(address, bytes, id, here);
        }
    }

    /// A plain write to a word that may be the current task's own, after a quick one has failed.
    pub fn write_slowly(&mut self, address: usize, bytes: u8) {
        let here = self.last_here();
        if self.prepare(address, len_of(bytes), Kind::Write, here)
            && !self.touches_private(address, bytes, here)
        {
            let id = self.id_of(here);
            self.write_word(address, Kind::Write, bytes, id, here);
        }
    }

    /// The id of what the present step does here.
    #[inline]
    pub fn id_of(&mut self, here: Here) -> Id {
        if let Some(id) = self.places.id_of(here, self.engine.base()) {
            return id;
        }
        let mut place = self.places.with_site(here, &self.sites.now, self.stack);
        if place.is_none() {
            self.sites.know_outside(self.stack);
            place = self.places.with_site(here, &self.sites.now, self.stack);
        }
        if let Some(place) = place {
            let id = stuck::unless_exhausted(self.engine.id_of(place.site), || here);
            place.set_id(id);
            return id;
        }
        let (site, depends_on) = self.sites.site_of(here, self.stack);
        let id = stuck::unless_exhausted(self.engine.id_of(site), || here);
        self.places.set(here, id, site, depends_on);
        id
    }

    #[inline]
    pub fn read_word(&mut self, address: usize, bytes: u8, id: Id, here: Here) {
        // SAFETY: the cell is mapped and only this thread uses it.
        let cell = unsafe { &mut *cell_of(address) };
        let result = self.engine.judge.read(cell, bytes, id);
        self.finish(result, address, here);
    }

    #[inline]
    pub fn write_word(&mut self, address: usize, kind: Kind, bytes: u8, id: Id, here: Here) {
        // SAFETY: the cell is mapped and only this thread uses it.
        let cell = unsafe { &mut *cell_of(address) };
        let result = self.engine.judge.write(cell, kind, bytes, id);
        self.finish(result, address, here);
    }

    /// An atomic load that is done already.
    pub fn atomic_load(
        &mut self,
        address: usize,
        size: usize,
        value: u64,
        ordering: rosser_detect::kind::Ordering,
        here: Here,
    ) {
        self.repetition.note(address, value, self.engine.counts().accesses, here);
        // SAFETY: the cell is mapped and only this thread uses it.
        let cell = unsafe { &*cell_of(address) };
        let load = Load { pc: here.pc, address, size };
        if !ordering.acquires
            && self.watch.is_empty()
            && self.loads.repeats(load, cell, &self.engine)
        {
            self.engine.judge.count_access();
            return;
        }
        self.atomic(address, size, Kind::Load, ordering, here);
        if ordering.acquires && !crate::IS_STD_SEEN {
            self.watch.add(address, size, value);
            self.set_limit();
        }
    }

    /// A fence.
    pub fn fence(&mut self, ordering: rosser_detect::kind::Ordering, here: Here) {
        let site = Sites::plain(here.pc);
        let result = self.engine.fence(site, ordering.acquires, ordering.releases);
        stuck::unless_exhausted(result, || here);
        self.refresh();
    }

    /// Looks for hidden releases for the last time before another task goes on.
    #[inline]
    pub fn stop_watching(&mut self, here: Here) {
        if !self.watch.is_empty() {
            self.notice_hidden_releases(here);
            self.watch.clear();
        }
    }

    /// Looks whether code that is not instrumented has released something.
    #[cold]
    #[inline(never)]
    pub fn notice_hidden_releases(&mut self, here: Here) {
        while let Some(address) = self.watch.changed() {
            // SAFETY: the cell is mapped and only this thread uses it.
            let cell = unsafe { &mut *cell_of(address) };
            if self.engine.hidden_release(cell, self.sites.site_of(here, self.stack).0).is_err() {
                stuck::stop(stop::EXHAUSTED, here);
            }
            self.refresh();
        }
    }

    /// An atomic access that is done already.
    pub fn atomic(
        &mut self,
        address: usize,
        size: usize,
        kind: Kind,
        ordering: rosser_detect::kind::Ordering,
        here: Here,
    ) {
        if kind.writes() {
            self.watch.written(address);
        }
        if !self.prepare(address, size, kind, here) {
            return;
        }
        for (word, bytes) in words(address, size) {
            // SAFETY: the cell is mapped and only this thread uses it.
            let cell = unsafe { &mut *cell_of(word) };
            let (done_at, depends_on) = self.sites.site_of(here, self.stack);
            let result = self.engine.atomic(cell, kind, bytes, done_at, ordering);
            self.finish(result, word, here);
            if kind == Kind::Load && depends_on == DependsOn::Nothing && !ordering.acquires {
                self.loads.set(Load { pc: here.pc, address, size }, &self.engine);
            }
        }
        self.refresh();
    }
}

/// Gives the memory of a log back that is longer than most are. The rest is used again.
fn discard_much(log: &mut [u32]) {
    let words = log.get_mut(COMPACT_AT as usize..).unwrap_or_default().as_mut_ptr_range();
    let from = (words.start as usize).next_multiple_of(system::PAGE);
    let to = words.end as usize & !(system::PAGE - 1);
    if from < to {
        // SAFETY: the words are never read again, and zero is a valid word.
        unsafe { system::madvise(from as *mut _, to - from, system::MADV_DONTNEED) };
    }
}

/// How many bytes an access within a word has.
fn len_of(bytes: u8) -> usize {
    bytes.count_ones() as usize
}
