//! Syntax tree to text that parses back to the same tree.

use super::ast::{Block, Expr, ExprKind, Initial, Place, Start, StatementKind};

/// The program as text.
pub fn print(program: &Block) -> String {
    let mut printer = Printer { text: String::new(), indent: 0 };
    printer.statements(program);
    printer.text
}

struct Printer {
    text: String,
    indent: usize,
}

impl Printer {
    fn line(&mut self, text: &str) {
        self.text.push_str(&"    ".repeat(self.indent));
        self.text.push_str(text);
        self.text.push('\n');
    }

    fn statements(&mut self, block: &Block) {
        for statement in &block.statements {
            self.statement(&statement.kind);
        }
    }

    fn block(&mut self, head: &str, block: &Block) {
        self.line(&format!("{head} {{"));
        self.indent += 1;
        self.statements(block);
        self.indent -= 1;
        self.line("}");
    }

    fn statement(&mut self, kind: &StatementKind) {
        match kind {
            StatementKind::Let(name, Initial::Future(body)) => {
                self.block(&format!("{} <- future", name.text), body);
            }
            StatementKind::Let(name, value) => {
                let value = initial(value);
                self.line(&format!("{} <- {value}", name.text));
            }
            StatementKind::Store(value, to) => {
                self.line(&format!("store {} to {}", expr(value), place(to)));
            }
            StatementKind::Accumulate(value, to, operator) => {
                let (value, to) = (expr(value), place(to));
                self.line(&format!("accumulate {value} to {to} with {}", operator.symbol()));
            }
            StatementKind::While(on, body) => {
                self.block(&format!("while (0 != load {})", place(on)), body);
            }
            StatementKind::If(condition, then, otherwise) => {
                self.block(&format!("if ({})", expr(condition)), then);
                if let Some(otherwise) = otherwise {
                    // Continues the closing brace's line, as people write it.
                    let closed = self.text.trim_end().len();
                    self.text.truncate(closed);
                    self.text.push_str(" else {\n");
                    self.indent += 1;
                    self.statements(otherwise);
                    self.indent -= 1;
                    self.line("}");
                }
            }
            StatementKind::For(name, from, to, body) => {
                let head = format!("for {} in {}..{}", name.text, expr(from), expr(to));
                self.block(&head, body);
            }
            StatementKind::Task(Start::Async, body) => self.block("async", body),
            StatementKind::Task(Start::Spawn, body) => self.block("spawn", body),
            StatementKind::Finish(body) => self.block("finish", body),
            StatementKind::Isolated(body) => self.block("isolated", body),
            StatementKind::BeginFinish => self.line("begin_finish"),
            StatementKind::EndFinish => self.line("end_finish"),
            StatementKind::Sync => self.line("sync"),
            StatementKind::Set(name) => self.line(&format!("{}.set", name.text)),
            StatementKind::Get(name) => self.line(&format!("{}.get", name.text)),
            StatementKind::Wait(name) => self.line(&format!("{}.P", name.text)),
            StatementKind::Signal(name) => self.line(&format!("{}.V", name.text)),
            StatementKind::Print(value) => self.line(&format!("print {}", expr(value))),
            StatementKind::Return => self.line("return"),
        }
    }
}

fn initial(value: &Initial) -> String {
    match value {
        Initial::Alloc => "alloc".to_owned(),
        Initial::Array(length) => format!("array {}", expr(length)),
        Initial::Load(from) => format!("load {}", place(from)),
        Initial::Accumulate(value, to, operator) => {
            format!("accumulate {} to {} with {}", expr(value), place(to), operator.symbol())
        }
        Initial::NewPromise => "new_promise".to_owned(),
        Initial::NewSemaphore(count) => format!("new_semaphore {}", expr(count)),
        Initial::Future(_) => unreachable!("printed as a block"),
        Initial::Value(value) => expr(value),
    }
}

fn place(place: &Place) -> String {
    match &place.index {
        Some(index) => format!("{}[{}]", place.name.text, expr(index)),
        None => place.name.text.clone(),
    }
}

fn expr(value: &Expr) -> String {
    match &value.kind {
        ExprKind::Int(number) if *number < 0 => format!("(-{})", number.unsigned_abs()),
        ExprKind::Int(number) => number.to_string(),
        ExprKind::Local(name) => name.text.clone(),
        ExprKind::Negate(inner) => match inner.kind {
            ExprKind::Binary(..) => format!("-({})", expr(inner)),
            _ => format!("-{}", expr(inner)),
        },
        ExprKind::Binary(op, left, right) => {
            let side = |operand: &Expr, tighter: u8| match operand.kind {
                ExprKind::Binary(inner, ..) if inner.precedence() < tighter => {
                    format!("({})", expr(operand))
                }
                _ => expr(operand),
            };
            let (left, right) = (side(left, op.precedence()), side(right, op.precedence() + 1));
            format!("{left} {} {right}", op.symbol())
        }
    }
}
