//! Engines for detectors.
//!
//! The memory of an engine is never freed: in a checked program it is there from the beginning to the end. A
//! detector borrows an engine, and the next one gets the same.

use std::ops::{Deref, DerefMut};
use std::sync::{Mutex, PoisonError};

use rosser_detect::serial::engine::Engine;
use rosser_detect::serial::memory::Storage;

/// Engines that no detector has.
static IDLE: Mutex<Vec<Box<Engine>>> = Mutex::new(Vec::new());

/// An engine at the start of a run. It is there until the detector is dropped.
#[derive(Debug)]
pub(super) struct Lent(Option<Box<Engine>>);

impl Lent {
    pub(super) fn new() -> Self {
        let idle = IDLE.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut engine =
            idle.unwrap_or_else(|| Box::new(Engine::new(Storage::leaked(1 << 10, 1 << 6))));
        engine.restart();
        Self(Some(engine))
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        IDLE.lock().unwrap_or_else(PoisonError::into_inner).extend(self.0.take());
    }
}

impl Deref for Lent {
    type Target = Engine;

    fn deref(&self) -> &Engine {
        self.0.as_ref().expect("it is given back when dropped")
    }
}

impl DerefMut for Lent {
    fn deref_mut(&mut self) -> &mut Engine {
        self.0.as_mut().expect("it is given back when dropped")
    }
}
