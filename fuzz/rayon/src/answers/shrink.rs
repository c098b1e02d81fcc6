//! Makes a program smaller that the detector is wrong about.

use crate::program::{Block, Program, Statement};

/// What is done to one statement.
#[derive(Clone, Copy, Debug)]
enum Change {
    /// It is left out.
    Remove,
    /// What is inside is put in its place.
    Unwrap,
}

/// Leaves out what can be left out so that a program stays interesting.
pub fn shrink(program: &Program, is_interesting: impl Fn(&Program) -> bool) -> Program {
    let mut small = program.clone();
    loop {
        let before = small.clone();
        for change in [Change::Remove, Change::Unwrap] {
            let mut index = 0;
            while let Some(candidate) = changed(&small, index, change) {
                if candidate.is_valid() && candidate != small && is_interesting(&candidate) {
                    small = candidate;
                } else {
                    index += 1;
                }
            }
        }
        if small == before {
            return small;
        }
    }
}

/// The program with its statement of the given index changed. Outer ones come before inner ones.
fn changed(program: &Program, index: usize, change: Change) -> Option<Program> {
    let mut program = program.clone();
    let mut left = index;
    apply(&mut program.main, &mut left, change).then_some(program)
}

fn apply(block: &mut Block, left: &mut usize, change: Change) -> bool {
    for index in 0..block.len() {
        if *left == 0 {
            let old = block.remove(index);
            if let Change::Unwrap = change {
                let inside = old.blocks().into_iter().flatten().cloned();
                block.splice(index..index, inside);
            }
            return true;
        }
        *left -= 1;
        let blocks = block[index].blocks_mut();
        if blocks.into_iter().any(|inner| apply(inner, left, change)) {
            if let Statement::ForEach(items) = &mut block[index] {
                // The iterator is split only if there are several.
                while items.len() > 2
                    && let Some(empty) = items.iter().position(Vec::is_empty)
                {
                    items.remove(empty);
                }
            }
            return true;
        }
    }
    false
}
