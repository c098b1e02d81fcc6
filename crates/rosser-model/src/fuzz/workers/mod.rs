//! The engine for several workers held against the oracle: the same run, told as the runtime tells it.
//!
//! Everything is done by one thread, so a mistake shows every time. But the run is one by several workers
//! ([`run`]): each has the tasks that it took up, and what they do is interleaved at random. What the engine is
//! told of the run is a [`mod@script`].

mod engine;
mod judge;
mod run;
mod script;
mod telling;

use rosser_detect::oracle::Oracle;
use rosser_detect::storage::Exhausted;
use rosser_detect::{Detail, Detector, Item, Trace};

use super::compare::Mismatch;
use super::layout::Layout;
use super::rng::Rng;
use super::saturate::saturate;
use crate::machine::Machine;
use crate::program::Program;
use engine::TEAM;
use judge::Verdict;
use run::{TeamRun, run_on_team};
use script::{Style, script};
use telling::Telling;

/// Runs a program on several workers, and compares what the engine finds with what the oracle has.
pub fn compare(program: &Program, rng: &mut Rng, max_steps: u64) -> Option<Mismatch> {
    let run = run_on_team(&mut Machine::new(program), rng, max_steps);
    let style = Style::random(rng);
    compare_run(&run, &run.trace, style, &[Layout::Words, Layout::Bytes], rng)
        .or_else(|| compare_run(&run, &saturate(&run.trace), style, &[Layout::Words], rng))
}

fn compare_run(
    run: &TeamRun,
    trace: &Trace,
    style: Style,
    layouts: &[Layout],
    rng: &mut Rng,
) -> Option<Mismatch> {
    let script = script(trace, style, rng);
    let mut oracle = Oracle::new(Detail::Pairs);
    let mut steps = Vec::new();
    for item in script.trace.items() {
        match *item {
            Item::Event(event) => oracle.event(event),
            Item::Access(location, access, site) => oracle.access(location, access, site),
        }
        steps.push(oracle.current_step());
    }
    layouts.iter().find_map(|layout| {
        TEAM.with_borrow_mut(|team| {
            team.restart();
            let what = match Telling::new(team, &script, &run.worker_of, *layout).tell() {
                Err(Exhausted) => Some("ran out of memory".to_owned()),
                Ok(Err(wrong)) => Some(wrong),
                Ok(Ok(heard)) => {
                    Verdict { trace: &script.trace, heard: &heard, steps: &steps }.judge(&oracle)
                }
            };
            let who = format!("the engine for {} workers ({layout:?})", run.workers);
            what.map(|what| Mismatch { who, what })
        })
    })
}
