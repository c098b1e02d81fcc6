//! What the parts of Rosser that are built apart have agreed on: numbers, layouts and names, and no code.
//!
//! * [`run_file`]: the layout of what a checked program leaves behind, which the report reads.
//! * [`checks`]: the kinds of checks that the instrumentation puts into programs.
#![no_std]

pub mod checks;
pub mod run_file;
