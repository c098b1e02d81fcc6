//! What the parts of Rosser that are built apart have agreed on: numbers, layouts and names.
//!
//! * [`run_file`]: the layout of what a checked program leaves behind, which the report reads.
//! * [`executor`]: the C functions by which executors tell the runtime of tasks, and what both sides owe each other.
//! * [`names`]: what is known by name of code that is not Rosser's own.
//! * [`checks`]: the kinds of checks that the instrumentation puts into programs.
#![no_std]

pub mod checks;
#[allow(unsafe_code, reason = "functions of another crate are declared")]
pub mod executor;
pub mod names;
pub mod run_file;
