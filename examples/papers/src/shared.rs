//! A slice that tasks may pass around, where the borrow checker would refuse: for computations in
//! place that promises keep in order, and for bugs.

use std::ops::Range;
use std::slice;

/// A slice that the program keeps alive for as long as its tasks run.
pub struct Shared<T> {
    start: *mut T,
    len: usize,
}

impl<T> Clone for Shared<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Shared<T> {}

// SAFETY: a `Shared` never accesses what it points to. Whoever dereferences the pointers answers
// for it.
unsafe impl<T> Send for Shared<T> {}
// SAFETY: as above.
unsafe impl<T> Sync for Shared<T> {}

impl<T> Shared<T> {
    /// Points to a slice.
    pub fn slice(slice: &mut [T]) -> Self {
        Self { start: slice.as_mut_ptr(), len: slice.len() }
    }

    /// Points to one variable.
    pub fn one(variable: &mut T) -> Self {
        Self { start: variable, len: 1 }
    }

    /// The pointer to an element, which is inside the slice.
    #[inline]
    pub fn at(self, index: usize) -> *mut T {
        assert!(index < self.len, "{index} is not inside {} elements", self.len);
        self.start.wrapping_add(index)
    }

    /// The pointer to the first or only element.
    #[inline]
    pub fn get(self) -> *mut T {
        self.at(0)
    }

    /// A part of the slice.
    pub fn part(self, range: Range<usize>) -> Self {
        assert!(range.start <= range.end && range.end <= self.len, "the part is not inside");
        Self { start: self.start.wrapping_add(range.start), len: range.len() }
    }

    /// The number of elements.
    pub fn len(self) -> usize {
        self.len
    }

    /// The slice, to be read.
    ///
    /// # Safety
    ///
    /// Nobody may write it meanwhile. Racy variants do not keep to that.
    pub unsafe fn as_slice<'a>(self) -> &'a [T] {
        // SAFETY: it comes from a slice, and the caller says the rest.
        unsafe { slice::from_raw_parts(self.start, self.len) }
    }

    /// The slice, to be written.
    ///
    /// # Safety
    ///
    /// Nobody else may use it meanwhile. Racy variants do not keep to that.
    pub unsafe fn as_mut_slice<'a>(self) -> &'a mut [T] {
        // SAFETY: it comes from a slice, and the caller says the rest.
        unsafe { slice::from_raw_parts_mut(self.start, self.len) }
    }
}
