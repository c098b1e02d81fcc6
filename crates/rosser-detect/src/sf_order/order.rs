//! Order maintenance for many readers: a list into which elements are inserted anywhere, by whoever has
//! the list's lock, and whose order anybody may ask for without one.
//!
//! The list has two levels (Bender, Cole, Demaine, Farach-Colton and Zito, *Two Simplified Algorithms for
//! Maintaining Order in a List*, ESA 2002). Elements have a label in a group of a few dozen, and groups have
//! one among all groups. A group without room for another label is relabelled, or divided if it is large; then
//! groups are relabelled over the smallest sparse enough aligned range if two neighbours touch. So an insertion
//! costs a few labels, however deep tasks are nested.
//!
//! An insertion without relabelling changes no label, so it disturbs nobody. Relabelling is done under an odd
//! version, and whoever has read labels meanwhile reads them again.
//!
//! Links, lengths and the number of groups are used under the list's lock alone, so they are relaxed. Labels are
//! relaxed as well: those of a new element come with its number (S1), changed ones are seen through by the version (P3).

use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicU32, AtomicU64, fence};

use crate::order::relabelling::{LIMIT, Labelled, NONE, Range, range_around};
use crate::sf_order::spin::pause;
use crate::storage::Exhausted;

/// A group of so many elements is divided.
const LARGE: u32 = 64;
/// How far after the last group the next one goes.
const STRIDE: u64 = 1 << 34;

/// An element.
#[derive(Debug, Default)]
pub struct Link {
    /// Its group, and its label there.
    place: AtomicU64,
    next: AtomicU32,
    previous: AtomicU32,
}

const _: () = assert!(size_of::<Link>() == 16);

/// A group of elements that follow each other.
#[derive(Debug, Default)]
pub struct Group {
    label: AtomicU64,
    next: AtomicU32,
    previous: AtomicU32,
    first: AtomicU32,
    len: AtomicU32,
}

/// The memory of a list.
#[derive(Clone, Copy, Debug)]
pub struct ListStorage {
    /// One for each element.
    pub links: &'static [Link],
    /// As many as [`ListStorage::groups_for`] says.
    pub groups: &'static [Group],
}

impl ListStorage {
    /// How many groups so many elements can be in: whenever there is another, two are half full at least.
    pub const fn groups_for(elements: usize) -> usize {
        elements / (LARGE as usize / 2) + 2
    }
}

/// The list. Elements are numbers that the caller gives; 0 is the first for ever.
#[derive(Debug)]
pub struct OrderList {
    links: &'static [Link],
    groups: &'static [Group],
    /// How many groups there are.
    used: AtomicU32,
    /// Odd while labels change.
    version: AtomicU64,
    relabelled: AtomicU64,
}

/// What elements are compared by: the label of the group, then that of the element.
type Label = (u64, u32);

/// An element and its label, as long as labels do not change.
#[derive(Clone, Copy, Debug, Default)]
pub struct Position {
    element: u32,
    label: Label,
    version: u64,
}

impl OrderList {
    /// A list with element 0 only.
    pub fn new(ListStorage { links, groups }: ListStorage) -> Self {
        let list = Self {
            links,
            groups,
            used: AtomicU32::new(1),
            version: AtomicU64::new(2),
            relabelled: AtomicU64::new(0),
        };
        list.clear();
        list
    }

    /// Makes it a list with element 0 only. Nobody may use it meanwhile.
    pub fn clear(&self) {
        self.set_place(0, 0, 0);
        self.connect(NONE, 0);
        self.connect(0, NONE);
        let group = &self.groups[0];
        group.label.store(0, Relaxed);
        self.connect_groups(NONE, 0);
        self.connect_groups(0, NONE);
        group.first.store(0, Relaxed);
        group.len.store(1, Relaxed);
        self.used.store(1, Relaxed);
        // Positions from before are void. Release: if a version is seen, so are the labels before it (P3).
        self.version.fetch_add(2, Release);
    }

    /// How many labels were changed by insertions, as a measure of their cost.
    pub fn relabelled(&self) -> u64 {
        // A count for tables.
        self.relabelled.load(Relaxed)
    }

    /// The group of an element, and its label there.
    fn place(&self, element: u32) -> (u32, u32) {
        let place = self.links[element as usize].place.load(Relaxed);
        ((place >> 32) as u32, place as u32)
    }

