//! One task reads a block that its sibling frees. In serial order the read comes first and all
//! goes well; in another order it reads freed memory.

use std::hint::black_box;

use shared::Shared;

struct Payload([u64; 4]);

fn main() {
    let block = Shared::from_raw(Box::into_raw(Box::new(Payload([1, 2, 3, 4]))));
    rayon::scope(|scope| {
        scope.spawn(move |_| {
            // SAFETY: only sound in serial order; the conflict is what is tested.
            black_box(unsafe { (*block.get()).0[1] }); //~ race 1
        });
        scope.spawn(move |_| {
            // Some time is left to the reader, should the tasks really run in parallel.
            std::thread::sleep(std::time::Duration::from_millis(20));
            // SAFETY: as above.
            drop(unsafe { Box::from_raw(block.get()) }); //~ race 1
            // Lest the call be the closure's last and take the place of its frame.
            black_box(());
        });
    });
}
