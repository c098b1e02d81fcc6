//! Tasks of a scope get disjoint parts of a vector, and the caller reads them after the scope.

fn main() {
    let mut values = vec![0_usize; 16];
    rayon::scope(|scope| {
        for (index, value) in values.iter_mut().enumerate() {
            scope.spawn(move |_| *value = index);
        }
    });
    assert!(values.into_iter().eq(0..16));
}
