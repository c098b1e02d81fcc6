use std::arch::asm;

use rosser_detect::serial::cell::{
    Cell, FREED, MANY, OTHER_WRITES, RECORD, THINNED, WRITER_INEXACT,
};
use rosser_detect::serial::engine::Engine;
use rosser_detect::serial::judge::Judge;
use rosser_detect::serial::log::Site;
use rosser_detect::serial::memory::Storage;
use rosser_detect::serial::present::{Present, Range};
use rosser_detect::serial::readers::{Joined, Readers};
use rosser_detect::serial::verdicts::Verdict;

use super::ACCESSOR_INEXACT;
use crate::backtrace::Here;
use crate::checked::{self, Checked};
use crate::shadow::cell_of;
use crate::sites::{DependsOn, Now};

unsafe extern "C" {
    fn rosser_first_read1();
    fn rosser_first_read4();
    fn rosser_first_read8();
    fn rosser_first_write1();
    fn rosser_first_write4();
    fn rosser_first_write8();
}

// Nobody is asked here: `al` says that somebody would be.
std::arch::global_asm!(
    r"
    .globl rosser_read_slowly1
    rosser_read_slowly1:
    .globl rosser_read_slowly2
    rosser_read_slowly2:
    .globl rosser_read_slowly3
    rosser_read_slowly3:
    .globl rosser_read_slowly4
    rosser_read_slowly4:
    .globl rosser_read_slowly5
    rosser_read_slowly5:
    .globl rosser_read_slowly6
    rosser_read_slowly6:
    .globl rosser_read_slowly7
    rosser_read_slowly7:
    .globl rosser_read_slowly8
    rosser_read_slowly8:
    .globl rosser_write_slowly1
    rosser_write_slowly1:
    .globl rosser_write_slowly2
    rosser_write_slowly2:
    .globl rosser_write_slowly3
    rosser_write_slowly3:
    .globl rosser_write_slowly4
    rosser_write_slowly4:
    .globl rosser_write_slowly5
    rosser_write_slowly5:
    .globl rosser_write_slowly6
    rosser_write_slowly6:
    .globl rosser_write_slowly7
    rosser_write_slowly7:
    .globl rosser_write_slowly8
    rosser_write_slowly8:
        xor eax, eax
        ret
    "
);

/// Frames are 16 bytes apart.
#[derive(PartialEq)]
#[repr(align(16))]
struct Frame([usize; 4]);

/// What a function's frame holds: its caller's frame and where it returns to; then its caller's locals.
static FRAME: Frame = Frame([0, 0x1234, 0x5678, 0]);
/// That of another call.
static OTHER_FRAME: Frame = Frame([0, 0x4321, 0x5678, 0]);

const SITE: Site = 77;

/// Calls one of the functions, always from the same place.
#[inline(never)]
fn call(function: unsafe extern "C" fn(), address: usize) -> bool {
    let done: u8;
    // SAFETY: the functions take `rdi`, leave all but `al` and `r11` alone, and read the frame.
    unsafe {
        asm!(
            "push rbp",
            "push rbp",
            "mov rbp, {frame}",
            "call {function}",
            "pop rbp",
            "pop rbp",
            frame = in(reg) &raw const FRAME,
            function = in(reg) function,
            in("rdi") address,
            lateout("al") done,
            lateout("r11") _,
        );
    }
    done != 0
}

/// A small generator of numbers, below a limit each.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u32) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        ((self.0 >> 33) % u64::from(limit)) as u32
    }

    fn mask(&mut self) -> u8 {
        [0x0f, 0xf0, 0xff, 0x01, 0x30, 0xfe][self.below(6) as usize]
    }
}

fn random_present(random: &mut Random, base: u32) -> Present {
    let mut sorted: Vec<u32> = (0..10).map(|_| 1 + random.below(base)).collect();
    sorted.sort_unstable();
    let range = |index: usize| Range { from: sorted[index], to: sorted[index + 1] };
    let every_reader = random.below(2);
    let (earlier, also) = if random.below(2) == 0 { (2, 4) } else { (4, 2) };
    Present {
        settled: sorted[0],
        floor: sorted[1],
        parallel: sorted[8],
        serial: sorted[9],
        alike: [sorted[8], sorted[7], u32::MAX][random.below(3) as usize],
        also_parallel: [range(also), Range::default(), range(6), Range::default()],
        earlier: range(earlier),
        base,
        unprepared: [base, 0][random.below(2) as usize],
        private: 0,
        every_reader,
        may_be_left: if every_reader == 0 { random.below(3) } else { 0 },
    }
}

/// Answers to some questions, of which some are void.
fn set_verdicts(checked: &mut Checked, random: &mut Random, last: u32) {
    let verdicts = &mut checked.engine.judge.strong.verdicts;
    for id in 0..=last {
        let stamp = [verdicts.stamp, verdicts.stamp | 1, verdicts.stamp ^ 4, 0];
        verdicts.answers[id as usize] = Verdict { id, stamp: stamp[random.below(4) as usize] };
    }
}

