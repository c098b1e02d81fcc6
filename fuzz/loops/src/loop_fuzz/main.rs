//! Runs loops of many shapes in a task, and has a parallel task find out which bytes are checked: it touches
//! every byte by itself. There must be a conflict at exactly those that the loop has accessed.
//!
//! ```text
//! cargo rosser run --manifest-path fuzz/loops/Cargo.toml -- --rounds 1000 --seed 1
//! ```
//!
//! The command itself then says that there are races, as there should be. What counts is what the program
//! prints, and its exit code if it is started as `cargo rosser show-env` says: 0 if all agree, 1 if not.

mod array;
mod iterators;
mod ordered;
mod shapes;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;

use array::{Account, Byte, Element, Plain};
use listener::{AREA, heard, listen};
use shapes::{Numbers, Shape};

/// Elements of an array. With the longest, two arrays fill the area but for a gap between them.
const LEN: usize = 320;

#[cfg(rosser)]
unsafe extern "C" {
    safe fn rosser_observe(observer: Option<extern "C" fn(&listener::Observed)>);
}

fn main() -> ExitCode {
    let (rounds, seed) = match numbers(std::env::args().skip(1)) {
        Ok(numbers) => numbers,
        Err(problem) => {
            eprintln!("{problem}\n\n--rounds N  how often each loop is run [100]\n--seed N    [1]");
            return ExitCode::from(2);
        }
    };
    #[cfg(rosser)]
    rosser_observe(Some(listener::observe));
    listener::keep_quiet();
    let mut random = Random(seed);
    let mut area = Area(Box::new([0; AREA / 8]));
    let mut run = 0;
    for _ in 0..rounds {
        let wrong = round::<u8>(&mut area, &mut random, &mut run)
            .or_else(|| round::<u16>(&mut area, &mut random, &mut run))
            .or_else(|| round::<u32>(&mut area, &mut random, &mut run))
            .or_else(|| round::<u64>(&mut area, &mut random, &mut run))
            .or_else(|| round::<f64>(&mut area, &mut random, &mut run))
            .or_else(|| ordered_round(&mut area, &mut random, &mut run));
        if let Some(wrong) = wrong {
            println!("mismatch: --seed {seed}, loop {run}: {wrong}");
            return ExitCode::FAILURE;
        }
    }
    println!("{run} loops are checked exactly");
    ExitCode::SUCCESS
}

fn numbers(mut arguments: impl Iterator<Item = String>) -> Result<(u64, u64), String> {
    let (mut rounds, mut seed) = (100, 1);
    while let Some(flag) = arguments.next() {
        let value = arguments.next().and_then(|value| value.parse().ok());
        let value = value.ok_or_else(|| format!("`{flag}` needs a number"))?;
        match flag.as_str() {
            "--rounds" => rounds = value,
            "--seed" => seed = value,
            _ => return Err(format!("there is no `{flag}`")),
        }
    }
    Ok((rounds, seed))
}

/// Every shape once; what is wrong, if something is.
fn round<T: Element>(area: &mut Area, random: &mut Random, run: &mut u64) -> Option<String> {
    shapes::shapes::<T>().iter().find_map(|shape| {
        *run += 1;
        let numbers = random.numbers();
        let seed = random.next();
        let wrong = is_wrong(shape, area, numbers, seed)?;
        Some(format!("{} of {}, {numbers:?}\n{wrong}", shape.name, std::any::type_name::<T>()))
    })
}

/// Every loop once that has no conflicts; what is wrong, if something is.
fn ordered_round(area: &mut Area, random: &mut Random, run: &mut u64) -> Option<String> {
    ordered::ALL.iter().find_map(|ordered| {
        *run += 1;
        let numbers = random.numbers();
        let bytes = Bytes(area.0.as_mut_ptr().cast());
        listen(bytes.0);
        rayon_core::join(|| (ordered.run)(bytes, numbers), || ());
        let count = listener::count();
        (count > 0).then(|| format!("{}, {numbers:?}\n{count} conflicts", ordered.name))
    })
}

/// What the other task does to each byte. Writing conflicts with reads and writes, reading with writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Probe {
    Writing,
    Reading,
}

