//! What the detector tells of a conflict. It is that of `rosser-runtime/src/observer.rs`.

/// A conflict.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Observed {
    /// The word that both have accessed.
    pub word: usize,
    /// Which of its bytes, a bit for each.
    pub bytes: u8,
    /// Whether it is a data race, and not only dependent on the order.
    pub is_data_race: bool,
    /// How many accesses the detector has left out so far, in all.
    pub crowded: u64,
    /// The code that made the first access, or 0.
    pub first_pc: usize,
    /// The code that made the second.
    pub second_pc: usize,
}