    fn set_place(&self, element: u32, group: u32, label: u32) {
        let place = u64::from(group) << 32 | u64::from(label);
        self.links[element as usize].place.store(place, Relaxed);
    }

    fn next(&self, element: u32) -> u32 {
        self.links[element as usize].next.load(Relaxed)
    }

    fn connect(&self, before: u32, after: u32) {
        if before != NONE {
            self.links[before as usize].next.store(after, Relaxed);
        }
        if after != NONE {
            self.links[after as usize].previous.store(before, Relaxed);
        }
    }

    fn group_label(&self, group: u32) -> u64 {
        self.groups[group as usize].label.load(Relaxed)
    }

    fn next_group(&self, group: u32) -> u32 {
        self.groups[group as usize].next.load(Relaxed)
    }

    fn connect_groups(&self, before: u32, after: u32) {
        if before != NONE {
            self.groups[before as usize].next.store(after, Relaxed);
        }
        if after != NONE {
            self.groups[after as usize].previous.store(before, Relaxed);
        }
    }

    #[inline]
    fn label(&self, element: u32) -> Label {
        let (group, label) = self.place(element);
        (self.group_label(group), label)
    }

    /// Where an element is.
    pub fn position(&self, element: u32) -> Position {
        let mut tries = 0;
        loop {
            // Acquire: labels are those of this version or later ones. The fence: if any was later, so is the version
            // that is seen next.
            let version = self.version.load(Acquire);
            if version & 1 == 0 {
                let label = self.label(element);
                fence(Acquire);
                if self.version.load(Relaxed) == version {
                    return Position { element, label, version };
                }
            }
            pause(&mut tries);
        }
    }

    /// Whether an element comes before that of a position, which is brought up to date.
    #[inline]
    pub fn is_before(&self, element: u32, position: &mut Position) -> bool {
        loop {
            // Inserted by somebody whose insertion happened before this call, so the label is there.
            let label = self.label(element);
            fence(Acquire);
            if self.version.load(Relaxed) == position.version {
                return label < position.label;
            }
            *position = self.position(position.element);
        }
    }

    /// Inserts a new element right after the given one. The caller has the list's lock.
    pub fn insert_after(&self, before: u32, new: u32) -> Result<(), Exhausted> {
        if new as usize >= self.links.len() {
            return Err(Exhausted);
        }
        let mut free = self.free_label_after(before);
        if free.is_none() {
            self.make_room(self.place(before).0)?;
            free = self.free_label_after(before);
        }
        let (group, label) = free.ok_or(Exhausted)?;
        self.set_place(new, group, label);
        let after = self.next(before);
        self.connect(before, new);
        self.connect(new, after);
        let len = &self.groups[group as usize].len;
        len.store(len.load(Relaxed) + 1, Relaxed);
        Ok(())
    }

    /// The group of an element, and a label strictly between it and its successor there, if there is one.
    fn free_label_after(&self, before: u32) -> Option<(u32, u32)> {
        let (group, low) = self.place(before);
        let after = self.next(before);
        let next = if after == NONE { (NONE, 0) } else { self.place(after) };
        let high = if next.0 == group { next.1 } else { u32::MAX };
        (high - low > 1).then(|| (group, low + (high - low) / 2))
    }

    /// Makes room for labels everywhere in a group.
    #[cold]
    fn make_room(&self, group: u32) -> Result<(), Exhausted> {
        let Group { first, len, .. } = &self.groups[group as usize];
        let (first, len) = (first.load(Relaxed), len.load(Relaxed));
        if len < LARGE {
            self.change_labels(|| _ = self.spread(first, group, len));
            return Ok(());
        }
        let new = self.used.load(Relaxed);
        let upper = self.groups.get(new as usize).ok_or(Exhausted)?;
        if self.free_group_label_after(group).is_none() {
            self.change_labels(|| self.make_room_for_group(group));
        }
        let label = self.free_group_label_after(group).ok_or(Exhausted)?;
        self.used.store(new + 1, Relaxed);
        let after = self.next_group(group);
        self.connect_groups(group, new);
        self.connect_groups(new, after);
        self.groups[group as usize].len.store(len / 2, Relaxed);
        upper.len.store(len - len / 2, Relaxed);
        upper.label.store(label, Relaxed);
        self.change_labels(|| {
            let middle = self.spread(first, group, len / 2);
            upper.first.store(middle, Relaxed);
            self.spread(middle, new, len - len / 2);
        });
        Ok(())
    }

