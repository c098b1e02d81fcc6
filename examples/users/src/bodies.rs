//! The forces between all pairs of bodies: an inner parallel sum for each of them.

use rayon::prelude::*;

use crate::random::Random;
use crate::size::Size;
use crate::unsafe_slice::UnsafeSlice;

struct Body {
    position: [f32; 3],
    mass: f32,
}

impl Body {
    /// How this one is pulled by another.
    fn pull(&self, other: &Self) -> [f32; 3] {
        let [x, y, z] = [0, 1, 2].map(|axis| other.position[axis] - self.position[axis]);
        let square = x * x + y * y + z * z + 0.01;
        let force = self.mass * other.mass / (square * square.sqrt());
        [x * force, y * force, z * force]
    }
}

fn add(a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

/// Computes all forces, which cancel each other out.
pub fn run(size: Size) -> u64 {
    let bodies = bodies(size.pick(150, 6_000));
    let forces: Vec<[f32; 3]> = bodies
        .par_iter()
        .map(|body| bodies.par_iter().map(|other| body.pull(other)).reduce(|| [0.0; 3], add))
        .collect();
    let strength = |force: &[f32; 3]| force.iter().map(|axis| axis * axis).sum::<f32>().sqrt();
    let strongest = forces.iter().map(strength).fold(0.0, f32::max);
    let rest = strength(&forces.iter().copied().fold([0.0; 3], add));
    assert!(rest < 0.01 * strongest, "{rest} against {strongest}");
    forces.len() as u64
}

/// The mistake: each pair is looked at once, and the force added to both.
pub fn racy(size: Size) -> u64 {
    let bodies = bodies(size.pick(150, 6_000));
    let mut forces = vec![[0.0_f32; 3]; bodies.len()];
    let shared = UnsafeSlice::new(&mut forces);
    bodies.par_iter().enumerate().for_each(|(i, body)| {
        for (j, other) in bodies.iter().enumerate().skip(i + 1) {
            let pull = body.pull(other);
            for (axis, pull) in pull.into_iter().enumerate() {
                // SAFETY: none, that is the mistake.
                unsafe {
                    (*shared.get(i))[axis] += pull; // race: others add to it as their `j`
                    (*shared.get(j))[axis] -= pull; // race: that is another item's
                }
            }
        }
    });
    forces.len() as u64
}

fn bodies(count: usize) -> Vec<Body> {
    let mut random = Random::new(9);
    (0..count)
        .map(|_| {
            let position = [(); 3].map(|()| random.unit() as f32);
            Body { position, mass: 1.0 + random.coarse() as f32 }
        })
        .collect()
}
