//! `rosser model`: the commands for the model language.

mod check;
mod explore;
mod fuzz;
mod graph;
mod json;
mod snippet;
mod validate;
mod validate_json;

use std::io::Read;
use std::path::Path;

use rosser_model::{Diagnostic, Program, Source};

use crate::exit;
use crate::rosser::cli::Model;
use crate::rosser::output;

/// Runs a command and returns its exit code.
pub fn run(command: Model) -> u8 {
    match command {
        Model::Check(args) => check::run(&args),
        Model::Explore(args) => explore::run(&args),
        Model::Graph(args) => graph::run(&args),
        Model::Validate(args) => validate::run(&args),
        Model::Fuzz(args) => fuzz::run(&args),
    }
}

/// Why a program could not be loaded.
enum Unloadable {
    /// The file cannot be read.
    Unreadable(String),
    /// It can, but is no program. The error comes with the text, if that is text at all.
    Invalid(Option<Source>, Box<Diagnostic>),
}

impl Unloadable {
    fn code(&self) -> u8 {
        match self {
            Self::Unreadable(_) => exit::USAGE,
            Self::Invalid(..) => exit::FAILED,
        }
    }

    /// Tells the user on standard error.
    fn tell(&self) {
        match self {
            Self::Unreadable(message) => output::note(&format!("error: {message}\n")),
            Self::Invalid(Some(source), error) => output::note(&snippet::error(source, error)),
            Self::Invalid(None, error) => output::note(&format!("error: {}\n", error.message)),
        }
    }
}

fn is_stdin(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// A file as reports name it.
fn name(path: &Path) -> String {
    if is_stdin(path) { "<stdin>".to_owned() } else { path.display().to_string() }
}

/// Programs are short. A device may have no end.
const MAX_BYTES: u64 = 16 << 20;

/// All there is to read, if it is not too much.
fn read(from: impl Read) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(std::io::Error::new(
            std::io::ErrorKind::FileTooLarge,
            "it is longer than 16 MiB, the longest that a program may be",
        ));
    }
    Ok(bytes)
}

/// Reads and compiles a program.
fn load(path: &Path) -> Result<(Source, Program), Unloadable> {
    let name = name(path);
    let bytes = if is_stdin(path) {
        read(std::io::stdin())
    } else {
        std::fs::File::open(path).and_then(read)
    };
    let bytes =
        bytes.map_err(|error| Unloadable::Unreadable(format!("cannot read {name}: {error}")))?;
    let source = Source::from_bytes(&name, bytes)
        .map_err(|error| Unloadable::Invalid(None, error.into()))?;
    match rosser_model::load(&source) {
        Ok(program) => Ok((source, program)),
        Err(error) => Err(Unloadable::Invalid(Some(source), error.into())),
    }
}

/// Reads and compiles a program; where that fails, tells the user and gives the exit code.
fn load_or_tell(path: &Path) -> Result<(Source, Program), u8> {
    load(path).map_err(|problem| {
        problem.tell();
        problem.code()
    })
}

/// A number with its noun, in the plural where that is due.
fn count(number: u64, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {noun}{plural}", grouped(number))
}

/// A number with its digits in groups of three.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// The exit code for several files: the most telling one.
fn most_telling(codes: impl IntoIterator<Item = u8>) -> u8 {
    let rank = |code: &u8| match *code {
        exit::CLEAN => 0,
        exit::INCOMPLETE => 1,
        exit::STOPPED => 2,
        exit::FAILED => 3,
        exit::USAGE => 4,
        _ => 5,
    };
    codes.into_iter().max_by_key(rank).unwrap_or(exit::CLEAN)
}
