//! What a task does, and what comes of it.
#![allow(unsafe_code, reason = "tasks borrow from the frames of the finish that waits for them")]

use std::any::Any;

/// What a panic carries.
pub(crate) type Payload = Box<dyn Any + Send>;

/// What a task does, once.
pub(super) type Body<'a> = Box<dyn FnOnce() + Send + 'a>;

/// # Safety
/// The body must not be used when what it borrows is gone.
pub(super) unsafe fn forget_lifetime(body: Body<'_>) -> Body<'static> {
    // SAFETY: the types differ in the lifetime alone.
    unsafe { std::mem::transmute(body) }
}
