//! Which construct of the library stands for which of the model.
//!
//! | in the model | with the library |
//! |---|---|
//! | `async` | `Finish::spawn`, of the innermost scope or one further out, or rayon's `Scope::spawn` |
//! | `spawn`, `sync` | `Finish::begin` at the first, `Scope::end`; or `Procedure::spawn`, `Procedure::sync` |
//! | `future`, its `get` | `Finish::spawn_future`, `Future::get` if there is one get, else `SharedFuture::get` |
//! | `finish { }` | `finish`; `procedure` if only spawns are in it; rayon's `scope` or `join` if nothing in it waits |
//! | `begin_finish`, `end_finish` | `Finish::begin`, `Scope::end` |
//! | `isolated { }` | `isolated` |
//! | `new_promise`, `set`, `get` | `Promise`, with and without `Setter` |
//! | `load`, `store` | loads and stores |
//! | `accumulate` | an atomic operation; or an `Accumulator`, if nothing else is done with the variable |
//!
//! Where there is a choice, the way decides it. Rayon's operations do not put tasks aside, so they
//! stand only for what never waits.

use std::ops::Range;

use rosser_detect::{Operator, SiteId, TaskKind};
use rosser_model::Program;
use rosser_model::program::{self as model, Expr, Op, Opened, Place};

use crate::adapt::{FAR, FUTURE};
use crate::case::{About, Way};
use crate::layout::Layout;
use crate::model::Unfit;

/// An instruction, by number.
pub type Pc = u32;

/// A local variable of a task.
pub type Slot = usize;

/// A value that an instruction uses.
#[derive(Clone, Copy, Debug)]
pub enum Operand {
    /// A constant.
    Int(i64),
    /// A local.
    Local(Slot),
}

/// The body of a task.
#[derive(Clone, Copy, Debug)]
pub struct Body {
    /// Its first instruction.
    pub start: Pc,
    /// Where its parent goes on.
    pub after: Pc,
    /// How many locals it sees.
    pub captured: usize,
}

/// What an instruction does with the library.
#[derive(Clone, Copy, Debug)]
pub enum Act {
    /// Binds a local to the given location.
    Alloc(Slot, usize),
    /// Reads the location that the second local is bound to into the first.
    Load(Slot, Slot),
    /// Writes to a location.
    Store(Operand, Slot),
    /// Updates a location atomically.
    Accumulate(Operand, Slot, Operator),
    /// The same, and binds the old value.
    Fetch(usize, Operand, Slot, Operator),
    /// Jumps if the operand is zero.
    JumpIfZero(Operand, Pc),
    /// Jumps.
    Jump(Pc),
    /// Starts a task of the innermost scope.
    Async(Body),
    /// Starts a task of the scope around the innermost finish.
    Far(Body),
    /// Starts a child of the procedure, or of the sync block.
    Spawn(Body),
    /// Starts a task whose value is bound to a local; to be got once, or often.
    Future(Body, Slot, Gets),
    /// Opens a scope that ends at the next `Close` of the same depth.
    Open(Opening),
    /// Closes a scope.
    Close,
    /// Waits for what was spawned.
    Sync,
    /// An isolated section begins.
    BeginIsolated,
    /// It ends.
    EndIsolated,
    /// Binds a local to the given promise.
    NewPromise(Slot, usize),
    /// The promise of a future, which the library makes with its task.
    FutureComes,
    /// Sets a promise; through a `Setter`, maybe.
    Set(Slot, bool),
    /// A future's task is through.
    FutureIsThere,
    /// Gets a promise or a future.
    Get(Slot),
    /// Ends the task.
    End,
}

/// How many gets a future has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Gets {
    /// One at most.
    One,
    /// Maybe more.
    Many,
}

/// What opens a scope.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Opening {
    /// `rosser::finish`.
    Finish,
    /// `rosser::procedure`.
    Procedure,
    /// `rosser::Finish::begin`.
    Begin,
    /// Rayon's `scope`.
    RayonScope,
    /// Rayon's `join`, of the task that is started next and the rest.
    RayonJoin,
}

/// A program as it is run with the library.
#[derive(Clone, Debug)]
pub struct Plan {
    acts: Vec<Act>,
    noted: Vec<bool>,
    /// Where the locations are.
    pub layout: Layout,
    /// What is around the whole.
    pub main: Opening,
    /// How many promises there are.
    pub promises: usize,
    /// For each location, the operator if it is an accumulator.
    pub accumulators: Vec<Option<Operator>>,
    /// Whether there is an atomic operation on a location.
    pub has_atomics: bool,
}

