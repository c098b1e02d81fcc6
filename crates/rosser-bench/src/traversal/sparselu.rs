//! LU decomposition of a sparse blocked matrix, as in BOTS and `KaStORS`: tasks `lu0`, `fwd`,
//! `bdiv` and `bmod`, created by the main task. A location is a block.

use rosser_core::{Detector, LocId};

use super::depend::{Data, Datum, Program};

/// The size of a decomposition.
#[derive(Clone, Copy, Debug)]
pub struct SparseLu {
    /// Rows of blocks.
    pub blocks: u32,
}

/// The matrix, and which of its blocks exist.
struct Blocks {
    side: u32,
    first: LocId,
    exists: Vec<bool>,
}

impl Blocks {
    fn at(&self, row: u32, column: u32) -> Datum {
        Datum((row * self.side + column) as usize)
    }

    fn exists(&self, row: u32, column: u32) -> bool {
        self.exists[self.at(row, column).0]
    }

    fn location(&self, block: Datum) -> LocId {
        LocId(self.first.0 + block.0 as u32)
    }
}

/// Whether the input has the block: BOTS' pattern.
fn is_in_input(row: u32, column: u32) -> bool {
    if row.abs_diff(column) <= 1 {
        return true;
    }
    let is_thin = (row < column && row % 3 != 0) || (row > column && column % 3 != 0);
    !is_thin && row % 2 == 0 && column % 2 == 0
}

impl SparseLu {
    /// The program: the main task fills the matrix and decomposes it in place.
    pub fn run<D: Detector>(self, program: &mut Program<'_, '_, D>) {
        let side = self.blocks;
        let exists = (0..side * side).map(|i| is_in_input(i / side, i % side)).collect();
        let mut blocks = Blocks { side, first: program.allocate(side * side), exists };
        for row in 0..side {
            for column in 0..side {
                if blocks.exists(row, column) {
                    program.emitter.write(blocks.location(blocks.at(row, column)));
                }
            }
        }
        let mut data = Data::new((side * side) as usize);
        for k in 0..side {
            let diagonal = blocks.at(k, k);
            task(program, &mut data, &blocks, &[], diagonal);
            for j in (k + 1..side).filter(|j| blocks.exists(k, *j)) {
                task(program, &mut data, &blocks, &[diagonal], blocks.at(k, j));
            }
            for i in (k + 1..side).filter(|i| blocks.exists(*i, k)) {
                task(program, &mut data, &blocks, &[diagonal], blocks.at(i, k));
            }
            for i in k + 1..side {
                for j in k + 1..side {
                    if blocks.exists(i, k) && blocks.exists(k, j) {
                        let target = blocks.at(i, j);
                        // A missing block comes into being here; it is updated all the same.
                        blocks.exists[target.0] = true;
                        let reads = [blocks.at(i, k), blocks.at(k, j)];
                        task(program, &mut data, &blocks, &reads, target);
                    }
                }
            }
        }
    }
}

/// A task that reads blocks and updates another.
fn task<D: Detector>(
    program: &mut Program<'_, '_, D>,
    data: &mut Data,
    blocks: &Blocks,
    reads: &[Datum],
    target: Datum,
) {
    let promise = program.begin(data, reads, &[target]);
    for &block in reads.iter().chain([&target]) {
        program.emitter.read(blocks.location(block));
    }
    program.emitter.write(blocks.location(target));
    program.end(promise);
}

#[cfg(test)]
mod tests {
    use super::is_in_input;

    #[test]
    fn the_input_has_the_pattern_of_bots() {
        let rows: Vec<String> = (0..7)
            .map(|row| (0..7).map(|column| if is_in_input(row, column) { 'x' } else { '.' }).collect())
            .collect();
        assert_eq!(
            rows,
            ["xxx.x.x", "xxx....", "xxxx...", "..xxx..", "x..xxx.", "....xxx", "x....xx"]
        );
    }
}
