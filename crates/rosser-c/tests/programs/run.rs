//! Running a program, and how it ended.

use std::fmt;
use std::io::Read as _;
use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// How long a program may take. None takes a second, on a machine that has nothing else to do.
const PATIENCE: Duration = Duration::from_secs(120);

const SIGABRT: i32 = 6;

pub struct Ended {
    /// Nothing if it had to be killed.
    status: Option<ExitStatus>,
    stderr: String,
}

pub fn run(binary: &Path) -> Ended {
    let mut child = Command::new(binary)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program can be started");
    let mut pipe = child.stderr.take().expect("it is piped");
    let reader = thread::spawn(move || {
        let mut bytes = Vec::new();
        let _ = pipe.read_to_end(&mut bytes);
        String::from_utf8_lossy(&bytes).into_owned()
    });
    let started = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().expect("the program can be waited for") {
            break Some(status);
        }
        if started.elapsed() > PATIENCE {
            child.kill().expect("the program can be killed");
            child.wait().expect("the program can be waited for");
            break None;
        }
        thread::sleep(Duration::from_millis(1));
    };
    Ended { status, stderr: reader.join().expect("reading does not panic") }
}

impl Ended {
    /// Whether it ended as a program should.
    pub fn well(&self) -> Result<(), String> {
        match self.status {
            None => Err("it hangs".to_owned()),
            Some(status) if status.success() => Ok(()),
            Some(status) => Err(format!("it failed: {status}")),
        }
    }

    /// Whether it ended by `abort`.
    pub fn aborted(&self) -> Result<(), String> {
        match self.status {
            None => Err("it hangs".to_owned()),
            Some(status) if status.signal() == Some(SIGABRT) => Ok(()),
            Some(status) => Err(format!("it did not abort: {status}")),
        }
    }

    /// Whether the message contains a text, and not only the beginning of a longer number.
    pub fn says(&self, text: &str) -> Result<(), String> {
        let mut after = self.stderr.split(text).skip(1);
        if after.any(|rest| !rest.starts_with(|next: char| next.is_ascii_digit())) {
            Ok(())
        } else {
            Err(format!("it does not say `{text}`"))
        }
    }
}

impl fmt::Display for Ended {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.stderr)
    }
}
