//! The functions of the runtime that run tasks, as declared to the linker.
//!
//! The runtime is linked into the checked program; this crate knows nothing else about it.

/// The body of a task. It must not unwind.
pub(crate) type TaskFn = unsafe extern "C" fn(*mut ());

/// A task spawned in a scope.
pub(crate) const SCOPE_SPAWN: u64 = 3;
/// A task that no scope joins.
pub(crate) const DETACHED: u64 = 4;
/// One call of a broadcast.
pub(crate) const BROADCAST: u64 = 5;
/// The scope of tasks that no scope joins.
pub(crate) const NO_SCOPE: u64 = 0;

unsafe extern "C" {
    /// Runs two tasks, `a` first on the calling thread, and returns when both have ended. On
    /// several workers `b` may run meanwhile on another one.
    pub(crate) fn rosser_join(a: TaskFn, a_data: *mut (), b: TaskFn, b_data: *mut ());
    /// Opens a scope in the current task.
    pub(crate) fn rosser_scope_begin() -> u64;
    /// Joins everything that was spawned in the scope. On several workers the calling thread may
    /// run any other task while it waits; so it may after the first half of a join.
    pub(crate) fn rosser_scope_end(scope: u64);
    /// Runs a child. The scope is [`NO_SCOPE`] or still open. On several workers the child may run
    /// later, on any worker, before the end of the scope.
    pub(crate) fn rosser_spawn(kind: u64, scope: u64, f: TaskFn, data: *mut ());
    /// The number of the worker that the calling thread is; 0 if it is none.
    pub(crate) fn rosser_worker() -> usize;
    /// How many workers run the tasks of the calling thread; 1 if the thread is not checked.
    pub(crate) fn rosser_workers() -> usize;
    /// Says whether the tasks that the calling thread forks from now on are run by itself, at once
    /// and child first, and returns what held before. Does nothing if that is always so.
    pub(crate) fn rosser_inline(on: bool) -> bool;
    /// Says that the current task asked which worker it runs on.
    pub(crate) fn rosser_worker_local();
    /// Says that the current task waits for what can never happen, and ends the program.
    pub(crate) fn rosser_blocked() -> !;
}
