//! The programs of Jin, Yu, Cogumbreiro, Shirako and Sarkar, *Dynamic Determinacy Race Detection for
//! Task-Parallel Programs with Promises* (ECOOP 2023). Those that it shares with other papers are with
//! them.

pub mod health;
pub mod poisson;
pub mod sparselu;
pub mod strassen;
