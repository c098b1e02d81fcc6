//! A runtime for the tests: it runs tasks as the real one does, checks that it is called as the
//! rules say, and can write down how. It detects nothing.

use std::cell::{Cell, RefCell};
use std::process;

type TaskFn = unsafe extern "C" fn(*mut ());

/// The exit status after a task said that it can never go on.
pub const BLOCKED: i32 = 99;

/// How the runtime was called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// Two tasks are forked.
    Join,
    /// A scope is opened; scopes are numbered from 1.
    ScopeBegin(u64),
    /// It is closed.
    ScopeEnd(u64),
    /// A task of this kind is spawned in this scope.
    Spawn(u64, u64),
    /// The task that was spawned or forked last, and has not ended, ends.
    End,
    /// The task asked for its worker.
    WorkerLocal,
}

thread_local! {
    static EVENTS: RefCell<Option<Vec<Event>>> = const { RefCell::new(None) };
    static OPEN: RefCell<Vec<u64>> = const { RefCell::new(Vec::new()) };
    static LAST: Cell<u64> = const { Cell::new(0) };
}

/// Calls `f` and says how it called the runtime.
pub fn events_of(f: impl FnOnce()) -> Vec<Event> {
    LAST.set(0);
    EVENTS.set(Some(Vec::new()));
    f();
    EVENTS.take().expect("the recording is ended here only")
}

fn note(event: Event) {
    EVENTS.with_borrow_mut(|events| {
        if let Some(events) = events {
            events.push(event);
        }
    });
}

fn require(rule: bool, text: &str) {
    if !rule {
        eprintln!("the runtime was called against its rules: {text}");
        process::abort();
    }
}

/// A task must leave the scopes as it found them.
fn run(f: TaskFn, data: *mut ()) {
    let open = OPEN.with_borrow(Vec::len);
    // SAFETY: The caller of the runtime gave us the pair, to be called once.
    unsafe { f(data) };
    require(OPEN.with_borrow(Vec::len) == open, "a task ends the scopes it began");
    note(Event::End);
}

#[unsafe(no_mangle)]
extern "C" fn rosser_join(a: TaskFn, a_data: *mut (), b: TaskFn, b_data: *mut ()) {
    note(Event::Join);
    run(a, a_data);
    run(b, b_data);
}

#[unsafe(no_mangle)]
extern "C" fn rosser_scope_begin() -> u64 {
    let scope = LAST.get() + 1;
    LAST.set(scope);
    OPEN.with_borrow_mut(|open| open.push(scope));
    note(Event::ScopeBegin(scope));
    scope
}

#[unsafe(no_mangle)]
extern "C" fn rosser_scope_end(scope: u64) {
    let innermost = OPEN.with_borrow_mut(Vec::pop);
    require(innermost == Some(scope), "the innermost scope is ended first");
    note(Event::ScopeEnd(scope));
}

#[unsafe(no_mangle)]
extern "C" fn rosser_spawn(kind: u64, scope: u64, f: TaskFn, data: *mut ()) {
    let is_open = scope == 0 || OPEN.with_borrow(|open| open.contains(&scope));
    require(is_open, "tasks are spawned in open scopes");
    note(Event::Spawn(kind, scope));
    run(f, data);
}

#[unsafe(no_mangle)]
extern "C" fn rosser_worker() -> usize {
    0
}

#[unsafe(no_mangle)]
extern "C" fn rosser_workers() -> usize {
    1
}

#[unsafe(no_mangle)]
extern "C" fn rosser_inline(_: bool) -> bool {
    false
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
extern "C" fn rosser_worker_local() {
    note(Event::WorkerLocal);
}

#[unsafe(no_mangle)]
extern "C" fn rosser_blocked() -> ! {
    eprintln!("the current task can never go on");
    process::exit(BLOCKED);
}