    fn change_labels(&self, change: impl FnOnce()) {
        // The fence: whoever reads one of the new labels, and then the version behind a fence, sees that it is odd, or
        // later. Release at the end: whoever sees the even one sees all labels.
        let version = self.version.load(Relaxed);
        self.version.store(version + 1, Relaxed);
        fence(Release);
        change();
        self.version.store(version + 2, Release);
    }

    /// Puts so many elements into a group, evenly. Returns the one that follows.
    fn spread(&self, first: u32, group: u32, len: u32) -> u32 {
        let (mut element, step) = (first, u32::MAX / len.max(1));
        for i in 0..len {
            self.set_place(element, group, i * step);
            element = self.next(element);
        }
        self.relabelled.fetch_add(len.into(), Relaxed);
        element
    }

    /// A label strictly between a group and its successor, if there is one.
    fn free_group_label_after(&self, before: u32) -> Option<u64> {
        let (low, after) = (self.group_label(before), self.next_group(before));
        let (high, most) =
            if after == NONE { (LIMIT, STRIDE) } else { (self.group_label(after), LIMIT) };
        let gap = high - low;
        (gap > 1).then(|| low + (gap / 2).min(most))
    }

    /// Spreads the groups of the smallest sparse enough aligned range around one.
    fn make_room_for_group(&self, around: u32) {
        let Some(Range { first, count, low, step }) = range_around(&Groups(self), around) else {
            return;
        };
        let mut group = first;
        for i in 0..count {
            self.groups[group as usize].label.store(low + i * step, Relaxed);
            group = self.next_group(group);
        }
        self.relabelled.fetch_add(count, Relaxed);
    }
}

/// The groups of a list, in order.
struct Groups<'a>(&'a OrderList);

impl Labelled for Groups<'_> {
    fn label(&self, group: u32) -> u64 {
        self.0.group_label(group)
    }

    fn next(&self, group: u32) -> u32 {
        self.0.next_group(group)
    }

    fn previous(&self, group: u32) -> u32 {
        self.0.groups[group as usize].previous.load(Relaxed)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
    use std::thread;

    use super::{ListStorage, OrderList};
    use crate::order::relabelling::insertion_orders;

    fn defaults<T: Default>(len: usize) -> &'static [T] {
        (0..len).map(|_| T::default()).collect::<Vec<_>>().leak()
    }

    pub(crate) fn storage(len: usize) -> ListStorage {
        ListStorage { links: defaults(len), groups: defaults(ListStorage::groups_for(len)) }
    }

    fn list(len: usize) -> OrderList {
        OrderList::new(storage(len))
    }

    /// Inserts at positions chosen by `choose` and checks the order against a plain vector.
    fn check(count: usize, choose: &mut dyn FnMut(usize) -> usize) {
        let list = list(count);
        let count = count as u32;
        let mut expected = vec![0u32];
        for new in 1..count {
            let position = choose(new as usize) % expected.len();
            list.insert_after(expected[position], new).unwrap();
            expected.insert(position + 1, new);
        }
        for pair in expected.windows(2) {
            assert!(list.is_before(pair[0], &mut list.position(pair[1])));
            assert!(!list.is_before(pair[1], &mut list.position(pair[0])));
        }
        assert!(list.insert_after(0, count).is_err(), "there is no room left");
        list.clear();
        list.insert_after(0, 1).unwrap();
        assert!(list.is_before(0, &mut list.position(1)));
    }

    #[test]
    fn insertions_keep_the_order() {
        insertion_orders(check);
    }

    #[test]
    fn whoever_asks_while_labels_change_gets_the_order() {
        const COUNT: u32 = 100_000;
        let list = list(COUNT as usize);
        let (inserted, done) = (AtomicU32::new(0), AtomicBool::new(false));
        thread::scope(|scope| {
            scope.spawn(|| {
                // Each right after 0, so the newest comes first; there is little room.
                for new in 1..COUNT {
                    list.insert_after(0, new).unwrap();
                    inserted.store(new, Ordering::Release);
                }
                done.store(true, Ordering::Release);
            });
            let mut asked = 0u64;
            while !done.load(Ordering::Acquire) || asked == 0 {
                let newest = inserted.load(Ordering::Acquire);
                if newest > 2 {
                    let mut position = list.position(newest / 2);
                    assert!(list.is_before(newest, &mut position));
                    assert!(!list.is_before(1, &mut position));
                    asked += 1;
                }
            }
        });
        assert!(list.relabelled() > 0, "the test is for changing labels");
    }
}
