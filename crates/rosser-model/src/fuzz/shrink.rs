//! Makes a failing program smaller while it keeps failing.

use crate::syntax::ast::{Block, Initial, Statement, StatementKind};

/// Tries all smaller programs of a few shapes, again and again, until none of them fails.
pub fn shrink(program: &Block, mut fails: impl FnMut(&Block) -> bool) -> Block {
    let mut best = program.clone();
    loop {
        let count = count(&best);
        let smaller = (0..count)
            .flat_map(|index| [Edit::Remove, Edit::Unwrap].map(|edit| (index, edit)))
            .filter_map(|(index, edit)| {
                let mut candidate = best.clone();
                let mut index = index;
                apply(&mut candidate, &mut index, edit).then_some(candidate)
            })
            .find(|candidate| fails(candidate));
        match smaller {
            Some(candidate) => best = candidate,
            None => return best,
        }
    }
}

/// A way of making a program smaller.
#[derive(Clone, Copy)]
enum Edit {
    /// Leaves a statement out.
    Remove,
    /// Puts the statements of a block in place of what encloses them.
    Unwrap,
}

fn blocks(statement: &Statement) -> Vec<&Block> {
    match &statement.kind {
        StatementKind::Let(_, Initial::Future(body))
        | StatementKind::While(_, body)
        | StatementKind::For(_, _, _, body)
        | StatementKind::Task(_, body)
        | StatementKind::Finish(body)
        | StatementKind::Isolated(body) => vec![body],
        StatementKind::If(_, then, otherwise) => {
            std::iter::once(then).chain(otherwise.as_ref()).collect()
        }
        _ => Vec::new(),
    }
}

fn blocks_mut(statement: &mut Statement) -> Vec<&mut Block> {
    match &mut statement.kind {
        StatementKind::Let(_, Initial::Future(body))
        | StatementKind::While(_, body)
        | StatementKind::For(_, _, _, body)
        | StatementKind::Task(_, body)
        | StatementKind::Finish(body)
        | StatementKind::Isolated(body) => vec![body],
        StatementKind::If(_, then, otherwise) => {
            std::iter::once(then).chain(otherwise.as_mut()).collect()
        }
        _ => Vec::new(),
    }
}

/// How many statements there are, nested ones included.
fn count(block: &Block) -> usize {
    let inner = |statement: &Statement| -> usize { blocks(statement).into_iter().map(count).sum() };
    block.statements.iter().map(|statement| 1 + inner(statement)).sum()
}

/// Edits the statement with the given index in order of the text; false if that cannot be done.
fn apply(block: &mut Block, index: &mut usize, edit: Edit) -> bool {
    for position in 0..block.statements.len() {
        if *index == 0 {
            let statement = block.statements.remove(position);
            return match edit {
                Edit::Remove => true,
                Edit::Unwrap => {
                    let inner: Vec<Statement> = blocks(&statement)
                        .into_iter()
                        .flat_map(|body| body.statements.clone())
                        .collect();
                    let found = !inner.is_empty();
                    block.statements.splice(position..position, inner);
                    found
                }
            };
        }
        *index -= 1;
        for body in blocks_mut(&mut block.statements[position]) {
            let size = count(body);
            if *index < size {
                return apply(body, index, edit);
            }
            *index -= size;
        }
    }
    false
}
