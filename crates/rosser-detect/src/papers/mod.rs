//! One file per algorithm. Each opens with its paper, its program class, its guarantee and its
//! cost per access.

mod bags;
mod cells;
mod disjoint_set;
mod dpst;
pub mod drdp;
pub mod esp_bags;
pub mod multi_bags;
pub mod sp_bags;
