//! What was shown, and under which assumptions: exactly that, and nothing more.

use annotate_snippets::{Group as Section, Level};
use rosser_detect::{Construct, DetectorKind};

use crate::numbers::{counted, grouped};
use crate::options::Style;
use crate::report::{Counts, Report};
use crate::run::{Run, State, StopReason};
use crate::text::overview;
use crate::text::wrap::wrapped;

/// How many calls of `par_bridge` are named.
const BRIDGES: usize = 5;

/// The verdict of a report, in one line.
pub fn headline(report: &Report) -> String {
    let mut claim = claim(report);
    if let Some(detector) = report.other_detector() {
        let workers = match report.workers() {
            1 => String::new(),
            workers => format!(" on {}", counted(workers, "worker")),
        };
        claim = format!("{detector}{workers}: {claim}");
    }
    if report.totals.isolated > 0 {
        claim.push_str("; conflicts between isolated sections were not looked for");
    }
    let left_out = report.left_out();
    if !left_out.is_empty() {
        claim = format!("{claim}; checks of {} were left out on request", left_out.join(", "));
    }
    if report.bridges.is_empty() || report.counts().data_races > 0 {
        return claim;
    }
    format!("{claim}; the items of `par_bridge` were not checked against each other")
}

fn claim(report: &Report) -> String {
    let counts = report.counts();
    let incomplete = report.incomplete() > 0;
    let places = counted(counts.order_dependent as u64, "place");
    if counts.data_races > 0 {
        let races = counted(counts.data_races as u64, "data race");
        return match counts.order_dependent {
            0 => races,
            _ => format!("{races}, and order-dependent at {places}"),
        };
    }
    if counts.order_dependent > 0 {
        let so_far = if incomplete { " as far as it ran" } else { "" };
        // Where another detector keeps one access for several, their classes may differ.
        let free =
            if report.other_detector().is_some() { "no data race found" } else { "race-free" };
        return format!("{free}{so_far} but order-dependent at {places}{}", besides(&counts));
    }
    if report.totals.tasks == 0 && incomplete {
        return "nothing is claimed: no task was recorded before the program ended early"
            .to_owned();
    }
    if report.totals.tasks == 0 {
        return "no task was started: nothing was checked for parallelism".to_owned();
    }
    if incomplete {
        return format!("no determinacy race{} as far as the program ran", besides(&counts));
    }
    format!("no determinacy race in any schedule for this input{}", besides(&counts))
}

/// Which findings a clean verdict leaves out.
fn besides(counts: &Counts) -> String {
    let parts: Vec<String> = [(counts.suppressed, "suppressed"), (counts.baselined, "known")]
        .into_iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, what)| format!("{} {what}", grouped(count as u64)))
        .collect();
    if parts.is_empty() { String::new() } else { format!(", besides {}", parts.join(" and ")) }
}

/// The verdict with what was checked and what was not.
pub fn verdict(report: &Report, style: Style) -> Section<'static> {
    let counts = report.counts();
    let level = if counts.data_races > 0 {
        Level::ERROR
    } else if counts.order_dependent > 0
        || counts.left_out > 0
        || report.totals.tasks == 0
        || counts.incomplete > 0
    {
        Level::WARNING
    } else {
        Level::NOTE
    };
    let mut section =
        Section::with_title(level.with_name("verdict").primary_title(headline(report)));
    let note = |text: String| Level::NOTE.message(wrapped(&text, style.width));
    section = section.elements(overview::files(report).map(note));
    section = section.element(note(checked(report)));
    section = section.elements(assumptions(report, style.verbose).into_iter().map(note));
    let next_steps = overview::next_steps(report, style);
    let help = |text: String| Level::HELP.message(wrapped(&text, style.width));
    section.elements(next_steps.into_iter().map(help))
}

/// How much was checked.
pub fn checked(report: &Report) -> String {
    let totals = &report.totals;
    let mut text = format!(
        "checked: {}, {}, {}",
        counted(totals.tasks, "task"),
        counted(totals.steps, "step"),
        counted(totals.accesses, "recorded access"),
    );
    if report.runs.len() > 1 {
        text.push_str(", in ");
        text.push_str(&counted(report.runs.len() as u64, "process"));
    }
    text
}

/// What is lost if there is no LLVM for the instrumentation stage.
const BY_COMPILER: &str = "the compiler comes without an LLVM that Rosser can use, so its own pass has put the \
     checks in: accesses of 3, 5, 6, 7 or more than 16 bytes and those of vectors were not looked at";

