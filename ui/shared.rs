//! What the programs share: a pointer that tasks may pass around.
//!
//! Safe Rust would refuse most of the programs under `race/`. A `Shared` only hands out the raw
//! pointer, so that every access stands in the program itself, on the line that is marked.

/// A pointer to memory that the program keeps alive for as long as its tasks run.
#[derive(Debug)]
pub struct Shared<T>(*mut T);

impl<T> Clone for Shared<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Shared<T> {}

// SAFETY: a `Shared` never accesses what it points to. Whoever dereferences the pointer answers
// for it.
unsafe impl<T> Send for Shared<T> {}
// SAFETY: as above.
unsafe impl<T> Sync for Shared<T> {}

impl<T> Shared<T> {
    /// Points to one variable.
    pub fn new(place: &mut T) -> Self {
        Self(place)
    }

    /// Points to the first element of a slice.
    pub fn slice(slice: &mut [T]) -> Self {
        Self(slice.as_mut_ptr())
    }

    /// Takes over a raw pointer.
    pub fn from_raw(pointer: *mut T) -> Self {
        Self(pointer)
    }

    /// The pointer.
    #[must_use]
    pub fn get(self) -> *mut T {
        self.0
    }

    /// The pointer to an element that many places further on.
    #[must_use]
    pub fn at(self, index: usize) -> *mut T {
        self.0.wrapping_add(index)
    }
}
