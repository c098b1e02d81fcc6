//! Findings of all runs, one for each class and pair of places.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::baseline;
use crate::finding::{Class, Finding};
use crate::frame::Frame;
use crate::runfile::RawFinding;
use crate::shown_by::ShownBy;
use crate::symbols::FrameTable;

/// A place in the source, as far as findings are told apart by it: a line of a function. One
/// statement often makes several accesses, and nobody fixes them one by one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct PlaceId(u32);

/// What tells findings apart. The places are sorted: which access came first does not matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Key {
    class: Class,
    places: [PlaceId; 2],
}

/// A class and a pair of places.
#[derive(Debug)]
pub struct Group {
    /// The finding that was met first; all are alike.
    pub example: Finding,
    /// How many conflicts there were.
    pub count: u64,
    /// The blocks, variables and statics that were in conflict.
    objects: FxHashSet<(usize, u64)>,
    /// Who showed it, in the order met.
    pub shown_by: Vec<ShownBy>,
    /// How the baseline knows it.
    pub entry: Option<baseline::Entry>,
    /// Whether it is in the baseline.
    pub known: bool,
}

impl Group {
    /// How many blocks, variables and statics were in conflict.
    pub fn objects(&self) -> usize {
        self.objects.len()
    }
}

/// Sorts findings into groups.
#[derive(Debug, Default)]
pub struct Groups {
    places: FxHashMap<(Option<String>, u32, String), PlaceId>,
    by_key: FxHashMap<Key, usize>,
    suppressed: FxHashSet<Key>,
    found: Vec<Group>,
}

impl Groups {
    /// Adds a finding that is to be reported. Returns the new group's example if it is the first
    /// of its kind, for the caller to complete.
    pub fn add(
        &mut self,
        finding: Finding,
        raw: &RawFinding,
        run: usize,
        shown_by: ShownBy,
        table: &FrameTable,
    ) -> Option<&mut Finding> {
        let key = self.key(&finding, table);
        let index = *self.by_key.entry(key).or_insert(self.found.len());
        let is_new = index == self.found.len();
        if is_new {
            self.found.push(Group {
                example: finding,
                count: 0,
                objects: FxHashSet::default(),
                shown_by: Vec::new(),
                entry: None,
                known: false,
            });
        }
        let group = &mut self.found[index];
        group.count = group.count.saturating_add(raw.count);
        let start = if raw.object_start == 0 { raw.address } else { raw.object_start };
        group.objects.insert((run, start));
        if !group.shown_by.contains(&shown_by) {
            group.shown_by.push(shown_by);
        }
        is_new.then_some(&mut group.example)
    }

    /// Counts a finding that is suppressed.
    pub fn add_suppressed(&mut self, finding: &Finding, table: &FrameTable) {
        let key = self.key(finding, table);
        self.suppressed.insert(key);
    }

    /// The groups, data races first, each class in the order met; and how many were suppressed.
    pub fn finish(mut self) -> (Vec<Group>, usize) {
        self.found.sort_by_key(|group| group.example.class);
        (self.found, self.suppressed.len())
    }

    fn key(&mut self, finding: &Finding, table: &FrameTable) -> Key {
        let first = self.place(finding.first_place(table));
        let second = self.place(finding.second_place(table));
        Key { class: finding.class, places: [first.min(second), first.max(second)] }
    }

    fn place(&mut self, frame: Option<&Frame>) -> PlaceId {
        let key = match frame {
            Some(frame) => (frame.file.clone(), frame.line, frame.shown.clone()),
            None => (None, 0, String::new()),
        };
        let next = PlaceId(self.places.len() as u32);
        *self.places.entry(key).or_insert(next)
    }
}
