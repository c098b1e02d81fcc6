//! Two regions one after the other: what the first wrote, the second reads and overwrites.

fn main() {
    let mut cells = [0_u32; 4];
    for round in 1..=4 {
        let (left, right) = cells.split_at_mut(2);
        rayon::join(|| left.fill(round), || right.fill(round + 10));
        cells.swap(0, 3);
        cells.swap(1, 2);
    }
    assert_eq!(cells, [14, 14, 4, 4]);
}
