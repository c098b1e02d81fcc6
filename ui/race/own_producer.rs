//! An iterator of the program's own: what it does when it is split is checked, although rayon calls it.

use rayon::iter::plumbing::{Consumer, Producer, ProducerCallback, UnindexedConsumer, bridge};
use rayon::prelude::*;
use shared::Shared;

struct Numbers {
    range: std::ops::Range<usize>,
    parts: Shared<u32>,
}

impl Producer for Numbers {
    type Item = usize;
    type IntoIter = std::ops::Range<usize>;

    fn into_iter(self) -> Self::IntoIter {
        // SAFETY: the variable outlives the iterator; the conflict is what is tested.
        unsafe { *self.parts.get() += 1 } //~ race 1
        self.range
    }

    fn split_at(self, index: usize) -> (Self, Self) {
        let middle = self.range.start + index;
        let part = |range| Self { range, parts: self.parts };
        (part(self.range.start..middle), part(middle..self.range.end))
    }
}

impl ParallelIterator for Numbers {
    type Item = usize;

    fn drive_unindexed<C: UnindexedConsumer<usize>>(self, consumer: C) -> C::Result {
        bridge(self, consumer)
    }
}

impl IndexedParallelIterator for Numbers {
    fn len(&self) -> usize {
        self.range.len()
    }

    fn drive<C: Consumer<usize>>(self, consumer: C) -> C::Result {
        bridge(self, consumer)
    }

    fn with_producer<CB: ProducerCallback<usize>>(self, callback: CB) -> CB::Output {
        callback.callback(self)
    }
}

fn main() {
    let mut parts = 0;
    let sum: usize = Numbers { range: 0..8, parts: Shared::new(&mut parts) }.sum();
    assert_eq!(sum, 28);
}
