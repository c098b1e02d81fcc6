//! The serial engine from outside: what its word-by-word functions answer.

mod any_order;
mod compaction;
mod halves;
mod promises;
mod readers;
mod shared_readers;
mod used_again;
mod weak_order;
