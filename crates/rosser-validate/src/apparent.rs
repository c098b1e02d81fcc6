//! Phase I: the conflicts between events that no path of the temporal ordering graph connects.
//!
//! A conflict with a plain access in it is an apparent data race (definition 6.4 of the paper). Conflicts of
//! accumulations that do not commute are none, but data may flow there, in either direction: Phase II needs them too.
//! Every race that happened is among them (Theorem 7.1), because the order only has what happened.

use std::collections::BTreeMap;

use rosser_detect::Access;
use rustc_hash::FxHashMap;

use crate::events::{EventId, Events};
use crate::execution::{self, ActionId, Execution, Word};
use crate::order::Order;

/// Two unordered events that touch a word, one of them writing it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Conflict {
    /// The event with the lower id.
    pub first: EventId,
    /// The other.
    pub second: EventId,
    /// Whether a plain access is involved: an apparent data race.
    pub is_race: bool,
    /// Conflicting accesses, one pair for each word and kind of access: of races, those that race.
    pub pairs: Vec<(ActionId, ActionId)>,
}

/// The accesses to a word: for each event the first of each kind.
pub(crate) type Touches = BTreeMap<Word, Vec<(EventId, Access, ActionId)>>;

/// Who touches which word.
pub(crate) fn touches(execution: &Execution, events: &Events) -> Touches {
    let mut all = Touches::new();
    for (id, action) in execution.ids() {
        if let Some((word, access)) = action.act.touched() {
            let event = events.of_action(id);
            let known = all.entry(word).or_default();
            let mut same_event = known.iter().rev().take_while(|(other, ..)| *other == event);
            if !same_event.any(|(_, other, _)| *other == access) {
                known.push((event, access, id));
            }
        }
    }
    for known in all.values_mut() {
        known.sort_by_key(|(event, _, id)| (*event, *id));
    }
    all
}

/// All conflicts between unordered events, by their events.
pub fn conflicts(execution: &Execution, events: &Events, order: &Order) -> Vec<Conflict> {
    let mut found: FxHashMap<(EventId, EventId), Conflict> = FxHashMap::default();
    for touches in touches(execution, events).values() {
        if !touches.iter().any(|(_, access, _)| access.writes()) {
            continue;
        }
        for (at, &(first, access, one)) in touches.iter().enumerate() {
            for &(second, other_access, other) in &touches[at + 1..] {
                if !execution::depend(access, other_access) || !order.unordered(first, second) {
                    continue;
                }
                let is_race = execution::race(access, other_access);
                if !is_race && both_are_atomic(execution, one, other) {
                    // Their order is known.
                    continue;
                }
                let new = Conflict { first, second, is_race, pairs: Vec::new() };
                let conflict = found.entry((first, second)).or_insert(new);
                if is_race && !conflict.is_race {
                    conflict.is_race = true;
                    conflict.pairs.clear();
                }
                if is_race == conflict.is_race {
                    conflict.pairs.push((one, other));
                }
            }
        }
    }
    let mut all: Vec<Conflict> = found.into_values().collect();
    all.sort_by_key(|conflict| (conflict.first, conflict.second));
    all
}

fn both_are_atomic(execution: &Execution, a: ActionId, b: ActionId) -> bool {
    let atomic = |id| !execution.action(id).act.is_computation();
    atomic(a) && atomic(b)
}
