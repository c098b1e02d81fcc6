//! Which test, benchmark or program showed a finding.
//!
//! libtest calls every test from `test::__rust_begin_short_backtrace`, so the test is the first
//! function of the user that is inside of that. nextest, and whoever runs a single test, names it
//! on the command line after `--exact`. Where there is neither, because a stack holds instrumented
//! functions only, the outermost function of the user is the test, unless it is `main` or the
//! program is not named like a test executable.

use crate::finding::Finding;
use crate::frame::{Frame, Origin};
use crate::names;
use crate::run::Run;
use crate::symbols::FrameTable;

/// Who showed a finding.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ShownBy {
    /// The test, as its harness names it; `None` for programs.
    pub test: Option<String>,
    /// The name of the program's file.
    pub program: String,
}

impl ShownBy {
    /// Finds it out from the stack and the command line.
    pub fn new(finding: &Finding, table: &FrameTable, run: &Run) -> ShownBy {
        let frames: Vec<&Frame> = finding.second_frames(table).map(|(_, frame)| frame).collect();
        let test = from_harness(&frames).or_else(|| from_args(run)).or_else(|| {
            // Only test and benchmark executables have a hash in their names.
            let is_test = run.command.first().is_some_and(|name| !name.ends_with(run.program()));
            if is_test { outermost(&frames) } else { None }
        });
        ShownBy { test, program: run.program().to_owned() }
    }

    /// The test's name, or else the program's.
    pub fn name(&self) -> &str {
        self.test.as_deref().unwrap_or(&self.program)
    }
}

/// The function that the harness called. `frames` is innermost first.
fn from_harness(frames: &[&Frame]) -> Option<String> {
    let begin = frames.iter().rposition(|frame| {
        frame.path == "test::__rust_begin_short_backtrace"
            || frame.path.starts_with("test::__rust_begin_short_backtrace::")
    })?;
    outermost_path(&frames[..begin]).map(test_name)
}

fn from_args(run: &Run) -> Option<String> {
    let args = run.command.get(1..)?;
    if !args.iter().any(|arg| arg == "--exact") {
        return None;
    }
    args.iter().find(|arg| !arg.starts_with('-')).cloned()
}

fn outermost(frames: &[&Frame]) -> Option<String> {
    let path = outermost_path(frames)?;
    let is_main = path.split_once("::").is_some_and(|(_, rest)| rest == "main");
    (!is_main).then(|| test_name(path))
}

/// The path of the outermost function of the user. With little debug information an inlined function
/// has no path, and the next one in must do.
fn outermost_path<'a>(frames: &[&'a Frame]) -> Option<&'a str> {
    let users = frames.iter().rev().filter(|frame| frame.origin == Origin::User);
    users.map(|frame| names::without_closures(&frame.path)).find(|path| path.contains("::"))
}

/// A function's path as libtest prints it: without the crate.
fn test_name(path: &str) -> String {
    path.split_once("::").map_or(path, |(_, rest)| rest).to_owned()
}

#[cfg(test)]
mod tests {
    use super::{from_args, from_harness, outermost};
    use crate::frame::Frame;
    use crate::run::{Counters, Run, State};

    fn frames(paths: &[&str]) -> Vec<Frame> {
        paths.iter().map(|path| Frame::new((*path).to_owned(), None, &[])).collect()
    }

    #[test]
    fn the_harness_tells_the_test() {
        let frames = frames(&[
            "app::work",
            "rayon_core::join::join",
            "app::tests::sums",
            "app::tests::sums::{closure#0}",
            "core::ops::function::FnOnce::call_once",
            "test::__rust_begin_short_backtrace",
            "test::run_test::{closure#0}",
        ]);
        let frames: Vec<_> = frames.iter().collect();
        assert_eq!(from_harness(&frames).as_deref(), Some("tests::sums"));
        let mut bare = frames.clone();
        let closure = Frame { path: "{closure#0}".to_owned(), ..frames[3].clone() };
        bare[3] = &closure;
        assert_eq!(from_harness(&bare).as_deref(), Some("tests::sums"));
        assert_eq!(from_harness(&frames[..4]), None);
        assert_eq!(outermost(&frames[..4]).as_deref(), Some("tests::sums"));
    }

    #[test]
    fn a_main_is_no_test() {
        let frames = frames(&["app::work", "app::main", "std::rt::lang_start", "main"]);
        let frames: Vec<_> = frames.iter().collect();
        assert_eq!(outermost(&frames), None);
    }

    #[test]
    fn the_command_line_tells_the_test() {
        let run = |args: &[&str]| Run {
            pid: 1,
            forked_from: None,
            command: args.iter().map(|arg| (*arg).to_owned()).collect(),
            started: 0,
            state: State::Ended { status: 0 },
            left_tasks: false,
            stopped_at: Vec::new(),
            detector: rosser_detect::DetectorKind::Auto.name(),
            workers: 1,
            counters: Counters::default(),
        };
        let nextest = run(&["/t/app-0123456789abcdef", "--exact", "tests::sums", "--nocapture"]);
        assert_eq!(from_args(&nextest).as_deref(), Some("tests::sums"));
        assert_eq!(nextest.program(), "app");
        assert_eq!(from_args(&run(&["app-x", "tests::sums"])), None);
        assert_eq!(
            from_args(&run(&["app", "tests::sums", "--exact"])).as_deref(),
            Some("tests::sums")
        );
    }
}
