//! What promises cost: a million tasks and a million promises, in the patterns that matter.
//!
//! `cargo run --release -p rosser-detect --example promises [tasks [pattern]]`. For half as many tasks and for
//! as many, the time for each and the memory of the order: it must not grow faster than the tasks do.

use std::time::Instant;

use rosser_detect::kind::Kind;
use rosser_detect::order::{Join, Link, Point, Run};
use rosser_detect::serial::cell::Cell;
use rosser_detect::serial::engine::Engine;
use rosser_detect::serial::memory::Storage;
use rosser_detect::serial::switching::SetPoint;
use rosser_detect::storage::Exhausted;

type Outcome = Result<(), Exhausted>;
type Pattern = fn(&mut Program, usize) -> Outcome;

struct Program {
    engine: Engine,
    cells: Vec<Cell>,
    conflicts: usize,
}

impl Program {
    fn access(&mut self, cell: usize, kind: Kind, site: u32) -> Outcome {
        let (engine, cell) = (&mut self.engine, &mut self.cells[cell]);
        if cell.has_accessed(engine.base(), 0xff) && kind == Kind::Read {
            return Ok(());
        }
        let id = engine.id_of(site)?;
        match kind {
            Kind::Read => engine.judge.read(cell, 0xff, id)?,
            _ => engine.judge.write(cell, kind, 0xff, id)?,
        }
        self.conflicts += engine.judge.conflicts().len();
        Ok(())
    }

    fn future(
        &mut self,
        scope: u32,
        body: impl FnOnce(&mut Self) -> Outcome,
    ) -> Result<SetPoint, Exhausted> {
        self.engine.task_begin(1, 1, scope)?;
        body(self)?;
        let set = self.engine.promise_set(1)?;
        self.engine.task_end()?;
        Ok(set)
    }
}

/// All futures are made, all are got, then all results are read.
fn all_got_then_read(program: &mut Program, tasks: usize) -> Outcome {
    let scope = program.engine.scope_begin()?;
    let mut futures = Vec::with_capacity(tasks);
    for task in 0..tasks {
        futures.push(program.future(scope, |program| program.access(task, Kind::Write, 2))?);
    }
    for future in futures {
        program.engine.promise_get(future, 1)?;
    }
    for task in 0..tasks {
        program.access(task, Kind::Read, 3)?;
    }
    Ok(())
}

/// Every task waits for the one before it, and writes what that wrote.
fn chain(program: &mut Program, tasks: usize) -> Outcome {
    let scope = program.engine.scope_begin()?;
    let mut last = SetPoint::default();
    for _ in 0..tasks {
        last = program.future(scope, |program| {
            program.engine.promise_get(last, 1)?;
            program.access(0, Kind::Read, 2)?;
            program.access(0, Kind::Write, 3)
        })?;
    }
    Ok(())
}

/// A square of tasks, each of which waits for its neighbours above and to the left.
fn wavefront(program: &mut Program, tasks: usize) -> Outcome {
    let scope = program.engine.scope_begin()?;
    let side = tasks.isqrt();
    let mut row = vec![SetPoint::default(); side];
    for y in 0..side {
        for x in 0..side {
            let (above, left) = (row[x], row[x.saturating_sub(1)]);
            row[x] = program.future(scope, |program| {
                program.engine.promise_get(above, 1)?;
                if x > 0 {
                    program.engine.promise_get(left, 1)?;
                    program.access(y * side + x - 1, Kind::Read, 2)?;
                }
                if y > 0 {
                    program.access((y - 1) * side + x, Kind::Read, 3)?;
                }
                program.access(y * side + x, Kind::Write, 4)
            })?;
        }
    }
    Ok(())
}

/// As before, and all read what the first has written: ordered by a path that is as long as there
/// are tasks.
fn wavefront_from_afar(program: &mut Program, tasks: usize) -> Outcome {
    let scope = program.engine.scope_begin()?;
    let side = tasks.isqrt();
    let mut row = vec![SetPoint::default(); side];
    for y in 0..side {
        for x in 0..side {
            let (above, left) = (row[x], row[x.saturating_sub(1)]);
            row[x] = program.future(scope, |program| {
                program.engine.promise_get(above, 1)?;
                if x > 0 {
                    program.engine.promise_get(left, 1)?;
                }
                let kind = if (x, y) == (0, 0) { Kind::Write } else { Kind::Read };
                program.access(tasks, kind, 3)?;
                program.access(y * side + x, Kind::Write, 4)
            })?;
        }
    }
    Ok(())
}

/// All read one word; whoever has got all of them writes it.
fn readers(program: &mut Program, tasks: usize) -> Outcome {
    let scope = program.engine.scope_begin()?;
    let mut futures = Vec::with_capacity(tasks);
    for _ in 0..tasks {
        futures.push(program.future(scope, |program| program.access(0, Kind::Read, 2))?);
    }
    for future in futures {
        program.engine.promise_get(future, 1)?;
    }
    program.access(0, Kind::Write, 3)?;
    Ok(())
}