impl Plan {
    /// Decides how a program is run.
    pub fn new(program: &Program, way: Way) -> Result<Self, Unfit> {
        let planner = Planner { program, ops: program.ops(), way };
        let accumulators = planner.accumulators();
        let acts = (0..planner.ops.len()).map(|pc| planner.act(pc as Pc));
        let noted = (0..planner.ops.len()).map(|pc| planner.is_noted(pc as Pc));
        let has_atomics = planner.has_atomics(&accumulators);
        // There are no atomic operations on halves of two words.
        let is_possible = way.layout != Layout::Halves || !has_atomics;
        Ok(Self {
            layout: if is_possible { way.layout } else { Layout::Words },
            acts: acts.collect::<Result<_, Unfit>>()?,
            noted: noted.collect(),
            main: planner.main(),
            promises: planner.count_promises(planner.ops.len()),
            has_atomics,
            accumulators,
        })
    }

    /// What an instruction does.
    #[inline(never)]
    pub fn act(&self, pc: Pc) -> Act {
        self.acts[pc as usize]
    }

    /// Whether an instruction is noted when it is executed.
    pub(crate) fn notes(&self, pc: Pc) -> bool {
        self.noted[pc as usize]
    }

    /// Whether a body gets what is bound to a local, itself or in a task of its own.
    #[inline(never)]
    pub fn gets(&self, body: Body, slot: Slot) -> bool {
        let acts = &self.acts[body.start as usize..body.after as usize];
        acts.iter().any(|act| matches!(act, Act::Get(got) if *got == slot))
    }

    /// Whether a construct is used.
    pub fn uses(&self, used: impl Fn(&Act) -> bool) -> bool {
        self.acts.iter().any(used)
    }
}

struct Planner<'p> {
    program: &'p Program,
    ops: &'p [Op],
    way: Way,
}

