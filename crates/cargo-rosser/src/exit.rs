//! Exit codes. They are part of the interface; `cargo rosser --help` lists them.
//!
//! What is not listed here is the checked program's, or cargo's, own code: 101 for a build that
//! failed, and 128 plus the signal's number for a program that a signal ended.

/// No determinacy race.
pub const CLEAN: u8 = 0;
/// The command line, a setting or the toolchain will not do.
pub const USAGE: u8 = 2;
/// Rosser stopped the program because it could not go on in serial order, or did what the chosen
/// detector does not admit, and no race was found.
pub const STOPPED: u8 = 3;
/// Programs ran, but none of them was checked, or not by all checks.
pub const NOT_CHECKED: u8 = 4;
/// A program ended, or was ended, before all its tasks had, and no race was found.
pub const INCOMPLETE: u8 = 5;
/// A race; or, under `--strict` or `--fail-on order-dependent`, an order-dependence.
pub const RACE: u8 = 66;
/// What cargo ends with when it fails.
pub const CARGO: u8 = 101;
/// Added to the number of the signal that ended a program.
pub const SIGNAL: u8 = 128;

/// The list for `--help`.
pub const HELP: &str = "\
Exit codes:
  0    no determinacy race (order-dependence is a warning)
  2    the command line, a setting or the toolchain will not do
  3    the program cannot go on in serial order, or does what the chosen detector does not admit,
       and was stopped; no race was found
  4    programs ran, but none of them was checked, or not by all checks
  5    a program ended, or was ended, before all its tasks had; no race was found up to there
  66   a race, or order-dependence under --strict or --fail-on order-dependent
  101  cargo failed: the project does not build, or a test failed
  128+ a signal ended the program
  any other: the program's own";
