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
    /// Runs two tasks, `a` first, and returns when both have ended.
    pub(crate) fn rosser_join(a: TaskFn, a_data: *mut (), b: TaskFn, b_data: *mut ());
    /// Opens a scope in the current task.
    pub(crate) fn rosser_scope_begin() -> u64;
    /// Joins everything that was spawned in the scope.
    pub(crate) fn rosser_scope_end(scope: u64);
    /// Runs a child to its end. The scope is [`NO_SCOPE`] or still open.
    pub(crate) fn rosser_spawn(kind: u64, scope: u64, f: TaskFn, data: *mut ());
    /// Says that the current task asked which worker it runs on.
    pub(crate) fn rosser_worker_local();
    /// Says that the current task waits for what can never happen, and ends the program.
    pub(crate) fn rosser_blocked() -> !;
}
