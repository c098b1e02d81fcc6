//! Parts of one word of several widths, each with its own task, read and written.

use rayon::prelude::*;

#[repr(C)]
struct Word {
    half: u32,
    quarter: u16,
    byte: u8,
    flag: bool,
}

fn main() {
    let mut word = Word { half: 1, quarter: 1, byte: 1, flag: false };
    let Word { half, quarter, byte, flag } = &mut word;
    rayon::scope(|scope| {
        scope.spawn(|_| *half += 1);
        scope.spawn(|_| *quarter += 1);
        scope.spawn(|_| *byte += 1);
        scope.spawn(|_| *flag = !*flag);
    });
    assert!(word.half == 2 && word.quarter == 2 && word.byte == 2 && word.flag);
    let mut halves = [0_u32; 9];
    halves.par_iter_mut().for_each(|half| *half += 1);
    let mut quarters = [0_u16; 9];
    quarters.par_iter_mut().for_each(|quarter| *quarter += 1);
    assert_eq!(halves.map(u64::from), quarters.map(u64::from));
}
