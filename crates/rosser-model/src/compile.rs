//! Syntax tree to instructions: resolves locals, checks what can be checked before running.

use rosser_detect::{Construct, TaskKind};

use crate::diagnostic::Diagnostic;
use crate::program::{Expr, Op, Opened, Pc, Place, Program, Slot};
use crate::source::{Source, Span};
use crate::syntax::{ast, parse};

/// Parses and compiles a source text.
pub fn load(source: &Source) -> Result<Program, Diagnostic> {
    compile(&parse(source)?)
}

/// Compiles a syntax tree.
pub fn compile(tree: &ast::Block) -> Result<Program, Diagnostic> {
    let mut compiler = Compiler {
        program: Program::default(),
        locals: Vec::new(),
        scopes: Vec::new(),
        enclosing: Vec::new(),
    };
    compiler.task_body(tree)?;
    Ok(compiler.program)
}

/// What a `return` has to leave on its way out of a task's body.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Enclosing {
    Finish,
    Isolated(Span),
}

struct Local {
    name: String,
    span: Span,
    slot: Slot,
}

struct Compiler {
    program: Program,
    /// The locals in sight, innermost last.
    locals: Vec<Local>,
    /// For each open lexical scope, how many locals were in sight before it.
    scopes: Vec<usize>,
    enclosing: Vec<Enclosing>,
}

/// A jump target that is filled in later.
const PENDING: Pc = Pc::MAX;

impl Compiler {
    fn emit(&mut self, op: Op, span: Span) -> Pc {
        self.emit_binding(op, span, "")
    }

    fn emit_binding(&mut self, op: Op, span: Span, name: &str) -> Pc {
        self.program.ops.push(op);
        self.program.spans.push(span);
        self.program.names.push(name.to_owned());
        self.program.ops.len() as Pc - 1
    }

    fn here(&self) -> Pc {
        self.program.ops.len() as Pc
    }

    /// Points a pending jump at the next instruction.
    fn land(&mut self, jump: Pc) {
        let here = self.here();
        match &mut self.program.ops[jump as usize] {
            Op::JumpIfLoadedZero(_, target) | Op::JumpIfZero(_, target) | Op::Jump(target) => {
                *target = here;
            }
            other => unreachable!("{other:?} does not jump"),
        }
    }

    /// Notes the use of a construct; inside `isolated` only ordinary statements may stand.
    fn construct(&mut self, construct: Construct, span: Span) -> Result<(), Diagnostic> {
        if !self.program.uses(construct) {
            self.program.constructs.push((construct, span));
        }
        let outer = self.enclosing.iter().find_map(|enclosing| match enclosing {
            Enclosing::Isolated(span) => Some(*span),
            Enclosing::Finish => None,
        });
        match outer {
            Some(outer) if construct != Construct::Accumulate => Err(Diagnostic::new(
                "tasks and synchronisation are not allowed inside `isolated`",
                span,
            )
            .label("not allowed here")
            .related(outer, "inside this section")
            .help("an isolated section may load, store, compute and branch")),
            _ => Ok(()),
        }
    }

    fn next_slot(&self) -> Slot {
        Slot(self.locals.len() as u32)
    }

    /// Brings a local into sight from the next instruction on.
    fn bind(&mut self, name: &ast::Name) -> Result<Slot, Diagnostic> {
        let outer = self.scopes.last().copied().unwrap_or(0);
        if let Some(first) = self.locals[outer..].iter().find(|local| local.name == name.text) {
            return Err(Diagnostic::new(
                format!("`{}` is bound twice in one scope", name.text),
                name.span,
            )
            .label("bound again here")
            .related(first.span, "first bound here")
            .help("locals are single-assignment; use another name, or a shared variable"));
        }
        let slot = self.next_slot();
        self.locals.push(Local { name: name.text.clone(), span: name.span, slot });
        Ok(slot)
    }

    /// A slot that the program cannot name.
    fn hidden(&mut self) -> Slot {
        let slot = self.next_slot();
        self.locals.push(Local { name: String::new(), span: Span::default(), slot });
        slot
    }

    fn resolve(&self, name: &ast::Name) -> Result<Slot, Diagnostic> {
        let found = self.locals.iter().rev().find(|local| local.name == name.text);
        found.map(|local| local.slot).ok_or_else(|| {
            Diagnostic::new(format!("`{}` is not bound", name.text), name.span)
                .label("not found in this scope")
                .help(format!("bind it first, for example `{} <- alloc`", name.text))
        })
    }

    fn block(&mut self, block: &ast::Block) -> Result<(), Diagnostic> {
        self.scopes.push(self.locals.len());
        for statement in &block.statements {
            self.statement(statement)?;
        }
        let outer = self.scopes.pop().expect("pushed above");
        self.locals.truncate(outer);
        Ok(())
    }

