//! A block is freed by the last call that a closure makes: the place is that of the `drop`.

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
        drop(unsafe { Box::from_raw(block.get()) }); //~ race 1
    };
    rayon::join(write, free);
}
