//! One run of a program: what it computed, what it used, and what Rosser says of it.

use std::fs::{self, File};
use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use rosser_abi::run_file::{HEADER_WORDS, MAGIC, VERSION, header, state, stop};
use wait4::Wait4;

/// What a process has used, as the system tells at its end.
#[derive(Clone, Copy, Debug)]
pub struct Usage {
    /// Time spent in the program itself.
    pub user: Duration,
    /// Time the system spent for it: mostly, making pages.
    pub system: Duration,
    /// Time from its start to its end.
    pub wall: Duration,
    /// The most memory it has had resident, in KiB.
    pub peak_kib: u64,
}

impl Usage {
    /// All time. The system knows the sum exactly, but how it divides only from samples.
    pub fn cpu(self) -> Duration {
        self.user + self.system
    }
}

/// What came of a run.
#[derive(Clone, Copy, Debug)]
pub struct Outcome {
    /// The program's check value.
    pub check: u64,
    /// The time and memory that the process used.
    pub usage: Usage,
    /// How many tasks it had, if it was checked.
    pub tasks: u64,
}

/// Why nothing came of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NoOutcome {
    /// The detector does not admit what the program does.
    NotAdmitted,
    /// It could not be run, or gave a wrong answer: why.
    Failed(String),
}

impl<T: Into<String>> From<T> for NoOutcome {
    fn from(why: T) -> Self {
        Self::Failed(why.into())
    }
}

/// What `timeout` ends with when it was needed.
const TIMED_OUT: i32 = 124;

/// Runs a program that Rosser does not check.
pub fn unchecked(mut command: Command) -> Result<Outcome, String> {
    let started = Instant::now();
    let mut child = command.stdout(Stdio::piped()).spawn().map_err(|error| error.to_string())?;
    // One short line fits into the pipe, so the child never waits for us to read it.
    let ended = child.wait4().map_err(|error| error.to_string())?;
    let wall = started.elapsed();
    if ended.status.code() == Some(TIMED_OUT) {
        return Err("it takes too long".to_owned());
    }
    if !ended.status.success() {
        return Err(ended.status.to_string());
    }
    let mut output = String::new();
    let pipe = child.stdout.as_mut().ok_or("no output")?;
    pipe.read_to_string(&mut output).map_err(|error| error.to_string())?;
    let check = output.trim_end().parse();
    let check = check.map_err(|_| format!("no check value, but `{}`", output.trim_end()))?;
    let usage = Usage {
        user: ended.rusage.utime,
        system: ended.rusage.stime,
        wall,
        peak_kib: ended.rusage.maxrss / 1024,
    };
    Ok(Outcome { check, usage, tasks: 0 })
}

/// Runs a program that Rosser checks, which must leave one run file; `has_findings` says
/// whether there must be findings in it, or must be none.
pub fn checked(
    command: Command,
    directory: &Path,
    has_findings: bool,
) -> Result<Outcome, NoOutcome> {
    let outcome = unchecked(command);
    judged(outcome, read_header(directory), has_findings)
}

/// What came of a run, given the header of its run file.
fn judged(
    outcome: Result<Outcome, String>,
    header: Result<Vec<u64>, String>,
    has_findings: bool,
) -> Result<Outcome, NoOutcome> {
    // A run that was stopped fails, too; why it was is in the run file.
    if header.as_ref().is_ok_and(|header| is_refused(header)) {
        return Err(NoOutcome::NotAdmitted);
    }
    let (outcome, header) = (outcome?, header?);
    Ok(Outcome { tasks: tasks(&header, has_findings)?, ..outcome })
}

/// The header of the only run file in a directory.
fn read_header(directory: &Path) -> Result<Vec<u64>, String> {
    let mut files = fs::read_dir(directory).map_err(|error| error.to_string())?;
    let file = files.next().ok_or("nothing was checked")?.map_err(|error| error.to_string())?;
    if files.next().is_some() {
        return Err("more than one run file".to_string());
    }
    let mut bytes = vec![0; HEADER_WORDS * 8];
    let mut reader = File::open(file.path()).map_err(|error| error.to_string())?;
    reader.read_exact(&mut bytes).map_err(|error| error.to_string())?;
    let (words, _) = bytes.as_chunks();
    let words: Vec<u64> = words.iter().map(|word| u64::from_le_bytes(*word)).collect();
    Ok(words)
}

