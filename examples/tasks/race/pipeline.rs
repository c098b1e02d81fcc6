//! A pipeline: one task makes the lines of a picture, the next inverts them, the last adds up a
//! checksum. All work at the same time, each on another line. A promise for each line and stage
//! says that the line may be passed on.
//!
//! The bug: the second stage sets its promise first and inverts the line afterwards, so the last
//! stage adds up a line that is still being inverted.

use rosser::{Promise, finish};
use shared::Shared;

const LINES: usize = 24;
const WIDTH: usize = 16;

/// The first stage.
fn make(pixels: Shared<u64>, line: usize) {
    for at in line * WIDTH..(line + 1) * WIDTH {
        // SAFETY: the index is in bounds, and nobody else has the line.
        unsafe { *pixels.at(at) = (at as u64 * 37) % 256 }
    }
}

/// The second stage.
fn invert(pixels: Shared<u64>, line: usize) {
    for at in line * WIDTH..(line + 1) * WIDTH {
        // SAFETY: the first stage has passed the line on. That the third has it, too, is the bug.
        unsafe { *pixels.at(at) = 255 - *pixels.at(at) } //~ race 1
    }
}

/// The third stage: goes on with a checksum.
fn add(pixels: Shared<u64>, line: usize, mut checksum: u64) -> u64 {
    for at in line * WIDTH..(line + 1) * WIDTH {
        // SAFETY: the second stage has passed the line on, though too early.
        let pixel = unsafe { *pixels.at(at) }; //~ race 1
        checksum = checksum.wrapping_mul(31).wrapping_add(pixel);
    }
    checksum
}

fn promises() -> Vec<Promise<()>> {
    (0..LINES).map(|_| Promise::new()).collect()
}

fn main() {
    let mut picture = vec![0_u64; LINES * WIDTH];
    let pixels = Shared::slice(&mut picture);
    let (made, inverted) = (promises(), promises());
    let mut checksum = 0;
    finish(|s| {
        s.spawn(|_| {
            for line in 0..LINES {
                make(pixels, line);
                made[line].set(());
            }
        });
        s.spawn(|_| {
            for line in 0..LINES {
                made[line].get();
                inverted[line].set(());
                invert(pixels, line);
            }
        });
        s.spawn(|_| {
            for line in 0..LINES {
                inverted[line].get();
                checksum = add(pixels, line, checksum);
            }
        });
    });
    let right = (0..LINES).fold(0, |checksum, line| add(pixels, line, checksum));
    println!("the checksum is {checksum:x}, and should be {right:x}");
}
