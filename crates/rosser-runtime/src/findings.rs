//! From a conflict to a finding in the run file.
//!
//! Conflicts of the same class at the same two places, shown by the same thread, are one finding;
//! the first is written in full, the others are counted. That takes one look into a hash table, so
//! a million races on one line cost little and take no space.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use rosser_abi::run_file::{
    STACK_INNER, STACK_OUTER, TASKS, access, class, finding, header, object, task, via,
};
use rosser_detect::kind::Kind;
use rosser_detect::serial::weak::Via;

use crate::backtrace::{Caller, Here};
use crate::observer::{self, Observed};
use crate::run_file::{self, add, set};
use crate::sites::Sites;
use crate::stack::StackBounds;
use crate::{blocks, objects, system, thread_locals};

/// What makes two conflicts the same finding, and its number plus one.
#[derive(Clone, Copy)]
struct Known {
    first: usize,
    second: usize,
    class_and_scope: u64,
    number: u64,
}

const SLOTS: usize = 1 << 20;
/// The table is not filled further than this.
const FULL: u64 = SLOTS as u64 / 2;

/// Relaxed: set by the only thread of a process that was just forked.
static FORGOTTEN: AtomicBool = AtomicBool::new(false);

/// Everything found so far is somebody else's: of the process this one was forked from.
pub fn forget_all() {
    FORGOTTEN.store(true, Relaxed);
}

/// The findings of this process.
pub struct Findings {
    known: &'static mut [Known],
    /// The last block with a conflict, whether thread-locals lead to it, and how many blocks had
    /// been freed when that was found out.
    last_block: (StackBounds, bool, usize),
    /// The last thread-local variables of a shared object with a conflict.
    last_locals: StackBounds,
}

impl Findings {
    pub fn new() -> Self {
        let last_block = (StackBounds::default(), false, 0);
        let last_locals = StackBounds::default();
        Self { known: system::reserve_slice(SLOTS), last_block, last_locals }
    }

    /// Reports a conflict of an access. Returns whether it is new.
    pub fn report<E: Evidence>(&mut self, access: &Access, evidence: &E) -> bool {
        if FORGOTTEN.load(Relaxed) {
            FORGOTTEN.store(false, Relaxed);
            self.known.fill(Known { first: 0, second: 0, class_and_scope: 0, number: 0 });
        }
        let context = Context { access, evidence };
        let address = context.address();
        // What is on a stack or a static is in no block, and to find that out may take a while.
        let may_be_in_block = !access.stack.contains(address)
            && !access.thread_stack.contains(address)
            && !Sites::is_in_executable(address);
        if may_be_in_block
            && (self.is_local_of_object(address)
                || self.is_thread_local(address, access.locals, access.outer_stack))
        {
            add(header::THREAD_LOCAL, 1);
            return false;
        }
        if !access.stack.contains(address) && access.sites.may_be_recycled(address) {
            add(header::OWN_ALLOCATOR, 1);
            return false;
        }
        add(header::CONFLICTS, 1);
        observer::tell(|| context.observed());
        let number = self.number_of(&context);
        if let Some(at) = number.and_then(run_file::finding_at)
            && add(at + finding::COUNT, 1) == 0
        {
            context.write(at);
            return true;
        }
        false
    }

    /// Whether the address is that of a thread-local variable of a shared object.
    fn is_local_of_object(&mut self, address: usize) -> bool {
        if objects::is_any_known() && !self.last_locals.contains(address) {
            self.last_locals = thread_locals::of_object(address).unwrap_or_default();
        }
        self.last_locals.contains(address)
    }

    /// Whether the address is in a block that belongs to the thread.
    fn is_thread_local(
        &mut self,
        address: usize,
        locals: StackBounds,
        outer_stack: StackBounds,
    ) -> bool {
        let freed = blocks::count_freed();
        let (block, answer, then) = self.last_block;
        if block.contains(address) && freed == then {
            return answer;
        }
        let Some((start, origin)) = blocks::around(address) else { return false };
        let block = StackBounds { low: start, high: start + origin.size };
        let answer = thread_locals::own(locals, outer_stack, block);
        self.last_block = (block, answer, freed);
        answer
    }

