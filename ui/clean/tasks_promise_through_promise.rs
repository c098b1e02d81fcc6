//! A question with a promise for the answer, passed through a promise.

use std::sync::Arc;

use rosser::{Promise, finish};
use shared::Shared;

struct Question {
    number: u64,
    answer: Promise<()>,
}

fn main() {
    let mut x = 0_u64;
    let place = Shared::new(&mut x);
    let asked = Promise::new();
    finish(|s| {
        s.spawn(|_| {
            let question = Arc::new(Question { number: 7, answer: Promise::new() });
            asked.set(Arc::clone(&question));
            question.answer.get();
            // SAFETY: the other task is through with it.
            assert_eq!(unsafe { *place.get() }, 49);
        });
        s.spawn(|_| {
            let question = asked.get();
            // SAFETY: nobody else touches it before the answer is there.
            unsafe { *place.get() = question.number * question.number }
            question.answer.set(());
        });
    });
}
