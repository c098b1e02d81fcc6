//! What kinds of programs were run.

use std::time::Instant;

use answers::{Class, Expected, Heard, Program, Statement};

/// What was seen.
#[derive(Default)]
pub struct Summary {
    programs: u64,
    runs: u64,
    clean: u64,
    order_dependent: u64,
    data_races: u64,
    conflicts: u64,
    /// Runs in which the detector has left something out, so that classes may be too mild.
    crowded: u64,
    far_spawns: u64,
    tasks: u64,
    most_tasks: u64,
    uses: [u64; USES.len()],
}

type Use = (&'static str, fn(&Statement) -> bool);

const USES: [Use; 7] = [
    ("join", |statement| matches!(statement, Statement::Join(..))),
    ("scope", |statement| matches!(statement, Statement::Scope(..))),
    ("spawn", |statement| matches!(statement, Statement::Spawn(..))),
    ("for_each", |statement| matches!(statement, Statement::ForEach(_))),
    ("mutex", |statement| matches!(statement, Statement::Locked(..))),
    ("stack", |statement| matches!(statement, Statement::Stack(..))),
    ("heap", |statement| matches!(statement, Statement::Heap(..))),
];

impl Summary {
    /// A program was run.
    pub fn hear(&mut self, heard: &Heard) {
        self.runs += 1;
        self.conflicts += heard.conflicts as u64;
        self.crowded += u64::from(heard.is_crowded);
    }

    /// A program agrees.
    pub fn add(&mut self, program: &Program, expected: &Expected) {
        self.programs += 1;
        match expected.worst() {
            None => self.clean += 1,
            Some(Class::OrderDependent) => self.order_dependent += 1,
            Some(Class::DataRace) => self.data_races += 1,
        }
        self.far_spawns += u64::from(program.has_far_spawns());
        let tasks = program.tasks() as u64;
        self.tasks += tasks;
        self.most_tasks = self.most_tasks.max(tasks);
        for (count, (_, is_of_kind)) in self.uses.iter_mut().zip(USES) {
            *count += u64::from(program.has(is_of_kind));
        }
    }

    /// Prints it.
    pub fn show(&self, started: Instant) {
        let seconds = started.elapsed().as_secs_f64();
        println!("{} programs agree, {} runs, {seconds:.1} s", self.programs, self.runs);
        println!(
            "verdicts: {} clean, {} order-dependent, {} with data races",
            self.clean, self.order_dependent, self.data_races
        );
        println!(
            "{} conflicts; runs in which classes may be too mild: {}",
            self.conflicts, self.crowded
        );
        println!("{} tasks, {} at the most in one program", self.tasks, self.most_tasks);
        let uses = USES.iter().zip(self.uses).map(|((name, _), count)| format!("{name} {count}"));
        let uses = uses.collect::<Vec<_>>().join(", ");
        println!("programs with {uses}, spawn further out {}", self.far_spawns);
    }
}
