//! Taking a variable out of the analysis.
//!
//! The one construct that says nothing about tasks: under `cargo rosser` it talks to the detector
//! that is linked into the program; in every other build it is empty.

/// Leaves a variable unmonitored: accesses to it are neither checked nor remembered, until its
/// memory is freed. Words that the variable shares with others are left unmonitored as a whole. The
/// verdict says how many variables were.
///
/// Only the variable itself is meant, not what it points to: for the elements of a vector, pass
/// the slice.
///
/// ```
/// let hits = std::cell::UnsafeCell::new(0_u64);
/// rosser::unmonitored(&hits); // a statistic: whoever is last wins, and nobody minds
/// ```
#[inline]
pub fn unmonitored<T: ?Sized>(variable: &T) {
    detector::unmonitor(std::ptr::from_ref(variable).cast(), size_of_val(variable));
}

#[cfg(rosser)]
mod detector {
    #[allow(unsafe_code, reason = "the detector has a C interface")]
    pub(super) fn unmonitor(address: *const u8, len: usize) {
        // SAFETY: the variable is not accessed, only its address is noted.
        unsafe { crate::runtime::abi::rosser_unmonitor(address, len) }
    }
}

/// Without the detector there is nobody to tell.
#[cfg(not(rosser))]
mod detector {
    #[inline]
    pub(super) fn unmonitor(_address: *const u8, _len: usize) {}
}
