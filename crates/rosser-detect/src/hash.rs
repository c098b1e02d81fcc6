//! Hash tables for keys that nobody chooses with malice: ids, mostly. A multiplication for each word,
//! as in the compiler's own tables; this crate is linked into checked programs and depends on none.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

/// A table.
pub type Map<K, V> = HashMap<K, V, BuildHasherDefault<Multiply>>;
/// A set.
pub type Set<K> = HashSet<K, BuildHasherDefault<Multiply>>;

/// An odd number with about as many ones as zeros.
const FACTOR: u64 = 0xf135_7aea_2e62_a9c5;

/// The hash function.
#[derive(Clone, Copy, Debug, Default)]
pub struct Multiply(u64);

impl Multiply {
    #[inline]
    fn add(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(5) ^ word).wrapping_mul(FACTOR);
    }
}

impl Hasher for Multiply {
    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.add(u64::from_le_bytes(word));
        }
    }

    #[inline]
    fn write_u8(&mut self, value: u8) {
        self.add(value.into());
    }

    #[inline]
    fn write_u32(&mut self, value: u32) {
        self.add(value.into());
    }

    #[inline]
    fn write_u64(&mut self, value: u64) {
        self.add(value);
    }

    #[inline]
    fn write_usize(&mut self, value: usize) {
        self.add(value as u64);
    }

    #[inline]
    fn finish(&self) -> u64 {
        // Tables take the low bits, and the best ones are high.
        self.0.rotate_left(26)
    }
}

#[cfg(test)]
mod tests {
    use super::Map;

    #[test]
    fn what_is_put_in_is_found() {
        let mut map = Map::default();
        for key in 0..10_000_u32 {
            map.insert((key, key % 7), key);
        }
        assert_eq!(map.len(), 10_000);
        assert!((0..10_000).all(|key| map[&(key, key % 7)] == key));
    }
}
