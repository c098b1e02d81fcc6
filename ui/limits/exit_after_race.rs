//! The program calls `process::exit` from within a task, after a race: the race is reported, and
//! its code takes the place of the program's own.
//@ exit: 66

use shared::Shared;

fn main() {
    let mut x = 0_u64;
    let place = Shared::new(&mut x);
    rayon::join(
        || {
            // SAFETY: `x` outlives the join; the conflict is what is tested.
            unsafe { *place.get() = 1 } //~ race 1
        },
        || {
            // SAFETY: as above.
            unsafe { *place.get() = 2 } //~ race 1
            std::process::exit(3);
        },
    );
}
