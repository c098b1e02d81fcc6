//! How costs grow: with the number of accesses, and with the number of tasks.

use super::child::{Job, Outcome, Protocol};
use super::subject::Subject;
use super::table::{Selection, tenths};
use crate::format::Table;
use crate::trace::TraceKind;

/// The factor between two sizes.
const STEP: u32 = 10;
/// How many sizes there are.
const SIZES: u32 = 3;

/// A size of the traces.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Size {
    tasks: u32,
    accesses: u64,
}

/// Ten times the accesses at each size, with a tenth of the selection's tasks, so that even the
/// smallest trace has several accesses per task.
fn by_accesses(selection: &Selection) -> Vec<Size> {
    let size = |i| Size {
        tasks: selection.tasks / STEP,
        accesses: selection.accesses / u64::from(STEP.pow(SIZES - 1 - i)),
    };
    (0..SIZES).map(size).collect()
}

/// Ten times the tasks at each size, with as many accesses per task.
fn by_tasks(selection: &Selection) -> Vec<Size> {
    let size = |i| {
        let factor = STEP.pow(SIZES - 1 - i);
        Size { tasks: selection.tasks / factor, accesses: selection.accesses / u64::from(factor) }
    };
    (0..SIZES).map(size).collect()
}

/// Measures both kinds of growth, and tabulates them.
pub fn tables(selection: &Selection, protocol: Protocol) -> Result<[Table; 2], String> {
    let accesses = by_accesses(selection);
    let mut header = vec!["trace".to_string(), "detector".to_string()];
    header.extend(accesses.iter().map(|size| format!("ns/access at {}", size.accesses)));
    header.push("last/first".to_string());
    let mut growing_accesses = Table::new(2, header);
    for_each_row(selection, protocol, &accesses, |names, outcomes| {
        growing_accesses.row([names, figures(outcomes, Outcome::ns_per_access)].concat());
    })?;

    let tasks = by_tasks(selection);
    let mut header = vec!["trace".to_string(), "detector".to_string()];
    for what in ["ns/access", "ns/event"] {
        header.extend(tasks.iter().map(|size| format!("{what} at {}", size.tasks)));
        header.push("last/first".to_string());
    }
    let mut growing_tasks = Table::new(2, header);
    for_each_row(selection, protocol, &tasks, |names, outcomes| {
        let accesses = figures(outcomes, Outcome::ns_per_access);
        let events = figures(outcomes, Outcome::ns_per_event);
        growing_tasks.row([names, accesses, events].concat());
    })?;
    Ok([growing_accesses, growing_tasks])
}

fn for_each_row(
    selection: &Selection,
    protocol: Protocol,
    sizes: &[Size],
    mut act: impl FnMut(Vec<String>, &[Outcome]),
) -> Result<(), String> {
    for trace in TraceKind::ALL {
        let jobs: Vec<Job> =
            selection.jobs(trace).into_iter().filter(|job| job.subject != Subject::EMPTY).collect();
        // The sizes of one detector after each other: who is late at one is late at the next.
        let mut outcomes = vec![Vec::new(); jobs.len()];
        for size in sizes {
            let in_time: Vec<usize> = (0..jobs.len())
                .filter(|&i| !matches!(outcomes[i].last(), Some(Outcome::Late)))
                .collect();
            let next: Vec<Job> = in_time
                .iter()
                .map(|&i| Job { tasks: size.tasks, accesses: size.accesses, ..jobs[i] })
                .collect();
            for (i, outcome) in in_time.into_iter().zip(protocol.run(&next)?) {
                outcomes[i].push(outcome);
            }
        }
        for (job, mut outcomes) in jobs.iter().zip(outcomes) {
            outcomes.resize(sizes.len(), Outcome::Late);
            act(vec![job.trace.name().into(), job.subject.name().into()], &outcomes);
        }
    }
    Ok(())
}

/// One figure per size, and the ratio of the last to the first.
fn figures(outcomes: &[Outcome], figure: impl Fn(Outcome) -> Option<f64>) -> Vec<String> {
    let values: Vec<Option<f64>> = outcomes.iter().map(|outcome| figure(*outcome)).collect();
    let mut cells: Vec<String> = values
        .iter()
        .map(|value| value.map_or_else(|| "late".to_string(), |_| tenths(*value)))
        .collect();
    let ratio = match (values.first(), values.last()) {
        (Some(Some(first)), Some(Some(last))) if *first > 0.0 => format!("{:.2}", last / first),
        _ => "-".to_string(),
    };
    cells.push(ratio);
    cells
}

#[cfg(test)]
mod tests {
    use super::{Size, by_accesses, by_tasks};
    use crate::cost::table::Selection;

    #[test]
    fn sizes_end_at_what_was_asked_for() {
        let selection = Selection { tasks: 100_000, accesses: 10_000_000, filter: String::new() };
        let last = |sizes: Vec<Size>| sizes[sizes.len() - 1];
        assert_eq!(last(by_accesses(&selection)), Size { tasks: 10_000, accesses: 10_000_000 });
        assert_eq!(last(by_tasks(&selection)), Size { tasks: 100_000, accesses: 10_000_000 });
        assert_eq!(by_tasks(&selection)[0], Size { tasks: 1_000, accesses: 100_000 });
        assert_eq!(by_accesses(&selection)[0], Size { tasks: 10_000, accesses: 100_000 });
    }
}
