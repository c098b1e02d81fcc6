//! The two closures of a `join` write different variables and read a common one: no conflict.

fn main() {
    let common = 5_u64;
    let (mut left, mut right) = (0, 0);
    rayon::join(|| left = common + 1, || right = common + 2);
    assert_eq!((left, right), (6, 7));
}
