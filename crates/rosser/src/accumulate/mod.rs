//! Accumulators: values that many tasks add to, in any order.
//!
//! The result is the same whatever the schedule, because the operator is commutative and associative.
//! It cannot be read before all tasks have ended: reading takes the accumulator by value or by
//! exclusive reference, so the borrow checker sees to that.

mod operator;

use std::fmt;
use std::mem;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError, TryLockError};
use std::thread;

pub use self::operator::{And, Max, Min, Operator, Or, Product, Sum, Xor};
use crate::runtime::Unseen;

/// A value that tasks contribute to with an [`Operator`].
///
/// ```
/// use rosser::{Accumulator, Max, Sum, finish};
///
/// let words = ["to", "be", "or", "not"];
/// let letters = Accumulator::new(Sum, 0);
/// let longest = Accumulator::new(Max, 0);
/// finish(|s| {
///     for word in words {
///         s.spawn(|_| {
///             letters.accumulate(word.len());
///             longest.accumulate(word.len());
///         });
///     }
/// });
/// assert_eq!(letters.into_inner(), 9);
/// assert_eq!(longest.into_inner(), 3);
/// ```
///
/// Contributions are collected in several slots, one of which a worker usually has to itself, and
/// combined when the value is read.
pub struct Accumulator<T, Op> {
    operator: Op,
    slots: Box<[Slot<T>]>,
    /// Contributions that found every slot taken.
    spilled: Mutex<Vec<T>>,
}

/// Padded, so that neighbours do not share a cache line.
#[repr(align(128))]
struct Slot<T>(Mutex<Option<T>>);

impl<T, Op: Operator<T>> Accumulator<T, Op> {
    /// An accumulator that starts with a value.
    ///
    /// ```
    /// let sum = rosser::Accumulator::new(rosser::Sum, 10);
    /// sum.accumulate(1);
    /// assert_eq!(sum.into_inner(), 11);
    /// ```
    pub fn new(operator: Op, initial: T) -> Self {
        let mut initial = Some(initial);
        let slots = (0..slot_count()).map(|_| Slot(Mutex::new(initial.take()))).collect();
        Self { operator, slots, spilled: Mutex::default() }
    }

    /// Contributes a value.
    ///
    /// ```
    /// # use rosser::{Accumulator, Xor};
    /// let parity = Accumulator::new(Xor, false);
    /// parity.accumulate(true);
    /// assert!(parity.into_inner());
    /// ```
    pub fn accumulate(&self, value: T) {
        // Contributions of parallel tasks are in order whatever their order.
        let _unseen = Unseen::begin();
        let own = rayon_core::current_thread_index().unwrap_or(0);
        // A slot that is taken is passed over: somebody else is at it, or this very thread, further
        // down its stack.
        for i in 0..self.slots.len() {
            let slot = &self.slots[(own + i) % self.slots.len()].0;
            let mut slot = match slot.try_lock() {
                Ok(slot) => slot,
                Err(TryLockError::Poisoned(slot)) => slot.into_inner(),
                Err(TryLockError::WouldBlock) => continue,
            };
            match &mut *slot {
                Some(total) => self.operator.combine(total, value),
                none => *none = Some(value),
            }
            return;
        }
        locked(&self.spilled).push(value);
    }

    /// The value so far. All tasks that contribute have ended: they borrow the accumulator.
    ///
    /// ```
    /// # use rosser::{Accumulator, Product, finish};
    /// let mut product = Accumulator::new(Product, 1);
    /// finish(|s| s.spawn(|_| product.accumulate(6)));
    /// assert_eq!(*product.get(), 6);
    /// finish(|s| s.spawn(|_| product.accumulate(7)));
    /// assert_eq!(*product.get(), 42);
    /// ```
    pub fn get(&mut self) -> &T {
        let Self { operator, slots, spilled } = self;
        let [total, others @ ..] = &mut **slots else { unreachable!("there is at least one") };
        let total = unlocked(&mut total.0).as_mut().expect("the first started with a value");
        let others = others.iter_mut().filter_map(|slot| unlocked(&mut slot.0).take());
        for value in others.chain(unlocked(spilled).drain(..)) {
            operator.combine(total, value);
        }
        total
    }

    /// Looks at the value so far while others may contribute. Whether what they contribute meanwhile is
    /// in it is up to the schedule.
    pub(crate) fn look<R>(&self, f: impl FnOnce(&T) -> R) -> R {
        let [total, others @ ..] = &*self.slots else { unreachable!("there is at least one") };
        let mut total = locked(&total.0);
        let total = total.as_mut().expect("the first started with a value");
        let spilled = mem::take(&mut *locked(&self.spilled));
        for value in others.iter().filter_map(|slot| locked(&slot.0).take()).chain(spilled) {
            self.operator.combine(total, value);
        }
        f(total)
    }

    /// The value.
    ///
    /// ```
    /// # use rosser::{Accumulator, Min};
    /// let least = Accumulator::new(Min, 7);
    /// least.accumulate(3);
    /// assert_eq!(least.into_inner(), 3);
    /// ```
    pub fn into_inner(mut self) -> T {
        self.get();
        unlocked(&mut self.slots[0].0).take().expect("the first started with a value")
    }
}

impl<T, Op: fmt::Debug> fmt::Debug for Accumulator<T, Op> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Accumulator").field("operator", &self.operator).finish_non_exhaustive()
    }
}

/// One for each thread the machine can run at a time.
fn slot_count() -> usize {
    static COUNT: OnceLock<usize> = OnceLock::new();
    *COUNT.get_or_init(|| thread::available_parallelism().map_or(1, usize::from))
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn unlocked<T>(mutex: &mut Mutex<T>) -> &mut T {
    mutex.get_mut().unwrap_or_else(PoisonError::into_inner)
}
