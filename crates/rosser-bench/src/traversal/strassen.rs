//! Strassen's multiplication in Winograd's variant, as in `KaStORS`: a multiplication of matrices
//! larger than a base block has eight tasks for sums of operands, seven for products, which recur,
//! and four that combine the products; a finish joins them.
//!
//! A location is a base block. Scratch matrices are fresh ones, as if nothing were ever freed.

use rosser_detect::{Detector, LocId, ScopeKind};

use super::depend::{Clause, Data, Datum, Program};

/// The size of a multiplication.
#[derive(Clone, Copy, Debug)]
pub struct Strassen {
    /// Rows of the matrices.
    pub size: u32,
    /// Rows of the blocks that are multiplied the plain way.
    pub base: u32,
}

/// A square part of a matrix, in blocks.
#[derive(Clone, Copy, Debug)]
struct Matrix {
    first: LocId,
    stride: u32,
    blocks: u32,
}

impl Matrix {
    fn quadrant(self, row: u32, column: u32) -> Self {
        let half = self.blocks / 2;
        Self {
            first: LocId(self.first.0 + half * (row * self.stride + column)),
            blocks: half,
            ..self
        }
    }

    fn quadrants(self) -> [Self; 4] {
        [(0, 0), (0, 1), (1, 0), (1, 1)].map(|(row, column)| self.quadrant(row, column))
    }

    fn locations(self) -> impl Iterator<Item = LocId> {
        (0..self.blocks).flat_map(move |row| {
            (0..self.blocks).map(move |column| LocId(self.first.0 + row * self.stride + column))
        })
    }
}

/// The matrices of one multiplication: the sums S1 to S8, three products of their own, and the
/// quadrants of the result, which at first hold products, too.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Name {
    S1,
    S2,
    S3,
    S4,
    S5,
    S6,
    S7,
    S8,
    M2,
    M5,
    T1,
    C11,
    C12,
    C21,
    C22,
}

const NAMES: usize = 15;
const SCRATCH: usize = 11;

/// An operand: a quadrant of the inputs, which were there before, or something computed here.
#[derive(Clone, Copy, Debug)]
enum Operand {
    A(usize),
    B(usize),
    Of(Name),
}

use Name::{C11, C12, C21, C22, M2, M5, S1, S2, S3, S4, S5, S6, S7, S8, T1};
use Operand::{A, B, Of};

/// `target = left ± right`, in program order.
const SUMS: [(Name, [Operand; 2]); 8] = [
    (S1, [A(2), A(3)]),
    (S2, [Of(S1), A(0)]),
    (S4, [A(1), Of(S2)]),
    (S5, [B(1), B(0)]),
    (S6, [B(3), Of(S5)]),
    (S8, [Of(S6), B(2)]),
    (S3, [A(0), A(2)]),
    (S7, [B(3), B(1)]),
];

/// `target = left × right`, in program order.
const PRODUCTS: [(Name, [Operand; 2]); 7] = [
    (M2, [A(0), B(0)]),
    (M5, [Of(S1), Of(S5)]),
    (T1, [Of(S2), Of(S6)]),
    (C22, [Of(S3), Of(S7)]),
    (C11, [A(1), B(2)]),
    (C12, [Of(S4), B(3)]),
    (C21, [A(3), Of(S8)]),
];

/// `target = ± target ± operands`, in program order.
const COMBINATIONS: [(Name, &[Name]); 4] =
    [(C11, &[M2]), (C12, &[M5, T1, M2]), (C21, &[C22, T1, M2]), (C22, &[M5, T1, M2])];

impl Strassen {
    /// The program: the main task fills the operands, multiplies, and reads the result.
    pub fn run<D: Detector>(self, program: &mut Program<'_, '_, D>) {
        let blocks = self.size / self.base;
        let [a, b, c] = [(); 3].map(|()| allocate(program, blocks));
        for location in a.locations().chain(b.locations()) {
            program.emitter.write(location);
        }
        multiply(program, c, a, b);
        for location in c.locations() {
            program.emitter.read(location);
        }
    }
}

fn allocate<D: Detector>(program: &mut Program<'_, '_, D>, blocks: u32) -> Matrix {
    Matrix { first: program.allocate(blocks * blocks), stride: blocks, blocks }
}

fn multiply<D: Detector>(program: &mut Program<'_, '_, D>, c: Matrix, a: Matrix, b: Matrix) {
    if c.blocks == 1 {
        program.emitter.read(a.first);
        program.emitter.read(b.first);
        program.emitter.write(c.first);
        return;
    }
    program.emitter.begin(ScopeKind::Finish);
    let (a, b) = (a.quadrants(), b.quadrants());
    let mut matrices = c.quadrants().to_vec();
    let scratch = (0..SCRATCH).map(|_| allocate(program, c.blocks / 2)).collect::<Vec<_>>();
    matrices.splice(0..0, scratch);
    let named = |name: Name| matrices[name as usize];
    let matrix = |operand: Operand| match operand {
        A(quadrant) => a[quadrant],
        B(quadrant) => b[quadrant],
        Of(name) => named(name),
    };
    let mut data = Data::new(NAMES);

    for (target, operands) in SUMS {
        let promise = program.begin(&mut data, &clauses(&operands, target));
        let [left, right] = operands.map(matrix);
        for ((left, right), to) in
            left.locations().zip(right.locations()).zip(named(target).locations())
        {
            program.emitter.read(left);
            program.emitter.read(right);
            program.emitter.write(to);
        }
        program.end(promise);
    }
    for (target, operands) in PRODUCTS {
        let promise = program.begin(&mut data, &clauses(&operands, target));
        let [left, right] = operands.map(matrix);
        multiply(program, named(target), left, right);
        program.end(promise);
    }
    for (target, operands) in COMBINATIONS {
        let named_operands: Vec<Operand> = operands.iter().map(|&name| Of(name)).collect();
        let promise = program.begin(&mut data, &clauses(&named_operands, target));
        for (i, to) in named(target).locations().enumerate() {
            program.emitter.read(to);
            for &operand in operands {
                let from = named(operand).locations().nth(i);
                program.emitter.read(from.expect("quadrants are of one size"));
            }
            program.emitter.write(to);
        }
        program.end(promise);
    }
    program.emitter.close(ScopeKind::Finish);
}

/// What a task depends on: the operands that are computed here, then its target.
fn clauses(operands: &[Operand], target: Name) -> Vec<Clause> {
    let datum = |name: Name| Datum(name as usize);
    let mut clauses: Vec<Clause> = operands
        .iter()
        .filter_map(|operand| match operand {
            Of(name) => Some(Clause::In(datum(*name))),
            A(_) | B(_) => None,
        })
        .collect();
    clauses.push(Clause::Out(datum(target)));
    clauses
}