    /// A task's body, with the implicit sync at its end.
    fn task_body(&mut self, body: &ast::Block) -> Result<(), Diagnostic> {
        let enclosing = std::mem::take(&mut self.enclosing);
        self.block(body)?;
        self.enclosing = enclosing;
        self.emit(Op::Sync, body.end);
        self.emit(Op::End, body.end);
        Ok(())
    }

    fn statement(&mut self, statement: &ast::Statement) -> Result<(), Diagnostic> {
        use ast::StatementKind as Kind;
        let span = statement.span;
        match &statement.kind {
            Kind::Let(name, initial) => self.binding(name, initial, span)?,
            Kind::Store(value, to) => {
                let op = Op::Store(self.expr(value)?, self.place(to)?);
                self.emit(op, span);
            }
            Kind::Accumulate(value, to, operator) => {
                self.construct(Construct::Accumulate, span)?;
                let op = Op::Accumulate(None, self.expr(value)?, self.place(to)?, *operator);
                self.emit(op, span);
            }
            Kind::While(on, body) => {
                let place = self.place(on)?;
                let start = self.emit(Op::JumpIfLoadedZero(place, PENDING), span);
                self.block(body)?;
                self.emit(Op::Jump(start), span);
                self.land(start);
            }
            Kind::If(condition, then, otherwise) => {
                let condition = self.expr(condition)?;
                let skip = self.emit(Op::JumpIfZero(condition, PENDING), span);
                self.block(then)?;
                if let Some(otherwise) = otherwise {
                    let done = self.emit(Op::Jump(PENDING), span);
                    self.land(skip);
                    self.block(otherwise)?;
                    self.land(done);
                } else {
                    self.land(skip);
                }
            }
            Kind::For(name, from, to, body) => self.for_loop(name, from, to, body, span)?,
            Kind::Task(start, body) => {
                let (kind, construct) = match start {
                    ast::Start::Async => (TaskKind::Async, Construct::Async),
                    ast::Start::Spawn => (TaskKind::Spawn, Construct::SpawnSync),
                };
                self.construct(construct, span)?;
                self.fork(kind, None, body, span)?;
            }
            Kind::Finish(body) => {
                self.construct(Construct::Finish, span)?;
                self.emit(Op::BeginScope(Opened::Block), span);
                self.enclosing.push(Enclosing::Finish);
                self.block(body)?;
                self.enclosing.pop();
                self.emit(Op::EndScope(Opened::Block), body.end);
            }
            Kind::BeginFinish => {
                self.construct(Construct::Finish, span)?;
                self.emit(Op::BeginScope(Opened::Begin), span);
            }
            Kind::EndFinish => {
                self.construct(Construct::Finish, span)?;
                self.emit(Op::EndScope(Opened::Begin), span);
            }
            Kind::Isolated(body) => {
                self.construct(Construct::Isolated, span)?;
                self.emit(Op::BeginIsolated, span);
                self.enclosing.push(Enclosing::Isolated(span));
                self.block(body)?;
                self.enclosing.pop();
                self.emit(Op::EndIsolated, body.end);
            }
            Kind::Sync => {
                self.construct(Construct::SpawnSync, span)?;
                self.emit(Op::Sync, span);
            }
            Kind::Set(name) => {
                self.construct(Construct::Promise, span)?;
                let slot = self.resolve(name)?;
                self.emit(Op::Set(slot), span);
            }
            Kind::Get(name) => {
                // Which of the two it is depends on the value; creating either is noted, too.
                self.synchronisation(span)?;
                let slot = self.resolve(name)?;
                self.emit(Op::Get(slot), span);
            }
            Kind::Wait(name) => {
                self.construct(Construct::Semaphore, span)?;
                let slot = self.resolve(name)?;
                self.emit(Op::Wait(slot), span);
            }
            Kind::Signal(name) => {
                self.construct(Construct::Semaphore, span)?;
                let slot = self.resolve(name)?;
                self.emit(Op::Signal(slot), span);
            }
            Kind::Print(value) => {
                let value = self.expr(value)?;
                self.emit(Op::Print(value), span);
            }
            Kind::Return => self.leave(span),
        }
        Ok(())
    }

    /// Rejects a get inside `isolated` without counting it as a use of promises or futures.
    fn synchronisation(&mut self, span: Span) -> Result<(), Diagnostic> {
        let used = self.program.constructs.len();
        let result = self.construct(Construct::Promise, span);
        self.program.constructs.truncate(used);
        result
    }

