//! Random programs through every detector, compared with the oracle and, when small, with all
//! their schedules. A mismatch is shrunk before it is shown.

mod compare;
mod generate;
mod layout;
mod random_run;
mod rng;
mod saturate;
mod shadow;
mod shrink;
mod structured;
mod validated;
mod workers;

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use rosser_detect::Construct;

pub use compare::{Correction, Covered, Mismatch, Options};
pub use generate::generate;
pub use rng::Rng;
pub use shrink::shrink;
pub use validated::{Found, Seen, fuzz_validated};

use crate::compile::compile;
use crate::syntax::ast::Block;
use crate::syntax::print;
use compare::compare;

/// What to fuzz.
#[derive(Clone, Debug)]
pub struct Plan {
    /// How many programs.
    pub cases: u64,
    /// Where the random numbers start.
    pub seed: u64,
    /// About how many statements a program has.
    pub size: usize,
    /// The constructs to use; none for the mixture that fits all detectors.
    pub constructs: Vec<Construct>,
    /// What is compared.
    pub options: Options,
    /// How many threads work.
    pub threads: usize,
}

/// A program on which somebody disagrees with the oracle.
#[derive(Clone, Debug)]
pub struct Failure {
    /// Which case of the seed.
    pub case: u64,
    /// What is wrong, for the program as shrunk.
    pub mismatch: Mismatch,
    /// The shrunk program.
    pub text: String,
}

/// What a fuzzing run showed.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// How many programs were run.
    pub cases: u64,
    /// What they covered.
    pub covered: Covered,
    /// The disagreement with the lowest case number that was found, if any.
    pub failure: Option<Failure>,
}

/// Runs a plan. `progress` is called now and then with the number of cases done.
pub fn fuzz(plan: &Plan, progress: impl Fn(u64) + Sync) -> Summary {
    let next = AtomicU64::new(0);
    let stop = AtomicBool::new(false);
    let summary = Mutex::new(Summary::default());
    std::thread::scope(|scope| {
        for _ in 0..plan.threads.max(1) {
            scope.spawn(|| {
                let mut mine = Summary::default();
                // Relaxed: the counter only hands out cases, and a late stop costs a few of them.
                while !stop.load(Ordering::Relaxed) {
                    let case = next.fetch_add(1, Ordering::Relaxed);
                    if case >= plan.cases {
                        break;
                    }
                    mine.cases += 1;
                    if let Some(failure) = run_case(plan, case, &mut mine.covered) {
                        mine.failure = Some(failure);
                        stop.store(true, Ordering::Relaxed);
                    }
                    if case.is_multiple_of(1024) {
                        progress(case);
                    }
                }
                summary.lock().expect("no thread panics while it holds the lock").add(mine);
            });
        }
    });
    summary.into_inner().expect("no thread panics while it holds the lock")
}

impl Summary {
    fn add(&mut self, other: Self) {
        self.cases += other.cases;
        self.covered.runs += other.covered.runs;
        self.covered.racy += other.covered.racy;
        self.covered.deadlocked += other.covered.deadlocked;
        self.covered.explored += other.covered.explored;
        self.covered.structured += other.covered.structured;
        let first = |failure: &Option<Failure>| failure.as_ref().map_or(u64::MAX, |f| f.case);
        if first(&other.failure) < first(&self.failure) {
            self.failure = other.failure;
        }
    }
}

fn run_case(plan: &Plan, case: u64, covered: &mut Covered) -> Option<Failure> {
    let mut rng = Rng::new(plan.seed, case);
    let tree = generate(&mut rng, plan.size, &plan.constructs);
    // The same schedule seed for every candidate, so that shrinking is deterministic.
    let order = rng.clone();
    let judge = |tree: &Block, covered: &mut Covered| {
        let program = compile(tree).ok()?;
        compare(&program, plan.options, &mut order.clone(), covered)
    };
    compile(&tree).expect("generated programs are well-formed");
    judge(&tree, covered)?;
    let small = shrink(&tree, |candidate| judge(candidate, &mut Covered::default()).is_some());
    let mismatch = judge(&small, &mut Covered::default()).expect("it still fails");
    Some(Failure { case, mismatch, text: print(&small) })
}

#[cfg(test)]
mod tests {
    use rosser_detect::Construct;

    use super::{Correction, Failure, Options, Plan, fuzz};

    fn plan(cases: u64, uncorrected: Option<Correction>) -> Plan {
        let options = Options { uncorrected, explore_below: 40 };
        Plan { cases, seed: 1, size: 32, constructs: Vec::new(), options, threads: 2 }
    }

    fn show(failure: &Failure) -> String {
        format!("case {}: {:?}\n{}", failure.case, failure.mismatch, failure.text)
    }

    #[test]
    fn every_detector_agrees_with_the_oracle() {
        let summary = fuzz(&plan(40_000, None), |_| ());
        assert!(summary.failure.is_none(), "{}", show(&summary.failure.unwrap()));
        assert_eq!(summary.cases, 40_000);
        // The programs must be worth comparing on.
        let covered = summary.covered;
        assert!(covered.racy > 10_000 && covered.racy < 35_000, "{covered:?}");
        assert!(covered.deadlocked < 15_000, "{covered:?}");
        assert!(covered.explored > 5_000, "{covered:?}");
    }

    /// Leaving out a correction of DRDP is an error that the fuzzer must find.
    fn finds(plan: &Plan, expected: &str) {
        let failure = fuzz(plan, |_| ()).failure.expect("the fuzzer finds the mistake");
        assert_eq!(failure.mismatch.who, "drdp", "{}", show(&failure));
        assert!(failure.mismatch.what.contains(expected), "{}", show(&failure));
    }

    #[test]
    fn merging_empty_tasks_is_found() {
        finds(&plan(100_000, Some(Correction::EmptyTasks)), "missed");
    }

    /// It takes three levels of tasks and two promises between them: larger programs, in which
    /// nothing but tasks and promises distracts.
    #[test]
    fn looking_lsas_up_late_is_found() {
        let constructs =
            vec![Construct::Async, Construct::Finish, Construct::Promise, Construct::Future];
        let usual = plan(200_000, Some(Correction::CapturedLsas));
        finds(&Plan { seed: 2, size: 60, constructs, ..usual }, "took two steps for parallel");
    }
}
