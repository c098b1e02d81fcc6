//! The programs of Raman, Zhao, Sarkar, Vechev and Yahav, *Efficient Data Race Detection for
//! Async-Finish Parallelism* (RV 2010): from the Java Grande Forum, the Shootout, and a challenge.

pub mod crypt;
pub mod fannkuch;
pub mod fasta;
pub mod lufact;
pub mod mandelbrot;
pub mod matmul;
pub mod moldyn;
pub mod montecarlo;
pub mod raytracer;
pub mod series;
pub mod sor;
pub mod sparse;
