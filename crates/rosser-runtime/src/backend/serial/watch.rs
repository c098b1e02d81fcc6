//! What is done behind the runtime's back: releases in code that is not instrumented.
//!
//! If the standard library is not seen, nothing is seen of `std::sync::Once` publishing what it initialises.
//! The fast path of its users is: they load the state to acquire it, find that there is something to do, and
//! call. So words that the current task has loaded to acquire something are watched until the task ends, and a
//! change that nobody was seen to make counts as a release by the current task. Whatever the task does after
//! that is not covered by it.

/// A word that was loaded to acquire, with the value it had.
#[derive(Clone, Copy, Default)]
struct Watched {
    address: usize,
    size: usize,
    value: u64,
}

const WATCHED: usize = 4;

/// The words that are watched.
#[derive(Default)]
pub struct Watch {
    words: [Watched; WATCHED],
    len: usize,
    next: usize,
    /// How many there are; or [`ALWAYS`].
    looks: usize,
}

/// Every access is to be looked at, though nothing is watched: another detector wants to see it.
const ALWAYS: usize = usize::MAX;

impl Watch {
    /// Whether none is, and accesses are nobody else's business.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.looks == 0
    }

    /// From now on every access is to be looked at, and no word is watched.
    pub fn look_always(&mut self) {
        self.len = 0;
        self.looks = ALWAYS;
    }

    #[inline]
    fn set_len(&mut self, len: usize) {
        self.len = len;
        if self.looks != ALWAYS {
            self.looks = len;
        }
    }

    /// Watches a word that has just been loaded.
    pub fn add(&mut self, address: usize, size: usize, value: u64) {
        if self.looks == ALWAYS {
            return;
        }
        let known = self.words[..self.len].iter_mut().find(|word| word.address == address);
        if let Some(word) = known {
            *word = Watched { address, size, value };
        } else if self.len < WATCHED {
            self.words[self.len] = Watched { address, size, value };
            self.set_len(self.len + 1);
        } else {
            self.words[self.next % WATCHED] = Watched { address, size, value };
            self.next += 1;
        }
    }

    /// The program has written the word itself.
    #[inline]
    pub fn written(&mut self, address: usize) {
        for word in &mut self.words[..self.len] {
            if word.address == address {
                word.value = current_value(word.address, word.size);
            }
        }
    }

    /// Stops watching a range whose memory is freed.
    #[inline]
    pub fn forget(&mut self, address: usize, len: usize) {
        let mut index = 0;
        while index < self.len {
            if self.words[index].address.wrapping_sub(address) < len {
                self.set_len(self.len - 1);
                self.words[index] = self.words[self.len];
            } else {
                index += 1;
            }
        }
    }

    /// Stops watching.
    pub fn clear(&mut self) {
        self.set_len(0);
    }

    /// A watched word that has changed since the last look.
    pub fn changed(&mut self) -> Option<usize> {
        self.words[..self.len].iter_mut().find_map(|word| {
            let value = current_value(word.address, word.size);
            (value != word.value).then(|| {
                word.value = value;
                word.address
            })
        })
    }
}

fn current_value(address: usize, size: usize) -> u64 {
    let mut value = [0_u8; 8];
    for (offset, byte) in value.iter_mut().enumerate().take(size) {
        // SAFETY: the program has loaded it before, and its memory has not been freed.
        *byte = unsafe { ((address + offset) as *const u8).read_volatile() };
    }
    u64::from_le_bytes(value)
}
