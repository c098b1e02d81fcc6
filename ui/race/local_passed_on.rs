//! A function passes the address of its variable on, to others that start tasks with it, and accesses the variable
//! itself beside them.

use rayon::Scope;
use shared::Shared;

#[inline(never)]
fn start<'s>(scope: &Scope<'s>, place: Shared<u32>) {
    // SAFETY: the variable outlives the scope; the conflict is what is tested.
    scope.spawn(move |_| unsafe { *place.get() = 1 }); //~ race 1
}

#[inline(never)]
fn start_reader<'s>(scope: &Scope<'s>, place: Shared<u32>) {
    // SAFETY: as above.
    scope.spawn(move |_| assert_ne!(unsafe { *place.get() }, 3)); //~ race 2
}

fn main() {
    let mut local = 0_u32;
    let place = Shared::new(&mut local);
    rayon::in_place_scope(|scope| {
        start(scope, place);
        // SAFETY: as above.
        unsafe { *place.get() = 2 } //~ race 1
    });
    let mut other = 0_u32;
    let place = Shared::new(&mut other);
    rayon::in_place_scope(|scope| {
        start_reader(scope, place);
        // SAFETY: as above.
        unsafe { *place.get() += 1 } //~ race 2
    });
    assert!(local != 0 && other == 1);
}
