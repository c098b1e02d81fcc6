//! The last of several owners frees the value, and which task that is depends on the schedule. The
//! counts order the free after every use, so nothing can be observed.

use std::sync::Arc;

fn main() {
    for _ in 0..2 {
        let left = Arc::new(vec![1_u32, 2, 3, 4]);
        let right = Arc::clone(&left);
        let (a, b) =
            rayon::join(move || left.iter().sum::<u32>(), move || right.iter().product::<u32>());
        assert_eq!((a, b), (10, 24));
    }
    let text: Arc<str> = Arc::from("shared text");
    rayon::scope(|scope| {
        for length in 0..4 {
            let text = Arc::clone(&text);
            scope.spawn(move |_| assert!(text.len() > length));
        }
        drop(text);
    });
}
