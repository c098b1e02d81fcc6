//! `scope_fifo`, `in_place_scope` and `in_place_scope_fifo` join what they spawned, like `scope`.

fn main() {
    let mut values = [0_u32; 6];
    let [first, second, third, fourth, fifth, sixth] = &mut values;
    rayon::scope_fifo(|scope| {
        scope.spawn_fifo(|_| *first = 1);
        scope.spawn_fifo(|_| *second = 2);
    });
    rayon::in_place_scope(|scope| {
        scope.spawn(|_| *third = 3);
        scope.spawn(|_| *fourth = 4);
    });
    rayon::in_place_scope_fifo(|scope| {
        scope.spawn_fifo(|_| *fifth = 5);
        scope.spawn_fifo(|_| *sixth = 6);
    });
    assert_eq!(values, [1, 2, 3, 4, 5, 6]);
}