fn is_wrong<T: Element>(
    shape: &Shape<T>,
    area: &mut Area,
    numbers: Numbers,
    seed: u64,
) -> Option<String> {
    [Probe::Writing, Probe::Reading].into_iter().find_map(|probe| {
        let (a, b) = area.arrays::<T>(&mut Random(seed));
        let mut accounts = (Account::new(a), Account::new(b));
        let expected = catch_unwind(AssertUnwindSafe(|| {
            (shape.account)(&mut accounts.0, &mut accounts.1, numbers)
        }));
        let expected = expected.ok();
        let result = run(shape, area, numbers, probe);
        if result != expected {
            return Some(format!("it comes to {result:?}"));
        }
        let heard = heard();
        let arrays = [("a", 0, accounts.0), ("b", AREA / 2, accounts.1)];
        arrays.into_iter().find_map(|(name, start, account)| {
            let bytes = account.close(expected.is_none());
            let heard = &heard[start..start + AREA / 2];
            let beyond = std::iter::repeat(Byte::Untouched);
            let mut both = heard.iter().zip(bytes.into_iter().chain(beyond));
            let differs = both.position(|(&heard, byte)| !probe.agrees(byte, heard))?;
            let what = if heard[differs] { "is checked" } else { "is not checked" };
            Some(format!("{probe:?}: byte {differs} of {name} {what}"))
        })
    })
}

impl Probe {
    /// Whether there may be a conflict with what was done to a byte, or none.
    fn agrees(self, byte: Byte, conflict: bool) -> bool {
        match byte {
            Byte::Untouched => !conflict,
            Byte::MaybeRead => self == Self::Writing || !conflict,
            Byte::Read => conflict == (self == Self::Writing),
            Byte::Written => conflict,
        }
    }
}

/// Runs the loop in one task and touches every byte in another. What the loop came to, unless it panicked.
fn run<T: Element>(
    shape: &Shape<T>,
    area: &mut Area,
    numbers: Numbers,
    probe: Probe,
) -> Option<u64> {
    let bytes = Bytes(area.0.as_mut_ptr().cast());
    listen(bytes.0);
    let (result, ()) = rayon_core::join(
        || {
            // SAFETY: every pattern of bits is an element. That the other task uses the same is the point.
            let (a, b) = unsafe { (bytes.array(0), bytes.array(AREA / 2)) };
            let run = || (shape.plain)(&mut Plain(a), &mut Plain(b), numbers);
            catch_unwind(AssertUnwindSafe(run)).ok()
        },
        || bytes.probe(probe),
    );
    result
}

/// Memory for two arrays.
struct Area(Box<[u64; AREA / 8]>);

impl Area {
    /// Arrays of random small elements.
    fn arrays<T: Element>(&mut self, random: &mut Random) -> (&mut [T], &mut [T]) {
        let bytes = Bytes(self.0.as_mut_ptr().cast());
        // SAFETY: they do not overlap, and are borrowed from the area.
        let (a, b) = unsafe { (bytes.array::<T>(0), bytes.array::<T>(AREA / 2)) };
        for element in a.iter_mut().chain(b.iter_mut()) {
            *element = T::from_number(random.next() % 64);
        }
        (a, b)
    }
}

/// The area, for two tasks.
#[derive(Clone, Copy)]
struct Bytes(*mut u8);

// SAFETY: that both use it is the point, and it is done one after the other.
unsafe impl Sync for Bytes {}
// SAFETY: as above.
unsafe impl Send for Bytes {}

impl Bytes {
    /// # Safety
    /// Nobody else uses it now.
    unsafe fn array<'a, T>(self, offset: usize) -> &'a mut [T] {
        // SAFETY: it is within the area, and aligned.
        unsafe { std::slice::from_raw_parts_mut(self.0.add(offset).cast(), LEN) }
    }

    fn probe(self, probe: Probe) {
        for offset in 0..AREA {
            touch(self.further(offset), probe);
        }
    }

    /// So many bytes further on, which must be within the area.
    fn further(self, offset: usize) -> Self {
        // SAFETY: the caller sees to it.
        Self(unsafe { self.0.add(offset) })
    }

    /// Reads one byte.
    fn look(self) {
        touch(self, Probe::Reading);
    }

    /// Writes one byte.
    fn change(self) {
        touch(self, Probe::Writing);
    }
}

/// By itself, so that nothing is taken out of the loop.
#[inline(never)]
fn touch(Bytes(byte): Bytes, probe: Probe) {
    // SAFETY: it is within the area.
    unsafe {
        match probe {
            Probe::Writing => byte.write_volatile(7),
            Probe::Reading => {
                byte.read_volatile();
            }
        }
    }
}

/// The generator of Steele, Lea and Flood (`SplitMix64`).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    fn below(&mut self, limit: u64) -> usize {
        (self.next() % limit) as usize
    }

    /// Mostly within bounds, at times a little beyond.
    fn numbers(&mut self) -> Numbers {
        let from = self.below(40);
        let far = if self.below(4) == 0 { LEN as u64 + 2 } else { 60 };
        Numbers {
            from,
            to: from + self.below(far),
            step: 1 + self.below(5),
            rows: self.below(18),
            columns: self.below(20),
            key: self.next() % 80,
            place: self.below(24),
        }
    }
}
