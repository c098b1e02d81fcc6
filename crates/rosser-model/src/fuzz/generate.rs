//! Random programs.
//!
//! Few variables and many accesses, so that races are common but not certain; promises that are
//! set mostly once and got often, in places that need not be able to; scopes nested at random; and in some
//! programs crowds of tasks that all read the same, as parallel loops do.

use rosser_detect::{Construct, DetectorKind, Operator};

use super::rng::Rng;
use crate::source::Span;
use crate::syntax::ast::{
    Block, Expr, ExprKind, Initial, Name, Place, Start, Statement, StatementKind,
};

/// A class of programs beside those that some detector admits: promises, and little else that orders.
const PROMISES: [Construct; 3] = [Construct::Async, Construct::Finish, Construct::Promise];

/// Constructs that a program is made up of: what one of the detectors admits, or [`PROMISES`].
fn family(rng: &mut Rng) -> Vec<Construct> {
    let family = rng.below(DetectorKind::ALL.len() + 1);
    match DetectorKind::ALL.get(family) {
        Some(kind) => {
            Construct::WRITTEN.into_iter().filter(|construct| kind.admits(*construct)).collect()
        }
        None => PROMISES.to_vec(),
    }
}

/// Makes up a program of about `size` statements from the given constructs, or, if none are
/// given, from a `family`.
pub fn generate(rng: &mut Rng, size: usize, constructs: &[Construct]) -> Block {
    let constructs = if constructs.is_empty() { family(rng) } else { constructs.to_vec() };
    let mut generator = Generator {
        budget: 2 + rng.below(size.max(1)),
        sparseness: 2 + rng.below(5),
        has_crowds: rng.chance(1, 4),
        rng,
        constructs,
        variables: Vec::new(),
        promises: Vec::new(),
        unset: Vec::new(),
        set: Vec::new(),
        semaphores: Vec::new(),
        locals: 0,
    };
    generator.program()
}

struct Generator<'r> {
    rng: &'r mut Rng,
    constructs: Vec<Construct>,
    budget: usize,
    /// One statement in so many is an access.
    sparseness: usize,
    has_crowds: bool,
    variables: Vec<String>,
    promises: Vec<String>,
    unset: Vec<String>,
    /// Promises whose set stands earlier in the text; getting one of these seldom deadlocks.
    set: Vec<String>,
    semaphores: Vec<String>,
    locals: u32,
}

/// Where a statement stands.
#[derive(Clone, Default)]
struct Context {
    depth: u32,
    /// Futures in sight.
    futures: Vec<String>,
    /// Loaded values in sight.
    values: Vec<String>,
}

