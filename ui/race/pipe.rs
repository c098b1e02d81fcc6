//! What goes through a pipe is read by the kernel at one end and written at the other.

use std::hint::black_box;
use std::io::{IoSlice, Read, Write, pipe};

use shared::Shared;

fn main() {
    let mut given = [1_u8; 24];
    let mut got = [0_u8; 16];
    let giving = Shared::slice(&mut given);
    let getting = Shared::slice(&mut got);
    let (mut reader, mut writer) = pipe().expect("there are pipes");
    rayon::join(
        || {
            // SAFETY: within the array, which outlives the tasks; the conflict is what is tested.
            let bytes = unsafe { std::slice::from_raw_parts(giving.get(), 24) };
            writer.write_all(&bytes[..16]).expect("there is room"); //~ race 1
            let parts = [IoSlice::new(&bytes[..1]), IoSlice::new(&bytes[20..])];
            assert_eq!(writer.write_vectored(&parts).expect("there is room"), 5); //~ race 2
        },
        || {
            // SAFETY: as above.
            unsafe { *giving.at(7) = 2 } //~ race 1
            // SAFETY: as above.
            unsafe { *giving.at(23) = 2 } //~ race 2
        },
    );
    rayon::join(
        || {
            // SAFETY: as above.
            let bytes = unsafe { std::slice::from_raw_parts_mut(getting.get(), 16) };
            assert_eq!(reader.read(bytes).expect("there is something"), 16); //~ race 3
        },
        || {
            // SAFETY: as above.
            black_box(unsafe { *getting.at(15) }); //~ race 3
        },
    );
    assert_eq!(got, [1; 16]);
}
