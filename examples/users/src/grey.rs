//! An image of red, green and blue bytes becomes grey.

use rayon::prelude::*;

use crate::random::Random;
use crate::size::Size;
use crate::unsafe_slice::UnsafeSlice;

/// Converts into a second image, and looks at some of its pixels.
pub fn run(size: Size) -> u64 {
    let (pixels, frames) = size.pick((20_000, 2), (4_000_000, 15));
    let image = image(pixels);
    let mut grey = Vec::new();
    for _ in 0..frames {
        image.par_iter().map(|&pixel| luma(pixel)).collect_into_vec(&mut grey);
    }
    assert_eq!(grey.len(), pixels);
    assert!(image.iter().zip(&grey).step_by(97).all(|(&pixel, &grey)| luma(pixel) == grey));
    grey.iter().map(|&grey| u64::from(grey)).sum()
}

/// The mistake: to save memory, grey bytes go to the front of the image that is still being read.
pub fn racy(size: Size) -> u64 {
    let pixels = size.pick(20_000, 4_000_000);
    let mut bytes = image(pixels).into_flattened();
    let shared = UnsafeSlice::new(&mut bytes);
    (0..pixels).into_par_iter().for_each(|i| {
        // SAFETY: none, that is the mistake.
        unsafe {
            let pixel = [0, 1, 2].map(|channel| *shared.get(3 * i + channel)); // race: it may be grey
            *shared.get(i) = luma(pixel); // race: it may be needed yet
        }
    });
    bytes[..pixels].iter().map(|&grey| u64::from(grey)).sum()
}

fn image(pixels: usize) -> Vec<[u8; 3]> {
    let mut random = Random::new(2);
    (0..pixels)
        .map(|_| {
            let [red, green, blue, ..] = random.next().to_le_bytes();
            [red, green, blue]
        })
        .collect()
}

fn luma([red, green, blue]: [u8; 3]) -> u8 {
    ((77 * u32::from(red) + 150 * u32::from(green) + 29 * u32::from(blue)) >> 8) as u8
}
