//! A recorded execution: what each thread did, in the order in which it is known to have happened.
//!
//! A run of the model language and a trace of a real program both become one of these, so what decides about the
//! programs of users is what is tested against every schedule of small ones.
//!
//! The ids of actions are positions in one linear order that is consistent with all synchronisation. Where the producer
//! knows the true order of plain accesses, as the model does, ids show it; nobody but [`crate::precise`] and the tests
//! may rely on that. A real recorder knows it only up to synchronisation.

use rosser_detect::Access;

macro_rules! id {
    ($(#[$doc:meta])* $name:ident($inner:ty)) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub struct $name(pub $inner);
    };
}

id!(
    /// A thread; ids are dense.
    Thread(u32)
);
id!(
    /// An action, by its position in the recorded order.
    ActionId(u32)
);
id!(
    /// A location of shared memory.
    Word(u64)
);
id!(
    /// A counting semaphore; ids are dense.
    Semaphore(u32)
);
id!(
    /// A mutual-exclusion lock, which may be shared among readers.
    Lock(u64)
);
id!(
    /// Something that happens once and is then waited for: a promise.
    Flag(u64)
);
id!(
    /// A place in the source; opaque.
    Site(u32)
);
id!(
    /// Consecutive accesses of one thread with the same group, and no synchronisation between them, are one event.
    Group(u32)
);

impl Thread {
    /// The index of the thread.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl ActionId {
    /// The position in the recorded order.
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The action at a position.
    pub fn from_index(index: usize) -> Self {
        Self(u32::try_from(index).expect("an execution has fewer than 2^32 actions"))
    }
}

/// How an atomic operation orders.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Ordering {
    /// It acquires what the writes it reads from have released.
    pub acquire: bool,
    /// It releases to those that read what it writes.
    pub release: bool,
}

/// What an action does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Act {
    /// A plain access, or an accumulation, whose old value nobody sees. The value, if it is known: what a read
    /// found, what a write left.
    Access {
        /// Where.
        word: Word,
        /// How.
        access: Access,
        /// What was found or left.
        value: Option<u64>,
    },
    /// An atomic operation: a load has `found`, a store has `left`, a read-modify-write has both.
    Atomic {
        /// Where.
        word: Word,
        /// What was read.
        found: Option<u64>,
        /// What was written.
        left: Option<u64>,
        /// How it orders.
        ordering: Ordering,
    },
    /// Starts a thread.
    Fork(Thread),
    /// Goes on after all that a thread does.
    Join(Thread),
    /// Sets a flag, once.
    Set(Flag),
    /// Goes on after a flag is set.
    Get(Flag),
    /// V.
    Signal(Semaphore),
    /// P.
    Wait(Semaphore),
    /// Enters a critical section.
    Acquire {
        /// Its lock.
        lock: Lock,
        /// Whether other sections that share it may be open.
        shared: bool,
    },
    /// Leaves the critical section.
    Release(Lock),
}

impl Act {
    /// The word that is touched and how, if a word is.
    pub fn touched(self) -> Option<(Word, Access)> {
        match self {
            Self::Access { word, access, .. } => Some((word, access)),
            Self::Atomic { word, left: None, .. } => Some((word, Access::AtomicRead)),
            Self::Atomic { word, .. } => Some((word, Access::AtomicWrite)),
            _ => None,
        }
    }

    /// Whether it is part of a computation event: everything else is a synchronisation event of its own.
    pub fn is_computation(self) -> bool {
        matches!(self, Self::Access { .. })
    }

    /// Whether another thread may have to act before this can.
    pub fn may_wait(self) -> bool {
        match self {
            Self::Join(_) | Self::Get(_) | Self::Wait(_) | Self::Acquire { .. } => true,
            Self::Atomic { found, .. } => found.is_some(),
            _ => false,
        }
    }
}

/// What one thread did at one moment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Action {
    /// Who.
    pub thread: Thread,
    /// What.
    pub act: Act,
    /// Where in the source.
    pub site: Site,
    /// Which accesses it belongs together with.
    pub group: Group,
    /// How many actions of the thread came before.
    pub position: u32,
}

/// A recorded execution; see the module documentation.
#[derive(Clone, Debug, Default)]
pub struct Execution {
    actions: Vec<Action>,
    threads: Vec<Vec<ActionId>>,
    semaphores: Vec<u32>,
    /// Only the first access of each kind to a word between two synchronisations of a thread is here.
    pub only_first_touches: bool,
    /// Threads of which more happened than is here: the record is damaged, or the program was killed.
    pub incomplete: Vec<Thread>,
}

impl Execution {
    /// An execution in which nothing happened yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a semaphore with its initial value.
    pub fn semaphore(&mut self, initial: u32) -> Semaphore {
        self.semaphores.push(initial);
        Semaphore(self.semaphores.len() as u32 - 1)
    }

    /// Adds what happened next.
    pub fn push(&mut self, thread: Thread, act: Act, site: Site, group: Group) -> ActionId {
        let id = ActionId::from_index(self.actions.len());
        self.thread_exists(thread);
        if let Act::Fork(other) | Act::Join(other) = act {
            self.thread_exists(other);
        }
        let own = &mut self.threads[thread.index()];
        let position = own.len() as u32;
        own.push(id);
        self.actions.push(Action { thread, act, site, group, position });
        id
    }

    fn thread_exists(&mut self, thread: Thread) {
        if self.threads.len() <= thread.index() {
            self.threads.resize(thread.index() + 1, Vec::new());
        }
    }

    /// All actions, in the recorded order.
    pub fn actions(&self) -> &[Action] {
        &self.actions
    }

    /// One action.
    pub fn action(&self, id: ActionId) -> Action {
        self.actions[id.index()]
    }

    /// The actions with their ids.
    pub fn ids(&self) -> impl Iterator<Item = (ActionId, Action)> + '_ {
        let ids = (0..self.actions.len()).map(ActionId::from_index);
        ids.zip(self.actions.iter().copied())
    }

    /// How many threads there are.
    pub fn thread_count(&self) -> usize {
        self.threads.len()
    }

    /// What a thread did.
    pub fn of_thread(&self, thread: Thread) -> &[ActionId] {
        &self.threads[thread.index()]
    }

    /// The initial values of the semaphores.
    pub fn semaphores(&self) -> &[u32] {
        &self.semaphores
    }
}

/// Whether two accesses depend on each other: exchanged, one of them could see or leave something else.
pub fn depend(a: Access, b: Access) -> bool {
    a.conflicts_with(b)
}

/// Whether two accesses that nothing orders are a data race.
pub fn race(a: Access, b: Access) -> bool {
    depend(a, b) && !(a.is_atomic() && b.is_atomic())
}
