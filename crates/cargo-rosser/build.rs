//! Embeds the sources of what is linked into checked programs: the runtime is compiled on the
//! user's machine by the user's compiler, because rlibs work with no other.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// The name a crate has in the embedded table, and where its sources are, seen from here.
const CRATES: [(&str, &str); 5] = [
    ("rosser-runfile", "../rosser-runfile/src"),
    ("rosser-shadow", "../rosser-shadow/src"),
    ("rosser-core", "../rosser-core/src"),
    ("rosser-runtime", "../rosser-runtime/src"),
    ("rayon-core", "../../shims/rayon-core/src"),
];

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=build.rs");
    let here = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    let mut table = String::from("&[\n");
    for (name, sources) in CRATES {
        let root = here.join(sources);
        println!("cargo::rerun-if-changed={}", root.display());
        if !root.is_dir() {
            println!("cargo::warning=the sources of {name} are missing: nothing can be checked");
            continue;
        }
        let mut files = Vec::new();
        collect(&root, &mut files)?;
        files.sort();
        for file in files {
            println!("cargo::rerun-if-changed={}", file.display());
            let inside = file.strip_prefix(&root).expect("it was found there");
            let path = Path::new(name).join("src").join(inside);
            writeln!(table, "    ({:?}, include_str!({:?})),", path.display(), file.display())
                .expect("strings grow");
        }
    }
    table.push_str("]\n");
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it"));
    fs::write(out.join("sources.rs"), table)
}

/// All files under a directory.
fn collect(directory: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(directory)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else {
            files.push(path);
        }
    }
    Ok(())
}
