//! Precedence, types, mistakes, and the page.

use std::path::{Path, PathBuf};

use serde_json::json;

use super::{FailOn, Format, Layer, Mode, SETTINGS, Settings, document, table};

fn variables(pairs: &[(&str, &str)]) -> Result<Layer, String> {
    let get = |name: &str| pairs.iter().find(|pair| pair.0 == name).map(|pair| pair.1.to_owned());
    Layer::from_variables(get).map_err(|error| error.message)
}

fn metadata(table: &serde_json::Value) -> Result<Layer, String> {
    Layer::from_metadata(&json!({ "rosser": table }), Path::new("/project"), "Cargo.toml")
        .map_err(|error| error.message)
}

fn flag(name: &str, value: &str) -> Layer {
    let mut layer = Layer::default();
    let setting = table::find(name).expect("it is a setting");
    layer.set(setting, vec![value.to_owned()], "command line").expect("it is valid");
    layer
}

#[test]
fn the_first_place_that_has_a_setting_decides() {
    let places = [
        flag("mode", "fast"),
        variables(&[("ROSSER_MODE", "quick"), ("ROSSER_GRAIN", "coarse")]).unwrap(),
        metadata(&json!({ "grain": "fine", "max-findings": 7, "sync-crates": ["a"] })).unwrap(),
        metadata(&json!({ "max-findings": 9, "sync-crates": ["b"], "format": "json" })).unwrap(),
    ];
    let settings = Settings::resolve(&places).unwrap();
    assert_eq!(settings.mode, Some(Mode::Fast));
    assert_eq!(settings.grain, "coarse");
    assert_eq!(settings.max_findings, 7);
    assert_eq!(settings.sync_crates, ["a"]);
    assert_eq!(settings.format, Format::Json);
    assert_eq!(settings.fail_on, FailOn::Race);
}

#[test]
fn strict_is_short_for_fail_on_and_yields_to_it() {
    let strict = flag("strict", "true");
    let both = [strict.clone(), flag("fail-on", "never")];
    assert_eq!(Settings::resolve(&[strict]).unwrap().fail_on, FailOn::OrderDependent);
    assert_eq!(Settings::resolve(&both).unwrap().fail_on, FailOn::Never);
}

#[test]
fn the_standard_library_is_seen_unless_somebody_says_otherwise() {
    assert!(Settings::resolve(&[]).unwrap().is_std_seen);
    let unseen = variables(&[("ROSSER_STD", "unseen")]).unwrap();
    assert!(!Settings::resolve(std::slice::from_ref(&unseen)).unwrap().is_std_seen);
    assert!(Settings::resolve(&[flag("std", "seen"), unseen]).unwrap().is_std_seen);
}

#[test]
fn paths_of_a_manifest_are_relative_to_it() {
    let layer = metadata(&json!({ "suppressions": ["a.supp", "/b.supp"], "baseline": "c" }));
    let settings = Settings::resolve(&[layer.unwrap()]).unwrap();
    assert_eq!(settings.suppressions, [Path::new("/project/a.supp"), Path::new("/b.supp")]);
    assert_eq!(settings.baseline, Some(PathBuf::from("/project/c")));
}

#[test]
fn lists_and_switches_in_the_environment() {
    let layer = variables(&[
        ("ROSSER_SUPPRESSIONS", "a:b"),
        ("ROSSER_UNINSTRUMENTED", "x, y"),
        ("ROSSER_STRICT", "1"),
        ("ROSSER_DOCTESTS", "off"),
        ("ROSSER_BASELINE", ""),
    ]);
    let settings = Settings::resolve(&[layer.unwrap()]).unwrap();
    assert_eq!(settings.suppressions, [Path::new("a"), Path::new("b")]);
    assert_eq!(settings.uninstrumented, ["x", "y"]);
    assert_eq!(settings.fail_on, FailOn::OrderDependent);
    assert!(!settings.doctests);
    assert_eq!(settings.baseline, None);
}

#[test]
fn an_unknown_key_is_an_error_with_a_suggestion() {
    let near = metadata(&json!({ "supressions": [] })).unwrap_err();
    assert_eq!(near, "Cargo.toml: unknown setting `supressions`; did you mean `suppressions`?");
    let far = metadata(&json!({ "zzzzzz": 1 })).unwrap_err();
    assert_eq!(far, "Cargo.toml: unknown setting `zzzzzz`");
}

#[test]
fn values_are_checked_where_they_are_given() {
    let wrong_type = metadata(&json!({ "strict": "yes" })).unwrap_err();
    assert_eq!(wrong_type, "Cargo.toml: `strict` must be true or false");
    let wrong_word = variables(&[("ROSSER_MODE", "slow")]).unwrap_err();
    assert_eq!(wrong_word, "ROSSER_MODE: mode is one of fast, quick, not `slow`");
    let wrong_number = variables(&[("ROSSER_MAX_FINDINGS", "many")]).unwrap_err();
    assert_eq!(wrong_number, "ROSSER_MAX_FINDINGS: max-findings is a whole number, not `many`");
}

#[test]
fn there_are_bounds_to_the_number_of_workers() {
    for (value, good) in [("0", false), ("1", true), ("256", true), ("257", false), ("-1", false)] {
        assert_eq!(variables(&[("ROSSER_WORKERS", value)]).is_ok(), good, "{value}");
    }
    let wrong = metadata(&json!({ "workers": 300 })).unwrap_err();
    assert_eq!(wrong, "Cargo.toml: workers is a whole number from 1 to 256, not `300`");
    let wrong_type = metadata(&json!({ "workers": "two" })).unwrap_err();
    assert_eq!(wrong_type, "Cargo.toml: `workers` must be a number");
}

#[test]
fn several_workers_need_a_detector_that_can_have_them() {
    for (workers, detector, judge, has_workers) in [
        ("1", "auto", "auto", false),
        ("1", "drdp", "drdp", false),
        ("1", "sf-order", "sf-order", true),
        ("2", "auto", "sf-order", true),
        ("2", "sf-order", "sf-order", true),
    ] {
        let places = [flag("workers", workers), flag("detector", detector)];
        let settings = Settings::resolve(&places).unwrap();
        assert_eq!(settings.detector.name(), judge);
        assert_eq!(settings.has_workers(), has_workers);
        assert_eq!(settings.workers.to_string(), workers);
    }
    let places = [flag("workers", "4"), metadata(&json!({ "detector": "drdp" })).unwrap()];
    assert_eq!(
        Settings::resolve(&places).unwrap_err().message,
        "the detector drdp checks on one worker only, not on 4: leave out `--workers`, or choose \
         `--detector sf-order`"
    );
}

#[test]
fn cargos_way_to_write_a_level_is_understood() {
    let layer = metadata(&json!({ "opt-level": 1 })).unwrap();
    assert_eq!(Settings::resolve(&[layer]).unwrap().opt_level.as_deref(), Some("1"));
}

#[test]
fn the_defaults_of_the_table_are_valid() {
    let mut layer = Layer::default();
    for setting in SETTINGS.iter().filter(|setting| !setting.default.is_empty()) {
        layer.set(setting, vec![setting.default.to_owned()], "table").unwrap();
    }
    assert!(Settings::resolve(&[layer]).is_ok());
}

/// Run with `ROSSER_BLESS=1` after the table was changed.
#[test]
fn the_page_is_that_of_the_table() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/settings.md");
    let page = document::document();
    if std::env::var_os("ROSSER_BLESS").is_some() {
        std::fs::write(&path, &page).unwrap();
    }
    assert_eq!(std::fs::read_to_string(&path).unwrap(), page);
}
