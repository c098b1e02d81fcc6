//! The table of crates: what each depends on, and which may use `unsafe`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use super::{code_spans, read, root, rows, walk};

/// What the manifests say: directory of the crate, its dependencies in this repository, whether `unsafe` is forbidden.
fn manifests() -> BTreeMap<String, (BTreeSet<String>, bool)> {
    let mut all = BTreeMap::new();
    for parent in ["crates", "shims"] {
        for entry in fs::read_dir(root().join(parent)).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            let manifest: toml::Table =
                read(&format!("{parent}/{name}/Cargo.toml")).parse().unwrap();
            let dependencies = manifest.get("dependencies").and_then(toml::Value::as_table);
            let dependencies = dependencies.into_iter().flat_map(toml::Table::keys);
            let ours = dependencies.filter(|it| it.starts_with("rosser")).cloned().collect();
            // The workspace's lints forbid it; a crate that has lints of its own may use it.
            let is_forbidden = manifest["lints"].get("workspace").is_some();
            all.insert(format!("{parent}/{name}"), (ours, is_forbidden));
        }
    }
    all
}

#[test]
fn the_table_of_crates_is_what_the_manifests_say() {
    let workspace: toml::Table = read("Cargo.toml").parse().unwrap();
    let lint = &workspace["workspace"]["lints"]["rust"]["unsafe_code"];
    assert_eq!(lint.as_str(), Some("forbid"));
    let text = read("ARCHITECTURE.md");
    let table: BTreeMap<String, (BTreeSet<String>, bool)> = rows(&text, "## Crates")
        .into_iter()
        .map(|row| {
            let [name, _, dependencies, has_unsafe] = row[..] else { panic!("{row:?}") };
            let name = name.trim_matches('`').to_owned();
            (name, (code_spans(dependencies).into_iter().collect(), has_unsafe != "yes"))
        })
        .collect();
    assert_eq!(table, manifests());
}

#[test]
fn crates_that_may_use_unsafe_do_and_say_why() {
    for (name, (_, is_forbidden)) in manifests() {
        if is_forbidden {
            continue;
        }
        let manifest: toml::Table = read(&format!("{name}/Cargo.toml")).parse().unwrap();
        let lint = &manifest["lints"]["clippy"]["undocumented_unsafe_blocks"];
        assert_eq!(lint.as_str(), Some("deny"), "{name}");
        let source = root().join(&name).join("src");
        assert!(uses_unsafe(&source), "{name} could take the lints of the workspace");
    }
}

fn uses_unsafe(path: &std::path::Path) -> bool {
    if path.is_dir() {
        return fs::read_dir(path).unwrap().any(|entry| uses_unsafe(&entry.unwrap().path()));
    }
    let text = fs::read_to_string(path).unwrap_or_default();
    text.lines().any(|line| line.contains("unsafe ") && !line.trim_start().starts_with("//"))
}

#[test]
fn nothing_inside_a_checked_program_depends_on_other_peoples_crates() {
    for name in ["rosser-runtime", "rosser-detect", "rosser-abi"] {
        let manifest: toml::Table = read(&format!("crates/{name}/Cargo.toml")).parse().unwrap();
        let dependencies = manifest.get("dependencies").and_then(toml::Value::as_table);
        let mut others = dependencies.into_iter().flat_map(toml::Table::keys);
        assert_eq!(others.find(|it| !it.starts_with("rosser-")), None, "{name}");
    }
}

#[test]
fn each_crate_has_one_place_that_chooses_the_backend() {
    let sources = |parent: &str| {
        walk(&root().join(parent)).into_iter().filter(|path| {
            let text = fs::read_to_string(path).unwrap_or_default();
            let mut code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
            path.extension().is_some_and(|it| it == "rs")
                && code.any(|line| line.contains("cfg") && line.contains("rosser_workers"))
        })
    };
    let mut found: Vec<String> =
        ["crates/rosser-runtime/src", "crates/rosser/src", "shims/rayon-core/src"]
            .into_iter()
            .flat_map(sources)
            .map(|path| path.strip_prefix(root()).unwrap().display().to_string())
            .collect();
    found.sort();
    let places = [
        "crates/rosser-runtime/src/backend/mod.rs",
        "crates/rosser/src/runtime/mod.rs",
        "shims/rayon-core/src/backend/mod.rs",
    ];
    assert_eq!(found, places);
}

#[test]
fn files_with_atomics_say_why_their_order_is_enough() {
    for parent in ["crates/rosser-runtime/src", "crates/rosser-detect/src/sf_order"] {
        for path in walk(&root().join(parent)) {
            let text = fs::read_to_string(&path).unwrap_or_default();
            let (comments, code): (Vec<&str>, Vec<&str>) =
                text.lines().partition(|line| line.trim_start().starts_with("//"));
            let uses = |line: &&str| line.contains("(Relaxed)") || line.contains(", Relaxed)");
            let argues = |line: &&str| {
                let line = line.to_lowercase();
                ["relaxed", "acquire", "w1", "s1"].iter().any(|word| line.contains(word))
            };
            assert!(!code.iter().any(uses) || comments.iter().any(argues), "{}", path.display());
        }
    }
}
