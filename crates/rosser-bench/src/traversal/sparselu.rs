//! LU decomposition of a sparse blocked matrix with BOTS' pattern of missing blocks. A location is
//! a block.
//!
//! The counts in Table 2 of the paper, for 128 rows of blocks, tell how its program is built; the
//! test below holds this one against them. Each step of the elimination is a finish. In it are a
//! task `lu0` for the diagonal block, which sets a promise; tasks `fwd` and `bdiv` for the blocks
//! in its row and column, which get that and set one of their own; and for each block in the
//! column a task that goes along the row, gets the promises of both blocks, and creates a task
//! `bmod` for the block where they meet.

use rosser_detect::{Detector, LocId, PromiseId, ScopeKind, TaskKind};

use super::depend::Program;

/// The size of a decomposition.
#[derive(Clone, Copy, Debug)]
pub struct SparseLu {
    /// Rows of blocks.
    pub blocks: u32,
}

/// A block, by its row and column.
type Block = (u32, u32);

/// The matrix, and which of its blocks exist.
struct Blocks {
    side: u32,
    first: LocId,
    exists: Vec<bool>,
}

impl Blocks {
    fn index(&self, (row, column): Block) -> u32 {
        row * self.side + column
    }

    fn exists(&self, block: Block) -> bool {
        self.exists[self.index(block) as usize]
    }

    fn location(&self, block: Block) -> LocId {
        LocId(self.first.0 + self.index(block))
    }
}

/// Whether the input has the block: BOTS' pattern.
fn is_in_input(row: u32, column: u32) -> bool {
    if row.abs_diff(column) <= 1 {
        return true;
    }
    let is_thin =
        (row < column && !row.is_multiple_of(3)) || (row > column && !column.is_multiple_of(3));
    !is_thin && row.is_multiple_of(2) && column.is_multiple_of(2)
}

impl SparseLu {
    /// The program: the main task fills the matrix and decomposes it in place.
    pub fn run<D: Detector>(self, program: &mut Program<'_, '_, D>) {
        let side = self.blocks;
        let exists = (0..side * side).map(|i| is_in_input(i / side, i % side)).collect();
        let mut blocks = Blocks { side, first: program.allocate(side * side), exists };
        for row in 0..side {
            for column in 0..side {
                if blocks.exists((row, column)) {
                    program.emitter.write(blocks.location((row, column)));
                }
            }
        }
        for k in 0..side {
            program.emitter.begin(ScopeKind::Finish);
            eliminate(program, &mut blocks, k);
            program.emitter.close(ScopeKind::Finish);
        }
    }
}

/// One step of the elimination.
fn eliminate<D: Detector>(program: &mut Program<'_, '_, D>, blocks: &mut Blocks, k: u32) {
    let diagonal = divide(program, blocks, (k, k), None);
    let mut divide_all = |of: &dyn Fn(u32) -> Block| -> Vec<(u32, PromiseId)> {
        let there = (k + 1..blocks.side).filter(|i| blocks.exists(of(*i)));
        there.map(|i| (i, divide(program, blocks, of(i), Some(((k, k), diagonal))))).collect()
    };
    let row = divide_all(&|j| (k, j));
    let column = divide_all(&|i| (i, k));
    for &(i, in_column) in &column {
        program.emitter.fork(TaskKind::Async);
        for &(j, in_row) in &row {
            program.get_all(vec![in_column, in_row]);
            program.emitter.fork(TaskKind::Async);
            access(program, blocks, &[(i, k), (k, j)], (i, j));
            program.emitter.end();
            let index = blocks.index((i, j)) as usize;
            blocks.exists[index] = true;
        }
        program.emitter.end();
    }
}

/// A task `lu0`, `fwd` or `bdiv`: updates a block, after reading another if there is one.
fn divide<D: Detector>(
    program: &mut Program<'_, '_, D>,
    blocks: &Blocks,
    target: Block,
    after: Option<(Block, PromiseId)>,
) -> PromiseId {
    let promise = program.emitter.promises(1);
    program.emitter.fork(TaskKind::Async);
    program.get_all(after.iter().map(|(_, promise)| *promise).collect());
    let reads: Vec<Block> = after.iter().map(|(block, _)| *block).collect();
    access(program, blocks, &reads, target);
    program.end(promise);
    promise
}

fn access<D: Detector>(
    program: &mut Program<'_, '_, D>,
    blocks: &Blocks,
    reads: &[Block],
    target: Block,
) {
    for &block in reads.iter().chain([&target]) {
        program.emitter.read(blocks.location(block));
    }
    program.emitter.write(blocks.location(target));
}

#[cfg(test)]
mod tests {
    use rosser_detect::{Access, Detector, DetectorKind, Event, Findings, LocId, SiteId};

    use super::{SparseLu, is_in_input};
    use crate::emit::Emitter;
    use crate::traversal::depend::Program;

    /// Counts what Table 2 of the paper counts.
    #[derive(Default)]
    struct Census {
        /// Scopes open in the main task.
        in_finish: bool,
        /// Whether the main task runs.
        depth: u32,
        asyncs: u32,
        /// Those that the main task creates in a finish.
        tree_joins: u32,
        sets: u32,
        gets: u32,
        findings: Findings,
    }

    impl Detector for Census {
        fn kind(&self) -> DetectorKind {
            unreachable!("a census is no detector")
        }

        fn event(&mut self, event: Event) {
            match event {
                Event::Fork { .. } => {
                    self.asyncs += 1;
                    self.tree_joins += u32::from(self.in_finish && self.depth == 0);
                    self.depth += 1;
                }
                Event::End => self.depth = self.depth.saturating_sub(1),
                Event::ScopeBegin { .. } => self.in_finish = true,
                Event::ScopeEnd { .. } => self.in_finish = false,
                Event::Set { .. } => self.sets += 1,
                Event::Get { .. } => self.gets += 1,
                _ => {}
            }
        }

        fn access(&mut self, _location: LocId, _access: Access, _site: SiteId) {}

        fn findings(&self) -> &Findings {
            &self.findings
        }

        fn stats(&self) -> Vec<(&'static str, u64)> {
            Vec::new()
        }
    }

    /// Table 2, sparselu: tree joins 12416, non-tree joins 357760, tasks 195521. The tasks are the
    /// asyncs, the empty tasks of the promises, and the main task.
    #[test]
    fn the_graph_has_the_published_number_of_tasks_and_joins() {
        let mut census = Census::default();
        let mut emitter = Emitter::new(&mut census);
        SparseLu { blocks: 128 }.run(&mut Program::new(&mut emitter, false));
        emitter.finish();
        assert_eq!(census.tree_joins, 12_416);
        assert_eq!(census.gets, 357_760);
        assert_eq!(1 + census.asyncs + census.sets, 195_521);
    }

    #[test]
    fn the_input_has_the_pattern_of_bots() {
        let rows: Vec<String> = (0..7)
            .map(|row| {
                (0..7).map(|column| if is_in_input(row, column) { 'x' } else { '.' }).collect()
            })
            .collect();
        assert_eq!(
            rows,
            ["xxx.x.x", "xxx....", "xxxx...", "..xxx..", "x..xxx.", "....xxx", "x....xx"]
        );
    }
}
