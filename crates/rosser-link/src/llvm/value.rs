//! Values, the blocks they are in and the types they have.

use std::ptr::NonNull;

use super::api::{self, api};
use super::module::attribute;

/// What an instruction does, as far as it matters here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opcode {
    Add,
    Sub,
    Mul,
    Shl,
    Or,
    GetElementPtr,
    Load,
    Store,
    Phi,
    Call,
    Invoke,
    /// Waits, orders or exchanges, or is assembly that jumps.
    Synchronisation,
    /// Begins a block that exceptions go to.
    Pad,
    /// Anything else: it computes, or it ends a block.
    Other,
}

/// What kind of type a type is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TypeKind {
    Integer(u32),
    Pointer,
    Struct,
    Array,
    Other,
}

/// A type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub struct Type(pub(super) NonNull<api::Type>);

impl Type {
    pub(super) fn new(kind: *mut api::Type) -> Self {
        Self(NonNull::new(kind).expect("there is such a type"))
    }

    /// What kind it is.
    pub fn kind(self) -> TypeKind {
        // SAFETY: the type lives.
        match unsafe { (api().LLVMGetTypeKind)(self.0.as_ptr()) } {
            // SAFETY: it is a type of integers.
            8 => TypeKind::Integer(unsafe { (api().LLVMGetIntTypeWidth)(self.0.as_ptr()) }),
            10 => TypeKind::Struct,
            11 => TypeKind::Array,
            12 => TypeKind::Pointer,
            _ => TypeKind::Other,
        }
    }

    /// Whether its size is known: not that of functions and labels.
    pub(super) fn is_sized(self) -> bool {
        // SAFETY: the type lives.
        let kind = unsafe { (api().LLVMGetTypeKind)(self.0.as_ptr()) };
        matches!(kind, 1..=3 | 8 | 10..=13)
    }

    /// What an array consists of.
    pub fn element(self) -> Self {
        // SAFETY: it is an array.
        Self::new(unsafe { (api().LLVMGetElementType)(self.0.as_ptr()) })
    }

    /// What a field of a structure is.
    pub fn field(self, field: u32) -> Self {
        // SAFETY: it is a structure that has this field.
        Self::new(unsafe { (api().LLVMStructGetTypeAtIndex)(self.0.as_ptr(), field) })
    }
}

/// A block of instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct Block(pub(super) NonNull<api::Block>);

impl Block {
    fn new(block: *mut api::Block) -> Option<Self> {
        NonNull::new(block).map(Self)
    }

    /// Its instructions.
    pub fn instructions(self) -> impl Iterator<Item = Value> {
        // SAFETY: the block lives.
        let first = unsafe { (api().LLVMGetFirstInstruction)(self.0.as_ptr()) };
        std::iter::successors(Value::new(first), |instruction| {
            // SAFETY: it is an instruction.
            Value::new(unsafe { (api().LLVMGetNextInstruction)(instruction.0.as_ptr()) })
        })
    }

    /// What ends it.
    pub fn end(self) -> Value {
        // SAFETY: the block lives, and is complete.
        let end = unsafe { (api().LLVMGetBasicBlockTerminator)(self.0.as_ptr()) };
        Value::new(end).expect("every block ends")
    }

    /// Where it may go on; the same block may be there several times.
    pub fn successors(self) -> Vec<Self> {
        let end = self.end().0.as_ptr();
        // SAFETY: it ends a block, and has as many successors as it says.
        unsafe {
            let count = (api().LLVMGetNumSuccessors)(end);
            (0..count).filter_map(|i| Self::new((api().LLVMGetSuccessor)(end, i))).collect()
        }
    }
}

/// Where the attributes of a function are, those of its parameters being elsewhere.
pub(super) const FUNCTION: u32 = u32::MAX;

/// A value: a constant, a parameter, a function or an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(transparent)]
pub struct Value(pub(super) NonNull<api::Value>);

impl Value {
    pub(super) fn new(value: *mut api::Value) -> Option<Self> {
        NonNull::new(value).map(Self)
    }

    /// Its name, which functions have.
    pub fn name(&self) -> &str {
        let mut len = 0;
        // SAFETY: the name lives as long as the value.
        let bytes = unsafe {
            let name = (api().LLVMGetValueName2)(self.0.as_ptr(), &raw mut len);
            std::slice::from_raw_parts(name.cast::<u8>(), len)
        };
        str::from_utf8(bytes).unwrap_or_default()
    }

    /// Gives it another name, which its users follow.
    pub fn set_name(self, name: &str) {
        // SAFETY: the value lives, and LLVM copies the name.
        unsafe { (api().LLVMSetValueName2)(self.0.as_ptr(), name.as_ptr().cast(), name.len()) }
    }

    /// Its type.
    pub fn kind(self) -> TypeKind {
        // SAFETY: the value lives.
        Type::new(unsafe { (api().LLVMTypeOf)(self.0.as_ptr()) }).kind()
    }

    /// The number, if it is a constant one.
    pub fn as_number(self) -> Option<i64> {
        // SAFETY: the value lives; it is asked for its number only if it is one of up to 64 bits.
        unsafe {
            let is_one = !(api().LLVMIsAConstantInt)(self.0.as_ptr()).is_null();
            let is_short = matches!(self.kind(), TypeKind::Integer(width) if width <= 64);
            (is_one && is_short).then(|| (api().LLVMConstIntGetSExtValue)(self.0.as_ptr()))
        }
    }

    /// Whether it is an instruction.
    pub fn is_instruction(self) -> bool {
        // SAFETY: the value lives.
        unsafe { !(api().LLVMIsAInstruction)(self.0.as_ptr()).is_null() }
    }

