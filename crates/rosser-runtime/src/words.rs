//! The words that a range of memory consists of.

/// The bytes of a word that are in a range.
#[inline(always)]
pub fn bytes_within(word: usize, from: usize, to: usize) -> u8 {
    let before = from.saturating_sub(word) as u32;
    let after = (word + 8).saturating_sub(to) as u32;
    0xff_u8 << before & 0xff_u8 >> after
}

/// The words of a range, each with the bytes that are in it.
#[inline]
pub fn words(address: usize, len: usize) -> impl Iterator<Item = (usize, u8)> {
    let end = address + len;
    (address & !7..end).step_by(8).map(move |word| (word, bytes_within(word, address, end)))
}
