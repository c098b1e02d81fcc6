//! Waiting for cargo, and what happens when somebody wants the whole to end.
//!
//! An interrupt from the keyboard reaches cargo and the programs as well. A request to end, which a supervisor sends
//! to this process alone, is handed on to all that was started, so that nothing is orphaned. Either way this process
//! stays, to report what was found so far; after a second request it does not.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, ExitStatus};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::flag;

use crate::error::{Error, Result};
use crate::exit;

/// How long processes may take to end when they are asked to.
const PATIENCE: Duration = Duration::from_secs(5);
/// How often one looks.
const PAUSE: Duration = Duration::from_millis(20);

/// Runs a command to its end.
pub fn wait(command: &mut Command, name: &OsStr) -> Result<ExitStatus> {
    let handled = |result: std::io::Result<_>| {
        result.map_err(|error| Error::usage(format!("cannot handle signals: {error}")))
    };
    handled(flag::register(SIGINT, Arc::new(AtomicBool::new(false))))?;
    let wanted = Arc::new(AtomicBool::new(false));
    for signal in [SIGTERM, SIGHUP] {
        let code = i32::from(exit::SIGNAL) + signal;
        handled(flag::register_conditional_shutdown(signal, code, Arc::clone(&wanted)))?;
        handled(flag::register(signal, Arc::clone(&wanted)))?;
    }
    let failed = |error| Error::file("run", Path::new(name), &error);
    let mut child = command.spawn().map_err(failed)?;
    let root = child.id();
    let is_over = Arc::new(AtomicBool::new(false));
    let watcher = thread::spawn({
        let (wanted, is_over) = (Arc::clone(&wanted), Arc::clone(&is_over));
        move || {
            while !is_over.load(Ordering::Relaxed) {
                if wanted.load(Ordering::Relaxed) {
                    return end_all(root);
                }
                thread::sleep(PAUSE);
            }
        }
    });
    let status = child.wait().map_err(failed);
    is_over.store(true, Ordering::Relaxed);
    if wanted.load(Ordering::Relaxed) {
        // Those that cargo has started may outlive it.
        let _ = watcher.join();
        return status.map(|_| ExitStatus::from_raw(SIGTERM));
    }
    status
}

/// Ends a process and all that it has started, and they in turn.
fn end_all(root: u32) {
    let all = with_descendants(root);
    let send = |signal| {
        for pid in all.iter().filter(|pid| is_alive(**pid)) {
            let pid = i32::try_from(*pid).ok().and_then(Pid::from_raw);
            // One that has ended meanwhile needs no signal.
            let _ = pid.map(|pid| kill_process(pid, signal));
        }
    };
    send(Signal::TERM);
    let asked = Instant::now();
    while asked.elapsed() < PATIENCE && all.iter().any(|pid| is_alive(*pid)) {
        thread::sleep(PAUSE);
    }
    send(Signal::KILL);
}

/// A process and its descendants.
fn with_descendants(root: u32) -> Vec<u32> {
    let mut children: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for entry in fs::read_dir("/proc").into_iter().flatten().flatten() {
        let Some(pid) = entry.file_name().to_str().and_then(|name| name.parse().ok()) else {
            continue;
        };
        if let Some((_, parent)) = state_and_parent(pid) {
            children.entry(parent).or_default().push(pid);
        }
    }
    let mut all = vec![root];
    let mut next = 0;
    while let Some(pid) = all.get(next) {
        all.extend(children.remove(pid).unwrap_or_default());
        next += 1;
    }
    all
}

fn is_alive(pid: u32) -> bool {
    state_and_parent(pid).is_some_and(|(state, _)| state != 'Z' && state != 'X')
}

/// What the system says of a process. Its name, in brackets, may contain anything.
fn state_and_parent(pid: u32) -> Option<(char, u32)> {
    let text = fs::read(format!("/proc/{pid}/stat")).ok()?;
    let text = String::from_utf8_lossy(&text);
    let (_, rest) = text.rsplit_once(')')?;
    let mut words = rest.split_whitespace();
    Some((words.next()?.chars().next()?, words.next()?.parse().ok()?))
}