impl Planner<'_> {
    fn op(&self, pc: Pc) -> &Op {
        &self.ops[pc as usize]
    }

    /// Whether an instruction is noted when it is executed. What is left out is what happens at the ends
    /// of blocks and tasks, where the library does things that no statement stands for; and what is
    /// there so that a task can be started further out.
    fn is_noted(&self, pc: Pc) -> bool {
        match self.op(pc) {
            Op::EndScope(_) | Op::Sync | Op::End | Op::Jump(_) => false,
            Op::NewPromise(_) => !self.is_of_far(pc),
            Op::Fork { .. } => !self.starts_far(pc),
            Op::Get(_) => pc.checked_sub(2).is_none_or(|fork| !self.starts_far(fork)),
            _ => true,
        }
    }

    fn act(&self, pc: Pc) -> Result<Act, Unfit> {
        Ok(match self.op(pc) {
            Op::Alloc(slot) => {
                let location = self.locations().position(|other| other == *slot);
                Act::Alloc(slot.0 as usize, location.expect("it is one of them"))
            }
            Op::Load(slot, from) => Act::Load(slot.0 as usize, variable(from)?),
            Op::Store(value, to) => Act::Store(operand(value)?, variable(to)?),
            Op::Accumulate(None, value, to, operator) => {
                Act::Accumulate(operand(value)?, variable(to)?, *operator)
            }
            Op::Accumulate(Some(slot), value, to, operator) => {
                Act::Fetch(slot.0 as usize, operand(value)?, variable(to)?, *operator)
            }
            Op::JumpIfZero(value, target) => Act::JumpIfZero(operand(value)?, *target),
            Op::Jump(target) => Act::Jump(*target),
            Op::Fork { .. } if self.starts_far(pc) => Act::Jump(self.body(pc).end),
            Op::Fork { kind, captured, .. } => {
                let Range { start, end } = self.body(pc);
                let body = Body { start, after: end, captured: *captured as usize };
                match kind {
                    TaskKind::Spawn => Act::Spawn(body),
                    TaskKind::Async => match self.future_of(pc) {
                        None => Act::Async(body),
                        Some(slot) => Act::Future(body, slot, self.count_gets(slot)),
                    },
                    TaskKind::Future => return Err(Unfit::Foreign),
                }
            }
            Op::BeginScope(Opened::Begin) => Act::Open(Opening::Begin),
            Op::BeginScope(_) => Act::Open(self.opening(pc)),
            Op::EndScope(_) => Act::Close,
            Op::Sync => Act::Sync,
            Op::BeginIsolated => Act::BeginIsolated,
            Op::EndIsolated => Act::EndIsolated,
            Op::NewPromise(_) if self.is_of_future(pc) => Act::FutureComes,
            Op::NewPromise(_) if self.is_of_far(pc) => Act::Jump(pc + 1),
            Op::NewPromise(slot) => {
                Act::NewPromise(slot.0 as usize, self.count_promises(pc as usize))
            }
            Op::Set(_) if self.is_set_by_future(pc) => Act::FutureIsThere,
            Op::Set(slot) if self.is_of_far(self.maker_of(*slot, pc)) => {
                let fork = self.maker_of(*slot, pc) + 1;
                let Op::Fork { captured, .. } = self.op(fork) else {
                    unreachable!("its task is forked next")
                };
                let Range { start, end } = self.body(fork);
                // Without the get, which is the first instruction.
                Act::Far(Body { start: start + 1, after: end, captured: *captured as usize })
            }
            Op::Set(slot) => Act::Set(slot.0 as usize, self.way.choose(About::Setter(pc), 2) == 0),
            Op::Get(slot) => Act::Get(slot.0 as usize),
            Op::End => Act::End,
            _ => return Err(Unfit::Foreign),
        })
    }

    /// The instructions of the task that is forked at `pc`.
    fn body(&self, pc: Pc) -> Range<Pc> {
        match (self.op(pc), self.op(pc + 1)) {
            (Op::Fork { body, .. }, Op::Jump(after)) => *body..*after,
            other => unreachable!("a body is jumped over: {other:?}"),
        }
    }

    /// Whether a promise stands for starting a task further out.
    fn is_of_far(&self, pc: Pc) -> bool {
        self.program.bound_name(SiteId(pc)).starts_with(FAR)
    }

    /// Whether a fork is there so that its task can be started from elsewhere.
    fn starts_far(&self, fork: Pc) -> bool {
        matches!(self.op(fork), Op::Fork { .. }) && fork > 0 && self.is_of_far(fork - 1)
    }

    /// Where the promise is made that a local is bound to at `pc`.
    fn maker_of(&self, slot: model::Slot, pc: Pc) -> Pc {
        let made = |at: &Pc| matches!(self.op(*at), Op::NewPromise(other) if *other == slot);
        (0..pc).rev().find(made).expect("only promises are set")
    }

    /// Whether a promise stands for a future: then its task is started next.
    fn is_of_future(&self, pc: Pc) -> bool {
        self.program.bound_name(SiteId(pc)).starts_with(FUTURE)
    }

    /// The local that a task's value is bound to, if it is a future.
    fn future_of(&self, fork: Pc) -> Option<Slot> {
        let before = fork.checked_sub(1)?;
        match self.op(before) {
            Op::NewPromise(slot) if self.is_of_future(before) => Some(slot.0 as usize),
            _ => None,
        }
    }

    /// Whether a set is what a future's task does last, before the instructions of every end.
    fn is_set_by_future(&self, pc: Pc) -> bool {
        (0..pc).any(|fork| {
            matches!(self.op(fork), Op::Fork { .. })
                && self.future_of(fork).is_some()
                && self.body(fork).end == pc + 3
        })
    }

    /// Slots are used again, so there may be fewer.
    fn count_gets(&self, slot: Slot) -> Gets {
        let gets =
            self.ops.iter().filter(|op| matches!(op, Op::Get(got) if got.0 as usize == slot));
        if self.way.is_structured {
            // Each is got once, though others may have had the slot.
            Gets::One
        } else if gets.count() <= 1 && self.way.choose(About::Gets(slot as u32), 4) > 0 {
            Gets::One
        } else {
            Gets::Many
        }
    }

    /// The instructions of a block or a task's body up to its end, which is the last of them, without
    /// those of blocks and tasks inside.
    fn level(&self, start: Pc) -> Vec<Pc> {
        let mut pcs = Vec::new();
        let mut pc = start;
        loop {
            pcs.push(pc);
            pc = match self.op(pc) {
                Op::EndScope(Opened::Block) | Op::End => return pcs,
                Op::BeginScope(Opened::Block) => self.end_of_block(pc) + 1,
                Op::Fork { .. } => self.body(pc).end,
                _ => pc + 1,
            };
        }
    }

    /// Where the block ends that begins at `pc`.
    fn end_of_block(&self, pc: Pc) -> Pc {
        *self.level(pc + 1).last().expect("it has an end")
    }

    /// Whether everything that is started at a level is a child of a procedure, and so on inside.
    fn fits_procedure(&self, start: Pc) -> bool {
        self.level(start).into_iter().all(|pc| match self.op(pc) {
            Op::Fork { kind, body, .. } => *kind == TaskKind::Spawn && self.fits_procedure(*body),
            Op::BeginScope(opened) => *opened == Opened::Block,
            _ => true,
        })
    }

    /// The same for a scope of rayon.
    fn fits_rayon_scope(&self, start: Pc) -> bool {
        self.level(start).into_iter().all(|pc| match self.op(pc) {
            Op::Fork { kind, body, .. } => {
                *kind == TaskKind::Async
                    && self.future_of(pc).is_none()
                    && self.fits_rayon_scope(*body)
            }
            Op::BeginScope(opened) => *opened == Opened::Block,
            _ => true,
        })
    }

    /// Whether a block is one task and the rest, neither of which starts anything that outlives it.
    fn fits_rayon_join(&self, start: Pc) -> bool {
        let starts_nothing = |pcs: &[Pc]| {
            pcs.iter()
                .all(|pc| !matches!(self.op(*pc), Op::Fork { .. } | Op::BeginScope(Opened::Begin)))
        };
        let level = self.level(start);
        match self.op(start) {
            Op::Fork { kind: TaskKind::Async, body, .. } => {
                starts_nothing(&level[1..]) && starts_nothing(&self.level(*body))
            }
            _ => false,
        }
    }

    fn starts_tasks(&self, start: Pc) -> bool {
        self.level(start).into_iter().any(|pc| matches!(self.op(pc), Op::Fork { .. }))
    }

    /// What stands for the block that begins at `pc`.
    fn opening(&self, pc: Pc) -> Opening {
        let start = pc + 1;
        let mut fitting = vec![Opening::Finish];
        if self.starts_tasks(start) {
            let inside = &self.ops[pc as usize..self.end_of_block(pc) as usize];
            let waits = inside.iter().any(|op| matches!(op, Op::Get(_)));
            let all = [
                (Opening::Procedure, self.fits_procedure(start)),
                (Opening::RayonScope, !waits && self.fits_rayon_scope(start)),
                (Opening::RayonJoin, !waits && self.fits_rayon_join(start)),
            ];
            fitting.extend(all.into_iter().filter(|(_, fits)| *fits).map(|(opening, _)| opening));
        }
        fitting[self.way.choose(About::Opening(pc), fitting.len())]
    }

    /// What stands for the program as a whole.
    fn main(&self) -> Opening {
        let is_procedure = self.fits_procedure(0) && self.way.choose(About::Main, 2) == 0;
        if is_procedure { Opening::Procedure } else { Opening::Finish }
    }

    /// The operators of the locations that can be accumulators and are to be.
    fn accumulators(&self) -> Vec<Option<Operator>> {
        let operator = |slot| {
            let mut operators = self.ops.iter().filter_map(|op| match op {
                Op::Load(_, place) | Op::Store(_, place) if place.base == slot => Some(None),
                Op::Accumulate(Some(_), _, place, _) if place.base == slot => Some(None),
                Op::Accumulate(None, _, place, operator) if place.base == slot => {
                    Some(Some(*operator))
                }
                _ => None,
            });
            let first = operators.next()??;
            let fits = first.commutes_with(first) && operators.all(|other| other == Some(first));
            let chosen = self.way.choose(About::Accumulator(slot.0), 3) > 0;
            (fits && chosen).then_some(first)
        };
        self.locations().map(operator).collect()
    }

    fn has_atomics(&self, accumulators: &[Option<Operator>]) -> bool {
        let is_atomic = |place: &Place| {
            let location = self.locations().position(|slot| slot == place.base);
            location.is_none_or(|location| accumulators[location].is_none())
        };
        self.ops.iter().any(|op| matches!(op, Op::Accumulate(_, _, place, _) if is_atomic(place)))
    }

    /// The locals that locations are bound to. That is done first, so nothing else is bound to them.
    fn locations(&self) -> impl Iterator<Item = model::Slot> {
        self.ops.iter().filter_map(|op| match op {
            Op::Alloc(slot) => Some(*slot),
            _ => None,
        })
    }

    /// How many promises are made before `pc`, in the order of the text.
    fn count_promises(&self, pc: usize) -> usize {
        self.ops[..pc].iter().filter(|op| matches!(op, Op::NewPromise(_))).count()
    }
}

fn operand(value: &Expr) -> Result<Operand, Unfit> {
    match value {
        Expr::Int(value) => Ok(Operand::Int(*value)),
        Expr::Local(slot) => Ok(Operand::Local(slot.0 as usize)),
        _ => Err(Unfit::Foreign),
    }
}

fn variable(place: &Place) -> Result<Slot, Unfit> {
    if place.index.is_none() { Ok(place.base.0 as usize) } else { Err(Unfit::Foreign) }
}
