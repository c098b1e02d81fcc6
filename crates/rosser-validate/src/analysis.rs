//! The whole answer: Phase I, Phase II, prediction, one verdict for each race.

use rustc_hash::FxHashMap;

use crate::apparent::{self, Conflict};
use crate::augment::augmented;
use crate::events::{EventId, Events};
use crate::execution::{self, ActionId, Execution};
use crate::ideal::{self, Ideal, Lacking};
use crate::knowledge::Knowledge;
use crate::order::{Order, Pairing};
use crate::precise::{Possibility, Precise};
use crate::reversal;
use crate::tangles::Tangles;
use crate::witness::Witness;

/// What is asked.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// How semaphores order.
    pub pairing: Pairing,
    /// Whether the recorded order is the true order of all accesses, and may be used.
    pub precise: bool,
    /// Whether schedules are looked for.
    pub predict: bool,
    /// Whether one section may be moved in them.
    pub reverse: bool,
    /// How many pairs of accesses that synchronisation ordered in this run are tried.
    pub most_pairs: usize,
}

impl Default for Options {
    fn default() -> Self {
        let pairing = Pairing::default();
        Self { pairing, precise: false, predict: true, reverse: true, most_pairs: 100_000 }
    }
}

/// What is known of a race.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// A schedule with the same values leads to where both accesses are next.
    Proved(Method),
    /// The two events can overlap with the same dependences (Theorem 7.2).
    Feasible,
    /// Synchronisation does not order the two, and no other race is in their way; but with this pairing of semaphores, or
    /// because the record is not complete, the theorem does not say that they can overlap.
    Untangled,
    /// It may be an artifact of other races.
    Tangled(u32),
    /// The dependences of this execution exclude it.
    Impossible,
}

/// How a schedule was found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    /// The recorded order, restricted.
    Ideal,
    /// With the last part of one thread moved to the end.
    Reversal,
}

/// Two events that race, or seem to.
#[derive(Clone, Debug)]
pub struct Race {
    /// The event that began first.
    pub first: EventId,
    /// The other.
    pub second: EventId,
    /// Conflicting accesses; the first pair is the one that a witness is about.
    pub pairs: Vec<(ActionId, ActionId)>,
    /// The tangle that it belongs to, whatever else is known of it.
    pub tangle: Option<u32>,
    /// Whether the recorded synchronisation leaves it open: otherwise it was predicted.
    pub is_apparent: bool,
    /// What is known of it.
    pub verdict: Verdict,
    /// A schedule that shows it, if it is proved.
    pub witness: Option<Witness>,
    /// What the dependences of this execution say, if they are known.
    pub possibility: Option<Possibility>,
    /// The races, by their index, on which it depends, as far as that is known.
    pub depends_on: Vec<usize>,
}

/// What an execution shows.
#[derive(Clone, Debug)]
pub struct Analysis {
    /// The events.
    pub events: Events,
    /// How they are ordered.
    pub order: Order,
    /// The races; causes come first.
    pub races: Vec<Race>,
    /// How many tangles there are.
    pub tangles: u32,
    /// How many pairs of accesses were not tried because there were too many.
    pub cut_off: usize,
}

/// Analyses an execution.
pub fn analyse(execution: &Execution, options: Options) -> Analysis {
    let events = Events::of(execution);
    let order = Order::of(execution, &events, options.pairing);
    let conflicts = apparent::conflicts(execution, &events, &order);
    let graph = augmented(execution, &events, &order, &conflicts);
    let tangles = Tangles::of(&graph, &conflicts);
    let knowledge = Knowledge::of(execution, &events, &order, options.precise);
    let precise = options.precise.then(|| Precise::of(execution, &events, &order));
    let prover = Prover { execution, knowledge: &knowledge, options };

    let mut ranked: Vec<usize> = (0..conflicts.len()).filter(|at| conflicts[*at].is_race).collect();
    ranked.sort_by_key(|at| (tangles.rank(*at), *at));
    let mut numbers: FxHashMap<u32, u32> = FxHashMap::default();
    let mut races = Vec::new();
    let mut dependences = Vec::new();
    for at in ranked {
        let tangle = tangles.of_conflict(at).map(|component| {
            let next = numbers.len() as u32;
            *numbers.entry(component).or_insert(next)
        });
        let (race, depends) = prover.apparent(&conflicts[at], tangle, precise.as_ref());
        races.push(race);
        dependences.push(depends);
    }
    let index: FxHashMap<(EventId, EventId), usize> =
        races.iter().enumerate().map(|(at, race)| ((race.first, race.second), at)).collect();
    for (at, depends) in dependences.into_iter().enumerate() {
        races[at].depends_on = races_of(&depends, &events, &index, at);
    }
    let cut_off =
        if options.predict { prover.predict(&events, &order, &conflicts, &mut races) } else { 0 };
    Analysis { events, order, races, tangles: numbers.len() as u32, cut_off }
}

/// Looks for schedules.
struct Prover<'a> {
    execution: &'a Execution,
    knowledge: &'a Knowledge,
    options: Options,
}

/// Pairs of accesses whose order is not known.
type Depends = Vec<(ActionId, ActionId)>;

