//! Full disks, readers that go away, names that control terminals, requests to end, files that have no end.

use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::project::{Outcome, Project, manifest};

const RACE: &str = "\
struct Shared(*mut u64);
unsafe impl Sync for Shared {}
fn main() {
    println!(\"begun\");
    let mut cell = Box::new(0u64);
    let shared = &Shared(&mut *cell);
    if std::env::args().nth(1).as_deref() == Some(\"calm\") {
        rayon::join(|| 1, || 2);
        return;
    }
    rayon::join(
        || unsafe { *shared.0 = 1 },
        || unsafe { *shared.0 = 2 },
    );
    if std::env::args().nth(1).as_deref() == Some(\"slow\") {
        println!(\"{}\", std::process::id());
        std::thread::sleep(std::time::Duration::from_secs(600));
    }
}
";

fn files() -> [(&'static str, String); 2] {
    [
        ("Cargo.toml", manifest("app", "[dependencies]\nrayon = \"1\"")),
        ("src/main.rs", RACE.to_owned()),
    ]
}

fn project() -> Project {
    let [manifest, main] = files();
    Project::new(&[(manifest.0, &manifest.1), (main.0, &main.1)])
}

fn to(mut command: Command, file: &str) -> Outcome {
    command.stdout(fs::File::options().write(true).open(file).unwrap());
    Outcome::of_child(command)
}

#[test]
fn a_report_that_cannot_be_written_is_an_error() {
    let project = project();
    assert_eq!(project.rosser("run --quick -- calm").code, Some(0));
    for format in ["sarif", "json"] {
        let outcome = to(project.command(&format!("report --format {format}")), "/dev/full");
        assert_eq!(outcome.code, Some(2), "{}", outcome.stderr);
        let message = "error: cannot write the report to standard output: No space left";
        assert!(outcome.stderr.starts_with(message), "{}", outcome.stderr);
        assert!(outcome.stderr.contains("`cargo rosser report`"), "{}", outcome.stderr);
    }
    let mut command = project.command("report");
    command.stderr(fs::File::options().write(true).open("/dev/full").unwrap());
    assert_eq!(command.status().unwrap().code(), Some(2));

    // A race is one whether or not somebody reads of it.
    assert_eq!(project.rosser("run --quick").code, Some(66));
    let outcome = to(project.command("report --format sarif"), "/dev/full");
    assert_eq!(outcome.code, Some(66));
    assert!(outcome.stderr.contains("cannot write the report"), "{}", outcome.stderr);
}

#[test]
fn a_reader_that_goes_away_is_an_error_and_no_panic() {
    let project = project();
    project.rosser("build --quick");
    let mut command = project.command("show-env --quick");
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    command.stdout(writer);
    let outcome = Outcome::of_child(command);
    assert_eq!(outcome.code, Some(2));
    let message = "error: cannot write the environment to standard output: Broken pipe";
    assert!(outcome.stderr.starts_with(message), "{}", outcome.stderr);
}

#[test]
fn names_do_not_control_the_terminal() {
    let project = project();
    let name = "\x1b]0;title\x07";
    let mut command = project.command("report");
    command.args(["--suppressions", name]);
    let outcome = Outcome::of(command);
    assert_eq!(outcome.code, Some(2));
    assert!(!outcome.stderr.contains(['\x1b', '\x07']), "{}", outcome.stderr);
    project.write("Cargo.toml", &manifest("app", "[package.metadata.rosser]\n\"\\u001bx\" = 1"));
    let outcome = project.rosser("report");
    assert!(outcome.stderr.contains("unknown setting `\\u{1b}x`"), "{}", outcome.stderr);
}

#[test]
fn what_would_lose_the_result_is_noticed_before_the_run() {
    let project = project();
    project.write("bad", "x");
    for line in [
        "--suppressions missing",
        "--suppressions /dev/zero",
        "--baseline bad",
        "--output /no/where",
    ] {
        let outcome = project.rosser(&format!("run --quick {line}"));
        assert_eq!(outcome.code, Some(2), "{}", outcome.stderr);
        assert_eq!(outcome.stdout, "", "{line}");
    }
    assert!(!project.path("target/rosser/runs").exists());
    assert_eq!(project.rosser("run --quick --output out").code, Some(66));
    assert!(project.read("out").contains("verdict: 1 data race"));
}

#[test]
fn a_request_to_end_is_handed_on_and_reported() {
    let project = project();
    project.rosser("build --quick");
    let mut command = project.command("run --quick -- slow");
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let program = lines.map_while(Result::ok).find_map(|line| line.parse::<u32>().ok()).unwrap();
    let killed = Command::new("kill").arg(child.id().to_string()).status().unwrap();
    assert!(killed.success());
    let output = child.wait_with_output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(66), "{stderr}");
    assert!(stderr.contains("verdict: 1 data race"), "{stderr}");
    assert!(!Path::new(&format!("/proc/{program}")).exists());
}

#[test]
fn a_limit_on_files_is_named() {
    let project = project();
    let built = project.rosser("build --quick");
    let mut command = Command::new("sh");
    command.args(["-c", "ulimit -f 100; exec \"$0\"", built.stdout.trim()]);
    let runs = project.path("runs");
    fs::create_dir(&runs).unwrap();
    let outcome = Outcome::of({
        command.env("ROSSER_RUN_DIR", &runs);
        command
    });
    assert_eq!(outcome.code, Some(2));
    assert!(outcome.stderr.contains("`ulimit -f unlimited`"), "{}", outcome.stderr);
    assert_eq!(fs::read_dir(&runs).unwrap().count(), 0);
}

#[test]
fn a_full_disk_is_named() {
    let project = project();
    let built = project.rosser("build --quick");
    let runs = project.path("runs");
    fs::create_dir(&runs).unwrap();
    // One page is the directory's, or the file's.
    for (size, code) in [("4k", 2), ("12k", 0)] {
        let options = format!("size={size}");
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", &options, "none"]).arg(&runs).stderr(Stdio::null());
        if !mount.status().is_ok_and(|status| status.success()) {
            eprintln!("NOT TESTED: only root can make a small disk");
            return;
        }
        fs::write(runs.join("first"), "x").unwrap();
        let mut command = Command::new(built.stdout.trim());
        command.env("ROSSER_RUN_DIR", &runs);
        let outcome = Outcome::of(command);
        assert!(Command::new("umount").arg(&runs).status().unwrap().success());
        assert_eq!(outcome.code, Some(code), "{size}: {}", outcome.stderr);
        assert_eq!(outcome.stderr.contains("there is no room for the run file"), code == 2);
    }
}

#[test]
fn privileged_programs_write_nothing_for_others() {
    let project = project();
    let built = project.rosser("build --quick");
    let directory = tempfile::tempdir().unwrap();
    let open = |path: &Path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode));
    open(directory.path(), 0o777).unwrap();
    let program = directory.path().join("app");
    fs::copy(built.stdout.trim(), &program).unwrap();
    if std::os::unix::fs::chown(&program, Some(0), None).is_err() {
        eprintln!("NOT TESTED: only root can give rights away");
        return;
    }
    let run = |mode| {
        open(&program, mode).unwrap();
        let mut command = Command::new(&program);
        command.env("ROSSER_RUN_DIR", directory.path()).uid(12_345).gid(12_345);
        assert_eq!(Outcome::of(command).code, Some(0));
        fs::read_dir(directory.path()).unwrap().count() - 1
    };
    assert_eq!(run(0o4755), 0);
    assert_eq!(run(0o755), 1);
}

