//! Conflicts that are no findings, judged by the names and files of the standard library as it is
//! compiled into this executable.

use std::sync::{Mutex, PoisonError};

use rosser_abi::run_file::{access, class, finding, via};
use rosser_report::{Counts, Style, Tallies};

use crate::executable::{address_of, call_at, call_in};
use crate::runs::{FindingWords, RunWords, Runs};

fn counts(words: &FindingWords) -> Counts {
    let mut run = RunWords::new(7);
    run.finding(words);
    Runs::new(&[&run]).report().counts()
}

/// The slow path of `Mutex`, which is a function of its own.
pub fn in_mutex() -> u64 {
    drop(Mutex::new(0).lock().unwrap_or_else(PoisonError::into_inner));
    call_in("futex::Mutex>::lock_contended")
}

fn two_locks() -> FindingWords {
    let mut words = FindingWords::order();
    words.set(finding::FIRST_ACCESS, access::ATOMIC_UPDATE);
    words.set(finding::SECOND_ACCESS, access::ATOMIC_UPDATE);
    words.set(finding::FIRST_PC, in_mutex()).stack(&[in_mutex(), call_at("bank")]);
    words.set(finding::COUNT, 3);
    words
}

#[test]
fn the_state_of_a_mutex_is_internal() {
    let expected = Tallies { internal: 3, ..Tallies::default() };
    assert_eq!(counts(&two_locks()), Counts { tallies: expected, ..Counts::default() });
}

#[test]
fn a_users_atomic_in_conflict_with_it_is_not() {
    let counts = counts(two_locks().set(finding::FIRST_PC, address_of("publish")));
    assert_eq!((counts.order_dependent, counts.tallies.internal), (1, 0));
}

#[test]
fn a_caller_does_not_say_who_made_the_access() {
    // There may be a lock between the two.
    let counts = counts(two_locks().set(finding::FIRST_CALLER, call_at("bank")));
    assert_eq!((counts.order_dependent, counts.tallies.internal), (0, 3));
}

#[test]
fn a_hidden_release_is_an_initialisation() {
    let mut words = FindingWords::race();
    words.set(finding::CLASS, class::ORDER_DEPENDENT).set(finding::VIA, via::HIDDEN_RELEASE);
    let expected = Tallies { initialised_once: 1, ..Tallies::default() };
    assert_eq!(counts(&words), Counts { tallies: expected, ..Counts::default() });
}

#[test]
fn freeing_in_order_is_no_finding_but_a_racing_free_is() {
    let mut words = FindingWords::race();
    words.set(finding::SECOND_ACCESS, access::FREE);
    assert_eq!(counts(&words).data_races, 1);
    words.set(finding::CLASS, class::ORDER_DEPENDENT).set(finding::VIA, via::RELEASE_ACQUIRE);
    let expected = Tallies { freed_in_order: 1, ..Tallies::default() };
    assert_eq!(counts(&words), Counts { tallies: expected, ..Counts::default() });
}

#[test]
fn the_verdict_tells_of_them() {
    let mut run = RunWords::new(7);
    run.finding(&two_locks());
    let text = Runs::new(&[&run]).report().text(Style::default());
    assert!(
        text.starts_with("verdict: no determinacy race in any schedule for this input\n"),
        "{text}"
    );
    assert!(
        text.contains("conflicts counted, not reported: 3 inside locks and reference counts"),
        "{text}"
    );
}
