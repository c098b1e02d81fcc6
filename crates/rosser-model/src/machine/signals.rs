//! Promises and semaphores.

use rosser_detect::{Event, PromiseId, SiteId, TaskId, TokenId};

use super::{Machine, Observer, Progress, Promise, RuntimeError, Semaphore, SemaphoreId, Value};
use crate::program::{Expr, Slot};

impl Machine<'_> {
    pub(super) fn new_promise(&mut self, task: TaskId, site: SiteId, is_future: bool) -> PromiseId {
        let promise = PromiseId::from_index(self.promises.len());
        let made_by = (task, self.next_ordinal(task));
        self.promises.push(Promise { set_at: None, made_by, made_at: site, is_future });
        promise
    }

    pub(super) fn set(
        &mut self,
        task: TaskId,
        slot: Slot,
        site: SiteId,
        observer: &mut impl Observer,
    ) -> Result<Progress, RuntimeError> {
        let promise = match self.local(task, slot) {
            Value::Promise(promise) => promise,
            Value::Future(_) => return Err(RuntimeError::SetOfFuture { site }),
            other => {
                return Err(RuntimeError::NotAPromise { found: other.describe(), site });
            }
        };
        if let Some(first) = self.promises[promise.index()].set_at {
            return Err(RuntimeError::SecondSet { first, site });
        }
        self.promises[promise.index()].set_at = Some(site);
        observer.event(Event::Set { promise }, site);
        Ok(Progress::SetPromise(promise))
    }

    /// Goes on after a promise or future that is known to be set.
    pub(super) fn get(
        &self,
        task: TaskId,
        slot: Slot,
        site: SiteId,
        observer: &mut impl Observer,
    ) -> Result<(), RuntimeError> {
        match self.local(task, slot) {
            Value::Promise(promise) | Value::Future(promise) => {
                observer.event(Event::Get { promise }, site);
                Ok(())
            }
            other => Err(RuntimeError::NotAPromise { found: other.describe(), site }),
        }
    }

    /// Where a semaphore was made.
    pub fn semaphore_site(&self, semaphore: SemaphoreId) -> SiteId {
        self.semaphores[semaphore.0 as usize].made_at
    }

    /// How many semaphores there are.
    pub fn semaphore_count(&self) -> usize {
        self.semaphores.len()
    }

    /// The initial value of a semaphore, by its index.
    pub fn semaphore_initial(&self, index: usize) -> u32 {
        self.semaphores[index].initial
    }

    pub(super) fn new_semaphore(
        &mut self,
        task: TaskId,
        count: &Expr,
        site: SiteId,
    ) -> Result<SemaphoreId, RuntimeError> {
        let count = self.eval_int(task, count, site)?;
        let initial = u32::try_from(count).map_err(|_| RuntimeError::BadCount { count, site })?;
        let semaphore = SemaphoreId(self.semaphores.len() as u32);
        let made_by = (task, self.next_ordinal(task));
        self.semaphores.push(Semaphore {
            initial,
            waits: 0,
            signals: Vec::new(),
            made_by,
            made_at: site,
        });
        Ok(semaphore)
    }

    pub(super) fn signal(
        &mut self,
        task: TaskId,
        slot: Slot,
        site: SiteId,
        observer: &mut impl Observer,
    ) -> Result<Progress, RuntimeError> {
        let semaphore = self.semaphore(task, slot, site)?;
        let token = TokenId(self.tokens);
        self.tokens += 1;
        self.semaphores[semaphore.0 as usize].signals.push(token);
        observer.event(Event::Signal { token }, site);
        Ok(Progress::Signalled(semaphore))
    }

    pub(super) fn semaphore(
        &self,
        task: TaskId,
        slot: Slot,
        site: SiteId,
    ) -> Result<SemaphoreId, RuntimeError> {
        match self.local(task, slot) {
            Value::Semaphore(semaphore) => Ok(semaphore),
            other => Err(RuntimeError::NotASemaphore { found: other.describe(), site }),
        }
    }

    /// The n-th wait is paired with the n-th signal once the initial count is used up.
    pub(super) fn wait_semaphore(
        &mut self,
        task: TaskId,
        slot: Slot,
        site: SiteId,
        observer: &mut impl Observer,
    ) -> Result<(), RuntimeError> {
        let semaphore = self.semaphore(task, slot, site)?;
        let state = &mut self.semaphores[semaphore.0 as usize];
        if let Some(number) = state.waits.checked_sub(state.initial) {
            let token = state.signals[number as usize];
            observer.event(Event::Await { token }, site);
        }
        state.waits += 1;
        Ok(())
    }

    /// A promise's state.
    pub fn promise(&self, promise: PromiseId) -> &Promise {
        &self.promises[promise.index()]
    }

    /// Who made a semaphore, and which of its makings it is.
    pub fn semaphore_maker(&self, semaphore: SemaphoreId) -> (TaskId, u32) {
        self.semaphores[semaphore.0 as usize].made_by
    }
}
