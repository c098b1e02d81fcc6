//! One program, run and held against what is expected of it.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

use expected::{
    Act, Block, Class, Ending, Expected, Gets, Heard, Layout, Opening, Plan, Script, WORDS, Way,
    heard, keep_panics, listen, prepare, take_panic,
};
use rosser::{Promise, finish};

use crate::interpret::{self, Program};
use crate::memory::{Memory, Words};

/// What comes of a program.
pub enum Verdict {
    /// All is as expected.
    Agreed(Agreed),
    /// Something is not.
    Wrong(String),
    /// Nothing is expected of it.
    Unfit,
}

/// What a program was that agreed.
pub struct Agreed {
    pub worst: Option<Class>,
    pub ending: Ending,
    /// Whether a class was called too mild because an access was left out.
    pub is_milder: bool,
    pub conflicts: u64,
    pub uses: Uses,
}

/// Which constructs there were, in how many programs.
#[derive(Default)]
pub struct Uses([u64; USES.len()]);

type Use = (&'static str, fn(&Plan) -> bool);

const USES: [Use; 14] = [
    ("async", |plan| plan.uses(|act| matches!(act, Act::Async(_)))),
    ("async further out", |plan| plan.uses(|act| matches!(act, Act::Far(_)))),
    ("spawn", |plan| plan.uses(|act| matches!(act, Act::Spawn(_)))),
    ("future", |plan| plan.uses(|act| matches!(act, Act::Future(_, _, Gets::One)))),
    ("shared future", |plan| plan.uses(|act| matches!(act, Act::Future(_, _, Gets::Many)))),
    ("promise", |plan| plan.uses(|act| matches!(act, Act::NewPromise(..)))),
    ("isolated", |plan| plan.uses(|act| matches!(act, Act::BeginIsolated))),
    ("atomics", |plan| plan.has_atomics),
    ("accumulator", |plan| plan.accumulators.iter().any(Option::is_some)),
    ("finish", |plan| opens(plan, Opening::Finish)),
    ("procedure", |plan| opens(plan, Opening::Procedure) || plan.main == Opening::Procedure),
    ("begin", |plan| opens(plan, Opening::Begin)),
    ("rayon's scope", |plan| opens(plan, Opening::RayonScope)),
    ("rayon's join", |plan| opens(plan, Opening::RayonJoin)),
];

fn opens(plan: &Plan, wanted: Opening) -> bool {
    plan.uses(|act| matches!(act, Act::Open(opening) if *opening == wanted))
}

impl Uses {
    fn of(plan: &Plan) -> Self {
        Self(USES.map(|(_, is_used)| u64::from(is_used(plan))))
    }

    pub fn add(&mut self, other: &Self) {
        for (count, more) in self.0.iter_mut().zip(&other.0) {
            *count += more;
        }
    }
}

impl fmt::Display for Uses {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, ((name, _), count)) in USES.iter().zip(&self.0).enumerate() {
            let comma = if index == 0 { "" } else { ", " };
            write!(f, "{comma}{name} {count}")?;
        }
        Ok(())
    }
}

/// Runs a program and compares.
pub fn judge(tree: &Block, way: Way) -> Verdict {
    let Ok((plan, expected)) = prepare(tree, way) else { return Verdict::Unfit };
    let script = Script::new(&expected, !way.is_structured);
    let (panicked, wrong_location) = execute(&plan, &script, &expected);
    let (heard, panic) = (heard(), take_panic());
    // What a program computes that has conflicts depends on the order.
    let is_determinate = !way.is_structured || expected.worst.is_empty();
    let wrong_location = wrong_location.filter(|_| is_determinate);
    let isolates = plan.uses(|act| matches!(act, Act::BeginIsolated));
    let with_classes = !way.is_structured || !isolates;
    let problem = script
        .problem()
        .or_else(|| wrong_ending(expected.ending, panicked, panic.as_deref()))
        .or_else(|| wrong_location.map(|location| format!("location {location} has a wrong value")))
        .or_else(|| wrong_conflicts(&expected, &heard, with_classes));
    if let Some(problem) = problem {
        let said = panic.map_or(String::new(), |text| format!("\n  panic: {text}"));
        return Verdict::Wrong(format!(
            "{problem}\n  expected: {:?}, {:?}\n  found: {:?}, elsewhere {:?}{said}",
            expected.worst, expected.ending, heard.worst, heard.elsewhere,
        ));
    }
    Verdict::Agreed(Agreed {
        worst: expected.worst.values().copied().max(),
        ending: expected.ending,
        is_milder: expected.worst != heard.worst,
        conflicts: heard.conflicts,
        uses: Uses::of(&plan),
    })
}

