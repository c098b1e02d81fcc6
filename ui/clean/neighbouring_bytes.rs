//! Every task writes one byte of a word that all of them share: bytes are the unit of conflict.

use rayon::prelude::*;

fn main() {
    let mut bytes = [0_u8; 32];
    bytes.par_iter_mut().for_each(|byte| *byte = 1);
    bytes.par_iter_mut().for_each(|byte| *byte += 1);
    assert_eq!(bytes, [2; 32]);
    let mut flags = [false; 8];
    flags.par_iter_mut().enumerate().for_each(|(index, flag)| *flag = index % 2 == 0);
    assert_eq!(flags.iter().filter(|&&flag| flag).count(), 4);
}
