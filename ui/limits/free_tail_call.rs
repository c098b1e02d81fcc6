//! The last call of a function may take the place of the function's frame. The place shown is then
//! that of the caller: here not the line of the `drop` but the `join`.

use shared::Shared;

struct Payload([u64; 8]);

fn main() {
    let block = Shared::from_raw(Box::into_raw(Box::new(Payload([0; 8]))));
    let write = || {
        // SAFETY: only sound in serial order; the conflict is what is tested.
        unsafe { (*block.get()).0[7] = 1 } //~ race 1
    };
    let free = || {
        // SAFETY: as above.
        drop(unsafe { Box::from_raw(block.get()) });
    };
    rayon::join(write, free); //~ race 1
}
