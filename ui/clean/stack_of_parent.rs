//! A task's local is handed to its own children and used again after they are joined, at every
//! level of a recursion.

fn fill(values: &mut [u32]) -> u32 {
    let mut parts = [0_u32; 2];
    match values {
        [] => return 0,
        [value] => *value = 1,
        _ => {
            let (left, right) = values.split_at_mut(values.len() / 2);
            let [first, second] = &mut parts;
            rayon::join(|| *first = fill(left), || *second = fill(right));
        }
    }
    parts[0] + parts[1] + u32::from(values.len() == 1)
}

fn main() {
    let mut values = [0; 32];
    assert_eq!(fill(&mut values), 32);
}
