//! What is for us, for cargo and for the program.

use std::ffi::OsString;
use std::path::Path;

use super::{Invocation, Subcommand, command, parse};

fn invocation(line: &str) -> Invocation {
    let words = std::iter::once("cargo rosser").chain(line.split_whitespace());
    let matches = command().try_get_matches_from(words).unwrap_or_else(|error| panic!("{error}"));
    parse(&matches).expect("it is valid")
}

fn words(line: &str) -> Vec<OsString> {
    line.split_whitespace().map(OsString::from).collect()
}

#[test]
fn the_command_line_is_consistent() {
    command().debug_assert();
}

#[test]
fn flags_of_cargo_are_passed_on_and_ours_are_not() {
    let line =
        "test -p a -p b --features x,y -vv -Z flag --release --strict --fast name -- --skip z";
    let found = invocation(line);
    assert_eq!(found.subcommand, Subcommand::Test);
    assert_eq!(
        found.cargo,
        words("--package a --package b --features x,y --release -Z flag --verbose --verbose")
    );
    assert_eq!(found.filters, words("name"));
    assert_eq!(found.arguments, words("--skip z"));
    assert_eq!(found.flags.get("strict"), Some(&["true".to_owned()][..]));
    assert_eq!(found.flags.get("mode"), Some(&["fast".to_owned()][..]));
    assert_eq!(found.profile.as_deref(), Some("release"));
    assert!(found.has("verbose") && !found.has("quiet"));
}

#[test]
fn arguments_of_a_program_need_no_dashes_before_them() {
    assert_eq!(invocation("run --release input --fast").arguments, words("input --fast"));
    assert_eq!(invocation("run -- --release").arguments, words("--release"));
    assert_eq!(invocation("run -- --release").profile, None);
}

#[test]
fn the_target_directory_is_ours_to_place() {
    let found = invocation("build --target-dir out --manifest-path a/Cargo.toml --offline");
    assert_eq!(found.target_dir.as_deref(), Some(Path::new("out")));
    assert_eq!(found.common, words("--manifest-path a/Cargo.toml --offline"));
    assert_eq!(found.cargo, words("--manifest-path a/Cargo.toml --offline"));
}

#[test]
fn nextest_has_two_kinds_of_profiles() {
    let found = invocation("nextest --profile ci --cargo-profile small -E all()");
    assert_eq!(found.profile.as_deref(), Some("small"));
    assert_eq!(found.cargo, words("--filterset all() --cargo-profile small --profile ci"));
}

#[test]
fn misspelt_flags_do_not_reach_cargo() {
    let error = command().try_get_matches_from(["cargo rosser", "run", "--stric"]).unwrap_err();
    assert_eq!(error.exit_code(), 2);
    assert!(error.to_string().contains("'--strict'"), "{error}");
}

#[test]
fn workers_are_counted_from_1_to_256() {
    assert_eq!(invocation("run --workers 2").flags.get("workers"), Some(&["2".to_owned()][..]));
    for wrong in ["0", "257", "many"] {
        let words = ["cargo rosser", "run", "--workers", wrong];
        assert_eq!(command().try_get_matches_from(words).unwrap_err().exit_code(), 2, "{wrong}");
    }
}

#[test]
fn switches_can_be_turned_off() {
    let found = invocation("run --builtin-suppressions=false --sync-crates a,b");
    assert_eq!(found.flags.get("builtin-suppressions"), Some(&["false".to_owned()][..]));
    assert_eq!(found.flags.get("sync-crates"), Some(&["a".to_owned(), "b".to_owned()][..]));
}
