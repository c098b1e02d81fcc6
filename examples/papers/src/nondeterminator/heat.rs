//! Heat diffusion on a long mesh, explicit in time: the rows are divided until few are left.

use std::f64::consts::PI;

use rayon::join;

use crate::check::{Outcome, digest_floats, ensure_near};
use crate::shared::Shared;
use crate::size::Size;

/// No more rows than this make no tasks.
const CUT_OFF: usize = 16;

/// What flows to a neighbour in one step.
const FLOW: f64 = 0.2;

#[derive(Clone, Copy)]
struct Mesh {
    rows: usize,
    columns: usize,
}

/// Lets a wave decay that keeps its shape, and compares it with what must become of it.
pub fn run(size: Size, racy: bool) -> Outcome {
    let (rows, columns, steps) = size.pick((64, 16, 4), (4096, 16, 2400), (4096, 16, 300));
    let mesh = Mesh { rows, columns };
    let wave = |i: usize, j: usize| {
        let across = (PI * i as f64 / (rows - 1) as f64).sin();
        across * (PI * j as f64 / (columns - 1) as f64).sin()
    };
    let mut old: Vec<f64> =
        (0..rows * columns).map(|at| wave(at / columns, at % columns)).collect();
    let mut new = old.clone();
    for _ in 0..steps {
        let all = Shared::slice(&mut new);
        step(mesh, &old, all, 1, rows - 1, racy);
        std::mem::swap(&mut old, &mut new);
    }
    let decay = |n: usize| 2.0 - 2.0 * (PI / (n - 1) as f64).cos();
    let decayed = (1.0 - FLOW * (decay(rows) + decay(columns))).powi(steps);
    for at in 0..rows * columns {
        let expected = decayed * wave(at / columns, at % columns);
        ensure_near("the temperature", old[at], expected, 1e-9)?;
    }
    Ok(digest_floats(&old))
}

/// The next temperatures of some rows.
fn step(mesh: Mesh, old: &[f64], new: Shared<f64>, from: usize, to: usize, racy: bool) {
    if to - from > CUT_OFF {
        let middle = usize::midpoint(from, to);
        join(
            || step(mesh, old, new, from, middle, racy),
            || step(mesh, old, new, middle, to, racy),
        );
        return;
    }
    // The bug: one row too many, which the next task has, too.
    let to = if racy && to + 1 < mesh.rows { to + 1 } else { to };
    let columns = mesh.columns;
    for i in from..to {
        for at in i * columns + 1..(i + 1) * columns - 1 {
            let around = old[at - columns] + old[at + columns] + old[at - 1] + old[at + 1];
            let temperature = old[at] + FLOW * (around - 4.0 * old[at]);
            // SAFETY: without the bug, no other task has the row.
            unsafe { *new.at(at) = temperature } // race: another task has the row, too
        }
    }
}
