//! Two tasks push to one vector without a lock: length, capacity and elements all conflict, and
//! all at the same line.

use shared::Shared;

struct Item(u32);

fn main() {
    let mut items = Vec::with_capacity(8);
    let vector = Shared::new(&mut items);
    let push = |value| {
        // SAFETY: not safe at all; the conflict is what is tested.
        unsafe { (*vector.get()).push(Item(value)) } //~ race 1
    };
    rayon::join(|| push(1), || push(2));
    assert!(items.iter().all(|item| item.0 <= 2));
}
