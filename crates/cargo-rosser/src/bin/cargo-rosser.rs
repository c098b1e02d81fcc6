//! The `cargo rosser` command; all of it is in the library.

use std::process::ExitCode;

use mimalloc::MiMalloc;

/// Also in place of `malloc`, for LLVM: the C library's own takes a tenth of the time that putting checks in takes.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    cargo_rosser::main()
}
