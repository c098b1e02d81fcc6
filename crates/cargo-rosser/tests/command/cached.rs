//! The cache: what becomes of it, and of projects, when it is removed, damaged, or used by many at once.

use std::fs;
use std::hash::{DefaultHasher, Hasher};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use crate::project::{Outcome, Project, manifest};

/// A project with a dependency, and a cache of its own.
fn project() -> Project {
    Project::new(&[
        ("Cargo.toml", &manifest("app", "[dependencies]\nother = { path = \"other\" }")),
        ("src/main.rs", "fn main() { assert_eq!(other::two(), 2) }"),
        ("other/Cargo.toml", &manifest("other", "")),
        ("other/src/lib.rs", "pub fn two() -> u32 { 2 }"),
    ])
}

/// A runtime for which the standard library is not made again is built sooner.
const LINE: &str = "run --quick --std unseen";

fn run(project: &Project) -> Outcome {
    let time = std::time::SystemTime::now();
    let main = fs::File::options().write(true).open(project.path("src/main.rs")).unwrap();
    main.set_modified(time).unwrap();
    project.rosser_with(LINE, &[("ROSSER_CACHE_DIR", project.path("cache"))])
}

fn has_built(outcome: &Outcome) -> bool {
    assert_eq!(outcome.code, Some(0), "{}", outcome.stderr);
    outcome.stderr.contains("Building Rosser's")
}

/// The directory of the only runtime in the cache.
fn runtime(project: &Project) -> PathBuf {
    let entries = fs::read_dir(project.path("cache/rosser")).unwrap().flatten();
    let mut found = entries.map(|entry| entry.path()).filter(|path| is_runtime(path));
    found.next().expect("it was built")
}

fn is_runtime(path: &Path) -> bool {
    path.join("librosser_runtime.rlib").is_file()
}

#[test]
fn a_project_outlives_the_cache() {
    let project = project();
    assert!(has_built(&run(&project)));
    assert!(!has_built(&run(&project)));
    fs::remove_dir_all(project.path("cache")).unwrap();
    assert!(has_built(&run(&project)));
}

/// The key that cargo takes into the names of what it builds.
fn key(project: &Project) -> String {
    let cache = [("ROSSER_CACHE_DIR", project.path("cache"))];
    let outcome = project.rosser_with("show-env --quick --std unseen --json", &cache);
    let shown: serde_json::Value =
        serde_json::from_str(&outcome.stdout).unwrap_or_else(|_| panic!("{}", outcome.stderr));
    shown["ROSSER_WRAPPER_KEY"].as_str().unwrap().to_owned()
}

#[test]
fn another_runtime_of_the_same_sources_has_another_key() {
    let project = project();
    let before = key(&project);
    assert_eq!(before, key(&project));
    // As if the compiler had made something else of them.
    let (runtime, name) = (runtime(&project), "librosser_runtime.rlib");
    let old = fs::read(runtime.join(name)).unwrap();
    let new = [&old[..], b"more"].concat();
    fs::write(runtime.join(name), &new).unwrap();
    let line = |bytes: &[u8]| {
        let mut hasher = DefaultHasher::new();
        hasher.write(bytes);
        format!("{:016x} {} {name}\n", hasher.finish(), bytes.len())
    };
    let manifest = fs::read_to_string(runtime.join("manifest")).unwrap();
    assert!(manifest.contains(&line(&old)), "{manifest}");
    fs::write(runtime.join("manifest"), manifest.replace(&line(&old), &line(&new))).unwrap();
    assert_ne!(before, key(&project));
}

#[test]
fn a_damaged_runtime_is_built_again() {
    let project = project();
    assert!(has_built(&run(&project)));
    let runtime = runtime(&project);
    let library = runtime.join("librosser_runtime.rlib");
    let whole = fs::read(&library).unwrap();
    let mut changed = whole.clone();
    changed[whole.len() / 2] ^= 1;
    for bytes in [&whole[..whole.len() / 2], &changed] {
        fs::write(&library, bytes).unwrap();
        // A builder that was killed.
        let name = runtime.file_name().unwrap().to_str().unwrap();
        let left = runtime.with_file_name(format!("unfinished-1-0000000000000000-{name}"));
        fs::create_dir(&left).unwrap();
        assert!(has_built(&run(&project)));
        assert!(!left.exists());
        assert!(!has_built(&run(&project)));
    }
    // Whatever others can write to is not linked, and nobody else can any more.
    fs::set_permissions(&library, fs::Permissions::from_mode(0o666)).unwrap();
    fs::set_permissions(runtime.parent().unwrap(), fs::Permissions::from_mode(0o777)).unwrap();
    assert!(has_built(&run(&project)));
    for path in [runtime.parent().unwrap(), &runtime, &library] {
        assert_eq!(fs::metadata(path).unwrap().permissions().mode() & 0o077, 0, "{path:?}");
    }
}

#[test]
fn of_many_builders_one_builds() {
    let project = project();
    let line = "show-env --quick --std unseen";
    let cache = [("ROSSER_CACHE_DIR", project.path("cache"))];
    let one = || project.rosser_with(line, &cache);
    let outcomes: Vec<Outcome> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(one)).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(outcomes.iter().filter(|outcome| has_built(outcome)).count(), 1);
    let entries = fs::read_dir(project.path("cache/rosser")).unwrap().flatten();
    let names: Vec<_> = entries.map(|entry| entry.file_name().into_string().unwrap()).collect();
    assert!(!names.iter().any(|name| name.starts_with("unfinished")), "{names:?}");
}

#[test]
fn a_relative_directory_is_the_same_for_all() {
    let project = project();
    let line = "show-env --quick --std unseen --json";
    let outcome = project.rosser_with(line, &[("ROSSER_CACHE_DIR", "cache")]);
    let shown: serde_json::Value =
        serde_json::from_str(&outcome.stdout).unwrap_or_else(|_| panic!("{}", outcome.stderr));
    let here = project.path(".").canonicalize().unwrap();
    assert_eq!(shown["ROSSER_CACHE_DIR"], here.join("cache").to_str().unwrap());
    assert!(is_runtime(Path::new(shown["ROSSER_WRAPPER_RUNTIME"].as_str().unwrap())));
}

#[test]
fn the_cache_of_somebody_else_is_not_used() {
    let project = project();
    let root = project.path("cache/rosser");
    fs::create_dir_all(&root).unwrap();
    if std::os::unix::fs::chown(&root, Some(12_345), None).is_err() {
        eprintln!("NOT TESTED: only root can give directories away");
        return;
    }
    let outcome = run(&project);
    assert_eq!(outcome.code, Some(2));
    assert!(outcome.stderr.contains("belongs to another user"), "{}", outcome.stderr);
}
