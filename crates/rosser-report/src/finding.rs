//! A finding with its addresses looked up.

use rosser_abi::run_file::{access, class, object, task, via};

use crate::frame::{Frame, Origin};
use crate::runfile::{RawFinding, RawTask};
use crate::symbols::{AddressId, FrameTable, Loaded, Symbols};

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Class {
    /// Nothing orders or excludes the two accesses.
    DataRace,
    /// They cannot overlap, but the schedule decides which is first.
    OrderDependent,
}

impl Class {
    /// The class's name in reports, suppressions and baselines.
    pub fn name(self) -> &'static str {
        match self {
            Class::DataRace => "data-race",
            Class::OrderDependent => "order-dependent",
        }
    }
}

/// What was done to the memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccessKind {
    Read,
    Write,
    AtomicLoad,
    AtomicStore,
    AtomicUpdate,
    Free,
}

impl AccessKind {
    fn from_word(word: u64) -> AccessKind {
        match word {
            access::READ => AccessKind::Read,
            access::ATOMIC_LOAD => AccessKind::AtomicLoad,
            access::ATOMIC_STORE => AccessKind::AtomicStore,
            access::ATOMIC_UPDATE => AccessKind::AtomicUpdate,
            access::FREE => AccessKind::Free,
            _ => AccessKind::Write,
        }
    }

    pub fn is_atomic(self) -> bool {
        matches!(self, Self::AtomicLoad | Self::AtomicStore | Self::AtomicUpdate)
    }

    /// The word for it in reports: `read`, `atomic update`.
    pub fn name(self) -> &'static str {
        match self {
            AccessKind::Read => "read",
            AccessKind::Write => "write",
            AccessKind::AtomicLoad => "atomic load",
            AccessKind::AtomicStore => "atomic store",
            AccessKind::AtomicUpdate => "atomic update",
            AccessKind::Free => "free",
        }
    }
}

/// What ordered the two in this run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Via {
    Nothing,
    ReleaseAcquire,
    HiddenRelease,
    Atomic,
    SameWorker,
}

/// How a task came about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TaskKind {
    JoinFirst,
    JoinSecond,
    ScopeSpawn,
    Detached,
    Broadcast,
    /// An item of a parallel loop, with its number if that is known.
    Item(Option<u64>),
    Unknown,
}

impl TaskKind {
    /// The kind's name in machine-readable reports.
    pub fn name(self) -> &'static str {
        match self {
            TaskKind::JoinFirst => "join-first",
            TaskKind::JoinSecond => "join-second",
            TaskKind::ScopeSpawn => "scope-spawn",
            TaskKind::Detached => "detached",
            TaskKind::Broadcast => "broadcast",
            TaskKind::Item(_) => "item",
            TaskKind::Unknown => "unknown",
        }
    }
}

/// One task of a chain.
#[derive(Clone, Copy, Debug)]
pub struct Task {
    pub kind: TaskKind,
    /// The call that spawned it.
    pub spawned_at: Option<AddressId>,
    /// Where in the second stack the spawning function is.
    pub frame: Option<usize>,
}

/// What was accessed.
#[derive(Clone, Debug)]
pub enum Object {
    /// A block from the heap, and the stack that allocated it.
    Heap { offset: u64, size: u64, allocation: Vec<AddressId> },
    /// A local variable of the function at that index of the second stack.
    Stack { frame: usize },
    /// A variable on the thread's stack, on which the second access was not made.
    OtherStack,
    /// A static variable, and how far into it.
    Static { name: String, offset: u64 },
    /// Memory of which nothing is known.
    Unknown { address: u64 },
}

/// A promise that the second task got before its access.
#[derive(Clone, Copy, Debug)]
pub struct Get {
    /// Where it got it.
    pub at: Option<AddressId>,
    /// Where it was set.
    pub set: Option<AddressId>,
    /// The call that spawned the task that set it; none is the main task.
    pub setter: Option<AddressId>,
    /// Whether that is the first access's task, before that access.
    pub before_first: bool,
}

