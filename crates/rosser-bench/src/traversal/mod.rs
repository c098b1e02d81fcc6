//! How many tasks DRDP's graph searches visit, in the four orders of traversal that its paper
//! compares (Table 3), on computation graphs of the same three programs.
//!
//! The programs' text is not published with the paper. The graphs here follow the `OpenMP`
//! originals in the `KaStORS` suite: the main task, or in Strassen's algorithm the recursion,
//! creates the tasks in program order, and every `depend` clause becomes gets of the promises of
//! the tasks it names ([`depend`]). Locations are blocks of the matrices, not elements.

mod depend;
mod poisson;
mod published;
pub mod report;
mod sparselu;
mod strassen;
