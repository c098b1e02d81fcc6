//! A scene of 64 spheres that mirror each other, a task for each row of the picture. Each adds its
//! part of a checksum, one at a time: in which order does not matter.

use rosser::{finish, isolated};

use crate::check::{Outcome, digest, ensure};
use crate::shared::Shared;
use crate::size::Size;

type Vector = [f64; 3];

/// How many mirrors a ray may meet.
const DEPTH: u32 = 6;

struct Sphere {
    center: Vector,
    radius: f64,
    /// From 0 to 1, for each colour.
    colour: Vector,
}

struct Ray {
    from: Vector,
    /// Of length 1.
    towards: Vector,
}

struct Scene {
    spheres: Vec<Sphere>,
    lights: [Vector; 5],
}

/// Draws the scene, and checks the sum that the tasks add up.
pub fn run(size: Size, racy: bool) -> Outcome {
    let n = size.pick(12, 500, 500);
    let scene = scene();
    let mut picture = vec![0_u32; n * n];
    let mut checksum = 0_u64;
    let sum = Shared::one(&mut checksum);
    finish(|s| {
        for (y, row) in picture.chunks_exact_mut(n).enumerate() {
            let scene = &scene;
            s.spawn(move |_| {
                let part = draw_row(scene, n, y, row);
                if racy {
                    // SAFETY: there is none. Others add, too.
                    unsafe { *sum.get() += part } // race: the section is not isolated
                } else {
                    isolated(|| {
                        // SAFETY: nobody else is in an isolated section.
                        unsafe { *sum.get() += part } // order: additions commute
                    });
                }
            });
        }
    });
    let again: u64 = picture.iter().map(|&pixel| brightness(pixel)).sum();
    ensure(checksum == again, "the checksum is wrong")?;
    ensure(picture.iter().any(|&pixel| pixel != picture[0]), "nothing is to be seen")?;
    Ok(digest(picture.iter().map(|&pixel| u64::from(pixel))))
}

fn scene() -> Scene {
    let spheres = (0..64_i32)
        .map(|i| {
            let at = [i / 16, i / 4 % 4, i % 4].map(f64::from);
            Sphere {
                center: at.map(|x| 4.0 * x - 6.0),
                radius: 1.5 - f64::from(i % 3) * 0.2,
                colour: at.map(|x| 0.25 + x / 4.0),
            }
        })
        .collect();
    let lights = [
        [20.0, 20.0, -20.0],
        [-20.0, 20.0, -20.0],
        [20.0, -20.0, -20.0],
        [-20.0, 20.0, 20.0],
        [0.0, 25.0, -25.0],
    ];
    Scene { spheres, lights }
}

/// Draws a row, and gives back its part of the checksum.
fn draw_row(scene: &Scene, n: usize, y: usize, row: &mut [u32]) -> u64 {
    let eye = [2.0, 3.0, -25.0];
    let mut sum = 0;
    for (x, pixel) in row.iter_mut().enumerate() {
        let across = |at: usize| (at as f64 + 0.5) / n as f64 - 0.5;
        let towards = normalized([across(x), -across(y), 1.0]);
        let colour = scene.trace(&Ray { from: eye, towards }, DEPTH);
        let [r, g, b] = colour.map(|part| (part.clamp(0.0, 1.0) * 255.0) as u32);
        *pixel = r << 16 | g << 8 | b;
        sum += brightness(*pixel);
    }
    sum
}

fn brightness(pixel: u32) -> u64 {
    u64::from(pixel >> 16) + u64::from(pixel >> 8 & 255) + u64::from(pixel & 255)
}

impl Scene {
    /// The colour that is seen along a ray.
    fn trace(&self, ray: &Ray, depth: u32) -> Vector {
        let Some((distance, sphere)) = self.first_hit(ray) else { return [0.05, 0.05, 0.1] };
        let place = add(ray.from, scaled(ray.towards, distance));
        let normal = scaled(subtract(place, sphere.center), 1.0 / sphere.radius);
        let mut light = 0.1;
        for lamp in self.lights {
            let way = subtract(lamp, place);
            let towards = normalized(way);
            let slant = dot(towards, normal);
            let shadow = Ray { from: add(place, scaled(normal, 1e-6)), towards };
            if slant > 0.0 && self.first_hit(&shadow).is_none() {
                light += 0.3 * slant;
            }
        }
        let own = scaled(sphere.colour, 0.7 * light);
        if depth == 0 {
            return own;
        }
        let towards = subtract(ray.towards, scaled(normal, 2.0 * dot(ray.towards, normal)));
        let mirrored = Ray { from: add(place, scaled(normal, 1e-6)), towards };
        add(own, scaled(self.trace(&mirrored, depth - 1), 0.3))
    }

    /// The nearest sphere along a ray, and how far it is.
    fn first_hit(&self, ray: &Ray) -> Option<(f64, &Sphere)> {
        let hits = self.spheres.iter().filter_map(|sphere| Some((sphere.hit(ray)?, sphere)));
        hits.min_by(|a, b| a.0.total_cmp(&b.0))
    }
}

impl Sphere {
    fn hit(&self, ray: &Ray) -> Option<f64> {
        let way = subtract(self.center, ray.from);
        let along = dot(way, ray.towards);
        let square = self.radius * self.radius - dot(way, way) + along * along;
        if square < 0.0 {
            return None;
        }
        let distance = along - square.sqrt();
        (distance > 0.0).then_some(distance)
    }
}

fn add(a: Vector, b: Vector) -> Vector {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

fn subtract(a: Vector, b: Vector) -> Vector {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

fn scaled(a: Vector, factor: f64) -> Vector {
    a.map(|x| x * factor)
}

fn dot(a: Vector, b: Vector) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn normalized(a: Vector) -> Vector {
    scaled(a, 1.0 / dot(a, a).sqrt())
}
