//! One task reads an element while its sibling makes the vector grow, which moves the elements
//! and frees the block the reader looks at.

use std::hint::black_box;

use shared::Shared;

#[derive(Clone, Copy)]
struct Item(u64);

fn main() {
    let mut items = Vec::with_capacity(4);
    items.extend([Item(1), Item(2), Item(3), Item(4)]);
    assert_eq!(items.len(), items.capacity());
    let element = Shared::slice(&mut items);
    let vector = Shared::new(&mut items);
    rayon::join(
        || {
            // SAFETY: only sound in serial order; the conflict is what is tested.
            black_box(unsafe { (*element.at(3)).0 }); //~ race 1
        },
        || {
            // Some time is left to the reader, should the tasks really run in parallel.
            std::thread::sleep(std::time::Duration::from_millis(20));
            // SAFETY: as above.
            unsafe { (*vector.get()).push(Item(5)) }; //~ race 1
        },
    );
    assert_eq!(items[4].0, 5);
}
