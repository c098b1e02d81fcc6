//! A random program, and the way in which it is run.

use rosser_detect::{Construct, Operator};
use rosser_model::fuzz::{Rng, generate};
use rosser_model::syntax::ast::Block;
use rosser_model::syntax::parse;
use rosser_model::{Source, compile};

use crate::adapt::adapt;
use crate::layout::Layout;
use crate::model::{Ending, Expected, Unfit, expect};
use crate::plan::{Pc, Plan};
use crate::structured::structured;

/// What the library has. Semaphores it has not.
const FAMILIES: [&[Construct]; 6] = [
    &[Construct::SpawnSync, Construct::Accumulate],
    &[Construct::SpawnSync, Construct::Async, Construct::Finish, Construct::Isolated],
    &[Construct::Async, Construct::Finish, Construct::Promise],
    &[Construct::Async, Construct::Finish, Construct::Accumulate, Construct::Isolated],
    &[
        Construct::SpawnSync,
        Construct::Async,
        Construct::Finish,
        Construct::Promise,
        Construct::Future,
    ],
    &[
        Construct::SpawnSync,
        Construct::Async,
        Construct::Finish,
        Construct::Isolated,
        Construct::Accumulate,
        Construct::Promise,
        Construct::Future,
    ],
];

/// The same without promises, which need one worker.
const STRUCTURED: [&[Construct]; 5] = [
    &[Construct::Async, Construct::Finish, Construct::Future],
    &[Construct::SpawnSync, Construct::Future],
    &[Construct::SpawnSync, Construct::Async, Construct::Finish, Construct::Future],
    &[Construct::SpawnSync, Construct::Async, Construct::Finish, Construct::Accumulate],
    &[
        Construct::SpawnSync,
        Construct::Async,
        Construct::Finish,
        Construct::Isolated,
        Construct::Accumulate,
        Construct::Future,
    ],
];

/// In which of several ways a program is run that the model does not tell apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Way {
    /// Where its locations are.
    pub layout: Layout,
    /// Decides everything else.
    pub coins: u64,
    /// Whether it is for several workers: it does the same in every order, and its futures are
    /// structured.
    pub is_structured: bool,
}

impl Way {
    fn new(seed: u64, case: u64, is_structured: bool) -> Self {
        let mut rng = Rng::new(!seed, case);
        let layout = *rng.pick(&Layout::ALL);
        // In which order steps come is not known.
        let layout = if is_structured && layout == Layout::Steps { Layout::Words } else { layout };
        Self { layout, coins: rng.bits(), is_structured }
    }

    /// A number below `bound` for a decision; always the same.
    pub(crate) fn choose(self, about: About, bound: usize) -> usize {
        let (kind, number) = match about {
            About::Operator(operator) => (1, operator as u32),
            About::Isolation => (2, 0),
            About::Variable(name) => (3, name),
            About::Async(number) => (4, number),
            About::Main => (5, 0),
            About::Opening(pc) => (6, pc),
            About::Setter(pc) => (7, pc),
            About::Gets(slot) => (8, slot),
            About::Accumulator(slot) => (9, slot),
            About::Got(name) => (10, name),
        };
        Rng::new(self.coins, kind << 32 | u64::from(number)).below(bound)
    }
}

/// What there is to decide.
#[derive(Clone, Copy, Debug)]
pub(crate) enum About {
    /// What stands for an operator.
    Operator(Operator),
    /// Whether there are variables that are accessed in isolated sections only.
    Isolation,
    /// Whether a variable is one of them.
    Variable(u32),
    /// Whether a task is started further out, in the order of the text.
    Async(u32),
    /// What is around the whole.
    Main,
    /// What opens the scope.
    Opening(Pc),
    /// Whether a promise is set with a `Setter`.
    Setter(Pc),
    /// Whether a future is shared although it is got once.
    Gets(u32),
    /// Whether a variable is an accumulator.
    Accumulator(u32),
    /// Which get of a future is kept.
    Got(u32),
}

/// A random program.
#[derive(Clone, Debug)]
pub struct Case {
    /// As the generator has made it.
    pub tree: Block,
    /// How to run it.
    pub way: Way,
}

impl Case {
    /// The given case of a seed, of about `size` statements.
    pub fn new(seed: u64, case: u64, size: usize, is_structured: bool) -> Self {
        let mut rng = Rng::new(seed, case);
        let constructs = if is_structured { *rng.pick(&STRUCTURED) } else { *rng.pick(&FAMILIES) };
        let tree = generate(&mut rng, size, constructs);
        Self { tree, way: Way::new(seed, case, is_structured) }
    }

    /// A given program, in the way of the given case of a seed.
    pub fn with_program(
        text: &str,
        seed: u64,
        case: u64,
        is_structured: bool,
    ) -> Result<Self, String> {
        let tree = parse(&Source::new("program", text)).map_err(|error| error.message)?;
        Ok(Self { tree, way: Way::new(seed, case, is_structured) })
    }
}

/// How a program is to be run, and what is to be expected of it.
pub fn prepare(tree: &Block, way: Way) -> Result<(Plan, Expected), Unfit> {
    let structured = way.is_structured.then(|| structured(tree, way));
    let tree = structured.as_ref().unwrap_or(tree);
    // A task further out does not see the locals of the inner scope: if it needs one, it stays.
    let program = compile(&adapt(tree, way, true)).or_else(|_| compile(&adapt(tree, way, false)));
    let program = program.map_err(|_| Unfit::Malformed)?;
    let mut plan = Plan::new(&program, way)?;
    let mut expected = expect(&program, &plan);
    if plan.layout == Layout::Steps && expected == Err(Unfit::TooLarge) {
        plan.layout = Layout::Words;
        expected = expect(&program, &plan);
    }
    let expected = expected?;
    // How far others come until one fails is not known.
    if way.is_structured && expected.ending != Ending::Finished {
        return Err(Unfit::Foreign);
    }
    Ok((plan, expected))
}
