//! A scope inside a task of a scope joins its own tasks, so the outer task may use their results.

fn main() {
    let mut totals = [0_u32; 4];
    rayon::scope(|outer| {
        for total in &mut totals {
            outer.spawn(move |_| {
                let mut parts = [0_u32; 3];
                rayon::scope(|inner| {
                    for (part, value) in parts.iter_mut().zip(1..) {
                        inner.spawn(move |_| *part = value);
                    }
                });
                *total = parts.iter().sum();
            });
        }
    });
    assert_eq!(totals, [6; 4]);
}
