//! Finding out that nothing can go on.
//!
//! Whenever a worker has stopped its last turn and some task is blocked, it asks whether there is
//! any turn left anywhere (see [`home`](super::home)). If not, no task can ever set what the blocked
//! ones wait for: each is woken with the same report and panics out of its `get`. Tasks that wait
//! for a finish are not woken; their tasks end now, and so do they.
//!
//! The answer is about all tasks of the process. A deadlock among some of them is found when the
//! others have come to rest.

use super::home::Homes;
use crate::runtime::deadlock::Deadlock;

/// Called by a worker that has nothing to do any more.
#[cold]
pub(super) fn check() {
    let homes = Homes::lock();
    if !homes.quiescent() {
        return;
    }
    let mut blocked = homes.blocked();
    blocked.retain(|wait| !wait.is_claimed());
    drop(homes);
    if blocked.is_empty() {
        return;
    }
    let deadlock = Deadlock::new(blocked.iter().map(|wait| wait.places));
    for wait in blocked {
        wait.wake(Some(&deadlock));
    }
}
