//! Particles that fly and bounce: structures of `f32`, updated in place.

use rayon::prelude::*;

use crate::random::Random;
use crate::size::Size;
use crate::unsafe_slice::UnsafeSlice;

#[derive(Clone, Copy)]
struct Particle {
    position: [f32; 3],
    velocity: [f32; 3],
    bounces: u32,
}

impl Particle {
    /// Moves for a while. Whether it hit a wall.
    fn fly(&mut self, time: f32) -> bool {
        let mut hit = false;
        for axis in 0..3 {
            self.position[axis] += self.velocity[axis] * time;
            if !(0.0..=1.0).contains(&self.position[axis]) {
                self.velocity[axis] = -self.velocity[axis];
                self.position[axis] = self.position[axis].clamp(0.0, 1.0);
                hit = true;
            }
        }
        self.bounces += u32::from(hit);
        hit
    }
}

/// Lets them fly in a box, which none may leave.
pub fn run(size: Size) -> u64 {
    let (count, steps) = size.pick((4_000, 3), (200_000, 100));
    let mut particles = particles(count);
    for _ in 0..steps {
        particles.par_iter_mut().for_each(|particle| {
            particle.fly(0.01);
        });
    }
    let inside =
        |particle: &Particle| particle.position.iter().all(|axis| (0.0..=1.0).contains(axis));
    assert!(particles.par_iter().all(inside));
    particles.iter().map(|particle| u64::from(particle.bounces)).sum()
}

/// The mistake: all bounces are counted together.
pub fn racy(size: Size) -> u64 {
    let mut particles = particles(size.pick(4_000, 200_000));
    let mut bounces = 0_u64;
    let shared = UnsafeSlice::new(std::slice::from_mut(&mut bounces));
    particles.par_iter_mut().for_each(|particle| {
        if particle.fly(0.5) {
            // SAFETY: none, that is the mistake.
            unsafe { *shared.get(0) += 1 } // race: others bounce, too
        }
    });
    bounces
}

fn particles(count: usize) -> Vec<Particle> {
    let mut random = Random::new(8);
    let mut triple = || [(); 3].map(|()| random.coarse() as f32);
    (0..count)
        .map(|_| Particle {
            position: triple(),
            velocity: triple().map(|axis| 2.0 * axis - 1.0),
            bounces: 0,
        })
        .collect()
}
