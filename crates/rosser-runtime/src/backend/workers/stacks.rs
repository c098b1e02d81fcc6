//! Stacks as the program has them: from a task to whoever has forked it, on whichever thread that is.

use super::checked::{self, Checked};
use crate::backtrace::{Caller, Here, callers};
use crate::stack::StackBounds;

/// A function that is going to wait for a task, or in which the scope was opened that joins it. As long as
/// the task runs, what is further up is there.
#[derive(Clone, Copy, Default)]
pub struct Origin {
    /// The worker on whose stack it is.
    worker: usize,
    /// How many tasks are on that stack.
    depth: usize,
    /// Its frame; 0 if nobody waits.
    frame: usize,
}

impl Origin {
    /// A function with the given frame, in the current task of the calling thread.
    pub fn here(checked: &Checked, frame: usize) -> Self {
        Self { worker: checked.number, depth: checked.depth, frame }
    }
}

/// A task on the stack of a worker.
#[derive(Clone, Copy, Default)]
pub struct Begin {
    /// Its functions are below this address.
    pub entry: usize,
    /// Of a task that has nothing to do with the one below it on the stack: where it was forked, and by
    /// whom.
    pub elsewhere: Option<(usize, Origin)>,
}

impl Checked {
    /// Goes through the functions on the stack of the current task, and then of those that have forked it.
    pub fn each_caller(&self, here: Here, each: &mut dyn FnMut(Caller)) {
        // Not further than from one end of a very deep recursion to the other.
        const FAR: usize = 1 << 16;
        let (mut checked, mut depth) = (self, self.depth);
        here.callers(checked.part_of(depth)).for_each(&mut *each);
        let mut is_own = true;
        for _ in 0..FAR {
            if depth == 0 {
                return;
            }
            let Begin { entry, elsewhere } = checked.begin(depth);
            let mut frame = entry;
            depth -= 1;
            if let Some((pc, origin)) = elsewhere {
                is_own = false;
                each(Caller { return_address: pc + 1, frame: usize::MAX });
                // SAFETY: what is read of it does not change while the task runs.
                let other = unsafe { checked::other(origin.worker as u32) };
                let Some(other) = other.filter(|_| origin.frame != 0) else { return };
                (checked, depth, frame) = (other, origin.depth, origin.frame);
            }
            for caller in callers(frame, checked.part_of(depth)) {
                // Variables are looked for on the stack of the access only.
                each(if is_own { caller } else { Caller { frame: usize::MAX, ..caller } });
            }
        }
    }

    /// The part of the stack that a task on it may use, and what has nothing to do with tasks.
    fn part_of(&self, depth: usize) -> StackBounds {
        let high = if depth == 0 { self.stack.high } else { self.begin(depth).entry };
        StackBounds { high, ..self.stack }
    }
}
