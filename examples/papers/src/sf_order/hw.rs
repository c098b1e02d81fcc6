//! Heart wall: points on the inner and the outer wall of a beating heart are tracked through the
//! frames of a film. A frame is smoothed by futures, one for each band of it. Each point is followed
//! by a chain of futures, one for each frame: it gets the one before, looks for what is around the
//! point near to where it was, and adapts to how that looks now.

use std::f64::consts::TAU;

use rosser::{Future, finish};

use crate::check::{Outcome, digest, ensure};
use crate::shared::Shared;
use crate::size::Size;

/// Futures that smooth a frame.
const BANDS: usize = 4;
/// How much of a template stays, when it is adapted.
const INERTIA: f32 = 0.9;

/// What is tracked, and how.
#[derive(Clone, Copy)]
struct Film {
    /// Rows and columns of a frame.
    side: usize,
    /// How far a template reaches from its point.
    reach: usize,
    /// How far a point may move between frames.
    search: usize,
}

/// A point that is tracked.
struct Point {
    /// Column and row.
    place: [usize; 2],
    /// How its surroundings look.
    template: Vec<f32>,
}

/// Tracks points, and compares where they are with how the heart was made to beat.
pub fn run(size: Size, racy: bool) -> Outcome {
    let (film, frames, points) = size.pick(
        (Film { side: 64, reach: 4, search: 3 }, 3, [3, 5]),
        (Film { side: 300, reach: 12, search: 8 }, 10, [20, 31]),
        (Film { side: 600, reach: 20, search: 20 }, 10, [20, 31]),
    );
    let raw: Vec<Vec<f32>> = (0..=frames).map(|frame| film.take(frame)).collect();
    let mut smooth = vec![0.0; (frames + 1) * film.side * film.side];
    let len = film.side * film.side;
    let smooth = Shared::slice(&mut smooth);
    let picture = |frame: usize| smooth.part(frame * len..(frame + 1) * len);
    // Where points are on the wall: angle and distance.
    let walls: Vec<[f64; 2]> = [0.2, 0.32]
        .into_iter()
        .zip(points)
        .flat_map(|(radius, n)| (0..n).map(move |i| [TAU * f64::from(i) / f64::from(n), radius]))
        .collect();

    let places: Vec<[usize; 2]> = finish(|s| {
        let mut tracked: Vec<Option<Future<Point>>> = walls.iter().map(|_| None).collect();
        for (frame, raw) in raw.iter().enumerate() {
            let picture = picture(frame);
            let bands: Vec<Future<()>> = (0..BANDS)
                .map(|band| s.spawn_future(move |_| film.smooth_band(raw, picture, band)))
                .collect();
            for band in bands {
                // The bug: nobody waits for the bands.
                if !racy {
                    band.get();
                }
            }
            for (wall, tracked) in walls.iter().zip(&mut tracked) {
                let before = tracked.take();
                *tracked = Some(s.spawn_future(move |_| {
                    // SAFETY: without the bug, the frame is not written any more.
                    let picture = unsafe { picture.as_slice() };
                    match before {
                        None => film.first(picture, *wall),
                        Some(before) => film.follow(picture, before.get()),
                    }
                }));
            }
        }
        let last = tracked.into_iter().flatten();
        last.map(|point| point.get().place).collect()
    });
    let mut error = 0.0;
    for (place, wall) in places.iter().zip(&walls) {
        let expected = film.place_of(*wall, frames);
        error += (0..2).map(|i| (place[i] as f64 - expected[i]).powi(2)).sum::<f64>().sqrt();
    }
    ensure(error < 2.0 * places.len() as f64, "points got lost")?;
    Ok(digest(places.iter().flatten().map(|&at| at as u64)))
}

impl Film {
    /// How large the heart is in a frame.
    fn beat(frame: usize) -> f64 {
        1.0 + 0.08 * (TAU * frame as f64 / 10.0).sin()
    }

    fn place_of(self, [angle, radius]: [f64; 2], frame: usize) -> [f64; 2] {
        let radius = radius * Self::beat(frame) * self.side as f64;
        let middle = self.side as f64 / 2.0;
        [middle + radius * angle.cos(), middle + radius * angle.sin()]
    }

