//! What people write when the borrow checker will not let several tasks write one slice. Nobody checks
//! that they keep out of each other's way: the programs with a mistake do not.

use std::cell::UnsafeCell;

/// A slice whose elements any task may get a pointer to.
#[derive(Clone, Copy)]
pub struct UnsafeSlice<'a, T>(&'a [UnsafeCell<T>]);

// SAFETY: it hands out pointers only. Whoever dereferences them answers for it.
unsafe impl<T: Send> Send for UnsafeSlice<'_, T> {}
// SAFETY: as above.
unsafe impl<T: Send> Sync for UnsafeSlice<'_, T> {}

impl<'a, T> UnsafeSlice<'a, T> {
    /// Borrows a slice.
    pub fn new(slice: &'a mut [T]) -> Self {
        let cells: *const [UnsafeCell<T>] = std::ptr::from_mut(slice) as *const _;
        // SAFETY: an `UnsafeCell` has the layout of what is in it, and the slice is borrowed for as long.
        Self(unsafe { &*cells })
    }

    /// A pointer to an element, which must be there.
    #[inline]
    pub fn get(&self, index: usize) -> *mut T {
        self.0[index].get()
    }
}
