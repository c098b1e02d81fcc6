//! Locals, shared memory and expressions.

use rosser_detect::{Access, LocId, Operator, SiteId, TaskId};

use super::{Allocation, BlockId, Machine, Observer, RuntimeError, Value};
use crate::program::{Expr, Place, Slot};
use crate::syntax::ast::BinaryOp;

/// How many shared cells a program may allocate in all.
const MEMORY_LIMIT: usize = 1 << 26;

impl Machine<'_> {
    /// The value of a local of a task that has not ended.
    pub(crate) fn local(&self, task: TaskId, slot: Slot) -> Value {
        self.tasks[task.index()].locals[slot.0 as usize]
    }

    pub(super) fn bind(&mut self, task: TaskId, slot: Slot, value: Value) {
        let locals = &mut self.tasks[task.index()].locals;
        let index = slot.0 as usize;
        if locals.len() <= index {
            locals.resize(index + 1, Value::Int(0));
        }
        locals[index] = value;
    }

    pub(super) fn next_ordinal(&mut self, task: TaskId) -> u32 {
        let state = &mut self.tasks[task.index()];
        state.allocations += 1;
        state.allocations - 1
    }

    pub(super) fn allocate(
        &mut self,
        task: TaskId,
        length: usize,
        is_array: bool,
        site: SiteId,
    ) -> Result<BlockId, RuntimeError> {
        let base = self.memory.len();
        if length > MEMORY_LIMIT - base {
            return Err(RuntimeError::OutOfMemory { limit: MEMORY_LIMIT, site });
        }
        self.memory.resize(base + length, Value::Int(0));
        let made_by = (task, self.next_ordinal(task));
        let (base, length) = (base as u32, length as u32);
        self.blocks.push(Allocation { base, length, is_array, made_by, site });
        Ok(BlockId(self.blocks.len() as u32 - 1))
    }

    pub(super) fn allocate_array(
        &mut self,
        task: TaskId,
        length: &Expr,
        site: SiteId,
    ) -> Result<BlockId, RuntimeError> {
        let length = self.eval_int(task, length, site)?;
        match usize::try_from(length) {
            Ok(length) => self.allocate(task, length, true, site),
            Err(_) => Err(RuntimeError::NegativeLength { length, site }),
        }
    }

    pub(super) fn locate_place(
        &self,
        task: TaskId,
        place: &Place,
        site: SiteId,
    ) -> Result<LocId, RuntimeError> {
        match (self.local(task, place.base), &place.index) {
            (Value::Cell(block), None) => Ok(LocId(self.blocks[block.0 as usize].base)),
            (Value::Array(block), Some(index)) => {
                let index = self.eval_int(task, index, site)?;
                let block = &self.blocks[block.0 as usize];
                match u32::try_from(index) {
                    Ok(index) if index < block.length => Ok(LocId(block.base + index)),
                    _ => Err(RuntimeError::OutOfRange { index, length: block.length, site }),
                }
            }
            (Value::Array(_), None) => Err(RuntimeError::MissingIndex { site }),
            (Value::Cell(_), Some(_)) => Err(RuntimeError::NotAnArray { site }),
            (other, _) => Err(RuntimeError::NotShared { found: other.describe(), site }),
        }
    }

    /// Carries an accumulation out, as an access of that kind. Returns the old value.
    pub(super) fn accumulate(
        &mut self,
        task: TaskId,
        value: &Expr,
        place: &Place,
        access: Access,
        site: SiteId,
        observer: &mut impl Observer,
    ) -> Result<i64, RuntimeError> {
        let (Access::Update(operator) | Access::Fetch(operator)) = access else {
            unreachable!("no accumulation");
        };
        let value = self.eval_int(task, value, site)?;
        let location = self.locate_place(task, place, site)?;
        observer.access(location, access, site);
        let old = self.memory[location.index()].as_int(site)?;
        let new = match operator {
            Operator::Add => old.wrapping_add(value),
            Operator::Mul => old.wrapping_mul(value),
            Operator::And => old & value,
            Operator::Or => old | value,
            Operator::Xor => old ^ value,
            Operator::Min => old.min(value),
            Operator::Max => old.max(value),
            Operator::Sub => old.wrapping_sub(value),
            Operator::Div if value == 0 => return Err(RuntimeError::DivisionByZero { site }),
            Operator::Div => old.wrapping_div(value),
        };
        self.memory[location.index()] = Value::Int(new);
        Ok(old)
    }

    pub(super) fn eval_int(
        &self,
        task: TaskId,
        expr: &Expr,
        site: SiteId,
    ) -> Result<i64, RuntimeError> {
        self.eval(task, expr, site)?.as_int(site)
    }

    pub(super) fn eval(
        &self,
        task: TaskId,
        expr: &Expr,
        site: SiteId,
    ) -> Result<Value, RuntimeError> {
        Ok(match expr {
            Expr::Int(value) => Value::Int(*value),
            Expr::Local(slot) => self.local(task, *slot),
            Expr::Negate(inner) => Value::Int(self.eval_int(task, inner, site)?.wrapping_neg()),
            Expr::Binary(op, left, right) => {
                let left = self.eval_int(task, left, site)?;
                let right = self.eval_int(task, right, site)?;
                Value::Int(match op {
                    BinaryOp::Add => left.wrapping_add(right),
                    BinaryOp::Sub => left.wrapping_sub(right),
                    BinaryOp::Mul => left.wrapping_mul(right),
                    BinaryOp::Eq => (left == right).into(),
                    BinaryOp::Ne => (left != right).into(),
                    BinaryOp::Lt => (left < right).into(),
                    BinaryOp::Le => (left <= right).into(),
                    BinaryOp::Gt => (left > right).into(),
                    BinaryOp::Ge => (left >= right).into(),
                })
            }
        })
    }

    /// The allocation that holds a location, and the location's index in it.
    pub fn locate(&self, location: LocId) -> (&Allocation, u32) {
        let after = self.blocks.partition_point(|block| block.base <= location.0);
        // Empty arrays share their base with what follows; the last one that starts here or
        // before and is not empty holds the location.
        let block = self.blocks[..after]
            .iter()
            .rev()
            .find(|block| block.length > 0)
            .expect("every location was allocated");
        (block, location.0 - block.base)
    }
}
