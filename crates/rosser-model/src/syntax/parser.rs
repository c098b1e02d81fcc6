//! Tokens to syntax tree, by recursive descent.
//!
//! Every error says what was expected and what stands there instead.

use rosser_detect::Operator;

use super::ast::{
    BinaryOp, Block, Expr, ExprKind, Initial, Name, Place, Start, Statement, StatementKind,
};
use super::token::{Token, TokenKind, tokenize};
use crate::diagnostic::Diagnostic;
use crate::source::{Source, Span};

/// How deeply blocks and expressions may be nested, so that no input can exhaust the stack of
/// anything that walks the tree.
const MAX_DEPTH: u32 = 200;

/// Words that cannot be names.
const KEYWORDS: [&str; 26] = [
    "alloc",
    "array",
    "load",
    "store",
    "to",
    "while",
    "if",
    "else",
    "for",
    "in",
    "async",
    "finish",
    "begin_finish",
    "end_finish",
    "isolated",
    "spawn",
    "sync",
    "accumulate",
    "with",
    "min",
    "max",
    "new_promise",
    "future",
    "new_semaphore",
    "print",
    "return",
];

/// Parses a program.
pub fn parse(source: &Source) -> Result<Block, Diagnostic> {
    let tokens = tokenize(source)?;
    let mut parser = Parser { tokens, at: 0, depth: 0 };
    let block = parser.statements(None)?;
    Ok(block)
}

struct Parser {
    tokens: Vec<Token>,
    at: usize,
    depth: u32,
}

impl Parser {
    fn peek(&self) -> &Token {
        &self.tokens[self.at]
    }

    fn next(&mut self) -> Token {
        let token = self.tokens[self.at].clone();
        if token.kind != TokenKind::End {
            self.at += 1;
        }
        token
    }

    fn is_symbol(&self, symbol: &str) -> bool {
        matches!(&self.peek().kind, TokenKind::Symbol(s) if *s == symbol)
    }

    fn is_word(&self, word: &str) -> bool {
        matches!(&self.peek().kind, TokenKind::Word(w) if w == word)
    }

    fn expected(&self, what: &str) -> Diagnostic {
        let token = self.peek();
        Diagnostic::new(format!("expected {what}, found {}", token.describe()), token.span)
            .label(format!("expected {what}"))
    }

    fn symbol(&mut self, symbol: &str) -> Result<Span, Diagnostic> {
        if self.is_symbol(symbol) {
            Ok(self.next().span)
        } else {
            Err(self.expected(&format!("`{symbol}`")))
        }
    }

    fn word(&mut self, word: &str) -> Result<Span, Diagnostic> {
        if self.is_word(word) {
            Ok(self.next().span)
        } else {
            Err(self.expected(&format!("`{word}`")))
        }
    }

    fn skip_terminators(&mut self) {
        while self.peek().kind == TokenKind::Terminator {
            self.at += 1;
        }
    }