/// Whether a run was stopped because the detector does not admit what the program does.
fn is_refused(words: &[u64]) -> bool {
    is_known(words)
        && words[header::STATE] == state::STOPPED
        && words[header::STATE_DETAIL] == stop::NOT_ADMITTED
}

/// Whether it is a run file of this version.
fn is_known(words: &[u64]) -> bool {
    words[header::MAGIC] == MAGIC && words[header::VERSION] == VERSION
}

/// How many tasks a run had that ended well, with or without findings as it should.
fn tasks(words: &[u64], has_findings: bool) -> Result<u64, String> {
    if !is_known(words) {
        return Err("not a run file of this version".to_string());
    }
    if words[header::STATE] != state::ENDED {
        return Err(format!("the run is in state {}", words[header::STATE]));
    }
    match (words[header::FINDINGS], has_findings) {
        (0, true) => Err("no finding in a program that is order-dependent".to_string()),
        (findings @ 1.., false) => Err(format!("{findings} findings in a program without races")),
        _ => Ok(words[header::TASKS]),
    }
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use rosser_abi::run_file::{HEADER_WORDS, MAGIC, VERSION, header, state, stop};

    use super::{NoOutcome, judged, tasks, unchecked};

    fn ended() -> Vec<u64> {
        let mut words = vec![0; HEADER_WORDS];
        words[header::MAGIC] = MAGIC;
        words[header::VERSION] = VERSION;
        words[header::STATE] = state::ENDED;
        words[header::TASKS] = 7;
        words
    }

    #[test]
    fn a_run_must_end_with_findings_or_without() {
        assert_eq!(tasks(&ended(), false), Ok(7));
        assert!(tasks(&ended(), true).is_err());
        let mut words = ended();
        words[header::FINDINGS] = 2;
        assert_eq!(tasks(&words, true), Ok(7));
        assert_eq!(tasks(&words, false), Err("2 findings in a program without races".to_string()));
        words[header::STATE] = state::STOPPED;
        assert_eq!(tasks(&words, false), Err("the run is in state 3".to_string()));
        words[header::VERSION] += 1;
        assert_eq!(tasks(&words, false), Err("not a run file of this version".to_string()));
    }

    fn shell(script: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        command
    }

    #[test]
    fn what_is_not_admitted_is_no_failure() {
        let left = |script: &str, words: &[u64]| {
            let outcome = unchecked(shell(script));
            judged(outcome, Ok(words.to_vec()), false).map(|outcome| outcome.tasks)
        };
        let failed = |why: &str| Err(NoOutcome::Failed(why.to_string()));
        assert_eq!(left("echo 42", &ended()), Ok(7));
        let mut words = ended();
        words[header::STATE] = state::STOPPED;
        words[header::STATE_DETAIL] = stop::BLOCKED;
        assert_eq!(left("exit 3", &words), failed("exit status: 3"));
        words[header::STATE_DETAIL] = stop::NOT_ADMITTED;
        assert_eq!(left("exit 3", &words), Err(NoOutcome::NotAdmitted));
        words[header::VERSION] += 1;
        assert_eq!(left("exit 3", &words), failed("exit status: 3"));
    }

    #[test]
    fn time_passes_while_a_program_waits() {
        let usage = unchecked(shell("sleep 0.1; echo 42")).expect("it succeeds").usage;
        assert!(usage.wall.as_millis() >= 100, "{usage:?}");
    }

    #[test]
    fn a_program_must_succeed_and_print_a_number() {
        let check = |script: &str| unchecked(shell(script)).map(|outcome| outcome.check);
        assert_eq!(check("echo 42"), Ok(42));
        assert_eq!(check("echo forty-two"), Err("no check value, but `forty-two`".to_string()));
        assert_eq!(check("echo 42; exit 66"), Err("exit status: 66".to_string()));
    }
}
