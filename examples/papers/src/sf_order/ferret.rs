//! Search for similar images. Each query is a future that goes through the stages: the image is cut
//! into regions, each region is described by a few numbers, candidates are looked up by a sketch of
//! those, and ranked by how much has to be moved to make one image of the other. Queries are made, and
//! answers taken, in order.

use rosser::{Future, finish};

use crate::check::{Outcome, digest, ensure};
use crate::random::Random;
use crate::shared::Shared;
use crate::size::Size;

/// Numbers that describe a region.
const FEATURES: usize = 7;
/// Regions of an image that count.
const REGIONS: usize = 8;
/// Answers to a query.
const TOP: usize = 5;
/// Images of the same kind differ in details only.
const KINDS: u64 = 16;

type Colour = [u8; 3];

struct Image {
    side: usize,
    pixels: Vec<Colour>,
}

/// A part of an image that has about the same colour everywhere.
struct Region {
    /// The part of the image that it is.
    weight: f64,
    features: [f64; FEATURES],
}

struct Entry {
    kind: u64,
    sketch: u64,
    regions: Vec<Region>,
}

struct Database {
    entries: Vec<Entry>,
    /// Directions in the space of features, one for each bit of a sketch.
    directions: Vec<[f64; FEATURES]>,
}

/// Makes a database and queries it.
pub fn run(size: Size, racy: bool) -> Outcome {
    let (side, entries, queries) = size.pick((16, 24, 4), (96, 800, 64), (160, 4000, 256));
    let mut random = Random::new(35);
    let directions = (0..64).map(|_| [(); FEATURES].map(|()| random.normal())).collect();
    let mut database = Database { entries: Vec::new(), directions };
    for i in 0..entries {
        let entry = database.describe(&Image::new(side, i % KINDS, i));
        database.entries.push(Entry { kind: i % KINDS, ..entry });
    }
    let database = &database;

    // The distances of all candidates. The bug: all queries have the same place for them.
    let mut scratch = vec![0.0; database.entries.len()];
    let scratch = Shared::slice(&mut scratch);
    let kind_of = |query: u64| (query * 7 + 3) % KINDS.min(entries);
    let answers: Vec<Vec<usize>> = finish(|s| {
        let futures: Vec<Future<Vec<usize>>> = (0..queries)
            .map(|query| {
                let image = Image::new(side, kind_of(query), 1_000_000 + query);
                s.spawn_future(move |_| {
                    let mut own = vec![0.0; database.entries.len()];
                    let distances = if racy { scratch } else { Shared::slice(&mut own) };
                    database.query(&database.describe(&image), distances)
                })
            })
            .collect();
        futures.into_iter().map(Future::get).collect()
    });
    let right = (0..queries).zip(&answers).filter(|(query, answer)| {
        answer.first().is_some_and(|&first| database.entries[first].kind == kind_of(*query))
    });
    ensure(right.count() as u64 * 10 >= queries * 9, "too many answers are wrong")?;
    Ok(digest(answers.iter().flatten().map(|&entry| entry as u64)))
}

impl Image {
    /// An image of some kind: rectangles, each a bit elsewhere, and noise.
    fn new(side: usize, kind: u64, seed: u64) -> Self {
        let (mut kinds, mut random) = (Random::new(500 + kind), Random::new(2000 + seed));
        let ground = [(); 3].map(|()| kinds.below(256) as u8);
        let mut pixels = vec![ground; side * side];
        for _ in 0..5 {
            let colour = [(); 3].map(|()| kinds.below(256) as u8);
            let mut edge = |random: &mut Random| {
                let shift = random.below(side as u64 / 12 + 1);
                (kinds.below(side as u64) + shift).min(side as u64 - 1) as usize
            };
            let (left, right) = (edge(&mut random), edge(&mut random));
            let (top, bottom) = (edge(&mut random), edge(&mut random));
            for y in top.min(bottom)..=top.max(bottom) {
                pixels[y * side..][left.min(right)..=left.max(right)].fill(colour);
            }
        }
        for pixel in &mut pixels {
            let noise = random.below(8) as u8;
            *pixel = pixel.map(|part| part.saturating_add(noise));
        }
        Self { side, pixels }
    }

