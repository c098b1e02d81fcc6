//! Random programs through every detector, compared with the oracle and, when small, with all
//! their schedules. A mismatch is shrunk before it is shown.

mod compare;
mod generate;
mod random_run;
mod rng;
mod shrink;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::Mutex;

use rosser_core::Construct;

pub use compare::{Covered, Mismatch, Options};

use crate::compile::compile;
use crate::syntax::ast::Block;
use crate::syntax::print;
use compare::compare;
use generate::generate;
use rng::Rng;

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
                    if case % 1024 == 0 {
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
    let small = shrink::shrink(&tree, |candidate| {
        judge(candidate, &mut Covered::default()).is_some()
    });
    let mismatch = judge(&small, &mut Covered::default()).expect("it still fails");
    Some(Failure { case, mismatch, text: print(&small) })
}

#[cfg(test)]
mod tests {
    use super::{Options, Plan, fuzz};

    fn plan(cases: u64, options: Options) -> Plan {
        Plan { cases, seed: 1, size: 16, constructs: Vec::new(), options, threads: 2 }
    }

    #[test]
    fn every_detector_agrees_with_the_oracle() {
        let options = Options { published_drdp: false, explore_below: 40 };
        let summary = fuzz(&plan(20_000, options), |_| ());
        if let Some(failure) = summary.failure {
            panic!("case {}: {:?}\n{}", failure.case, failure.mismatch, failure.text);
        }
        assert_eq!(summary.cases, 20_000);
        // The programs must be worth comparing on.
        assert!(summary.covered.racy > 2_000, "{:?}", summary.covered);
        assert!(summary.covered.racy < 18_000, "{:?}", summary.covered);
        assert!(summary.covered.explored > 2_000, "{:?}", summary.covered);
    }
}
