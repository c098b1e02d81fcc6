//! Measures what the detectors cost: time and memory on generated traces, and the traversal counts
//! of DRDP beside the published ones; and what checking whole programs costs.
//!
//! ```text
//!   trace ──events──► emit ──► any detector        cost       ns per access and per event, memory
//!   traversal graphs ──┘                           traversal  tasks visited per graph search
//!   examples/papers, kernels, users, in nine ways  programs   ratios of time, memory
//! ```

mod cli;
mod cost;
mod emit;
mod empty;
mod format;
mod programs;
mod trace;
mod traversal;

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    match cli::Cli::parse().run() {
        Ok(text) => {
            print!("{text}");
            ExitCode::SUCCESS
        }
        Err(message) => {
            eprintln!("rosser-bench: {message}");
            ExitCode::FAILURE
        }
    }
}
