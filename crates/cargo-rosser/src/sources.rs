//! The sources that are compiled on the user's machine, as they travel inside this executable.

/// Path, seen from `sources/` of this package, and text of every file.
const SOURCES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/sources.rs"));

/// The files in one directory of `sources/`: their paths seen from there, and their texts.
pub fn of(directory: &str) -> impl Iterator<Item = (&'static str, &'static str)> {
    SOURCES.iter().filter_map(move |&(path, text)| {
        let inside = path.strip_prefix(directory)?.strip_prefix('/')?;
        Some((inside, text))
    })
}

#[cfg(test)]
mod tests {
    use super::of;

    #[test]
    fn a_directory_has_its_own_files_only() {
        let found: Vec<_> = of("rosser").map(|(path, _)| path).collect();
        assert!(found.contains(&"manifest.toml") && found.contains(&"src/lib.rs"), "{found:?}");
        assert!(of("rosser-c").any(|(path, _)| path == "include/rosser.h"));
        assert!(!found.contains(&"include/rosser.h"));
        assert_eq!(of("no-such-crate").count(), 0);
    }
}
