//! The same program with what the library does written out.
//!
//! * A future of the library is a task that sets a promise last. In the model the end of its task and the
//!   set are one; here those who get it go on before the task has ended. So the tree has a promise
//!   instead, whose name still begins with [`FUTURE`].
//! * A task of the library may belong to a scope further out than the innermost. The model has no such
//!   thing, but it can say the same: a task outside the inner scope waits for a promise, whose name begins
//!   with [`FAR`], and where the promise is set, the library starts the task.
//! * The generator knows few operators. Some are replaced by others that Rust's atomics have.
//! * In some programs every access to a variable is put into an isolated section, else nearly all that
//!   conflict would be data races.

use std::cell::Cell;
use std::collections::HashSet;

use rosser_detect::Operator;
use rosser_model::Span;
use rosser_model::syntax::ast::{
    Block, ExprKind, Initial, Name, Place, Start, Statement, StatementKind,
};

use crate::case::{About, Way};

/// With what the generator begins names of futures.
pub(crate) const FUTURE: char = 'f';

/// With what names of promises begin that stand for starting a task further out.
pub(crate) const FAR: char = 'q';

/// Writes a tree out; with tasks further out or without.
pub(crate) fn adapt(tree: &Block, way: Way, with_far: bool) -> Block {
    let others = [Operator::And, Operator::Or, Operator::Xor, Operator::Max, Operator::Mul];
    let instead = |old: Operator| (old, others[way.choose(About::Operator(old), others.len())]);
    let operators = [instead(Operator::Mul), instead(Operator::Max)];
    let mut used = HashSet::new();
    collect_conditions(tree, &mut used);
    Adapter { way, operators, used, with_far, asyncs: Cell::new(0) }.block(tree, None)
}

struct Adapter<'t> {
    way: Way,
    /// What is replaced, and by what.
    operators: [(Operator, Operator); 2],
    /// The locals that are used after they are loaded.
    used: HashSet<&'t str>,
    with_far: bool,
    /// How many tasks could have been started further out so far.
    asyncs: Cell<u32>,
}

fn collect_conditions<'t>(tree: &'t Block, into: &mut HashSet<&'t str>) {
    for statement in &tree.statements {
        match &statement.kind {
            StatementKind::If(condition, then, otherwise) => {
                if let ExprKind::Local(name) = &condition.kind {
                    into.insert(&name.text);
                }
                collect_conditions(then, into);
                if let Some(otherwise) = otherwise {
                    collect_conditions(otherwise, into);
                }
            }
            StatementKind::Let(_, Initial::Future(body))
            | StatementKind::Task(_, body)
            | StatementKind::Finish(body) => collect_conditions(body, into),
            _ => {}
        }
    }
}

impl Adapter<'_> {
    /// Writes a block out. If it is that of a finish, `before` is what will stand before the finish.
    fn block(&self, tree: &Block, mut before: Option<&mut Vec<Statement>>) -> Block {
        let mut statements = Vec::new();
        // Where the scopes begin that `begin_finish` has opened.
        let mut begun = Vec::new();
        for old in &tree.statements {
            match &old.kind {
                StatementKind::BeginFinish => begun.push(statements.len()),
                StatementKind::EndFinish => drop(begun.pop()),
                StatementKind::Task(Start::Async, body) if self.starts_far() => {
                    let body = self.block(body, None);
                    let (waiting, set) = self.far(body);
                    if let Some(begin) = begun.last_mut() {
                        let at = *begin;
                        *begin += waiting.len();
                        statements.splice(at..at, waiting);
                        statements.push(set);
                        continue;
                    } else if let Some(before) = &mut before {
                        before.extend(waiting);
                        statements.push(set);
                        continue;
                    }
                }
                _ => {}
            }
            self.statement(old, &mut statements);
        }
        Block { statements, end: tree.end }
    }

    /// Whether the next task is to be started further out, if it can be.
    fn starts_far(&self) -> bool {
        let number = self.asyncs.get();
        self.asyncs.set(number + 1);
        self.with_far && self.way.choose(About::Async(number), 3) == 0
    }

    /// A task that waits until it is started, and what starts it.
    fn far(&self, mut body: Block) -> ([Statement; 2], Statement) {
        let name = Name { text: format!("{FAR}{}", self.asyncs.get()), span: Span::default() };
        body.statements.insert(0, at_no_place(StatementKind::Get(name.clone())));
        let promise = StatementKind::Let(name.clone(), Initial::NewPromise);
        let task = StatementKind::Task(Start::Async, body);
        ([promise, task].map(at_no_place), at_no_place(StatementKind::Set(name)))
    }

    fn statement(&self, old: &Statement, into: &mut Vec<Statement>) {
        use StatementKind as Kind;
        let inner = |tree: &Block| self.block(tree, None);
        let new = match &old.kind {
            Kind::Let(name, Initial::Future(body)) => {
                let mut body = inner(body);
                body.statements.push(at_no_place(Kind::Sync));
                body.statements.push(at_no_place(Kind::Set(name.clone())));
                into.push(at_no_place(Kind::Let(name.clone(), Initial::NewPromise)));
                Kind::Task(Start::Async, body)
            }
            Kind::Let(name, Initial::Load(from))
                if self.is_isolated(from) && !self.used.contains(name.text.as_str()) =>
            {
                in_section(old.kind.clone())
            }
            Kind::Store(_, to) if self.is_isolated(to) => in_section(old.kind.clone()),
            Kind::Accumulate(value, to, operator) => {
                Kind::Accumulate(value.clone(), to.clone(), self.operator(*operator))
            }
            Kind::Let(name, Initial::Accumulate(value, to, operator)) => {
                let operator = self.operator(*operator);
                let initial = Initial::Accumulate(value.clone(), to.clone(), operator);
                Kind::Let(name.clone(), initial)
            }
            Kind::If(condition, then, otherwise) => {
                Kind::If(condition.clone(), inner(then), otherwise.as_ref().map(inner))
            }
            Kind::Task(start, body) => Kind::Task(*start, inner(body)),
            Kind::Finish(body) => Kind::Finish(self.block(body, Some(into))),
            // It has accesses only.
            Kind::Isolated(_) => old.kind.clone(),
            other => other.clone(),
        };
        into.push(at_no_place(new));
    }

    /// What an operator has become.
    fn operator(&self, operator: Operator) -> Operator {
        let other = self.operators.iter().find(|(from, _)| *from == operator);
        other.map_or(operator, |(_, other)| *other)
    }

    /// Whether a variable is accessed in isolated sections only. One program in four has such variables.
    fn is_isolated(&self, place: &Place) -> bool {
        let name = place.name.text.bytes().fold(0, |sum: u32, byte| sum * 31 + u32::from(byte));
        self.way.choose(About::Isolation, 4) == 0 && self.way.choose(About::Variable(name), 2) == 0
    }
}

/// An isolated section of one statement.
fn in_section(kind: StatementKind) -> StatementKind {
    let statements = vec![at_no_place(kind)];
    StatementKind::Isolated(Block { statements, end: Span::default() })
}

fn at_no_place(kind: StatementKind) -> Statement {
    Statement { kind, span: Span::default() }
}
