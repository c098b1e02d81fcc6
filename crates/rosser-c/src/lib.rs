//! Rosser for C and C++: the functions behind `rosser.h`. That header, in `include/`, is the
//! reference; here is how it is done.
//!
//! # Ground rules
//!
//! * Every function is one `Call` (`call.rs`): it knows its name and the line that called it, so
//!   that an error can name them.
//! * An error is a message and the end of the program. A panic never gets out to C: frames of C have,
//!   in general, nothing that could unwind them. What can go wrong comes as a value, and what panics
//!   nevertheless is caught where C called.
//! * An exception of C++ never gets in: the C++ header catches it and throws it again at the join.
//!   One that comes through the C functions ends the program.
//! * What C holds is a pointer to something that begins with its `Life` (`handle.rs`): null
//!   pointers, pointers to something else and pointers to what has been ended are told, the last ones
//!   for as long as they lie in the graveyard.
//! * A pointer that C passes to its own tasks is never looked at.
//!
//! Under everything are the constructs of the crate `rosser`, with `'static` in place of the lifetimes
//! that a C program has to see to itself.

mod accumulate;
mod call;
mod future;
mod handle;
mod isolated;
mod procedure;
mod promise;
mod register;
mod scope;
mod unmonitored;

pub use self::accumulate::{
    Bytes, Combine, Double, Long, rosser_accumulate_at, rosser_accumulate_double_at,
    rosser_accumulate_long_at, rosser_accumulated_at, rosser_accumulated_double_at,
    rosser_accumulated_long_at, rosser_accumulator_free_at, rosser_accumulator_new_at,
    rosser_double_accumulator_free_at, rosser_double_accumulator_new_at,
    rosser_long_accumulator_free_at, rosser_long_accumulator_new_at,
};
pub use self::future::{
    Function, Future, rosser_async_future_at, rosser_future_free_at, rosser_future_get_at,
    rosser_future_share_at, rosser_future_wait_at, rosser_shared_future_get_at,
    rosser_shared_future_wait_at,
};
pub use self::isolated::{Section, rosser_isolated_at};
pub use self::procedure::{Body, Procedure, rosser_call_at, rosser_spawn_at, rosser_sync_at};
pub use self::promise::{
    Promise, Release, rosser_promise_free_at, rosser_promise_get_at, rosser_promise_new_at,
    rosser_promise_outside_at, rosser_promise_set_at, rosser_promise_try_set_at,
    rosser_promise_wait_at,
};
pub use self::scope::{
    Handle, Task, rosser_async_at, rosser_async_copy_at, rosser_begin_at, rosser_end_at,
    rosser_finish_at,
};
pub use self::unmonitored::rosser_unmonitored;
