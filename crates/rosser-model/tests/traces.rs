//! Recorded runs written as traces and read again, whole and damaged.

use std::collections::BTreeSet;

use rosser_model::fuzz::{Rng, generate};
use rosser_model::validate::{View, replay, validate};
use rosser_model::{Source, compile};
use rosser_trace::{Problem, Trace, Unreadable, read, write};
use rosser_validate::{
    Act, Analysis, Execution, Options, Race, Verdict, analyse, witness::check_record,
};

fn written(trace: &Trace) -> Vec<u8> {
    let mut bytes = Vec::new();
    write(trace, &mut bytes).expect("a vector takes everything");
    bytes
}

/// The trace of a random run of a random program.
fn random(case: u64, is_precise: bool) -> Trace {
    let mut rng = Rng::new(77, case);
    let program = compile(&generate(&mut rng, 30, &[])).expect("it is well-formed");
    let options = Options { predict: false, ..Options::default() };
    let validation = validate(&program, View::Object, case, 2_000, options);
    validation.trace(&Source::new("random.tp3", ""), is_precise)
}

/// What each thread did, which is all that a trace without the order of accesses keeps.
fn by_thread(execution: &Execution, with_values: bool) -> Vec<Vec<(Act, u32, u32)>> {
    let act = |act| match act {
        Act::Access { word, access, .. } if !with_values => {
            Act::Access { word, access, value: None }
        }
        act => act,
    };
    (0..execution.thread_count() as u32)
        .map(|thread| {
            let own = execution.of_thread(rosser_validate::Thread(thread)).iter();
            let own = own.map(|id| execution.action(*id));
            own.map(|it| (act(it.act), it.site.0, it.group.0)).collect()
        })
        .collect()
}

/// The races of an execution, by where they are in their threads.
fn races(execution: &Execution, analysis: &Analysis) -> BTreeSet<String> {
    let place = |id| {
        let action = execution.action(id);
        (action.thread, action.position)
    };
    let all = analysis.races.iter().map(|race| {
        let first = |event| place(analysis.events.get(event).first);
        let (a, b) = (first(race.first), first(race.second));
        let verdict = match race.verdict {
            Verdict::Tangled(_) => "tangled".to_owned(),
            other => format!("{other:?}"),
        };
        format!("{:?} {:?} {verdict} {}", a.min(b), a.max(b), race.is_apparent)
    });
    all.collect()
}

#[test]
fn what_was_written_is_read_and_shows_the_same() {
    let mut shown = 0;
    for case in 0..2_000 {
        let is_precise = case % 2 == 0;
        let trace = random(case, is_precise);
        let summary = read(&written(&trace)).expect("it was written by us");
        assert_eq!(summary.problems, []);
        let back = &summary.trace;
        assert_eq!(
            (&back.about, &back.sites, &back.names),
            (&trace.about, &trace.sites, &trace.names)
        );
        // A task that did nothing at all is no thread.
        assert_eq!(back.threads, trace.threads[..back.threads.len()]);
        let (before, after) = (&trace.execution, &back.execution);
        assert_eq!(before.semaphores(), after.semaphores());
        assert_eq!(by_thread(before, is_precise), by_thread(after, is_precise), "case {case}");
        assert_eq!(check_record(after), Ok(()), "case {case}");
        let options = Options { precise: is_precise, ..Options::default() };
        let expected = races(before, &analyse(before, options));
        assert_eq!(races(after, &analyse(after, options)), expected, "case {case}");
        shown += expected.len();
    }
    assert!(shown > 1_000, "{shown}");
}

#[test]
fn of_a_torn_trace_what_is_whole_is_read() {
    let mut left_out = 0;
    for case in 0..30 {
        let trace = random(case, case % 2 == 0);
        let bytes = written(&trace);
        for length in 0..bytes.len() {
            match read(&bytes[..length]) {
                Err(error) => assert!(length < 12, "{length}: {error}"),
                Ok(summary) => {
                    assert!(!summary.problems.is_empty(), "{length} of {}", bytes.len());
                    let torn = summary.problems.iter().any(|it| matches!(it, Problem::LeftOut(_)));
                    left_out += usize::from(torn);
                    // What is read could have happened, thread by thread.
                    assert_eq!(
                        check_record(&summary.trace.execution),
                        Ok(()),
                        "case {case} {length}"
                    );
                    assert!(
                        summary.trace.execution.actions().len() <= trace.execution.actions().len()
                    );
                }
            }
        }
    }
    assert!(left_out > 100, "{left_out}");
}

