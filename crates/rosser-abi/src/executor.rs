//! What an executor calls: the C functions of the runtime, their types, and the order of the calls.
//!
//! An *executor* runs the tasks of a program and tells the runtime of them. There are two: the replacement of
//! rayon-core (`shims/rayon-core`) and the task library (`crates/rosser`, which the library for C and C++ is made of).
//! This file is the only declaration. The runtime holds its definitions against [`signature`]; the executors have
//! this very file as a module, by a link, because neither can depend on a crate of ours: the one is compiled in
//! place of somebody else's crate, the other in programs that are not checked.
//!
//! # What every executor owes the runtime
//!
//! * A call is about the *current task* of the calling thread, and is made on the stack that this task runs on.
//!   Where nothing else is said, it may be made by any thread at any time: on a thread that is not checked it does
//!   no more than run the bodies that it is given.
//! * Everything that comes before an event in all schedules is told before it. A task is told of before it does
//!   anything, and its end after all that it does.
//! * Task bodies do not unwind, and return on the thread and the stack that they were called on.
//! * Scopes are nested: a scope is ended by the task that has opened it, innermost first.
//! * Memory that a task is given is not touched by its parent from the fork to the join. What the executor itself
//!   writes for itself is not instrumented: see the ground rules of the shim.
//! * `pc` is an address in the program's function that makes the call, for reports. Functions without it take their
//!   own return address, so whatever calls them is inlined into the program's function.
//!
//! # What the runtime owes the executor
//!
//! * It neither unwinds nor changes `errno`, and allocates nothing on the program's heap that the program could see.
//! * It ends the process, with the reason in the run file, if a rule is broken that it can see, if the chosen detector
//!   does not admit the event, or if its memory does not suffice. Otherwise every call returns.
//!
//! # Fork and join
//!
//! ```text
//! rosser_join(a, b)                        both have ended when it returns
//!
//! scope = rosser_scope_begin()
//!    rosser_spawn(kind, scope, body) ...   by any task whose end the scope waits for
//! rosser_scope_end(scope)                  all of them have ended when it returns
//!
//! rosser_spawn(DETACHED, NO_SCOPE, body)   nothing waits for it
//! ```
//!
//! On one worker a body is run at once, by the caller. On several a body may be run by any worker before the join, and
//! the caller may run any other task while it waits: what an executor keeps in thread-locals it has to put in place
//! at the beginning of a body and to bring back at its end.
//!
//! # Items of parallel loops (one worker)
//!
//! A leaf of a parallel loop is a loop that is not split any further. It may tell its items apart, if
//! `rosser_has_items` says so, instead of forking a task for each:
//!
//! ```text
//! next = rosser_leaf(leaf, first)          the body runs the items first, first + 1, ...
//!    item first
//!    rosser_next_item()
//!    item first + 1 ...                    the same task as rosser_leaf has begun, and the same stack
//! ```
//!
//! What is on the leaf's stack, or allocated while it runs, is handed from item to item: two items are not in conflict there.
//! Items may fork and join as any task.
//!
//! # Tasks with stacks of their own (one worker)
//!
//! A task that may have to wait in the middle runs on a stack of its own. Whoever starts it or lets it go on is its
//! *resumer*, and goes on itself when the task waits or ends. The four calls are made by the resumer, on its own
//! stack, right before and right after the switch; the task itself calls none of them:
//!
//! ```text
//!  resumer                                          task
//!    rosser_task_start(&mut me, &mut own, scope) ──switch──►  runs
//!    rosser_task_waits(&me, &mut own)            ◄──switch──  has to wait
//!      ...
//!    rosser_task_resume(&mut me, &own)           ──switch──►  goes on
//!    rosser_task_ended(&me, &own)                ◄──switch──  has ended; its stack is free
//! ```
//!
//! The `OwnStack` of the resumer lives from one call to the next; that of the task as long as its stack. A task is
//! resumed on the thread that it was started on.
//!
//! A promise is told of by `rosser_promise_set` when its value is there, before any who waits for it goes on, and
//! by `rosser_promise_get` in each task that has got it, before that looks at the value. Between
//! `rosser_isolated_begin` and `rosser_isolated_end` no other task of any executor is in such a section.
//!
//! # Futures (several workers)
//!
//! No task is put aside, so it can wait for nothing but tasks. `rosser_future_spawn` gives a future that is got at most
//! once, by a task that follows its creation, and given back exactly once by `rosser_future_drop`. A use of promises
//! is told by `rosser_promise`, which ends the process if tasks are being followed.

/// The body of a task. It does not unwind.
pub type TaskFn = unsafe extern "C" fn(*mut ());

/// The first closure of a `join`.
pub const JOIN_FIRST: u64 = 1;
/// The second closure of a `join`.
pub const JOIN_SECOND: u64 = 2;
/// A task that a scope joins.
pub const SCOPE_SPAWN: u64 = 3;
/// A task that no scope joins: `rayon::spawn`.
pub const DETACHED: u64 = 4;
/// One call of a broadcast.
pub const BROADCAST: u64 = 5;

/// The scope of tasks that no scope joins.
pub const NO_SCOPE: u64 = 0;
/// The scope of a thread that is not checked.
pub const UNCHECKED: u64 = u64::MAX;

