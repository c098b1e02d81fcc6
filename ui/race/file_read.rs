//! The kernel fills a buffer on behalf of one task while another writes into it.

use std::fs::File;
use std::io::Read;

use shared::Shared;

fn main() {
    let mut buffer = [1_u8; 16];
    let byte = Shared::slice(&mut buffer);
    let mut zeros = File::open("/dev/zero").expect("it is always there");
    rayon::join(
        || {
            // SAFETY: the buffer outlives the join. The conflict is what is tested.
            let bytes = unsafe { std::slice::from_raw_parts_mut(byte.get(), 16) };
            assert_eq!(zeros.read(bytes).expect("it can be read"), 16); //~ race 1
        },
        || {
            // SAFETY: as above.
            unsafe { *byte.at(3) = 2 } //~ race 1
        },
    );
    assert_eq!(buffer[0], 0);
}