/// A write that is missing may have been found: nothing is proved of a damaged trace that is not proved of the whole one,
/// and every schedule can be taken.
#[test]
fn of_a_torn_trace_nothing_false_is_proved() {
    let mut proved = 0;
    for case in 0..150 {
        let is_precise = case % 3 == 0;
        let mut rng = Rng::new(77, case);
        let program = compile(&generate(&mut rng, 30, &[])).expect("it is well-formed");
        let options = Options { precise: is_precise, ..Options::default() };
        let validation = validate(&program, View::Object, case, 500, options);
        if validation.execution.actions().len() > 60 {
            continue;
        }
        let bytes = written(&validation.trace(&Source::new("random.tp3", ""), is_precise));
        let places = |execution: &Execution, race: &Race| {
            let (a, b) = race.pairs[0];
            let site = |id| execution.action(id).site;
            (site(a).min(site(b)), site(a).max(site(b)))
        };
        let whole: BTreeSet<_> = validation
            .analysis
            .races
            .iter()
            .filter(|race| race.witness.is_some())
            .flat_map(|race| {
                race.pairs.iter().map(|(a, b)| {
                    let site = |id| validation.execution.action(id).site;
                    (site(*a).min(site(*b)), site(*a).max(site(*b)))
                })
            })
            .collect();
        for length in (12..bytes.len()).step_by(5) {
            let execution = read(&bytes[..length]).unwrap().trace.execution;
            for race in &analyse(&execution, options).races {
                let is_whole = execution.incomplete.is_empty();
                assert!(is_whole || race.verdict != Verdict::Feasible, "case {case} {length}");
                let Some(witness) = &race.witness else { continue };
                proved += 1;
                let replayed = replay(&program, &execution, witness);
                assert_eq!(replayed, Ok(()), "case {case} {length}");
                let known = whole.contains(&places(&execution, race));
                assert!(known, "case {case} {length}: {race:?} of {:?}", execution.incomplete);
            }
        }
    }
    assert!(proved > 300, "{proved}");
}

#[test]
fn a_changed_byte_is_noticed() {
    let bytes = written(&random(5, false));
    let whole = read(&bytes).unwrap().trace.execution.actions().len();
    for at in 12..bytes.len() {
        let mut changed = bytes.clone();
        changed[at] ^= 1 << (at % 8);
        let summary = read(&changed).expect("the header is right");
        assert!(matches!(summary.problems[0], Problem::Torn(_)), "byte {at}");
        assert!(summary.trace.execution.actions().len() <= whole);
    }
}

#[test]
fn hostile_bytes_do_no_harm() {
    // Blocks with right checksums and any contents: a recorder that is not ours.
    let mut refused = 0;
    for case in 0..20_000 {
        let mut rng = Rng::new(99, case);
        let mut bytes = b"RSRTRACE\x01\0\0\0".to_vec();
        for _ in 0..=rng.below(4) {
            let contents: Vec<u8> = (0..rng.below(40)).map(|_| rng.below(256) as u8).collect();
            let raw = if rng.chance(1, 4) { rng.below(1 << 30) } else { contents.len() };
            let mut block = vec![rng.below(9) as u8, rng.below(3) as u8];
            block.extend((rng.below(1 << 30) as u32).to_le_bytes());
            block.extend((raw as u32).to_le_bytes());
            block.extend((contents.len() as u32).to_le_bytes());
            block.extend(contents);
            let sum = crc(&block);
            bytes.extend(block);
            bytes.extend(sum.to_le_bytes());
        }
        refused += u32::from(read(&bytes).is_err());
    }
    assert!(refused > 1_000, "{refused}");
}

fn crc(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |sum, byte| {
        (0..8).fold(sum ^ u32::from(*byte), |sum, _| {
            if sum & 1 == 1 { (sum >> 1) ^ 0xEDB8_8320 } else { sum >> 1 }
        })
    })
}

#[test]
fn what_is_no_trace_is_refused() {
    assert_eq!(read(b"").unwrap_err(), Unreadable::NoTrace);
    assert_eq!(read(b"ROSSERRUN\0\0\0\0").unwrap_err(), Unreadable::NoTrace);
    let mut bytes = written(&random(1, false));
    bytes[8] = 9;
    assert_eq!(read(&bytes).unwrap_err(), Unreadable::Version(9));
}

#[test]
fn blocks_of_unknown_kinds_are_skipped() {
    let trace = random(3, true);
    let mut bytes = written(&trace);
    let mut block = vec![200, 7];
    block.extend(0u32.to_le_bytes());
    block.extend(3u32.to_le_bytes());
    block.extend(3u32.to_le_bytes());
    block.extend(b"new");
    let sum = crc(&block);
    block.extend(sum.to_le_bytes());
    bytes.splice(12..12, block);
    let summary = read(&bytes).unwrap();
    assert_eq!((summary.skipped, summary.problems), (1, vec![]));
    let (before, after) = (&trace.execution, &summary.trace.execution);
    assert_eq!(by_thread(before, true), by_thread(after, true));
}
