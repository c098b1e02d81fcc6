//! Embeds the sources of what checked C programs are linked with: it is compiled on the user's machine,
//! once for each compiler.

#[path = "../cargo-rosser/embed.rs"]
mod embed;

use std::io;

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=build.rs");
    embed::embed(&[
        ("Cargo.toml", "../../Cargo.toml"),
        ("Cargo.lock", "../../Cargo.lock"),
        ("crates/rosser/Cargo.toml", "../rosser/Cargo.toml"),
        ("crates/rosser/src", "../rosser/src"),
        ("crates/rosser-c/Cargo.toml", "../rosser-c/Cargo.toml"),
        ("crates/rosser-c/src", "../rosser-c/src"),
        ("crates/rosser-detect/Cargo.toml", "../rosser-detect/Cargo.toml"),
        ("crates/rosser-detect/src", "../rosser-detect/src"),
        ("crates/rosser-abi/Cargo.toml", "../rosser-abi/Cargo.toml"),
        ("crates/rosser-abi/src", "../rosser-abi/src"),
        ("crates/rosser-runtime/Cargo.toml", "../rosser-runtime/Cargo.toml"),
        ("crates/rosser-runtime/src", "../rosser-runtime/src"),
        ("include", "../rosser-c/include"),
    ])
}
