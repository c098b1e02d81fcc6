//! Random programs as text: real ones with pieces changed, and tiny ones of a few tasks.

use std::fmt::Write;

use proptest::prelude::{Just, Strategy, any, prop_oneof};
use proptest::sample::select;

use crate::files;

/// The text of every example program.
pub fn texts() -> Vec<String> {
    let files = files::below(&files::programs());
    files.iter().map(|path| std::fs::read_to_string(path).expect("it is text")).collect()
}

/// One change of a text. Places are fractions of its length, in 1/65536.
#[derive(Clone, Debug)]
enum Edit {
    DeleteChunk(u16, u8),
    RepeatChunk(u16, u8),
    ReplaceChunk(u16, u8, String),
    DeleteLine(u16),
    RepeatLine(u16),
    SwapLines(u16, u16),
    ReplaceToken(u16, String),
    InsertLine(u16, String),
}

const TOKENS: [&str; 40] = [
    "async",
    "spawn",
    "finish",
    "isolated",
    "sync",
    "begin_finish",
    "end_finish",
    "future",
    "return",
    "load",
    "store",
    "to",
    "alloc",
    "array",
    "while",
    "if",
    "else",
    "for",
    "in",
    "with",
    "min",
    "0",
    "1",
    "-1",
    "9223372036854775807",
    "99999999999999999999",
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    "<-",
    "..",
    ";",
    ".set",
    ".get",
    ".P",
    "x",
    "é",
];

const LINES: [&str; 16] = [
    "return",
    "sync",
    "begin_finish",
    "end_finish",
    "async {",
    "finish {",
    "spawn {",
    "isolated {",
    "}",
    "x <- alloc",
    "p <- new_promise",
    "p.set",
    "p.get",
    "s <- new_semaphore 1",
    "s.P",
    "print 1",
];

/// One of the texts with up to six changes.
pub fn mutated(texts: Vec<String>) -> impl Strategy<Value = String> {
    (select(texts), proptest::collection::vec(edit(), 1..=6))
        .prop_map(|(text, edits)| edits.iter().fold(text, |text, edit| apply(&text, edit)))
}

fn edit() -> impl Strategy<Value = Edit> {
    let at = any::<u16>;
    let word = || select(&TOKENS[..]).prop_map(str::to_owned);
    let line = || select(&LINES[..]).prop_map(str::to_owned);
    prop_oneof![
        1 => (at(), any::<u8>()).prop_map(|(at, length)| Edit::DeleteChunk(at, length)),
        1 => (at(), any::<u8>()).prop_map(|(at, length)| Edit::RepeatChunk(at, length)),
        1 => (at(), any::<u8>(), word()).prop_map(|(at, n, text)| Edit::ReplaceChunk(at, n % 8, text)),
        3 => at().prop_map(Edit::DeleteLine),
        3 => at().prop_map(Edit::RepeatLine),
        3 => (at(), at()).prop_map(|(a, b)| Edit::SwapLines(a, b)),
        3 => (at(), word()).prop_map(|(at, text)| Edit::ReplaceToken(at, text)),
        3 => (at(), line()).prop_map(|(at, text)| Edit::InsertLine(at, text)),
    ]
}

fn scaled(at: u16, length: usize) -> usize {
    length * usize::from(at) / 65_536
}

/// The last offset up to the given one that does not split a character.
fn boundary(text: &str, at: usize) -> usize {
    (0..=at).rev().find(|offset| text.is_char_boundary(*offset)).unwrap_or(0)
}

fn apply(text: &str, edit: &Edit) -> String {
    let chunk = |at: u16, length: u8| {
        let start = boundary(text, scaled(at, text.len()));
        let end = boundary(text, (start + usize::from(length)).min(text.len()));
        start..end.max(start)
    };
    let mut lines: Vec<&str> = text.lines().collect();
    let line = |at: u16| scaled(at, lines.len());
    match edit {
        Edit::DeleteChunk(at, length) => replaced(text, chunk(*at, *length), ""),
        Edit::RepeatChunk(at, length) => {
            let range = chunk(*at, *length);
            let twice = text[range.clone()].repeat(2);
            replaced(text, range, &twice)
        }
        Edit::ReplaceChunk(at, length, with) => replaced(text, chunk(*at, *length), with),
        Edit::ReplaceToken(at, with) => {
            let range = token(text, chunk(*at, 0).start);
            replaced(text, range, with)
        }
        _ if lines.is_empty() => text.to_owned(),
        Edit::DeleteLine(at) => {
            let at = line(*at);
            lines.remove(at);
            lines.join("\n")
        }
        Edit::RepeatLine(at) => {
            let at = line(*at);
            lines.insert(at, lines[at]);
            lines.join("\n")
        }
        Edit::SwapLines(a, b) => {
            let (a, b) = (line(*a), line(*b));
            lines.swap(a, b);
            lines.join("\n")
        }
        Edit::InsertLine(at, with) => {
            let at = line(*at);
            lines.insert(at, with);
            lines.join("\n")
        }
    }
}

fn replaced(text: &str, range: std::ops::Range<usize>, with: &str) -> String {
    format!("{}{with}{}", &text[..range.start], &text[range.end..])
}

/// The run of characters without a space around an offset.
fn token(text: &str, at: usize) -> std::ops::Range<usize> {
    let start = text[..at]
        .rfind(char::is_whitespace)
        .map_or(0, |space| space + text[space..].chars().next().map_or(1, char::len_utf8));
    let end = text[at..].find(char::is_whitespace).map_or(text.len(), |space| at + space);
    start..end
}

