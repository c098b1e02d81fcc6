//! Embeds the sources of what is linked into checked programs: the runtime is compiled on the
//! user's machine by the user's compiler, because rlibs work with no other.

mod embed;

use std::io;

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=build.rs");
    embed::embed(&[
        ("rosser-runfile/src", "../rosser-runfile/src"),
        ("rosser-shadow/src", "../rosser-shadow/src"),
        ("rosser-core/src", "../rosser-core/src"),
        ("rosser-runtime/src", "../rosser-runtime/src"),
        ("rayon-core/src", "../../shims/rayon-core/src"),
    ])
}