/// What no schedule decides, or nobody cares about.
const OUTSIDE: &str = "outside the claim: the order of what is printed, clocks, random numbers, hash seeds \
     and addresses";

/// Code of whose accesses nothing is known.
fn unseen(report: &Report) -> Option<String> {
    let mut all = Vec::new();
    if report.totals.unnamed > 0 {
        // A program in C, or one that the compiler has put the checks into.
        all.push("code that was compiled without checks".to_owned());
    } else if report.totals.std_unseen > 0 {
        all.push("the standard library".to_owned());
    }
    all.extend(report.unseen.iter().cloned());
    (!all.is_empty()).then(|| format!("not seen: accesses by {}", all.join("; ")))
}

/// What the verdict rests on, and what it leaves out.
pub fn assumptions(report: &Report, verbose: bool) -> Vec<String> {
    let (totals, tallies) = (&report.totals, &report.tallies);
    let mut notes = Vec::new();
    notes.extend(unseen(report));
    if verbose {
        notes.push(OUTSIDE.to_owned());
    }
    if totals.by_compiler > 0 {
        notes.push(BY_COMPILER.to_owned());
    }
    notes.extend(report.other_detector().and_then(|name| other_detector(name, report.workers())));
    let mut say = |count: u64, text: &dyn Fn() -> String| {
        if count > 0 {
            notes.push(text());
        }
    };
    let not_checked = |count: u64, what: &str| {
        let verb = if count == 1 { "was" } else { "were" };
        format!("{} {verb} not checked", counted(count, what))
    };
    say(totals.other_threads, &|| {
        let mut text = not_checked(totals.other_threads, "other thread");
        if totals.other_regions > 0 {
            text.push_str(", nor what they ran in ");
            text.push_str(&counted(totals.other_regions, "parallel call"));
        }
        text
    });
    say(report.bridges.len() as u64, &|| {
        let mut places = report.bridges.iter().take(BRIDGES).cloned().collect::<Vec<_>>();
        if report.bridges.len() > BRIDGES {
            let rest = report.bridges.len() - BRIDGES;
            places.push(counted(rest as u64, "further place"));
        }
        format!(
            "`par_bridge` at {}: in serial order one task takes all the items, so races between \
             items were not looked for; `collect` them first and use `par_iter` to check that",
            places.join(", ")
        )
    });
    say(totals.coarse, &|| {
        "with `grain = coarse` parallel iterators were split into few pieces: races between items \
         of one piece were not looked for"
            .to_owned()
    });
    say(totals.own_allocator, &|| {
        format!(
            "the program has a `#[global_allocator]` of its own, and how that recycles memory is \
             not seen: {} in such memory not judged. Check with the system's allocator",
            counted(totals.own_allocator, "conflict")
        )
    });
    say(totals.crowded, &|| {
        format!(
            "at {} more accesses came together than are kept: a finding there may be worse than \
             its class says, and if tasks join an outer scope there may be more",
            counted(totals.crowded, "location")
        )
    });
    say(totals.unmonitored, &|| {
        format!(
            "{} to variables that the program left unmonitored",
            counted(totals.unmonitored, "access")
        )
    });
    say(tallies.lost, &|| {
        format!(
            "{} more than a run file has room for: they are counted, not shown",
            counted(tallies.lost, "finding")
        )
    });
    say(tallies.unfinished, &|| {
        format!(
            "{} only half written when the process ended",
            counted(tallies.unfinished, "finding")
        )
    });
    notes.extend(not_reported(report));
    notes.extend(report.runs.iter().filter_map(early_end));
    if report.is_disk_full {
        notes.push(
            "the disk was full: findings are counted, but where they are is lost; make room and check again"
                .to_owned(),
        );
    }
    notes.extend(report.unreadable.iter().map(ToString::to_string));
    notes.extend(suppressions(report, verbose));
    notes.extend(report.problems.iter().cloned());
    notes
}

/// What it means that another detector than Rosser's own has judged.
fn other_detector(name: &str, workers: u64) -> Option<String> {
    let kind = DetectorKind::named(name)?;
    if kind.needs_workers() {
        return (workers > 1).then(|| {
            format!(
                "judged by {name} while the tasks ran on {}: which of several conflicts at a \
                 variable are shown may differ from run to run",
                counted(workers, "worker")
            )
        });
    }
    let updates =
        if kind.admits(Construct::Accumulate) { "" } else { ", even of updates that commute," };
    Some(format!(
        "judged by {name}, which knows no order by locks and atomics: what they protect counts as a \
         data race, and a conflict of atomic operations{updates} as order-dependent"
    ))
}

