//! The words that a range of memory consists of.

/// The words of a range, each with the bytes that are in it.
#[inline]
pub fn words(address: usize, len: usize) -> impl Iterator<Item = (usize, u8)> {
    let end = address + len;
    (address & !7..end).step_by(8).map(move |word| {
        let before = address.saturating_sub(word) as u32;
        let after = (word + 8).saturating_sub(end) as u32;
        (word, 0xff_u8 << before & 0xff_u8 >> after)
    })
}
