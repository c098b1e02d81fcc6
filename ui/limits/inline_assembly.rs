//! Known miss: what inline assembly reads and writes is not seen. Two tasks write one byte by an
//! instruction of their own, and nothing is found.

use std::arch::asm;

use shared::Shared;

fn write(place: Shared<u8>, value: u8) {
    // SAFETY: the byte outlives the join. This does race, and is not seen.
    unsafe {
        asm!(
            "mov byte ptr [{place}], {value}",
            place = in(reg) place.get(),
            value = in(reg_byte) value,
        );
    }
}

fn main() {
    let mut x = 0_u8;
    let place = Shared::new(&mut x);
    rayon::join(|| write(place, 1), || write(place, 2));
    assert!(x == 1 || x == 2);
}