/// A statement of a tiny program, over two variables, two promises and one semaphore.
#[derive(Clone, Debug)]
enum Tiny {
    Load(u8),
    Store(u8, u8),
    /// Stores one more than was read last.
    StoreRead(u8),
    Accumulate(u8, u8, &'static str),
    Isolated(Vec<Tiny>),
    Set(u8),
    Get(u8),
    Wait(u8),
    Signal(u8),
    Print,
    /// Fails if the last value read is not zero.
    FailIfRead,
    /// Goes on only if the last value read is not zero.
    IfRead(Vec<Tiny>),
    Task(Vec<Tiny>),
    Finish(Vec<Tiny>),
}

/// A program of two or three tasks with at most seven statements that others can notice.
pub fn tiny() -> impl Strategy<Value = String> {
    let body = || proptest::collection::vec(statement(), 1..=4);
    (proptest::collection::vec(body(), 1..=3), proptest::collection::vec(statement(), 0..=2))
        .prop_map(|(tasks, main)| {
            let mut writer = Writer { text: String::new(), budget: 7, locals: 0 };
            writer.text.push_str(
                "x0 <- alloc\nx1 <- alloc\na <- array 1\np0 <- new_promise\np1 <- new_promise\n\
                 s0 <- new_semaphore 1\ns1 <- new_semaphore 0\n",
            );
            for body in tasks {
                writer.text.push_str("async {\n");
                writer.block(&body, None);
                writer.text.push_str("}\n");
            }
            writer.block(&main, None);
            writer.text
        })
}

fn access() -> impl Strategy<Value = Tiny> {
    let operator = select(&["+", "+", "*", "-", "max"][..]);
    prop_oneof![
        (0..2u8).prop_map(Tiny::Load),
        (0..2u8, 0..3u8).prop_map(|(variable, value)| Tiny::Store(variable, value)),
        (0..2u8).prop_map(Tiny::StoreRead),
        (0..2u8, 1..3u8, operator).prop_map(|(x, value, op)| Tiny::Accumulate(x, value, op)),
    ]
}

fn statement() -> impl Strategy<Value = Tiny> {
    let leaf = prop_oneof![
        6 => access(),
        1 => proptest::collection::vec(access(), 1..=2).prop_map(Tiny::Isolated),
        2 => (0..2u8).prop_map(Tiny::Set),
        2 => (0..2u8).prop_map(Tiny::Get),
        2 => (0..2u8).prop_map(Tiny::Wait),
        2 => (0..2u8).prop_map(Tiny::Signal),
        1 => Just(Tiny::Print),
        1 => Just(Tiny::FailIfRead),
    ];
    leaf.prop_recursive(2, 6, 2, |inner| {
        let body = || proptest::collection::vec(inner.clone(), 1..=2);
        prop_oneof![
            body().prop_map(Tiny::IfRead),
            body().prop_map(Tiny::Task),
            body().prop_map(Tiny::Finish),
        ]
    })
}

struct Writer {
    text: String,
    /// How many more statements that others can notice may be written.
    budget: u32,
    locals: u32,
}

impl Writer {
    fn line(&mut self, line: &str) {
        let _ = writeln!(self.text, "{line}");
    }

    /// Writes statements; `read` is the local that holds the last value read.
    fn block(&mut self, statements: &[Tiny], mut read: Option<String>) {
        for statement in statements {
            let free = matches!(
                statement,
                Tiny::Get(_)
                    | Tiny::Print
                    | Tiny::FailIfRead
                    | Tiny::IfRead(_)
                    | Tiny::Task(_)
                    | Tiny::Finish(_)
            );
            if !free {
                if self.budget == 0 {
                    continue;
                }
                self.budget -= 1;
            }
            self.statement(statement, &mut read);
        }
    }

    fn nested(&mut self, head: &str, body: &[Tiny], read: Option<String>) {
        self.line(&format!("{head} {{"));
        self.block(body, read);
        self.line("}");
    }

    fn statement(&mut self, statement: &Tiny, read: &mut Option<String>) {
        let value = read.clone().unwrap_or_else(|| "1".to_owned());
        match statement {
            Tiny::Load(variable) => {
                self.locals += 1;
                let name = format!("v{}", self.locals);
                self.line(&format!("{name} <- load x{variable}"));
                *read = Some(name);
            }
            Tiny::Store(variable, number) => self.line(&format!("store {number} to x{variable}")),
            Tiny::StoreRead(variable) => self.line(&format!("store {value} + 1 to x{variable}")),
            Tiny::Accumulate(variable, number, operator) => {
                self.line(&format!("accumulate {number} to x{variable} with {operator}"));
            }
            Tiny::Isolated(body) => {
                // One point of choice, however long it is.
                let budget = std::mem::replace(&mut self.budget, 2);
                self.nested("isolated", body, read.clone());
                self.budget = budget;
            }
            Tiny::Set(promise) => self.line(&format!("p{promise}.set")),
            Tiny::Get(promise) => self.line(&format!("p{promise}.get")),
            Tiny::Wait(semaphore) => self.line(&format!("s{semaphore}.P")),
            Tiny::Signal(semaphore) => self.line(&format!("s{semaphore}.V")),
            Tiny::Print => self.line(&format!("print {value}")),
            Tiny::FailIfRead => {
                if let Some(name) = read {
                    let line = format!("store 0 to a[{name}]");
                    self.line(&line);
                }
            }
            Tiny::IfRead(body) => self.nested(&format!("if ({value})"), body, read.clone()),
            Tiny::Task(body) => self.nested("async", body, read.clone()),
            Tiny::Finish(body) => self.nested("finish", body, read.clone()),
        }
    }
}
