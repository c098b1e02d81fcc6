//! The programs of Xu, Agrawal and Lee, *Efficient Parallel Determinacy Race Detection for Structured
//! Futures* (SPAA 2021). Every future is got at most once.

pub mod ferret;
pub mod hw;
pub mod mm;
pub mod sort;
pub mod sw;
