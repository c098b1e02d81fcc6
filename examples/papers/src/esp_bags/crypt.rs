//! IDEA encryption and decryption of blocks of eight bytes, each on its own.

use rayon::iter::{IndexedParallelIterator, ParallelIterator};
use rayon::slice::{ParallelSlice, ParallelSliceMut};

use crate::check::{Outcome, digest, ensure};
use crate::random::Random;
use crate::shared::Shared;
use crate::size::Size;

/// Bytes of a block.
const BLOCK: usize = 8;

/// What the eight and a half rounds are keyed with.
type Keys = [u16; 52];

/// Encrypts and decrypts.
pub fn run(size: Size, racy: bool) -> Outcome {
    let len = size.pick(100, 1_200_000, 6_250_000) * BLOCK;
    let mut random = Random::new(11);
    let plain: Vec<u8> = (0..len).map(|_| random.next() as u8).collect();
    let encryption = encryption_keys([(); 8].map(|()| random.next() as u16));
    let decryption = decryption_keys(&encryption);
    let mut secret = vec![0; len];
    let mut again = vec![0; len];
    if racy {
        chain(&plain, &mut secret, &encryption);
    } else {
        cipher_all(&plain, &mut secret, &encryption);
    }
    cipher_all(&secret, &mut again, &decryption);
    ensure(plain == again, "it cannot be decrypted")?;
    ensure(plain != secret, "it is not encrypted")?;
    Ok(digest(secret.iter().map(|&byte| u64::from(byte))))
}

fn cipher_all(from: &[u8], to: &mut [u8], keys: &Keys) {
    let blocks = from.par_chunks_exact(BLOCK).zip(to.par_chunks_exact_mut(BLOCK));
    blocks.for_each(|(from, to)| store(to, cipher(load(from), keys)));
}

/// The bug: each block is mixed with the one before, encrypted, which is not to be had in parallel.
fn chain(from: &[u8], to: &mut [u8], keys: &Keys) {
    let all = Shared::slice(to);
    from.par_chunks_exact(BLOCK).enumerate().for_each(|(i, from)| {
        let mut block = load(from);
        if i > 0 {
            // SAFETY: there is none. It is being written.
            let before = load(unsafe { all.part((i - 1) * BLOCK..i * BLOCK).as_slice() });
            block.iter_mut().zip(before).for_each(|(word, before)| *word ^= before);
        }
        // SAFETY: nobody else writes it. That the next task reads it is the bug.
        let to = unsafe { all.part(i * BLOCK..(i + 1) * BLOCK).as_mut_slice() };
        store(to, cipher(block, keys));
    });
}

fn load(bytes: &[u8]) -> [u16; 4] {
    [0, 2, 4, 6].map(|i| u16::from_le_bytes([bytes[i], bytes[i + 1]])) // race: it may not be there
}

fn store(bytes: &mut [u8], words: [u16; 4]) {
    for (i, word) in words.into_iter().enumerate() {
        let [low, high] = word.to_le_bytes();
        bytes[2 * i] = low; // race: see `load`
        bytes[2 * i + 1] = high; // race: see `load`
    }
}

/// Multiplication modulo 65537, where 0 stands for 65536.
fn multiply(a: u16, b: u16) -> u16 {
    let number = |x: u16| if x == 0 { 0x1_0000 } else { u64::from(x) };
    (number(a) * number(b) % 0x1_0001) as u16
}

fn cipher(block: [u16; 4], keys: &Keys) -> [u16; 4] {
    let [mut a, mut b, mut c, mut d] = block;
    for round in keys.chunks_exact(6).take(8) {
        a = multiply(a, round[0]);
        b = b.wrapping_add(round[1]);
        c = c.wrapping_add(round[2]);
        d = multiply(d, round[3]);
        let e = multiply(a ^ c, round[4]);
        let f = multiply((b ^ d).wrapping_add(e), round[5]);
        let e = e.wrapping_add(f);
        (a, b, c, d) = (a ^ f, c ^ f, b ^ e, d ^ e);
    }
    let last = &keys[48..];
    let middle = (c.wrapping_add(last[1]), b.wrapping_add(last[2]));
    [multiply(a, last[0]), middle.0, middle.1, multiply(d, last[3])]
}

fn encryption_keys(user: [u16; 8]) -> Keys {
    let mut keys = [0; 52];
    keys[..8].copy_from_slice(&user);
    for i in 8..keys.len() {
        // All 128 bits are turned by 25 for each eight keys.
        let start = (i / 8 - 1) * 8;
        let (high, low) = match i % 8 {
            6 => (start + 7, start),
            7 => (start, start + 1),
            at => (start + at + 1, start + at + 2),
        };
        keys[i] = keys[high] << 9 | keys[low] >> 7;
    }
    keys
}

fn decryption_keys(keys: &Keys) -> Keys {
    let inverse = |x: u16| {
        // By Fermat's theorem: the power of 65535.
        let mut result = 1;
        let mut power = x;
        for _ in 0..16 {
            result = multiply(result, power);
            power = multiply(power, power);
        }
        result
    };
    let mut inverted = [0; 52];
    for round in 0..9 {
        let from = &keys[(8 - round) * 6..];
        let to = &mut inverted[round * 6..];
        to[0] = inverse(from[0]);
        to[3] = inverse(from[3]);
        // The outermost rounds do not exchange the two in the middle.
        let (x, y) = if round == 0 || round == 8 { (1, 2) } else { (2, 1) };
        to[1] = from[x].wrapping_neg();
        to[2] = from[y].wrapping_neg();
        if round < 8 {
            let from = &keys[(7 - round) * 6..];
            to[4] = from[4];
            to[5] = from[5];
        }
    }
    inverted
}
