//! Where nothing special is known of the system, stacks are corosensei's.
#![allow(unsafe_code, reason = "implements an unsafe trait")]

use corosensei::stack::{DefaultStack, Stack as _, StackPointer};

use super::OutOfStacks;

const SIZE: usize = 1 << 20;

pub(in crate::runtime) struct Stack(DefaultStack);

impl Stack {
    pub(in crate::runtime) fn allocate() -> Result<Self, OutOfStacks> {
        DefaultStack::new(SIZE).map(Self).map_err(|error| OutOfStacks(error.to_string()))
    }

    #[allow(clippy::unused_self, reason = "dropping it frees it")]
    pub(in crate::runtime) fn release(self) {}
}

// SAFETY: what is inside is one, with a guard page.
unsafe impl corosensei::stack::Stack for Stack {
    fn base(&self) -> StackPointer {
        self.0.base()
    }

    fn limit(&self) -> StackPointer {
        self.0.limit()
    }

    #[cfg(windows)]
    fn teb_fields(&self) -> corosensei::stack::StackTebFields {
        self.0.teb_fields()
    }

    #[cfg(windows)]
    fn update_teb_fields(&mut self, stack_limit: usize, guaranteed_stack_bytes: usize) {
        self.0.update_teb_fields(stack_limit, guaranteed_stack_bytes);
    }
}
