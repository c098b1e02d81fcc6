//! The directories of run files, one for each run.

use std::fs;
use std::path::{Path, PathBuf};
use std::process;
use std::time::{SystemTime, UNIX_EPOCH};

use crate::error::{Error, Result};

/// How many runs are kept.
const KEPT: usize = 16;

/// A directory for a new run, which is not made yet.
pub fn name(runs: &Path) -> PathBuf {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    runs.join(format!("{:014}-{}", now.as_millis(), process::id()))
}

/// Makes it, and removes those of runs long ago.
pub fn create(runs: &Path, run: &Path) -> Result<()> {
    let old = list(runs);
    for run in old.iter().rev().skip(KEPT - 1) {
        let _ = fs::remove_dir_all(run);
    }
    fs::create_dir_all(run).map_err(|error| Error::file("create", run, &error))
}

/// The newest run.
pub fn last(runs: &Path) -> Result<PathBuf> {
    list(runs).pop().ok_or_else(|| Error::usage("there is no run to report; start with `run`"))
}

/// All runs, the newest last: their names begin with the time.
fn list(runs: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(runs).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut found: Vec<PathBuf> = entries.filter(|path| path.is_dir()).collect();
    found.sort();
    found
}
