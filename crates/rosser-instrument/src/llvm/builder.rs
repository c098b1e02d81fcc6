//! New instructions.

use std::ptr::NonNull;

use super::api::{self, api};
use super::module::{Module, UNNAMED};
use super::value::{Block, Type, TypeKind, Value};

/// Puts instructions before another one.
pub struct Builder<'m> {
    module: &'m Module,
    builder: NonNull<api::Builder>,
}

/// How two numbers are compared.
#[derive(Clone, Copy, Debug)]
pub enum Comparison {
    Equal = 32,
}

impl<'m> Builder<'m> {
    /// Puts them before this one.
    pub fn before(module: &'m Module, instruction: Value) -> Self {
        // SAFETY: the context lives, and the instruction is in its block.
        unsafe {
            let builder = (api().LLVMCreateBuilderInContext)(module.context.as_ptr());
            (api().LLVMPositionBuilderBefore)(builder, instruction.0.as_ptr());
            Self { module, builder: NonNull::new(builder).expect("there are builders") }
        }
    }

    /// `a + b`
    pub fn add(&self, a: Value, b: Value) -> Value {
        self.binary(api().LLVMBuildAdd, a, b)
    }

    /// `a - b`
    pub fn subtract(&self, a: Value, b: Value) -> Value {
        self.binary(api().LLVMBuildSub, a, b)
    }

    /// `a * b`
    pub fn multiply(&self, a: Value, b: Value) -> Value {
        self.binary(api().LLVMBuildMul, a, b)
    }

    fn binary(
        &self,
        build: unsafe extern "C" fn(
            *mut api::Builder,
            *mut api::Value,
            *mut api::Value,
            *const i8,
        ) -> *mut api::Value,
        a: Value,
        b: Value,
    ) -> Value {
        // SAFETY: both are numbers of the same size, which have been computed before.
        built(unsafe { build(self.builder.as_ptr(), a.0.as_ptr(), b.0.as_ptr(), UNNAMED) })
    }

    /// `if a ? b { yes } else { no }`
    pub fn select(&self, a: Value, how: Comparison, b: Value, yes: Value, no: Value) -> Value {
        let builder = self.builder.as_ptr();
        // SAFETY: as above.
        unsafe {
            let condition =
                (api().LLVMBuildICmp)(builder, how as i32, a.0.as_ptr(), b.0.as_ptr(), UNNAMED);
            let (yes, no) = (yes.0.as_ptr(), no.0.as_ptr());
            built((api().LLVMBuildSelect)(builder, condition, yes, no, UNNAMED))
        }
    }

    /// The address, increased by a number of bytes.
    pub fn offset(&self, address: Value, bytes: Value) -> Value {
        let index = [bytes.0.as_ptr()];
        // SAFETY: a pointer and a number, which have been computed before.
        built(unsafe {
            (api().LLVMBuildGEP2)(
                self.builder.as_ptr(),
                self.module.i8().0.as_ptr(),
                address.0.as_ptr(),
                index.as_ptr(),
                1,
                UNNAMED,
            )
        })
    }

    /// The bits of a value as those of another type of the same size.
    pub fn convert(&self, value: Value, to: Type) -> Value {
        let from = value.type_of();
        if from == to {
            return value;
        }
        let build = match (from.kind(), to.kind()) {
            (TypeKind::Pointer, _) => api().LLVMBuildPtrToInt,
            (_, TypeKind::Pointer) => api().LLVMBuildIntToPtr,
            _ => api().LLVMBuildBitCast,
        };
        let builder = self.builder.as_ptr();
        // SAFETY: a value that has been computed before.
        built(unsafe { build(builder, value.0.as_ptr(), to.0.as_ptr(), UNNAMED) })
    }

    /// `a & b`
    pub fn and(&self, a: Value, b: Value) -> Value {
        self.binary(api().LLVMBuildAnd, a, b)
    }

    /// A number with a sign as one of as many bits or more.
    pub fn extend(&self, value: Value, to: Type) -> Value {
        if value.type_of() == to {
            return value;
        }
        let builder = self.builder.as_ptr();
        // SAFETY: as above.
        built(unsafe { (api().LLVMBuildSExt)(builder, value.0.as_ptr(), to.0.as_ptr(), UNNAMED) })
    }

    /// A number as one of more bits.
    pub fn widen(&self, value: Value, to: Type) -> Value {
        let builder = self.builder.as_ptr();
        // SAFETY: as above.
        built(unsafe { (api().LLVMBuildZExt)(builder, value.0.as_ptr(), to.0.as_ptr(), UNNAMED) })
    }

    /// An element of a vector.
    pub fn element(&self, vector: Value, index: Value) -> Value {
        let (vector, index) = (vector.0.as_ptr(), index.0.as_ptr());
        // SAFETY: as above; the vector has such an element.
        built(unsafe {
            (api().LLVMBuildExtractElement)(self.builder.as_ptr(), vector, index, UNNAMED)
        })
    }

    /// What a compare-exchange results in: what was there, and whether it was what was expected.
    pub fn found_and_expected(&self, pair: Type, found: Value, expected: Value) -> Value {
        let builder = self.builder.as_ptr();
        // SAFETY: the type is that of such pairs.
        unsafe {
            let equal = (api().LLVMBuildICmp)(
                builder,
                Comparison::Equal as i32,
                found.0.as_ptr(),
                expected.0.as_ptr(),
                UNNAMED,
            );
            let nothing = (api().LLVMGetPoison)(pair.0.as_ptr());
            let half = (api().LLVMBuildInsertValue)(builder, nothing, found.0.as_ptr(), 0, UNNAMED);
            built((api().LLVMBuildInsertValue)(builder, half, equal, 1, UNNAMED))
        }
    }

    /// A phi of nothing yet.
    pub fn phi(&self, kind: Type) -> Value {
        // SAFETY: only other phis are before it.
        built(unsafe { (api().LLVMBuildPhi)(self.builder.as_ptr(), kind.0.as_ptr(), UNNAMED) })
    }

    /// One more value of a phi.
    pub fn add_incoming(phi: Value, value: Value, from: Block) {
        let (value, from) = ([value.0.as_ptr()], [from.0.as_ptr()]);
        // SAFETY: a phi, and one value from one block.
        unsafe { (api().LLVMAddIncoming)(phi.0.as_ptr(), value.as_ptr(), from.as_ptr(), 1) };
    }

    /// A call of a function, as it wants to be called.
    pub fn call(&self, function: Value, arguments: &[Value]) -> Value {
        // SAFETY: the function has these parameters.
        unsafe {
            let call = (api().LLVMBuildCall2)(
                self.builder.as_ptr(),
                (api().LLVMGlobalGetValueType)(function.0.as_ptr()),
                function.0.as_ptr(),
                arguments.as_ptr().cast(),
                arguments.len() as u32,
                UNNAMED,
            );
            let convention = (api().LLVMGetFunctionCallConv)(function.0.as_ptr());
            (api().LLVMSetInstructionCallConv)(call, convention);
            built(call)
        }
    }
}

impl Drop for Builder<'_> {
    fn drop(&mut self) {
        // SAFETY: it is not used any more.
        unsafe { (api().LLVMDisposeBuilder)(self.builder.as_ptr()) };
    }
}

fn built(value: *mut api::Value) -> Value {
    Value::new(value).expect("instructions can be built")
}