    fn binding(
        &mut self,
        name: &ast::Name,
        initial: &ast::Initial,
        span: Span,
    ) -> Result<(), Diagnostic> {
        if let ast::Initial::Future(body) = initial {
            self.construct(Construct::Future, span)?;
            return self.fork(TaskKind::Future, Some(name), body, span);
        }
        // The right-hand side does not see the new local.
        let op: Box<dyn FnOnce(Slot) -> Op> = match initial {
            ast::Initial::Alloc => Box::new(Op::Alloc),
            ast::Initial::Array(length) => {
                let length = self.expr(length)?;
                Box::new(|slot| Op::Array(slot, length))
            }
            ast::Initial::Load(from) => {
                let place = self.place(from)?;
                Box::new(|slot| Op::Load(slot, place))
            }
            ast::Initial::Accumulate(value, to, operator) => {
                self.construct(Construct::Accumulate, span)?;
                let (value, place, operator) = (self.expr(value)?, self.place(to)?, *operator);
                Box::new(move |slot| Op::Accumulate(Some(slot), value, place, operator))
            }
            ast::Initial::NewPromise => {
                self.construct(Construct::Promise, span)?;
                Box::new(Op::NewPromise)
            }
            ast::Initial::NewSemaphore(count) => {
                self.construct(Construct::Semaphore, span)?;
                let count = self.expr(count)?;
                Box::new(|slot| Op::NewSemaphore(slot, count))
            }
            ast::Initial::Value(value) => {
                let value = self.expr(value)?;
                Box::new(|slot| Op::Assign(slot, value))
            }
            ast::Initial::Future(_) => unreachable!("handled above"),
        };
        let slot = self.bind(name)?;
        self.emit_binding(op(slot), span, &name.text);
        Ok(())
    }

    /// A task's body stands after the instruction that starts it, and is jumped over.
    fn fork(
        &mut self,
        kind: TaskKind,
        handle: Option<&ast::Name>,
        body: &ast::Block,
        span: Span,
    ) -> Result<(), Diagnostic> {
        let captured = self.locals.len() as u32;
        let name = handle.map_or("", |name| name.text.as_str());
        let fork = Op::Fork { kind, body: self.here() + 2, captured, handle: None };
        let fork = self.emit_binding(fork, span, name);
        let skip = self.emit(Op::Jump(PENDING), span);
        self.task_body(body)?;
        self.land(skip);
        if let Some(name) = handle {
            let slot = self.bind(name)?;
            let Op::Fork { handle, .. } = &mut self.program.ops[fork as usize] else {
                unreachable!("emitted above");
            };
            *handle = Some(slot);
        }
        Ok(())
    }

    fn for_loop(
        &mut self,
        name: &ast::Name,
        from: &ast::Expr,
        to: &ast::Expr,
        body: &ast::Block,
        span: Span,
    ) -> Result<(), Diagnostic> {
        let (from, to) = (self.expr(from)?, self.expr(to)?);
        let visible = self.locals.len();
        let counter = self.hidden();
        self.emit(Op::Assign(counter, from), span);
        let limit = self.hidden();
        self.emit(Op::Assign(limit, to), span);
        let more = binary(ast::BinaryOp::Lt, Expr::Local(counter), Expr::Local(limit));
        let start = self.emit(Op::JumpIfZero(more, PENDING), span);
        self.scopes.push(self.locals.len());
        let variable = self.bind(name)?;
        self.emit(Op::Assign(variable, Expr::Local(counter)), span);
        self.block(body)?;
        self.scopes.pop();
        let next = binary(ast::BinaryOp::Add, Expr::Local(counter), Expr::Int(1));
        self.emit(Op::Assign(counter, next), span);
        self.emit(Op::Jump(start), span);
        self.land(start);
        self.locals.truncate(visible);
        Ok(())
    }

    /// Leaves everything that encloses a `return` within its task, then ends the task.
    fn leave(&mut self, span: Span) {
        for enclosing in self.enclosing.clone().into_iter().rev() {
            let op = match enclosing {
                Enclosing::Finish => Op::EndScope(Opened::Block),
                Enclosing::Isolated(_) => Op::EndIsolated,
            };
            self.emit(op, span);
        }
        self.emit(Op::Sync, span);
        self.emit(Op::End, span);
    }

    fn place(&self, place: &ast::Place) -> Result<Place, Diagnostic> {
        let base = self.resolve(&place.name)?;
        let index = place.index.as_ref().map(|index| self.expr(index)).transpose()?;
        Ok(Place { base, index })
    }

    fn expr(&self, expr: &ast::Expr) -> Result<Expr, Diagnostic> {
        Ok(match &expr.kind {
            ast::ExprKind::Int(value) => Expr::Int(*value),
            ast::ExprKind::Local(name) => Expr::Local(self.resolve(name)?),
            ast::ExprKind::Negate(inner) => Expr::Negate(Box::new(self.expr(inner)?)),
            ast::ExprKind::Binary(op, left, right) => {
                binary(*op, self.expr(left)?, self.expr(right)?)
            }
        })
    }
}

fn binary(op: ast::BinaryOp, left: Expr, right: Expr) -> Expr {
    Expr::Binary(op, Box::new(left), Box::new(right))
}
