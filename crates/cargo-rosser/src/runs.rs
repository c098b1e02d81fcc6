//! The directories of run files, one for each run.
//!
//! A target directory may be shared by many projects, and many runs may go on at once. So the name of a run's
//! directory begins with the time and says which project it is of; and as long as the run goes on and is
//! reported, its directory is locked. Only old runs of the same project are removed that nobody has locked.
//! Nobody locks the directories of `show-env`, whose programs run later: they are removed by their age alone.

use std::ffi::OsStr;
use std::fs::{self, DirBuilder, File};
use std::hash::{BuildHasher, DefaultHasher, Hash, Hasher, RandomState};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::process;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use rustix::fs::{FlockOperation, flock};

use crate::cache;
use crate::error::{Error, Result};

/// How many runs of a project are kept.
const KEPT: usize = 16;
/// How long directories are kept that nobody has locked, but somebody may still use.
const IN_USE: Duration = Duration::from_secs(7 * 24 * 60 * 60);
/// How the names of directories end that are not locked.
const UNLOCKED: &str = "-env";

/// The runs of one project.
#[derive(Clone, Debug)]
pub struct Runs {
    directory: PathBuf,
    /// What the names of its runs contain.
    project: String,
}

/// A run that goes on, or is being reported: as long as this lives, nobody removes it.
#[derive(Debug)]
pub struct Run {
    /// Its run files are here.
    pub directory: PathBuf,
    _lock: Option<File>,
}

impl Runs {
    /// Those of the project at `root`, in a directory that others may share.
    pub fn new(directory: PathBuf, root: &Path) -> Self {
        let mut hasher = DefaultHasher::new();
        root.hash(&mut hasher);
        Self { directory, project: format!("-{:08x}-", hasher.finish() >> 32) }
    }

    /// A directory for a new run, which is not made yet. No other has the same name.
    pub fn name(&self) -> PathBuf {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let random = RandomState::new().hash_one(()) >> 32;
        let (millis, project, pid) = (now.as_millis(), &self.project, process::id());
        self.directory.join(format!("{millis:014}{project}{pid}-{random:08x}"))
    }

    /// The same for a run that others will start, later.
    pub fn name_for_others(&self) -> PathBuf {
        let mut name = self.name().into_os_string();
        name.push(UNLOCKED);
        name.into()
    }

    /// Makes the directory of a run, and removes those of runs long ago.
    pub fn create(&self, run: PathBuf) -> Result<Run> {
        fs::create_dir_all(&self.directory)
            .map_err(|error| Error::file("create", &self.directory, &error))?;
        let made = DirBuilder::new().mode(0o700).create(&run);
        made.map_err(|error| Error::file("create", &run, &error))?;
        let run = if is_unlocked(&run) { Run { directory: run, _lock: None } } else { locked(run) };
        for old in self.list().iter().rev().skip(KEPT) {
            remove_if_unused(old);
        }
        Ok(run)
    }

    /// The newest run; or a directory that somebody has made by hand for run files, whose name comes later.
    pub fn last(&self) -> Result<Run> {
        let none = || Error::usage("there is no run to report; start with `run`");
        let is_wanted = |name: &str| name.contains(&self.project) || !is_by_us(name);
        self.list_of(is_wanted).pop().ok_or_else(none).map(locked)
    }

    /// All runs of the project, the newest last: their names begin with the time.
    fn list(&self) -> Vec<PathBuf> {
        self.list_of(|name| name.contains(&self.project))
    }

    fn list_of(&self, is_wanted: impl Fn(&str) -> bool) -> Vec<PathBuf> {
        let entries = fs::read_dir(&self.directory).into_iter().flatten().flatten();
        let paths = entries.map(|entry| entry.path());
        let mut found: Vec<PathBuf> =
            paths.filter(|path| is_wanted(&name_of(path)) && path.is_dir()).collect();
        found.sort();
        found
    }
}

/// Whether a directory of that name was made by [`Runs::create`]: it begins with the time.
fn is_by_us(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_digit())
}

fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or_else(|| OsStr::new("")).to_string_lossy().into_owned()
}

fn is_unlocked(path: &Path) -> bool {
    name_of(path).ends_with(UNLOCKED)
}

/// Several may hold the lock: one runs, others report what has come so far.
fn locked(directory: PathBuf) -> Run {
    let file = File::open(&directory).ok();
    // Where there are no locks, only as many runs can go on at once as are kept.
    let lock = file.filter(|file| flock(file, FlockOperation::LockShared).is_ok());
    Run { directory, _lock: lock }
}

/// Removes a run, unless somebody uses it.
fn remove_if_unused(run: &Path) {
    let is_recent = || cache::age(run).is_none_or(|age| age < IN_USE);
    let Ok(file) = File::open(run) else { return };
    if flock(&file, FlockOperation::NonBlockingLockExclusive).is_err() {
        return;
    }
    if !(is_unlocked(run) && is_recent()) {
        let _ = fs::remove_dir_all(run);
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{KEPT, Runs};

    #[test]
    fn only_old_runs_of_the_same_project_are_removed_that_are_over() {
        let directory = tempfile::tempdir().expect("there is a temporary directory");
        let runs = |root: &str| Runs::new(directory.path().join("runs"), Path::new(root));
        let (ours, theirs) = (runs("/ours"), runs("/theirs"));
        let other = theirs.create(theirs.name()).unwrap().directory;
        let for_others = ours.create(ours.name_for_others()).unwrap().directory;
        let going_on = ours.create(ours.name()).unwrap();
        let over = ours.create(ours.name()).unwrap().directory;
        for _ in 0..2 * KEPT {
            // Names of the same millisecond are not in order.
            std::thread::sleep(std::time::Duration::from_millis(2));
            assert!(ours.create(ours.name()).is_ok());
        }
        assert!(going_on.directory.is_dir());
        assert!(other.is_dir());
        assert!(for_others.is_dir());
        assert!(!over.exists());
        assert_eq!(ours.list().len(), KEPT + 2);
        assert_eq!(theirs.last().unwrap().directory, other);
    }

    #[test]
    fn a_name_is_used_once() {
        let directory = tempfile::tempdir().expect("there is a temporary directory");
        let runs = Runs::new(directory.path().to_owned(), Path::new("/ours"));
        let name = runs.name();
        assert_ne!(name, runs.name());
        assert!(runs.create(name.clone()).is_ok());
        assert!(runs.create(name).is_err());
    }
}
