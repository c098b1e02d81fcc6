//! The package that the cases are written to, one program for each group.

use std::fs;
use std::path::Path;

use crate::case::Group;

/// What the programs share, as the package's library.
const PRELUDE: &str = include_str!("prelude.rs");

/// The versions that the programs under `ui/` are tested with.
const LOCK: &str = include_str!("../../../../ui/Cargo.lock");

const NAME: &str = "rosser-matrix";

/// Writes a package. Files that are there already and right are left alone, so that
/// nothing is built in vain.
pub fn write<'g>(directory: &Path, groups: impl IntoIterator<Item = &'g Group>) {
    let library = Path::new(env!("CARGO_MANIFEST_DIR")).join("../rosser");
    let library = library.canonicalize().expect("the task library is there");
    let manifest = format!(
        "[package]\nname = \"{NAME}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[workspace]\n\n\
         [lib]\nname = \"matrix\"\n\n[dependencies]\nrayon = \"=1.12.0\"\nrosser = {{ path = \"{}\" }}\n",
        library.display()
    );
    write_file(&directory.join("Cargo.toml"), &manifest);
    write_file(&directory.join("Cargo.lock"), &lock(LOCK));
    write_file(&directory.join("src/lib.rs"), PRELUDE);
    for group in groups {
        let (text, _) = group.program();
        write_file(&directory.join(source(group)), &text);
    }
}

/// Where the program of a group is, as findings name it.
pub fn source(group: &Group) -> String {
    format!("src/bin/{}.rs", group.name)
}

fn write_file(path: &Path, text: &str) {
    if fs::read_to_string(path).is_ok_and(|there| there == text) {
        return;
    }
    let directory = path.parent().expect("it is in a directory");
    fs::create_dir_all(directory).expect("the directory can be made");
    fs::write(path, text).expect("it can be written");
}

/// The part of a lock file that the package needs.
fn lock(text: &str) -> String {
    let (head, packages) = text.split_once("[[package]]").expect("there are packages");
    let packages: Vec<&str> = packages.split("[[package]]").collect();
    let named = |name: &str| {
        let line = format!("\nname = \"{name}\"\n");
        let package = packages.iter().find(|package| package.starts_with(&line));
        package.unwrap_or_else(|| panic!("`{name}` is locked"))
    };
    let mut needed = vec!["rayon", "rosser"];
    let mut next = 0;
    while next < needed.len() {
        // Dependencies are quoted and indented; no version follows, as there is only one of each.
        let dependencies = named(needed[next]).lines().filter(|line| line.starts_with(" \""));
        for dependency in dependencies {
            let name = dependency.trim_matches([' ', '"', ',']);
            let name = name.split(' ').next().expect("a name");
            if !needed.contains(&name) {
                needed.push(name);
            }
        }
        next += 1;
    }
    let own = format!(
        "\nname = \"{NAME}\"\nversion = \"0.0.0\"\ndependencies = [\n \"rayon\",\n \"rosser\",\n]\n\n"
    );
    let mut entries: Vec<(&str, &str)> =
        needed.iter().map(|name| (*name, *named(name))).chain([(NAME, own.as_str())]).collect();
    entries.sort_unstable();
    let entries: Vec<String> =
        entries.iter().map(|(_, entry)| format!("[[package]]\n{}\n", entry.trim())).collect();
    format!("{head}{}", entries.join("\n"))
}