impl Generator<'_> {
    fn uses(&self, construct: Construct) -> bool {
        self.constructs.contains(&construct)
    }

    fn fresh(&mut self, prefix: &str) -> String {
        self.locals += 1;
        format!("{prefix}{}", self.locals)
    }

    fn program(&mut self) -> Block {
        let mut statements = Vec::new();
        for _ in 0..=self.rng.below(3) {
            let name = self.fresh("x");
            statements.push(binding(&name, Initial::Alloc));
            self.variables.push(name);
        }
        if self.uses(Construct::Promise) {
            for _ in 0..=self.rng.below(5) {
                let promise = self.fresh("p");
                statements.push(binding(&promise, Initial::NewPromise));
                self.promises.push(promise.clone());
                self.unset.push(promise);
            }
        }
        if self.uses(Construct::Semaphore) {
            for _ in 0..self.rng.below(3) {
                let semaphore = self.fresh("s");
                let count = Initial::NewSemaphore(int(self.rng.small(2)));
                statements.push(binding(&semaphore, count));
                self.semaphores.push(semaphore);
            }
        }
        while self.budget > 0 {
            let mut context = Context::default();
            statements.extend(self.statements(&mut context));
        }
        Block { statements, end: Span::default() }
    }

    /// Some statements of one block, at least one.
    fn statements(&mut self, context: &mut Context) -> Vec<Statement> {
        let mut statements = Vec::new();
        let count = 1 + self.rng.below(5);
        for _ in 0..count {
            if self.budget == 0 {
                break;
            }
            self.budget -= 1;
            statements.extend(self.statement(context));
        }
        statements
    }

    fn body(&mut self, context: &Context) -> Block {
        let mut inner = Context { depth: context.depth + 1, ..context.clone() };
        let statements = self.statements(&mut inner);
        Block { statements, end: Span::default() }
    }

    fn statement(&mut self, context: &mut Context) -> Vec<Statement> {
        if context.depth >= 6 || self.rng.chance(1, self.sparseness) {
            return vec![self.access(context)];
        }
        if self.rng.chance(1, 12) {
            return vec![self.branch(context)];
        }
        if self.has_crowds && self.rng.chance(1, 10) && !self.starts().is_empty() {
            return self.crowd();
        }
        let construct = *self.rng.pick(&self.constructs.clone());
        match construct {
            Construct::SpawnSync if self.rng.chance(1, 3) => vec![statement(StatementKind::Sync)],
            Construct::SpawnSync => {
                vec![statement(StatementKind::Task(Start::Spawn, self.body(context)))]
            }
            Construct::Async => {
                vec![statement(StatementKind::Task(Start::Async, self.body(context)))]
            }
            Construct::Finish if self.rng.chance(1, 5) => {
                let mut all = vec![statement(StatementKind::BeginFinish)];
                all.extend(self.statements(&mut context.clone()));
                all.push(statement(StatementKind::EndFinish));
                all
            }
            Construct::Finish => vec![statement(StatementKind::Finish(self.body(context)))],
            Construct::Isolated => {
                let mut inner = context.clone();
                let count = 1 + self.rng.below(2);
                let statements = (0..count).map(|_| self.access(&mut inner)).collect();
                let body = Block { statements, end: Span::default() };
                vec![statement(StatementKind::Isolated(body))]
            }
            Construct::Accumulate if self.rng.chance(1, 4) => vec![self.fetch(context)],
            Construct::Accumulate => vec![self.accumulate()],
            Construct::Promise => vec![self.promise()],
            Construct::Future => vec![self.future(context)],
            Construct::Semaphore => self.semaphore(context),
            other => unreachable!("`{}` is not written down", other.name()),
        }
    }

    /// How tasks can be started.
    fn starts(&self) -> Vec<Start> {
        let starts = [(Construct::SpawnSync, Start::Spawn), (Construct::Async, Start::Async)];
        starts.into_iter().filter(|(uses, _)| self.uses(*uses)).map(|(_, start)| start).collect()
    }

    /// Tasks that all read the same variable, or accumulate into it, and some of them nothing else. Few crowds
    /// are large.
    fn crowd(&mut self) -> Vec<Statement> {
        let start = *self.rng.pick(&self.starts());
        let place = self.place();
        let accumulates = self.uses(Construct::Accumulate) && self.rng.chance(1, 2);
        let sees = self.rng.chance(1, 3);
        let update = if sees { self.fetch(&mut Context::default()) } else { self.accumulate() };
        let task = |this: &mut Self| {
            let load = binding(&this.fresh("v"), Initial::Load(place.clone()));
            let mut statements = vec![if accumulates { update.clone() } else { load }];
            if this.rng.chance(1, 4) {
                statements.push(this.access(&mut Context::default()));
            }
            let body = Block { statements, end: Span::default() };
            statement(StatementKind::Task(start, body))
        };
        let size = if self.rng.chance(1, 20) { 40 + self.rng.below(30) } else { self.rng.below(4) };
        (0..3 + size).map(|_| task(self)).collect()
    }

    fn place(&mut self) -> Place {
        let name = self.rng.pick(&self.variables).clone();
        Place { name: named(&name), index: None, span: Span::default() }
    }

    fn access(&mut self, context: &mut Context) -> Statement {
        let place = self.place();
        if self.rng.chance(1, 2) {
            let value = self.rng.small(4);
            statement(StatementKind::Store(int(value), place))
        } else {
            let name = self.fresh("v");
            let load = binding(&name, Initial::Load(place));
            context.values.push(name);
            load
        }
    }

    fn accumulate(&mut self) -> Statement {
        let operators = [Operator::Add, Operator::Add, Operator::Mul, Operator::Max, Operator::Sub];
        let operator = *self.rng.pick(&operators);
        let value = 1 + self.rng.small(3);
        statement(StatementKind::Accumulate(int(value), self.place(), operator))
    }

    /// An accumulation whose old value is seen.
    fn fetch(&mut self, context: &mut Context) -> Statement {
        let StatementKind::Accumulate(value, place, operator) = self.accumulate().kind else {
            unreachable!("it is an accumulation");
        };
        let name = self.fresh("v");
        let fetch = binding(&name, Initial::Accumulate(value, place, operator));
        context.values.push(name);
        fetch
    }

    fn branch(&mut self, context: &mut Context) -> Statement {
        if context.values.is_empty() {
            return self.access(context);
        }
        let name = self.rng.pick(&context.values).clone();
        let condition = Expr { kind: ExprKind::Local(named(&name)), span: Span::default() };
        let otherwise = self.rng.chance(1, 2).then(|| self.body(context));
        statement(StatementKind::If(condition, self.body(context), otherwise))
    }

    fn promise(&mut self) -> Statement {
        if !self.unset.is_empty() && self.rng.chance(1, 2) {
            let index = self.rng.below(self.unset.len());
            let name = self.unset.swap_remove(index);
            self.set.push(name.clone());
            return statement(StatementKind::Set(named(&name)));
        }
        let likely = !self.set.is_empty() && self.rng.chance(5, 6);
        let choice = if likely { &self.set } else { &self.promises };
        let name = self.rng.pick(choice).clone();
        statement(StatementKind::Get(named(&name)))
    }

    fn future(&mut self, context: &mut Context) -> Statement {
        if !context.futures.is_empty() && self.rng.chance(1, 2) {
            let name = self.rng.pick(&context.futures).clone();
            return statement(StatementKind::Get(named(&name)));
        }
        let body = self.body(context);
        let name = self.fresh("f");
        context.futures.push(name.clone());
        binding(&name, Initial::Future(body))
    }

    fn semaphore(&mut self, context: &mut Context) -> Vec<Statement> {
        if self.semaphores.is_empty() {
            return vec![self.access(context)];
        }
        let name = self.rng.pick(&self.semaphores).clone();
        let wait = statement(StatementKind::Wait(named(&name)));
        let signal = statement(StatementKind::Signal(named(&name)));
        match self.rng.below(4) {
            0 => vec![wait],
            1 => vec![signal],
            _ => {
                let mut all = vec![wait];
                all.extend(self.statements(&mut context.clone()));
                all.push(signal);
                all
            }
        }
    }
}

fn statement(kind: StatementKind) -> Statement {
    Statement { kind, span: Span::default() }
}

fn binding(name: &str, initial: Initial) -> Statement {
    statement(StatementKind::Let(named(name), initial))
}

fn named(name: &str) -> Name {
    Name { text: name.to_owned(), span: Span::default() }
}

fn int(value: i64) -> Expr {
    Expr { kind: ExprKind::Int(value), span: Span::default() }
}
