//! An unaligned field that crosses two words, and a task that writes its last byte only.

use shared::Shared;

#[repr(C, packed)]
struct Packed {
    tag: u8,
    value: u64,
    last: u8,
}

fn main() {
    let mut packed = Packed { tag: 1, value: 0, last: 2 };
    let place = Shared::new(&mut packed);
    let bytes = Shared::from_raw(place.get().cast::<u8>());
    rayon::join(
        || {
            // SAFETY: `packed` outlives the join; the conflict is what is tested.
            unsafe { (*place.get()).value = u64::MAX } //~ race 1
        },
        || {
            // SAFETY: as above. The field takes the bytes 1 to 8.
            unsafe { *bytes.at(8) = 7 } //~ race 1
        },
    );
    assert_eq!((packed.tag, packed.last), (1, 2));
}
