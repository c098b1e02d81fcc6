//! Where a function writes is decided when it runs: to a variable of its own, or to one that others share.

use std::hint::black_box;

use shared::Shared;

#[inline(never)]
fn own_first(shared: Shared<u32>, is_own: bool, index: usize) -> u32 {
    let mut own = [0; 8];
    let place = if is_own { own.as_mut_ptr() } else { shared.get() };
    // SAFETY: both have eight elements; the conflict is what is tested.
    unsafe { *place.add(index) = 1 } //~ race 1
    own[index]
}

#[inline(never)]
fn own_last(shared: Shared<u32>, is_shared: bool, index: usize) -> u32 {
    let mut own = [0; 8];
    let place = if is_shared { shared.get() } else { own.as_mut_ptr() };
    // SAFETY: as above.
    unsafe { *place.add(index) = 2 } //~ race 2
    own[index]
}

#[inline(never)]
fn by_way(shared: Shared<u32>, way: u32, index: usize) -> u32 {
    let mut own = [0; 8];
    let place = match way {
        0 => own.as_mut_ptr(),
        1 => {
            println!("one");
            shared.get()
        }
        _ => {
            println!("other");
            shared.at(8)
        }
    };
    // SAFETY: as above; the shared array has sixteen.
    unsafe { *place.add(index) = 3 } //~ race 3
    own[index]
}

fn main() {
    let mut array = [0; 16];
    let shared = Shared::slice(&mut array);
    rayon::join(
        || own_first(shared, black_box(false), black_box(1)),
        || own_first(shared, black_box(false), black_box(1)),
    );
    rayon::join(
        || own_last(shared, black_box(true), black_box(2)),
        || own_last(shared, black_box(true), black_box(2)),
    );
    rayon::join(
        || by_way(shared, black_box(1), black_box(3)),
        || by_way(shared, black_box(1), black_box(3)),
    );
    let own = own_first(shared, black_box(true), 4) + own_last(shared, black_box(false), 4);
    assert_eq!(own + by_way(shared, black_box(0), 4), 6);
    assert_eq!(array[..4], [0, 1, 2, 3]);
}
