//! Stacks for fibers.

#[cfg(target_os = "linux")]
mod linux;
#[cfg(not(target_os = "linux"))]
mod other;

use std::fmt::{self, Display};
use std::panic::catch_unwind;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;

#[cfg(target_os = "linux")]
pub(super) use self::linux::Stack;
#[cfg(not(target_os = "linux"))]
pub(super) use self::other::Stack;

use super::body::Payload;

/// The system has no more stacks to give.
#[derive(Debug)]
pub(super) struct OutOfStacks(String);

impl OutOfStacks {
    /// What the panic of a task that could not begin carries. The first is told aloud: it is what makes
    /// sense of everything that goes wrong then.
    pub(super) fn into_panic(self) -> Payload {
        static TOLD: AtomicBool = AtomicBool::new(false);
        if TOLD.swap(true, Relaxed) {
            return Box::new(self.to_string());
        }
        catch_unwind(|| panic!("{self}")).unwrap_err()
    }
}

impl Display for OutOfStacks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no stack for another task: {}", self.0)
    }
}
