//! Barnes and Hut's method for many bodies that attract each other: far ones count as one, in a tree
//! of cells. The forces on all bodies are computed in parallel, then all bodies move.

use rayon::iter::{
    IndexedParallelIterator, IntoParallelIterator, IntoParallelRefIterator,
    IntoParallelRefMutIterator, ParallelIterator,
};

use crate::check::{Outcome, digest_floats, ensure, ensure_near};
use crate::random::Random;
use crate::shared::Shared;
use crate::size::Size;

type Vector = [f64; 3];

/// A cell counts as one body if it is no wider than this part of its distance.
const OPENING: f64 = 0.5;
/// Softens near encounters.
const SOFTENING: f64 = 0.05;
const STEP: f64 = 0.01;

#[derive(Clone, Copy)]
struct Body {
    place: Vector,
    velocity: Vector,
    mass: f64,
}

enum Cell {
    Empty,
    /// The index of a body.
    One(usize),
    Many {
        mass: f64,
        center: Vector,
        width: f64,
        octants: Box<[Cell; 8]>,
    },
}

/// Moves a cloud of bodies, and compares the last forces with exact ones.
pub fn run(size: Size, racy: bool) -> Outcome {
    let (n, steps) = size.pick((60, 2), (4096, 10), (4096, 4));
    let mut bodies = cloud(n);
    let before = momentum(&bodies);
    for _ in 0..steps {
        let tree = Cell::of(&bodies);
        if racy {
            move_at_once(&mut bodies, &tree);
        } else {
            let forces: Vec<Vector> =
                bodies.par_iter().map(|body| tree.force(&bodies, body.place)).collect();
            let moves = bodies.par_iter_mut().zip(forces);
            moves.for_each(|(body, force)| advance(body, force));
        }
    }
    let tree = Cell::of(&bodies);
    for body in bodies.iter().step_by(n / 20) {
        let exact = bodies
            .iter()
            .fold([0.0; 3], |sum, other| add(sum, attraction(body.place, other.place, other.mass)));
        let size = exact.iter().map(|x| x * x).sum::<f64>().sqrt();
        let force = tree.force(&bodies, body.place);
        let error = (0..3).map(|i| (force[i] - exact[i]).abs()).fold(0.0, f64::max);
        ensure(error < 0.1 * size.max(0.5), "a force is wrong")?;
    }
    let after = momentum(&bodies);
    for i in 0..3 {
        ensure_near("the momentum", after[i], before[i], 1e-3)?;
    }
    Ok(digest_floats(bodies.iter().flat_map(|body| &body.place)))
}

/// Bodies in a ball, denser in the middle.
fn cloud(n: usize) -> Vec<Body> {
    let mut random = Random::new(5);
    let mut direction = || [(); 3].map(|()| random.normal());
    let mut body = |i: usize| {
        let radius = 0.1 + i as f64 / n as f64;
        let place = direction();
        let length = place.iter().map(|x| x * x).sum::<f64>().sqrt();
        let place = place.map(|x| x / length * radius);
        Body { place, velocity: direction().map(|x| 0.1 * x), mass: 1.0 / n as f64 }
    };
    (0..n).map(&mut body).collect()
}

fn momentum(bodies: &[Body]) -> Vector {
    bodies.iter().fold([0.0; 3], |sum, body| add(sum, body.velocity.map(|x| x * body.mass)))
}

fn add(a: Vector, b: Vector) -> Vector {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

/// What a mass at `there` does to a unit of mass `here`.
fn attraction(here: Vector, there: Vector, mass: f64) -> Vector {
    let way = [there[0] - here[0], there[1] - here[1], there[2] - here[2]];
    let square = way.iter().map(|x| x * x).sum::<f64>() + SOFTENING * SOFTENING;
    let factor = mass / (square * square.sqrt());
    way.map(|x| x * factor)
}

fn advance(body: &mut Body, force: Vector) {
    body.velocity = add(body.velocity, force.map(|x| x * STEP));
    body.place = add(body.place, body.velocity.map(|x| x * STEP)); // race: others look at the place
}

/// The bug: each body moves as soon as its force is known, while others still need its place.
fn move_at_once(bodies: &mut [Body], tree: &Cell) {
    let shared = Shared::slice(bodies);
    (0..bodies.len()).into_par_iter().for_each(|i| {
        // SAFETY: there is none. Bodies are read here, and written below.
        let all = unsafe { shared.as_slice() };
        let force = tree.force(all, all[i].place);
        // SAFETY: likewise.
        advance(unsafe { &mut *shared.at(i) }, force);
    });
}

impl Cell {
    /// The tree of all bodies.
    fn of(bodies: &[Body]) -> Self {
        let places = bodies.iter().flat_map(|body| body.place);
        let reach = places.map(f64::abs).fold(0.0, f64::max) + 1e-6;
        let mut root = Self::Empty;
        for i in 0..bodies.len() {
            root.insert(bodies, i, [0.0; 3], 2.0 * reach);
        }
        root.summarize(bodies);
        root
    }

    fn insert(&mut self, bodies: &[Body], body: usize, middle: Vector, width: f64) {
        match self {
            Self::Empty => *self = Self::One(body),
            Self::One(other) => {
                let other = *other;
                let octants = Box::new([(); 8].map(|()| Self::Empty));
                *self = Self::Many { mass: 0.0, center: [0.0; 3], width, octants };
                self.insert(bodies, other, middle, width);
                self.insert(bodies, body, middle, width);
            }
            Self::Many { octants, .. } => {
                let (mut at, mut towards) = (0, middle);
                for i in 0..3 {
                    let above = bodies[body].place[i] >= middle[i];
                    at = 2 * at + usize::from(above);
                    towards[i] += if above { width / 4.0 } else { -width / 4.0 };
                }
                octants[at].insert(bodies, body, towards, width / 2.0);
            }
        }
    }

    /// Fills in masses and centers; gives back the cell's own.
    fn summarize(&mut self, bodies: &[Body]) -> (f64, Vector) {
        match self {
            Self::Empty => (0.0, [0.0; 3]),
            Self::One(body) => (bodies[*body].mass, bodies[*body].place),
            Self::Many { mass, center, octants, .. } => {
                let (mut total, mut sum) = (0.0, [0.0; 3]);
                for octant in octants.iter_mut() {
                    let (mass, center) = octant.summarize(bodies);
                    total += mass;
                    sum = add(sum, center.map(|x| x * mass));
                }
                (*mass, *center) = (total, sum.map(|x| x / total));
                (*mass, *center)
            }
        }
    }

    fn force(&self, bodies: &[Body], here: Vector) -> Vector {
        match self {
            Self::Empty => [0.0; 3],
            Self::One(body) => {
                let Body { place, mass, .. } = bodies[*body]; // race: it may have moved
                attraction(here, place, mass)
            }
            Self::Many { mass, center, width, octants } => {
                let square: f64 = (0..3).map(|i| (center[i] - here[i]).powi(2)).sum();
                if width * width < OPENING * OPENING * square {
                    attraction(here, *center, *mass)
                } else {
                    let forces = octants.iter().map(|octant| octant.force(bodies, here));
                    forces.fold([0.0; 3], add)
                }
            }
        }
    }
}
