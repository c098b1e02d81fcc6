//! Tasks on several workers, each a thread, and detection while they run: SF-Order.
//!
//! ```text
//!  tasks       fork and join, called by the replacement of rayon-core
//!     │
//!  futures     tasks of the task library, and those that it gets; library: what is not admitted
//!  pool        the workers, and the tasks that wait for one
//!  checked     a thread that is checked: its worker of `sf_order`, its stack, its sites
//!  access, ranges, atomics             what its program does
//!  evidence    what is told of a conflict; stacks: who has called and forked whom
//! ```
//!
//! A parallel region begins when a thread that is in none forks, and ends when that is joined. The thread
//! is the first of the workers, the others are threads of the runtime's own.

pub mod access;
mod atomics;
pub mod checked;
mod evidence;
mod futures;
mod library;
mod pool;
pub mod ranges;
mod rooms;
mod stacks;
pub mod tasks;
