//! A program without races that panics out of a join: it ends with the code of a panic.
//@ exit: 101

fn main() {
    rayon::join(|| panic!("this is expected"), || 1);
}
