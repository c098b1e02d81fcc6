//! `rosser model graph`: a run as a picture.

use rosser_model::Source;
use rosser_model::graph::{MAX_STEPS_DRAWN, graph};
use rosser_model::serial::Outcome;

use super::{grouped, load_or_tell};
use crate::exit;
use crate::rosser::cli::{Detail, Graph, Picture, What};
use crate::rosser::output;

/// Runs a program once and draws its computation graph or its task tree.
pub fn run(args: &Graph) -> u8 {
    let (source, program) = match load_or_tell(&args.file) {
        Ok(loaded) => loaded,
        Err(code) => return code,
    };
    let Some(drawn) = graph(&program, &source, args.max_steps) else {
        return too_large(&source, "steps");
    };
    let computation = match (args.detail, &drawn.statements) {
        (Detail::Step, _) => &drawn.steps,
        (Detail::Statement, Some(statements)) => statements,
        (Detail::Statement, None) => return too_large(&source, "statements"),
    };
    let text = match (args.what, args.format) {
        (What::Computation, Picture::Svg) => computation.to_svg(),
        (What::Computation, Picture::Dot) => computation.to_dot(),
        (What::Dpst, Picture::Svg) => drawn.dpst.to_svg(),
        (What::Dpst, Picture::Dot) => drawn.dpst.to_dot(),
    };
    match &args.output {
        None => output::print(&text),
        Some(path) => {
            if let Err(error) = std::fs::write(path, &text) {
                output::note(&format!("error: cannot write {}: {error}\n", path.display()));
                return exit::USAGE;
            }
        }
    }
    match &drawn.outcome {
        Outcome::Finished => exit::CLEAN,
        Outcome::Deadlock(_) => {
            output::note("note: the run deadlocked; the picture shows it up to there\n");
            exit::CLEAN
        }
        Outcome::Failed(error) => {
            output::note(&super::snippet::error(&source, &error.diagnostic(&program)));
            exit::FAILED
        }
        Outcome::StepLimit(..) => {
            output::note("error: the program was stopped at the limit of instructions\n");
            exit::INCOMPLETE
        }
    }
}

fn too_large(source: &Source, what: &str) -> u8 {
    output::note(&format!(
        "error: the run of {} has more than {} {what}; nobody could read the picture\n",
        source.name(),
        grouped(MAX_STEPS_DRAWN as u64),
    ));
    exit::INCOMPLETE
}
