//! What is known of a race of a recorded execution, in words.

use rosser_validate::analysis::Method;
use rosser_validate::precise::Possibility;
use rosser_validate::{Race, Verdict};

/// A verdict in a word.
pub fn word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Proved(_) => "proved",
        Verdict::Feasible => "feasible",
        Verdict::Untangled => "untangled",
        Verdict::Tangled(_) => "tangled",
        Verdict::Impossible => "impossible",
    }
}

/// On which races one depends.
pub fn depends(race: &Race) -> String {
    let numbers: Vec<String> = race.depends_on.iter().map(|at| (at + 1).to_string()).collect();
    let noun = if numbers.len() == 1 { "race" } else { "races" };
    format!("whether the program comes there may depend on {noun} {}", numbers.join(", "))
}

/// What a verdict means.
pub fn why(race: &Race) -> String {
    let why = match (race.verdict, race.is_apparent) {
        (Verdict::Proved(Method::Ideal), true) => "nothing orders the two",
        (Verdict::Proved(Method::Reversal), true) => {
            "nothing orders the two; the schedule has a section later than this run"
        }
        (Verdict::Proved(Method::Ideal), false) => "this run ordered the two, but need not have",
        (Verdict::Proved(Method::Reversal), false) => {
            "this run ordered the two, but would not have with a section later"
        }
        (Verdict::Feasible, _) => {
            "the two events can overlap, with the same dependences (Netzer and Miller, Theorem 7.2)"
        }
        (Verdict::Untangled, _) => {
            "nothing is known to order the two, and no other race that is known is in their way"
        }
        (Verdict::Tangled(_), _) => "it may be there only because of how another race went",
        (Verdict::Impossible, _) => "what other accesses found in this run excludes it",
    };
    match race.possibility {
        Some(Possibility::Happened) => format!("{why}; the two events did overlap"),
        _ => why.to_owned(),
    }
}