fn random_cell(random: &mut Random, last: u32) -> Cell {
    let [writer, accessor, other] = [0; 3].map(|_| random.below(last + 1));
    let flag = |random: &mut Random, flag: u8| if random.below(3) == 0 { flag } else { 0 };
    let accessor = if random.below(3) == 0 { writer } else { accessor };
    let other_mask = if random.below(2) == 0 { 0 } else { random.mask() };
    Cell {
        writer,
        accessor,
        other,
        writer_mask: random.mask(),
        accessor_mask: random.mask(),
        other_mask,
        flags: flag(random, WRITER_INEXACT)
            | flag(random, ACCESSOR_INEXACT)
            | flag(random, FREED)
            | flag(random, THINNED)
            | if other_mask == 0 { 0 } else { flag(random, OTHER_WRITES) }
            | [RECORD, MANY, 0][random.below(30).min(2) as usize],
    }
}

/// A cell whose other may be in a list of readers, or stand for others with the accessor.
fn random_history(checked: &mut Checked, random: &mut Random, base: u32, id: u32) -> Cell {
    let mut cell = random_cell(random, id);
    if cell.flags & MANY != 0 && random.below(2) == 0 {
        let [accessor, older, list] = [base, 4, 4].map(|limit| random.below(limit));
        let joined = &mut checked.engine.judge.readers.joined;
        joined[accessor as usize % Readers::JOINED] = Joined { accessor, older, list };
        (cell.accessor, cell.other) = (accessor, older);
        cell.other_mask = cell.accessor_mask;
    }
    if random.below(4) == 0 {
        (cell.accessor_mask, cell.other_mask) = (0xff, 0xff);
        cell.flags = cell.flags & ACCESSOR_INEXACT | THINNED;
    }
    cell
}

type Quickly = fn(&Judge, &mut Cell, u8, u32) -> bool;

/// Whether a read is left to others, and how many may be left after it. Changes nothing.
fn leave_to_others(engine: &mut Engine, cell: &Cell, is_read: bool) -> (bool, u32) {
    let before = engine.judge.strong.present;
    let is_left = is_read && engine.judge.leave_to_others(cell);
    (is_left, std::mem::replace(&mut engine.judge.strong.present, before).may_be_left)
}

/// How often a function did what.
#[derive(Default)]
struct Counts {
    made: u32,
    given_up: u32,
    /// Accesses that it made though there was a list of readers.
    many: u32,
    /// Reads that others stand in for.
    left_to_others: u32,
}

