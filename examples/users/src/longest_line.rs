//! The longest line of a text.

use rayon::prelude::*;

use crate::size::Size;
use crate::text;

/// Looks for it, and looks again.
pub fn run(size: Size) -> u64 {
    let (lines, rounds) = size.pick((1_000, 2), (200_000, 8));
    let text = text::lines(lines);
    let mut longest = "";
    for _ in 0..rounds {
        let (_, line) = text
            .par_lines()
            .map(|line| (line.trim_end().chars().count(), line))
            .max_by_key(|&(length, _)| length)
            .expect("there are lines");
        longest = line;
    }
    assert!(text.lines().all(|line| line.len() <= longest.len()));
    longest.len() as u64
}

/// The length of the longest line so far.
static mut LONGEST: usize = 0;

/// The mistake: the length is kept in a plain variable.
pub fn racy(size: Size) -> u64 {
    let text = text::lines(size.pick(1_000, 200_000));
    text.par_lines().for_each(|line| {
        // SAFETY: none, that is the mistake.
        unsafe {
            let longest = LONGEST; // race: another line may be longer
            if line.len() > longest {
                LONGEST = line.len(); // race: it may be shorter than another by now
            }
        }
    });
    // SAFETY: nobody looks for it any more.
    unsafe { LONGEST as u64 }
}
