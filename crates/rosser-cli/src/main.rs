//! The `rosser` command: a thin layer that reads arguments, calls the libraries and renders.

mod cli;
mod exit;
mod model;
mod output;

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    let cli = cli::Cli::parse();
    let code = match cli.command {
        cli::Command::Model(command) => model::run(command),
    };
    output::finish(code)
}