    /// The number of the finding a conflict belongs to; `None` if there are too many.
    fn number_of<E: Evidence>(&mut self, context: &Context<E>) -> Option<u64> {
        let first = context.evidence.first_pc();
        let second = context.here.pc;
        let class_and_scope = context.class() | context.scope << 2;
        let mut hash = (first as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        hash = (hash ^ second as u64 ^ class_and_scope << 40).wrapping_mul(0xff51_afd7_ed55_8ccd);
        let mut slot = (hash >> 32) as usize % SLOTS;
        loop {
            let known = &mut self.known[slot];
            if known.number == 0 {
                let number = add(header::FINDINGS, 1);
                if number >= FULL {
                    return None;
                }
                *known = Known { first, second, class_and_scope, number: number + 1 };
                return Some(number);
            }
            if known.first == first
                && known.second == second
                && known.class_and_scope == class_and_scope
            {
                return Some(known.number - 1);
            }
            slot = (slot + 1) % SLOTS;
        }
    }
}

/// Calls a function for each function on a stack.
type EachCaller<'a> = dyn Fn(&mut dyn FnMut(Caller)) + 'a;

/// The present access, with what is known about it.
pub struct Access<'a> {
    pub sites: &'a Sites,
    pub stack: StackBounds,
    pub thread_stack: StackBounds,
    /// The thread's own variables.
    pub locals: StackBounds,
    /// What was on the stack before the first task began.
    pub outer_stack: StackBounds,
    /// Counts the threads that were checked.
    pub scope: u64,
    /// Goes through the functions on the stack, without the one that makes the access.
    pub each_caller: &'a EachCaller<'a>,
    pub word: usize,
    pub here: Here,
}

/// What orders two accesses merely in this run.
pub struct Order {
    pub via: Via,
    pub acquired_pc: usize,
    pub released_pc: usize,
}

/// A task: how it came about, and where it was forked.
pub struct Forked {
    pub tag: u32,
    /// Its number, if it is an item of a parallel loop and that is known.
    pub item: Option<u32>,
    pub pc: usize,
}

impl Forked {
    /// What the run file has for its kind.
    fn kind(&self) -> u64 {
        let item = self.item.map_or(0, |number| u64::from(number) + 1);
        u64::from(self.tag) | item << task::ITEM_SHIFT
    }
}

/// What a detector has to tell of a conflict.
pub trait Evidence {
    /// Where the earlier access was made.
    fn first_pc(&self) -> usize;
    /// Its innermost caller in the program, and one that a closure may be inlined in; 0 for none.
    fn first_callers(&self) -> (usize, usize);
    /// Whether that is exact.
    fn is_exact(&self) -> bool;
    /// What both accesses do.
    fn kinds(&self) -> [Kind; 2];
    /// The bytes of the word that both touch.
    fn bytes(&self) -> u8;
    /// Whether it is worse than order-dependent.
    fn is_data_race(&self) -> bool;
    /// What ordered them in this run.
    fn order(&self) -> Option<Order>;
    /// Words with more accesses than are kept, up to now.
    fn crowded(&self) -> u64;
    /// The tasks around the earlier access that are not around the present one, innermost first. Returns
    /// how many are around both.
    fn first_tasks(&self, each: impl FnMut(Forked)) -> usize;
    /// The tasks around the present access without the outermost ones, which are around both,
    /// innermost first, each with an address of the stack at which it began, or 0.
    fn second_tasks(&self, common: usize, each: impl FnMut(Forked, usize));
    /// Writes what promises have to do with it.
    fn write_promises(&self, _at: usize) {}
}

/// A conflict of the present access.
struct Context<'a, E> {
    access: &'a Access<'a>,
    evidence: &'a E,
}

impl<'a, E> std::ops::Deref for Context<'a, E> {
    type Target = Access<'a>;
    fn deref(&self) -> &Access<'a> {
        self.access
    }
}

