//! Random executions of random programs: the paper's theorems by going through everything, and every race that is called
//! proved taken by the machine itself and found among all states of the program.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use rosser_detect::SiteId;
use rosser_validate::analysis::Method;
use rosser_validate::apparent::conflicts;
use rosser_validate::order::Order;
use rosser_validate::precise::dependences;
use rosser_validate::{
    ActionId, Analysis, Events, Execution, Options, Pairing, Verdict, analyse, brute, witness,
};
use rustc_hash::FxHashSet;

use super::generate::generate;
use super::rng::Rng;
use super::shrink::shrink;
use super::{Failure, Mismatch, Plan};
use crate::compile::compile;
use crate::program::Program;
use crate::syntax::ast::Block;
use crate::syntax::print;
use crate::validate::{Place, Races, Recorded, View, every_race, place, record, replay};

/// How many instructions are recorded.
const MAX_STEPS: u64 = 400;
/// How many states of a program are gone through.
const MOST_STATES: usize = 1_500;
/// How many states of an execution are gone through for Theorem 7.2.
const MOST_ORDERS: u64 = 3_000;

/// What was seen in all executions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    /// Executions.
    pub executions: u64,
    /// Apparent races.
    pub apparent: u64,
    /// Races that happened: Theorem 7.1 was tried on each.
    pub happened: u64,
    /// Races called feasible on which Theorem 7.2 was tried.
    pub feasible: u64,
    /// Tangled races.
    pub tangled: u64,
    /// Races called proved; each schedule was taken.
    pub proved: u64,
    /// Programs all of whose states were gone through.
    pub explored: u64,
    /// What one run finds of their races.
    pub found: Found,
}

/// Of the races of programs whose states were all gone through, how many one run finds. A race is two places of two tasks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// All races.
    pub possible: u64,
    /// Those of them whose places the run came to.
    pub reached: u64,
    /// Left open by synchronisation.
    pub by_order: u64,
    /// Left open by synchronisation, and no race of any schedule.
    pub false_by_order: u64,
    /// Feasible by Theorem 7.2, or proved.
    pub feasible: u64,
    /// Proved by ideals.
    pub by_ideals: u64,
    /// Proved by ideals, or with a reversal.
    pub with_reversal: u64,
    /// Proved so where the order of racing accesses is known.
    pub precise: u64,
}

impl Seen {
    fn add(&mut self, other: Self) {
        let add = |sum: &mut u64, term: u64| *sum += term;
        add(&mut self.executions, other.executions);
        add(&mut self.apparent, other.apparent);
        add(&mut self.happened, other.happened);
        add(&mut self.feasible, other.feasible);
        add(&mut self.tangled, other.tangled);
        add(&mut self.proved, other.proved);
        add(&mut self.explored, other.explored);
        let (mine, theirs) = (&mut self.found, other.found);
        add(&mut mine.possible, theirs.possible);
        add(&mut mine.reached, theirs.reached);
        add(&mut mine.by_order, theirs.by_order);
        add(&mut mine.false_by_order, theirs.false_by_order);
        add(&mut mine.feasible, theirs.feasible);
        add(&mut mine.by_ideals, theirs.by_ideals);
        add(&mut mine.with_reversal, theirs.with_reversal);
        add(&mut mine.precise, theirs.precise);
    }
}

