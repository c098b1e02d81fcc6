//! Lets a program hear of every conflict that is found in it: for tests of the detector.
//!
//! Findings are one for each pair of places in the code. A test whose code is the same for all that it
//! tests needs the conflicts themselves.

use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering::Relaxed};

/// A conflict, as it is told.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Observed {
    /// The word that both have accessed.
    pub word: usize,
    /// Which of its bytes, a bit for each.
    pub bytes: u8,
    /// Whether it is a data race, and not only dependent on the order.
    pub is_data_race: bool,
    /// How many accesses the detector has left out so far, in all: classes may be too mild since.
    pub crowded: u64,
    /// The code that made the first access, or 0.
    pub first_pc: usize,
    /// The code that made the second.
    pub second_pc: usize,
}

/// Who is told. It must neither allocate nor unwind, nor be instrumented.
pub type Observer = extern "C" fn(&Observed);

static OBSERVER: AtomicPtr<()> = AtomicPtr::new(ptr::null_mut());

/// For tests of the detector: from now on every conflict is told, by the thread that is checked; or none
/// any more.
#[unsafe(no_mangle)]
pub extern "C" fn rosser_observe(observer: Option<Observer>) {
    // Relaxed: whoever is to be told of its own conflicts is ordered after its own call.
    OBSERVER.store(observer.map_or(ptr::null_mut(), |observer| observer as *mut ()), Relaxed);
}

/// Tells of a conflict, if somebody wants to know.
pub fn tell(conflict: impl FnOnce() -> Observed) {
    let observer = OBSERVER.load(Relaxed);
    if !observer.is_null() {
        // SAFETY: it was made from such a function.
        let observer = unsafe { std::mem::transmute::<*mut (), Observer>(observer) };
        observer(&conflict());
    }
}
