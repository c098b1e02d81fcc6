//! The checks of one loop: which can wait, and what is put where the loop is left.

use rosser_abi::checks::Kind;

use super::adjoining::{self, Bytes, Group};
use super::calls::{self, Access, Check, Harmless};
use super::graph::Graph;
use super::linear::Linear;
use super::loops::{self, Loop, Ways};
use crate::checked::Checked;
use crate::llvm::{Block, Builder, Comparison, Line, Module, Opcode, TypeKind, Value};

/// Checks of one call that is made in every iteration, or of several whose bytes adjoin.
struct Deferred {
    calls: Vec<Value>,
    access: Access,
    /// The address in the first iteration.
    first: Linear,
    /// How much further on it is in the next.
    step: Linear,
    /// How many bytes, in every iteration the same.
    len: Linear,
    line: Option<Line>,
    block: usize,
    /// The how manieth it is in the loop.
    rank: usize,
}

/// Takes checks out of the loops of a function; whether there were any.
pub fn in_function(module: &Checked, function: Value, harmless: &mut Harmless) -> bool {
    let has_checks = |function: Value| {
        let mut instructions = function.blocks().flat_map(Block::instructions);
        instructions.any(|it| it.opcode() == Opcode::Call && calls::check(it).is_some())
    };
    if !has_checks(function) {
        return false;
    }
    let graph = Graph::new(function);
    if !graph.is_reducible() {
        return false;
    }
    let loops = loops::loops(&graph);
    let mut changed = false;
    for (i, it) in loops.iter().enumerate() {
        let inner: Vec<&Loop> =
            loops[..i].iter().filter(|inner| it.body.contains(&inner.header)).collect();
        if let Some(ways) = &it.ways {
            let in_loop = InLoop { module, graph: &graph, it, ways };
            changed |= in_loop.defer_checks(&inner, harmless);
        }
    }
    changed
}

struct InLoop<'a> {
    module: &'a Checked<'a>,
    graph: &'a Graph,
    it: &'a Loop,
    ways: &'a Ways,
}

impl InLoop<'_> {
    fn defer_checks(&self, inner: &[&Loop], harmless: &mut Harmless) -> bool {
        let instructions = |&block: &usize| self.graph.blocks[block].instructions();
        let can_wait = !self.ways.exits.is_empty()
            && self.it.body.iter().flat_map(instructions).all(|it| harmless.is(it))
            && self.ways.exits.iter().all(|exit| self.place_in(*exit).is_some());
        if !can_wait {
            return false;
        }
        // Blocks that every iteration goes through once.
        let mut every: Vec<usize> = self.it.body.iter().copied().collect();
        every.retain(|&block| {
            self.graph.dominates(block, self.ways.latch)
                && !inner.iter().any(|inner| inner.body.contains(&block))
        });
        every.sort_unstable();
        let calls = every.iter().flat_map(|&block| instructions(&block).map(move |it| (it, block)));
        let deferred: Vec<Deferred> = calls
            .filter(|(it, _)| it.opcode() == Opcode::Call)
            .enumerate()
            .filter_map(|(rank, (call, block))| self.deferred(call, block, rank))
            .collect();
        let deferred = joined(deferred);
        let deferred: Vec<Deferred> = deferred.into_iter().filter(Deferred::is_range).collect();
        if deferred.is_empty() {
            return false;
        }
        let counter = self.count_iterations();
        for check in &deferred {
            self.put_at_exits(check, counter);
        }
        for call in deferred.iter().flat_map(|check| &check.calls) {
            call.erase();
        }
        true
    }

    /// The check of a call as one that can wait, if its address is known in every iteration.
    fn deferred(&self, call: Value, block: usize, rank: usize) -> Option<Deferred> {
        let operands = call.operands();
        let (access, len) = match calls::check(call)? {
            Check::Bytes(access, size) => (access, Linear::constant(size)),
            Check::Range(access) => (access, Linear::of(self.module, operands[1])),
        };
        let (first, step) = self.progress(&Linear::of(self.module, operands[0]))?;
        let (len, growth) = self.progress(&len)?;
        let fits = first.is_address() && step.is_number() && len.is_number();
        (fits && growth == Linear::default()).then(|| Deferred {
            calls: vec![call],
            access,
            first,
            step,
            len,
            line: call.line(),
            block,
            rank,
        })
    }

    /// What it is in the first iteration, and by how much it grows with each.
    fn progress(&self, sum: &Linear) -> Option<(Linear, Linear)> {
        let mut first = Linear::constant(sum.constant);
        let mut step = Linear::default();
        for &(value, times) in &sum.terms {
            if self.is_fixed(value) {
                first = first.plus(&Linear { terms: vec![(value, times)], constant: 0 });
                continue;
            }
            let (start, growth) = self.induction(value)?;
            first = first.plus(&Linear::of(self.module, start).times(times));
            step = step.plus(&growth.times(times));
        }
        Some((first, step))
    }

    /// Whether a value is computed before the loop.
    fn is_fixed(&self, value: Value) -> bool {
        let block = value.block().and_then(|block| self.graph.number(block));
        block.is_none_or(|block| !self.it.body.contains(&block))
    }

    /// Where a variable of the loop starts and what is added to it in each iteration.
    fn induction(&self, value: Value) -> Option<(Value, Linear)> {
        let header = self.graph.blocks[self.it.header];
        if value.opcode() != Opcode::Phi || value.block() != Some(header) {
            return None;
        }
        if !matches!(value.kind(), TypeKind::Pointer | TypeKind::Integer(64)) {
            return None;
        }
        let from = |block: usize| {
            let block = self.graph.blocks[block];
            value.incoming().iter().find(|(_, from)| *from == block).map(|&(value, _)| value)
        };
        let (start, next) = (from(self.ways.entry)?, from(self.ways.latch)?);
        let itself = Linear { terms: vec![(value, 1)], constant: 0 };
        let growth = Linear::of(self.module, next).plus(&itself.times(-1));
        let is_fixed = growth.terms.iter().all(|term| self.is_fixed(term.0));
        is_fixed.then_some((start, growth))
    }

    /// A variable that counts the iterations that are complete, and the same plus one.
    fn count_iterations(&self) -> (Value, Value) {
        let header = self.graph.blocks[self.it.header];
        let first = header.instructions().next().expect("blocks are not empty");
        let complete = Builder::before(self.module, first).phi(self.module.i64());
        let place = self.place_in(self.it.header).expect("a loop begins with no pad");
        let begun = Builder::before(self.module, place).add(complete, self.module.number(1));
        let zero = self.module.number(0);
        Builder::add_incoming(complete, zero, self.graph.blocks[self.ways.entry]);
        Builder::add_incoming(complete, begun, self.graph.blocks[self.ways.latch]);
        (complete, begun)
    }

    /// The first instruction of a block that others may be put before; none where exceptions arrive.
    fn place_in(&self, block: usize) -> Option<Value> {
        let mut instructions = self.graph.blocks[block].instructions();
        let first = instructions.find(|it| it.opcode() != Opcode::Phi)?;
        (first.opcode() != Opcode::Pad).then_some(first)
    }

    /// Makes the check wherever the loop is left.
    fn put_at_exits(&self, check: &Deferred, (complete, begun): (Value, Value)) {
        let module = self.module;
        let before = Builder::before(module, self.graph.blocks[self.ways.entry].end());
        let first = check.first.build_address(module, &before);
        let len = check.len.build_number(module, &before);
        let function = check.access.range_function(module);
        let same = check.always_same();
        for &exit in &self.ways.exits {
            let from = &self.graph.predecessors[exit];
            let was_made = |from: usize| self.graph.dominates(check.block, from);
            let place = self.place_in(exit).expect("it was looked for before");
            if module.goes_without(&[Kind::LoopExit], place) {
                continue;
            }
            if let Some(same) = same
                && from.iter().all(|&from| was_made(from))
            {
                // Inlined, it costs less than a range.
                Builder::before(module, place).call(same, &[first]).set_line(check.line);
                continue;
            }
            let start = self.graph.blocks[exit].instructions().next();
            let start = start.expect("blocks are not empty");
            let count = Builder::before(module, start).phi(module.i64());
            for &from in from {
                let value = if was_made(from) { begun } else { complete };
                Builder::add_incoming(count, value, self.graph.blocks[from]);
            }
            let builder = Builder::before(module, place);
            let (start, bytes) = check.range(module, &builder, first, len, count);
            builder.call(function, &[start, bytes]).set_line(check.line);
        }
    }
}

