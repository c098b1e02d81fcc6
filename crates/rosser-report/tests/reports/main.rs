//! Reports from synthetic run files whose addresses are in this very executable, so that names,
//! files and lines go the way that those of a real program go.
//!
//! After a deliberate change of a golden report, look at it and accept it with
//! `INSTA_UPDATE=always cargo test -p rosser-report --test reports`.

mod baselines;
mod damaged;
mod executable;
mod exempt;
mod fixture;
mod formats;
mod golden;
mod many;
mod normal;
mod runs;
mod suppressions;
