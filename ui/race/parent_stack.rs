//! Two tasks write a local variable of the function that spawned them, each through a pointer
//! that was handed down a few calls.

use shared::Shared;

fn deposit(place: Shared<[u32; 4]>, value: u32) {
    // SAFETY: the caller's variable outlives the join; the conflict is what is tested.
    unsafe { (*place.get())[2] = value } //~ race 1
}

fn child(place: Shared<[u32; 4]>, value: u32) {
    deposit(place, value);
}

fn main() {
    let mut local = [0_u32; 4];
    let place = Shared::new(&mut local);
    rayon::join(|| child(place, 1), || child(place, 2));
    assert!(local[2] == 1 || local[2] == 2);
}
