//! The same program without what is not for several workers.
//!
//! * Each future is got once at most: of several gets one is kept. Only who was started after the future can
//!   name it, so whoever gets it follows its creation.
//! * Nothing depends on a value: of a branch the first part is executed.

use std::collections::HashMap;

use rosser_model::syntax::ast::{Block, Initial, Statement, StatementKind};

use crate::adapt::FUTURE;
use crate::case::{About, Way};

/// Makes a program structured.
pub(crate) fn structured(tree: &Block, way: Way) -> Block {
    let mut gets = HashMap::new();
    count_gets(tree, &mut gets);
    let kept = gets.into_iter().map(|(name, count)| {
        let number = name[1..].parse().unwrap_or(0);
        (name, way.choose(About::Got(number), count))
    });
    block(tree, &mut kept.collect())
}

fn count_gets<'t>(tree: &'t Block, gets: &mut HashMap<&'t str, usize>) {
    for statement in &tree.statements {
        match &statement.kind {
            StatementKind::Get(name) if name.text.starts_with(FUTURE) => {
                *gets.entry(&name.text).or_default() += 1;
            }
            StatementKind::If(_, body, _)
            | StatementKind::Let(_, Initial::Future(body))
            | StatementKind::Task(_, body)
            | StatementKind::Finish(body) => count_gets(body, gets),
            _ => {}
        }
    }
}

/// Writes a block anew. Of each future it is known how many gets are to be left out before one is kept.
fn block<'t>(tree: &'t Block, kept: &mut HashMap<&'t str, usize>) -> Block {
    let mut statements = Vec::new();
    for old in &tree.statements {
        let kind = match &old.kind {
            StatementKind::If(_, then, _) => {
                statements.extend(block(then, kept).statements);
                continue;
            }
            StatementKind::Get(name) => {
                match kept.get_mut(name.text.as_str()) {
                    Some(0) => drop(kept.remove(name.text.as_str())),
                    Some(left_out) => {
                        *left_out -= 1;
                        continue;
                    }
                    None => continue,
                }
                old.kind.clone()
            }
            StatementKind::Let(name, Initial::Future(body)) => {
                StatementKind::Let(name.clone(), Initial::Future(block(body, kept)))
            }
            StatementKind::Task(start, body) => StatementKind::Task(*start, block(body, kept)),
            StatementKind::Finish(body) => StatementKind::Finish(block(body, kept)),
            other => other.clone(),
        };
        statements.push(Statement { kind, span: old.span });
    }
    Block { statements, end: tree.end }
}