impl<E: Evidence> Context<'_, E> {
    fn class(&self) -> u64 {
        if self.evidence.is_data_race() { class::DATA_RACE } else { class::ORDER_DEPENDENT }
    }

    fn address(&self) -> usize {
        self.word + self.evidence.bytes().trailing_zeros() as usize
    }

    fn observed(&self) -> Observed {
        Observed {
            word: self.word,
            bytes: self.evidence.bytes(),
            is_data_race: self.evidence.is_data_race(),
            crowded: self.evidence.crowded(),
            first_pc: self.evidence.first_pc(),
            second_pc: self.here.pc,
        }
    }

    fn write(&self, at: usize) {
        let evidence = self.evidence;
        let [first_kind, second_kind] = evidence.kinds();
        set(at + finding::CLASS, self.class());
        set(at + finding::SCOPE, self.scope);
        set(at + finding::ADDRESS, self.address() as u64);
        set(at + finding::SIZE, evidence.bytes().count_ones().into());
        set(at + finding::FIRST_ACCESS, access_of(first_kind));
        set(at + finding::SECOND_ACCESS, access_of(second_kind));
        set(at + finding::FIRST_PC, evidence.first_pc() as u64);
        let (caller, inlined) = evidence.first_callers();
        set(at + finding::FIRST_CALLER, caller as u64);
        set(at + finding::FIRST_INLINED_CALLER, inlined as u64);
        set(at + finding::FIRST_EXACT, evidence.is_exact().into());
        self.write_order(at);
        let frames = self.write_stack(at);
        self.write_object(at, &frames);
        self.write_tasks(at, &frames);
        evidence.write_promises(at);
        set(at + finding::READY, 1);
    }

    fn write_order(&self, at: usize) {
        let Some(order) = self.evidence.order() else {
            let atomic = self.class() == class::ORDER_DEPENDENT;
            set(at + finding::VIA, if atomic { via::ATOMIC } else { via::NONE });
            return;
        };
        set(
            at + finding::VIA,
            match order.via {
                Via::ReleaseAcquire => via::RELEASE_ACQUIRE,
                Via::HiddenRelease => via::HIDDEN_RELEASE,
                Via::SameWorker => via::SAME_WORKER,
            },
        );
        set(at + finding::ACQUIRE_PC, order.acquired_pc as u64);
        set(at + finding::RELEASE_PC, order.released_pc as u64);
    }

    /// Writes the stack of the present access. Returns the frames of its innermost part.
    fn write_stack(&self, at: usize) -> Frames {
        let mut frames = Frames { list: [0; STACK_INNER], len: 0 };
        let mut outer = [0_u64; STACK_OUTER];
        let mut seen = 0;
        frames.push(self.here.sp);
        set(at + finding::STACK, self.here.pc as u64);
        (self.each_caller)(&mut |caller| {
            if frames.len < STACK_INNER {
                set(at + finding::STACK + frames.len, caller.return_address as u64);
                frames.push(caller.frame);
            } else {
                outer[seen % STACK_OUTER] = caller.return_address as u64;
                seen += 1;
            }
        });
        let kept = seen.min(STACK_OUTER);
        for index in 0..kept {
            let word = outer[(seen - kept + index) % STACK_OUTER];
            set(at + finding::STACK + frames.len + index, word);
        }
        set(at + finding::STACK_LEN, (frames.len + kept) as u64);
        set(at + finding::STACK_INNER, frames.len as u64);
        set(at + finding::STACK_OMITTED, (seen - kept) as u64);
        frames
    }

    fn write_object(&self, at: usize, frames: &Frames) {
        let address = self.address();
        if self.stack.contains(address) {
            set(at + finding::OBJECT, object::STACK);
            set(at + finding::OBJECT_FRAME, frames.around(address) as u64);
        } else if self.thread_stack.contains(address) {
            set(at + finding::OBJECT, object::OTHER_STACK);
        } else if let Some((block, origin)) = blocks::around(address) {
            set(at + finding::OBJECT, object::HEAP);
            set(at + finding::OBJECT_START, block as u64);
            set(at + finding::OBJECT_SIZE, origin.size as u64);
            set(at + finding::ALLOCATION_LEN, origin.len as u64);
            for (index, address) in origin.stack.iter().enumerate().take(origin.len) {
                set(at + finding::ALLOCATION + index, *address as u64);
            }
        }
    }

    fn write_tasks(&self, at: usize, frames: &Frames) {
        let mut len = 0;
        let common = self.evidence.first_tasks(|task| {
            if len < TASKS {
                set(at + finding::FIRST_TASKS + 2 * len, task.kind());
                set(at + finding::FIRST_TASKS + 2 * len + 1, task.pc as u64);
                len += 1;
            }
        });
        set(at + finding::FIRST_TASKS_LEN, len as u64);
        set(at + finding::COMMON_DEPTH, common as u64);
        let mut len = 0;
        self.evidence.second_tasks(common, |task, begins| {
            if len < TASKS {
                let at = at + finding::SECOND_TASKS + 3 * len;
                set(at, task.kind());
                set(at + 1, task.pc as u64);
                set(at + 2, frames.around(begins) as u64);
                len += 1;
            }
        });
        set(at + finding::SECOND_TASKS_LEN, len as u64);
    }
}

/// The frames of the innermost part of a stack.
struct Frames {
    list: [usize; STACK_INNER],
    len: usize,
}

impl Frames {
    fn push(&mut self, frame: usize) {
        self.list[self.len] = frame;
        self.len += 1;
    }

    /// The index of the function in whose frame the address is. The first of the list is where the
    /// innermost frame begins, each other where the frame of the function before it ends.
    fn around(&self, address: usize) -> usize {
        self.list[..self.len].partition_point(|frame| *frame < address).saturating_sub(1)
    }
}

fn access_of(kind: Kind) -> u64 {
    match kind {
        Kind::Read => access::READ,
        Kind::Write => access::WRITE,
        Kind::Free => access::FREE,
        Kind::Load => access::ATOMIC_LOAD,
        Kind::Store => access::ATOMIC_STORE,
        _ => access::ATOMIC_UPDATE,
    }
}
