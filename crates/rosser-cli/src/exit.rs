//! Exit codes. They are part of the interface and are documented in the README.

/// No determinacy race.
pub const CLEAN: u8 = 0;
/// The program is not valid, or failed while it ran.
pub const BAD_PROGRAM: u8 = 1;
/// The command line is not valid, or a file cannot be read or written.
pub const USAGE: u8 = 2;
/// The checked run deadlocked, and no race was found.
pub const DEADLOCK: u8 = 3;
/// A limit was reached before the question could be answered.
pub const LIMIT: u8 = 4;
/// A race; or, under `--strict`, an order-dependence; or, of `explore`, several final states.
pub const RACE: u8 = 66;

/// The code for several files: the most telling one.
pub fn worst(codes: impl IntoIterator<Item = u8>) -> u8 {
    let rank = |code: &u8| match *code {
        CLEAN => 0,
        LIMIT => 1,
        DEADLOCK => 2,
        BAD_PROGRAM => 3,
        USAGE => 4,
        _ => 5,
    };
    codes.into_iter().max_by_key(rank).unwrap_or(CLEAN)
}
