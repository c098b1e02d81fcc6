//! Another detector than the engine: one of the papers' own algorithms, as they are in `rosser_detect::papers`.
//!
//! It is there only if it was chosen, by `ROSSER_DETECTOR`. The engine goes on being told of tasks,
//! since it knows who runs and where an access was made; but accesses go to the other detector, and
//! the cells of all words stay empty. So no access is ever taken for a repeated one, and none is made
//! quickly: as long as something is *watched*, the access path leaves all to the slow functions, and
//! here something always is.
//!
//! * What the detector does not admit ends the run: see [`Other::task_begin`] and the functions after
//!   it.
//! * Its places are ids of the engine's log, so that a conflict is reported like one of the engine's.
//! * The algorithms know of atomic accesses no more than that they read or write (SP-bags: or update).
//!   What they were is remembered here, so that a conflict of two atomic accesses is called
//!   order-dependent, and the rules for the insides of locks apply. Release and acquire order nothing.
//! * Accesses of a task to its own variables that no parallel task can reach are left out.
//! * It uses the program's heap, which is the runtime's own: meanwhile there is a [`Pause`].

use rosser_abi::run_file::header;
use rosser_detect::hash::Map;
use rosser_detect::kind::Kind;
use rosser_detect::live::LiveDetector;
use rosser_detect::order::ScopeNumber;
use rosser_detect::order::general::TaskNumber;
use rosser_detect::serial::cell::Cell;
use rosser_detect::serial::conflicts::Conflict;
use rosser_detect::serial::log::Id;
use rosser_detect::{
    Access, Construct, Detail, DetectorKind, Event, LockId, Operator, PromiseId, Race, ScopeKind,
    SiteId, TaskId, TaskKind, registry,
};

use super::unseen::Pause;
use crate::backend::serial::locations::Locations;
use crate::backtrace::Here;
use crate::checked::Checked;
use crate::chosen::chosen;
use crate::shadow::cell_of;
use crate::words::words;
use crate::{run_file, stuck};

/// What the detector does not admit.
pub struct NotAdmitted(Construct);

/// What comes of telling the detector something.
pub trait Told {
    /// What it does not admit, if that is so.
    fn refused(self) -> Option<NotAdmitted>;
}

impl Told for () {
    fn refused(self) -> Option<NotAdmitted> {
        None
    }
}

impl Told for Result<(), NotAdmitted> {
    fn refused(self) -> Option<NotAdmitted> {
        self.err()
    }
}

/// Where a task runs.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Runs {
    /// On top of the one that started it.
    OnTop,
    /// On a stack that it is the base of.
    OnOwnStack,
}

/// A task.
struct Task {
    id: TaskId,
    joined_by: ScopeNumber,
    /// The scopes that it has opened, innermost last.
    open: Vec<ScopeNumber>,
    /// The task on whose stack it runs, unless that is its own.
    below: Option<TaskNumber>,
}

/// The detector, and what it has to be told.
pub struct Other {
    kind: DetectorKind,
    detector: Box<dyn LiveDetector>,
    locations: Locations,
    /// The running tasks by the engine's numbers, the main task first.
    tasks: Vec<Task>,
    /// How many tasks there were.
    started: usize,
    current: TaskNumber,
    /// The promises by the names of their set points.
    promises: Map<Id, PromiseId>,
    /// What the accesses were that are neither plain reads nor plain writes, by id and whether they
    /// changed something.
    kinds: Map<(Id, bool), Kind>,
    races: Vec<Race>,
    conflicts: Vec<Conflict>,
}

impl Other {
    fn new(kind: DetectorKind) -> Option<Self> {
        let main = Task { id: TaskId::MAIN, joined_by: 0, open: Vec::new(), below: None };
        Some(Self {
            kind,
            detector: registry::build(kind, Detail::Conflicts)?,
            locations: Locations::default(),
            tasks: vec![main],
            started: 1,
            current: 0,
            promises: Map::default(),
            kinds: Map::default(),
            races: Vec::new(),
            conflicts: Vec::new(),
        })
    }

