//! A sparse matrix, stored by rows, times a vector, again and again: one item for each row.

use rayon::iter::{
    IndexedParallelIterator, IntoParallelRefIterator, IntoParallelRefMutIterator, ParallelIterator,
};

use crate::random::Random;
use crate::size::Size;

/// How many elements a row has on average.
const PER_ROW: u64 = 48;

/// The columns and values of row `i` are those from `starts[i]` to `starts[i + 1]`.
struct Matrix {
    starts: Vec<usize>,
    columns: Vec<u32>,
    values: Vec<u32>,
}

/// Multiplies in turn and checks the last product.
pub fn run(size: Size) -> u64 {
    let (n, rounds) = size.pick((100, 3), (20_000, 160));
    let matrix = Matrix::random(n);
    let mut vector: Vec<u64> = (0..n as u64).collect();
    let mut product = vec![0; n];
    for _ in 0..rounds {
        matrix.multiply(&vector, &mut product);
        vector
            .par_iter_mut()
            .zip(product.par_iter())
            .with_min_len(1024)
            .for_each(|(v, p)| *v = p % 1_000_003);
    }

    let serial = |row: usize| {
        let row = matrix.starts[row]..matrix.starts[row + 1];
        let (columns, values) = (&matrix.columns[row.clone()], &matrix.values[row]);
        columns.iter().zip(values).map(|(&c, &value)| u64::from(value) * vector[c as usize]).sum()
    };
    matrix.multiply(&vector, &mut product);
    assert!((0..n).all(|row| product[row] == serial(row)));
    product.iter().fold(0, |sum: u64, element| sum.wrapping_mul(31).wrapping_add(*element))
}

impl Matrix {
    fn random(n: usize) -> Self {
        let mut random = Random::new(5);
        let mut starts = vec![0];
        let (mut columns, mut values) = (Vec::new(), Vec::new());
        for row in 0..n {
            // Most elements are near the diagonal, as neighbours in a mesh are.
            for _ in 0..PER_ROW / 2 + random.below(PER_ROW) {
                columns.push(((row as u64 + random.below(2 * PER_ROW)) % n as u64) as u32);
                values.push(random.below(11) as u32);
            }
            starts.push(columns.len());
        }
        Self { starts, columns, values }
    }

    fn multiply(&self, vector: &[u64], product: &mut [u64]) {
        product.par_iter_mut().enumerate().for_each(|(row, element)| {
            let row = self.starts[row]..self.starts[row + 1];
            *element = self.columns[row.clone()]
                .iter()
                .zip(&self.values[row])
                .map(|(&column, &value)| u64::from(value) * vector[column as usize])
                .sum();
        });
    }
}
