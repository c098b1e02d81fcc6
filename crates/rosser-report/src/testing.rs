//! Findings made up for tests.

use crate::finding::{AccessKind, Class, Finding, Object, Via};
use crate::frame::Frame;
use crate::symbols::{AddressId, FrameTable};

/// An address in functions that were inlined into one another, innermost first.
pub fn address(table: &mut FrameTable, functions: &[&str]) -> AddressId {
    let frames = functions.iter().map(|path| Frame::new((*path).to_owned(), None, &[])).collect();
    table.add(frames)
}

/// Two writes, the second one with that stack.
pub fn finding(stack: Vec<AddressId>) -> Finding {
    Finding {
        class: Class::DataRace,
        size: 8,
        first_kind: AccessKind::Write,
        second_kind: AccessKind::Write,
        first: None,
        first_exact: true,
        first_caller: None,
        first_inlined_caller: None,
        via: Via::Nothing,
        acquire: None,
        release: None,
        object: Object::Unknown { address: 0 },
        gets: Vec::new(),
        next_set: None,
        first_tasks: Vec::new(),
        second_tasks: Vec::new(),
        common_depth: 0,
        stack_inner: stack.len(),
        stack,
        stack_omitted: 0,
    }
}
