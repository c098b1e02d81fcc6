//! Arrays that loops go through: plain memory, and one that keeps account of what is accessed.

use std::cell::RefCell;
use std::ops::Range;

/// What arrays consist of.
pub trait Element: Copy + PartialOrd + Send + Sync {
    /// From a number, of which the low bits count.
    fn from_number(number: u64) -> Self;
    /// A number that depends on all of it.
    fn to_number(self) -> u64;
    /// The sum, which wraps.
    fn plus(self, other: Self) -> Self;
}

macro_rules! integers {
    ($($type:ty)*) => {$(
        impl Element for $type {
            #[inline(always)]
            fn from_number(number: u64) -> Self {
                number as Self
            }
            #[inline(always)]
            fn to_number(self) -> u64 {
                u64::from(self)
            }
            #[inline(always)]
            fn plus(self, other: Self) -> Self {
                self.wrapping_add(other)
            }
        }
    )*};
}

integers! { u8 u16 u32 u64 }

impl Element for f64 {
    #[inline(always)]
    fn from_number(number: u64) -> Self {
        f64::from(number as u8)
    }
    #[inline(always)]
    fn to_number(self) -> u64 {
        self.to_bits()
    }
    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        self + other
    }
}

/// An array. Indices out of bounds panic.
pub trait Array<T: Element> {
    fn len(&self) -> usize;
    fn get(&self, index: usize) -> T;
    fn set(&mut self, index: usize, value: T);
    /// The element that begins at a byte, aligned or not.
    fn get_at_byte(&self, offset: usize) -> T;

    /// `self[index] += value`
    #[inline(always)]
    fn add(&mut self, index: usize, value: T) {
        self.set(index, self.get(index).plus(value));
    }
}

/// Plain memory.
pub struct Plain<'a, T>(pub &'a mut [T]);

impl<T: Element> Array<T> for Plain<'_, T> {
    #[inline(always)]
    fn len(&self) -> usize {
        self.0.len()
    }
    #[inline(always)]
    fn get(&self, index: usize) -> T {
        self.0[index]
    }
    #[inline(always)]
    fn set(&mut self, index: usize, value: T) {
        self.0[index] = value;
    }
    #[inline(always)]
    fn get_at_byte(&self, offset: usize) -> T {
        assert!(offset + size_of::<T>() <= size_of_val(self.0));
        // SAFETY: it is within the slice, and every pattern of bits is an element.
        unsafe { self.0.as_ptr().byte_add(offset).read_unaligned() }
    }
}

/// The same elements, and an account of what is done to each byte.
pub struct Account<T> {
    elements: Vec<T>,
    reads: RefCell<Reads>,
    written: Vec<bool>,
}

/// When each byte was first read: so many elements had been by then, it included. 0 if it was not.
struct Reads {
    first: Vec<usize>,
    count: usize,
}

/// What is to be found at a byte.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Byte {
    Untouched,
    /// Read, unless the compiler has seen that a panic came before anything was made of it.
    MaybeRead,
    Read,
    Written,
}

impl<T: Element> Account<T> {
    /// How many elements a loop reads before it makes something of them.
    const AHEAD: usize = 3;

    pub fn new(elements: &[T]) -> Self {
        let bytes = size_of_val(elements);
        Self {
            elements: elements.to_vec(),
            reads: Reads { first: vec![0; bytes], count: 0 }.into(),
            written: vec![false; bytes],
        }
    }

    fn bytes(index: usize) -> Range<usize> {
        index * size_of::<T>()..(index + 1) * size_of::<T>()
    }

    fn read(&self, bytes: Range<usize>) {
        let mut reads = self.reads.borrow_mut();
        reads.count += 1;
        let now = reads.count;
        for first in reads.first[bytes].iter_mut().filter(|first| **first == 0) {
            *first = now;
        }
    }

    /// What was done to each byte.
    pub fn close(self, panicked: bool) -> Vec<Byte> {
        let Reads { first, count } = self.reads.into_inner();
        let bytes = first.iter().zip(&self.written);
        bytes
            .map(|(&first, &written)| match first {
                _ if written => Byte::Written,
                0 => Byte::Untouched,
                _ if panicked && first + Self::AHEAD > count => Byte::MaybeRead,
                _ => Byte::Read,
            })
            .collect()
    }
}

impl<T: Element> Array<T> for Account<T> {
    fn len(&self) -> usize {
        self.elements.len()
    }
    fn get(&self, index: usize) -> T {
        let value = self.elements[index];
        self.read(Self::bytes(index));
        value
    }
    fn set(&mut self, index: usize, value: T) {
        self.elements[index] = value;
        self.written[Self::bytes(index)].fill(true);
    }
    fn get_at_byte(&self, offset: usize) -> T {
        assert!(offset + size_of::<T>() <= size_of_val(&self.elements[..]));
        self.read(offset..offset + size_of::<T>());
        // SAFETY: as in plain memory.
        unsafe { self.elements.as_ptr().byte_add(offset).read_unaligned() }
    }
}
