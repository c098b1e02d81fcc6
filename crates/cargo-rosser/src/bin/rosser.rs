//! The `rosser` command; all of it is in the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    cargo_rosser::rosser::main()
}