/// Validates one random execution of each program of a plan. `progress` is called now and then with the number of cases
/// done.
pub fn fuzz_validated(plan: &Plan, progress: impl Fn(u64) + Sync) -> (Seen, Option<Failure>) {
    let next = AtomicU64::new(0);
    let stop = AtomicBool::new(false);
    let all = Mutex::new((Seen::default(), None::<Failure>));
    std::thread::scope(|scope| {
        for _ in 0..plan.threads.max(1) {
            scope.spawn(|| {
                let mut mine = Seen::default();
                let mut failed = None;
                // Relaxed: the counter only hands out cases, and a late stop costs a few of them.
                while !stop.load(Ordering::Relaxed) && failed.is_none() {
                    let case = next.fetch_add(1, Ordering::Relaxed);
                    if case >= plan.cases {
                        break;
                    }
                    failed = run_case(plan, case, &mut mine);
                    if case.is_multiple_of(1024) {
                        progress(case);
                    }
                }
                stop.fetch_or(failed.is_some(), Ordering::Relaxed);
                let mut all = all.lock().expect("no thread panics while it holds the lock");
                all.0.add(mine);
                let first = |it: &Option<Failure>| it.as_ref().map_or(u64::MAX, |it| it.case);
                if first(&failed) < first(&all.1) {
                    all.1 = failed;
                }
            });
        }
    });
    all.into_inner().expect("no thread panics while it holds the lock")
}

fn run_case(plan: &Plan, case: u64, seen: &mut Seen) -> Option<Failure> {
    let mut rng = Rng::new(plan.seed, case);
    let tree = generate(&mut rng, plan.size, &plan.constructs);
    // The same schedule for every candidate, so that shrinking is deterministic.
    let order = rng.clone();
    let judge = |tree: &Block, seen: &mut Seen| {
        let program = compile(tree).ok()?;
        // Recorded runs know no such accumulations.
        if program.sees_old_values() {
            return None;
        }
        judge(&program, &order, seen).err()
    };
    judge(&tree, seen)?;
    let small = shrink(&tree, |candidate| judge(candidate, &mut Seen::default()).is_some());
    let what = judge(&small, &mut Seen::default()).expect("it still fails");
    let mismatch = Mismatch { who: "validate".to_owned(), what };
    Some(Failure { case, mismatch, text: print(&small) })
}

fn judge(program: &Program, order: &Rng, seen: &mut Seen) -> Result<(), String> {
    seen.executions += 1;
    let Recorded { machine, execution, .. } =
        record(program, View::Access, &mut order.clone(), MAX_STEPS);
    witness::check_record(&execution).map_err(|fault| format!("recorded badly: {fault:?}"))?;
    theorems(program, order, seen)?;
    let usual = analyse(&execution, Options::default());
    let precise = analyse(&execution, Options { precise: true, ..Options::default() });
    let place = |id: ActionId| {
        let action = execution.action(id);
        let task = rosser_detect::TaskId(action.thread.0);
        place(&machine, task, SiteId(action.site.0))
    };
    let places = |(a, b): (ActionId, ActionId)| {
        let (a, b) = (place(a), place(b));
        if a < b { (a, b) } else { (b, a) }
    };
    for race in usual.races.iter().chain(&precise.races) {
        let Some(witness) = &race.witness else { continue };
        seen.proved += 1;
        replay(program, &execution, witness)
            .map_err(|unlike| format!("proved a race, but the machine differs: {unlike:?}"))?;
    }
    let Some(all) = every_race(program, MOST_STATES) else { return Ok(()) };
    seen.explored += 1;
    for race in usual.races.iter().chain(&precise.races) {
        if race.witness.is_some() && !all.contains(&places(race.pairs[0])) {
            return Err(format!("proved a race that no schedule has: {:?}", race.pairs[0]));
        }
    }
    count(&execution, (&usual, &precise), &all, &places, &place, &mut seen.found);
    Ok(())
}

