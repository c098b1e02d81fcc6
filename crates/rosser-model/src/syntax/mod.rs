//! The model language as text: tokens, syntax tree, parser, printer.

pub mod ast;
mod parser;
mod printer;
mod token;

pub use parser::parse;
pub use printer::print;