/// Whether conflicts are heard of at all.
pub fn is_checked() -> bool {
    keep_panics();
    begin_to_listen();
    let mut words: Words = [0; WORDS];
    let memory = Memory::new(&mut words, Layout::Words, &[]);
    let expected = Expected {
        noted: Vec::new(),
        ending: Ending::Finished,
        worst: [((0, 0), Class::DataRace)].into(),
        groups: Vec::new(),
        memory: vec![0],
    };
    let script = Script::new(&expected, true);
    listen(memory.base(), Layout::Words);
    finish(|s| {
        s.spawn(|_| memory.store(0, 1, &script));
        s.spawn(|_| memory.store(0, 2, &script));
    });
    wrong_conflicts(&expected, &heard(), true).is_none()
}

/// Has the detector tell of conflicts. Without it there is nobody to ask.
fn begin_to_listen() {
    #[cfg(rosser)]
    {
        unsafe extern "C" {
            fn rosser_observe(observer: Option<extern "C" fn(&expected::Observed)>);
        }
        // SAFETY: it neither allocates nor unwinds.
        unsafe { rosser_observe(Some(expected::observe)) };
    }
}

/// Runs a program. Returns whether it panicked, and a location that has not the expected value.
fn execute(plan: &Plan, script: &Script, expected: &Expected) -> (bool, Option<usize>) {
    let promises: Vec<Promise<u64>> = (0..plan.promises).map(|_| Promise::new()).collect();
    let run_in = |words: &mut Words| {
        let mut memory = Memory::new(words, plan.layout, &plan.accumulators);
        listen(memory.base(), plan.layout);
        let program = Program { plan, script, memory: &memory, promises: &promises };
        let result = catch_unwind(AssertUnwindSafe(|| interpret::run(&program)));
        let mut values = (0..).zip(&expected.memory);
        let wrong = values.find(|(location, value)| !memory.holds(*location, **value, script));
        (result.is_err(), wrong.map(|(location, _)| location))
    };
    if plan.layout == Layout::Stack {
        let mut result = (false, None);
        finish(|s| {
            s.spawn(|_| {
                let mut words: Words = [0; WORDS];
                result = run_in(&mut words);
            });
        });
        result
    } else {
        let mut words: Box<Words> = Box::new([0; WORDS]);
        run_in(&mut words)
    }
}

fn wrong_ending(ending: Ending, panicked: bool, panic: Option<&str>) -> Option<String> {
    match ending {
        Ending::Finished => panicked.then(|| "panicked".to_owned()),
        Ending::Failed => None,
        Ending::Deadlock(_) if !panicked => Some("overlooked the deadlock".to_owned()),
        Ending::Deadlock(tasks) => {
            let is = if tasks == 1 { "task is" } else { "tasks are" };
            let is_said =
                panic.unwrap_or_default().starts_with(&format!("deadlock: {tasks} {is} blocked"));
            (!is_said).then(|| "said something else about the deadlock".to_owned())
        }
    }
}

/// Which class a conflict of isolated sections has is not known if their order is not.
fn wrong_conflicts(expected: &Expected, heard: &Heard, with_classes: bool) -> Option<String> {
    if heard.elsewhere.is_some() {
        return Some("reported a conflict at no location".to_owned());
    }
    let keys = expected.worst.keys().chain(heard.worst.keys());
    keys.into_iter().find_map(|key| {
        let (location, group) = key;
        let at = format!("{location} in group {group}");
        match (expected.worst.get(key), heard.worst.get(key)) {
            (Some(class), None) => Some(format!("missed the {} at {at}", class.name())),
            (None, Some(class)) => Some(format!("invented a {} at {at}", class.name())),
            // Where an access had to be left out, the detector says that classes may be too mild.
            (Some(_), Some(Class::OrderDependent)) if heard.is_crowded => None,
            (Some(class), Some(other)) if class != other && with_classes => {
                Some(format!("called the {} at {at} {}", class.name(), other.name()))
            }
            _ => None,
        }
    })
}
