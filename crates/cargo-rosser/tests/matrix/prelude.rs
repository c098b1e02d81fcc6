//! What the programs of the matrix share. It accesses none of the memory that a case is about.

use std::ops::Deref;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Promises that what is inside may be shared, which is not true.
pub struct Share<T>(pub T);

// SAFETY: a broken promise; the conflicts are what is tested.
unsafe impl<T> Sync for Share<T> {}
// SAFETY: as above.
unsafe impl<T> Send for Share<T> {}

impl<T> Deref for Share<T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        &self.0
    }
}

/// A pointer that tasks may pass around.
pub struct Pointer<T>(pub *mut T);

impl<T> Clone for Pointer<T> {
    #[inline]
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Pointer<T> {}

// SAFETY: a `Pointer` never accesses what it points to.
unsafe impl<T> Sync for Pointer<T> {}
// SAFETY: as above.
unsafe impl<T> Send for Pointer<T> {}

impl<T> Pointer<T> {
    #[inline]
    pub fn get(self) -> *mut T {
        self.0
    }

    #[inline]
    pub fn at(self, index: usize) -> *mut T {
        self.0.wrapping_add(index)
    }

    /// The elements from `start` to `end`.
    #[inline]
    pub fn part(self, start: usize, end: usize) -> &'static mut [T] {
        // SAFETY: a case passes ranges of its own memory, and does not use them for longer.
        unsafe { std::slice::from_raw_parts_mut(self.at(start), end - start) }
    }

    #[inline]
    pub fn cast<U>(self) -> Pointer<U> {
        Pointer(self.0.cast())
    }
}

/// A struct with padding between its fields and after them.
#[derive(Clone, Copy, Default, PartialEq)]
#[repr(C)]
pub struct Padded {
    pub first: u8,
    pub second: u32,
    pub third: u16,
}

impl Padded {
    #[inline]
    pub fn next(self) -> Self {
        Self { first: self.first + 1, second: self.second + 1, third: self.third + 1 }
    }
}

/// Memory that every vector of 64 bytes or fewer is aligned in.
#[repr(align(64))]
pub struct Aligned<T>(pub T);

/// Counts detached tasks that are done, so that the main task can wait for them.
pub struct Done(AtomicUsize);

impl Done {
    pub fn new() -> &'static Self {
        Box::leak(Box::new(Self(AtomicUsize::new(0))))
    }

    pub fn tick(&self) {
        self.0.fetch_add(1, Ordering::Release); //~ order
    }

    pub fn wait(&self, count: usize) {
        while self.0.load(Ordering::Acquire) < count { //~ order
            std::thread::yield_now();
        }
    }
}

/// The numbers from 0 to 7.
#[inline(never)]
pub fn items() -> Vec<usize> {
    (0..8).collect()
}

/// So many numbers that sorting them takes several tasks, in no particular order.
#[inline(never)]
pub fn many_items() -> Vec<usize> {
    (0..10_000).map(|i| i * 7919 % 10_007).collect()
}

/// A pool of two threads.
#[inline(never)]
pub fn pool() -> rayon::ThreadPool {
    rayon::ThreadPoolBuilder::new().num_threads(2).build().expect("a pool of two")
}