impl Prover<'_> {
    fn apparent(
        &self,
        conflict: &Conflict,
        tangle: Option<u32>,
        precise: Option<&Precise<'_>>,
    ) -> (Race, Depends) {
        let (first, second) = (conflict.first, conflict.second);
        let possibility = precise.map(|precise| precise.possibility(first, second));
        let mut race = Race {
            first,
            second,
            pairs: conflict.pairs.clone(),
            tangle,
            is_apparent: true,
            verdict: match (tangle, possibility) {
                (_, Some(Possibility::Impossible)) => Verdict::Impossible,
                (None, _) | (_, Some(_)) if self.theorem_holds() => Verdict::Feasible,
                (None, _) | (_, Some(_)) => Verdict::Untangled,
                (Some(tangle), None) => Verdict::Tangled(tangle),
            },
            witness: None,
            possibility,
            depends_on: Vec::new(),
        };
        let mut depends: Option<Depends> = None;
        if self.options.predict {
            for (at, &pair) in conflict.pairs.iter().enumerate() {
                match self.prove(pair) {
                    Some(Proof::Witness(witness, method)) => {
                        race.verdict = Verdict::Proved(method);
                        race.witness = Some(witness);
                        race.pairs.swap(0, at);
                        return (race, Vec::new());
                    }
                    Some(Proof::Depends(new))
                        if depends.as_ref().is_none_or(|old| new.len() < old.len()) =>
                    {
                        depends = Some(new);
                    }
                    Some(Proof::Depends(_)) | None => {}
                }
            }
        }
        (race, depends.unwrap_or_default())
    }

    /// Whether Theorem 7.2 may be applied: to a graph that obeys semaphores, with all dependences there may be.
    fn theorem_holds(&self) -> bool {
        self.options.pairing.obeys_semaphores() && self.execution.incomplete.is_empty()
    }

    fn prove(&self, pair: (ActionId, ActionId)) -> Option<Proof> {
        let mut depends: Option<Depends> = None;
        let mut ideals: Vec<(Ideal, Method)> = Vec::new();
        for lacking in [Lacking::Last, Lacking::First] {
            let ideal = ideal::of_pair(self.execution, self.knowledge, pair, lacking);
            ideals.extend(ideal.ok().map(|ideal| (ideal, Method::Ideal)));
            if ideals.iter().any(|(ideal, _)| ideal.depends.is_empty()) {
                break;
            }
        }
        if self.options.reverse && ideals.iter().all(|(ideal, _)| !ideal.depends.is_empty()) {
            let ideal = reversal::of_pair(self.execution, self.knowledge, pair);
            ideals.extend(ideal.ok().map(|ideal| (ideal, Method::Reversal)));
        }
        for (ideal, method) in ideals {
            if ideal.depends.is_empty() {
                let schedule = ideal.schedule;
                let witness = Witness { schedule, first: pair.0, second: pair.1 };
                // Nothing is called proved that the checker has not seen.
                if witness.check(self.execution).is_ok() {
                    return Some(Proof::Witness(witness, method));
                }
            } else if depends.as_ref().is_none_or(|old| ideal.depends.len() < old.len()) {
                depends = Some(ideal.depends);
            }
        }
        depends.map(Proof::Depends)
    }

    /// Races that the recorded synchronisation hid: conflicts that it ordered, though not in every schedule. Returns how
    /// many pairs were not tried.
    fn predict(
        &self,
        events: &Events,
        order: &Order,
        conflicts: &[Conflict],
        races: &mut Vec<Race>,
    ) -> usize {
        let mut known: rustc_hash::FxHashSet<(EventId, EventId)> =
            conflicts.iter().filter(|it| it.is_race).map(|it| (it.first, it.second)).collect();
        let mut tried = 0;
        let mut cut_off = 0;
        for touches in apparent::touches(self.execution, events).values() {
            for (at, &(second, access, id)) in touches.iter().enumerate() {
                // The nearest ones first.
                for &(first, other_access, other) in touches[..at].iter().rev() {
                    if !execution::race(access, other_access)
                        || order.strongly_precedes(first, second)
                        || order.strongly_precedes(second, first)
                        || events.get(first).thread == events.get(second).thread
                        || known.contains(&(first, second))
                    {
                        continue;
                    }
                    if tried == self.options.most_pairs {
                        cut_off += 1;
                        continue;
                    }
                    tried += 1;
                    if let Some(Proof::Witness(witness, method)) = self.prove((other, id)) {
                        known.insert((first, second));
                        races.push(Race {
                            first,
                            second,
                            pairs: vec![(other, id)],
                            tangle: None,
                            is_apparent: false,
                            verdict: Verdict::Proved(method),
                            witness: Some(witness),
                            possibility: None,
                            depends_on: Vec::new(),
                        });
                    }
                }
            }
        }
        cut_off
    }
}

/// What came of looking for a schedule.
enum Proof {
    Witness(Witness, Method),
    Depends(Depends),
}

/// The races that pairs of accesses belong to.
fn races_of(
    depends: &[(ActionId, ActionId)],
    events: &Events,
    index: &FxHashMap<(EventId, EventId), usize>,
    own: usize,
) -> Vec<usize> {
    let mut all: Vec<usize> = depends
        .iter()
        .filter_map(|(a, b)| {
            let (a, b) = (events.of_action(*a), events.of_action(*b));
            index.get(&(a.min(b), a.max(b))).copied()
        })
        .filter(|race| *race != own)
        .collect();
    all.sort_unstable();
    all.dedup();
    all
}
