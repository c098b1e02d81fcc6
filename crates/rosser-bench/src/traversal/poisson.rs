//! Jacobi iteration for the Poisson equation, as in `KaStORS`: in each iteration one task per block
//! copies the new estimate over the old, then one per block makes a new estimate from the old one
//! of its block and of the edges of its four neighbours.
//!
//! A task gets the promises of its neighbours first and that of its own block last.
//!
//! A block is several cells wide, and a location is a cell, so that reading an edge is less than
//! reading a block, as it is in the original.

use rosser_detect::{Detector, LocId};

use super::depend::{Clause, Data, Datum, Program};

/// The size of an iteration.
#[derive(Clone, Copy, Debug)]
pub struct Poisson {
    /// Rows of blocks.
    pub blocks: u32,
    /// Rows of cells in a block.
    pub cells: u32,
    /// How often it is iterated.
    pub iterations: u32,
}

/// Where the arrays are, and what their blocks are called.
#[derive(Clone, Copy)]
struct Layout {
    size: Poisson,
    old: LocId,
    new: LocId,
    right: LocId,
}

#[derive(Clone, Copy)]
struct Block {
    row: u32,
    column: u32,
}

impl Layout {
    /// A cell of a block of the given array.
    fn cell(&self, array: LocId, block: Block, row: u32, column: u32) -> LocId {
        let Poisson { blocks, cells, .. } = self.size;
        let index = block.row * blocks + block.column;
        LocId(array.0 + (index * cells + row) * cells + column)
    }

    fn cells(&self, array: LocId, block: Block) -> impl Iterator<Item = LocId> {
        let (layout, cells) = (*self, self.size.cells);
        (0..cells * cells).map(move |i| layout.cell(array, block, i / cells, i % cells))
    }

    fn old_datum(&self, block: Block) -> Datum {
        Datum((block.row * self.size.blocks + block.column) as usize)
    }

    fn new_datum(&self, block: Block) -> Datum {
        Datum(self.old_datum(block).0 + (self.size.blocks * self.size.blocks) as usize)
    }

    /// The neighbours of a block, in the order of the original's clauses, each with the cells of
    /// the edge they share with it.
    fn neighbours(&self, block: Block) -> Vec<(Block, Vec<LocId>)> {
        let Poisson { blocks, cells, .. } = self.size;
        let Block { row, column } = block;
        let last = cells - 1;
        let mut neighbours = Vec::new();
        let mut add = |block: Block, edge: &dyn Fn(u32) -> (u32, u32)| {
            let cell = |i| {
                let (row, column) = edge(i);
                self.cell(self.old, block, row, column)
            };
            neighbours.push((block, (0..cells).map(cell).collect()));
        };
        if row > 0 {
            add(Block { row: row - 1, column }, &|i| (last, i));
        }
        if column + 1 < blocks {
            add(Block { row, column: column + 1 }, &|i| (i, 0));
        }
        if column > 0 {
            add(Block { row, column: column - 1 }, &|i| (i, last));
        }
        if row + 1 < blocks {
            add(Block { row: row + 1, column }, &|i| (0, i));
        }
        neighbours
    }
}

impl Poisson {
    /// The program: the main task fills the arrays, then creates all tasks.
    pub fn run<D: Detector>(self, program: &mut Program<'_, '_, D>) {
        let size = self.blocks * self.blocks * self.cells * self.cells;
        let [old, new, right] = [(); 3].map(|()| program.allocate(size));
        for location in 0..3 * size {
            program.emitter.write(LocId(old.0 + location));
        }
        let layout = Layout { size: self, old, new, right };
        let mut data = Data::new(2 * (self.blocks * self.blocks) as usize);
        for _ in 0..self.iterations {
            self.for_each_block(|block| copy(program, &layout, &mut data, block));
            self.for_each_block(|block| estimate(program, &layout, &mut data, block));
        }
    }

    /// Column by column, as in the original.
    fn for_each_block(self, mut act: impl FnMut(Block)) {
        for column in 0..self.blocks {
            for row in 0..self.blocks {
                act(Block { row, column });
            }
        }
    }
}

fn copy<D: Detector>(
    program: &mut Program<'_, '_, D>,
    layout: &Layout,
    data: &mut Data,
    block: Block,
) {
    let promise = program
        .begin(data, &[Clause::Out(layout.old_datum(block)), Clause::In(layout.new_datum(block))]);
    for (from, to) in layout.cells(layout.new, block).zip(layout.cells(layout.old, block)) {
        program.emitter.read(from);
        program.emitter.write(to);
    }
    program.end(promise);
}

fn estimate<D: Detector>(
    program: &mut Program<'_, '_, D>,
    layout: &Layout,
    data: &mut Data,
    block: Block,
) {
    let neighbours = layout.neighbours(block);
    let mut clauses = vec![Clause::Out(layout.new_datum(block))];
    clauses
        .extend(neighbours.iter().map(|(neighbour, _)| Clause::In(layout.old_datum(*neighbour))));
    clauses.push(Clause::In(layout.old_datum(block)));
    let promise = program.begin(data, &clauses);
    for location in neighbours.into_iter().flat_map(|(_, edge)| edge) {
        program.emitter.read(location);
    }
    let [old, right, new] =
        [layout.old, layout.right, layout.new].map(|array| layout.cells(array, block));
    for ((old, right), new) in old.zip(right).zip(new) {
        program.emitter.read(old);
        program.emitter.read(right);
        program.emitter.write(new);
    }
    program.end(promise);
}
