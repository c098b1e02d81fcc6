//! A program: a tree of statements, each of which is executed exactly once.
//!
//! What a statement may use follows from where it stands. A scope is open and a slot exists inside the
//! statement that makes it. A task may outlive the statements around its spawn, but not its scope: so it uses
//! no scopes and no slots but those that were there when its scope was opened.

/// Words of the array that all tasks share.
pub const WORDS: usize = 8;

/// Words of a slot.
pub const SLOT_WORDS: usize = 2;

/// How many scopes a program can have.
pub(crate) const SCOPES: usize = 512;

/// How many slots a program can have.
pub(crate) const SLOTS: usize = 64;

/// Bytes that can be in conflict.
pub(crate) const LOCATIONS: usize = (WORDS + SLOTS * SLOT_WORDS) * 8;

/// How many copies there are of the code that makes an access, so that accesses can be told apart by it.
pub const PLACES: usize = 64;

/// The mutexes of a program.
pub(crate) const LOCKS: usize = 2;

/// What a program does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Program {
    /// What the main thread does.
    pub main: Block,
}

/// Statements, one after the other.
pub type Block = Vec<Statement>;

/// A scope of rayon, by number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Scope(pub usize);

/// Memory of a statement's own, by number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Slot(pub usize);

/// A mutex, by number. They are locked in the order of their numbers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Lock(pub usize);

/// Something that a task does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Statement {
    /// Accesses memory.
    Access(Access),
    /// `rayon::join`.
    Join(Block, Block),
    /// `rayon::scope`.
    Scope(Scope, Block),
    /// Spawns a task into an open scope. Every such statement has a number of its own.
    Spawn(Scope, usize, Block),
    /// `for_each` of a parallel iterator: one block for each item.
    ForEach(Vec<Block>),
    /// A section with a mutex locked: accesses, pauses and other sections only.
    Locked(Lock, Block),
    /// A variable on the task's stack while the block is executed.
    Stack(Slot, Block),
    /// A heap block while the block is executed.
    Heap(Slot, Handed, Handed, Block),
    /// Takes some microseconds, if tasks run in parallel.
    Pause(u64),
}

/// Who allocates or frees a heap block: the task itself, or one half of a join, whose blocks are given. The
/// first half does so, first or last, and may use it; the other half may not.
pub type Handed = Option<(Block, Block)>;

/// An access.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Access {
    /// What is accessed.
    pub object: Object,
    /// Where in it, in bytes.
    pub offset: usize,
    /// What is done, and to how many bytes, by which copy of the code.
    pub site: Site,
}

/// What is accessed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Object {
    /// The array that all tasks share.
    Array,
    /// A variable or heap block.
    Slot(Slot),
}

/// The code that makes an access.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Site {
    /// Which copy of it.
    pub place: usize,
    /// What is done.
    pub op: Op,
    /// To how many bytes.
    pub width: Width,
}

/// What an access does. The atomic ones are all relaxed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Op {
    /// A plain read.
    Read,
    /// A plain write.
    Write,
    /// An atomic load.
    Load,
    /// An atomic store.
    Store,
    /// An atomic exchange.
    Swap,
    /// An atomic addition.
    Add,
    /// An atomic bitwise or.
    Or,
    /// An atomic addition whose old value is used.
    Fetch,
}

/// How many bytes an access has.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Width {
    /// 1 byte.
    One,
    /// 2 bytes.
    Two,
    /// 4 bytes.
    Four,
    /// 8 bytes.
    Eight,
}

impl Op {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::Read,
        Self::Write,
        Self::Load,
        Self::Store,
        Self::Swap,
        Self::Add,
        Self::Or,
        Self::Fetch,
    ];

    /// Whether it is atomic, and so needs to be aligned.
    pub fn is_atomic(self) -> bool {
        !matches!(self, Self::Read | Self::Write)
    }
}

impl Width {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::One, Self::Two, Self::Four, Self::Eight];

    /// The number of bytes.
    pub fn bytes(self) -> usize {
        1 << self as usize
    }
}

impl Site {
    /// All of them.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..PLACES * Op::ALL.len() * Width::ALL.len()).map(Self::from_index)
    }

    pub(crate) fn from_index(index: usize) -> Self {
        let (rest, width) = (index / Width::ALL.len(), index % Width::ALL.len());
        let (place, op) = (rest / Op::ALL.len(), rest % Op::ALL.len());
        Self { place, op: Op::ALL[op], width: Width::ALL[width] }
    }

    pub(crate) fn index(self) -> usize {
        (self.place * Op::ALL.len() + self.op as usize) * Width::ALL.len() + self.width as usize
    }
}

impl Access {
    /// The location of its first byte.
    pub(crate) fn location(self) -> usize {
        self.object.location() + self.offset
    }
}

impl Object {
    /// The location of its first byte.
    pub(crate) fn location(self) -> usize {
        match self {
            Self::Array => 0,
            Self::Slot(Slot(slot)) => (WORDS + slot * SLOT_WORDS) * 8,
        }
    }

    /// Which object has a location, and where.
    pub(crate) fn of(location: usize) -> (Self, usize) {
        let Some(beyond) = location.checked_sub(WORDS * 8) else { return (Self::Array, location) };
        (Self::Slot(Slot(beyond / (SLOT_WORDS * 8))), beyond % (SLOT_WORDS * 8))
    }
}

