//! Every program under `ui/`, `examples/tasks/`, `examples/papers/` and `examples/users/`, built and run as the
//! command does: what is found must be what its source marks, no more and no less.
//!
//! All are built as users do who give no flags, and some with `--quick` and with `--release` as well.
//!
//! `ROSSER_UI_FILTER` restricts the run to programs whose names contain one of its words, which are built in all
//! ways then; `ROSSER_UI_BUILDS=all` has all programs built in all ways.

#[path = "ui/build.rs"]
mod build;
#[path = "ui/by_name.rs"]
mod by_name;
#[path = "ui/compare.rs"]
mod compare;
#[path = "ui/detectors.rs"]
mod detectors;
#[path = "ui/expect.rs"]
mod expect;
#[path = "ui/observe.rs"]
mod observe;
#[path = "ui/workers.rs"]
mod workers;

use std::env;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use build::Build;
use by_name::Run;
use expect::Program;
use observe::Setting;
use rosser_detect::DetectorKind;

/// More at a time would make the command drop run files that are still being written.
const AT_A_TIME: usize = 8;

/// How many programs there are for each that is built with `--quick`, too; and for each with `--release`.
const STEP: usize = 6;

#[test]
fn all_programs_are_listed_in_the_manifest() {
    all_are_listed(&package("ui"));
    all_are_listed(&package("examples/tasks"));
}

#[test]
fn every_program_gives_what_it_marks() {
    all_give_what_they_mark(package("ui"), "ui", Build::Default);
}

#[test]
fn some_give_it_in_other_builds_too() {
    all_give_what_they_mark(package("ui"), "ui", Build::Quick);
    all_give_what_they_mark(package("ui"), "ui", Build::Release);
}

#[test]
fn the_papers_algorithms_give_it_too_or_refuse() {
    for detector in DetectorKind::of_papers() {
        let differences = |setting: &Setting, program: &Program| {
            detectors::differences(setting, program, detector)
        };
        no_differences(package("ui"), "ui", detector.name(), Build::Default, &differences);
    }
}

#[test]
fn on_several_workers_they_give_it_too_or_are_refused() {
    no_differences(package("ui"), "ui", "sf-order", Build::Default, &workers::differences);
}

#[test]
fn every_example_gives_what_it_marks() {
    all_give_what_they_mark(package("examples/tasks"), "examples", Build::Default);
}

fn package(path: &str) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    root.join(path).canonicalize().expect("the package is there")
}

fn all_are_listed(package: &Path) {
    let manifest = std::fs::read_to_string(package.join("Cargo.toml")).expect("it can be read");
    let manifest: toml::Table = manifest.parse().expect("it is TOML");
    let listed = manifest["bin"].as_array().expect("binaries are listed").iter();
    let mut listed: Vec<(&str, &str)> = listed
        .map(|bin| (bin["name"].as_str().expect("a name"), bin["path"].as_str().expect("a path")))
        .collect();
    listed.sort_unstable();
    let programs = expect::programs(package);
    let mut there: Vec<(&str, &str)> =
        programs.iter().map(|program| (program.name.as_str(), program.file.as_str())).collect();
    there.sort_unstable();
    assert_eq!(listed, there);
}

#[test]
fn every_program_of_the_papers_gives_what_it_marks() {
    programs_by_name("papers", Build::Default, "auto", |_| true);
}

#[test]
fn they_do_so_in_other_builds() {
    programs_by_name("papers", Build::Quick, "auto", |_| true);
    programs_by_name("papers", Build::Release, "auto", |_| true);
}

#[test]
fn they_do_so_on_several_workers() {
    programs_by_name("papers", Build::Default, "sf-order", Run::is_admitted_on_workers);
}

#[test]
fn every_program_in_users_style_gives_what_it_marks() {
    programs_by_name("users", Build::Default, "auto", |_| true);
    programs_by_name("users", Build::Release, "auto", |_| true);
}

#[test]
fn so_do_they_on_several_workers() {
    programs_by_name("users", Build::Default, "sf-order", |_| true);
}

