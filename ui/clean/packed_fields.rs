//! The fields of a packed structure lie across words, and belong to one task each.

use shared::Shared;

#[repr(C, packed)]
struct Packed {
    first: u8,
    second: u64,
    third: u8,
    fourth: u32,
    fifth: u16,
}

fn main() {
    let mut packed = Packed { first: 0, second: 0, third: 0, fourth: 0, fifth: 0 };
    let place = Shared::new(&mut packed);
    rayon::scope(|scope| {
        // SAFETY of these blocks: `packed` outlives the scope, and no field is written twice.
        scope.spawn(|_| unsafe { (*place.get()).second = u64::MAX });
        scope.spawn(|_| unsafe { (*place.get()).first = 1 });
        scope.spawn(|_| unsafe { (*place.get()).fourth = u32::MAX });
        scope.spawn(|_| unsafe { (*place.get()).third = 3 });
        scope.spawn(|_| unsafe { (*place.get()).fifth = 5 });
    });
    let Packed { first, second, third, fourth, fifth } = packed;
    assert_eq!((first, third, fifth), (1, 3, 5));
    assert_eq!((second, fourth), (u64::MAX, u32::MAX));
}