/// The blocks in a statement.
macro_rules! blocks {
    ($statement:expr, $iter:ident) => {
        match $statement {
            Statement::Access(_) | Statement::Pause(_) => Vec::new(),
            Statement::Join(a, b) => vec![a, b],
            Statement::Scope(_, body)
            | Statement::Spawn(_, _, body)
            | Statement::Locked(_, body)
            | Statement::Stack(_, body) => vec![body],
            Statement::ForEach(items) => items.$iter().collect(),
            Statement::Heap(_, made, freed, body) => {
                let handed = [made, freed].into_iter().flatten().flat_map(|(a, b)| [a, b]);
                handed.chain([body]).collect()
            }
        }
    };
}

impl Statement {
    /// The blocks in it.
    pub(crate) fn blocks(&self) -> Vec<&Block> {
        blocks!(self, iter)
    }

    /// The same, to change them.
    pub(crate) fn blocks_mut(&mut self) -> Vec<&mut Block> {
        blocks!(self, iter_mut)
    }

    /// Calls a function with all statements of a block, those inside others too.
    pub(crate) fn each<'b>(block: &'b Block, f: &mut impl FnMut(&'b Self)) {
        for statement in block {
            f(statement);
            for inner in statement.blocks() {
                Self::each(inner, f);
            }
        }
    }
}

impl Program {
    /// Whether a statement of some kind is in it.
    pub fn has(&self, is_of_kind: impl Fn(&Statement) -> bool) -> bool {
        let mut found = false;
        Statement::each(&self.main, &mut |statement| found |= is_of_kind(statement));
        found
    }

    /// How many tasks it has, without the main one.
    pub fn tasks(&self) -> usize {
        let mut tasks = 0;
        Statement::each(&self.main, &mut |statement| {
            tasks += match statement {
                Statement::Join(..) => 2,
                Statement::Spawn(..) => 1,
                Statement::ForEach(items) => items.len(),
                Statement::Heap(_, made, freed, _) => {
                    2 * (usize::from(made.is_some()) + usize::from(freed.is_some()))
                }
                _ => 0,
            };
        });
        tasks
    }

    /// Whether a task is spawned into a scope further out than what joins the tasks around it.
    pub fn has_far_spawns(&self) -> bool {
        spawns_far(&self.main, None)
    }

    /// Whether every statement uses only what it may.
    pub(crate) fn is_valid(&self) -> bool {
        fits(&self.main, &View::default())
    }
}

/// What a statement may use. The lists begin with what is furthest out.
#[derive(Clone, Default, Debug)]
pub(crate) struct View {
    /// The scopes, and how many slots there were when each was opened.
    pub scopes: Vec<(Scope, usize)>,
    pub slots: Vec<Slot>,
}

impl View {
    /// Inside a new scope.
    pub fn with_scope(&self, scope: Scope) -> Self {
        let mut view = self.clone();
        view.scopes.push((scope, self.slots.len()));
        view
    }

    /// With a new slot.
    pub fn with_slot(&self, slot: Slot) -> Self {
        let mut view = self.clone();
        view.slots.push(slot);
        view
    }

    /// In a task of a scope, which must be in view.
    pub fn in_task_of(&self, scope: Scope) -> Option<Self> {
        let index = self.scopes.iter().position(|(other, _)| *other == scope)?;
        let slots = self.scopes[index].1;
        Some(Self { scopes: self.scopes[..=index].to_vec(), slots: self.slots[..slots].to_vec() })
    }
}

/// Whether a block spawns a task into another scope than the innermost, which is given unless it is that of a
/// join.
fn spawns_far(block: &Block, innermost: Option<Scope>) -> bool {
    block.iter().any(|statement| match statement {
        Statement::Scope(scope, body) => spawns_far(body, Some(*scope)),
        Statement::Spawn(scope, _, body) => {
            innermost != Some(*scope) || spawns_far(body, Some(*scope))
        }
        Statement::Stack(_, body) => spawns_far(body, innermost),
        Statement::Heap(_, made, freed, body) => {
            let mut handed = [made, freed].into_iter().flatten().flat_map(|(a, b)| [a, b]);
            handed.any(|block| spawns_far(block, None)) || spawns_far(body, innermost)
        }
        _ => statement.blocks().into_iter().any(|block| spawns_far(block, None)),
    })
}

fn fits(block: &Block, view: &View) -> bool {
    let handed = |handed: &Handed, slot| {
        handed
            .as_ref()
            .is_none_or(|(own, other)| fits(own, &view.with_slot(slot)) && fits(other, view))
    };
    block.iter().all(|statement| match statement {
        Statement::Access(Access { object: Object::Slot(slot), .. }) => view.slots.contains(slot),
        Statement::Access(_) | Statement::Pause(_) => true,
        Statement::Scope(scope, body) => fits(body, &view.with_scope(*scope)),
        Statement::Spawn(scope, _, body) => {
            view.in_task_of(*scope).is_some_and(|view| fits(body, &view))
        }
        Statement::Stack(slot, body) => fits(body, &view.with_slot(*slot)),
        Statement::Heap(slot, made, freed, body) => {
            handed(made, *slot) && handed(freed, *slot) && fits(body, &view.with_slot(*slot))
        }
        Statement::Join(..) | Statement::ForEach(_) | Statement::Locked(..) => {
            statement.blocks().into_iter().all(|block| fits(block, view))
        }
    })
}