    /// Nothing is parallel any more: what comes begins with nothing but the scopes that the main task
    /// has open.
    fn end_region(&mut self, open: usize) {
        let Some(mut new) = Self::new(self.kind) else { return };
        let mut scopes = std::mem::take(&mut self.tasks[0].open);
        scopes.truncate(open);
        for scope in scopes {
            new.open(scope);
        }
        *self = new;
    }

    fn task(&mut self) -> &mut Task {
        &mut self.tasks[self.current as usize]
    }

    fn id_of(&self, number: TaskNumber) -> TaskId {
        self.tasks[number as usize].id
    }

    /// Execution goes on with a task.
    fn switch(&mut self, to: TaskNumber) {
        self.current = to;
        let to = self.id_of(to);
        self.detector.event(Event::Switch { to });
    }

    /// The current task starts another, which runs at once. None of the algorithms follows tasks that
    /// skip a scope; and for SP-bags a procedure is joined by the one that has spawned it.
    pub fn task_begin(
        &mut self,
        number: TaskNumber,
        scope: ScopeNumber,
        runs: Runs,
    ) -> Result<(), NotAdmitted> {
        let parent = self.current;
        let Task { joined_by, ref open, .. } = *self.task();
        if scope != open.last().copied().unwrap_or(joined_by) {
            return Err(NotAdmitted(Construct::OuterScope));
        }
        if open.is_empty() && parent != 0 && !self.has_asyncs() {
            return Err(NotAdmitted(Construct::Async));
        }
        let child = TaskId::from_index(self.started);
        self.started += 1;
        let kind = if self.has_asyncs() { TaskKind::Async } else { TaskKind::Spawn };
        self.detector.event(Event::Fork { child, kind });
        let below = (runs == Runs::OnTop).then_some(parent);
        let task = Task { id: child, joined_by: scope, open: Vec::new(), below };
        let index = number as usize;
        if index < self.tasks.len() {
            self.tasks[index] = task;
        } else {
            // Numbers are given out densely.
            self.tasks.push(task);
        }
        self.switch(number);
        Ok(())
    }

    /// The current task has ended, and another goes on.
    pub fn task_end(&mut self, next: TaskNumber) {
        // A panic may have skipped their ends.
        while self.task().open.pop().is_some() {
            self.close();
        }
        self.detector.event(Event::End);
        self.switch(next);
    }

    /// The current task opens a scope.
    pub fn scope_begin(&mut self, number: ScopeNumber) {
        self.open(number);
    }

    fn open(&mut self, number: ScopeNumber) {
        self.task().open.push(number);
        self.detector.event(Event::ScopeBegin { kind: self.scope_kind() });
    }

    /// The current task ends a scope, and those inside it whose ends were skipped.
    pub fn scope_end(&mut self, number: ScopeNumber) {
        if self.task().open.contains(&number) {
            while let Some(ended) = self.task().open.pop() {
                self.close();
                if ended == number {
                    break;
                }
            }
        }
    }

    fn close(&mut self) {
        self.detector.event(Event::ScopeEnd { kind: self.scope_kind() });
    }

    fn scope_kind(&self) -> ScopeKind {
        if self.has_asyncs() { ScopeKind::Finish } else { ScopeKind::SyncBlock }
    }

    /// Whether tasks are asyncs to the detector. If not, they are spawned, and their scopes are sync blocks.
    fn has_asyncs(&self) -> bool {
        self.kind.admits(Construct::Async)
    }

    /// The current stack, with the given task as its base, has to wait; another goes on. All its tasks
    /// wait with the topmost one.
    pub fn waits(&mut self, base: TaskNumber, next: TaskNumber) -> Result<(), NotAdmitted> {
        self.admit(Construct::Promise)?;
        self.detector.event(Event::Block);
        while self.current != base
            && let Some(below) = self.task().below
        {
            self.switch(below);
            self.detector.event(Event::Block);
        }
        self.switch(next);
        Ok(())
    }