/// Holds a function against the one it stands for, on random cells.
fn compare(checked: &mut Checked, function: unsafe extern "C" fn(), quickly: Quickly) -> Counts {
    let bytes = match function as usize {
        f if f == rosser_first_read1 as *const () as usize => 1,
        f if f == rosser_first_write1 as *const () as usize => 1,
        f if f == rosser_first_read4 as *const () as usize => 0xf,
        f if f == rosser_first_write4 as *const () as usize => 0xf,
        _ => 0xff,
    };
    let word = Box::new(0_u64);
    let start = &raw const *word as usize;
    let mut random = Random(7);
    let mut counts = Counts::default();
    for _ in 0..100_000 {
        let base = 20 + random.below(10);
        let id = base + random.below(4);
        checked.engine.judge.strong.present = random_present(&mut random, base);
        let before = random_history(checked, &mut random, base, id);
        let many = before.flags & MANY != 0;
        let offset = if bytes == 0xff { 0 } else { 4 * random.below(2) };
        let (address, bytes) = (start + offset as usize, bytes << offset);
        if before.has_accessed(base, bytes) {
            continue; // The fast path has made it.
        }
        set_verdicts(checked, &mut random, base);
        // The word above the return address in the frame, or something else.
        let value = [0x5678, 0x8765][random.below(2) as usize];
        let outside = checked.sites.now.witness(&raw const FRAME as usize).unwrap();
        let depends_on = [
            DependsOn::Nothing,
            DependsOn::Word { reach: 16, value },
            DependsOn::Outside { witness: outside ^ random.below(2) },
            DependsOn::Stack,
        ][random.below(4) as usize];
        let site_is_known = match depends_on {
            DependsOn::Nothing => true,
            DependsOn::Word { .. } => value as usize == FRAME.0[2],
            DependsOn::Outside { witness } => witness == outside,
            DependsOn::Stack => false,
        };
        let frame = if random.below(4) == 0 { &OTHER_FRAME } else { &FRAME };
        let is_new = random.below(4) == 0;
        let here =
            |frame: &Frame, here: Here| Here { frame: std::ptr::from_ref(frame) as usize, ..here };
        checked.places.clear();
        if random.below(2) == 0 {
            // The place is taken, by a call with another caller.
            let other = here(if frame == &FRAME { &OTHER_FRAME } else { &FRAME }, checked.here);
            checked.places.set(other, 0, SITE, DependsOn::Stack);
        }
        let here = here(frame, checked.here);
        checked.places.set(here, if is_new { 0 } else { id }, SITE, depends_on);
        if is_new {
            checked.engine.judge.numbering.log.len = id;
        }
        let is_prepared = id != checked.engine.judge.strong.present.unprepared;
        let is_plain = (!is_new || is_prepared && site_is_known)
            && (frame == &FRAME || depends_on == DependsOn::Nothing);
        let is_read = quickly as usize == Judge::read_quickly as *const () as usize;
        let (is_left, still_left) = leave_to_others(&mut checked.engine, &before, is_read);
        // SAFETY: the cells are mapped and no other thread uses this one.
        unsafe { *cell_of(start) = before };
        let done = call(function, address);
        assert_eq!(checked.engine.judge.strong.present.may_be_left, still_left);
        // SAFETY: as above.
        let after = unsafe { *cell_of(start) };
        let case = (before, checked.engine.judge.strong.present, bytes, id);
        if is_left {
            assert!(done && after == before, "did more than nothing: {case:?}");
            counts.left_to_others += 1;
            continue;
        }
        let mut expected = before;
        let expected_done = is_plain && quickly(&checked.engine.judge, &mut expected, bytes, id);
        if done {
            assert!(expected_done, "made an access that is not plain: {case:?}");
            assert_eq!(after, expected, "{case:?}");
            assert!(!is_new || checked.engine.site_of(id) == SITE);
            // Now it knows the cell.
            // SAFETY: as above.
            unsafe { *cell_of(start) = before };
            assert!(call(function, address), "{case:?}");
            // SAFETY: as above.
            assert_eq!(unsafe { *cell_of(start) }, expected, "again: {case:?}");
            // But not in another step.
            let id = id + 2;
            checked.engine.judge.strong.present.base = id - 1;
            checked.engine.judge.numbering.log.len = id;
            let mut expected = before;
            let expected_done = quickly(&checked.engine.judge, &mut expected, bytes, id);
            // SAFETY: as above.
            unsafe { *cell_of(start) = before };
            let done = call(function, address);
            assert!(expected_done || !done, "in another step: {case:?}");
            // SAFETY: as above.
            let after = unsafe { *cell_of(start) };
            assert_eq!(after, if done { expected } else { before }, "in another step: {case:?}");
            counts.many += u32::from(many);
        } else {
            assert_eq!(after, before, "gave up half-way: {case:?}");
        }
        // Of words with lists it makes only what is most frequent.
        counts.given_up += u32::from(expected_done && !done && !many);
        counts.made += u32::from(done);
    }
    counts
}

#[test]
fn the_assembly_does_what_the_engine_does() {
    checked::init();
    // SAFETY: no thread is checked; this one uses the state alone.
    let checked = unsafe { checked::checked() };
    checked.limit = 0;
    checked.stack.high = usize::MAX;
    checked.sites.now = Now { top: &raw const FRAME as usize + 4096, outside: 3 };
    let (reads, writes): (Quickly, Quickly) = (Judge::read_quickly, Judge::write_quickly);
    // Gives up, and leaves behind where the call is.
    assert!(!call(rosser_first_read1, 0x1000));
    for (function, quickly) in [
        (rosser_first_read1 as unsafe extern "C" fn(), reads),
        (rosser_first_read4, reads),
        (rosser_first_read8, reads),
        (rosser_first_write1, writes),
        (rosser_first_write4, writes),
        (rosser_first_write8, writes),
    ] {
        let Counts { made, given_up, many, left_to_others } = compare(checked, function, quickly);
        assert!(made > 5_000 && given_up * 20 < made, "{made} made, {given_up} given up");
        let is_write = quickly as usize != reads as usize;
        assert!(many > 100 || is_write, "{many} with many readers");
        assert!(left_to_others > 10 || is_write, "{left_to_others} left to others");
    }
}

#[test]
fn words_that_are_written_at_once_are_as_written_one_by_one() {
    let mut engine = Engine::new(Storage::leaked(1 << 10, 1 << 10));
    let mut random = Random(11);
    let mut counts = [0, 0];
    for _ in 0..20_000 {
        let base = 20 + random.below(10);
        engine.judge.strong.present = random_present(&mut random, base);
        let id = base + random.below(4);
        let mut cells = [0; 4].map(|_| random_cell(&mut random, id));
        let before = cells;
        let written = Cell::written(id, 0xff);
        let done = engine.judge.overwrite(&mut cells, written, true);
        for (index, mut expected) in before.into_iter().enumerate() {
            if index < done && !expected.has_written(base, 0xff) {
                assert!(engine.judge.write_quickly(&mut expected, 0xff, id), "{:?}", before[index]);
            }
            assert_eq!(
                cells[index], expected,
                "{:?} at {:?}",
                before[index], engine.judge.strong.present
            );
        }
        counts[0] += done;
        counts[1] += usize::from(done < cells.len());
    }
    assert!(counts.iter().all(|count| *count > 1000), "{counts:?}");
}
