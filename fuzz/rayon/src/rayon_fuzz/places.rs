//! The code that makes accesses: many copies of it, so that a conflict tells by its code which accesses it is
//! about. Which address is whose is found out by making each conflict with a known one.

use std::collections::HashMap;
use std::hint::black_box;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU32, AtomicU64};

use answers::{Memory, Op, PLACES, Site, Width, listen, pcs};

/// An access by a certain copy of the code.
type Copy = unsafe fn(Op, Width, *mut u8);

macro_rules! row {
    ($high:literal) => {
        [
            at::<{ $high * 8 }>,
            at::<{ $high * 8 + 1 }>,
            at::<{ $high * 8 + 2 }>,
            at::<{ $high * 8 + 3 }>,
            at::<{ $high * 8 + 4 }>,
            at::<{ $high * 8 + 5 }>,
            at::<{ $high * 8 + 6 }>,
            at::<{ $high * 8 + 7 }>,
        ]
    };
}

const COPIES: [[Copy; 8]; PLACES / 8] =
    [row!(0), row!(1), row!(2), row!(3), row!(4), row!(5), row!(6), row!(7)];

/// Makes an access.
///
/// # Safety
/// The memory is valid, and aligned if the access is atomic. Other tasks may access it: that is the point.
pub unsafe fn access(site: Site, place: *mut u8) {
    let copy = black_box(COPIES[site.place / 8][site.place % 8]);
    // SAFETY: by the caller's promise.
    unsafe { copy(site.op, site.width, place) };
}

macro_rules! access {
    ($op:ident, $place:ident, $int:ident, $atomic:ident) => {{
        let plain = $place.cast::<$int>();
        let atomic = || $atomic::from_ptr(plain);
        match $op {
            Op::Read if plain.is_aligned() => drop(black_box(plain.read_volatile())),
            Op::Read => drop(black_box(black_box(plain).read_unaligned())),
            Op::Write if plain.is_aligned() => plain.write_volatile(7),
            Op::Write => black_box(plain).write_unaligned(black_box(9)),
            Op::Load => drop(black_box(atomic().load(Relaxed))),
            Op::Store => atomic().store(3, Relaxed),
            Op::Swap => drop(black_box(atomic().swap(5, Relaxed))),
            Op::Add => drop(atomic().fetch_add(1, Relaxed)),
            Op::Or => drop(atomic().fetch_or(64, Relaxed)),
            Op::Fetch => drop(black_box(atomic().fetch_add(1, Relaxed))),
        }
    }};
}

/// One of the copies.
///
/// # Safety
/// As for [`access`].
#[inline(never)]
unsafe fn at<const PLACE: usize>(op: Op, width: Width, place: *mut u8) {
    // Without it they would be made one.
    black_box(PLACE);
    // SAFETY: by the caller's promise.
    unsafe {
        match width {
            Width::One => access!(op, place, u8, AtomicU8),
            Width::Two => access!(op, place, u16, AtomicU16),
            Width::Four => access!(op, place, u32, AtomicU32),
            Width::Eight => access!(op, place, u64, AtomicU64),
        }
    }
}

/// What each access is in conflict with to find out where its code is.
#[inline(never)]
unsafe fn touch(place: *mut u8) {
    // SAFETY: the caller sees to it that there are two words.
    unsafe {
        place.cast::<u64>().write_volatile(1);
    }
}

/// Memory for two tasks.
#[derive(Clone, Copy)]
pub struct Shared(pub *mut u8);

// SAFETY: that both use it is the point.
unsafe impl Send for Shared {}
// SAFETY: as above.
unsafe impl Sync for Shared {}

impl Shared {
    /// So many bytes further on, which must be within the memory.
    pub fn byte(self, offset: usize) -> *mut u8 {
        self.0.wrapping_add(offset)
    }
}

/// The addresses of the code of all accesses. Nothing, if conflicts are not heard of.
pub fn find() -> Option<HashMap<usize, Site>> {
    let mut words: Box<[u64; answers::WORDS]> = Box::new([0; answers::WORDS]);
    let shared = Shared(words.as_mut_ptr().cast());
    let heard = |a: &(dyn Fn() + Sync), b: &(dyn Fn() + Sync)| {
        listen(Memory { array: shared.0 as usize, locks: [0; 2] });
        rayon::join(a, b);
        pcs()
    };
    // SAFETY: it is within the words.
    let touch = || unsafe { touch(shared.byte(0)) };
    let [pc, _] = *heard(&touch, &touch).first()?;
    let mut sites = HashMap::new();
    for site in Site::all() {
        let is_odd = !site.op.is_atomic() && site.width != Width::One;
        // What is aligned, what is not, and what crosses words may have code of its own.
        let offsets: &[usize] = if is_odd { &[0, 1, 7] } else { &[0] };
        for &offset in offsets {
            // SAFETY: it is within the words.
            let access = || unsafe { access(site, shared.byte(offset)) };
            let found = heard(&touch, &access);
            let [found] = found[..] else { panic!("one conflict is to be heard of: {found:x?}") };
            let other = found.into_iter().find(|other| *other != pc).expect("the other code");
            let known = sites.insert(other, site);
            assert!(known.is_none_or(|known| known == site), "{known:?} has the code of {site:?}");
        }
    }
    Some(sites)
}
