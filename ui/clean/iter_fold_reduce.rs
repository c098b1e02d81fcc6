//! Folds and reductions of every kind over values that own memory.

use rayon::prelude::*;

fn main() {
    let items = || (0..16_u32).into_par_iter();
    let joined: String = items()
        .fold(String::new, |text, item| text + &item.to_string())
        .reduce(String::new, |left, right| left + &right);
    assert_eq!(joined, "0123456789101112131415");
    let lists = items().fold_with(Vec::new(), |mut list, item| {
        list.push(item);
        list
    });
    let list = lists.reduce_with(|mut left, right| {
        left.extend(right);
        left
    });
    assert!(list.is_some_and(|list| list.into_iter().eq(0..16)));
    assert_eq!(items().reduce(|| 0, u32::max), 15);
}
