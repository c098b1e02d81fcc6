//! What programs rely on: which calls fork what, what panics do, who is inside which pool.

mod broadcast;
mod builder;
mod fork;
mod panics;
mod pools;
mod process;
mod runtime;
