//! One run of a program: what it computed, what it used, and what Rosser says of it.

use std::fs::{self, File};
use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use rosser_runfile::{HEADER_WORDS, MAGIC, VERSION, header, state};
use wait4::Wait4;

/// What a process has used, as the system tells at its end.
#[derive(Clone, Copy, Debug)]
pub struct Usage {
    /// Time spent in the program itself.
    pub user: Duration,
    /// Time the system spent for it: mostly, making pages.
    pub system: Duration,
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
    /// What it used.
    pub usage: Usage,
    /// How many tasks it had, if it was checked.
    pub tasks: u64,
}

/// What `timeout` ends with when it was needed.
const TIMED_OUT: i32 = 124;

/// Runs a program that Rosser does not check.
pub fn unchecked(mut command: Command) -> Result<Outcome, String> {
    let mut child = command.stdout(Stdio::piped()).spawn().map_err(|error| error.to_string())?;
    // One short line fits into the pipe, so the child never waits for us to read it.
    let ended = child.wait4().map_err(|error| error.to_string())?;
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
        peak_kib: ended.rusage.maxrss / 1024,
    };
    Ok(Outcome { check, usage, tasks: 0 })
}

/// Runs a program that Rosser checks, which must leave one run file; `has_findings` says
/// whether there must be findings in it, or must be none.
pub fn checked(command: Command, directory: &Path, has_findings: bool) -> Result<Outcome, String> {
    let outcome = unchecked(command)?;
    let mut files = fs::read_dir(directory).map_err(|error| error.to_string())?;
    let file = files.next().ok_or("nothing was checked")?.map_err(|error| error.to_string())?;
    if files.next().is_some() {
        return Err("more than one run file".to_string());
    }
    let mut bytes = vec![0; HEADER_WORDS * 8];
    let mut reader = File::open(file.path()).map_err(|error| error.to_string())?;
    reader.read_exact(&mut bytes).map_err(|error| error.to_string())?;
    let (words, _) = bytes.as_chunks();
    let header: Vec<u64> = words.iter().map(|word| u64::from_le_bytes(*word)).collect();
    Ok(Outcome { tasks: tasks(&header, has_findings)?, ..outcome })
}

/// How many tasks a run had that ended well, with or without findings as it should.
fn tasks(words: &[u64], has_findings: bool) -> Result<u64, String> {
    if words[header::MAGIC] != MAGIC || words[header::VERSION] != VERSION {
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

    use rosser_runfile::{HEADER_WORDS, MAGIC, VERSION, header, state};

    use super::{tasks, unchecked};

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

    #[test]
    fn a_program_must_succeed_and_print_a_number() {
        let shell = |script: &str| {
            let mut command = Command::new("sh");
            command.args(["-c", script]);
            unchecked(command).map(|outcome| outcome.check)
        };
        assert_eq!(shell("echo 42"), Ok(42));
        assert_eq!(shell("echo forty-two"), Err("no check value, but `forty-two`".to_string()));
        assert_eq!(shell("echo 42; exit 66"), Err("exit status: 66".to_string()));
    }
}
