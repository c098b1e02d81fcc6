//! Memory that grows without being allocated.
//!
//! On the access path nothing may allocate, so every growing structure lives in a slice that is as
//! long as it can ever get. The runtime reserves address space for it, which the system fills with
//! zero pages as they are touched; tests hand in slices from the heap.

/// The longest a structure can get was not enough.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Exhausted;

/// Other slots with the first `used` values, if there is no room for `room` more. Allocates, and what it
/// replaces is never freed: not for checked programs.
pub(crate) fn larger<T: Copy + Default>(
    slots: &[T],
    used: usize,
    room: usize,
) -> Option<&'static mut [T]> {
    if slots.len() >= used + room {
        return None;
    }
    let len = 2 * (used + room);
    let mut more = Vec::with_capacity(len);
    more.extend_from_slice(&slots[..used]);
    more.resize(len, T::default());
    Some(more.leak())
}

/// A pool of reusable slots. Slot 0 is never given out: index 0 means "none".
#[derive(Debug)]
pub struct Pool<T: 'static> {
    slots: &'static mut [T],
    used: u32,
    free: u32,
}

/// What a pool needs of its slots: a word for the list of free ones.
pub trait Slot: Copy + Default {
    /// The next free slot, of a slot that is free.
    fn next_free(&self) -> u32;
    /// Remembers the next free slot.
    fn set_next_free(&mut self, next: u32);
}

impl<T: Slot> Pool<T> {
    /// A pool over the given slots, which may hold anything.
    pub fn new(slots: &'static mut [T]) -> Self {
        assert!(!slots.is_empty(), "slot 0 is needed for none");
        Self { slots, used: 1, free: 0 }
    }

    /// Takes a slot and puts `value` into it.
    #[inline]
    pub fn take(&mut self, value: T) -> Result<u32, Exhausted> {
        let index = if self.free == 0 {
            if self.used as usize >= self.slots.len() {
                return Err(Exhausted);
            }
            self.used += 1;
            self.used - 1
        } else {
            let index = self.free;
            self.free = self.slots[index as usize].next_free();
            index
        };
        self.slots[index as usize] = value;
        Ok(index)
    }

    /// Gives a slot back.
    #[inline]
    pub fn give_back(&mut self, index: u32) {
        debug_assert!(index != 0 && index < self.used);
        self.slots[index as usize].set_next_free(self.free);
        self.free = index;
    }

    /// Gives every slot back.
    pub fn clear(&mut self) {
        self.used = 1;
        self.free = 0;
    }

    /// Gives back the slots in use of which `keep` says no; it is also asked about free ones.
    pub fn keep(&mut self, mut keep: impl FnMut(&mut T) -> bool) {
        self.free = 0;
        for index in (1..self.used).rev() {
            if !keep(&mut self.slots[index as usize]) {
                self.give_back(index);
            }
        }
    }

    /// Makes room for so many more.
    pub(crate) fn reserve(&mut self, room: usize) {
        if let Some(slots) = larger(self.slots, self.used as usize, room) {
            self.slots = slots;
        }
    }

    /// All slots that were ever taken, whether they are in use or not.
    pub fn used_mut(&mut self) -> &mut [T] {
        &mut self.slots[..self.used as usize]
    }

    /// How many slots were in use at once at most since the last [`Pool::clear`].
    pub fn high_water(&self) -> u32 {
        self.used
    }
}

impl<T> std::ops::Index<u32> for Pool<T> {
    type Output = T;
    #[inline]
    fn index(&self, index: u32) -> &T {
        &self.slots[index as usize]
    }
}

impl<T> std::ops::IndexMut<u32> for Pool<T> {
    #[inline]
    fn index_mut(&mut self, index: u32) -> &mut T {
        &mut self.slots[index as usize]
    }
}

/// A stack in a slice.
#[derive(Debug)]
pub struct Stack<T: 'static> {
    slots: &'static mut [T],
    len: usize,
}

impl<T: Copy + Default> Stack<T> {
    /// Makes room for so many more.
    pub(crate) fn reserve(&mut self, room: usize) {
        if let Some(slots) = larger(self.slots, self.len, room) {
            self.slots = slots;
        }
    }
}

impl<T: Copy> Stack<T> {
    /// An empty stack over the given slots, which may hold anything.
    pub fn new(slots: &'static mut [T]) -> Self {
        Self { slots, len: 0 }
    }

    /// Puts a value on top.
    #[inline]
    pub fn push(&mut self, value: T) -> Result<(), Exhausted> {
        *self.slots.get_mut(self.len).ok_or(Exhausted)? = value;
        self.len += 1;
        Ok(())
    }

    /// Takes the value on top.
    #[inline]
    pub fn pop(&mut self) -> Option<T> {
        self.len = self.len.checked_sub(1)?;
        Some(self.slots[self.len])
    }

    /// Puts a value on top. Returns its index.
    #[inline]
    pub fn add(&mut self, value: T) -> Result<u32, Exhausted> {
        self.push(value)?;
        Ok(self.len as u32 - 1)
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.len = 0;
    }

    /// How many values there are.
    #[inline]
    pub fn len(&self) -> u32 {
        self.len as u32
    }

    /// Whether there are none.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Makes it as long as said. New values may be anything.
    pub fn set_len(&mut self, len: u32) -> Result<(), Exhausted> {
        if len as usize > self.slots.len() {
            return Err(Exhausted);
        }
        self.len = len as usize;
        Ok(())
    }

    /// How many values there is room for.
    pub fn capacity(&self) -> u32 {
        self.slots.len() as u32
    }

    /// The values, the oldest first.
    #[inline]
    pub fn as_slice(&self) -> &[T] {
        &self.slots[..self.len]
    }

    /// The values, the oldest first.
    #[inline]
    pub fn as_mut_slice(&mut self) -> &mut [T] {
        &mut self.slots[..self.len]
    }
}

impl<T> std::ops::Index<u32> for Stack<T> {
    type Output = T;
    #[inline]
    fn index(&self, index: u32) -> &T {
        &self.slots[..self.len][index as usize]
    }
}

impl<T> std::ops::IndexMut<u32> for Stack<T> {
    #[inline]
    fn index_mut(&mut self, index: u32) -> &mut T {
        &mut self.slots[..self.len][index as usize]
    }
}
