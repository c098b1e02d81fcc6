//! Results that nobody looks at: of a statement, bound to a name that is not used, returned by a small function, computed
//! with and thrown away. The updates commute.

use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};

use rayon::prelude::*;

struct Counter(AtomicUsize);

impl Counter {
    #[inline]
    fn count(&self, by: usize) -> usize {
        self.0.fetch_add(by, Ordering::Relaxed).wrapping_add(by)
    }
}

fn main() {
    let (plain, bits, counter) = (AtomicU32::new(0), AtomicU32::new(0), Counter(AtomicUsize::new(0)));
    (0..8_u32).into_par_iter().for_each(|item| {
        plain.fetch_add(item, Ordering::Relaxed);
        let _ = plain.fetch_add(1, Ordering::SeqCst);
        let _old = bits.fetch_or(1 << item, Ordering::AcqRel);
        counter.count(2);
        let _is_even = counter.count(1) % 2 == 0;
        let _unused = plain.fetch_sub(1, Ordering::Relaxed) > 3;
    });
    assert_eq!((plain.into_inner(), bits.into_inner(), counter.0.into_inner()), (28, 255, 24));
}
