//! A wavefront: task (i, j) of a square grid gets the promises of its upper and left neighbours.

use rosser_detect::{Access, Detector, TaskKind};

use super::chain::Reach;
use super::nth;
use super::plan::{Dice, Ordinal, Plan};
use crate::emit::Emitter;

/// The trace: tasks are created row by row and read what their neighbours have left, or one
/// neighbour and any task further up and left.
pub fn grid<D: Detector, const A: bool>(plan: Plan, reach: Reach, emitter: &mut Emitter<'_, D, A>) {
    Plan::prepare(emitter);
    let side = plan.tasks.isqrt();
    let promises = emitter.promises(side * side);
    let mut dice = Dice::new();
    for row in 0..side {
        for column in 0..side {
            let at = |row: u32, column: u32| row * side + column;
            emitter.fork(TaskKind::Async);
            let (above, left) = (row.checked_sub(1), column.checked_sub(1));
            if let Some(above) = above {
                emitter.get(nth(promises, at(above, column)));
            }
            if let Some(left) = left {
                emitter.get(nth(promises, at(row, left)));
            }
            plan.work(emitter, Ordinal(at(row, column)), |turn| {
                let from = match (turn.is_first, reach) {
                    (false, Reach::Near) => above.map(|above| at(above, column)),
                    (false, Reach::Far) if row + column > 0 => {
                        // The task itself may come up; then it reads what it has just written.
                        Some(at(dice.below(row + 1), dice.below(column + 1)))
                    }
                    _ => left.map(|left| at(row, left)),
                };
                let location =
                    from.map_or(Plan::shared(turn.slot), |from| plan.own(Ordinal(from), turn.slot));
                (location, Access::Read)
            });
            emitter.set(nth(promises, at(row, column)));
            emitter.end();
        }
    }
}
