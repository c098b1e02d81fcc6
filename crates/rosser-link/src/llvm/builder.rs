//! New instructions.

use std::ptr::NonNull;

use super::api::{self, api};
use super::module::{Module, UNNAMED};
use super::value::{Block, Type, Value};

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

    /// The address so many bytes further on.
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

    /// A call of a function.
    pub fn call(&self, function: Value, arguments: &[Value]) -> Value {
        // SAFETY: the function has these parameters.
        built(unsafe {
            (api().LLVMBuildCall2)(
                self.builder.as_ptr(),
                (api().LLVMGlobalGetValueType)(function.0.as_ptr()),
                function.0.as_ptr(),
                arguments.as_ptr().cast(),
                arguments.len() as u32,
                UNNAMED,
            )
        })
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
