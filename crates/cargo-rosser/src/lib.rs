//! The driver: the commands `cargo rosser` and `rosser`, which share settings, reports and exit codes. Their binaries only
//! call [`main`] and [`rosser::main`].
//!
//! `cargo-rosser` has four roles, by who calls it:
//!
//! | called by | it |
//! |---|---|
//! | the user | prepares an environment, calls cargo in it, and reports what the programs left behind |
//! | cargo, in place of the compiler and of rustdoc | decides crate by crate what gets checks |
//! | rustc, in place of the linker | makes checked code of the program itself, and links |
//! | a build script, in place of the C compiler | has the user's compiler put checks in |

mod build;
pub mod c_compiler;
pub mod cache;
pub mod cargo_config;
pub mod cli;
mod context;
pub mod ending;
mod environment;
pub mod error;
pub mod exit;
pub mod message;
pub mod report;
pub mod rosser;
pub mod run;
pub mod runs;
mod runtime_cache;
pub mod settings;
pub mod show_env;
mod sources;
pub mod toolchain;
mod wrapper;

use std::env;
use std::ffi::OsString;
use std::fs;
use std::process::ExitCode;

use cli::{Invocation, Subcommand};
use context::Context;
use error::{Error, Result};
use message::Terminal;

/// The command `cargo rosser`, in whichever role this process was started.
pub fn main() -> ExitCode {
    if let Some((language, launcher)) = c_compiler::Language::called_as() {
        return wrapper::c_compiler::main(language, &launcher);
    }
    let mut arguments: Vec<OsString> = env::args_os().skip(1).collect();
    if wrapper::is_called_by_cargo(&arguments) {
        return wrapper::main(arguments);
    }
    // Cargo passes the name of the subcommand on.
    if arguments.first().is_some_and(|first| first == "rosser") {
        arguments.remove(0);
    }
    let program = std::iter::once(OsString::from("cargo rosser"));
    let matches = cli::command().get_matches_from(program.chain(arguments));
    let code = cli::parse(&matches).and_then(|invocation| dispatch(&invocation));
    match code {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            Terminal::default().error(&error.message);
            ExitCode::from(error.code)
        }
    }
}

/// Does what the user wants.
fn dispatch(invocation: &Invocation) -> Result<u8> {
    let context = Context::new(invocation)?;
    let terminal = Terminal::new(&context.settings, invocation.has("quiet"));
    match invocation.subcommand {
        Subcommand::Run | Subcommand::Test | Subcommand::Bench | Subcommand::Nextest => {
            run::run(&context, invocation, terminal)
        }
        Subcommand::Build => build::build(&context, invocation, terminal),
        Subcommand::ShowEnv => show_env::show_env(&context, invocation, terminal),
        Subcommand::Report => {
            let run = context.runs().last()?;
            let Some(found) =
                report::load(&context.settings, &context.workspace_root, &run.directory)?
            else {
                terminal.error(report::NOTHING_CHECKED);
                return Ok(exit::NOT_CHECKED);
            };
            let written =
                report::write(&found, &context.settings, terminal, invocation.has("verbose"));
            let code = report::code(&found.counts(), context.settings.fail_on, exit::CLEAN);
            report::code_if(written, code, terminal)
        }
        Subcommand::Clean => {
            let directory = &context.directory;
            match fs::remove_dir_all(directory) {
                Err(error) if directory.exists() => Err(Error::file("remove", directory, &error)),
                _ => Ok(exit::CLEAN),
            }
        }
    }
}
