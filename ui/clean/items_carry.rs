//! What goes from item to item in a leaf belongs to the loop: accumulators on the heap, scratch memory, vectors that grow,
//! clones for each piece, nested loops in them.

use std::collections::HashMap;

use rayon::prelude::*;

fn main() {
    let items = 0..2000_usize;

    let counts = items
        .clone()
        .into_par_iter()
        .fold(
            || vec![0_u32; 16],
            |mut counts, item| {
                counts[item % 16] += 1;
                counts
            },
        )
        .reduce(
            || vec![0; 16],
            |mut a, b| {
                a.iter_mut().zip(b).for_each(|(a, b)| *a += b);
                a
            },
        );
    assert_eq!(counts, [125; 16]);

    let words = items.clone().into_par_iter().fold(HashMap::new, |mut words, item| {
        *words.entry((item % 7).to_string()).or_insert(0_usize) += 1;
        words
    });
    let sums = words.map(|words: HashMap<String, usize>| words.values().sum::<usize>());
    assert_eq!(sums.sum::<usize>(), 2000);

    let with = |scratch: &mut Vec<u8>, item: usize| {
        scratch.push(item as u8);
        scratch[0] ^= 1;
        scratch.len()
    };
    assert!(items.clone().into_par_iter().map_with(vec![0_u8; 8], with).sum::<usize>() > 2000);
    items.clone().into_par_iter().for_each_with(vec![0_u8; 8], |scratch, item| {
        with(scratch, item);
    });
    let folded = items.clone().into_par_iter().fold_with(vec![0_u8; 8], |mut scratch, item| {
        with(&mut scratch, item);
        scratch
    });
    assert_eq!(folded.map(|scratch| scratch.len() - 8).sum::<usize>(), 2000);
    let tried: Option<Vec<u8>> = items
        .clone()
        .into_par_iter()
        .try_fold_with(vec![0_u8; 8], |mut scratch, item| {
            with(&mut scratch, item);
            Some(scratch)
        })
        .try_reduce(Vec::new, |mut a, b| {
            a.extend(b);
            Some(a)
        });
    assert!(tried.is_some());
    let init = |scratch: &mut Vec<usize>, item: usize| {
        // Both halves of the scratch memory are used by tasks inside the item.
        scratch.resize(4, 0);
        let (a, b) = scratch.split_at_mut(2);
        rayon::join(|| a[0] += item, || b[1] += item);
        scratch[0].min(scratch[3])
    };
    assert!(items.clone().into_par_iter().map_init(Vec::new, init).sum::<usize>() > 0);

    // Each item of the outer loop makes a vector, in which the inner loop works; the outer loop carries another.
    let outer = (0..40_usize).into_par_iter().fold(Vec::new, |mut all: Vec<u16>, item| {
        let mut row = vec![item as u16; 50];
        row.par_iter_mut().enumerate().for_each(|(index, value)| *value += index as u16);
        all.par_iter_mut().for_each(|value| *value += 1);
        all.extend(&row);
        all
    });
    assert_eq!(outer.map(|all| all.len()).sum::<usize>(), 2000);

    let mut bytes: Vec<u8> = items.clone().into_par_iter().map(|item| item as u8).collect();
    bytes.par_iter_mut().for_each(|byte| *byte = byte.wrapping_mul(3));
    let shifted: Vec<u8> = bytes.par_windows(3).map(|three| three[0] ^ three[2]).collect();
    let (even, odd): (Vec<u8>, Vec<u8>) = shifted.par_iter().partition(|byte| **byte % 2 == 0);
    assert_eq!(even.len() + odd.len(), 1998);
    let strings: Vec<String> = items.into_par_iter().map(|item| item.to_string()).collect();
    assert_eq!(strings.par_iter().map(String::len).max(), Some(4));
}
