//! Programs that end before all their tasks have, in every way that there is.

use std::fs;
use std::process::Command;

use crate::project::{Outcome, Project, manifest};

const ENDS: &str = r#"
use std::os::unix::process::CommandExt;
use std::process::Command;
unsafe extern "C" {
    fn _exit(status: i32) -> !;
    fn fork() -> i32;
    fn waitpid(child: i32, status: *mut i32, options: i32) -> i32;
    fn kill(process: i32, signal: i32) -> i32;
    fn getpid() -> i32;
}
struct Shared(*mut u64);
unsafe impl Sync for Shared {}
fn calm() { rayon::join(|| 1, || 2); }
fn again(how: &str) -> ! { panic!("{}", Command::new("/proc/self/exe").arg(how).exec()) }
fn main() {
    let mut cell = Box::new(0u64);
    let shared = &Shared(&mut *cell);
    let within = |end: fn()| {
        rayon::join(|| unsafe { *shared.0 += 1; end() }, || unsafe { *shared.0 += 2 });
    };
    let how = std::env::args().nth(1).unwrap();
    match &*how {
        "calm" => calm(),
        "exit" => within(|| std::process::exit(0)),
        "exit-in-scope" => rayon::scope(|scope| scope.spawn(|_| std::process::exit(0))),
        "exit-detached" => rayon::spawn(|| std::process::exit(0)),
        "exit-in-thread" => within(|| std::thread::spawn(|| std::process::exit(0)).join().unwrap()),
        "_exit" => within(|| unsafe { _exit(0) }),
        "exec" => within(|| panic!("{}", Command::new("true").exec())),
        "exec-itself" => within(|| again("calm")),
        "killed-child" => unsafe {
            let child = fork();
            if child == 0 {
                within(|| { kill(getpid(), 9); });
            }
            waitpid(child, std::ptr::null_mut(), 0);
            calm();
        },
        "exit-after" => { calm(); std::process::exit(0) }
        "_exit-after" => { calm(); unsafe { _exit(0) } }
        "exec-after" => { calm(); again("calm") }
        // What a forked child leaves behind of its parent's tasks is the parent's to do.
        "child-of-task" => { rayon::join(|| unsafe {
            let child = fork();
            if child == 0 { calm(); _exit(0) }
            waitpid(child, std::ptr::null_mut(), 0);
        }, || 2); }
        "child-executes" => { rayon::join(|| unsafe {
            Command::new("true").pre_exec(|| Ok(())).status().unwrap();
        }, || 2); }
        "detached" => { rayon::spawn(|| ()); }
        "panics" => { let _ = std::panic::catch_unwind(|| rayon::join(|| panic!(), || 2)); }
        other => panic!("{other}"),
    }
}
"#;

/// How programs are built: as most users do first.
const BUILDS: [&str; 3] = ["", "--quick", "--release"];

fn project() -> Project {
    let rayon = manifest("app", "[dependencies]\nrayon = \"1\"");
    Project::new(&[
        ("Cargo.toml", &rayon),
        ("src/main.rs", &ENDS.replace("unsafe extern", "extern")),
    ])
}

fn verdict(outcome: &Outcome) -> &str {
    let mut lines = outcome.stderr.lines();
    lines.find_map(|line| line.strip_prefix("verdict: ")).unwrap_or_else(|| panic!("{outcome:?}"))
}

#[test]
fn who_leaves_tasks_behind_claims_nothing_about_them() {
    let project = project();
    let early = [
        "exit",
        "exit-in-scope",
        "exit-detached",
        "exit-in-thread",
        "_exit",
        "exec",
        "exec-itself",
        "killed-child",
    ];
    for (build, how) in BUILDS.iter().flat_map(|build| early.map(|how| (build, how))) {
        let outcome = project.rosser(&format!("run {build} -- {how}"));
        assert_eq!(outcome.code, Some(5), "{build} {how}: {}", outcome.stderr);
        // If another thread ends the program, the counts of the checked one may not be known.
        let claims = ["as far as the program ran", "nothing is claimed"];
        let verdict = verdict(&outcome);
        assert!(claims.iter().any(|claim| verdict.contains(claim)), "{build} {how}: {outcome:?}");
    }
    let sarif = project.rosser("report --format sarif");
    assert_eq!(sarif.code, Some(5));
    assert!(sarif.stdout.contains("\"executionSuccessful\": false"), "{}", sarif.stdout);
    for how in ["exit", "exec"] {
        let outcome = project.rosser(&format!("run --quick --workers 2 -- {how}"));
        assert_eq!(outcome.code, Some(5), "{how}: {}", outcome.stderr);
    }
}

#[test]
fn who_ends_after_all_tasks_claims_everything() {
    let project = project();
    let whole = [
        "calm",
        "exit-after",
        "_exit-after",
        "exec-after",
        "child-of-task",
        "child-executes",
        "detached",
        "panics",
    ];
    for (build, how) in BUILDS.iter().flat_map(|build| whole.map(|how| (build, how))) {
        let outcome = project.rosser(&format!("run {build} -- {how}"));
        assert_eq!(outcome.code, Some(0), "{build} {how}: {}", outcome.stderr);
        assert!(verdict(&outcome).contains("in any schedule"), "{build} {how}: {outcome:?}");
    }
    for how in ["exec-after", "detached"] {
        let outcome = project.rosser(&format!("run --quick --workers 2 -- {how}"));
        assert_eq!(outcome.code, Some(0), "{how}: {}", outcome.stderr);
    }
}

#[test]
fn processes_with_one_id_have_a_run_file_each() {
    let project = project();
    let built = project.rosser("build --quick");
    let runs = project.path("runs");
    fs::create_dir(&runs).unwrap();
    let mut command = Command::new(built.stdout.trim());
    // The second process is another program in the place of the first.
    command.arg("exec-itself").env("ROSSER_RUN_DIR", &runs);
    assert_eq!(Outcome::of(command).code, Some(0));
    let names: Vec<String> = fs::read_dir(&runs)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    let ids: Vec<&str> = names.iter().map(|name| name.split_once('-').unwrap().0).collect();
    assert!(ids.len() == 2 && ids[0] == ids[1], "{names:?}");
}
