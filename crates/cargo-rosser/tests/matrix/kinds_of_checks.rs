//! Cases for kinds of checks that no other case of the matrix is about.

/// An allocator that hands out parts of one array and, when all are given back, begins anew: so tasks get the
/// memory of others that are over. Only sizes that nobody but a case asks for come from the array.
pub const ALLOCATOR: &str = r"
use std::alloc::{GlobalAlloc, Layout, System};

const SIZES: std::ops::Range<usize> = 9_000..9_900;
static ROOM: Share<UnsafeCell<Aligned<[u8; 1 << 16]>>> = Share(UnsafeCell::new(Aligned([0; 1 << 16])));

struct Bump(std::sync::Mutex<(usize, usize)>);

unsafe impl GlobalAlloc for Bump {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if !SIZES.contains(&layout.size()) {
            return unsafe { System.alloc(layout) };
        }
        let mut state = self.0.lock().unwrap();
        let start = state.0.next_multiple_of(64);
        *state = (start + layout.size(), state.1 + 1);
        unsafe { ROOM.get().cast::<u8>().add(start) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        if !SIZES.contains(&layout.size()) {
            return unsafe { System.dealloc(block, layout) };
        }
        let mut state = self.0.lock().unwrap();
        let live = state.1 - 1;
        *state = (if live == 0 { 0 } else { state.0 }, live);
    }
}

#[global_allocator]
static ALLOCATOR: Bump = Bump(std::sync::Mutex::new((0, 0)));
";

const SOURCES: &[(&str, &str)] = &[
    (
        "copied_argument",
        "
#[derive(Clone, Copy)]
#[repr(C)]
struct Large([u64; 4]);
#[inline(never)]
extern \"C\" fn last(large: Large) -> u64 { large.0[3] }
let mut buffer = Large([0; 4]);
let p = Pointer(&raw mut buffer);
let seen = rayon::join(
    || last(unsafe { *p.get() }), //~ race
    || unsafe { (*p.get()).0[3] = 1 }, //~ race
);
black_box((seen, &buffer.0));",
    ),
    (
        "read_7_aligned",
        "
static mut BUFFER: Aligned<[u8; 8]> = Aligned([0; 8]);
let seen = rayon::join(
    || black_box(unsafe { *(&raw const BUFFER).cast::<[u8; 7]>() }), //~ race
    || unsafe { BUFFER.0[6] = 1 }, //~ race
);
black_box(seen);",
    ),
    (
        "write_7_aligned",
        "
static mut BUFFER: Aligned<[u8; 8]> = Aligned([0; 8]);
static mut SOURCE: Aligned<[u8; 8]> = Aligned([1; 8]);
let seen = rayon::join(
    || unsafe { *(&raw mut BUFFER).cast::<[u8; 7]>() = *(&raw const SOURCE).cast::<[u8; 7]>() }, //~ race
    || unsafe { BUFFER.0[6] }, //~ race
);
black_box(seen);",
    ),
    (
        "loop",
        "
let mut buffer = [0_u64; 32];
let p = Pointer(buffer.as_mut_ptr());
let count = black_box(16);
let seen = rayon::join(
    || { let p = p.get(); for i in 0..count { unsafe { *p.add(i) = i as u64 } } }, //~ race
    || unsafe { *p.at(15) }, //~ race
);
black_box((seen, &buffer));",
    ),
    (
        "fences",
        "
let flag = atomic::AtomicU32::new(0);
let mut value = 0_u32;
let p = Pointer(&raw mut value);
let seen = rayon::join(
    || {
        unsafe { *p.get() = 1 }; //~ order
        atomic::fence(Ordering::Release);
        flag.store(1, Ordering::Relaxed); //~ order
    },
    || {
        if flag.load(Ordering::Relaxed) == 0 { return 0 } //~ order
        atomic::fence(Ordering::Acquire);
        unsafe { *p.get() } //~ order
    },
);
black_box((seen, &value));",
    ),
    (
        "memory_used_again",
        "
let filled = |first: u64| black_box(Box::new([first; 1_200]))[7];
let seen = rayon::join(|| filled(black_box(1)), || filled(black_box(2)));
black_box(seen);",
    ),
    (
        "freed_beside_read",
        "
let p = Pointer(Box::leak(Box::new([0_u64; 1_200])));
let seen = rayon::join(
    || unsafe { (*p.get())[7] }, //~ race
    || drop(unsafe { Box::from_raw(p.get()) }), //~ race
);
black_box(seen);",
    ),
    (
        "resized_beside_read",
        "
let mut bytes = Vec::<u8>::with_capacity(9_100);
bytes.resize(9_100, 0);
let p = Pointer(bytes.as_mut_ptr());
let mut bytes = Share(bytes);
let seen = rayon::join(
    || unsafe { *p.at(7) }, //~ race
    || { bytes.0.reserve_exact(black_box(9_800 - 9_100)); bytes.0.len() }, //~ race
);
black_box(seen);",
    ),
    (
        "strlen",
        "
unsafe extern \"C\" { fn strlen(text: *const u8) -> usize; }
let mut text = *b\"some text\\0\";
let p = Pointer(text.as_mut_ptr());
let seen = rayon::join(
    || unsafe { strlen(p.get()) }, //~ race
    || unsafe { *p.at(3) = b'E' }, //~ race
);
black_box((seen, &text));",
    ),
    (
        "after_scope",
        "
let c = Share(Cell::new(0_u32));
rayon::scope(|s| s.spawn(|_| c.set(1)));
c.set(2);
black_box(&c);",
    ),
];

/// The body of a case.
pub fn source(name: &str) -> &'static str {
    let found = SOURCES.iter().find(|(its_name, _)| *its_name == name);
    found.expect("there is such a case").1.trim_start()
}
