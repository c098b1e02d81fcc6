//! Text to tokens.

use crate::diagnostic::Diagnostic;
use crate::source::{Source, Span};

/// What a token is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum TokenKind {
    /// A name or a keyword; the parser decides which.
    Word(String),
    /// An integer.
    Int(i64),
    /// Punctuation, as written.
    Symbol(&'static str),
    /// A newline or `;`.
    Terminator,
    /// The end of the text.
    End,
}

/// A token with its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Token {
    pub(super) kind: TokenKind,
    pub(super) span: Span,
}

impl Token {
    /// The token as an error message names it.
    pub(super) fn describe(&self) -> String {
        match &self.kind {
            TokenKind::Word(word) => format!("`{word}`"),
            TokenKind::Int(value) => format!("`{value}`"),
            TokenKind::Symbol(symbol) => format!("`{symbol}`"),
            TokenKind::Terminator => "the end of the statement".to_owned(),
            TokenKind::End => "the end of the program".to_owned(),
        }
    }
}

/// Longer ones first, so that `<-` is not read as `<` and `-`.
const SYMBOLS: [&str; 23] = [
    "<-", "<=", ">=", "==", "!=", "..", "<", ">", "{", "}", "(", ")", "[", "]", "+", "-", "*", "/",
    "&", "|", "^", ".", "=",
];

/// Splits a text into tokens. Newlines inside parentheses and brackets are mere space.
pub(super) fn tokenize(source: &Source) -> Result<Vec<Token>, Diagnostic> {
    let text = source.text();
    let mut tokens = Vec::new();
    let mut at = 0;
    let mut depth = 0u32;
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        let (kind, length) = if rest.starts_with("//") {
            at += rest.find('\n').unwrap_or(rest.len());
            continue;
        } else if first == '\n' || first == ';' {
            (TokenKind::Terminator, 1)
        } else if first.is_whitespace() {
            at += first.len_utf8();
            continue;
        } else if first.is_ascii_digit() {
            integer(rest, at)?
        } else if first.is_alphabetic() || first == '_' {
            let length =
                rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
            (TokenKind::Word(rest[..length].to_owned()), length)
        } else if let Some(symbol) = SYMBOLS.iter().find(|symbol| rest.starts_with(**symbol)) {
            match *symbol {
                "(" | "[" => depth += 1,
                ")" | "]" => depth = depth.saturating_sub(1),
                "{" | "}" => depth = 0,
                _ => {}
            }
            (TokenKind::Symbol(symbol), symbol.len())
        } else {
            let span = span(at, first.len_utf8());
            return Err(Diagnostic::new(format!("unexpected character {first:?}"), span)
                .label("not part of the language"));
        };
        if !(kind == TokenKind::Terminator && first == '\n' && depth > 0) {
            tokens.push(Token { kind, span: span(at, length) });
        }
        at += length;
    }
    // The end is where the last line with anything on it ends, which is what a message can show.
    tokens.push(Token { kind: TokenKind::End, span: span(text.trim_end().len(), 0) });
    Ok(tokens)
}

fn span(at: usize, length: usize) -> Span {
    Span { start: at as u32, end: (at + length) as u32 }
}

fn integer(rest: &str, at: usize) -> Result<(TokenKind, usize), Diagnostic> {
    let length = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    let value = rest[..length].parse().map_err(|_| {
        Diagnostic::new("this number does not fit in 64 bits", span(at, length))
            .label(format!("the largest is {}", i64::MAX))
    })?;
    Ok((TokenKind::Int(value), length))
}
