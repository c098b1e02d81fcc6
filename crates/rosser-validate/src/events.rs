//! Events, as the paper has them: a synchronisation operation, or accesses of one thread that belong together.
//!
//! Any grouping of consecutive accesses is a view of the same execution (H1 to H3 of the paper); the producer of the
//! execution chooses one by [`Group`](crate::execution::Group).

use crate::execution::{ActionId, Execution, Thread};

/// An event. Events of one thread have ascending ids, and so have events that one synchronisation orders.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct EventId(pub u32);

impl EventId {
    /// The dense index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What an event consists of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Event {
    /// Who.
    pub thread: Thread,
    /// How many events of the thread came before.
    pub number: u32,
    /// The first action.
    pub first: ActionId,
    /// The last action.
    pub last: ActionId,
}

/// The events of an execution, in the order in which they began.
#[derive(Clone, Debug)]
pub struct Events {
    all: Vec<Event>,
    of_action: Vec<EventId>,
    of_thread: Vec<Vec<EventId>>,
}

impl Events {
    /// Groups the actions of an execution.
    pub fn of(execution: &Execution) -> Self {
        let mut events = Self {
            all: Vec::new(),
            of_action: Vec::with_capacity(execution.actions().len()),
            of_thread: vec![Vec::new(); execution.thread_count()],
        };
        for (id, action) in execution.ids() {
            let own = &mut events.of_thread[action.thread.index()];
            let same = own.last().copied().filter(|last| {
                let previous = execution.action(events.all[last.index()].last);
                action.act.is_computation()
                    && previous.act.is_computation()
                    && previous.group == action.group
            });
            let event = same.unwrap_or_else(|| {
                let event = EventId(events.all.len() as u32);
                let number = own.len() as u32;
                events.all.push(Event { thread: action.thread, number, first: id, last: id });
                own.push(event);
                event
            });
            events.all[event.index()].last = id;
            events.of_action.push(event);
        }
        events
    }

    /// The event that an action belongs to.
    pub fn of_action(&self, action: ActionId) -> EventId {
        self.of_action[action.index()]
    }

    /// What an event is.
    pub fn get(&self, event: EventId) -> Event {
        self.all[event.index()]
    }

    /// The events of a thread.
    pub fn of_thread(&self, thread: Thread) -> &[EventId] {
        &self.of_thread[thread.index()]
    }

    /// How many events there are.
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Whether nothing happened.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// All of them.
    pub fn ids(&self) -> impl Iterator<Item = EventId> + use<> {
        (0..self.all.len() as u32).map(EventId)
    }

    /// The actions of an event.
    pub fn actions<'a>(
        &self,
        execution: &'a Execution,
        event: EventId,
    ) -> impl Iterator<Item = ActionId> + use<'a> {
        let Event { thread, first, last, .. } = self.get(event);
        let from = execution.action(first).position as usize;
        let to = execution.action(last).position as usize;
        execution.of_thread(thread)[from..=to].iter().copied()
    }
}
