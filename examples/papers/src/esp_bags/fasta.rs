//! DNA sequences: a known one over and over, and random ones with given frequencies. Each random
//! sequence is written by four tasks; where the random numbers of each begin is computed.

use rosser::finish;

use crate::check::{Outcome, digest, ensure};
use crate::shared::Shared;
use crate::size::Size;

/// Tasks for each sequence.
const TASKS: usize = 4;

const ALU: &[u8] = b"GGCCGGGCGCGGTGGCTCACGCCTGTAATCCCAGCACTTTGGGAGGCCGAGGCGGGCGGATCACCTGAGG\
TCAGGAGTTCGAGACCAGCCTGGCCAACATGGTGAAACCCCGTCTCTACTAAAAATACAAAAATTAGCCGGGCGTGGTGGCGCGCGCCTGTA\
ATCCCAGCTACTCGGGAGGCTGAGGCAGGAGAATCGCTTGAACCCGGGAGGCGGAGGTTGCAGTGAGCCGAGATCGCGCCACTGCACTCCAG\
CCTGGGCGACAGAGCGAGACTCCGTCTCAAAAA";

const CODES: &[(u8, f64)] = &[
    (b'a', 0.27),
    (b'c', 0.12),
    (b'g', 0.12),
    (b't', 0.27),
    (b'B', 0.02),
    (b'D', 0.02),
    (b'H', 0.02),
    (b'K', 0.02),
    (b'M', 0.02),
    (b'N', 0.02),
    (b'R', 0.02),
    (b'S', 0.02),
    (b'V', 0.02),
    (b'W', 0.02),
    (b'Y', 0.02),
];

const HUMAN: &[(u8, f64)] = &[
    (b'a', 0.302_954_942_668_0),
    (b'c', 0.197_988_300_492_1),
    (b'g', 0.197_547_307_703_6),
    (b't', 0.301_509_449_136_3),
];

/// The benchmark's own random numbers: x → (x · 3877 + 29573) mod 139968.
#[derive(Clone, Copy)]
struct Lcg(u64);

impl Lcg {
    const MODULUS: u64 = 139_968;

    fn next(&mut self) -> f64 {
        self.0 = (self.0 * 3877 + 29_573) % Self::MODULUS; // race: see `write_shared`
        self.0 as f64 / Self::MODULUS as f64 // race: see `write_shared`
    }

    /// The state after that many more numbers.
    fn after(self, mut count: usize) -> Self {
        let (mut factor, mut term, mut state) = (3877, 29_573, self.0);
        while count > 0 {
            if count % 2 == 1 {
                state = (state * factor + term) % Self::MODULUS;
            }
            term = (term * factor + term) % Self::MODULUS;
            factor = factor * factor % Self::MODULUS;
            count /= 2;
        }
        Self(state)
    }
}

/// Writes all sequences and compares them with what one task writes.
pub fn run(size: Size, racy: bool) -> Outcome {
    let n = size.pick(300, 2_000_000, 25_000_000);
    let mut sequences = [vec![0; 2 * n], vec![0; 3 * n], vec![0; 5 * n]];
    let [alu, codes, human] = &mut sequences;
    let start = Lcg(42);
    finish(|s| {
        s.spawn(|_| {
            for (to, from) in alu.iter_mut().zip(ALU.iter().cycle()) {
                *to = *from;
            }
        });
        if racy {
            let mut state = start;
            let shared = Shared::one(&mut state);
            finish(|s| {
                for part in codes.chunks_mut((3 * n).div_ceil(TASKS)) {
                    s.spawn(move |_| write_shared(part, CODES, shared)); // race: see there
                }
            });
        } else {
            write_parts(s, codes, CODES, start);
        }
        write_parts(s, human, HUMAN, start.after(3 * n));
    });

    let mut random = start;
    let [_, codes, human] = &sequences;
    for (sequence, table) in [(codes, CODES), (human, HUMAN)] {
        let sums = sums(table);
        let right = sequence.iter().all(|is| *is == choose(table, &sums, random.next()));
        ensure(right, "a sequence is wrong")?;
    }
    Ok(digest(sequences.iter().flatten().map(|&letter| u64::from(letter))))
}

fn write_parts<'scope>(
    s: &rosser::Finish<'scope>,
    to: &'scope mut [u8],
    table: &'static [(u8, f64)],
    start: Lcg,
) {
    let len = to.len().div_ceil(TASKS);
    for (i, part) in to.chunks_mut(len).enumerate() {
        s.spawn(move |_| write(part, table, &mut start.after(i * len)));
    }
}

/// The bug: all tasks take their random numbers from the same generator.
fn write_shared(to: &mut [u8], table: &[(u8, f64)], random: Shared<Lcg>) {
    // SAFETY: there is none.
    write(to, table, unsafe { &mut *random.get() }); // race: where it may be read once for all
}

fn write(to: &mut [u8], table: &[(u8, f64)], random: &mut Lcg) {
    let sums = sums(table);
    for letter in to {
        *letter = choose(table, &sums, random.next()); // race: where `random` is shared
    }
}

fn sums(table: &[(u8, f64)]) -> Vec<f64> {
    let mut sum = 0.0;
    let add = |(_, frequency): &(u8, f64)| {
        sum += frequency;
        sum
    };
    table.iter().map(add).collect()
}

fn choose(table: &[(u8, f64)], sums: &[f64], random: f64) -> u8 {
    let at = sums.iter().position(|sum| random < *sum).unwrap_or(table.len() - 1);
    table[at].0
}