/// A conflict that the runtime noted, in terms of the source.
#[derive(Clone, Debug)]
pub struct Finding {
    pub class: Class,
    pub size: u64,
    pub first_kind: AccessKind,
    pub second_kind: AccessKind,
    pub first: Option<AddressId>,
    pub first_exact: bool,
    /// The call in the program itself that led to the first access, if a library's function made
    /// it. What is between the two is not known.
    pub first_caller: Option<AddressId>,
    /// Further in: a library's function that may have code of the program inlined in it.
    pub first_inlined_caller: Option<AddressId>,
    pub via: Via,
    pub acquire: Option<AddressId>,
    pub release: Option<AddressId>,
    pub object: Object,
    /// The promises that the second task got last before its access, the last one first.
    pub gets: Vec<Get>,
    /// Where the first access's task set a promise next, after the access.
    pub next_set: Option<AddressId>,
    /// The first access's task, its parent and so on, without the common ancestor.
    pub first_tasks: Vec<Task>,
    pub second_tasks: Vec<Task>,
    pub common_depth: u64,
    /// The second access's stack, innermost first.
    pub stack: Vec<AddressId>,
    pub stack_inner: usize,
    pub stack_omitted: u64,
}

impl Finding {
    /// Looks up what is needed to judge a finding. The object is described later, by
    /// [`Finding::complete`], and only for findings that are shown.
    pub fn new(raw: &RawFinding, loaded: &Loaded, symbols: &mut Symbols) -> Finding {
        let mut stack = Vec::with_capacity(raw.stack.len());
        for (index, address) in raw.stack.iter().enumerate() {
            let id = if index == 0 {
                symbols.exact(loaded, *address)
            } else {
                symbols.call(loaded, *address)
            };
            stack.extend(id);
        }
        Finding {
            class: if raw.class == class::DATA_RACE {
                Class::DataRace
            } else {
                Class::OrderDependent
            },
            size: raw.size,
            first_kind: AccessKind::from_word(raw.first_access),
            second_kind: AccessKind::from_word(raw.second_access),
            first: symbols.exact(loaded, raw.first_pc),
            first_exact: raw.first_exact,
            first_caller: symbols.call(loaded, raw.first_caller),
            first_inlined_caller: symbols.call(loaded, raw.first_inlined_caller),
            via: match raw.via {
                via::RELEASE_ACQUIRE => Via::ReleaseAcquire,
                via::HIDDEN_RELEASE => Via::HiddenRelease,
                via::ATOMIC => Via::Atomic,
                via::SAME_WORKER => Via::SameWorker,
                _ => Via::Nothing,
            },
            acquire: symbols.exact(loaded, raw.acquire_pc),
            release: symbols.exact(loaded, raw.release_pc),
            object: Object::Unknown { address: raw.address },
            gets: Vec::new(),
            next_set: None,
            first_tasks: Vec::new(),
            second_tasks: Vec::new(),
            common_depth: raw.common_depth,
            stack,
            stack_inner: raw.stack_inner,
            stack_omitted: raw.stack_omitted,
        }
    }

    /// Looks up the rest: what was accessed, the tasks, and the promises.
    pub fn complete(&mut self, raw: &RawFinding, loaded: &Loaded, symbols: &mut Symbols) {
        let mut tasks = |raw: &[RawTask]| -> Vec<Task> {
            raw.iter()
                .map(|task| Task {
                    kind: task_kind(task.kind),
                    spawned_at: symbols.call(loaded, task.spawned_at),
                    frame: task.frame,
                })
                .collect()
        };
        self.first_tasks = tasks(&raw.first_tasks);
        self.second_tasks = tasks(&raw.second_tasks);
        let mut gets = raw.gets.iter();
        self.gets = std::iter::from_fn(|| {
            let [at, set, setter, before_first] = *gets.next()?;
            let before_first = before_first != 0;
            let mut call = |address| symbols.call(loaded, address);
            Some(Get { at: call(at), set: call(set), setter: call(setter), before_first })
        })
        .collect();
        self.next_set = symbols.call(loaded, raw.next_set);
        self.object = match raw.object {
            object::HEAP => Object::Heap {
                offset: raw.address.saturating_sub(raw.object_start),
                size: raw.object_size,
                allocation: raw
                    .allocation
                    .iter()
                    .filter_map(|address| symbols.call(loaded, *address))
                    .collect(),
            },
            object::STACK => Object::Stack { frame: raw.object_frame },
            object::OTHER_STACK => Object::OtherStack,
            _ => match symbols.static_at(loaded, raw.address) {
                Some((name, offset)) => Object::Static { name, offset },
                None => Object::Unknown { address: raw.address },
            },
        };
    }

