//! What instructions say of addresses that are distinct: LLVM's `noalias` scopes.

use super::api::api;
use super::debug::operands_of;
use super::module::Module;
use super::value::{Opcode, Value};

/// What an instruction has a list of scopes for.
#[derive(Clone, Copy, Debug)]
pub enum Scopes {
    /// It uses addresses of these.
    Of,
    /// It uses none of those that are used in these.
    NotOf,
}

impl Scopes {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Of, Self::NotOf];

    fn kind(self) -> u32 {
        let name = match self {
            Self::Of => "alias.scope",
            Self::NotOf => "noalias",
        };
        // SAFETY: the text has this length.
        unsafe { (api().LLVMGetMDKindID)(name.as_ptr().cast(), name.len() as u32) }
    }
}

impl Value {
    /// The scopes that begin with this instruction.
    pub fn begun_scopes(self) -> Vec<Self> {
        let begins = |callee: Self| callee.name() == "llvm.experimental.noalias.scope.decl";
        if self.opcode() == Opcode::Call && self.callee().is_some_and(begins) {
            operands_of(self.arguments()[0]).into_iter().flatten().collect()
        } else {
            Vec::new()
        }
    }

    /// The scopes in a list of this instruction.
    pub fn scopes(self, which: Scopes) -> Vec<Self> {
        // SAFETY: it is an instruction.
        let list = unsafe { (api().LLVMGetMetadata)(self.0.as_ptr(), which.kind()) };
        Self::new(list)
            .map_or_else(Vec::new, |list| operands_of(list).into_iter().flatten().collect())
    }

    /// Gives this instruction another list of scopes.
    pub fn set_scopes(self, which: Scopes, scopes: &[Self], module: &Module) {
        let context = module.context.as_ptr();
        // SAFETY: the context lives, and scopes are metadata.
        unsafe {
            let list: Vec<_> =
                scopes.iter().map(|it| (api().LLVMValueAsMetadata)(it.0.as_ptr())).collect();
            let list = match list.len() {
                0 => std::ptr::null_mut(),
                len => {
                    let node = (api().LLVMMDNodeInContext2)(context, list.as_ptr(), len);
                    (api().LLVMMetadataAsValue)(context, node)
                }
            };
            (api().LLVMSetMetadata)(self.0.as_ptr(), which.kind(), list);
        }
    }
}
