//! The syntax tree.

use rosser_detect::Operator;

use crate::source::Span;

/// A sequence of statements.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Block {
    /// The statements.
    pub statements: Vec<Statement>,
    /// Where the block ends: its closing brace, or the end of the text.
    pub end: Span,
}

/// A statement with its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Statement {
    /// What it does.
    pub kind: StatementKind,
    /// Where it is; for one with a block, only the words before the block.
    pub span: Span,
}

/// A local variable's name where it stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Name {
    /// The name.
    pub text: String,
    /// Where it stands.
    pub span: Span,
}

/// A shared location: `y` or `a[i]`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// The local that holds the reference.
    pub name: Name,
    /// The index into an array.
    pub index: Option<Expr>,
    /// Where it stands.
    pub span: Span,
}

/// The two statements that start a task and bind nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Start {
    /// `async`.
    Async,
    /// `spawn`.
    Spawn,
}

/// What a statement does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StatementKind {
    /// `x <- …`
    Let(Name, Initial),
    /// `store e to y`
    Store(Expr, Place),
    /// `accumulate e to y with +`
    Accumulate(Expr, Place, Operator),
    /// `while (0 != load y) { }`
    While(Place, Block),
    /// `if (e) { } else { }`
    If(Expr, Block, Option<Block>),
    /// `for i in e..e { }`
    For(Name, Expr, Expr, Block),
    /// `async { }` or `spawn { }`
    Task(Start, Block),
    /// `finish { }`
    Finish(Block),
    /// `begin_finish`
    BeginFinish,
    /// `end_finish`
    EndFinish,
    /// `isolated { }`
    Isolated(Block),
    /// `sync`
    Sync,
    /// `p.set`
    Set(Name),
    /// `p.get` or `f.get`
    Get(Name),
    /// `s.P`
    Wait(Name),
    /// `s.V`
    Signal(Name),
    /// `print e`
    Print(Expr),
    /// `return`
    Return,
}

/// What a local is bound to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Initial {
    /// `alloc`
    Alloc,
    /// `array n`
    Array(Expr),
    /// `load y`
    Load(Place),
    /// `accumulate e to y with +`, for the old value
    Accumulate(Expr, Place, Operator),
    /// `new_promise`
    NewPromise,
    /// `new_semaphore n`
    NewSemaphore(Expr),
    /// `future { }`
    Future(Block),
    /// An expression.
    Value(Expr),
}

/// An expression over locals and integers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Expr {
    /// What it computes.
    pub kind: ExprKind,
    /// Where it stands.
    pub span: Span,
}

/// What an expression computes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ExprKind {
    /// A constant.
    Int(i64),
    /// A local.
    Local(Name),
    /// `-e`
    Negate(Box<Expr>),
    /// Two operands.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
}

/// An operator between two expressions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum BinaryOp {
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `==`
    Eq,
    /// `!=`
    Ne,
    /// `<`
    Lt,
    /// `<=`
    Le,
    /// `>`
    Gt,
    /// `>=`
    Ge,
}

impl BinaryOp {
    /// How tightly it binds; all associate to the left.
    pub fn precedence(self) -> u8 {
        match self {
            Self::Mul => 3,
            Self::Add | Self::Sub => 2,
            _ => 1,
        }
    }

    /// As it is written.
    pub fn symbol(self) -> &'static str {
        match self {
            Self::Add => "+",
            Self::Sub => "-",
            Self::Mul => "*",
            Self::Eq => "==",
            Self::Ne => "!=",
            Self::Lt => "<",
            Self::Le => "<=",
            Self::Gt => ">",
            Self::Ge => ">=",
        }
    }
}