impl Deferred {
    /// The function that checks it, if it is the same in every iteration.
    fn always_same(&self) -> Option<Value> {
        let [call] = self.calls[..] else { return None };
        let is_fixed = self.step.as_constant() == Some(0);
        let is_access = matches!(calls::check(call), Some(Check::Bytes(..)));
        (is_fixed && is_access).then(|| call.callee())?
    }

    /// Whether the bytes of all iterations are one range.
    fn is_range(&self) -> bool {
        match (self.step.as_constant(), self.len.as_constant()) {
            (Some(0), _) => true,
            (Some(step), Some(len)) => step.unsigned_abs() <= len.unsigned_abs(),
            _ => self.step == self.len,
        }
    }

    /// The range that this many iterations access: where it starts and how long it is.
    fn range(
        &self,
        module: &Module,
        builder: &Builder,
        first: Value,
        len: Value,
        count: Value,
    ) -> (Value, Value) {
        let zero = module.number(0);
        if self.step == self.len {
            return (first, builder.multiply(count, len));
        }
        // All of the last iteration, and of the others what is before it.
        let (start, bytes) = match self.step.as_constant() {
            Some(0) => (first, len),
            Some(step) => {
                let others = builder.subtract(count, module.number(1));
                let before = builder.multiply(others, module.number(step.abs()));
                let start = match step {
                    1.. => first,
                    _ => builder.offset(first, builder.subtract(zero, before)),
                };
                (start, builder.add(before, len))
            }
            None => unreachable!("then the step is the length"),
        };
        (start, builder.select(count, Comparison::Equal, zero, zero, bytes))
    }
}

/// Joins checks of one line whose bytes adjoin in every iteration.
fn joined(all: Vec<Deferred>) -> Vec<Deferred> {
    let mut result: Vec<Deferred> =
        adjoining::groups(all).into_iter().map(Deferred::all_of).collect();
    result.sort_by_key(|it| it.rank);
    result
}

impl Deferred {
    fn all_of(group: Group<Self>) -> Self {
        let mut members = group.members.into_iter();
        let mut all = members.next().expect("a group has members");
        for next in members {
            all.calls.extend(next.calls);
            all.rank = all.rank.min(next.rank);
        }
        if let Some(len) = group.len {
            all.len = Linear::constant(len);
        }
        all
    }
}

impl Bytes for Deferred {
    type Like = (usize, Access, Option<Line>, Vec<(Value, i64)>, Linear);

    fn like(&self) -> Self::Like {
        (self.block, self.access, self.line, self.first.terms.clone(), self.step.clone())
    }

    fn extent(&self) -> (i64, Option<i64>) {
        (self.first.constant, self.len.as_constant())
    }
}
