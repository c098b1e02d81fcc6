//! The fallible consumers when several items fail: which error they return depends on the
//! schedule.

use rayon::prelude::*;

fn main() {
    let checked = |item: u32| if item % 5 == 3 { Err(item) } else { Ok(item) };
    let items = || (0..16_u32).into_par_iter();
    let each = items().try_for_each(|item| checked(item).map(drop)); //~ order 1
    assert!(each.is_err());
    let sum = items().map(checked).try_reduce(|| 0, |a, b| Ok(a + b)); //~ order 2
    assert!(sum.is_err());
}
