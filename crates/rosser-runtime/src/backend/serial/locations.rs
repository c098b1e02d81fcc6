//! The bytes of memory, as locations of another detector.
//!
//! Bytes that were always accessed together are one location. When an access touches a part of them,
//! the location is split, and both parts have its history: so every byte has exactly the history that
//! it would have as a location of its own. Memory that is used for something else gets new locations;
//! the numbers of forgotten ones are given out again.

use rosser_detect::LocId;
use rosser_detect::hash::Map;
use rosser_detect::live::LiveDetector;

/// Bytes of memory in one page of the table.
const PAGE: usize = 4096;
/// Of each byte of a word its location's number plus one, or 0.
type Word = [u32; 8];
type Page = [Word; PAGE / 8];

/// The locations of a region.
#[derive(Default)]
pub struct Locations {
    pages: Map<usize, Box<Page>>,
    /// Numbers that were given out and are free again.
    free: Vec<LocId>,
    next: usize,
}

/// The locations of some bytes of a word, and which bytes each is.
pub struct Parts {
    parts: [(LocId, u8); 8],
    len: usize,
}

impl Parts {
    pub fn as_slice(&self) -> &[(LocId, u8)] {
        &self.parts[..self.len]
    }
}

impl Locations {
    /// The locations that the given bytes of a word are, no more and no less.
    pub fn of(&mut self, word: usize, bytes: u8, detector: &mut dyn LiveDetector) -> Parts {
        let Self { pages, free, next } = self;
        let page = pages.entry(word / PAGE).or_insert_with(|| Box::new([[0; 8]; PAGE / 8]));
        let names = &mut page[word % PAGE / 8];
        let mut found = Parts { parts: [(LocId(0), 0); 8], len: 0 };
        let mut left = bytes;
        while left != 0 {
            let name = names[left.trailing_zeros() as usize];
            let all = bytes_of(names, name);
            let part = all & left;
            let location = match name.checked_sub(1) {
                Some(known) if part == all => LocId(known),
                known => {
                    let new = free.pop().unwrap_or_else(|| {
                        *next += 1;
                        LocId::from_index(*next - 1)
                    });
                    if let Some(known) = known {
                        detector.split(LocId(known), new);
                    }
                    for (byte, name) in names.iter_mut().enumerate() {
                        if part >> byte & 1 != 0 {
                            *name = new.0 + 1;
                        }
                    }
                    new
                }
            };
            found.parts[found.len] = (location, part);
            found.len += 1;
            left &= !part;
        }
        found
    }

    /// Forgets the words that are entirely in a range.
    pub fn forget(&mut self, from: usize, to: usize, detector: &mut dyn LiveDetector) {
        let (from, to) = (from.next_multiple_of(8), to & !7);
        if from >= to || self.pages.is_empty() {
            return;
        }
        let wanted = from / PAGE..(to - 1) / PAGE + 1;
        if wanted.len() <= self.pages.len() {
            for page in wanted {
                self.forget_in(page, from, to, detector);
            }
        } else {
            let there: Vec<usize> =
                self.pages.keys().copied().filter(|page| wanted.contains(page)).collect();
            for page in there {
                self.forget_in(page, from, to, detector);
            }
        }
    }

    fn forget_in(&mut self, page: usize, from: usize, to: usize, detector: &mut dyn LiveDetector) {
        let Some(words) = self.pages.get_mut(&page) else { return };
        let start = page * PAGE;
        let first = from.saturating_sub(start) / 8;
        let last = (to - start).min(PAGE) / 8;
        for names in &mut words[first..last] {
            while let Some(&name) = names.iter().find(|name| **name != 0) {
                for other in names.iter_mut().filter(|other| **other == name) {
                    *other = 0;
                }
                detector.forget(LocId(name - 1));
                self.free.push(LocId(name - 1));
            }
        }
        if first == 0 && last == PAGE / 8 {
            self.pages.remove(&page);
        }
    }
}

/// The bytes of a word that have the given name.
fn bytes_of(names: &Word, name: u32) -> u8 {
    names.iter().rev().fold(0, |bytes, other| bytes << 1 | u8::from(*other == name))
}

#[cfg(test)]
mod tests {
    use rosser_detect::{Detail, DetectorKind, LocId, registry};

    use super::Locations;

    #[test]
    fn every_byte_is_in_one_location() {
        let mut detector =
            registry::build(DetectorKind::EspBags, Detail::Conflicts).expect("it is of a paper");
        let mut locations = Locations::default();
        let mut of = |word: usize, bytes: u8| {
            locations.of(word, bytes, detector.as_mut()).as_slice().to_vec()
        };
        detector_is_told_of(&of(0x1000, 0xff), &[(0, 0xff)]);
        detector_is_told_of(&of(0x1000, 0x0f), &[(1, 0x0f)]);
        detector_is_told_of(&of(0x1000, 0xff), &[(1, 0x0f), (0, 0xf0)]);
        detector_is_told_of(&of(0x1008, 0x03), &[(2, 0x03)]);
        detector_is_told_of(&of(0x1008, 0x06), &[(3, 0x02), (4, 0x04)]);
        detector_is_told_of(&of(0x1008, 0xff), &[(2, 0x01), (3, 0x02), (4, 0x04), (5, 0xf8)]);
    }

    fn detector_is_told_of(parts: &[(LocId, u8)], expected: &[(u32, u8)]) {
        let parts: Vec<_> = parts.iter().map(|(location, bytes)| (location.0, *bytes)).collect();
        assert_eq!(parts, expected);
    }

    #[test]
    fn forgotten_words_get_new_locations_and_others_keep_theirs() {
        let mut detector =
            registry::build(DetectorKind::EspBags, Detail::Conflicts).expect("it is of a paper");
        let detector = detector.as_mut();
        let mut locations = Locations::default();
        for word in (0x1ff0..0x3010).step_by(8) {
            locations.of(word, 0xff, detector);
        }
        let last = locations.next;
        locations.forget(0x1ff4, 0x3008, detector);
        assert_eq!(locations.of(0x1ff0, 0xff, detector).as_slice(), [(LocId(0), 0xff)]);
        let kept = LocId::from_index(last - 1);
        assert_eq!(locations.of(0x3008, 0xff, detector).as_slice(), [(kept, 0xff)]);
        assert_eq!(locations.free.len(), last - 2);
        locations.of(0x2000, 0xff, detector);
        assert_eq!((locations.free.len(), locations.next), (last - 3, last));
        locations.forget(0, usize::MAX, detector);
        assert_eq!(locations.free.len(), last);
    }
}