    /// What the instruction does. Values that are no instructions do nothing.
    pub fn opcode(self) -> Opcode {
        if !self.is_instruction() {
            return Opcode::Other;
        }
        // SAFETY: it is an instruction.
        match unsafe { (api().LLVMGetInstructionOpcode)(self.0.as_ptr()) } {
            5 => Opcode::Invoke,
            8 => Opcode::Add,
            10 => Opcode::Sub,
            12 => Opcode::Mul,
            20 => Opcode::Shl,
            24 => Opcode::Or,
            27 | 28 if self.is_atomic() => Opcode::Synchronisation,
            27 => Opcode::Load,
            28 => Opcode::Store,
            29 => Opcode::GetElementPtr,
            44 => Opcode::Phi,
            45 => Opcode::Call,
            55..=57 | 67 => Opcode::Synchronisation,
            59 | 63..=65 => Opcode::Pad,
            _ => Opcode::Other,
        }
    }

    fn is_atomic(self) -> bool {
        // SAFETY: it loads or stores.
        unsafe { (api().LLVMGetOrdering)(self.0.as_ptr()) != 0 }
    }

    /// The block of an instruction.
    pub fn block(self) -> Option<Block> {
        // SAFETY: it is asked for its block only if it is in one.
        unsafe {
            if !self.is_instruction() {
                return None;
            }
            Block::new((api().LLVMGetInstructionParent)(self.0.as_ptr()))
        }
    }

    /// What an instruction works on.
    pub fn operands(self) -> Vec<Self> {
        // SAFETY: it has as many as it says.
        unsafe {
            let count = (api().LLVMGetNumOperands)(self.0.as_ptr()).cast_unsigned();
            (0..count)
                .filter_map(|i| Self::new((api().LLVMGetOperand)(self.0.as_ptr(), i)))
                .collect()
        }
    }

    /// Whether an `or` is a sum, because no bit is set in both.
    pub fn is_disjoint(self) -> bool {
        // SAFETY: it is an `or`.
        unsafe { (api().LLVMGetIsDisjoint)(self.0.as_ptr()) != 0 }
    }

    /// What a `getelementptr` counts in.
    pub fn source_element(self) -> Type {
        // SAFETY: it is one.
        Type::new(unsafe { (api().LLVMGetGEPSourceElementType)(self.0.as_ptr()) })
    }

    /// The values of a phi, each with the block that it comes from.
    pub fn incoming(self) -> Vec<(Self, Block)> {
        // SAFETY: it is a phi, and has as many as it says.
        unsafe {
            let count = (api().LLVMCountIncoming)(self.0.as_ptr());
            (0..count)
                .filter_map(|i| {
                    let value = Self::new((api().LLVMGetIncomingValue)(self.0.as_ptr(), i))?;
                    let block = Block::new((api().LLVMGetIncomingBlock)(self.0.as_ptr(), i))?;
                    Some((value, block))
                })
                .collect()
        }
    }

    /// The function that is called, unless that turns out only when the program runs.
    pub fn callee(self) -> Option<Self> {
        // SAFETY: it is a call.
        unsafe {
            let called = (api().LLVMGetCalledValue)(self.0.as_ptr());
            Self::new((api().LLVMIsAFunction)(called))
        }
    }

    /// Has a call be one of another function with the same parameters and result.
    pub fn set_callee(self, callee: Self) {
        // SAFETY: who is called is the last operand of a call.
        unsafe {
            let last = (api().LLVMGetNumOperands)(self.0.as_ptr()).cast_unsigned() - 1;
            (api().LLVMSetOperand)(self.0.as_ptr(), last, callee.0.as_ptr());
        }
    }

    /// Whether the call, or the function that is called, has all these attributes.
    pub fn promises(self, callee: Self, attributes: &[&str]) -> bool {
        attributes.iter().all(|name| {
            let kind = attribute(name);
            // SAFETY: a call and a function.
            unsafe {
                let (call, callee) = (self.0.as_ptr(), callee.0.as_ptr());
                !(api().LLVMGetEnumAttributeAtIndex)(callee, FUNCTION, kind).is_null()
                    || !(api().LLVMGetCallSiteEnumAttribute)(call, FUNCTION, kind).is_null()
            }
        })
    }

    /// Whether a function is only declared.
    pub fn is_declaration(self) -> bool {
        // SAFETY: it is a function.
        unsafe { (api().LLVMIsDeclaration)(self.0.as_ptr()) != 0 }
    }

    /// The blocks of a function, the first being where it begins.
    pub fn blocks(self) -> impl Iterator<Item = Block> {
        // SAFETY: it is a function.
        let first = unsafe { (api().LLVMGetFirstBasicBlock)(self.0.as_ptr()) };
        std::iter::successors(Block::new(first), |block| {
            // SAFETY: the block lives.
            Block::new(unsafe { (api().LLVMGetNextBasicBlock)(block.0.as_ptr()) })
        })
    }

    /// Whether nobody uses it.
    pub fn is_unused(self) -> bool {
        // SAFETY: the value lives.
        unsafe { (api().LLVMGetFirstUse)(self.0.as_ptr()).is_null() }
    }

    /// Takes an instruction away that nobody uses. The handle is dead afterwards.
    pub fn erase(self) {
        debug_assert!(self.is_unused(), "an instruction is erased that others use");
        // SAFETY: it is an instruction, and nobody uses it.
        unsafe { (api().LLVMInstructionEraseFromParent)(self.0.as_ptr()) };
    }
}
