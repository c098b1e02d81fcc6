//! Values, the blocks they are in and the types they have.

use std::ffi::CStr;
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
    Return,
    Alloca,
    Load,
    Store,
    Phi,
    Call,
    Invoke,
    Select,
    Compare,
    Freeze,
    AddressCast,
    Fence,
    CompareExchange,
    Update,
    /// A load or a store that is atomic.
    AtomicLoad,
    AtomicStore,
    /// A call of assembly that jumps.
    Jump,
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
    Vector,
    Other,
}

/// Who sees a function or variable, as far as it matters here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Linkage {
    External = 0,
    AvailableExternally = 1,
    LinkOnceOdr = 3,
    Internal = 8,
    Private = 9,
}

/// A type of LLVM's.
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
            13 => TypeKind::Vector,
            _ => TypeKind::Other,
        }
    }

    /// Whether its size is known: not that of functions and labels.
    pub(super) fn is_sized(self) -> bool {
        // SAFETY: the type lives.
        let kind = unsafe { (api().LLVMGetTypeKind)(self.0.as_ptr()) };
        matches!(kind, 1..=3 | 8 | 10..=13)
    }

    /// How many elements a vector has.
    pub fn len(self) -> u32 {
        // SAFETY: it is a vector.
        unsafe { (api().LLVMGetVectorSize)(self.0.as_ptr()) }
    }

    /// What an array or a vector consists of.
    pub fn element(self) -> Self {
        // SAFETY: it is one.
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

    /// The block's instructions, from first to last.
    pub fn instructions(self) -> impl Iterator<Item = Value> {
        // SAFETY: the block lives.
        let first = unsafe { (api().LLVMGetFirstInstruction)(self.0.as_ptr()) };
        std::iter::successors(Value::new(first), |instruction| {
            // SAFETY: it is an instruction.
            Value::new(unsafe { (api().LLVMGetNextInstruction)(instruction.0.as_ptr()) })
        })
    }

    /// The block's last instruction: a branch, a return.
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

    /// The value's type.
    pub fn type_of(self) -> Type {
        // SAFETY: the value lives.
        Type::new(unsafe { (api().LLVMTypeOf)(self.0.as_ptr()) })
    }

    /// What kind of type it has.
    pub fn kind(self) -> TypeKind {
        self.type_of().kind()
    }

    /// Who sees a function or variable.
    pub fn linkage(self) -> i32 {
        // SAFETY: it is one.
        unsafe { (api().LLVMGetLinkage)(self.0.as_ptr()) }
    }

    /// Says who sees a function or variable.
    pub fn set_linkage(self, linkage: Linkage) {
        // SAFETY: it is one.
        unsafe { (api().LLVMSetLinkage)(self.0.as_ptr(), linkage as i32) };
    }

    /// Names a function or variable.
    pub fn set_name(self, name: &str) {
        // SAFETY: a text and its length; it is copied.
        unsafe { (api().LLVMSetValueName2)(self.0.as_ptr(), name.as_ptr().cast(), name.len()) };
    }

    /// The section that a function or variable is to be in, if one is asked for.
    pub fn section(&self) -> Option<&CStr> {
        // SAFETY: it is one; the name lives as long as it is not changed.
        unsafe {
            let section = (api().LLVMGetSection)(self.0.as_ptr());
            (!section.is_null()).then(|| CStr::from_ptr(section)).filter(|name| !name.is_empty())
        }
    }

    /// Has a function or variable be in a section.
    pub fn set_section(self, name: &CStr) {
        // SAFETY: it is one; the name is copied.
        unsafe { (api().LLVMSetSection)(self.0.as_ptr(), name.as_ptr()) };
    }

    /// Whether it is a variable that exists once, or once a thread.
    pub fn is_variable(self) -> bool {
        // SAFETY: the value lives.
        unsafe { !(api().LLVMIsAGlobalVariable)(self.0.as_ptr()).is_null() }
    }

    /// Whether a variable never changes.
    pub fn is_constant_variable(self) -> bool {
        // SAFETY: it is asked only if it is a variable.
        self.is_variable() && unsafe { (api().LLVMIsGlobalConstant)(self.0.as_ptr()) != 0 }
    }

    /// Whether every thread has a variable of its own.
    pub fn is_thread_local(self) -> bool {
        // SAFETY: it is a variable.
        unsafe { (api().LLVMIsThreadLocal)(self.0.as_ptr()) != 0 }
    }

    /// What a variable is at first.
    pub fn initial(self) -> Option<Self> {
        // SAFETY: it is a variable.
        Self::new(unsafe { (api().LLVMGetInitializer)(self.0.as_ptr()) })
    }

    /// Whether a constant is all zeros.
    pub fn is_zero(self) -> bool {
        // SAFETY: it is a constant.
        unsafe { (api().LLVMIsNull)(self.0.as_ptr()) != 0 }
    }

    /// Whether a constant names a function or variable, whose address is known only when the program is loaded.
    pub fn has_addresses(self) -> bool {
        // SAFETY: the value lives.
        let is_one = unsafe { !(api().LLVMIsAGlobalValue)(self.0.as_ptr()).is_null() };
        is_one || self.operands().into_iter().any(Self::has_addresses)
    }

    /// If it is an address at a constant distance from another one, computed by the compiler: the other one.
    pub fn constant_base(self) -> Option<Self> {
        const GET_ELEMENT_PTR: i32 = 29;
        // SAFETY: it is asked what it does only if it does something.
        unsafe {
            let is_one = !(api().LLVMIsAConstantExpr)(self.0.as_ptr()).is_null()
                && (api().LLVMGetConstOpcode)(self.0.as_ptr()) == GET_ELEMENT_PTR;
            if is_one { Self::new((api().LLVMGetOperand)(self.0.as_ptr(), 0)) } else { None }
        }
    }

    /// Who uses it; twice who uses it twice.
    pub fn users(self) -> Vec<Self> {
        let mut users = Vec::new();
        // SAFETY: the value lives, and so do its users.
        unsafe {
            let mut it = (api().LLVMGetFirstUse)(self.0.as_ptr());
            while !it.is_null() {
                users.extend(Self::new((api().LLVMGetUser)(it)));
                it = (api().LLVMGetNextUse)(it);
            }
        }
        users
    }

    /// Who uses it uses another value instead.
    pub fn replace_with(self, other: Self) {
        // SAFETY: both have the same type.
        unsafe { (api().LLVMReplaceAllUsesWith)(self.0.as_ptr(), other.0.as_ptr()) };
    }

    /// The alignment that a load or store, or a variable on the stack, is known to have.
    pub fn alignment(self) -> u64 {
        // SAFETY: it is one of these.
        u64::from(unsafe { (api().LLVMGetAlignment)(self.0.as_ptr()) })
    }

    /// Whether what a load reads never changes, as the compiler says: tables of virtual functions.
    pub fn is_invariant(self) -> bool {
        const NAME: &str = "invariant.load";
        // SAFETY: it is an instruction; the text has this length.
        unsafe {
            let kind = (api().LLVMGetMDKindID)(NAME.as_ptr().cast(), NAME.len() as u32);
            !(api().LLVMGetMetadata)(self.0.as_ptr(), kind).is_null()
        }
    }

    /// The order that an atomic operation asks for, as C's functions number them.
    pub fn order(self) -> i32 {
        // SAFETY: it is an atomic operation.
        order(unsafe { (api().LLVMGetOrdering)(self.0.as_ptr()) })
    }

    /// The orders of a compare-exchange: if it succeeds, and if not.
    pub fn orders(self) -> [i32; 2] {
        // SAFETY: it is one.
        unsafe {
            [
                order((api().LLVMGetCmpXchgSuccessOrdering)(self.0.as_ptr())),
                order((api().LLVMGetCmpXchgFailureOrdering)(self.0.as_ptr())),
            ]
        }
    }

    /// Whether an atomic operation is so for signal handlers only.
    pub fn is_for_one_thread(self) -> bool {
        // SAFETY: it is an atomic operation.
        unsafe { (api().LLVMIsAtomicSingleThread)(self.0.as_ptr()) != 0 }
    }

    /// What an atomic update does, as LLVM numbers it.
    pub fn update(self) -> i32 {
        // SAFETY: it is one.
        unsafe { (api().LLVMGetAtomicRMWBinOp)(self.0.as_ptr()) }
    }

    /// The arguments of a call.
    pub fn arguments(self) -> Vec<Self> {
        // SAFETY: it is a call.
        let count = unsafe { (api().LLVMGetNumArgOperands)(self.0.as_ptr()) } as usize;
        let mut operands = self.operands();
        operands.truncate(count);
        operands
    }

    /// The text of the assembly that a call consists of, if it does.
    pub fn assembly(self) -> Option<String> {
        // SAFETY: it is a call; the text is as long as is said.
        unsafe {
            let called = (api().LLVMGetCalledValue)(self.0.as_ptr());
            if (api().LLVMIsAInlineAsm)(called).is_null() {
                return None;
            }
            let mut len = 0;
            let text = (api().LLVMGetInlineAsmAsmString)(called, &raw mut len);
            let bytes = std::slice::from_raw_parts(text.cast::<u8>(), len);
            Some(String::from_utf8_lossy(bytes).into_owned())
        }
    }

    /// An attribute of an argument, as the call or the function that is called has it.
    fn argument_attribute(self, index: usize, name: &str) -> Option<NonNull<api::Attribute>> {
        let (kind, index) = (attribute(name), index as u32 + 1);
        if kind == 0 {
            return None;
        }
        // SAFETY: it is a call, and has such an argument.
        let at_call = unsafe { (api().LLVMGetCallSiteEnumAttribute)(self.0.as_ptr(), index, kind) };
        NonNull::new(at_call).or_else(|| {
            let callee = self.callee()?.0.as_ptr();
            // SAFETY: it is a function; more arguments than it has parameters have no attributes.
            unsafe {
                let is_named = index <= (api().LLVMCountParams)(callee);
                NonNull::new((api().LLVMGetEnumAttributeAtIndex)(callee, index, kind))
                    .filter(|_| is_named)
            }
        })
    }

    /// True if the callee keeps no copy of a pointer that it is given.
    pub fn is_not_kept(self, index: usize) -> bool {
        // Bits for what is kept beyond the call and, in the lower half, what is returned. That it is compared with
        // others gives nobody a way to use it.
        const USABLE: u64 = 0b1100_1100;
        // SAFETY: an attribute with a number.
        let captures = |it: NonNull<api::Attribute>| unsafe {
            (api().LLVMGetEnumAttributeValue)(it.as_ptr()) & USABLE == 0
        };
        self.argument_attribute(index, "captures").is_some_and(captures)
            || self.argument_attribute(index, "nocapture").is_some()
    }

    /// What an argument that is an address is said to be a multiple of.
    pub fn argument_alignment(self, index: usize) -> u64 {
        // SAFETY: an attribute with a number.
        let value =
            |it: NonNull<api::Attribute>| unsafe { (api().LLVMGetEnumAttributeValue)(it.as_ptr()) };
        self.argument_attribute(index, "align").map_or(1, value)
    }

    /// What who is called gets a copy of, if a pointer stands for one.
    pub fn copied_argument(self, index: usize) -> Option<Type> {
        let copied = self.argument_attribute(index, "byval")?;
        // SAFETY: an attribute with a type.
        Some(Type::new(unsafe { (api().LLVMGetTypeAttributeValue)(copied.as_ptr()) }))
    }

    /// Takes an attribute of a function away.
    pub fn take_promise(self, name: &str) {
        // SAFETY: it is a function.
        unsafe {
            (api().LLVMRemoveEnumAttributeAtIndex)(self.0.as_ptr(), FUNCTION, attribute(name));
        }
    }

    /// Takes an attribute of a call away.
    pub fn take_promise_of_call(self, name: &str) {
        // SAFETY: it is a call.
        unsafe {
            (api().LLVMRemoveCallSiteEnumAttribute)(self.0.as_ptr(), FUNCTION, attribute(name));
        }
    }

    /// Whether a function has an attribute.
    pub fn has_promise(self, name: &str) -> bool {
        // SAFETY: it is a function.
        unsafe {
            !(api().LLVMGetEnumAttributeAtIndex)(self.0.as_ptr(), FUNCTION, attribute(name))
                .is_null()
        }
    }

    /// A function or variable becomes a thing of its own, which nobody else's replaces.
    pub fn leave_group(self) {
        // SAFETY: it is one.
        unsafe { (api().LLVMSetComdat)(self.0.as_ptr(), std::ptr::null_mut()) };
    }

    /// Removes a variable that nobody uses. The handle is dead afterwards.
    pub fn delete_variable(self) {
        // SAFETY: it is a variable, and nobody uses it.
        unsafe { (api().LLVMDeleteGlobal)(self.0.as_ptr()) };
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
            1 => Opcode::Return,
            5 => Opcode::Invoke,
            8 => Opcode::Add,
            10 => Opcode::Sub,
            12 => Opcode::Mul,
            20 => Opcode::Shl,
            24 => Opcode::Or,
            26 => Opcode::Alloca,
            27 if self.is_atomic() => Opcode::AtomicLoad,
            28 if self.is_atomic() => Opcode::AtomicStore,
            27 => Opcode::Load,
            28 => Opcode::Store,
            29 => Opcode::GetElementPtr,
            44 => Opcode::Phi,
            45 => Opcode::Call,
            42 => Opcode::Compare,
            46 => Opcode::Select,
            55 => Opcode::Fence,
            56 => Opcode::CompareExchange,
            57 => Opcode::Update,
            60 => Opcode::AddressCast,
            67 => Opcode::Jump,
            68 => Opcode::Freeze,
            59 | 63..=65 => Opcode::Pad,
            _ => Opcode::Other,
        }
    }

    fn is_atomic(self) -> bool {
        // SAFETY: it loads or stores.
        unsafe { (api().LLVMGetOrdering)(self.0.as_ptr()) != 0 }
    }

    /// The instruction that follows in its block.
    pub fn next(self) -> Option<Self> {
        // SAFETY: it is an instruction.
        Self::new(unsafe { (api().LLVMGetNextInstruction)(self.0.as_ptr()) })
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

    /// The function that an instruction calls, if it is a call and that is known.
    pub fn called(self) -> Option<Self> {
        matches!(self.opcode(), Opcode::Call | Opcode::Invoke).then(|| self.callee()).flatten()
    }

    /// Has a call call another function of the same type. What is called is the last operand.
    pub fn set_callee(self, callee: Self) {
        // SAFETY: it is a call, which has that operand.
        unsafe {
            let last = (api().LLVMGetNumOperands)(self.0.as_ptr()) - 1;
            (api().LLVMSetOperand)(self.0.as_ptr(), last.cast_unsigned(), callee.0.as_ptr());
        }
    }

    /// Whether it is another name of a function or variable.
    pub fn is_alias(self) -> bool {
        // SAFETY: the value lives.
        unsafe { !(api().LLVMIsAGlobalAlias)(self.0.as_ptr()).is_null() }
    }

    /// A function leaves all registers alone, but for that of its result and one more. This is said before it is
    /// called.
    pub fn keeps_registers(self) {
        const PRESERVE_MOST: u32 = 14;
        // SAFETY: a function.
        unsafe { (api().LLVMSetFunctionCallConv)(self.0.as_ptr(), PRESERVE_MOST) };
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

    /// Has a call never become a jump, unless the program insists.
    pub fn never_jump(self) {
        const ALWAYS: i32 = 2;
        const NEVER: i32 = 3;
        // SAFETY: it is a call.
        unsafe {
            if (api().LLVMGetTailCallKind)(self.0.as_ptr()) != ALWAYS {
                (api().LLVMSetTailCallKind)(self.0.as_ptr(), NEVER);
            }
        }
    }

    /// Takes an instruction away that nobody uses. The handle is dead afterwards.
    pub fn erase(self) {
        debug_assert!(self.is_unused(), "an instruction is erased that others use");
        // SAFETY: it is an instruction, and nobody uses it.
        unsafe { (api().LLVMInstructionEraseFromParent)(self.0.as_ptr()) };
    }
}

/// An order as C's functions number it.
fn order(order: i32) -> i32 {
    match order {
        4 => 2,
        5 => 3,
        6 => 4,
        7 => 5,
        _ => 0,
    }
}
