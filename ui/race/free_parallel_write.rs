//! One task writes into a block that its sibling frees.

use std::hint::black_box;

use shared::Shared;

struct Payload([u64; 8]);

fn main() {
    let block = Shared::from_raw(Box::into_raw(Box::new(Payload([0; 8]))));
    rayon::join(
        || {
            // SAFETY: only sound in serial order; the conflict is what is tested.
            unsafe { (*block.get()).0[7] = 1 } //~ race 1
        },
        || {
            // Some time is left to the writer, should the tasks really run in parallel.
            std::thread::sleep(std::time::Duration::from_millis(20));
            // SAFETY: as above.
            drop(unsafe { Box::from_raw(block.get()) }); //~ race 1
            // Lest the call be the closure's last and take the place of its frame.
            black_box(());
        },
    );
}