    /// The function that made the first access, with those it was inlined into.
    pub fn first_makers<'a>(&self, table: &'a FrameTable) -> &'a [Frame] {
        self.first.map_or(&[], |address| table.frames(address))
    }

    /// What is known of the first access's stack, innermost first.
    pub fn first_frames<'a>(&self, table: &'a FrameTable) -> impl Iterator<Item = &'a Frame> {
        let known = [self.first, self.first_inlined_caller, self.first_caller];
        let known = known.into_iter().flatten();
        known.flat_map(|address| table.frames(address))
    }

    /// All frames of the second access's stack, innermost first, each with its index in the stack.
    pub fn second_frames<'a>(
        &'a self,
        table: &'a FrameTable,
    ) -> impl DoubleEndedIterator<Item = (usize, &'a Frame)> {
        let stack = self.stack.iter().enumerate();
        stack.flat_map(|(index, address)| table.frames(*address).iter().map(move |f| (index, f)))
    }

    /// Where the first access is shown.
    pub fn first_place<'a>(&self, table: &'a FrameTable) -> Option<&'a Frame> {
        place(self.first_frames(table))
    }

    /// Where the second access is shown.
    pub fn second_place<'a>(&'a self, table: &'a FrameTable) -> Option<&'a Frame> {
        place(self.second_frames(table).map(|(_, frame)| frame))
    }
}

/// The place to show of a stack: its innermost frame of user code, or, if there is none, the
/// innermost that is not Rosser's own.
pub fn place<'a>(frames: impl IntoIterator<Item = &'a Frame>) -> Option<&'a Frame> {
    let (mut outside_runtime, mut innermost) = (None, None);
    for frame in frames {
        if frame.origin == Origin::User {
            return Some(frame);
        }
        innermost = innermost.or(Some(frame));
        if frame.origin != Origin::Runtime {
            outside_runtime = outside_runtime.or(Some(frame));
        }
    }
    outside_runtime.or(innermost)
}

/// Where the user's code is at an address, if it is there: a line of a library says nothing to those who
/// have not written it.
pub fn user_place(address: Option<AddressId>, table: &FrameTable) -> Option<String> {
    let mut frames = table.frames(address?).iter();
    frames.find(|frame| frame.origin == Origin::User).map(Frame::at)
}

fn task_kind(word: u64) -> TaskKind {
    match word & ((1 << task::ITEM_SHIFT) - 1) {
        task::JOIN_FIRST => TaskKind::JoinFirst,
        task::JOIN_SECOND => TaskKind::JoinSecond,
        task::SCOPE_SPAWN => TaskKind::ScopeSpawn,
        task::DETACHED => TaskKind::Detached,
        task::BROADCAST => TaskKind::Broadcast,
        task::ITEM => TaskKind::Item((word >> task::ITEM_SHIFT).checked_sub(1)),
        _ => TaskKind::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::place;
    use crate::frame::Frame;

    fn chosen(paths: &[&str]) -> Option<String> {
        let frames: Vec<_> =
            paths.iter().map(|path| Frame::new((*path).to_owned(), None, &[])).collect();
        place(&frames).map(|frame| frame.path.clone())
    }

    #[test]
    fn the_innermost_frame_of_the_user_is_the_place() {
        let stack = ["__tsan_read8", "core::ptr::read", "rayon::iter::f", "app::f", "app::main"];
        assert_eq!(chosen(&stack).as_deref(), Some("app::f"));
        assert_eq!(chosen(&stack[..3]).as_deref(), Some("core::ptr::read"));
        assert_eq!(chosen(&stack[..1]).as_deref(), Some("__tsan_read8"));
        assert_eq!(chosen(&[]), None);
    }
}
