//! The fallible consumers when nothing fails: their flag is only ever read.

use rayon::prelude::*;

fn main() {
    let items = || (1..=16_u32).into_par_iter();
    let sum = items().try_fold(|| 0_u32, u32::checked_add).try_reduce(|| 0, u32::checked_add);
    assert_eq!(sum, Some(136));
    let greatest = items().map(Some).try_reduce_with(|a, b| Some(a.max(b)));
    assert_eq!(greatest, Some(Some(16)));
    let each: Result<(), String> = items().try_for_each(|item| match item {
        0 => Err("zero".to_owned()),
        _ => Ok(()),
    });
    assert_eq!(each, Ok(()));
    assert_eq!(items().map(Some).while_some().count(), 16);
}
