//! A task accesses one place twice, and what is in between matters: what it starts there is parallel with the second
//! access only, and what it releases or acquires there orders one of the two.

use std::hint::black_box;
use std::sync::atomic::{AtomicU32, Ordering};

use shared::Shared;

fn main() {
    let mut words = [0_u64; 16];
    let words = Shared::slice(&mut words);
    // SAFETY: of all that is below, the array outlives the tasks; the conflicts are what is tested.
    rayon::in_place_scope(|scope| {
        unsafe { *words.at(0) = 1 };
        scope.spawn(move |_| assert_ne!(unsafe { *words.at(0) }, 3)); //~ race 1
        unsafe { *words.at(0) = 2 } //~ race 1
    });

    let flag = AtomicU32::new(0);
    rayon::join(
        || {
            unsafe { *words.at(1) = 1 };
            flag.store(1, Ordering::Release); //~ order 1
            unsafe { *words.at(1) = 2 } //~ race 2
        },
        || {
            let is_set = flag.load(Ordering::Acquire) == 1; //~ order 1
            if is_set {
                black_box(unsafe { *words.at(1) }); //~ race 2
            }
        },
    );

    let flag = AtomicU32::new(0);
    rayon::join(
        || {
            unsafe { *words.at(2) = 1 } //~ race 3, order 3
            flag.store(1, Ordering::Release); //~ order 2
        },
        || {
            let before = unsafe { *words.at(2) }; //~ race 3
            let is_set = flag.load(Ordering::Acquire); //~ order 2
            unsafe { *words.at(2) = before + u64::from(is_set) } //~ order 3
        },
    );

    let len = black_box(4);
    rayon::join(
        || {
            let mut own = [0; 4];
            unsafe { std::ptr::copy_nonoverlapping(words.at(4), own.as_mut_ptr(), len) };
            unsafe { std::ptr::write_bytes(words.at(4), 0, len) } //~ race 4
            black_box(own);
        },
        || black_box(unsafe { *words.at(7) }), //~ race 4
    );

    rayon::join(
        || {
            let whole = unsafe { *words.at(8) }; //~ race 5
            unsafe { *words.at(8).cast::<u32>() = black_box(whole) as u32 }
        },
        || unsafe { *words.at(8).cast::<u32>().add(1) = 1 }, //~ race 5
    );
}