/// All wait for one promise, which is set when all have begun.
fn waiting(program: &mut Program, tasks: usize) -> Outcome {
    let scope = program.engine.scope_begin()?;
    let mut numbers = Vec::with_capacity(tasks);
    for task in 0..tasks {
        numbers.push(program.engine.task_begin(1, 1, scope)?);
        program.access(task, Kind::Write, 2)?;
        program.engine.suspend(program.engine.current())?;
    }
    program.engine.task_begin(1, 1, scope)?;
    program.access(tasks, Kind::Write, 3)?;
    let set = program.engine.promise_set(1)?;
    for (task, number) in numbers.into_iter().enumerate() {
        program.engine.resume(number, number)?;
        program.engine.promise_get(set, 1)?;
        program.access(tasks, Kind::Read, 4)?;
        program.access(task, Kind::Write, 5)?;
        program.engine.task_end()?;
    }
    program.engine.task_end()?;
    Ok(())
}

/// Fork and join only, but in a region in which a promise was set.
fn fork_join(program: &mut Program, tasks: usize) -> Outcome {
    fn half(program: &mut Program, from: usize, to: usize) -> Outcome {
        if to - from == 1 {
            return program.access(from, Kind::Write, 2);
        }
        let scope = program.engine.scope_begin()?;
        let middle = from.midpoint(to);
        for (from, to) in [(from, middle), (middle, to)] {
            program.engine.task_begin(1, 1, scope)?;
            half(program, from, to)?;
            program.engine.task_end()?;
        }
        program.engine.scope_end(scope)
    }
    let scope = program.engine.scope_begin()?;
    program.future(scope, |_| Ok(()))?;
    half(program, 0, tasks / 2)?;
    for cell in 0..tasks / 2 {
        program.access(cell, Kind::Read, 3)?;
    }
    Ok(())
}

/// Every task has two futures of its own, which it gets: a tree as deep as it is wide.
fn recursive_futures(program: &mut Program, tasks: usize) -> Outcome {
    fn half(program: &mut Program, scope: u32, from: usize, to: usize) -> Outcome {
        if to - from == 1 {
            return program.access(from, Kind::Write, 2);
        }
        let middle = from.midpoint(to);
        let left = program.future(scope, |program| half(program, scope, from, middle))?;
        let right = program.future(scope, |program| half(program, scope, middle, to))?;
        program.engine.promise_get(left, 1)?;
        program.engine.promise_get(right, 1)?;
        program.access(from, Kind::Read, 3)?;
        program.access(middle, Kind::Write, 4)
    }
    let scope = program.engine.scope_begin()?;
    half(program, scope, 0, tasks / 2)?;
    for cell in 0..tasks / 2 {
        program.access(cell, Kind::Read, 5)?;
    }
    Ok(())
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let tasks = arguments.next().map_or(1_000_000, |tasks| tasks.parse().expect("a number"));
    let pattern = arguments.next().unwrap_or_default();
    let storage = Storage::leaked(16 * tasks, 2 * tasks);
    let mut program = Program { engine: Engine::new(storage), cells: Vec::new(), conflicts: 0 };
    println!("{:20} {:>9} {:>9} {:>9} {:>9}  sizes", "", "tasks", "ns/task", "B/task", "relabel");
    let patterns: [(&str, Pattern); 8] = [
        ("all got, then read", all_got_then_read),
        ("chain", chain),
        ("wavefront", wavefront),
        ("wavefront, afar", wavefront_from_afar),
        ("readers of one word", readers),
        ("waiting for one", waiting),
        ("fork and join", fork_join),
        ("recursive futures", recursive_futures),
    ];
    for (name, run) in patterns.into_iter().filter(|(name, _)| name.contains(&pattern)) {
        for tasks in [tasks / 2, tasks] {
            program.engine.restart();
            program.cells = vec![Cell::default(); tasks + 1];
            program.conflicts = 0;
            let relabelled = program.engine.general_sizes().relabelled;
            let begun = program.engine.counts().tasks;
            let start = Instant::now();
            run(&mut program, tasks).expect("there is enough memory");
            let time = start.elapsed();
            assert_eq!(program.conflicts, 0, "{name} is free of races");
            let tasks = (program.engine.counts().tasks - begun) as usize;
            let sizes = program.engine.general_sizes();
            let bytes = sizes.steps as usize * 2 * size_of::<Link>()
                + sizes.runs as usize * size_of::<Run>()
                + sizes.points as usize * size_of::<Point>()
                + sizes.joins as usize * size_of::<Join>()
                + sizes.frontier_bytes;
            println!(
                "{name:20} {tasks:9} {:9} {:9} {:9.2}  {sizes:?}",
                time.as_nanos() as usize / tasks,
                bytes / tasks,
                (sizes.relabelled - relabelled) as f64 / tasks as f64,
            );
        }
    }
}
