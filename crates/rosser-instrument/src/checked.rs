//! A module that checks are put into: all of them or, for tests, all but one kind.
//!
//! In place of a check that is left out, the program tells the runtime so: the verdict says it then.

use std::ops::Deref;

use rosser_abi::checks::Kind;

use crate::llvm::{Builder, Module, Value};

/// A module, and the kind of checks that it is to go without.
#[derive(Clone, Copy)]
pub struct Checked<'m> {
    pub module: &'m Module,
    pub left_out: Option<Kind>,
}

impl Checked<'_> {
    /// Whether checks of any of these kinds are left out. If so, the program says it before the instruction.
    pub fn goes_without(&self, kinds: &[Kind], instruction: Value) -> bool {
        let Some(kind) = self.left_out.filter(|kind| kinds.contains(kind)) else { return false };
        let function = self.module.external(c"rosser_leaves_out", &[self.module.integer(32)]);
        let number = self.module.small_number(kind.number().cast_signed());
        let builder = Builder::before(self.module, instruction);
        builder.call(function, &[number]).set_line(instruction.line());
        true
    }
}

impl Deref for Checked<'_> {
    type Target = Module;

    fn deref(&self) -> &Module {
        self.module
    }
}
