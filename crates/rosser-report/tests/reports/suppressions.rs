//! Suppressions, from a file to the verdict.

use rosser_abi::run_file::finding;
use rosser_report::Style;

use crate::executable::call_at;
use crate::exempt::in_mutex;
use crate::runs::{FindingWords, RunWords, Runs};

fn suppressed_by(lines: &str) -> Runs {
    let mut run = RunWords::new(7);
    run.finding(FindingWords::race().set(finding::COUNT, 10)).finding(&FindingWords::order());
    let mut runs = Runs::new(&[&run]);
    runs.options.suppressions = vec![runs.write("rosser.suppressions", lines)];
    runs
}

fn counts(lines: &str) -> (usize, usize, usize, usize, u64) {
    let counts = suppressed_by(lines).report().counts();
    let stale = counts.stale_suppressions;
    (counts.data_races, counts.order_dependent, counts.suppressed, stale, counts.tallies.suppressed)
}

#[test]
fn by_function_file_and_module() {
    // The innermost function, a function further out, the first access's function.
    assert_eq!(counts("function:reports::fixture::audit"), (0, 1, 1, 0, 10));
    assert_eq!(counts("function:*::bank"), (0, 0, 2, 0, 11));
    assert_eq!(counts("function:*::publish\nfunction:*::deposit"), (0, 0, 2, 0, 11));
    assert_eq!(counts("file:*/reports/fixture.rs"), (0, 0, 2, 0, 11));
    assert_eq!(counts("file:crates/rosser-report/*"), (0, 0, 2, 0, 11));
    assert_eq!(counts("module:reports::fixture"), (0, 0, 2, 0, 11));
    assert_eq!(counts("module:reports::fix"), (1, 1, 0, 1, 0));
}

#[test]
fn by_the_caller_of_a_library_function() {
    let mut run = RunWords::new(7);
    let mut words = FindingWords::race();
    run.finding(
        words.set(finding::FIRST_PC, in_mutex()).set(finding::FIRST_CALLER, call_at("count")),
    );
    let mut runs = Runs::new(&[&run]);
    assert_eq!(runs.report().counts().data_races, 1);
    runs.options.suppressions = vec![runs.write("s", "function:reports::fixture::count")];
    assert_eq!(runs.report().counts().data_races, 0);
}

#[test]
fn by_class() {
    assert_eq!(counts("order-dependent:module:reports"), (1, 0, 1, 0, 1));
    assert_eq!(counts("data-race:module:reports"), (0, 1, 1, 0, 10));
    assert_eq!(counts("data-race:function:*::publish"), (1, 1, 0, 1, 0));
}

#[test]
fn the_first_matching_line_is_credited() {
    assert_eq!(counts("module:reports\nfunction:*::audit"), (0, 0, 2, 1, 11));
}

#[test]
fn stale_lines_and_uses_are_told() {
    let runs = suppressed_by("# known\nfunction:*::audit\n\nmodule:nowhere # gone\n");
    let text = runs.report().text(Style { verbose: true, ..Style::default() });
    let file = runs.directory.path().join("rosser.suppressions");
    let file = file.display();
    assert!(text.contains(&format!("{file}:4: `module:nowhere` matched nothing")), "{text}");
    assert!(
        text.contains(&format!("{file}:2: `function:*::audit` suppressed 10 conflicts")),
        "{text}"
    );
    let verdict = "race-free but order-dependent at 1 place, besides 1 suppressed";
    assert!(text.contains(verdict), "{text}");
}

#[test]
fn a_mistake_stops_the_report() {
    let error = suppressed_by("module:a\nmodul:b").load().expect_err("the second line is wrong");
    let text = error.to_string();
    assert!(text.ends_with("rosser.suppressions:2: `modul` is neither a class (data-race, order-dependent) nor a kind (function, file, module)"), "{text}");
}