    fn enter(&mut self) -> Result<(), Diagnostic> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            let message = format!("nested more than {MAX_DEPTH} levels deep");
            return Err(Diagnostic::new(message, self.peek().span));
        }
        Ok(())
    }

    /// Statements up to the closing brace of a block, or to the end of the text.
    fn statements(&mut self, open: Option<Span>) -> Result<Block, Diagnostic> {
        self.enter()?;
        let mut statements = Vec::new();
        loop {
            self.skip_terminators();
            let token = self.peek();
            let end = token.span;
            if token.kind == TokenKind::End {
                if let Some(open) = open {
                    return Err(Diagnostic::new("this block is never closed", open)
                        .label("opened here")
                        .help("add a `}`"));
                }
                self.depth -= 1;
                return Ok(Block { statements, end });
            }
            if self.is_symbol("}") {
                if open.is_none() {
                    return Err(
                        Diagnostic::new("`}` without a `{` before it", end).label("closes nothing")
                    );
                }
                self.next();
                self.depth -= 1;
                return Ok(Block { statements, end });
            }
            statements.push(self.statement()?);
            match &self.peek().kind {
                TokenKind::Terminator | TokenKind::End | TokenKind::Symbol("}") => {}
                // A block ends its statement: `finish { } x <- 1` needs no separator.
                _ if self.at > 0 && self.tokens[self.at - 1].kind == TokenKind::Symbol("}") => {}
                _ => return Err(self.expected("a newline or `;` after the statement")),
            }
        }
    }

    fn block(&mut self) -> Result<Block, Diagnostic> {
        let open = self.symbol("{")?;
        self.statements(Some(open))
    }

    fn statement(&mut self) -> Result<Statement, Diagnostic> {
        let token = self.peek().clone();
        let TokenKind::Word(word) = &token.kind else {
            return Err(self.expected("a statement"));
        };
        let start = token.span;
        let kind = match word.as_str() {
            "store" => {
                self.next();
                let value = self.expr()?;
                self.word("to")?;
                StatementKind::Store(value, self.place()?)
            }
            "accumulate" => {
                let (value, place, operator) = self.accumulate()?;
                StatementKind::Accumulate(value, place, operator)
            }
            "print" => {
                self.next();
                StatementKind::Print(self.expr()?)
            }
            "while" | "if" | "for" | "async" | "spawn" | "finish" | "isolated" => {
                return self.with_block(word, start);
            }
            "begin_finish" => self.single(StatementKind::BeginFinish),
            "end_finish" => self.single(StatementKind::EndFinish),
            "sync" => self.single(StatementKind::Sync),
            "return" => self.single(StatementKind::Return),
            _ if KEYWORDS.contains(&word.as_str()) => return Err(self.misplaced(word)),
            _ => return self.named(),
        };
        Ok(Statement { kind, span: start.to(self.last_span()) })
    }

    fn single(&mut self, kind: StatementKind) -> StatementKind {
        self.next();
        kind
    }

    fn last_span(&self) -> Span {
        self.tokens[self.at - 1].span
    }

    /// A keyword where a statement should begin.
    fn misplaced(&self, word: &str) -> Diagnostic {
        let error = self.expected("a statement");
        match word {
            "alloc" | "array" | "load" | "new_promise" | "new_semaphore" | "future" => {
                error.help(format!("bind the result to a local: `x <- {word} …`"))
            }
            _ => error.help(format!("`{word}` is a word of the language and cannot be a name")),
        }
    }

    fn accumulate(&mut self) -> Result<(Expr, Place, Operator), Diagnostic> {
        self.next();
        let value = self.expr()?;
        self.word("to")?;
        let place = self.place()?;
        self.word("with")?;
        let operator = Operator::ALL.into_iter().find(|operator| match &self.peek().kind {
            TokenKind::Word(word) => operator.symbol() == word,
            TokenKind::Symbol(symbol) => operator.symbol() == *symbol,
            _ => false,
        });
        let Some(operator) = operator else {
            return Err(self.expected("an operator (one of + * & | ^ min max - /)"));
        };
        self.next();
        Ok((value, place, operator))
    }

    /// A statement whose last part is a block; its span is what stands before the block.
    fn with_block(&mut self, word: &str, start: Span) -> Result<Statement, Diagnostic> {
        self.next();
        let mut end = start;
        let kind = match word {
            "while" => {
                self.symbol("(")?;
                let zero = self.peek().kind == TokenKind::Int(0);
                if !zero {
                    return Err(self.expected("`0`").help("write `while (0 != load y) { }`"));
                }
                self.next();
                self.symbol("!=")?;
                self.word("load")?;
                let place = self.place()?;
                end = self.symbol(")")?;
                StatementKind::While(place, self.block()?)
            }
            "if" => {
                self.symbol("(")?;
                let condition = self.expr()?;
                end = self.symbol(")")?;
                let then = self.block()?;
                StatementKind::If(condition, then, self.otherwise()?)
            }
            "for" => {
                let name = self.name("a name for the loop variable")?;
                self.word("in")?;
                let from = self.expr()?;
                self.symbol("..")?;
                let to = self.expr()?;
                end = to.span;
                StatementKind::For(name, from, to, self.block()?)
            }
            "async" => StatementKind::Task(Start::Async, self.block()?),
            "spawn" => StatementKind::Task(Start::Spawn, self.block()?),
            "finish" => StatementKind::Finish(self.block()?),
            _ => StatementKind::Isolated(self.block()?),
        };
        Ok(Statement { kind, span: start.to(end) })
    }

    fn otherwise(&mut self) -> Result<Option<Block>, Diagnostic> {
        // `else` may stand on a line of its own.
        let before = self.at;
        self.skip_terminators();
        if !self.is_word("else") {
            self.at = before;
            return Ok(None);
        }
        self.next();
        if self.is_word("if") {
            self.enter()?;
            let nested = self.statement()?;
            self.depth -= 1;
            let end = self.last_span();
            return Ok(Some(Block { statements: vec![nested], end }));
        }
        Ok(Some(self.block()?))
    }

    fn name(&mut self, what: &str) -> Result<Name, Diagnostic> {
        match &self.peek().kind {
            TokenKind::Word(word) if !KEYWORDS.contains(&word.as_str()) => {
                let text = word.clone();
                Ok(Name { text, span: self.next().span })
            }
            _ => Err(self.expected(what)),
        }
    }

    /// `x <- …` or `x.op`.
    fn named(&mut self) -> Result<Statement, Diagnostic> {
        let name = self.name("a statement")?;
        let start = name.span;
        if self.is_symbol(".") {
            self.next();
            let kind = match &self.peek().kind {
                TokenKind::Word(word) if word == "set" => StatementKind::Set(name),
                TokenKind::Word(word) if word == "get" => StatementKind::Get(name),
                TokenKind::Word(word) if word == "P" => StatementKind::Wait(name),
                TokenKind::Word(word) if word == "V" => StatementKind::Signal(name),
                _ => return Err(self.expected("`set`, `get`, `P` or `V`")),
            };
            let end = self.next().span;
            return Ok(Statement { kind, span: start.to(end) });
        }
        if self.is_symbol("=") {
            return Err(self.expected("`<-`").help("locals are bound with `<-`"));
        }
        if !self.is_symbol("<-") {
            let error = self.expected("`<-` or `.`");
            return Err(error.label(format!("`{}` begins no statement", name.text)));
        }
        self.next();
        let (initial, end) = self.initial()?;
        Ok(Statement { kind: StatementKind::Let(name, initial), span: start.to(end) })
    }

    fn initial(&mut self) -> Result<(Initial, Span), Diagnostic> {
        let word = match &self.peek().kind {
            TokenKind::Word(word) => word.clone(),
            _ => String::new(),
        };
        let initial = match word.as_str() {
            "alloc" => {
                self.next();
                Initial::Alloc
            }
            "new_promise" => {
                self.next();
                Initial::NewPromise
            }
            "array" => {
                self.next();
                Initial::Array(self.expr()?)
            }
            "new_semaphore" => {
                self.next();
                Initial::NewSemaphore(self.expr()?)
            }
            "load" => {
                self.next();
                Initial::Load(self.place()?)
            }
            "accumulate" => {
                let (value, place, operator) = self.accumulate()?;
                Initial::Accumulate(value, place, operator)
            }
            "future" => {
                let span = self.next().span;
                return Ok((Initial::Future(self.block()?), span));
            }
            _ => Initial::Value(self.expr()?),
        };
        Ok((initial, self.last_span()))
    }

    fn place(&mut self) -> Result<Place, Diagnostic> {
        let name = self.name("the name of a shared variable")?;
        let mut span = name.span;
        let mut index = None;
        if self.is_symbol("[") {
            self.next();
            index = Some(self.expr()?);
            span = span.to(self.symbol("]")?);
        }
        Ok(Place { name, index, span })
    }

    fn expr(&mut self) -> Result<Expr, Diagnostic> {
        let (expr, _) = self.binary(1)?;
        Ok(expr)
    }

    fn binary_op(&self) -> Option<BinaryOp> {
        let TokenKind::Symbol(symbol) = self.peek().kind else {
            return None;
        };
        [
            BinaryOp::Add,
            BinaryOp::Sub,
            BinaryOp::Mul,
            BinaryOp::Eq,
            BinaryOp::Ne,
            BinaryOp::Lt,
            BinaryOp::Le,
            BinaryOp::Gt,
            BinaryOp::Ge,
        ]
        .into_iter()
        .find(|op| op.symbol() == symbol)
    }

    /// Precedence climbing. Also returns how high the tree is: a long chain `1 + 1 + …` is as deep
    /// as one in parentheses.
    fn binary(&mut self, least: u8) -> Result<(Expr, u32), Diagnostic> {
        self.enter()?;
        let (mut left, mut height) = self.operand()?;
        while let Some(op) = self.binary_op().filter(|op| op.precedence() >= least) {
            self.next();
            let (right, right_height) = self.binary(op.precedence() + 1)?;
            height = height.max(right_height) + 1;
            if height > MAX_DEPTH {
                return Err(Diagnostic::new("this expression is too long", left.span)
                    .help("bind parts of it to locals"));
            }
            let span = left.span.to(right.span);
            left = Expr { kind: ExprKind::Binary(op, Box::new(left), Box::new(right)), span };
        }
        self.depth -= 1;
        Ok((left, height))
    }

    fn operand(&mut self) -> Result<(Expr, u32), Diagnostic> {
        let token = self.peek().clone();
        match token.kind {
            TokenKind::Int(value) => {
                self.next();
                Ok((Expr { kind: ExprKind::Int(value), span: token.span }, 1))
            }
            TokenKind::Symbol("-") => {
                self.next();
                self.enter()?;
                let (inner, height) = self.operand()?;
                self.depth -= 1;
                let span = token.span.to(inner.span);
                Ok((Expr { kind: ExprKind::Negate(Box::new(inner)), span }, height + 1))
            }
            TokenKind::Symbol("(") => {
                self.next();
                let (mut inner, height) = self.binary(1)?;
                inner.span = token.span.to(self.symbol(")")?);
                Ok((inner, height))
            }
            TokenKind::Word(word) if word == "load" => Err(self
                .expected("an expression")
                .help("a load is a statement of its own: `x <- load y`")),
            _ => {
                let name = self.name("an expression")?;
                Ok((Expr { span: name.span, kind: ExprKind::Local(name) }, 1))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::parse;
    use crate::source::Source;
    use crate::syntax::print;

    fn error(text: &str) -> (String, String) {
        let source = Source::new("t", text);
        let error = parse(&source).expect_err("should not parse");
        let at = source.position(error.span.start);
        (error.message, format!("{}:{}", at.line, at.column))
    }

    #[test]
    fn errors_say_what_was_expected_and_where() {
        let cases = [
            ("x <- ", "expected an expression, found the end of the program", "1:5"),
            ("store 1 x", "expected `to`, found `x`", "1:9"),
            ("async {\n x <- 1", "this block is never closed", "1:7"),
            ("}", "`}` without a `{` before it", "1:1"),
            ("x = 1", "expected `<-`, found `=`", "1:3"),
            ("load y", "expected a statement, found `load`", "1:1"),
            ("x <- 1 y <- 2", "expected a newline or `;` after the statement, found `y`", "1:8"),
            ("while (1 != load x) { }", "expected `0`, found `1`", "1:8"),
            ("p.put", "expected `set`, `get`, `P` or `V`, found `put`", "1:3"),
            ("x <- 99999999999999999999", "this number does not fit in 64 bits", "1:6"),
            ("x <- 1 ? 2", "unexpected character '?'", "1:8"),
            ("store 1 to min", "expected the name of a shared variable, found `min`", "1:12"),
        ];
        for (text, message, at) in cases {
            assert_eq!(error(text), (message.to_owned(), at.to_owned()), "{text}");
        }
    }

    #[test]
    fn deep_nesting_is_an_error_not_a_crash() {
        let message = |text: String| error(&text).0;
        assert!(message("x <- ".to_owned() + &"(".repeat(100_000)).contains("levels deep"));
        assert!(message("x <- ".to_owned() + &"-".repeat(100_000)).contains("levels deep"));
        assert!(message("async {".repeat(100_000)).contains("levels deep"));
        assert!(message("x <- 1".to_owned() + &" + 1".repeat(100_000)).contains("too long"));
        let chain = "if (1) { } else ".repeat(100_000);
        assert!(message(chain).contains("levels deep"));
    }

    #[test]
    fn printing_and_parsing_are_inverse() {
        let text = "x <- alloc\na <- array 3\nfor i in 0..3 {\n    async {\n        store i + 1 * (2 - -3) to a[i]\n    }\n}\nif (1 <= 2) {\n    print 1\n} else {\n    while (0 != load x) {\n        isolated {\n            store 0 to x\n        }\n    }\n}\nf <- future {\n    accumulate 2 to x with min\n}\nf.get\n";
        let tree = parse(&Source::new("t", text)).unwrap();
        assert_eq!(print(&tree), text);
    }
}
