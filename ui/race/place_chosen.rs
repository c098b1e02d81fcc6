//! Where a function writes is decided when it runs: to a variable of its own, or to one that others share.

use std::hint::black_box;

use shared::Shared;

type Eight = [u32; 8];

#[inline(never)]
fn own_first(shared: &mut Eight, is_own: bool, index: usize) -> u32 {
    let mut own = [0; 8];
    let place = if is_own { &mut own } else { shared };
    place[index] = 1; //~ race 1
    own[index]
}

#[inline(never)]
fn own_last(shared: &mut Eight, is_shared: bool, index: usize) -> u32 {
    let mut own = [0; 8];
    let place = if is_shared { shared } else { &mut own };
    place[index] = 2; //~ race 2
    own[index]
}

#[inline(never)]
fn by_way(shared: &mut Eight, other: &mut Eight, way: u32, index: usize) -> u32 {
    let mut own = [0; 8];
    let place = match way {
        0 => &mut own,
        1 => {
            println!("one");
            shared
        }
        _ => {
            println!("other");
            other
        }
    };
    place[index] = 3; //~ race 3
    own[index]
}

fn main() {
    let mut arrays = [[0; 8]; 2];
    let arrays = Shared::slice(&mut arrays);
    // SAFETY: the arrays outlive the tasks; that they are shared is what is tested.
    let (one, other) = (|| unsafe { &mut *arrays.at(0) }, || unsafe { &mut *arrays.at(1) });
    rayon::join(
        || own_first(one(), black_box(false), black_box(1)),
        || own_first(one(), black_box(false), black_box(1)),
    );
    rayon::join(
        || own_last(one(), black_box(true), black_box(2)),
        || own_last(one(), black_box(true), black_box(2)),
    );
    rayon::join(
        || by_way(one(), other(), black_box(1), black_box(3)),
        || by_way(one(), other(), black_box(1), black_box(3)),
    );
    let own = own_first(one(), black_box(true), 4) + own_last(one(), black_box(false), 4);
    assert_eq!(own + by_way(one(), other(), black_box(0), 4), 6);
    assert_eq!(one()[..4], [0, 1, 2, 3]);
}
