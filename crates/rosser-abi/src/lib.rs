//! What the parts of Rosser that are built apart have agreed on: numbers, layouts and names.
//!
//! * [`run_file`]: the layout of what a checked program leaves behind, which the report reads.
//! * [`names`]: what is known by name of code that is not Rosser's own.
//! * [`checks`]: the kinds of checks that the instrumentation puts into programs.
#![no_std]

pub mod checks;
pub mod names;
pub mod run_file;