/// A stack, and what the runtime remembers of it while another is in use. The executor writes the bounds of a task's
/// own stack, the runtime everything else.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub struct OwnStack {
    /// The lowest address.
    pub low: usize,
    /// The address above the highest.
    pub high: usize,
    /// Down to here it was used since its task began.
    pub lowest: usize,
    /// The task that runs on top of it.
    pub current: u32,
    /// The task that it was started with.
    pub base: u32,
    /// Whether the thread was checked when the stack was left, or started.
    pub is_checked: bool,
}

/// Where a promise was set, as the runtime has written it.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub struct SetPoint(pub [u32; 3]);

/// What the runtime knows of a future.
#[derive(Debug)]
#[repr(C)]
pub struct Future {
    _opaque: [u8; 0],
}

/// Declares the functions, and the type of each for their definitions to be held against.
macro_rules! functions {
    ($($(#[$doc:meta])* fn $name:ident($($argument:ident: $type:ty),*) $(-> $result:ty)?;)*) => {
        unsafe extern "C" {$(
            $(#[$doc])*
            pub fn $name($($argument: $type),*) $(-> $result)?;
        )*}

        /// The types of the functions, by their names.
        #[allow(non_camel_case_types, reason = "they are the functions' names")]
        pub mod signature {
            use super::{Future, OwnStack, SetPoint, TaskFn};

            $(
                #[doc = concat!("The type of `", stringify!($name), "`.")]
                pub type $name = unsafe extern "C" fn($($type),*) $(-> $result)?;
            )*
        }
    };
}

functions! {
    /// Runs both bodies as tasks, and returns when they have ended. On one worker `a` is run first, then `b`; on
    /// several `b` may run meanwhile on another.
    fn rosser_join(a: TaskFn, a_data: *mut (), b: TaskFn, b_data: *mut ());
    /// Opens a scope in the current task.
    fn rosser_scope_begin() -> u64;
    /// Returns when everything that was spawned in the scope has ended.
    fn rosser_scope_end(scope: u64);
    /// Runs a body as a task that the scope joins, which is open, or [`NO_SCOPE`]. On several workers it may run
    /// later, until the scope ends.
    fn rosser_spawn(kind: u64, scope: u64, body: TaskFn, data: *mut ());
    /// Runs a leaf of a parallel loop, whose first item has the given number. Returns the number of the item after its
    /// last.
    fn rosser_leaf(leaf: TaskFn, data: *mut (), first: u64) -> u64;
    /// In a leaf, the present item is over and the next one begins.
    fn rosser_next_item();
    /// Whether leaves are to tell their items apart. If not, each item is to be a task.
    fn rosser_has_items() -> bool;
    /// The number of the worker that the calling thread is; 0 if it is none.
    fn rosser_worker() -> usize;
    /// How many workers run the tasks of the calling thread; 1 if it is not checked.
    fn rosser_workers() -> usize;
    /// From now on the tasks that the calling thread forks are run by itself, at once and child first, or no longer.
    /// Returns what held before. Changes nothing if that is always so.
    fn rosser_inline(on: bool) -> bool;
    /// The current task has asked which worker it runs on: what it does now depends on the schedule.
    fn rosser_worker_local();
    /// The current task waits for what no task can do in serial order: the process ends.
    fn rosser_blocked() -> !;

    /// The resumer is going to start a task on a stack that is free; the scope joins it.
    fn rosser_task_start(resumer: *mut OwnStack, own: *mut OwnStack, scope: u64, pc: usize);
    /// The resumer is back because the task has ended.
    fn rosser_task_ended(resumer: *const OwnStack, own: *const OwnStack);
    /// The resumer is back because the task waits.
    fn rosser_task_waits(resumer: *const OwnStack, own: *mut OwnStack);
    /// The resumer is going to let a task go on that waits.
    fn rosser_task_resume(resumer: *mut OwnStack, own: *const OwnStack);
    /// The current task sets a promise. Writes the point.
    fn rosser_promise_set(point: *mut SetPoint, pc: usize);
    /// The current task has got a promise that was set at the point.
    fn rosser_promise_get(point: *const SetPoint, pc: usize);
    /// The current task tries to set a promise that was set at the point before. `address` stands for the promise.
    fn rosser_promise_set_again(point: *const SetPoint, address: usize, pc: usize);

    /// As `rosser_spawn`, for a task of a scope, with the place that spawns it.
    fn rosser_library_spawn(scope: u64, body: TaskFn, data: *mut (), pc: usize);
    /// The same for a task whose value is wanted.
    fn rosser_future_spawn(scope: u64, body: TaskFn, data: *mut (), pc: usize) -> *mut Future;
    /// Whether the future has ended, so that nobody has to wait for it.
    fn rosser_future_is_done(future: *const Future) -> bool;
    /// Waits for the future; the current task gets it.
    fn rosser_future_get(future: *const Future, pc: usize);
    /// The program does not need the future any more.
    fn rosser_future_drop(future: *mut Future);
    /// The current task sets or gets a promise, or shares a future.
    fn rosser_promise(pc: usize);

    /// The current task begins an isolated section.
    fn rosser_isolated_begin(pc: usize);
    /// The current task ends its isolated section.
    fn rosser_isolated_end(pc: usize);

    /// From now on the accesses of the calling thread are not looked at. Blocks of the heap still come and go. Returns
    /// whether that begins: then it has to be ended, in the same task.
    fn rosser_unseen_begin() -> bool;
    /// They are looked at again.
    fn rosser_unseen_end();
    /// Leaves a variable unmonitored until its memory is freed.
    fn rosser_unmonitor(address: *const u8, len: usize);
}