    /// The largest regions of about the same colour, by their pixels.
    fn segment(&self) -> Vec<Vec<usize>> {
        let coarse: Vec<Colour> =
            self.pixels.iter().map(|pixel| pixel.map(|part| (part / 4 + 1) / 16)).collect();
        let mut seen = vec![false; self.pixels.len()];
        let mut regions = Vec::new();
        for start in 0..self.pixels.len() {
            if seen[start] {
                continue;
            }
            seen[start] = true;
            let (mut region, mut next) = (vec![start], 0);
            while let Some(&at) = region.get(next) {
                next += 1;
                let (x, y) = (at % self.side, at / self.side);
                let near = [
                    (x > 0).then(|| at - 1),
                    (x + 1 < self.side).then_some(at + 1),
                    (y > 0).then(|| at - self.side),
                    (y + 1 < self.side).then_some(at + self.side),
                ];
                for other in near.into_iter().flatten() {
                    if !seen[other] && coarse[other] == coarse[start] {
                        seen[other] = true;
                        region.push(other);
                    }
                }
            }
            regions.push(region);
        }
        regions.sort_by_key(|region| std::cmp::Reverse(region.len()));
        regions.truncate(REGIONS);
        regions
    }

    /// The colour, the middle and the extent of a region.
    fn extract(&self, region: &[usize]) -> [f64; FEATURES] {
        let n = region.len() as f64;
        let (mut sums, mut squares) = ([0.0; 5], [0.0; 2]);
        for &at in region {
            let colour = self.pixels[at];
            let place = [at % self.side, at / self.side].map(|x| x as f64 / self.side as f64);
            (0..3).for_each(|i| sums[i] += f64::from(colour[i]) / 256.0);
            (0..2).for_each(|i| {
                sums[3 + i] += place[i];
                squares[i] += place[i] * place[i];
            });
        }
        let means = sums.map(|sum| sum / n);
        let extent = [0, 1].map(|i| (squares[i] / n - means[3 + i].powi(2)).max(0.0).sqrt());
        [means[0], means[1], means[2], means[3], means[4], extent[0], extent[1]]
    }
}

impl Database {
    fn describe(&self, image: &Image) -> Entry {
        let segments = image.segment();
        let all: usize = segments.iter().map(Vec::len).sum();
        let regions: Vec<Region> = segments
            .iter()
            .map(|segment| Region {
                weight: segment.len() as f64 / all as f64,
                features: image.extract(segment),
            })
            .collect();
        let mut mean = [-0.4; FEATURES];
        for region in &regions {
            (0..FEATURES).for_each(|i| mean[i] += region.weight * region.features[i]);
        }
        let mut sketch = 0;
        for direction in &self.directions {
            let along: f64 = direction.iter().zip(&mean).map(|(a, b)| a * b).sum();
            sketch = sketch << 1 | u64::from(along > 0.0);
        }
        Entry { kind: 0, sketch, regions }
    }

    /// The entries that are most like an image.
    fn query(&self, image: &Entry, distances: Shared<f64>) -> Vec<usize> {
        let difference = |at: usize| (self.entries[at].sketch ^ image.sketch).count_ones();
        let mut candidates: Vec<usize> = (0..self.entries.len()).collect();
        candidates.sort_by_key(|&at| (difference(at), at));
        candidates.truncate(self.entries.len() / 4);
        for &at in &candidates {
            let distance = distance(&self.entries[at].regions, &image.regions);
            // SAFETY: without the bug, they are this query's own.
            unsafe { *distances.at(at) = distance } // race: another query may need its own there
        }
        let mut ranked: Vec<(u64, usize)> = Vec::new();
        for &at in &candidates {
            // SAFETY: likewise.
            let distance = unsafe { *distances.at(at) }; // race: it may be another query's
            ranked.push((distance.to_bits(), at));
        }
        // The bits of numbers that are not negative are in the order of the numbers.
        ranked.sort_unstable();
        ranked.into_iter().take(TOP).map(|(_, at)| at).collect()
    }
}

/// How much has to be moved how far: nearest regions first.
fn distance(a: &[Region], b: &[Region]) -> f64 {
    let mut pairs: Vec<(u64, usize, usize)> = Vec::new();
    for (i, x) in a.iter().enumerate() {
        for (j, y) in b.iter().enumerate() {
            let squares = (0..FEATURES).map(|k| (x.features[k] - y.features[k]).powi(2));
            pairs.push((squares.sum::<f64>().sqrt().to_bits(), i, j));
        }
    }
    pairs.sort_unstable();
    let mut left: Vec<f64> = a.iter().map(|region| region.weight).collect();
    let mut free: Vec<f64> = b.iter().map(|region| region.weight).collect();
    let mut total = 0.0;
    for (way, i, j) in pairs {
        let moved = left[i].min(free[j]);
        left[i] -= moved;
        free[j] -= moved;
        total += moved * f64::from_bits(way);
    }
    total
}
