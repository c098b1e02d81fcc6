//! `cargo rosser` in small projects: what is built how, what is run, what is said.

mod building;
mod c_code;
mod cached;
mod ends;
mod faults;
mod plugins;
mod project;
mod rayon_sources;
mod reporting;
mod running;
mod unseen;
