//! Memory for things of one kind that come and go, which is not on the program's heap.

use std::mem::{ManuallyDrop, MaybeUninit};
use std::ptr::null_mut;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicPtr, AtomicUsize};

use rosser_detect::sf_order::spin::Spin;

use crate::system;

/// How many things memory is reserved for at once.
const MANY: usize = 1 << 20;

/// What was given back, and memory for more. Relaxed: all fields are used under the lock.
pub struct Rooms<T> {
    lock: Spin,
    free: AtomicPtr<Room<T>>,
    next: AtomicPtr<Room<T>>,
    left: AtomicUsize,
}

union Room<T> {
    next: *mut Room<T>,
    _thing: ManuallyDrop<MaybeUninit<T>>,
}

impl<T: 'static> Rooms<T> {
    pub const fn new() -> Self {
        Self {
            lock: Spin::new(),
            free: AtomicPtr::new(null_mut()),
            next: AtomicPtr::new(null_mut()),
            left: AtomicUsize::new(0),
        }
    }

    /// Room for one.
    pub fn take(&self) -> *mut T {
        let _held = self.lock.lock();
        let free = self.free.load(Relaxed);
        if !free.is_null() {
            // SAFETY: it was given back, and linked.
            self.free.store(unsafe { (*free).next }, Relaxed);
            return free.cast();
        }
        if self.left.load(Relaxed) == 0 {
            let more: &mut [MaybeUninit<Room<T>>] = system::reserve_slice(MANY);
            self.next.store(more.as_mut_ptr().cast(), Relaxed);
            self.left.store(MANY, Relaxed);
        }
        self.left.fetch_sub(1, Relaxed);
        let room = self.next.load(Relaxed);
        // SAFETY: there is one left.
        self.next.store(unsafe { room.add(1) }, Relaxed);
        room.cast()
    }

    /// It is not used any more. It came from here.
    pub fn give_back(&self, thing: *mut T) {
        let _held = self.lock.lock();
        let room = thing.cast::<Room<T>>();
        // SAFETY: it is as large as that, and nobody's.
        unsafe { (*room).next = self.free.load(Relaxed) };
        self.free.store(room, Relaxed);
    }
}
