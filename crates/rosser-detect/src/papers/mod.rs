//! One file per algorithm. Each opens with its paper, its program class, its guarantee and its
//! cost per access.

mod bags;
mod disjoint_set;
mod dpst;
mod drdp;
mod esp_bags;
mod sp_bags;

pub use drdp::{Drdp, DrdpOptions, JoinOrder, Search, Traversal};
pub use esp_bags::EspBags;
pub use sp_bags::{Atomicity, SpBags};