#[test]
fn long_paths_have_lines() {
    let directory = ["a".repeat(200), "b".repeat(200), "c".repeat(200)].join("/");
    let [manifest, main] = files();
    let project = Project::new(&[
        (&format!("{directory}/Cargo.toml"), &manifest.1),
        (&format!("{directory}/src/main.rs"), &main.1),
    ]);
    let outcome = project.rosser(&format!("run --quick --manifest-path {directory}/Cargo.toml"));
    assert_eq!(outcome.code, Some(66), "{}", outcome.stderr);
    assert!(outcome.stderr.contains("src/main.rs:13"), "{}", outcome.stderr);
}

#[test]
fn a_source_that_has_become_a_pipe_is_not_read() {
    let project = project();
    assert_eq!(project.rosser("run --quick").code, Some(66));
    fs::remove_file(project.path("src/main.rs")).unwrap();
    assert!(Command::new("mkfifo").arg(project.path("src/main.rs")).status().unwrap().success());
    let outcome = project.rosser("report");
    assert_eq!(outcome.code, Some(66));
    assert!(outcome.stderr.contains("src/main.rs:13"), "{}", outcome.stderr);
}

#[test]
fn stacks_that_no_thread_can_have_are_refused() {
    let project = project();
    let outcome = project.rosser("run --stack-size 99999999");
    assert_eq!(outcome.code, Some(2));
    assert!(outcome.stderr.contains("1..=65536"), "{}", outcome.stderr);
    // Whatever the system says to a stack of that size, it is not left to cargo to say so.
    let outcome = project.rosser("run --quick --stack-size 65536");
    let message = "error: this system has no room for a stack of 65536 MiB";
    assert!(outcome.code == Some(66) || outcome.stderr.starts_with(message), "{}", outcome.stderr);
    let outcome = project.rosser_with("run", &[("ROSSER_STACK_SIZE", "99999999")]);
    assert_eq!(
        outcome.stderr,
        "error: ROSSER_STACK_SIZE: stack-size is a whole number from 1 to 65536, not `99999999`\n"
    );
}
