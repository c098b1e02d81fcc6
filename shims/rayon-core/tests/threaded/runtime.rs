//! A runtime for the tests, with real threads: tasks go to a queue from which every worker takes
//! them, also while it waits. It detects nothing.
//!
//! Each test has workers of its own. Threads that are no workers run their tasks at once.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::process;
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread;

type TaskFn = unsafe extern "C" fn(*mut ());

/// The scope of tasks that no scope joins.
const NO_SCOPE: u64 = 0;
/// The scopes of threads that are no workers.
const UNCHECKED: u64 = u64::MAX;

struct Task {
    f: TaskFn,
    data: *mut (),
    scope: u64,
}

// SAFETY: The caller of the runtime gave us the pair, to be called once on any thread.
unsafe impl Send for Task {}

/// The workers of one test.
struct Workers {
    number: usize,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    queue: Vec<Task>,
    /// How many tasks of a scope have not ended. A join has a scope of its own.
    running: HashMap<u64, usize>,
    last_scope: u64,
    is_over: bool,
}

thread_local! {
    /// Which worker the current thread is, and of whom.
    static CURRENT: RefCell<Option<(Arc<Workers>, usize)>> = const { RefCell::new(None) };
    static INLINE: Cell<bool> = const { Cell::new(false) };
}

/// Calls `f` as the first of so many workers, and returns when all tasks have ended.
pub fn on_workers<R>(number: usize, f: impl FnOnce() -> R) -> R {
    let workers =
        Arc::new(Workers { number, state: Mutex::default(), changed: Condvar::default() });
    let threads = (1..number).map(|index| {
        let workers = Arc::clone(&workers);
        thread::spawn(move || {
            CURRENT.set(Some((Arc::clone(&workers), index)));
            workers.run_tasks(|state| state.is_over);
        })
    });
    let threads: Vec<_> = threads.collect();
    CURRENT.set(Some((Arc::clone(&workers), 0)));
    let outcome = catch_unwind(AssertUnwindSafe(f));
    workers.join(NO_SCOPE);
    CURRENT.set(None);
    workers.lock().is_over = true;
    workers.changed.notify_all();
    for thread in threads {
        thread.join().expect("no task unwinds");
    }
    outcome.unwrap_or_else(|payload| resume_unwind(payload))
}

/// Whether the current thread runs what it forks at once.
pub fn is_inline() -> bool {
    INLINE.get()
}

impl Workers {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("nothing panics under the lock")
    }

    fn fork(&self, task: Task) {
        let mut state = self.lock();
        *state.running.entry(task.scope).or_default() += 1;
        state.queue.push(task);
        self.changed.notify_all();
    }

    fn join(&self, scope: u64) {
        self.run_tasks(|state| state.running.get(&scope).is_none_or(|running| *running == 0));
    }

    /// Runs whatever there is to run.
    fn run_tasks(&self, until: impl Fn(&State) -> bool) {
        let mut state = self.lock();
        while !until(&state) {
            let Some(task) = state.queue.pop() else {
                state = self.changed.wait(state).expect("nothing panics under the lock");
                continue;
            };
            drop(state);
            run(task.f, task.data);
            state = self.lock();
            *state.running.get_mut(&task.scope).expect("it was counted") -= 1;
            self.changed.notify_all();
        }
    }
}

/// A task must leave the thread as it found it.
fn run(f: TaskFn, data: *mut ()) {
    let state = || (is_inline(), rayon_core::current_thread_index());
    let before = state();
    // SAFETY: The caller of the runtime gave us the pair, to be called once.
    unsafe { f(data) };
    if state() != before {
        eprintln!("a task left its thread in another state: {:?}, not {before:?}", state());
        process::abort();
    }
}

/// The workers that may run what the current thread forks.
fn workers() -> Option<Arc<Workers>> {
    CURRENT.with_borrow(|current| current.as_ref().map(|(workers, _)| Arc::clone(workers)))
}

fn new_scope(workers: &Workers) -> u64 {
    let mut state = workers.lock();
    state.last_scope += 1;
    state.last_scope
}

#[unsafe(no_mangle)]
extern "C" fn rosser_join(a: TaskFn, a_data: *mut (), b: TaskFn, b_data: *mut ()) {
    match workers() {
        Some(workers) if !is_inline() => {
            let scope = new_scope(&workers);
            workers.fork(Task { f: b, data: b_data, scope });
            run(a, a_data);
            workers.join(scope);
        }
        _ => {
            run(a, a_data);
            run(b, b_data);
        }
    }
}

#[unsafe(no_mangle)]
extern "C" fn rosser_scope_begin() -> u64 {
    workers().map_or(UNCHECKED, |workers| new_scope(&workers))
}

#[unsafe(no_mangle)]
extern "C" fn rosser_scope_end(scope: u64) {
    if let Some(workers) = workers() {
        workers.join(scope);
    }
}

#[unsafe(no_mangle)]
extern "C" fn rosser_spawn(_kind: u64, scope: u64, f: TaskFn, data: *mut ()) {
    match workers() {
        Some(workers) if !is_inline() => workers.fork(Task { f, data, scope }),
        _ => run(f, data),
    }
}

#[unsafe(no_mangle)]
extern "C" fn rosser_worker() -> usize {
    CURRENT.with_borrow(|current| current.as_ref().map_or(0, |(_, index)| *index))
}

#[unsafe(no_mangle)]
extern "C" fn rosser_workers() -> usize {
    workers().map_or(1, |workers| workers.number)
}

#[unsafe(no_mangle)]
extern "C" fn rosser_inline(on: bool) -> bool {
    INLINE.replace(on)
}

#[unsafe(no_mangle)]
unsafe extern "C" fn rosser_leaf(body: TaskFn, data: *mut (), first: u64) -> u64 {
    // SAFETY: the caller's.
    unsafe { body(data) };
    first
}

#[unsafe(no_mangle)]
extern "C" fn rosser_next_item() {}

#[unsafe(no_mangle)]
extern "C" fn rosser_has_items() -> bool {
    false
}

#[unsafe(no_mangle)]
extern "C" fn rosser_worker_local() {}

#[unsafe(no_mangle)]
extern "C" fn rosser_blocked() -> ! {
    eprintln!("the current task can never go on");
    process::abort();
}