/// Conflicts that are no findings.
fn not_reported(report: &Report) -> Option<String> {
    let (totals, tallies) = (&report.totals, &report.tallies);
    let parts: Vec<String> = [
        (totals.commuting, "between updates that commute"),
        (tallies.internal, "inside locks and reference counts"),
        (tallies.searches, "between parts of a search that has one answer"),
        (tallies.initialised_once, "with an initialisation that is done once"),
        (tallies.freed_in_order, "with the last owner's freeing of a block"),
        (totals.thread_local, "on thread-local memory"),
        (tallies.suppressed, "suppressed"),
    ]
    .into_iter()
    .filter(|(count, _)| *count > 0)
    .map(|(count, what)| format!("{} {what}", grouped(count)))
    .collect();
    (!parts.is_empty()).then(|| format!("conflicts counted, not reported: {}", parts.join(", ")))
}

/// What to say about a process that did not come to its end. Stopped ones have their own messages.
fn early_end(run: &Run) -> Option<String> {
    const TASKS: &str = "before all its tasks had ended: nothing is claimed of what these had still to do, nor of \
         tasks that had not begun";
    const BEYOND: &str = ": nothing is claimed beyond that, nor of a loop that it was in";
    let (what, rest) = match run.state {
        _ if run.is_complete() => return None,
        State::Stopped(_) => return None,
        State::Running => ("was killed, or still runs".to_owned(), BEYOND),
        State::Signalled { signal } => (format!("was ended by signal {signal}"), BEYOND),
        State::Ended { .. } => ("ended itself ".to_owned(), TASKS),
        State::Replaced => ("executed another program in its place ".to_owned(), TASKS),
    };
    Some(format!("`{}` (process {}) {what}{rest}", run.program(), run.pid))
}

/// Stale suppressions and entries of the baseline.
fn suppressions(report: &Report, verbose: bool) -> Vec<String> {
    let mut notes = Vec::new();
    for line in &report.suppressions {
        let file = line
            .file
            .as_ref()
            .map_or_else(|| "built-in suppressions".to_owned(), |file| file.display().to_string());
        if line.is_stale() {
            notes.push(format!("{file}:{}: `{}` matched nothing", line.number, line.text));
        } else if verbose && line.uses > 0 {
            notes.push(format!(
                "{file}:{}: `{}` suppressed {}",
                line.number,
                line.text,
                counted(line.uses, "conflict")
            ));
        }
    }
    let gone: usize = report.gone.iter().map(|entry| entry.count).sum();
    if gone > 0 {
        notes.push(format!(
            "{} of the baseline did not occur; write it anew to drop them",
            counted(gone as u64, "finding")
        ));
    }
    notes
}

/// A message for each process that Rosser stopped.
pub fn stopped(report: &Report, style: Style) -> Vec<Section<'static>> {
    let mut sections = Vec::new();
    for run in &report.runs {
        let State::Stopped(reason) = run.state else {
            continue;
        };
        let title =
            format!("`{}` (process {}) was stopped: {}", run.program(), run.pid, why(reason));
        let mut section = Section::with_title(Level::ERROR.primary_title(title).id("stopped"));
        if !run.stopped_at.is_empty() {
            let places = run.stopped_at.join("\n  ");
            let note = wrapped(&format!("it stood in\n  {places}"), style.width);
            section = section.element(Level::NOTE.message(note));
        }
        section = section.element(
            Level::NOTE.message("findings up to there are reported; nothing is claimed beyond"),
        );
        sections.push(section);
    }
    sections
}

/// Why a process was stopped, in words.
pub fn why(reason: StopReason) -> String {
    match reason {
        StopReason::Blocked => {
            "a task waits for something that no task before it in serial order does".to_owned()
        }
        StopReason::Spinning => "a task spins on a value that nobody changes".to_owned(),
        StopReason::Exhausted => "the space for access histories is used up".to_owned(),
        StopReason::NotAdmitted { detector, construct } => {
            let (name, what) = (detector.name(), construct.in_programs());
            let mut who_does = String::new();
            DetectorKind::say_who_admits(construct, |part| who_does.push_str(part));
            // The others cannot have several workers.
            let on_one = if detector.needs_workers() { ", on one worker" } else { "" };
            format!("the detector {name} does not admit {what}; {who_does}{on_one}")
        }
        StopReason::Unknown(reason) => format!("reason {reason}"),
    }
}
