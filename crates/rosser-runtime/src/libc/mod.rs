//! Functions of the C library that access memory on behalf of the program.
//!
//! The executable exports their names, so that calls from the program, the standard library and shared
//! libraries come here. What the real function reads and writes is told to the checked thread, with the
//! line of the caller; then the real function, the next of that name, does the work. With checks off
//! that is all.
//!
//! ```text
//!  call        who has called, and the real function
//!  bytes       memcmp and the like      strings: strlen, strcmp, …      copies: strcpy, …
//!  numbers     strtol and the like      sort: qsort
//!  arguments   of functions with any number of them    directives: of formats
//!  printf, scanf
//!  ends        _exit, execve and the like: no accesses, but the run file says how the program ended
//!  files       read, write and the like     sockets: recv, send, …     streams: fread, puts, …
//! ```
//!
//! The names are weak: a program that has a function of the same name keeps its own. Only the compiler
//! that builds the runtime for programs is told so, by `--cfg rosser_weak`, since that takes a feature.
//!
//! Not here, on purpose:
//!
//! * `memcpy`, `memmove` and `memset`: instrumented code calls the sanitizer's instead. What is left are
//!   calls of code that is not instrumented, whose locks are not seen either: of the buffer of standard
//!   output it would be said that tasks race for it.
//! * `bsearch`: only the comparison, which is the program's, looks at the elements.
//! * `strtold`, whose result Rust cannot pass on; the functions of wide characters; those that the C
//!   compiler substitutes if it is told to fortify.

mod arguments;
mod bytes;
mod call;
mod copies;
mod directives;
mod ends;
mod files;
mod numbers;
mod printf;
mod scanf;
mod sockets;
mod sort;
mod streams;
mod strings;
