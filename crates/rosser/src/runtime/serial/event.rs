//! Something that happens once, and tasks that wait for it: the heart of a promise.

use std::ptr;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::{AcqRel, Acquire};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::detector::SetPoint;
use super::executor;
use super::fiber::FiberRef;
use super::others::{Inbox, WaitsForOutside};
use crate::runtime::{self, Deadlock, Here, Origin, Places};

#[derive(Debug)]
pub(crate) struct Event {
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    happened: Option<SetPoint>,
    waiting: Vec<Arc<Wait>>,
}

/// One get that waits.
#[derive(Debug)]
pub(super) struct Wait {
    sleeper: Sleeper,
    pub(super) places: Places,
    /// Set by whoever ends it: the event, or a deadlock.
    over: AtomicBool,
    /// Why, if it was a deadlock. Not a `OnceLock`: that is set by compiled functions of the standard library, which are
    /// seen while this crate is not.
    deadlock: Mutex<Option<Arc<Deadlock>>>,
}

#[derive(Debug)]
enum Sleeper {
    Task(FiberRef),
    /// On the thread's own stack.
    Thread(Arc<Inbox>),
}

impl Event {
    /// One that a task of the library lets happen when it ends. Here it is like any other.
    pub(crate) const fn of_task() -> Self {
        Self::new()
    }

    pub(crate) const fn new() -> Self {
        Self { state: Mutex::new(State { happened: None, waiting: Vec::new() }) }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether it has happened.
    #[inline(never)]
    pub(crate) fn has_happened(&self) -> bool {
        self.state().happened.is_some()
    }

    /// Lets it happen, and those who wait go on, in the order in which they began to.
    #[inline(never)]
    pub(crate) fn happen(&self, here: Here) {
        let point = SetPoint::set(here);
        let mut state = self.state();
        state.happened = Some(point);
        let waiting = std::mem::take(&mut state.waiting);
        drop(state);
        for wait in waiting {
            wait.end();
        }
    }

    /// Somebody tries to let it happen although it has happened.
    #[inline(never)]
    pub(crate) fn happen_again(&self, here: Here) {
        if let Some(point) = self.state().happened {
            point.set_again(ptr::from_ref(self) as usize, here);
        }
    }

    /// Waits until it has happened.
    #[inline(always)]
    pub(crate) fn wait(
        &self,
        places: impl FnOnce() -> Places,
        origin: Origin,
        here: Here,
    ) -> Result<(), Arc<Deadlock>> {
        self.wait_at(places(), origin, here)
    }

    #[inline(never)]
    fn wait_at(&self, places: Places, origin: Origin, here: Here) -> Result<(), Arc<Deadlock>> {
        loop {
            let happened = self.state().happened;
            if let Some(point) = happened {
                point.got(here);
                return Ok(());
            }
            runtime::forbid_in_isolated_at("wait for a promise", places.waits_at);
            self.wait_for_it(places, origin)?;
        }
    }

    /// Waits, if it has not happened.
    fn wait_for_it(&self, places: Places, origin: Origin) -> Result<(), Arc<Deadlock>> {
        let fiber = executor::current_fiber();
        let sleeper = fiber.map_or_else(|| Sleeper::Thread(executor::inbox()), Sleeper::Task);
        let (over, deadlock) = (AtomicBool::new(false), Mutex::default());
        let wait = Arc::new(Wait { sleeper, places, over, deadlock });
        let mut state = self.state();
        if state.happened.is_some() {
            return Ok(());
        }
        state.waiting.push(Arc::clone(&wait));
        drop(state);
        let from_outside = (origin == Origin::Outside).then(WaitsForOutside::begin);
        let deadlock = if let Some(fiber) = fiber {
            if origin == Origin::Tasks {
                executor::note_waiting(&wait);
            }
            executor::wait_on(fiber);
            wait.deadlock().clone()
        } else {
            executor::wait_on_thread(|| wait.is_over(), Some(&wait))
        };
        drop(from_outside);
        deadlock.map_or(Ok(()), Err)
    }
}

impl Wait {
    pub(super) fn is_over(&self) -> bool {
        self.over.load(Acquire)
    }

    /// What it waits for has happened.
    fn end(&self) {
        if !self.over.swap(true, AcqRel) {
            self.wake();
        }
    }

    /// It will never happen.
    pub(super) fn fail(&self, deadlock: &Arc<Deadlock>) {
        if !self.over.swap(true, AcqRel) {
            *self.deadlock() = Some(Arc::clone(deadlock));
            self.wake();
        }
    }

    fn deadlock(&self) -> MutexGuard<'_, Option<Arc<Deadlock>>> {
        self.deadlock.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wake(&self) {
        match &self.sleeper {
            Sleeper::Task(fiber) => executor::wake(*fiber),
            Sleeper::Thread(inbox) => inbox.knock(),
        }
    }
}