/// Runs those programs of a package that a detector admits.
fn programs_by_name(
    name: &'static str,
    how: Build,
    detector: &'static str,
    is_admitted: fn(&Run) -> bool,
) {
    // What programs leave behind has the same names in all builds.
    let scratch = format!("{name}-{}-{detector}", how.name());
    let setting = setting(package(&format!("examples/{name}")), &scratch, detector, how);
    build(&[name], &setting);
    let mut runs = by_name::runs(&setting, name);
    runs.retain(|run| is_chosen(&run.name()) && is_admitted(run));
    all_are_right(&runs, |run| (run.name(), run.differences(&setting)));
}

fn all_give_what_they_mark(package: PathBuf, scratch: &str, how: Build) {
    no_differences(package, scratch, "auto", how, &Setting::differences);
}

/// Runs the programs of a package, all or some of them, which `differences` has to be content with.
fn no_differences(
    package: PathBuf,
    scratch: &str,
    detector: &'static str,
    how: Build,
    differences: &(dyn Fn(&Setting, &Program) -> Vec<String> + Sync),
) {
    /// What the programs leave behind has the same names, whoever judges them.
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _alone = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let mut programs = expect::programs(&package);
    programs.retain(|program| is_chosen(&program.name));
    programs = sample(programs, how);
    if programs.is_empty() {
        return;
    }
    let setting = setting(package, scratch, detector, how);
    let names: Vec<&str> = programs.iter().map(|program| program.name.as_str()).collect();
    build(&names, &setting);
    all_are_right(&programs, |program| {
        let name = format!("{detector}, {}: {}", how.name(), program.file);
        (name, differences(&setting, program))
    });
}

/// The programs that are built in this way. They are others with `--quick` than with `--release`.
fn sample(programs: Vec<Program>, how: Build) -> Vec<Program> {
    let first = match how {
        Build::Default => return programs,
        Build::Quick => 0,
        Build::Release => STEP / 2,
    };
    let is_filtered = env::var_os("ROSSER_UI_FILTER").is_some();
    if is_filtered || env::var("ROSSER_UI_BUILDS").is_ok_and(|builds| builds == "all") {
        return programs;
    }
    programs.into_iter().skip(first).step_by(STEP).collect()
}

fn setting(package: PathBuf, scratch: &str, detector: &'static str, how: Build) -> Setting {
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join(scratch);
    std::fs::create_dir_all(&scratch).expect("it can be made");
    Setting::new(package, scratch, detector, how)
}

/// Looks at all, several at a time. The function gives a name, and what is not as it should be.
fn all_are_right<T: Sync>(all: &[T], differences: impl Fn(&T) -> (String, Vec<String>) + Sync) {
    let next = AtomicUsize::new(0);
    let failures = Mutex::new(Vec::new());
    let cores = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        for _ in 0..cores.min(AT_A_TIME) {
            scope.spawn(|| {
                while let Some(one) = all.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let (name, differences) = differences(one);
                    if !differences.is_empty() {
                        let failure = format!("{name}:\n  {}", differences.join("\n  "));
                        failures.lock().expect("nobody panics").push(failure);
                    }
                }
            });
        }
    });
    let mut failures = failures.into_inner().expect("nobody panicked");
    failures.sort();
    let (failed, all) = (failures.len(), all.len());
    assert!(failures.is_empty(), "{failed} of {all} programs:\n{}", failures.join("\n"));
}

/// Whether the filter leaves it.
fn is_chosen(name: &str) -> bool {
    let filter = env::var("ROSSER_UI_FILTER").unwrap_or_default();
    let mut words = filter.split_whitespace().peekable();
    words.peek().is_none() || words.any(|word| name.contains(word))
}

/// Builds all programs at once, so that running them builds nothing.
fn build(programs: &[&str], setting: &Setting) {
    let mut command = setting.command("build");
    for program in programs {
        command.args(["--bin", program]);
    }
    let output = command.output().expect("the command can be started");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "the programs do not build:\n{said}");
    remove_outdated(&setting.executables().join("deps"));
}

/// Every change of the runtime makes other executables of all programs. Cargo keeps the old ones, but
/// links only those that count to where users find them.
fn remove_outdated(directory: &Path) {
    for entry in std::fs::read_dir(directory).expect("it can be read").flatten() {
        let outdated = entry.metadata().is_ok_and(|file| {
            file.is_file() && file.permissions().mode() & 0o100 != 0 && file.nlink() == 1
        });
        if outdated {
            let _ = std::fs::remove_file(entry.path());
        }
    }
}
