//! `join_context` tells each closure whether it was stolen. The closures do not use it, so they
//! are as good as joined plainly.

fn sum(values: &[u64]) -> u64 {
    if values.len() < 2 {
        return values.iter().sum();
    }
    let (left, right) = values.split_at(values.len() / 2);
    let (left, right) = rayon::join_context(|_| sum(left), |_| sum(right));
    left + right
}

fn main() {
    let values: Vec<u64> = (0..32).collect();
    assert_eq!(sum(&values), 496);
}
