//! Runs a program with rayon's tasks.
//!
//! Everything here is instrumented, so a conflict in the interpreter's own memory would be heard of, too.
//! There is none: tasks only read the program.

use std::alloc::{Layout, alloc_zeroed, dealloc, handle_alloc_error};
use std::hint::black_box;
use std::mem::MaybeUninit;
use std::sync::{Mutex, PoisonError};

use answers::{
    Block, Lock, Mode, Object, Program, SLOT_WORDS, Scope, Slot, Statement, pause, place_slot,
    scope, set_scope, slot,
};
use rayon::iter::{
    IndexedParallelIterator, IntoParallelIterator, IntoParallelRefIterator, ParallelIterator,
};

use crate::places::{Shared, access};

/// What all tasks share. Tasks are given no lifetime, because a spawned one may belong to any scope; all have
/// ended when [`Runner::run`] returns.
pub struct Runner {
    pub array: Shared,
    pub locks: &'static [Mutex<()>; 2],
    pub mode: Mode,
}

impl Runner {
    /// Runs a program.
    pub fn run(&self, program: &Program) {
        // SAFETY: every task has ended when this returns: the ones of scopes are joined by them.
        let (this, main): (&'static Self, &'static Block) =
            unsafe { (&*std::ptr::from_ref(self), &*std::ptr::from_ref(&program.main)) };
        this.block(main);
    }

    fn block(&'static self, block: &'static Block) {
        for statement in block {
            self.statement(statement);
        }
    }

    fn statement(&'static self, statement: &'static Statement) {
        match statement {
            Statement::Access(made) => {
                let start = match made.object {
                    Object::Array => self.array,
                    Object::Slot(number) => Shared(slot(number) as *mut u8),
                };
                // SAFETY: it is within its object, and the object exists.
                unsafe { access(made.site, start.byte(made.offset)) };
            }
            Statement::Join(a, b) => drop(rayon::join(|| self.block(a), || self.block(b))),
            Statement::Scope(number, body) => self.scope(*number, body),
            Statement::Spawn(number, _, body) => {
                // SAFETY: the scope is open: so programs are made.
                let scope = unsafe { &*(scope(*number) as *const rayon::Scope<'static>) };
                scope.spawn(move |_| self.block(body));
            }
            Statement::ForEach(items) => self.for_each(items),
            Statement::Locked(Lock(lock), body) => {
                let _locked = self.locks[*lock].lock().unwrap_or_else(PoisonError::into_inner);
                self.block(body);
            }
            Statement::Stack(slot, body) => self.stack(*slot, body),
            Statement::Heap(slot, made, freed, body) => {
                match made {
                    None => allocate(*slot),
                    Some((own, other)) => self.join_with(|| allocate(*slot), own, other, || {}),
                }
                self.block(body);
                match freed {
                    None => free(*slot),
                    Some((own, other)) => self.join_with(|| {}, own, other, || free(*slot)),
                }
            }
            Statement::Pause(time) if self.mode == Mode::Parallel => pause(*time),
            Statement::Pause(_) => {}
        }
    }

    /// Runs a parallel iterator, in one of several ways. Items that do nothing follow the others, so that these come
    /// together in leaves.
    fn for_each(&'static self, items: &'static [Block]) {
        let first = items.first().map_or(0, Vec::len);
        let with_others = items.len() * [1, 4, 8, 16][(items.len() + first) % 4];
        let all = || (0..with_others).into_par_iter().filter_map(|index| items.get(index));
        match items.iter().map(Vec::len).sum::<usize>() % 7 {
            0 => items.par_iter().for_each(|item| self.block(item)),
            1 => all().for_each(|item| self.block(item)),
            2 => {
                // What is carried from item to item is on the heap.
                let count = |mut counts: Vec<usize>, item: &'static Block| {
                    self.block(item);
                    counts[item.len() % 2] += 1;
                    counts
                };
                let counts = all().fold(|| vec![0; 2], count);
                let sum = counts.reduce(|| vec![0; 2], |a, b| vec![a[0] + b[0], a[1] + b[1]]);
                assert_eq!(sum.iter().sum::<usize>(), items.len());
            }
            3 => {
                let lens = all().map(|item| {
                    self.block(item);
                    item.len() as u8
                });
                assert_eq!(lens.collect::<Vec<_>>().len(), items.len());
            }
            4 => all().for_each_with(vec![0_u8; 3], |seen, item| {
                seen.push(item.len() as u8);
                self.block(item);
                seen[1] += 1;
            }),
            5 => {
                // What a producer computes belongs to the item.
                let blocks = items.par_iter().map(|item| self.block(item));
                blocks.zip(items.par_iter()).for_each(|((), item)| drop(black_box(item.len())));
            }
            _ => {
                let repeated = items.par_iter().enumerate();
                repeated.for_each_init(|| vec![0; 1], |scratch, (index, item)| {
                    scratch[0] = index;
                    self.block(item);
                });
            }
        }
    }

    fn scope(&'static self, number: Scope, body: &'static Block) {
        rayon::scope(|scope| {
            set_scope(number, std::ptr::from_ref(scope) as usize);
            self.block(body);
        });
    }

    /// A join whose first half does something before and after its block.
    fn join_with(
        &'static self,
        before: impl FnOnce() + Send,
        own: &'static Block,
        other: &'static Block,
        after: impl FnOnce() + Send,
    ) {
        let own = || {
            before();
            self.block(own);
            after();
        };
        rayon::join(own, || self.block(other));
    }

    #[inline(never)]
    fn stack(&'static self, slot: Slot, body: &'static Block) {
        let mut words = MaybeUninit::<[u64; SLOT_WORDS]>::uninit();
        let bytes = black_box(&mut words).as_mut_ptr().cast::<u8>();
        // Byte by byte: what the memory was used for before is not overwritten by whole words, nor by one write.
        for offset in 0..SLOT_WORDS * 8 {
            // SAFETY: it is within the words.
            unsafe { bytes.add(offset).write_volatile(0) };
        }
        place_slot(slot, bytes as usize);
        self.block(body);
        place_slot(slot, 0);
        black_box(&mut words);
    }
}

const HEAP_BLOCK: Layout = Layout::new::<[u64; SLOT_WORDS]>();

#[inline(never)]
fn allocate(slot: Slot) {
    // SAFETY: it has a size.
    let block = unsafe { alloc_zeroed(HEAP_BLOCK) };
    if block.is_null() {
        handle_alloc_error(HEAP_BLOCK);
    }
    place_slot(slot, block as usize);
}

#[inline(never)]
fn free(number: Slot) {
    let block = slot(number) as *mut u8;
    // What gets the block next may hear of conflicts before this task goes on.
    place_slot(number, 0);
    // SAFETY: it was allocated so, and nobody uses it any more.
    unsafe { dealloc(block, HEAP_BLOCK) };
}
