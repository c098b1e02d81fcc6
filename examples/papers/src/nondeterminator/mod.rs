//! The programs of Feng and Leiserson, *Efficient Detection of Determinacy Races in Cilk Programs*
//! (SPAA 1997): the eight that they measured, and the one they tell about.

pub mod fft;
pub mod heat;
pub mod hutch;
pub mod knapsack;
pub mod lu;
pub mod mmult;
pub mod multisort;
pub mod nqueens;
pub mod sparsky;
