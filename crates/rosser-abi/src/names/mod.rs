//! What Rosser knows by name of code that is not its own. It is known here and nowhere else.
//!
//! The runtime asks while the program runs, the instrumentation while it is built, the report afterwards. A name that
//! a library changes in a new version is changed in these tables.
//!
//! * [`crates`]: which crates are libraries, and of what kind.
//! * [`symbols`]: names of symbols that the compiler or Rosser adds.
//! * [`passing_on`]: functions that only pass tasks on.
//! * [`standard_library`]: the parts of it that have no checks.
//! * [`synchronisation`]: the code of once-cells, locks, reference counts and searches.

pub mod crates;
pub mod passing_on;
pub mod standard_library;
pub mod symbols;
pub mod synchronisation;
