//! Molecular dynamics: particles of a noble gas in a box that repeats itself. The force on each
//! particle is computed in parallel.

use rayon::iter::{
    IndexedParallelIterator, IntoParallelIterator, IntoParallelRefIterator,
    IntoParallelRefMutIterator, ParallelIterator,
};

use crate::check::{Outcome, digest_floats, ensure_near};
use crate::random::Random;
use crate::shared::Shared;
use crate::size::Size;

type Vector = [f64; 3];

const DENSITY: f64 = 0.831_34;
const TEMPERATURE: f64 = 0.722;
const STEP: f64 = 0.002;

#[derive(Clone, Copy)]
struct Particle {
    place: Vector,
    velocity: Vector,
}

/// The box, and how far particles see.
#[derive(Clone, Copy)]
struct Space {
    side: f64,
    reach: f64,
}

/// Moves particles and checks that neither energy nor momentum come from nowhere.
pub fn run(size: Size, racy: bool) -> Outcome {
    let (cells, moves) = size.pick((2, 3), (5, 50), (8, 50));
    let n = 4 * cells * cells * cells;
    let side = (n as f64 / DENSITY).cbrt();
    let space = Space { side, reach: (side / 2.0).min(3.0) };
    let mut particles = lattice(cells, side);
    let (mut forces, _) = forces(&particles, space, racy);
    let mut energies = Vec::new();
    for _ in 0..moves {
        let moving = particles.par_iter_mut().zip(&forces);
        moving.for_each(|(particle, force)| {
            for i in 0..3 {
                particle.velocity[i] += 0.5 * STEP * force[i];
                particle.place[i] =
                    (particle.place[i] + STEP * particle.velocity[i]).rem_euclid(space.side);
            }
        });
        let potential;
        (forces, potential) = self::forces(&particles, space, racy);
        let moving = particles.par_iter_mut().zip(&forces);
        moving.for_each(|(particle, force)| {
            for i in 0..3 {
                particle.velocity[i] += 0.5 * STEP * force[i];
            }
        });
        let squares = particles.iter().flat_map(|particle| particle.velocity).map(|v| v * v);
        energies.push(0.5 * squares.sum::<f64>() + potential);
    }
    for i in 0..3 {
        let momentum = particles.iter().map(|particle| particle.velocity[i]).sum();
        ensure_near("the momentum", momentum, 0.0, 1e-6)?;
    }
    // What is out of reach has some energy left, so particles that pass the border change the total.
    ensure_near("the energy", energies[energies.len() - 1], energies[0], 0.02 * n as f64)?;
    Ok(digest_floats(&energies))
}

/// Particles at the corners and faces of cubes, with random velocities.
fn lattice(cells: usize, side: f64) -> Vec<Particle> {
    const CORNERS: [Vector; 4] = [[0.0; 3], [0.5, 0.5, 0.0], [0.5, 0.0, 0.5], [0.0, 0.5, 0.5]];
    let mut random = Random::new(13);
    let width = side / cells as f64;
    let mut particles = Vec::new();
    for cell in 0..cells * cells * cells {
        let cube = [cell / cells / cells, cell / cells % cells, cell % cells];
        for corner in CORNERS {
            let place = [0, 1, 2].map(|i| (cube[i] as f64 + corner[i]) * width);
            let velocity = [(); 3].map(|()| random.normal() * TEMPERATURE.sqrt());
            particles.push(Particle { place, velocity });
        }
    }
    for i in 0..3 {
        let mean = particles.iter().map(|particle| particle.velocity[i]).sum::<f64>()
            / particles.len() as f64;
        for particle in &mut particles {
            particle.velocity[i] -= mean;
        }
    }
    particles
}

/// The force on every particle, and the energy of all pairs.
fn forces(particles: &[Particle], space: Space, racy: bool) -> (Vec<Vector>, f64) {
    if racy {
        return forces_by_pairs(particles, space);
    }
    let each: Vec<(Vector, f64)> = particles
        .par_iter()
        .map(|particle| {
            let (mut force, mut energy) = ([0.0; 3], 0.0);
            for other in particles {
                if let Some((f, e)) = interaction(particle.place, other.place, space) {
                    (0..3).for_each(|i| force[i] += f[i]);
                    energy += e;
                }
            }
            (force, energy)
        })
        .collect();
    let energy = each.iter().map(|(_, energy)| energy / 2.0).sum();
    (each.into_iter().map(|(force, _)| force).collect(), energy)
}

/// The bug: each pair is looked at once, and its force added to both, which others do, too.
fn forces_by_pairs(particles: &[Particle], space: Space) -> (Vec<Vector>, f64) {
    let mut forces = vec![[0.0; 3]; particles.len()];
    let mut energy = 0.0;
    let (all, sum) = (Shared::slice(&mut forces), Shared::one(&mut energy));
    (0..particles.len()).into_par_iter().for_each(|a| {
        for b in a + 1..particles.len() {
            let pair = interaction(particles[a].place, particles[b].place, space);
            let Some((f, e)) = pair else { continue };
            // SAFETY: there is none. Other tasks add, too.
            let (one, other, sum) = unsafe { (&mut *all.at(a), &mut *all.at(b), &mut *sum.get()) };
            *sum += e; // race: all tasks add here
            for i in 0..3 {
                one[i] += f[i]; // race: it is the other particle of other pairs
                other[i] -= f[i]; // race: it is the first particle of other pairs
            }
        }
    });
    (forces, energy)
}

/// The force of one particle on another and their energy, if they are within reach.
#[inline]
fn interaction(here: Vector, there: Vector, space: Space) -> Option<(Vector, f64)> {
    let way = [0, 1, 2].map(|i| {
        let way = here[i] - there[i];
        if way > space.side / 2.0 {
            way - space.side
        } else if way < -space.side / 2.0 {
            way + space.side
        } else {
            way
        }
    });
    let square = way[0] * way[0] + way[1] * way[1] + way[2] * way[2];
    if square == 0.0 || square > space.reach * space.reach {
        return None;
    }
    let sixth = 1.0 / (square * square * square);
    let factor = 24.0 * (2.0 * sixth * sixth - sixth) / square;
    Some((way.map(|x| x * factor), 4.0 * (sixth * sixth - sixth)))
}
