//! The `rosser` command: C and C++ programs, and programs in the model language.
//!
//! It reads arguments, calls the libraries and shows what they return.

mod c;
mod cli;
mod model;
mod output;
mod trace;
mod verdicts;

use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches};

/// Runs the command that this process was started as.
pub fn main() -> ExitCode {
    if let Some((language, arguments)) = c::called_as_compiler() {
        return output::finish(c::compile(language, &arguments));
    }
    let command = cli::Cli::command()
        .mut_subcommand("run", c::with_settings)
        .mut_subcommand("report", c::with_settings);
    let matches = command.get_matches();
    let cli = cli::Cli::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    let (_, of_subcommand) = matches.subcommand().expect("one is required");
    let code = match cli.command {
        cli::Command::Model(command) => model::run(command),
        cli::Command::Cc(compiler) => c::compile(c::Language::C, &compiler.arguments),
        cli::Command::Cpp(compiler) => c::compile(c::Language::Cpp, &compiler.arguments),
        cli::Command::Run(run) => c::run(&run.program, of_subcommand),
        cli::Command::Report(_) => c::report(of_subcommand),
        cli::Command::Trace(command) => trace::run(&command),
        cli::Command::Analyze(args) => trace::analyze(&args),
        cli::Command::ShowEnv => c::show_env(),
    };
    output::finish(code)
}