    /// A frame as the scanner makes it: tissue that moves with the heart, and noise that does not.
    fn take(self, frame: usize) -> Vec<f32> {
        let scale = 1.0 / (Self::beat(frame) * self.side as f64);
        let pixel = |at: usize| {
            let offset = |i: usize| (i as f64 - self.side as f64 / 2.0) * scale;
            let (x, y) = (offset(at % self.side), offset(at / self.side));
            let tissue = (61.0 * x + 17.0 * y).sin()
                + (23.0 * x - 53.0 * y + 1.0).sin()
                + (37.0 * x + 41.0 * y * (1.0 + x)).sin()
                + (90.0 * (x * x + y * y).sqrt()).cos();
            let noise = (at * 2_654_435_761 + frame * 40_503) % 1000;
            (tissue + 0.3 * noise as f64 / 1000.0) as f32
        };
        (0..self.side * self.side).map(pixel).collect()
    }

    /// Averages over nine pixels each.
    fn smooth_band(self, raw: &[f32], to: Shared<f32>, band: usize) {
        let side = self.side;
        for y in band * side / BANDS..(band + 1) * side / BANDS {
            for x in 0..side {
                let (mut sum, mut count) = (0.0, 0.0);
                for near_y in y.saturating_sub(1)..(y + 2).min(side) {
                    for near_x in x.saturating_sub(1)..(x + 2).min(side) {
                        sum += raw[near_y * side + near_x];
                        count += 1.0;
                    }
                }
                // SAFETY: nobody else writes the band.
                unsafe { *to.at(y * side + x) = sum / count } // race: see `likeness` and `adapt`
            }
        }
    }

    /// A point in the first frame, where the physician has marked it.
    fn first(self, picture: &[f32], wall: [f64; 2]) -> Point {
        let place = self.place_of(wall, 0).map(|x| x.round() as usize);
        let width = 2 * self.reach + 1;
        let mut point = Point { place, template: vec![0.0; width * width] };
        self.adapt(picture, &mut point, 0.0);
        point
    }

    fn follow(self, picture: &[f32], mut point: Point) -> Point {
        let mut best = (f32::MIN, point.place);
        let around = |at: usize| {
            let low = at.saturating_sub(self.search).max(self.reach);
            low..(at + self.search + 1).min(self.side - self.reach)
        };
        for y in around(point.place[1]) {
            for x in around(point.place[0]) {
                let likeness = self.likeness(picture, &point.template, [x, y]);
                if likeness > best.0 {
                    best = (likeness, [x, y]);
                }
            }
        }
        point.place = best.1;
        self.adapt(picture, &mut point, INERTIA);
        point
    }

    /// The correlation of a template with what is around a place.
    fn likeness(self, picture: &[f32], template: &[f32], [x, y]: [usize; 2]) -> f32 {
        let (mut product, mut square, mut sum) = (0.0, 0.0, 0.0);
        let width = 2 * self.reach + 1;
        for (i, template) in template.chunks_exact(width).enumerate() {
            let start = (y + i - self.reach) * self.side + x - self.reach;
            for j in 0..width {
                let pixel = picture[start + j]; // race: it may not be smooth yet
                product += pixel * template[j];
                square += pixel * pixel;
                sum += pixel;
            }
        }
        let n = (width * width) as f32;
        // Templates have no mean.
        product / (square - sum * sum / n).max(1e-6).sqrt()
    }

    /// Makes a template more like what is around its point.
    fn adapt(self, picture: &[f32], point: &mut Point, inertia: f32) {
        let width = 2 * self.reach + 1;
        let [x, y] = point.place;
        for (i, template) in point.template.chunks_exact_mut(width).enumerate() {
            let start = (y + i - self.reach) * self.side + x - self.reach;
            for j in 0..width {
                let pixel = picture[start + j]; // race: it may not be smooth yet
                template[j] = inertia * template[j] + (1.0 - inertia) * pixel;
            }
        }
        let mean = point.template.iter().sum::<f32>() / (width * width) as f32;
        point.template.iter_mut().for_each(|pixel| *pixel -= mean);
    }
}
