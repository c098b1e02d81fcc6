//! Baselines: findings that are known, so that only new ones fail a check.
//!
//! A finding is recognised by its class and, for both places, the file, the function and the text
//! of the line: it stays known when lines are inserted above it, and becomes new when the line
//! itself changes. Two findings that look the same in this respect are counted.

use std::path::Path;

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::finding::Class;
use crate::frame::Frame;
use crate::names;
use crate::read;
use crate::sources::Sources;

/// What the file says it is.
pub const SCHEMA: &str = "rosser.baseline/1";

/// The findings that are known and pass.
#[derive(Debug, Serialize, Deserialize)]
struct File {
    schema: String,
    findings: Vec<Entry>,
}

/// A finding without what changes from run to run or when lines move.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Entry {
    /// `data-race` or `order-dependent`.
    pub class: String,
    /// Both places, sorted.
    pub places: [Place; 2],
    /// The hash of the above, by which findings are recognised.
    pub fingerprint: String,
    /// How many findings look like this.
    pub count: usize,
}

/// What is remembered of a place.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Place {
    /// The file as shown in reports.
    pub file: String,
    /// The function, without numbers of closures.
    pub function: String,
    /// The text of the line.
    pub text: String,
}

impl Place {
    fn new(frame: Option<&Frame>, sources: &Sources) -> Place {
        frame.map_or_else(Place::default, |frame| Place {
            file: frame.file.clone().unwrap_or_default(),
            function: names::without_closure_numbers(&frame.shown),
            text: sources.line(frame),
        })
    }
}

impl Entry {
    /// What is remembered of a finding.
    pub fn new(class: Class, frames: [Option<&Frame>; 2], sources: &Sources) -> Entry {
        let mut places = frames.map(|frame| Place::new(frame, sources));
        places.sort();
        let class = class.name().to_owned();
        let fingerprint = fingerprint(&class, &places);
        Entry { class, places, fingerprint, count: 1 }
    }
}

/// FNV-1a over the parts, each ended by a zero: short, and the same on every machine and for ever.
fn fingerprint(class: &str, places: &[Place; 2]) -> String {
    let [first, second] = places;
    let parts = [
        class,
        &first.file,
        &first.function,
        &first.text,
        &second.file,
        &second.function,
        &second.text,
    ];
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for byte in parts.iter().flat_map(|part| part.bytes().chain([0])) {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
    format!("{hash:016x}")
}

/// The known findings that have not been met yet.
#[derive(Debug, Default)]
pub struct Baseline {
    remaining: FxHashMap<String, usize>,
    entries: Vec<Entry>,
}

impl Baseline {
    /// Reads a baseline. It is an error if the file is none, or of another version.
    pub fn read(path: &Path) -> Result<Baseline, Error> {
        let text =
            read::text(path).map_err(|source| Error::Read { path: path.to_owned(), source })?;
        let invalid = |what: String| Error::Baseline { path: path.to_owned(), what };
        let file: File = serde_json::from_str(&text).map_err(|error| invalid(error.to_string()))?;
        if file.schema != SCHEMA {
            return Err(invalid(format!("its schema is `{}`, not `{SCHEMA}`", file.schema)));
        }
        let mut remaining = FxHashMap::default();
        for entry in &file.findings {
            *remaining.entry(entry.fingerprint.clone()).or_default() += entry.count;
        }
        Ok(Baseline { remaining, entries: file.findings })
    }

    /// Whether a finding is known. Each entry is known as often as it was counted.
    pub fn knows(&mut self, entry: &Entry) -> bool {
        match self.remaining.get_mut(&entry.fingerprint) {
            Some(count) if *count > 0 => {
                *count -= 1;
                true
            }
            _ => false,
        }
    }

    /// The entries that did not occur at all, or less often than counted.
    pub fn gone(mut self) -> Vec<Entry> {
        let mut gone = Vec::new();
        for mut entry in self.entries {
            let left = self.remaining.remove(&entry.fingerprint).unwrap_or(0);
            if left > 0 {
                entry.count = left;
                gone.push(entry);
            }
        }
        gone
    }
}

/// The contents of a file with the given findings.
pub fn write(findings: impl IntoIterator<Item = Entry>) -> String {
    let mut findings: Vec<Entry> = findings.into_iter().collect();
    findings.sort();
    let mut merged: Vec<Entry> = Vec::new();
    for entry in findings {
        match merged.last_mut() {
            Some(last) if last.fingerprint == entry.fingerprint => last.count += entry.count,
            _ => merged.push(entry),
        }
    }
    let file = File { schema: SCHEMA.to_owned(), findings: merged };
    let text = serde_json::to_string_pretty(&file).expect("strings and numbers can be written");
    text + "\n"
}
