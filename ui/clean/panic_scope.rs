//! A panicking task, a panicking body and a panic inside a parallel iterator: all tasks are
//! joined before the panic goes on, so their memory may be used afterwards.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use rayon::prelude::*;

fn main() {
    let mut values = [0_u32; 8];
    let by_task = catch_unwind(AssertUnwindSafe(|| {
        rayon::scope(|scope| {
            for (index, value) in values.iter_mut().enumerate() {
                scope.spawn(move |_| {
                    *value = 1;
                    if index == 3 {
                        resume_unwind(Box::new("a task gives up"));
                    }
                });
            }
        });
    }));
    assert_eq!(values, [1; 8]);
    let by_body = catch_unwind(AssertUnwindSafe(|| {
        rayon::scope(|scope| {
            for value in &mut values {
                scope.spawn(move |_| *value = 2);
            }
            resume_unwind(Box::new("the body gives up"));
        });
    }));
    assert_eq!(values, [2; 8]);
    let by_item = catch_unwind(AssertUnwindSafe(|| {
        values.par_iter_mut().enumerate().for_each(|(index, value)| {
            if index == 7 {
                resume_unwind(Box::new("an item gives up"));
            }
            *value = 3;
        });
    }));
    assert_eq!(values[7], 2);
    assert!(by_task.is_err() && by_body.is_err() && by_item.is_err());
}