    /// A stack that has waited goes on.
    pub fn resume(&mut self, task: TaskNumber, base: TaskNumber) {
        let mut waiting = vec![task];
        let mut at = task;
        while at != base
            && let Some(below) = self.tasks[at as usize].below
        {
            waiting.push(below);
            at = below;
        }
        for task in waiting.into_iter().rev() {
            self.switch(task);
        }
    }

    /// The current task sets a promise. Without a name it precedes everything. As long as nobody gets
    /// it, it orders nothing: a detector that does not know promises need not know.
    pub fn promise_set(&mut self, name: Option<Id>) {
        if let Some(name) = name
            && self.has_gets()
        {
            let promise = PromiseId::from_index(self.promises.len());
            self.promises.insert(name, promise);
            self.detector.event(Event::Set { promise });
        }
    }

    /// The current task has got a promise.
    pub fn promise_get(&mut self, name: Option<Id>) -> Result<(), NotAdmitted> {
        if let Some(name) = name {
            if !self.has_gets() {
                return Err(NotAdmitted(Construct::Promise));
            }
            if let Some(&promise) = self.promises.get(&name) {
                self.detector.event(Event::Get { promise });
                return self
                    .detector
                    .refused()
                    .map_or(Ok(()), |construct| Err(NotAdmitted(construct)));
            }
        }
        Ok(())
    }

    /// Whether the detector knows promises, or futures at least: those it tells apart by itself.
    fn has_gets(&self) -> bool {
        self.kind.admits(Construct::Promise) || self.kind.admits(Construct::Future)
    }

    fn admit(&self, construct: Construct) -> Result<(), NotAdmitted> {
        if self.kind.admits(construct) { Ok(()) } else { Err(NotAdmitted(construct)) }
    }

    /// The current task begins an isolated section. That it may depend on the order of others is not
    /// found, and the verdict has to say so.
    pub fn isolated_begin(&mut self) -> Result<(), NotAdmitted> {
        self.admit(Construct::Isolated)?;
        run_file::add(header::ISOLATED, 1);
        self.detector.event(Event::Acquire { lock: LockId::ISOLATED });
        Ok(())
    }

    /// The current task ends its isolated section.
    pub fn isolated_end(&mut self) {
        self.detector.event(Event::Release { lock: LockId::ISOLATED });
    }

    /// The current task accesses some bytes of a word. What that is in conflict with is left behind.
    fn access(&mut self, word: usize, bytes: u8, kind: Kind, id: Id) {
        let access = match operator(kind) {
            Some(operator) if self.kind.admits(Construct::Accumulate) => Access::Update(operator),
            _ if kind.writes() => Access::Write,
            _ => Access::Read,
        };
        if !matches!(kind, Kind::Read | Kind::Write) {
            self.kinds.insert((id, kind.writes()), kind);
        }
        let detector = self.detector.as_mut();
        for &(location, part) in self.locations.of(word, bytes, detector).as_slice() {
            detector.access(location, access, SiteId(id));
            detector.take_races(&mut self.races);
            for race in self.races.drain(..) {
                let (first, writes) = (race.first.site.0, race.first.access.writes());
                let plain = if writes { Kind::Write } else { Kind::Read };
                let first_kind = self.kinds.get(&(first, writes)).copied().unwrap_or(plain);
                let same =
                    |known: &&mut Conflict| known.first == first && known.first_kind == first_kind;
                match self.conflicts.iter_mut().find(same) {
                    Some(known) => known.bytes |= part,
                    None => self.conflicts.push(Conflict {
                        first,
                        first_kind,
                        exact: true,
                        second_kind: kind,
                        bytes: part,
                        hop: None,
                    }),
                }
            }
        }
    }
}

/// How an atomic update accumulates, if it does.
fn operator(kind: Kind) -> Option<Operator> {
    match kind {
        Kind::Add => Some(Operator::Add),
        Kind::Mul => Some(Operator::Mul),
        Kind::And => Some(Operator::And),
        Kind::Or => Some(Operator::Or),
        Kind::Xor => Some(Operator::Xor),
        Kind::Min => Some(Operator::Min),
        Kind::Max => Some(Operator::Max),
        Kind::Read | Kind::Write | Kind::Free | Kind::Load | Kind::Store | Kind::Swap => None,
    }
}

