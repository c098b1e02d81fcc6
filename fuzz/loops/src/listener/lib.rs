//! Hears which bytes of an area have conflicts, and keeps panics from being printed. Nothing here is
//! instrumented.

#[path = "../../../src/observed.rs"]
mod observed;

use std::panic::set_hook;
use std::sync::atomic::{AtomicU8, AtomicUsize, Ordering::Relaxed};

pub use observed::Observed;

/// How many bytes are listened to.
pub const AREA: usize = 1 << 13;

static BASE: AtomicUsize = AtomicUsize::new(0);
/// How many conflicts there were, in the area and elsewhere.
static COUNT: AtomicUsize = AtomicUsize::new(0);
/// For each word of the area, its bytes with conflicts. The detector may call in the middle of anything, so
/// nothing is allocated.
static WORDS: [AtomicU8; AREA / 8] = [const { AtomicU8::new(0) }; AREA / 8];

/// To be given to the detector.
pub extern "C" fn observe(observed: &Observed) {
    COUNT.fetch_add(1, Relaxed);
    let offset = observed.word.wrapping_sub(BASE.load(Relaxed));
    if let Some(word) = WORDS.get(offset / 8) {
        word.fetch_or(observed.bytes, Relaxed);
    }
}

/// Listens to the area from `base` on, from now on.
#[inline(never)]
pub fn listen(base: *const u8) {
    BASE.store(base as usize, Relaxed);
    COUNT.store(0, Relaxed);
    for word in &WORDS {
        word.store(0, Relaxed);
    }
}

/// How many conflicts there were, anywhere.
#[inline(never)]
pub fn count() -> usize {
    COUNT.load(Relaxed)
}

/// Whether each byte of the area has a conflict.
#[inline(never)]
pub fn heard() -> Vec<bool> {
    let word = |word: &AtomicU8| {
        let bytes = word.load(Relaxed);
        (0..8).map(move |bit| bytes >> bit & 1 != 0)
    };
    WORDS.iter().flat_map(word).collect()
}

/// Panics are not printed any more.
pub fn keep_quiet() {
    set_hook(Box::new(|_| {}));
}
