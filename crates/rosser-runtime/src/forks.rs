//! The functions that the replacement of rayon-core calls to fork and join.

use rosser_abi::executor::signature;

use crate::entry::with_return_address;
use crate::{loops, tasks};

pub use rosser_abi::executor::TaskFn;

const _: signature::rosser_join = rosser_join;
const _: signature::rosser_spawn = rosser_spawn;
const _: signature::rosser_scope_begin = rosser_scope_begin;
const _: signature::rosser_scope_end = rosser_scope_end;
const _: signature::rosser_leaf = rosser_leaf;
const _: signature::rosser_worker_local = rosser_worker_local;
const _: signature::rosser_blocked = rosser_blocked;

with_return_address! {
    /// Runs both bodies as tasks and returns when they have ended.
    ///
    /// # Safety
    /// Each body may be called with its data; on several workers, by any thread.
    rosser_join(a: TaskFn, a_data: *mut (), b: TaskFn, b_data: *mut ()) ["r8"] => tasks::join
}

with_return_address! {
    /// Runs a body as a task that the given scope joins, or nobody if it is 0.
    ///
    /// # Safety
    /// The body may be called with its data; on several workers, by any thread until the scope ends.
    rosser_spawn(kind: u64, scope: u64, body: TaskFn, data: *mut ()) ["r8"] => tasks::spawn
}

with_return_address! {
    /// Opens a scope.
    ///
    /// # Safety
    /// None needed.
    rosser_scope_begin() -> u64 ["rdi"] => tasks::scope_begin
}

with_return_address! {
    /// Ends a scope.
    ///
    /// # Safety
    /// The scope was opened by the current task.
    rosser_scope_end(scope: u64) ["rsi"] => tasks::scope_end
}

with_return_address! {
    /// Runs a leaf of a parallel loop, whose first item has the given number. Returns the number of the item after its
    /// last.
    ///
    /// # Safety
    /// The body may be called with the data.
    rosser_leaf(body: TaskFn, data: *mut (), first: u64) -> u64 ["rcx"] => loops::leaf
}

with_return_address! {
    /// The current task asks which worker it runs on.
    ///
    /// # Safety
    /// None needed.
    rosser_worker_local() ["rdi"] => tasks::worker_local
}

with_return_address! {
    /// The current task waits for something that no task can do in serial order.
    ///
    /// # Safety
    /// None needed.
    rosser_blocked() -> ! ["rdi"] => tasks::blocked
}
