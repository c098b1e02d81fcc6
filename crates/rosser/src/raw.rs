//! What the library for C is made of. No part of what this crate promises to keep: it changes whenever
//! that library does.
//!
//! The constructs without types, and with places that the caller names. What is missing here is good
//! enough as it is: the lifetime of a [`Finish`] may be `'static`, if somebody else sees to it that
//! what its tasks borrow lives.
#![allow(unsafe_code, reason = "a pointer is moved between tasks")]

use std::fmt;
use std::sync::OnceLock;

pub use crate::place::Place;
use crate::promise::Broken;
pub use crate::runtime::Here;
use crate::runtime::{self, Places};
use crate::{Accumulator, Finish, Operator, Procedure, SharedFuture};

/// Where something is done.
#[derive(Clone, Copy, Debug)]
pub struct Site {
    /// The place for messages: file and line.
    pub place: Place,
    /// The place for the detector: an address in the program.
    pub here: Here,
}

/// A value that nobody here looks at.
#[derive(Clone, Copy, Debug)]
pub struct Value(pub *mut ());

// SAFETY: it is an address. What is done with it is up to the ones who send and get it.
unsafe impl Send for Value {}
// SAFETY: the same.
unsafe impl Sync for Value {}

/// A promise of a pointer.
#[derive(Debug)]
pub struct Promise {
    inner: crate::Promise<Value>,
    made_at: Place,
    set_at: OnceLock<Place>,
}

/// The pointer that a task returns.
#[derive(Debug)]
pub struct Future {
    inner: SharedFuture<Value>,
    made_at: Place,
}

/// Why there is no value.
#[derive(Debug)]
pub enum NoValue {
    /// It would have to be waited for, inside an isolated section.
    Isolated,
    /// Nobody is left who could provide it: the report.
    Deadlock(String),
    /// Its task has failed.
    Failed,
}

impl Promise {
    /// A promise that a task will set.
    pub const fn new(made_at: Place) -> Self {
        Self { inner: crate::Promise::new(), made_at, set_at: OnceLock::new() }
    }

    /// A promise that may be set by something that is no task.
    pub const fn outside(made_at: Place) -> Self {
        Self { inner: crate::Promise::outside(), made_at, set_at: OnceLock::new() }
    }

    /// Where it was made.
    pub fn made_at(&self) -> Place {
        self.made_at
    }

    /// Sets it, or says where it was set before.
    pub fn set(&self, value: Value, at: Site) -> Result<(), Place> {
        let mut is_first = false;
        let first = *self.set_at.get_or_init(|| {
            is_first = true;
            at.place
        });
        if !is_first {
            self.inner.tell_second_set(at.here);
            return Err(first);
        }
        let set = self.inner.try_set_from(at.here, value);
        debug_assert!(set.is_ok(), "only the first comes here");
        Ok(())
    }

    /// The value, if it was set. To be asked when nobody uses the promise any more.
    pub fn value(&self) -> Option<Value> {
        self.inner.peek().copied()
    }

    /// The value. Waits for it.
    pub fn get(&self, at: Site) -> Result<Value, NoValue> {
        let places = Places { waits_at: at.place, made_at: self.made_at };
        let wait = || self.inner.wait_from(at.here, || places);
        get(self.inner.is_decided(), wait)
    }
}

impl Future {
    /// Starts a task whose value is wanted.
    pub fn spawn(
        finish: &Finish<'static>,
        body: impl FnOnce() -> Value + Send + 'static,
        at: Site,
    ) -> Self {
        let inner = finish.spawn_future_from(at.here, |_| body()).share();
        Self { inner, made_at: at.place }
    }

    /// Where it was made.
    pub fn made_at(&self) -> Place {
        self.made_at
    }

    /// As [`Promise::get`].
    pub fn get(&self, at: Site) -> Result<Value, NoValue> {
        let places = Places { waits_at: at.place, made_at: self.made_at };
        get(self.inner.is_decided(), || self.inner.wait_from(at.here, places))
    }
}

fn get<'a>(
    decided: bool,
    wait: impl FnOnce() -> Result<&'a Value, Broken>,
) -> Result<Value, NoValue> {
    if !decided && is_isolated() {
        return Err(NoValue::Isolated);
    }
    match wait() {
        Ok(value) => Ok(*value),
        Err(Broken::Deadlock(deadlock)) => Err(NoValue::Deadlock(deadlock.report().to_owned())),
        Err(Broken::Abandoned) => Err(NoValue::Failed),
    }
}

impl fmt::Display for NoValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Isolated => {
                f.write_str("the value would have to be waited for inside an isolated section")
            }
            Self::Deadlock(report) => f.write_str(report),
            Self::Failed => f.write_str("the task that was to provide the value has failed"),
        }
    }
}

/// Starts a task.
pub fn spawn(finish: &Finish<'static>, body: impl FnOnce() + Send + 'static, here: Here) {
    finish.spawn_from(here, |_| body());
}

/// Starts a child of a procedure.
pub fn spawn_child(
    procedure: &Procedure<'static>,
    body: impl FnOnce(&Procedure<'static>) + Send + 'static,
    here: Here,
) {
    procedure.spawn_from(here, body);
}

/// Runs an isolated section.
pub fn isolated<R>(section: impl FnOnce() -> R, here: Here) -> R {
    runtime::isolated(here, section)
}

/// Whether the caller is inside an isolated section, where it must not wait.
pub fn is_isolated() -> bool {
    runtime::is_isolated()
}

/// Looks at what has been accumulated so far, though nobody makes sure that all have contributed.
pub fn look<T, Op: Operator<T>, R>(accumulator: &Accumulator<T, Op>, f: impl FnOnce(&T) -> R) -> R {
    accumulator.look(f)
}
