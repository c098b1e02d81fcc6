//! Cholesky factorization of a sparse matrix, A = L Lᵀ. The lower half of the matrix is a tree: each
//! node has four quarters, of which those that are zero are left out.

use rayon::join;
use rosser::{Accumulator, Sum};

use crate::check::{Outcome, digest, digest_floats, ensure_near};
use crate::random::Random;
use crate::shared::Shared;
use crate::size::Size;

/// Rows and columns of a leaf.
const SIDE: usize = 4;

type Block = [[f64; SIDE]; SIDE];

/// A part of the matrix; nothing, if it is zero.
type Part = Option<Box<Node>>;

enum Node {
    Leaf(Block),
    /// Upper left, upper right, lower left, lower right.
    Quarters([Part; 4]),
}

/// Counts the leaves that come in by factoring.
enum Fill {
    Accumulated(Accumulator<u64, Sum>),
    Plain(Shared<u64>),
}

impl Fill {
    fn one_more(&self) {
        match self {
            Self::Accumulated(count) => count.accumulate(1),
            // SAFETY: there is none. Others count, too.
            Self::Plain(count) => unsafe { *count.get() += 1 }, // race: counts may get lost
        }
    }
}

/// Factors the matrix of a mesh, and checks the factor with a vector.
pub fn run(size: Size, racy: bool) -> Outcome {
    let (side, nonzeros) = size.pick((20, 1600), (150, 94_000), (60, 15_100));
    let n = side * side;
    let elements = mesh(side, nonzeros);
    let mut levels = 0;
    while SIDE << levels < n {
        levels += 1;
    }
    let mut matrix = None;
    for &(i, j, value) in &elements {
        insert(&mut matrix, levels, i, j, value);
    }
    for i in n..SIDE << levels {
        insert(&mut matrix, levels, i, i, 1.0);
    }
    let x: Vec<f64> = (0..SIDE << levels).map(|i| 1.0 + (i % 7) as f64).collect();
    let expected = apply_symmetric(&elements, &x);

    let mut plain = 0;
    let plain = Shared::one(&mut plain);
    let fill = if racy { Fill::Plain(plain) } else { Fill::Accumulated(Accumulator::new(Sum, 0)) };
    factor(&mut matrix, &fill);
    let (mut down, mut y) = (vec![0.0; x.len()], vec![0.0; x.len()]);
    apply(matrix.as_deref(), true, &x, &mut down);
    apply(matrix.as_deref(), false, &down, &mut y);
    for (is, expected) in y.iter().zip(&expected).take(n) {
        ensure_near("a row's product", *is, *expected, 1e-8)?;
    }
    let fill = match fill {
        Fill::Accumulated(count) => count.into_inner(),
        // SAFETY: all tasks have ended.
        Fill::Plain(count) => unsafe { *count.get() },
    };
    Ok(digest([fill, digest_floats(&y)]))
}

/// The lower half of a matrix whose elements are where a mesh has its edges, and some diagonals.
fn mesh(side: usize, nonzeros: usize) -> Vec<(usize, usize, f64)> {
    let n = side * side;
    let mut random = Random::new(4);
    let mut elements: Vec<(usize, usize, f64)> =
        (0..n).map(|i| (i, i, 9.0 + random.unit())).collect();
    for i in 0..n {
        if i % side != 0 {
            elements.push((i, i - 1, -random.unit()));
        }
        if i >= side {
            elements.push((i, i - side, -random.unit()));
        }
    }
    let mut diagonals: Vec<(usize, usize)> = (side + 1..n)
        .flat_map(|i| [(i, i - side - 1), (i, i - side + 1)])
        .filter(|&(i, j)| (i % side).abs_diff(j % side) == 1)
        .collect();
    while elements.len() < nonzeros && !diagonals.is_empty() {
        let at = random.below(diagonals.len() as u64) as usize;
        let (i, j) = diagonals.swap_remove(at);
        elements.push((i, j, -random.unit()));
    }
    elements
}

fn insert(part: &mut Part, levels: usize, i: usize, j: usize, value: f64) {
    if levels == 0 {
        let node = part.get_or_insert_with(|| Box::new(Node::Leaf([[0.0; SIDE]; SIDE])));
        if let Node::Leaf(block) = &mut **node {
            block[i][j] = value;
        }
        return;
    }
    let half = SIDE << (levels - 1);
    let node = part.get_or_insert_with(|| Box::new(Node::Quarters([None, None, None, None])));
    if let Node::Quarters(quarters) = &mut **node {
        insert(&mut quarters[i / half * 2 + j / half], levels - 1, i % half, j % half, value);
    }
}

fn apply_symmetric(elements: &[(usize, usize, f64)], x: &[f64]) -> Vec<f64> {
    let mut y = vec![0.0; x.len()];
    for &(i, j, value) in elements {
        y[i] += value * x[j];
        if i != j {
            y[j] += value * x[i];
        }
    }
    y
}

