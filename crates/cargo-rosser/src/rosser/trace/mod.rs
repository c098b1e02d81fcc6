//! `rosser trace` and `rosser analyze`: recorded executions as files.

mod analyze;
mod dump;
mod rapid;

use std::fmt::Write;
use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::Path;

use rosser_trace::{Place, Summary, Trace, read, write};
use rosser_validate::{ActionId, Word};

pub use analyze::run as analyze;

use crate::exit;
use crate::message::harmless;
use crate::rosser::{cli, output};

/// Runs a command on a trace.
pub fn run(command: &cli::Trace) -> u8 {
    let path = match command {
        cli::Trace::Info(args) | cli::Trace::Dump(args) => &args.file,
        cli::Trace::Export(args) => &args.file,
    };
    let summary = match load(path) {
        Ok(summary) => summary,
        Err(message) => {
            output::note(&message);
            return exit::USAGE;
        }
    };
    let shown = match command {
        cli::Trace::Info(_) => Ok(info(&summary)),
        cli::Trace::Dump(_) => Ok(dump::text(&summary.trace)),
        cli::Trace::Export(_) => rapid::text(&summary.trace),
    };
    tell_problems(&summary);
    match shown {
        Ok(text) => output::print(&text),
        Err(message) => {
            output::note(&format!("error: {message}\n"));
            return exit::USAGE;
        }
    }
    if summary.problems.is_empty() { exit::CLEAN } else { exit::INCOMPLETE }
}

/// Writes a trace to a file, or says why not.
pub fn save(trace: &Trace, path: &Path) -> Result<(), String> {
    let written = File::create(path).and_then(|file| {
        let mut file = BufWriter::new(file);
        write(trace, &mut file)?;
        file.flush()
    });
    written.map_err(|error| format!("error: cannot write {}: {error}\n", path.display()))
}

/// Reads a trace, or says why not.
fn load(path: &Path) -> Result<Summary, String> {
    let bytes = std::fs::read(path)
        .map_err(|error| format!("error: cannot read {}: {error}\n", path.display()))?;
    read(&bytes).map_err(|error| format!("error: cannot read {}: {error}\n", path.display()))
}

fn tell_problems(summary: &Summary) {
    for problem in &summary.problems {
        output::note(&format!("warning: {problem}\n"));
    }
}

fn info(summary: &Summary) -> String {
    let trace = &summary.trace;
    let actions = trace.execution.actions();
    let accesses = actions.iter().filter(|action| action.act.is_computation()).count();
    let order = if trace.is_precise { "known" } else { "known only up to synchronisation" };
    let ended = if trace.about.ended.is_empty() { "not known" } else { &trace.about.ended };
    let mut text = String::new();
    let mut line = |name: &str, value: String| {
        let _ = writeln!(text, "{name:<16}{value}");
    };
    line("program", harmless(&trace.about.program).into_owned());
    line("recorded by", harmless(&trace.about.recorder).into_owned());
    line("ended", harmless(ended).into_owned());
    line("threads", trace.execution.thread_count().to_string());
    line("accesses", accesses.to_string());
    line("synchronisation", (actions.len() - accesses).to_string());
    line("order", format!("of accesses: {order}"));
    line("places", trace.sites.len().to_string());
    let skipped = match summary.skipped {
        0 => String::new(),
        skipped => format!(", {skipped} of them of unknown kinds"),
    };
    line("blocks", format!("{}{skipped}; {} bytes in them", summary.blocks, summary.raw_bytes));
    text
}

/// Who did something.
fn who(trace: &Trace, id: ActionId) -> String {
    let thread = trace.execution.action(id).thread;
    trace
        .threads
        .get(thread.index())
        .map_or_else(|| format!("t{}", thread.0), |name| harmless(name).into_owned())
}

/// Where something was done.
fn place(trace: &Trace, id: ActionId) -> String {
    let site = trace.execution.action(id).site.0;
    match trace.sites.get(site as usize) {
        Some(Place { file, line, column: 0, text }) => {
            format!("{}:{line}: {}", harmless(file), harmless(text))
        }
        Some(Place { file, line, column, text }) => {
            format!("{}:{line}:{column}: {}", harmless(file), harmless(text))
        }
        None => format!("place {site}"),
    }
}

/// What a word is called.
fn name(trace: &Trace, word: Word) -> String {
    match trace.names.binary_search_by_key(&word, |(word, _)| *word) {
        Ok(at) => harmless(&trace.names[at].1).into_owned(),
        Err(_) => format!("{:#x}", word.0),
    }
}
