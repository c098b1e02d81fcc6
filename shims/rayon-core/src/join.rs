//! `join`: two closures that may run in parallel.

use crate::backend::Second;
use crate::context::FnContext;
use crate::job::Job;
use crate::{context, runtime, unwind, worker};

// rosser: upstream tests of join/test.rs

/// Calls both closures, as two parallel tasks, and returns both results.
///
/// If one panics the other is called all the same, and then the panic goes on. If both panic it
/// is the first closure's panic that goes on.
#[inline(always)]
pub fn join<A, B, RA, RB>(oper_a: A, oper_b: B) -> (RA, RB)
where
    A: FnOnce() -> RA + Send,
    B: FnOnce() -> RB + Send,
    RA: Send,
    RB: Send,
{
    let mut a = Job::Waiting(oper_a);
    let mut b = Job::Waiting(oper_b);
    fork(&mut a, &mut b);
    (unwind::value_or_resume(a.into_outcome()), unwind::value_or_resume(b.into_outcome()))
}

/// Like [`join`], with closures that are told whether they migrated to another thread.
#[inline(always)]
pub fn join_context<A, B, RA, RB>(oper_a: A, oper_b: B) -> (RA, RB)
where
    A: FnOnce(FnContext) -> RA + Send,
    B: FnOnce(FnContext) -> RB + Send,
    RA: Send,
    RB: Send,
{
    let mut a = Job::Waiting(move || oper_a(FnContext::new(context::migrates())));
    let mut b = Job::Waiting(move || oper_b(FnContext::new(context::migrates())));
    let split = context::split(a.as_task().0);
    fork(&mut a, &mut b);
    drop(split);
    (unwind::value_or_resume(a.into_outcome()), unwind::value_or_resume(b.into_outcome()))
}

/// Runs two jobs as parallel tasks.
#[inline(always)]
fn fork<A, B, RA, RB>(a: &mut Job<A, RA>, b: &mut Job<B, RB>)
where
    A: FnOnce() -> RA,
    B: FnOnce() -> RB,
{
    let _inside = worker::enter_some_pool();
    let (a_task, a_data) = a.as_task();
    let (b_task, b_data) = b.as_task();
    let mut b = Second::new(b_task, b_data);
    let (b_task, b_data) = b.as_task();
    // SAFETY: Both jobs are borrowed until the call returns, and are run once.
    unsafe { runtime::rosser_join(a_task, a_data, b_task, b_data) };
}
