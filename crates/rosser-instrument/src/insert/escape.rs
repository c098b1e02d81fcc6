//! What other tasks can have the address of.
//!
//! A variable on the stack is touched by nobody else as long as its address is nowhere but in the function itself, or
//! in functions that keep no copy of it beyond their return. Where the address gets out, it is checked from there on:
//! who has the address has got it from what happens there, so all that comes before is over by then, in every schedule.
//! That is what most variables are like that closures refer to: they are computed first, then tasks get the closures.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::fewer::Graph;
use crate::llvm::{Block, Opcode, Value};

/// How many choices of addresses are followed, one inside the other.
const CHOICES: usize = 6;

/// What is known of the variables of a function, while its instructions are gone through block by block.
pub struct Escapes {
    function: Value,
    graph: Option<Graph>,
    variables: FxHashMap<Value, Escape>,
    /// The block that is being gone through.
    block: Option<Block>,
    /// Its instructions so far.
    passed: FxHashSet<Value>,
}

/// Where the address of a variable gets out of the function.
#[derive(Default)]
struct Escape {
    /// The instructions that let it.
    points: Vec<Value>,
    /// The blocks before which one of them may have been, by their numbers in the graph.
    after: FxHashSet<usize>,
}

impl Escapes {
    /// Nothing is known yet.
    pub fn new(function: Value) -> Self {
        let (variables, passed) = (FxHashMap::default(), FxHashSet::default());
        Self { function, graph: None, variables, block: None, passed }
    }

    /// Goes on with the instructions of another block.
    pub fn enter(&mut self, block: Block) {
        self.block = Some(block);
        self.passed.clear();
    }

    /// Goes on with the next instruction.
    pub fn pass(&mut self, instruction: Value) {
        self.passed.insert(instruction);
    }

    /// Whether another task may access what is at this address, now or earlier, and one of the two change it.
    pub fn can_be_shared(&mut self, address: Value) -> bool {
        self.may_be(address, CHOICES)
    }

    fn may_be(&mut self, address: Value, choices: usize) -> bool {
        if let Some(base) = address.constant_base() {
            return self.may_be(base, choices);
        }
        match address.opcode() {
            Opcode::GetElementPtr | Opcode::AddressCast | Opcode::Freeze => {
                self.may_be(address.operands()[0], choices)
            }
            Opcode::Select if choices > 0 => {
                let operands = address.operands();
                operands[1..].iter().any(|choice| self.may_be(*choice, choices - 1))
            }
            Opcode::Phi if choices > 0 => {
                address.incoming().iter().any(|choice| self.may_be(choice.0, choices - 1))
            }
            Opcode::Alloca => self.is_out(address),
            _ => !address.is_constant_variable(),
        }
    }

    /// Whether the address of a variable may have got out before the next instruction.
    fn is_out(&mut self, variable: Value) -> bool {
        if !self.variables.contains_key(&variable) {
            let escape = self.follow(variable);
            self.variables.insert(variable, escape);
        }
        let escape = &self.variables[&variable];
        if escape.points.is_empty() {
            return false;
        }
        let number = self.graph.as_ref().zip(self.block).and_then(|(graph, it)| graph.number(it));
        number.is_none_or(|number| escape.after.contains(&number))
            || escape.points.iter().any(|point| self.passed.contains(point))
    }

    /// Finds out where the address of a variable gets out.
    fn follow(&mut self, variable: Value) -> Escape {
        let points = escapes(variable);
        if points.is_empty() {
            return Escape::default();
        }
        let graph = self.graph.get_or_insert_with(|| Graph::new(self.function));
        let blocks = points.iter().filter_map(|point| graph.number(point.block()?));
        let mut open: Vec<usize> =
            blocks.flat_map(|block| graph.successors[block].iter().copied()).collect();
        let mut after = FxHashSet::default();
        while let Some(block) = open.pop() {
            if after.insert(block) {
                open.extend(&graph.successors[block]);
            }
        }
        Escape { points, after }
    }
}

/// The instructions that let the address of a variable on the stack out of its function.
fn escapes(variable: Value) -> Vec<Value> {
    let mut points = Vec::new();
    let mut seen = FxHashSet::from_iter([variable]);
    let mut open = vec![variable];
    while let Some(address) = open.pop() {
        for user in address.users() {
            match user.opcode() {
                Opcode::Load | Opcode::Compare => {}
                Opcode::Store if user.operands()[0] != address => {}
                Opcode::GetElementPtr
                | Opcode::Phi
                | Opcode::Select
                | Opcode::Freeze
                | Opcode::AddressCast => {
                    if seen.insert(user) {
                        open.push(user);
                    }
                }
                Opcode::Call | Opcode::Invoke if is_not_kept(user, address) => {}
                _ => points.push(user),
            }
        }
    }
    points
}

/// True if the callee keeps no copy of an address.
fn is_not_kept(call: Value, address: Value) -> bool {
    const WITHOUT_A_TRACE: [&str; 6] = [
        "llvm.lifetime.",
        "llvm.memcpy.",
        "llvm.memmove.",
        "llvm.memset.",
        "llvm.dbg.",
        "llvm.assume",
    ];
    let is_intrinsic = call.callee().is_some_and(|callee| {
        WITHOUT_A_TRACE.iter().any(|prefix| callee.name().starts_with(prefix))
    });
    let arguments = call.arguments();
    let passed = arguments.iter().enumerate().filter(|(_, argument)| **argument == address);
    is_intrinsic || passed.map(|(index, _)| index).all(|index| call.is_not_kept(index))
}
