//! A task spawned into the outer scope from within an inner one, and an outer body that keeps its
//! hands off what that task writes.

fn main() {
    let (mut outer_value, mut inner_value) = (0, 0);
    rayon::scope(|outer| {
        rayon::scope(|inner| {
            outer.spawn(|_| outer_value = 1);
            inner.spawn(|_| inner_value = 2);
        });
        inner_value += 1;
    });
    assert_eq!((outer_value, inner_value), (1, 3));
}
