//! A question with a promise for the answer, passed through a promise. It is set before the answer
//! is written.

use std::hint::black_box;
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
            // SAFETY: `x` outlives the finish; the conflict is what is tested.
            black_box(unsafe { *place.get() }); //~ race 1
        });
        s.spawn(|_| {
            let question = asked.get();
            question.answer.set(());
            // SAFETY: as above.
            unsafe { *place.get() = question.number * question.number } //~ race 1
        });
    });
    assert_eq!(x, 49);
}
