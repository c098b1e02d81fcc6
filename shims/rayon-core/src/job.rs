//! A closure and, later, its result, in the form in which the runtime takes tasks: a function and
//! a pointer.

use std::ptr;
use std::thread;

use crate::runtime::TaskFn;
use crate::unwind::{self, Payload};

/// A task whose memory belongs to the call that waits for it.
///
/// One place serves the closure first and the result afterwards, which keeps the frames of deep
/// recursions small.
pub(crate) enum Job<F, R> {
    /// The task has not run yet.
    Waiting(F),
    /// It ran and returned.
    Returned(R),
    /// It ran and panicked.
    Panicked(Payload),
}

impl<F, R> Job<F, R>
where
    F: FnOnce() -> R,
{
    /// The function that runs the job, and the pointer by which it does.
    #[inline(always)]
    pub(crate) fn as_task(&mut self) -> (TaskFn, *mut ()) {
        (Self::run, ptr::from_mut(self).cast())
    }

    /// The result of a job that has been run.
    #[inline]
    pub(crate) fn into_outcome(self) -> thread::Result<R> {
        match self {
            Job::Waiting(_) => unreachable!("the runtime runs every task before it returns"),
            Job::Returned(value) => Ok(value),
            Job::Panicked(payload) => Err(payload),
        }
    }

    /// # Safety
    ///
    /// `data` comes from [`Job::as_task`] of a live job, which nobody else uses during the call and
    /// which has not been run.
    #[cfg_attr(rosser_unseen, sanitize(thread = "off"))]
    #[cfg_attr(rosser_staged, unsafe(link_section = ".text.rosser.unseen"))]
    unsafe extern "C" fn run(data: *mut ()) {
        let job = data.cast::<Self>();
        // SAFETY: The caller says that the job is live and ours alone.
        let Job::Waiting(f) = (unsafe { &*job }) else {
            unreachable!("the runtime runs every task once");
        };
        let f = ptr::from_ref(f);
        // SAFETY: The copy in the job is overwritten below without being dropped. In between
        // nothing unwinds and nobody looks at it.
        let ended = match unwind::halt_unwinding(|| unsafe { call(f) }) {
            Ok(value) => Job::Returned(value),
            Err(payload) => Job::Panicked(payload),
        };
        // SAFETY: As above. What was there has been moved out.
        unsafe { job.write(ended) };
    }
}

/// Moves a closure to the stack of the task that calls it, and calls it.
///
/// Functions of the standard library would be seen again when they move something for one that is
/// not; an intrinsic is part of the function that uses it.
///
/// # Safety
///
/// The closure is not used again.
#[inline(never)]
#[cfg_attr(rosser_unseen, sanitize(thread = "off"))]
#[cfg_attr(rosser_staged, unsafe(link_section = ".text.rosser.unseen"))]
unsafe fn call<F, R>(f: *const F) -> R
where
    F: FnOnce() -> R,
{
    // SAFETY: The caller gives the closure away.
    #[cfg(any(rosser_unseen, rosser_staged))]
    let f = unsafe { std::intrinsics::read_via_copy(f) };
    // SAFETY: As above.
    #[cfg(not(any(rosser_unseen, rosser_staged)))]
    let f = unsafe { ptr::read(f) };
    f()
}

/// Puts the body of a task that outlives the current stack frame on the heap.
///
/// The function must be called exactly once, with the pointer. The task frees the block itself.
/// The body must catch its panics.
#[inline(always)]
pub(crate) fn boxed<F>(body: F) -> (TaskFn, *mut ())
where
    F: FnOnce(),
{
    (run_boxed::<F>, Box::into_raw(Box::new(body)).cast())
}

/// # Safety
///
/// `data` comes from [`boxed`] with the same `F`, and is used once.
unsafe extern "C" fn run_boxed<F>(data: *mut ())
where
    F: FnOnce(),
{
    // SAFETY: The caller says that the pointer is that of a boxed `F`, and ours.
    let body = unsafe { Box::from_raw(data.cast::<F>()) };
    body();
}
