//! Rayon's sources, with leaves of parallel iterators that tell where one item ends and the next begins.
//!
//! Rayon folds a leaf in three places of its module `plumbing`. In a copy of its sources these call what is in
//! `items.rs`, which is added to that module. And some adaptors have a value that they clone whenever they are split, and
//! that goes from item to item of a leaf: they clone it once more in the leaf, so that it is born there.
//!
//! A version in which one of these places looks different is compiled as it is: its iterators are split into single
//! items, each a task.

use std::path::{Path, PathBuf};
use std::{fs, process};

use crate::error::{Error, Result};

/// What is added to `plumbing`.
const ITEMS: &str = include_str!("items.rs");

/// A text that is replaced in a file, how often it must be there, and by what.
struct Edit {
    file: &'static str,
    text: &'static str,
    times: usize,
    by: &'static str,
}

const EDITS: [Edit; 7] = [
    Edit {
        file: PLUMBING,
        text: "            producer.fold_with(consumer.into_folder()).complete()\n        }\n    }\n",
        times: 1,
        by: "            rosser_items::fold(len, splitter.min, producer, consumer)\n        }\n    }\n",
    },
    Edit {
        file: PLUMBING,
        text: "producer.fold_with(consumer.into_folder()).complete()",
        times: 2,
        by: "rosser_items::fold_unindexed(producer, consumer)",
    },
    Edit {
        file: PLUMBING,
        text: "splitter.try_split(len, migrated)",
        times: 1,
        by: "rosser_items::splits(&mut splitter, len, migrated)",
    },
    Edit {
        file: PLUMBING,
        text: "splitter.try_split(migrated)",
        times: 1,
        by: "rosser_items::splits_unindexed::<P>(&mut splitter, migrated)",
    },
    Edit {
        file: "iter/map_with.rs",
        text: "\n            item: self.item,\n",
        times: 4,
        by: "\n            item: self.item.clone(),\n",
    },
    Edit {
        file: "iter/fold.rs",
        text: "\n            item: self.item,\n",
        times: 2,
        by: "\n            item: self.item.clone(),\n",
    },
    Edit {
        file: "iter/try_fold.rs",
        text: "Continue(self.item)",
        times: 1,
        by: "Continue(self.item.clone())",
    },
];

/// Where leaves are folded.
const PLUMBING: &str = "iter/plumbing/mod.rs";

/// Makes a copy of rayon's sources in a directory, with the edits, and returns its root; nothing if the sources are not
/// as expected. `original` is the root of the original crate.
pub fn prepare(original: &Path, directory: &Path) -> Result<Option<PathBuf>> {
    let Some(sources) = original.parent() else { return Ok(None) };
    let mut edited: Vec<(PathBuf, String)> = Vec::new();
    for edit in &EDITS {
        let path = sources.join(edit.file);
        let known = edited.iter().position(|(other, _)| *other == path);
        let index = known.unwrap_or(edited.len());
        if known.is_none() {
            let Ok(text) = fs::read_to_string(&path) else { return Ok(None) };
            edited.push((path, text));
        }
        let text = &mut edited[index].1;
        if text.matches(edit.text).count() != edit.times {
            return Ok(None);
        }
        *text = text.replace(edit.text, edit.by);
    }
    for (path, text) in &mut edited {
        if path.ends_with(PLUMBING) {
            text.push_str(ITEMS);
        }
    }
    copy(sources, directory, &edited)?;
    Ok(original.file_name().map(|root| directory.join(root)))
}

/// Copies a directory; of some files it has other texts.
fn copy(from: &Path, to: &Path, edited: &[(PathBuf, String)]) -> Result<()> {
    fs::create_dir_all(to).map_err(|error| Error::file("create", to, &error))?;
    let entries = fs::read_dir(from).map_err(|error| Error::file("read", from, &error))?;
    for entry in entries.flatten() {
        let (source, copied) = (entry.path(), to.join(entry.file_name()));
        if source.is_dir() {
            copy(&source, &copied, edited)?;
            continue;
        }
        let contents = match edited.iter().find(|(path, _)| *path == source) {
            Some((_, text)) => text.clone().into_bytes(),
            None => fs::read(&source).map_err(|error| Error::file("read", &source, &error))?,
        };
        // Several compilers may be at it at the same time, and one may be reading.
        if fs::read(&copied).is_ok_and(|old| old == contents) {
            continue;
        }
        let new = to.join(format!(".{}.{}", entry.file_name().display(), process::id()));
        fs::write(&new, contents).map_err(|error| Error::file("write", &new, &error))?;
        fs::rename(&new, &copied).map_err(|error| Error::file("write", &copied, &error))?;
    }
    Ok(())
}
