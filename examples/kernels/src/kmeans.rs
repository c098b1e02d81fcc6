//! The colours that represent a picture best, by k-means: chunks of pixels in parallel, their sums
//! added up by a reduction.

use rayon::iter::ParallelIterator;
use rayon::slice::ParallelSlice;

use crate::random::Random;
use crate::size::Size;

const COLOURS: usize = 16;
const CHUNK: usize = 4096;

type Colour = [u8; 3];

/// What belongs to one centre: how many pixels, the sums of their components, and the sum of their
/// distances.
#[derive(Clone, Copy, Default)]
struct Cluster {
    pixels: u64,
    sums: [u64; 3],
    distance: u64,
}

/// Moves the centres and checks that the pixels come ever closer to them.
pub fn run(size: Size) -> u64 {
    let (n, rounds) = size.pick((1_000, 3), (400_000, 12));
    let mut random = Random::new(10);
    let pixels: Vec<Colour> =
        (0..n).map(|_| [(); 3].map(|()| (random.next() & random.next()) as u8)).collect();
    let mut centres: Vec<Colour> = pixels[..COLOURS].to_vec();
    let mut before = u64::MAX;
    for _ in 0..rounds {
        let clusters = assign(&pixels, &centres);
        assert_eq!(clusters.iter().map(|cluster| cluster.pixels).sum::<u64>(), n as u64);
        let distance = clusters.iter().map(|cluster| cluster.distance).sum();
        assert!(distance < before + before / 100, "rounding may cost a little");
        before = distance;
        for (centre, cluster) in centres.iter_mut().zip(&clusters).filter(|(_, c)| c.pixels > 0) {
            *centre = cluster.sums.map(|sum| ((sum + cluster.pixels / 2) / cluster.pixels) as u8);
        }
    }
    before
}

fn assign(pixels: &[Colour], centres: &[Colour]) -> [Cluster; COLOURS] {
    pixels.par_chunks(CHUNK).map(|chunk| assign_chunk(chunk, centres)).reduce(
        || [Cluster::default(); COLOURS],
        |mut sum, other| {
            for (sum, cluster) in sum.iter_mut().zip(&other) {
                sum.pixels += cluster.pixels;
                sum.distance += cluster.distance;
                sum.sums.iter_mut().zip(cluster.sums).for_each(|(sum, part)| *sum += part);
            }
            sum
        },
    )
}

fn assign_chunk(pixels: &[Colour], centres: &[Colour]) -> [Cluster; COLOURS] {
    let mut clusters = [Cluster::default(); COLOURS];
    for &pixel in pixels {
        let distances = centres.iter().map(|&centre| distance(pixel, centre));
        let (distance, nearest) = distances.zip(0..).min().expect("there are centres");
        let cluster: &mut Cluster = &mut clusters[nearest];
        cluster.pixels += 1;
        cluster.distance += u64::from(distance);
        cluster.sums.iter_mut().zip(pixel).for_each(|(sum, part)| *sum += u64::from(part));
    }
    clusters
}

/// The square of the distance of two colours.
fn distance(a: Colour, b: Colour) -> u32 {
    a.iter().zip(b).map(|(a, b)| u32::from(a.abs_diff(b)).pow(2)).sum()
}
