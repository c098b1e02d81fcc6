//! The detector that was chosen, by `ROSSER_DETECTOR`.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use rosser_abi::run_file::detector;

use crate::system;

#[cfg(not(rosser_parallel))]
const DEFAULT: u64 = detector::AUTO;
#[cfg(rosser_parallel)]
const DEFAULT: u64 = detector::SF_ORDER;

static CHOSEN: AtomicU64 = AtomicU64::new(DEFAULT);

/// The detector with the given name is to be used.
pub fn choose(name: &[u8]) {
    let number = detector::NAMES.iter().position(|known| known.as_bytes() == name);
    match number.map(|number| number as u64) {
        Some(detector::AUTO) => {}
        Some(number) if (number == detector::SF_ORDER) == cfg!(rosser_parallel) => {
            CHOSEN.store(number, Relaxed);
        }
        Some(_) if cfg!(rosser_parallel) => {
            system::fail("the program was built for sf-order: build it again", 2)
        }
        Some(_) => system::fail("the program was not built for sf-order: build it again", 2),
        None if name.is_empty() => {}
        None => {
            system::fail("ROSSER_DETECTOR is none of auto, sp-bags, esp-bags, drdp, sf-order", 2)
        }
    }
}

/// The detector that is used, one of [`detector`].
pub fn chosen() -> u64 {
    CHOSEN.load(Relaxed)
}
