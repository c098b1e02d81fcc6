//! Embeds the sources of what is linked into checked programs: the runtime is compiled on the
//! user's machine by the user's compiler, because rlibs work with no other. And takes a hash of what
//! decides how programs are built: when that changes, they are built again.

mod embed;

use std::hash::{DefaultHasher, Hasher};
use std::{fs, io};

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=build.rs");
    let mut hasher = DefaultHasher::new();
    for part in ["src/c_compiler", "src/wrapper", "../rosser-instrument/src"] {
        for file in embed::files(part)?.1 {
            hasher.write(&fs::read(file)?);
        }
    }
    println!("cargo::rustc-env=ROSSER_BUILDS_WITH={:016x}", hasher.finish());
    embed::embed(&[
        ("rosser-abi/src", "../rosser-abi/src"),
        ("rosser-detect/src", "../rosser-detect/src"),
        ("rosser-runtime/src", "../rosser-runtime/src"),
        ("rayon-core/src", "../../shims/rayon-core/src"),
    ])
}