/// Adds the product of a part, or of its transpose, and a vector.
fn apply(node: Option<&Node>, transposed: bool, x: &[f64], y: &mut [f64]) {
    match node {
        None => {}
        Some(Node::Leaf(block)) => {
            for i in 0..SIDE {
                for j in 0..SIDE {
                    y[i] += x[j] * if transposed { block[j][i] } else { block[i][j] };
                }
            }
        }
        Some(Node::Quarters(quarters)) => {
            let half = x.len() / 2;
            for (at, quarter) in quarters.iter().enumerate() {
                let (i, j) = if transposed { (at % 2, at / 2) } else { (at / 2, at % 2) };
                let (x, y) = (&x[j * half..][..half], &mut y[i * half..][..half]);
                apply(quarter.as_deref(), transposed, x, y);
            }
        }
    }
}

/// Factors a part on the diagonal.
fn factor(part: &mut Part, fill: &Fill) {
    match part.as_deref_mut() {
        None => unreachable!("there is a diagonal"),
        Some(Node::Leaf(block)) => factor_block(block),
        Some(Node::Quarters([a, _, c, d])) => {
            factor(a, fill);
            solve(c, a, fill);
            multiply_subtract(d, c, c, true, fill);
            factor(d, fill);
        }
    }
}

/// Solves X Lᵀ = M in place.
fn solve(m: &mut Part, l: &Part, fill: &Fill) {
    match (m.as_deref_mut(), l.as_deref()) {
        (None, _) => {}
        (Some(Node::Leaf(m)), Some(Node::Leaf(l))) => solve_block(m, l),
        (Some(Node::Quarters([a, b, c, d])), Some(Node::Quarters([l0, _, l2, l3]))) => {
            let row = |left: &mut Part, right: &mut Part| {
                solve(left, l0, fill);
                multiply_subtract(right, left, l2, false, fill);
                solve(right, l3, fill);
            };
            join(|| row(a, b), || row(c, d));
        }
        _ => unreachable!("parts of the same size have the same depth, and there is a diagonal"),
    }
}

/// Subtracts the product of `a` and the transpose of `b` from `m`, of which only the lower half may
/// be wanted.
fn multiply_subtract(m: &mut Part, a: &Part, b: &Part, lower: bool, fill: &Fill) {
    let (Some(a), Some(b)) = (a.as_deref(), b.as_deref()) else { return };
    match (a, b) {
        (Node::Leaf(a), Node::Leaf(b)) => {
            let node = m.get_or_insert_with(|| {
                fill.one_more();
                Box::new(Node::Leaf([[0.0; SIDE]; SIDE]))
            });
            if let Node::Leaf(m) = &mut **node {
                multiply_subtract_block(m, a, b);
            }
        }
        (Node::Quarters(a), Node::Quarters(b)) => {
            let node = m.get_or_insert_with(|| Box::new(Node::Quarters([None, None, None, None])));
            let Node::Quarters([m0, m1, m2, m3]) = &mut **node else {
                unreachable!("parts of the same size have the same depth");
            };
            let quarter = |m: &mut Part, i: usize, j: usize, lower: bool| {
                multiply_subtract(m, &a[2 * i], &b[2 * j], lower, fill);
                multiply_subtract(m, &a[2 * i + 1], &b[2 * j + 1], lower, fill);
            };
            join(
                || join(|| quarter(m0, 0, 0, lower), || quarter(m2, 1, 0, false)),
                || {
                    let right = || {
                        if !lower {
                            quarter(m1, 0, 1, false);
                        }
                    };
                    join(right, || quarter(m3, 1, 1, lower))
                },
            );
            if matches!(&**node, Node::Quarters([None, None, None, None])) {
                *m = None;
            }
        }
        _ => unreachable!("parts of the same size have the same depth"),
    }
}

fn factor_block(block: &mut Block) {
    for k in 0..SIDE {
        block[k][k] = block[k][k].sqrt();
        for i in k + 1..SIDE {
            block[i][k] /= block[k][k];
        }
        for j in k + 1..SIDE {
            for i in j..SIDE {
                block[i][j] -= block[i][k] * block[j][k];
            }
        }
        // The upper half was never anything.
        block[k][k + 1..].fill(0.0);
    }
}

fn solve_block(m: &mut Block, l: &Block) {
    for row in m {
        for k in 0..SIDE {
            row[k] /= l[k][k];
            for j in k + 1..SIDE {
                row[j] -= row[k] * l[j][k];
            }
        }
    }
}

fn multiply_subtract_block(m: &mut Block, a: &Block, b: &Block) {
    for i in 0..SIDE {
        for j in 0..SIDE {
            m[i][j] -= (0..SIDE).map(|k| a[i][k] * b[j][k]).sum::<f64>();
        }
    }
}
