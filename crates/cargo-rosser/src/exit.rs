//! Exit codes of `cargo rosser` and of `rosser`. They are part of the interface: one code, one meaning.
//!
//! A code that is not listed here is the checked program's own, or cargo's.

/// No determinacy race.
pub const CLEAN: u8 = 0;
/// A program in the model language is invalid or failed, or the model's fuzzer found a mismatch. No checked program
/// makes Rosser return it; it may return it itself.
pub const FAILED: u8 = 1;
/// Wrong usage: a bad argument or setting, a file that cannot be read or written, or an unsupported toolchain.
pub const USAGE: u8 = 2;
/// The run was stopped: it could not go on in serial order, or did what the chosen detector does not admit. No race
/// was found.
pub const STOPPED: u8 = 3;
/// Programs ran, but none of them was checked, or not by all checks.
pub const NOT_CHECKED: u8 = 4;
/// Not everything ran: a program ended before all its tasks had, or the model reached a limit. No race was found up
/// to there.
pub const INCOMPLETE: u8 = 5;
/// A race; under `--strict` or `--fail-on order-dependent`, an order-dependence; of `rosser model explore`, several
/// final states.
pub const RACE: u8 = 66;
/// Cargo's own code for a failure.
pub const CARGO: u8 = 101;
/// Added to the number of the signal that ended a program.
pub const SIGNAL: u8 = 128;

/// The list for `--help` of commands that run checked programs.
pub const HELP: &str = "\
Exit codes:
  0    no determinacy race (order-dependence is a warning)
  2    wrong usage: a bad argument, setting or file, or an unsupported toolchain
  3    the run was stopped: the program cannot go on in serial order, or does what the chosen detector
       does not admit; no race was found
  4    programs ran, but none of them was checked, or not by all checks
  5    a program ended, or was ended, before all its tasks had; no race was found up to there
  66   a race, or order-dependence under --strict or --fail-on order-dependent
  101  cargo failed: the project does not build, or a test failed
  128+ a signal ended the program
  any other: the program's own";