impl Checked {
    /// A thread begins to be checked: the detector is made, if one was chosen.
    pub fn prepare_other(&mut self) {
        let kind = chosen();
        if !DetectorKind::of_papers().any(|other| other == kind) {
            return;
        }
        if self.sites.libraries.has_own_allocator() {
            // The detector would use it, too, perhaps while the program does.
            stuck::refuse(Construct::OwnAllocator, chosen(), Here::at(0));
        }
        let _pause = Pause::begin();
        if self.other.is_none() {
            self.other = Other::new(kind).map(Box::new);
        }
        self.watch.look_always();
    }

    /// Tells it of something that is done where an entry point found its return address.
    #[inline]
    pub fn tell_other<T: Told>(&mut self, slot: usize, tell: impl FnOnce(&mut Other) -> T) {
        if self.other.is_some() {
            self.tell(Here::returning_at(slot), tell);
        }
    }

    /// Tells it of something that is done at `pc`.
    #[inline]
    pub fn tell_other_at<T: Told>(&mut self, pc: usize, tell: impl FnOnce(&mut Other) -> T) {
        if self.other.is_some() {
            self.tell(Here::at(pc), tell);
        }
    }

    #[cold]
    fn tell<T: Told>(&mut self, here: Here, tell: impl FnOnce(&mut Other) -> T) {
        let Some(other) = &mut self.other else { return };
        let pause = Pause::begin();
        let told = tell(other);
        drop(pause);
        if let Some(NotAdmitted(construct)) = told.refused() {
            stuck::refuse(construct, chosen(), here);
        }
    }

    /// The region has ended, also for the other detector.
    pub fn end_region_elsewhere(&mut self) {
        let open = self.engine.open_scopes();
        if let Some(other) = &mut self.other {
            let _pause = Pause::begin();
            other.end_region(open);
        }
    }

    /// The histories of a range are forgotten, also by the other detector.
    #[inline]
    pub fn forget_elsewhere(&mut self, from: usize, to: usize) {
        if let Some(other) = &mut self.other {
            let _pause = Pause::begin();
            other.locations.forget(from, to, other.detector.as_mut());
        }
    }

    /// An access of any length, for the other detector.
    pub fn access_elsewhere(&mut self, address: usize, len: usize, kind: Kind, here: Here) {
        self.note_stack(here);
        let is_plain = matches!(kind, Kind::Read | Kind::Write);
        if is_plain && address >= here.sp && address + len <= self.private_top {
            self.engine.judge.count_access();
            return;
        }
        for (word, bytes) in words(address, len) {
            // SAFETY: the cell is mapped and only this thread uses it.
            if unsafe { *cell_of(word) } == Cell::UNMONITORED {
                continue;
            }
            self.engine.judge.count_access();
            let id = if kind.is_atomic() { self.atomic_id(here) } else { self.id_of(here) };
            self.judge_elsewhere(word, bytes, kind, id, here);
        }
    }

    fn atomic_id(&mut self, here: Here) -> Id {
        let (site, _) = self.sites.site_of(here, self.stack);
        stuck::unless_exhausted(self.engine.id_of(site), || here)
    }

    fn judge_elsewhere(&mut self, word: usize, bytes: u8, kind: Kind, id: Id, here: Here) {
        let Some(other) = &mut self.other else { return };
        let pause = Pause::begin();
        other.access(word, bytes, kind, id);
        drop(pause);
        if other.conflicts.is_empty() {
            return;
        }
        let mut conflicts = std::mem::take(&mut other.conflicts);
        let mut told = 0;
        while told < conflicts.len() {
            told += self.engine.judge.judged_elsewhere(&conflicts[told..]);
            self.report_conflicts(word, here);
        }
        self.engine.judge.judged_elsewhere(&[]);
        conflicts.clear();
        if let Some(other) = &mut self.other {
            other.conflicts = conflicts;
        }
    }
}
