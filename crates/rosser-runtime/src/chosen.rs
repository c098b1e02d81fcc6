//! The detector that was chosen, by `ROSSER_DETECTOR`.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use rosser_detect::DetectorKind;

use crate::backend::{DETECTOR, HAS_WORKERS};
use crate::system;

/// The number of the detector. Relaxed: set before there is a second thread.
static CHOSEN: AtomicU64 = AtomicU64::new(DETECTOR as u64);

/// The detector with the given name is to be used.
pub fn choose(name: &[u8]) {
    if name.is_empty() {
        return;
    }
    match DetectorKind::in_programs().find(|kind| kind.name().as_bytes() == name) {
        // What the runtime was built for.
        Some(DetectorKind::Auto) => {}
        Some(kind) if kind.needs_workers() == HAS_WORKERS => {
            CHOSEN.store(kind.number(), Relaxed);
        }
        Some(_) if HAS_WORKERS => {
            system::fail("the program was built for sf-order: build it again", 2)
        }
        Some(_) => system::fail("the program was not built for sf-order: build it again", 2),
        None => {
            const NAMES: [&str; DetectorKind::PROGRAM_NAMES.len()] = DetectorKind::PROGRAM_NAMES;
            let mut parts = ["rosser: ROSSER_DETECTOR is none of "; 2 * NAMES.len() + 1];
            for (index, name) in NAMES.into_iter().enumerate() {
                parts[2 * index + 1] = name;
                parts[2 * index + 2] = if index + 1 < NAMES.len() { ", " } else { "\n" };
            }
            system::say_parts(&parts);
            // SAFETY: ends the process.
            unsafe { system::exit_now(2) }
        }
    }
}

/// The detector that is used.
pub fn chosen() -> DetectorKind {
    DetectorKind::numbered(CHOSEN.load(Relaxed)).unwrap_or(DETECTOR)
}
