//! What an access and a task event cost each detector.
//!
//! Every pair of a trace and a detector runs in a process of its own ([`one`]), so that its peak
//! memory can be told; the parent ([`child`]) starts them in turn, several rounds over, and takes
//! the minimum, because a shared machine only ever adds to a time.

pub mod child;
pub mod growth;
pub mod one;
pub mod subject;
pub mod table;