fn count(
    execution: &Execution,
    (usual, precise): (&Analysis, &Analysis),
    all: &Races,
    places: &impl Fn((ActionId, ActionId)) -> (Place, Place),
    place: &impl Fn(ActionId) -> Place,
    found: &mut Found,
) {
    let reached: FxHashSet<Place> = execution.ids().map(|(id, _)| place(id)).collect();
    found.possible += all.len() as u64;
    let is_reached = |(a, b): &&(Place, Place)| reached.contains(a) && reached.contains(b);
    found.reached += all.iter().filter(is_reached).count() as u64;
    let of = |analysis: &Analysis, fits: &dyn Fn(&rosser_validate::Race) -> bool| -> Races {
        analysis.races.iter().filter(|it| fits(it)).map(|it| places(it.pairs[0])).collect()
    };
    let real = |races: Races| races.iter().filter(|it| all.contains(it)).count() as u64;
    let apparent = of(usual, &|race| race.is_apparent);
    found.false_by_order += apparent.iter().filter(|it| !all.contains(it)).count() as u64;
    found.by_order += real(apparent);
    let feasible = |race: &rosser_validate::Race| {
        matches!(race.verdict, Verdict::Feasible | Verdict::Proved(_))
    };
    found.feasible += real(of(usual, &feasible));
    found.by_ideals += real(of(usual, &|it| it.verdict == Verdict::Proved(Method::Ideal)));
    found.with_reversal += real(of(usual, &|it| matches!(it.verdict, Verdict::Proved(_))));
    found.precise += real(of(precise, &|it| matches!(it.verdict, Verdict::Proved(_))));
}

/// Theorems 7.1 and 7.2 on the same run with larger events.
fn theorems(program: &Program, order: &Rng, seen: &mut Seen) -> Result<(), String> {
    let Recorded { execution, .. } = record(program, View::Object, &mut order.clone(), MAX_STEPS);
    let events = Events::of(&execution);
    let dependences = dependences(&execution, &events);
    let possible = brute::can_overlap(&execution, &events, &dependences, MOST_ORDERS);
    for pairing in [Pairing::Each, Pairing::Signal] {
        let options = Options { predict: false, pairing, ..Options::default() };
        let analysis = analyse(&execution, options);
        let apparent: FxHashSet<_> =
            analysis.races.iter().map(|race| (race.first, race.second)).collect();
        seen.apparent += apparent.len() as u64;
        // Without synchronisation everything is unordered: those that overlapped are among these.
        let none = Order::none(&execution, &events);
        for conflict in conflicts(&execution, &events, &none).iter().filter(|it| it.is_race) {
            let (a, b) = (conflict.first, conflict.second);
            if brute::overlapped(&events, a, b) {
                seen.happened += 1;
                if !apparent.contains(&(a, b)) {
                    return Err(format!("Theorem 7.1: {a:?} and {b:?} overlapped"));
                }
            }
        }
        for race in &analysis.races {
            match (race.verdict, &possible) {
                (Verdict::Tangled(_), _) => seen.tangled += 1,
                (Verdict::Feasible, Some(possible)) => {
                    seen.feasible += 1;
                    if !possible.contains(&(race.first, race.second)) {
                        return Err(format!(
                            "Theorem 7.2: {:?} and {:?} cannot overlap",
                            race.first, race.second
                        ));
                    }
                }
                _ => {}
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{Plan, fuzz_validated};
    use crate::fuzz::Options;

    #[test]
    fn the_theorems_hold_and_what_is_proved_is_exhibited() {
        let options = Options { uncorrected: None, explore_below: 0 };
        let constructs = Vec::new();
        let plan = Plan { cases: 8_000, seed: 1, size: 16, constructs, options, threads: 2 };
        let (seen, failure) = fuzz_validated(&plan, |_| ());
        if let Some(failure) = failure {
            panic!("case {}: {:?}\n{}", failure.case, failure.mismatch, failure.text);
        }
        // The executions must be worth it.
        assert!(seen.happened > 500 && seen.feasible > 2_000, "{seen:?}");
        assert!(seen.tangled > 200 && seen.proved > 2_000 && seen.explored > 2_000, "{seen:?}");
        let found = seen.found;
        assert!(found.by_ideals > found.by_order / 2, "{found:?}");
        assert!(found.with_reversal > found.by_ideals, "{found:?}");
        assert!(found.precise > found.with_reversal, "{found:?}");
    }
}
