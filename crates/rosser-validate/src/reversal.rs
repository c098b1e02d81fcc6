//! Prediction with one reversal: what one of the two threads did since it last had to wait comes after all else.
//!
//! An ideal keeps the recorded order, so a section that was open first stays first. Where one access is in a section and
//! the other comes after a later section of the same lock, the first section has to open last: the part of its thread
//! since an acquire is moved to the end of the schedule, and all that it and the others find is looked at anew. (Reversing
//! one section is the simplest case of optimistic reversal: Z. Shi, U. Mathur and A. Pavlogiannis, *Optimistic Prediction
//! of Synchronization-Reversal Data Races*, ICSE 2024.)

use crate::execution::{ActionId, Execution};
use crate::ideal::{Closure, Ideal, Impossible, Lacking};
use crate::knowledge::Knowledge;

/// How many of the last places where a thread had to wait are tried.
const PLACES: usize = 3;

/// An ideal of what precedes two accesses in which the last part of one thread comes last.
pub fn of_pair(
    execution: &Execution,
    knowledge: &Knowledge,
    pair: (ActionId, ActionId),
) -> Result<Ideal, Impossible> {
    for id in [pair.0, pair.1] {
        let action = execution.action(id);
        let before = &execution.of_thread(action.thread)[..action.position as usize];
        let waits = before.iter().rev().filter(|id| execution.action(**id).act.may_wait());
        for wait in waits.take(PLACES) {
            let mut closure = Closure::new(execution, knowledge, pair, Lacking::Last);
            closure.tail = Some((action.thread, execution.action(*wait).position as usize));
            if let Ok(ideal) = closure.start().and_then(|()| closure.finish()) {
                return Ok(ideal);
            }
        }
    }
    Err(Impossible)
}
